//! What becomes of the target of a capture problem.

use crate::settings::choice;

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
