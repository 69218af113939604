//! What becomes of the target of a capture problem.

use serde::{Deserialize, Serialize};

/// What becomes of the target when both sides play their best.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum CaptureVerdict {
    /// It is taken, even if the defender may retake every ko at once.
    Captured,
    /// It is saved, even if the attacker may retake every ko at once.
    Escapes,
    /// Neither: whoever wins the ko decides.
    Ko,
    /// Nobody knows: not stated, or not found within the limits.
    #[default]
    Unknown,
}

impl CaptureVerdict {
    /// All four, in order.
    pub const ALL: [CaptureVerdict; 4] = [
        CaptureVerdict::Captured,
        CaptureVerdict::Escapes,
        CaptureVerdict::Ko,
        CaptureVerdict::Unknown,
    ];

    /// The name: `captured`, `escapes`, `ko` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            CaptureVerdict::Captured => "captured",
            CaptureVerdict::Escapes => "escapes",
            CaptureVerdict::Ko => "ko",
            CaptureVerdict::Unknown => "unknown",
        }
    }

    /// Reads a name, in any case.
    pub fn read(text: &str) -> Option<CaptureVerdict> {
        Self::ALL
            .into_iter()
            .find(|verdict| text.eq_ignore_ascii_case(verdict.name()))
    }
}

impl std::fmt::Display for CaptureVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
