//! Reports a player that failed so often that its games do not measure its strength.

use std::fmt;

use serde::Serialize;

use leitai_config::Share;
use leitai_runs::tournament::{Failing, FailingPlayer, Plan, Standings, TunePlan};

/// A player that ended the games, because it failed in all its first games or in more than the
/// tolerated share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}; Leitai plays no more games", self.sentence())]
pub struct PlayerFails {
    /// Name of the variant.
    pub name: String,
    /// The failing side or parameter value of a tune.
    #[serde(flatten)]
    pub at: Option<FailingAt>,
    /// Number and causes of the failures.
    #[serde(flatten)]
    pub failing: Failing,
    /// The tolerated share of failures in its games.
    #[serde(skip)]
    pub tolerate: Share,
}

/// The failing player of a tune, in which both players are one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailingAt {
    /// The first player of each pair, at the values plus a step, or the second, at the values minus
    /// a step.
    Side(Side),
    /// The player with the higher value of a parameter.
    HigherValueOf(String),
    /// The player with the lower value of a parameter.
    LowerValueOf(String),
}

/// A player of a tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first player of each pair, at the values plus a step.
    Plus,
    /// The second player, at the values minus a step.
    Minus,
}

impl fmt::Display for FailingAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Side(Side::Plus) => f.write_str(" on the plus side"),
            Self::Side(Side::Minus) => f.write_str(" on the minus side"),
            Self::HigherValueOf(name) => write!(f, " at the higher value of `{name}`"),
            Self::LowerValueOf(name) => write!(f, " at the lower value of `{name}`"),
        }
    }
}

impl PlayerFails {
    /// Returns the player whose failures ended a tournament, if any.
    pub fn of(plan: &Plan, standings: &Standings) -> Option<Self> {
        let failing = standings.ended_by()?;
        Some(Self::in_pairs(plan, failing))
    }

    /// Returns the failing player of a tournament that nevertheless continues.
    pub(super) fn going_on(plan: &Plan, standings: &Standings) -> Option<Self> {
        let failing = standings.failing?;
        let goes_on = plan.config.failures.plays_on;
        goes_on.then(|| Self::in_pairs(plan, failing))
    }

    fn in_pairs(plan: &Plan, failing: Failing) -> Self {
        Self {
            name: plan.config.variants[failing.variant].name.clone(),
            at: None,
            failing,
            tolerate: plan.config.failures.tolerate,
        }
    }

    /// Describes the failing player of a tune.
    pub(super) fn in_batches(plan: &TunePlan, (failing, value): FailingPlayer) -> Self {
        let at = match value {
            Some(value) => {
                let name = plan.tune.dimensions[value.dimension].name.clone();
                match value.is_higher {
                    true => FailingAt::HigherValueOf(name),
                    false => FailingAt::LowerValueOf(name),
                }
            }
            None if failing.variant == 0 => FailingAt::Side(Side::Plus),
            None => FailingAt::Side(Side::Minus),
        };
        Self {
            name: plan.start().name.clone(),
            at: Some(at),
            failing,
            tolerate: plan.config.failures.tolerate,
        }
    }

    /// Describes the failures in a sentence.
    pub(super) fn sentence(&self) -> String {
        let at = self
            .at
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        self.failing.sentence(&self.name, &at, self.tolerate)
    }
}
