//! A player's failure that stops games.

use serde::Serialize;
use thiserror::Error;

use crate::config::{Limits, Variant};
use crate::game::Cause;
use crate::player::PvFault;
use crate::report::{FailureEvidence, Lateness};
use crate::schedule::Book;
use crate::tournament::{Ending, Plan, Stop, TunePlan};

/// The failure that stopped a run, as the config asks. The pair is not recorded.
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
    /// Id of its opening.
    pub opening: String,
    /// Name of who failed.
    pub variant: String,
    /// How.
    pub cause: Cause,
    /// How late it was, if it failed on time.
    #[serde(flatten)]
    pub lateness: Option<Lateness>,
    /// What is known of the failure.
    #[serde(flatten)]
    pub evidence: Option<Box<FailureEvidence>>,
}

/// The warning that ended a run that is played strictly. The pair is recorded.
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
    /// Id of its opening.
    pub opening: String,
    /// Name of who is warned.
    pub variant: String,
    /// What of.
    pub fault: PvFault,
}

impl StrictlyEnded {
    /// The warning that an ending tells of, if it does.
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
    /// The failure that an ending tells of, if it does.
    pub fn of(plan: &Plan, ending: &Ending) -> Option<Self> {
        match ending {
            Ending::Complete | Ending::Cancelled | Ending::Warned(_) => None,
            Ending::Stopped(stop) => Some(Self::in_pair(plan, stop)),
        }
    }

    pub(super) fn in_pair(plan: &Plan, stop: &Stop) -> Self {
        let variant = stop.fault.variant;
        let limits = &plan.terms.limits[variant];
        Self::new(stop, &plan.book, &plan.config.variants[variant], limits)
    }

    /// The failure that stopped a tune, whose players are one variant.
    pub(super) fn in_batch(plan: &TunePlan, stop: &Stop) -> Self {
        Self::new(stop, &plan.book, plan.start(), &plan.limits())
    }

    fn new(stop: &Stop, book: &Book, variant: &Variant, limits: &Limits) -> Self {
        let is_late = stop.fault.cause == Cause::TimeForfeit;
        Self {
            pair: stop.pair,
            game: stop.fault.game + 1,
            opening: book.openings[stop.opening].id().into_owned(),
            variant: variant.name.clone(),
            cause: stop.fault.cause,
            lateness: is_late.then(|| Lateness::of(stop.late, limits)),
            evidence: stop
                .evidence
                .0
                .first()
                .map(|evidence| Box::new(FailureEvidence::new(evidence, limits.time.is_some()))),
        }
    }
}
