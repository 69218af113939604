//! The played stage: batches of games that a tuner learns from.

use super::Halt;
use super::games::Learned;
use super::results::Learnt;
use crate::config::{Loaded, Variant};
use crate::session::{Failure, Session, Stopped};
use crate::tournament::Ending;
use crate::tune::{self, Trajectory, trajectory};

/// Moments of a tune that its trajectory shows.
pub(super) const SAMPLES: usize = 200;

/// What the games have taught.
pub(super) struct TuneOutcome {
    /// The values, for whoever reads.
    pub(super) learnt: Learnt,
    /// The variant with the values of the end.
    pub(super) tuned: Variant,
    /// The variant with values on the way, and the games after which they were.
    pub(super) checkpoints: Vec<(Variant, u64)>,
    /// The values from the first game to the last.
    pub(super) trajectory: Trajectory,
}

/// Plays what is left of the tune of a config; so many checkpoints are wanted, values
/// after equal shares of the games. What is learnt is told of `start`: of the one who plays
/// it is known which program that is, too. Also gives whether all of it was played.
pub(super) fn learn(
    loaded: Loaded,
    start: &Variant,
    session: &Session<'_>,
    checkpoints: u32,
) -> Result<(TuneOutcome, Result<(), Halt>), Failure> {
    let Learned {
        plan,
        ending,
        failing,
        tuner,
        batches,
    } = session.learn(loaded)?;
    let mut stopped = None;
    let whole = match ending {
        // Of the games of batches no warnings are kept.
        Ending::Complete | Ending::Warned(_) => {
            failing.map_or(Ok(()), |fails| Err(Halt::Failing(fails)))
        }
        Ending::Cancelled if session.cancel.is_time_up() => Err(Halt::TimeUp),
        Ending::Cancelled => Err(Halt::Cancelled(String::new())),
        Ending::Stopped(stop) => {
            let fault = Stopped::in_batch(&plan, &stop);
            stopped = Some(fault.clone());
            Err(Halt::Stopped(fault))
        }
    };
    let results: Vec<_> = batches.iter().map(|row| (row.number, row.result)).collect();
    let trajectory = trajectory(plan.tuner()?, results.iter().copied(), SAMPLES)?;
    let points = tune::checkpoints(plan.tuner()?, results, checkpoints as usize)?;
    let at = |values: &[f64]| plan.with_values(start, &tuner.space().nearest(values));
    let checkpoints = points.iter().map(|point| (at(&point.values), point.games));
    let mut learnt = Learnt::new(&plan, &tuner, &batches);
    learnt.stopped = stopped;
    if matches!(whole, Err(Halt::Failing(_))) {
        learnt = learnt.not_adopted(&plan);
    }
    if !learnt.is_failing
        && let Some(warning) = learnt.failure_warning()
    {
        session.listener.warn(warning);
    }
    let outcome = TuneOutcome {
        learnt,
        tuned: at(&tuner.estimate()),
        checkpoints: checkpoints.collect(),
        trajectory,
    };
    Ok((outcome, whole))
}
