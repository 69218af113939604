//! `[checks]`: checks of external programs' output other than their moves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Checks of the lines reported by external programs. No move depends on them. The first two
/// checks are on by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "checks")]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct Checks {
    /// Checks that the moves of reported lines are legal, do not go on beyond the end of the game,
    /// and start with the played move; true if absent.
    pub pv: bool,
    /// Checks that reported mates are in the lines, in the reported number of plies; true if
    /// absent.
    pub mate: bool,
    /// Checks that every move comes with a line that has a score; false if absent.
    pub score: bool,
}

impl Checks {
    /// No checks.
    pub const NONE: Self = Self {
        pv: false,
        mate: false,
        score: false,
    };

    /// Returns whether any check is on.
    pub fn any(self) -> bool {
        self != Self::NONE
    }
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            pv: true,
            mate: true,
            score: false,
        }
    }
}
