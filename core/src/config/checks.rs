//! `[checks]`: what is looked at beside the moves of other programs.

use serde::{Deserialize, Serialize};
use toml::Spanned;

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
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawChecks {
    pv: Option<Spanned<bool>>,
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
