//! A player whose failures leave nothing to be said of its strength.

use std::fmt;

use crate::config::Share;
use crate::count::count;
use crate::game::Cause;
use crate::tournament::{Failing, Plan, Standings, TunePlan};

/// Games were ended by a player that failed in all its first games, or in more than the
/// tolerated share of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}; no more are played", self.sentence())]
pub struct PlayerFails {
    /// Name of the variant.
    pub variant: String,
    /// Which player of a tune it is: the two are one variant.
    pub side: Option<Side>,
    /// How it failed the last time.
    pub cause: Cause,
    /// Games that its failures ended.
    pub failed: u64,
    /// How many games it had.
    pub games: u64,
    /// Whether none of them ended without a failure.
    pub always: bool,
    /// The share of them that is tolerated.
    pub tolerate: Share,
}

/// A player of a tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first of each pair, at the values plus a step.
    Plus,
    /// The second, at the values minus a step.
    Minus,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plus => "plus",
            Self::Minus => "minus",
        })
    }
}

impl PlayerFails {
    /// Who ended a tournament so, if somebody did.
    pub fn of(plan: &Plan, standings: &Standings) -> Option<Self> {
        let failing = standings.ended_by()?;
        let variant = &plan.config.variants[failing.variant].name;
        Some(Self::new(
            variant,
            None,
            failing,
            plan.config.failures.tolerate,
        ))
    }

    /// Who fails in a tournament that goes on all the same.
    pub(super) fn going_on(plan: &Plan, standings: &Standings) -> Option<Self> {
        let failing = standings
            .failing
            .filter(|_| plan.config.failures.plays_on)?;
        let variant = &plan.config.variants[failing.variant].name;
        Some(Self::new(
            variant,
            None,
            failing,
            plan.config.failures.tolerate,
        ))
    }

    /// The player of a tune.
    pub(super) fn in_batches(plan: &TunePlan, failing: Failing) -> Self {
        let side = [Side::Plus, Side::Minus][failing.variant.min(1)];
        let tolerate = plan.config.failures.tolerate;
        Self::new(&plan.start().name, Some(side), failing, tolerate)
    }

    fn new(variant: &str, side: Option<Side>, failing: Failing, tolerate: Share) -> Self {
        let Failing {
            cause,
            failed,
            games,
            always,
            ..
        } = failing;
        Self {
            variant: variant.to_owned(),
            side,
            cause,
            failed,
            games,
            always,
            tolerate,
        }
    }

    /// What happened.
    pub(super) fn sentence(&self) -> String {
        let side = self.side.map(|side| format!(" on the {side} side"));
        let (side, cause) = (side.unwrap_or_default(), self.cause);
        if self.always && self.failed < self.games {
            return format!(
                "`{}`{side} lost {} of its first {} games by its own failure, its opponent the \
                 others ({cause} the last time), which says nothing of its strength",
                self.variant, self.failed, self.games
            );
        }
        if self.always {
            return format!(
                "`{}`{side} lost each of its first {} games by its own failure ({cause} the last \
                 time), which says nothing of its strength",
                self.variant, self.games
            );
        }
        format!(
            "`{}`{side} failed in {} of {} ({:.1} %, {cause} the last time), and `tolerate` is {}",
            self.variant,
            self.failed,
            count(self.games, "game", "games"),
            100.0 * self.failed as f64 / self.games as f64,
            self.tolerate
        )
    }
}
