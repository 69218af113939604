//! `[checks]`: what is looked at beside the moves of other programs.

use super::form::Spanned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which lines of play of other programs are looked at. No move depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Checks {
    /// Whether their moves are legal, and whether they begin with the move that is played.
    pub pv: bool,
    /// Whether mates that are said to be in them are there.
    pub mate: bool,
}

impl Checks {
    /// Nothing is looked at.
    pub const NONE: Self = Self {
        pv: false,
        mate: false,
    };

    /// Whether anything is looked at.
    pub fn any(self) -> bool {
        self != Self::NONE
    }
}

/// Everything is looked at.
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
    /// Whether the moves of reported lines are legal, go on beyond the end of the game, and begin
    /// with the move that is played; true if absent.
    pv: Option<Spanned<bool>>,
    /// Whether mates that are said to be in them are there, in as many plies; true if absent.
    mate: Option<Spanned<bool>>,
}

impl RawChecks {
    /// The checks, those that nothing is said of as usual.
    pub(super) fn checks(&self) -> Checks {
        let usual = Checks::default();
        let said = |flag: &Option<Spanned<bool>>| flag.as_ref().map(|flag| *flag.get_ref());
        Checks {
            pv: said(&self.pv).unwrap_or(usual.pv),
            mate: said(&self.mate).unwrap_or(usual.mate),
        }
    }
}
