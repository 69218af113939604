//! The games stage: batches of games from which a tuner learns numbers of a variant.

use anyhow::Context;

use super::results::LearningResult;
use super::{Halt, ensure_complete};
use crate::stage_events::{StageReporter, values};
use crate::{EarlyEnd, Failure, PlayerFails, Session};
use leitai_config::{Loaded, Variant};
use leitai_runs::tournament::{NodeComparison, PlayedBatches, play_batches};
use leitai_stats::tune::{Trajectory, checkpoints, trajectory};

/// Number of points in the trajectory.
pub(super) const SAMPLES: usize = 200;

/// The result of the games.
pub(super) struct TuneOutcome {
    /// The values, for output.
    pub(super) learning: LearningResult,
    /// The variant with the final values.
    pub(super) tuned: Variant,
    /// Variants with intermediate values, and their numbers of games.
    pub(super) checkpoints: Vec<(Variant, u64)>,
    /// The values from the first game to the last.
    pub(super) trajectory: Trajectory,
}

impl Session<'_> {
    /// Plays the remaining batches of a config's tune, as a stage of a session. Derives
    /// `checkpoint_count` variants after equal shares of the games. The resulting variants are based
    /// on `start`, because the variant that plays also contains data about its program. Also returns
    /// whether all games were played.
    pub(super) fn learn(
        &self,
        loaded: Loaded,
        start: &Variant,
        checkpoint_count: u32,
    ) -> Result<(TuneOutcome, Result<(), Halt>), Failure> {
        let mut plan = self.prepare(loaded)?;
        let store = self.open()?;
        self.scale_clocks(&mut plan, Some(&store))?;
        let tune = plan.tune().context("the config has no `[tune]`")?;
        let (threads, cancel, listener) = (self.threads, self.cancel, &*self.listener);
        let mut reporter = StageReporter::new(&plan, &self.listener);
        let played = play_batches(&tune.runner(), &store, threads, cancel, &mut reporter)?;
        let PlayedBatches { tuner, batches, .. } = &played;
        let estimate = (tuner.pairs_seen(), values(&plan, tuner));
        reporter.end(&played.ending, played.failing.is_some(), estimate, cancel);
        store.close()?;
        let mut learning = LearningResult::new(tune, tuner, batches);
        let mut complete = ensure_complete(&plan, &played.ending, cancel);
        if let Err(Halt::Early(early)) = &complete
            && let EarlyEnd::Stopped(stopped) = &**early
        {
            learning.stopped = Some(stopped.clone());
        }
        if let Some(failing) = played.failing {
            learning.discard_values(tune);
            complete = Err(Halt::Failing(Box::new(PlayerFails::in_batches(
                tune, failing,
            ))));
        }
        if !learning.is_failing
            && let Some(warning) = learning.failure_warning()
        {
            listener.warn(warning);
        }
        let results: Vec<_> = batches.iter().map(|row| (row.number, row.result)).collect();
        let variant_at = |values: &[f64]| tune.with_values(start, &tuner.space().nearest(values));
        let trajectory = trajectory(tune.tuner()?, results.iter().copied(), SAMPLES)?;
        let points = checkpoints(tune.tuner()?, results, checkpoint_count as usize)?;
        let checkpoints = points.iter();
        let checkpoints = checkpoints.map(|point| (variant_at(&point.values), point.games));
        let tuned = if learning.is_failing {
            start.clone()
        } else {
            variant_at(&tuner.estimate())
        };
        if complete.is_ok() && tuned != *start {
            learning.nodes = NodeComparison::new(tune, [start, &tuned], threads, cancel);
        }
        let outcome = TuneOutcome {
            learning,
            tuned,
            checkpoints: checkpoints.collect(),
            trajectory,
        };
        Ok((outcome, complete))
    }
}
