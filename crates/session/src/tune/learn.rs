//! The games stage: batches of games from which a tuner learns.

use super::Halt;
use super::games::Learned;
use super::results::Learnt;
use crate::{Failure, Session, Stopped};
use leitai_config::{Loaded, Variant};
use leitai_runs::tournament::Ending;
use leitai_stats::tune::{self, Trajectory, trajectory};

/// Number of points in the trajectory.
pub(super) const SAMPLES: usize = 200;

/// The result of the games.
pub(super) struct TuneOutcome {
    /// The values, for output.
    pub(super) learnt: Learnt,
    /// The variant with the final values.
    pub(super) tuned: Variant,
    /// Variants with intermediate values, and their numbers of games.
    pub(super) checkpoints: Vec<(Variant, u64)>,
    /// The values from the first game to the last.
    pub(super) trajectory: Trajectory,
}

/// Plays the remaining batches of a config's tune. Derives `checkpoints` variants after equal
/// shares of the games. The resulting variants are based on `start`, because the variant that plays
/// also contains data about its program. Also returns whether all games were played.
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
        // Batches keep no warnings about their games.
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
