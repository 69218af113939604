//! How sure a solver is to be.

use leitai_base::settings::choice;

choice! {
    /// How sure an answer is to be.
    pub enum Mode {
        /// Candidates on both sides: an opinion.
        Fast = "fast",
        /// Every move of the side that loses, as far as it could matter: a proof.
        Proved = "proved",
    }
}
