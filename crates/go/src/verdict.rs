//! What becomes of the target of a problem.

use leitai_base::settings::choice;

choice! {
    /// What becomes of the target when both sides play their best.
    #[derive(Default, PartialOrd, Ord, serde::Deserialize)]
    pub enum CaptureVerdict {
        /// It is taken, even if the defender may retake every ko at once.
        Captured = "captured",
        /// It is saved, even if the attacker may retake every ko at once.
        Escapes = "escapes",
        /// Neither: whoever wins the ko decides.
        Ko = "ko",
        /// Nobody knows: not stated, or not found within the limits.
        #[default]
        Unknown = "unknown",
        /// Of a semeai: the side that attacks the target takes it before it loses its own
        /// block, even if the other side may retake every ko at once.
        Wins = "wins",
        /// Of a semeai: that side loses its own block before it takes the target, even if
        /// it may retake every ko at once.
        Loses = "loses",
        /// Of a semeai: neither side takes the other's block first, whoever may retake kos.
        Seki = "seki",
        /// Two blocks are joined, even if the other side may retake every ko at once.
        Connected = "connected",
        /// They are kept apart, or one of them is taken, even if their owner may retake
        /// every ko at once.
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

impl std::fmt::Display for CaptureVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
