//! A player that fails whatever it plays.

use thiserror::Error;

use crate::game::Cause;
use crate::tournament::{Failing, Plan, Standings};

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
        let Failing {
            variant,
            cause,
            games,
        } = standings.failing?;
        Some(Self {
            variant: plan.config.variants[variant].name.clone(),
            cause,
            games,
        })
    }
}
