//! The variables and files that control the mock.

/// The variable with its defect for examinations.
pub(crate) const AILMENT: &str = "LEITAI_DOCTOR_MOCK";
/// The variable with its behaviour in play.
pub(crate) const MODE: &str = "LEITAI_MOCK_MODE";
/// The file for the IDs of all processes.
pub(crate) const PIDS: &str = "LEITAI_MOCK_PIDS";
/// The variable with its protocol.
pub(crate) const PROTOCOL: &str = "LEITAI_MOCK_PROTOCOL";
/// The file in the working folder that fixes `crash-until-fixed`.
pub(crate) const FIXED: &str = "fixed";
