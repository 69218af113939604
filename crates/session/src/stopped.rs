//! Failures and warnings that stop games.

use serde::Serialize;
use thiserror::Error;

use leitai_config::{Limits, Variant};
use leitai_game::Cause;
use leitai_players::player::PvFault;
use leitai_players::schedule::Book;
use leitai_runs::figures::{FailureEvidence, Lateness};
use leitai_runs::tournament::{Ending, Plan, Stop, TunePlan};

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

impl StrictlyEnded {
    /// Returns the warning behind an ending, if any.
    pub fn of(plan: &Plan, ending: &Ending) -> Option<Self> {
        let Ending::Warned(warned) = ending else {
            return None;
        };
        let opening = plan.schedule.pair(warned.pair).opening;
        Some(Self {
            pair: warned.pair,
            game: warned.game + 1,
            opening: plan.book.openings[opening].id().into_owned(),
            variant: plan.config.variants[warned.variant].name.clone(),
            fault: warned.fault,
        })
    }
}

impl Stopped {
    /// Returns the failure behind an ending, if any.
    pub fn of(plan: &Plan, ending: &Ending) -> Option<Self> {
        let Ending::Stopped(stop) = ending else {
            return None;
        };
        let variant = stop.fault.variant;
        let limits = &plan.terms.limits[variant];
        let variant = &plan.config.variants[variant];
        Some(Self::new(stop, &plan.book, variant, limits))
    }

    /// Describes the failure that stopped a tune, in which both players are one variant.
    pub(super) fn in_batch(plan: &TunePlan, stop: &Stop) -> Self {
        Self::new(stop, &plan.book, plan.start(), &plan.limits())
    }

    fn new(stop: &Stop, book: &Book, variant: &Variant, limits: &Limits) -> Self {
        let is_late = stop.fault.cause == Cause::TimeForfeit;
        let by_the_clock = limits.time.is_some();
        let evidence = stop.evidence.0.first();
        let evidence = evidence.map(|evidence| FailureEvidence::new(evidence, by_the_clock));
        Self {
            pair: stop.pair,
            game: stop.fault.game + 1,
            opening: book.openings[stop.opening].id().into_owned(),
            variant: variant.name.clone(),
            cause: stop.fault.cause,
            lateness: is_late.then(|| Lateness::of(stop.late, limits)),
            evidence: evidence.map(Box::new),
        }
    }
}
