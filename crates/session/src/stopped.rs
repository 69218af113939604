//! Failures and warnings that stop games.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

use leitai_config::Share;
use leitai_game::Cause;
use leitai_players::player::PvFault;
use leitai_runs::figures::{FailureEvidence, Lateness};
use leitai_runs::tournament::{Ending, Failing, FailingPlayer, Plan, Standings, TunePlan};

/// The failure that stopped a run, as the config requires. The pair is not recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Error)]
#[error(
    "the variant `{variant}` failed: {cause} in game {game} of pair {pair}, from the opening \
     `{opening}`{}{}",
    .lateness.map(|it| format!("; {it}")).unwrap_or_default(),
    .evidence.as_ref().map(|it| format!(": {}", it.sentence(*.cause))).unwrap_or_default()
)]
pub struct Stopped {
    /// Number of the pair in the schedule, from 0.
    pub pair: u64,
    /// The game of the pair, from 1.
    pub game: usize,
    /// Id of the opening.
    pub opening: String,
    /// Name of the variant that failed.
    pub variant: String,
    /// Cause of the failure.
    pub cause: Cause,
    /// Lateness, if the player failed on time.
    #[serde(flatten)]
    pub lateness: Option<Lateness>,
    /// Evidence of the failure, if any.
    #[serde(flatten)]
    pub evidence: Option<Box<FailureEvidence>>,
}

/// The warning that ended a strict run. The pair is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
#[error(
    "the variant `{variant}` reported a {} in game {game} of pair {pair}, from the opening \
     `{opening}`",
    fault.words()[0]
)]
pub struct StrictlyEnded {
    /// Number of the pair in the schedule, from 0.
    pub pair: u64,
    /// The game of the pair, from 1.
    pub game: usize,
    /// Id of the opening.
    pub opening: String,
    /// Name of the variant with the warning.
    pub variant: String,
    /// The problem of its line.
    pub fault: PvFault,
}

/// The failure or the warning of a player that ended games early.
#[derive(Clone, Debug, PartialEq, Serialize, Error)]
pub enum EarlyEnd {
    /// A failure, as the config requires.
    #[error(transparent)]
    #[serde(rename = "stopped")]
    Stopped(Stopped),
    /// A warning in strict mode.
    #[error(transparent)]
    #[serde(rename = "ended_by")]
    Warned(StrictlyEnded),
}

impl EarlyEnd {
    /// Returns the failure or the warning behind an ending, if any.
    pub fn of(plan: &Plan, ending: &Ending) -> Option<Self> {
        let opening = |index: usize| plan.book.id(index);
        Some(match ending {
            Ending::Complete | Ending::Cancelled => return None,
            Ending::Warned(warned) => Self::Warned(StrictlyEnded {
                pair: warned.pair,
                game: warned.game + 1,
                opening: opening(plan.schedule.pair(warned.pair).opening),
                variant: plan.config.variants[warned.variant].name.clone(),
                fault: warned.fault,
            }),
            Ending::Stopped(stop) => {
                let limits = &plan.terms.limits[stop.fault.variant];
                let is_late = stop.fault.cause == Cause::TimeForfeit;
                let by_the_clock = limits.time.is_some();
                let evidence = stop.evidence.0.first();
                let evidence = evidence.map(|own| FailureEvidence::new(own, by_the_clock));
                Self::Stopped(Stopped {
                    pair: stop.pair,
                    game: stop.fault.game + 1,
                    opening: opening(stop.opening),
                    variant: plan.variant_of(stop.fault.variant).name.clone(),
                    cause: stop.fault.cause,
                    lateness: is_late.then(|| Lateness::of(stop.late, limits)),
                    evidence: evidence.map(Box::new),
                })
            }
        })
    }
}

/// A player that ended the games, because it failed in all its first games or in more than the
/// tolerated share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
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
        (plan.config.failures.plays_on).then(|| Self::in_pairs(plan, failing))
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
    pub(super) fn in_batches(plan: TunePlan<'_>, (failing, value): FailingPlayer) -> Self {
        let at = match value {
            Some(value) => {
                let name = plan.tune.dimensions[value.dimension].name.clone();
                if value.is_higher {
                    FailingAt::HigherValueOf(name)
                } else {
                    FailingAt::LowerValueOf(name)
                }
            }
            None if failing.variant == 0 => FailingAt::Side(Side::Plus),
            None => FailingAt::Side(Side::Minus),
        };
        Self {
            name: plan.start_variant().name.clone(),
            at: Some(at),
            failing,
            tolerate: plan.config.failures.tolerate,
        }
    }

    /// Describes the failures in a sentence.
    pub(super) fn sentence(&self) -> String {
        let at = self.at.as_ref().map(ToString::to_string);
        let at = at.unwrap_or_default();
        self.failing.sentence(&self.name, &at, self.tolerate)
    }
}
