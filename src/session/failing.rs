//! A player that fails whatever it plays.

use thiserror::Error;

use crate::config::Variant;
use crate::game::Cause;
use crate::tournament::{Failing, Plan, Standings, TunePlan};

/// Games were stopped, for all first games of a player were lost by its own failures.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{variant}` lost each of its first {games} games by its own failure ({cause} the last time): \
     they say nothing of its strength, and no more are played"
)]
pub struct PlayerFails {
    /// Name of the variant.
    pub variant: String,
    /// How its last game was lost.
    pub cause: Cause,
    /// How many games it had.
    pub games: u64,
}

impl PlayerFails {
    /// Who fails in a tournament, if somebody does.
    pub fn of(plan: &Plan, standings: &Standings) -> Option<Self> {
        let failing = standings.failing?;
        let variant = &plan.config.variants[failing.variant];
        Some(Self::new(variant, failing))
    }

    /// The variant of a tune, both of whose players fail.
    pub(super) fn in_batches(plan: &TunePlan, failing: Failing) -> Self {
        Self::new(plan.start(), failing)
    }

    fn new(variant: &Variant, Failing { cause, games, .. }: Failing) -> Self {
        Self {
            variant: variant.name.clone(),
            cause,
            games,
        }
    }
}
