//! What the tests tell the mock by its environment and its folder.

/// The variable that says what ails it, under examination.
pub(crate) const AILMENT: &str = "LEITAI_DOCTOR_MOCK";
/// The variable that says how it behaves in play.
pub(crate) const MODE: &str = "LEITAI_MOCK_MODE";
/// The file to which the numbers of all processes are written.
pub(crate) const PIDS: &str = "LEITAI_MOCK_PIDS";
/// The variable that says which protocol it speaks.
pub(crate) const PROTOCOL: &str = "LEITAI_MOCK_PROTOCOL";
/// The file in the working folder that fixes `crash-until-fixed`.
pub(crate) const FIXED: &str = "fixed";
