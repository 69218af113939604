//! The games stage: batches of games from which a tuner learns numbers of a variant.

use anyhow::Context;

use super::Halt;
use super::results::Learnt;
use crate::event::{DimensionValue, Estimate, Event, Listener, Purpose, Stage, StageEnding};
use crate::progress::Ticker;
use crate::stage_events::pair_ended;
use crate::{Failure, PlayerFails, Session, Stopped, books, memory, speed, tables};
use leitai_config::{Loaded, Variant};
use leitai_runs::store::{RunHandle, Store};
use leitai_runs::tournament::{Ending, PlayedBatches, Source, TuneEvent, TunePlan, play_batches};
use leitai_stats::tune::{Trajectory, Tuner, checkpoints, trajectory};

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
        let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
        let mut plan = self.tune_plan(loaded)?;
        let store = self.open()?;
        let (id, listener) = (plan.id(), &*self.listener);
        plan.speeds = speed::speeds_for(&plan.config, id, self.threads, Some(&store), listener)?;
        if let Some(speed) = plan.speeds.last() {
            plan.scale_clocks(speed.nps as f64);
        }
        let source = Source {
            name: &name,
            text: &text,
        };
        let run = plan.begin(source, &store)?;
        let played = self.play_batches(&plan, &store, &run)?;
        let tuner = played.tuner;
        // The order of the record does not depend on when the tuner was inspected.
        let mut batches = store.batches(&run)?;
        store.close()?;
        batches.truncate(usize::try_from(tuner.results_seen())?);
        let mut learnt = Learnt::new(&plan, &tuner, &batches);
        let halt = match (played.ending, played.failing) {
            // Batches keep no warnings about their games.
            (Ending::Complete | Ending::Warned(_), None) => None,
            (Ending::Complete | Ending::Warned(_), Some(failing)) => {
                learnt.discard_values(&plan);
                Some(Halt::Failing(PlayerFails::in_batches(&plan, failing)))
            }
            (Ending::Cancelled, _) => Some(Halt::cancelled(self.cancel, "")),
            (Ending::Stopped(stop), _) => {
                let stopped = Stopped::in_batch(&plan, &stop);
                learnt.stopped = Some(stopped.clone());
                Some(Halt::Stopped(stopped))
            }
        };
        if !learnt.is_failing
            && let Some(warning) = learnt.failure_warning()
        {
            listener.warn(warning);
        }
        let results: Vec<_> = batches.iter().map(|row| (row.number, row.result)).collect();
        let variant_at = |values: &[f64]| plan.with_values(start, &tuner.space().nearest(values));
        let trajectory = trajectory(plan.tuner()?, results.iter().copied(), SAMPLES)?;
        let points = checkpoints(plan.tuner()?, results, checkpoint_count as usize)?;
        let checkpoints = points.iter();
        let checkpoints = checkpoints.map(|point| (variant_at(&point.values), point.games));
        let outcome = TuneOutcome {
            learnt,
            tuned: variant_at(&tuner.estimate()),
            checkpoints: checkpoints.collect(),
            trajectory,
        };
        Ok((outcome, halt.map_or(Ok(()), Err)))
    }

    /// Starts the engines of a tune's config and builds its plan.
    fn tune_plan(&self, mut loaded: Loaded) -> Result<TunePlan, Failure> {
        self.meet(&mut loaded)?;
        tables::open(&mut loaded.config)?;
        let book = books::book_of(&loaded, self.reader())?;
        let name = &loaded.warnings.name;
        let plan = TunePlan::new(loaded.config, book)?;
        let mut plan = plan.with_context(|| format!("{name} has no `[tune]`"))?;
        plan.origins.check(&plan.config, &plan.book)?;
        plan.execution_options = self.execution_options()?;
        plan.tuner()?;
        let both = [plan.start().clone(), plan.start().clone()];
        memory::check_players(&both, plan.tune.games / 2, self.threads)?;
        Ok(plan)
    }

    /// Plays the remaining batches of a run and reports them.
    fn play_batches(
        &self,
        plan: &TunePlan,
        store: &Store,
        run: &RunHandle,
    ) -> Result<PlayedBatches, Failure> {
        let (threads, cancel, listener) = (self.threads, self.cancel, &*self.listener);
        let [_, recorded] = store.count_batches(run)?;
        let runner = plan.runner();
        let new_tuner = || plan.tuner().map_err(Failure::from);
        let mut ticker = None;
        let watch = |event: TuneEvent<'_>| match event {
            TuneEvent::Begun(tuner) => {
                listener.hear(&Event::StageBegun(stage(plan, tuner, recorded)));
                let (seen, total) = (tuner.pairs_seen(), Some(plan.tune.games / 2));
                ticker = Some(Ticker::begin(seen, total, &self.listener));
            }
            TuneEvent::Pair(pair) => {
                let name = |player| plan.player_name(player);
                let limits = [plan.limits(); 2];
                let ended = pair_ended(pair, &plan.opening_of(pair.index), &limits, &name);
                listener.hear(&Event::Pair(ended));
            }
            TuneEvent::Forgotten(forgotten) => listener.warn(forgotten.to_string()),
            TuneEvent::Batch(tuner) => {
                if let Some(ticker) = &ticker {
                    ticker.set(tuner.pairs_seen());
                }
                if listener.wants_estimate() {
                    send_estimate(plan, tuner, listener);
                }
            }
        };
        let played = play_batches(new_tuner, &runner, store, run, threads, cancel, watch)?;
        drop(ticker);
        send_estimate(plan, &played.tuner, listener);
        listener.hear(&Event::StageEnded {
            ending: StageEnding::of(&played.ending, played.failing.is_some(), cancel),
            counted: played.tuner.pairs_seen(),
        });
        self.warn_of_losses(&plan.execution_options, plan.spare());
        Ok(played)
    }
}

fn stage(plan: &TunePlan, tuner: &Tuner, recorded: u64) -> Stage {
    Stage {
        purpose: Purpose::Values,
        run: plan.id().to_owned(),
        game: plan.config.game.name(),
        variants: vec![plan.start().name.clone()],
        openings: plan.book.len(),
        pairs: plan.tune.games / 2,
        recorded,
        counted: tuner.pairs_seen(),
    }
}

fn send_estimate(plan: &TunePlan, tuner: &Tuner, listener: &dyn Listener) {
    let values = tuner.space().nearest(&tuner.estimate());
    let values = plan.tune.dimensions.iter().zip(values);
    let values = values.map(|(dimension, value)| DimensionValue {
        dimension: dimension.name.clone(),
        start: dimension.start,
        value: value as i64,
    });
    listener.hear(&Event::Estimate {
        counted: tuner.pairs_seen(),
        estimate: Estimate::Tune {
            values: values.collect(),
        },
    });
}
