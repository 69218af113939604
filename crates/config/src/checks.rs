//! `[checks]`: checks of external programs' output other than their moves.

use super::form::Spanned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Checks of the lines reported by external programs. No move depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Checks {
    /// True to check that the lines are legal and start with the played move.
    pub pv: bool,
    /// True to check that reported mates are in the lines.
    pub mate: bool,
}

impl Checks {
    /// No checks.
    pub const NONE: Self = Self {
        pv: false,
        mate: false,
    };

    /// Returns whether any check is on.
    pub fn any(self) -> bool {
        self != Self::NONE
    }
}

/// All checks are on by default.
impl Default for Checks {
    fn default() -> Self {
        Self {
            pv: true,
            mate: true,
        }
    }
}

/// `[checks]` as typed.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "checks")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawChecks {
    /// Checks that the moves of reported lines are legal, do not go on beyond the end of the game,
    /// and start with the played move; true if absent.
    pv: Option<Spanned<bool>>,
    /// Checks that reported mates are in the lines, in the reported number of plies; true if
    /// absent.
    mate: Option<Spanned<bool>>,
}

impl RawChecks {
    /// The checks, with defaults for absent keys.
    pub(super) fn checks(&self) -> Checks {
        let usual = Checks::default();
        let said = |flag: &Option<Spanned<bool>>| flag.as_ref().map(|flag| *flag.get_ref());
        Checks {
            pv: said(&self.pv).unwrap_or(usual.pv),
            mate: said(&self.mate).unwrap_or(usual.mate),
        }
    }
}
