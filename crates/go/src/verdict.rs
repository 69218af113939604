//! The verdict about the target of a problem.

use leitai_base::settings::choice;

choice! {
    /// The result for the target under best play of both sides.
    #[derive(Default, PartialOrd, Ord, serde::Deserialize)]
    pub enum CaptureVerdict {
        /// The target is taken, even if the defender may retake every ko at once.
        Captured = "captured",
        /// The target is saved, even if the attacker may retake every ko at once.
        Escapes = "escapes",
        /// Neither: the winner of the ko decides.
        Ko = "ko",
        /// Unknown: not stated, or not found within the limits.
        #[default]
        Unknown = "unknown",
        /// For a semeai: the side that attacks the target takes it before it loses its own block,
        /// even if the other side may retake every ko at once.
        Wins = "wins",
        /// For a semeai: the side that attacks the target loses its own block before it takes the
        /// target, even if it may retake every ko at once.
        Loses = "loses",
        /// For a semeai: neither side takes the other's block first, even if it may retake every ko
        /// at once.
        Seki = "seki",
        /// For a connection: the blocks are joined, even if the other side may retake every ko at
        /// once.
        Connected = "connected",
        /// For a connection: the blocks are kept apart, or one of them is taken, even if their
        /// owner may retake every ko at once.
        Cut = "cut",
    }
}

impl CaptureVerdict {
    /// Reads a name, in any case.
    pub fn read(text: &str) -> Option<CaptureVerdict> {
        let mut all = Self::ALL.iter().copied();
        all.find(|verdict| text.eq_ignore_ascii_case(verdict.name()))
    }
}
