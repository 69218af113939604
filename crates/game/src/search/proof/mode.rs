//! Certainty of a solver's results.

use leitai_base::settings::choice;

choice! {
    /// Certainty of a result.
    pub enum Mode {
        /// Searches only candidate moves of both sides: an estimate.
        Fast = "fast",
        /// Searches every relevant move of the losing side: a proof.
        Proved = "proved",
    }
}
