//! Learns numbers of a variant from games.

use std::sync::Arc;

use anyhow::Context;

use crate::event::{DimensionValue, Estimate, Event, Listener, Purpose, Stage, StageEnding};
use crate::ticker::Ticker;
use crate::watch::pair_ended;
use crate::{Failure, PlayerFails, Session, books, memory, speed, tables};
use leitai_config::Loaded;
use leitai_runs::store::BatchRow;
use leitai_runs::tournament::{Ending, PlayedBatches, Source, TuneEvent, TunePlan, play_batches};
use leitai_stats::tune::Tuner;

/// The result of a tune's games.
pub(crate) struct Learned {
    /// The plan of the games.
    pub(crate) plan: TunePlan,
    /// The reason for the end.
    pub(crate) ending: Ending,
    /// Set if the games were stopped because a player failed too often.
    pub(crate) failing: Option<PlayerFails>,
    /// The tuner with all results.
    pub(crate) tuner: Tuner,
    /// The results in the order of the record, which does not depend on when the tuner was
    /// inspected.
    pub(crate) batches: Vec<BatchRow>,
}

impl Session<'_> {
    /// Plays the remaining batches of a config's tune, as a stage of a session.
    pub(crate) fn learn(&self, mut loaded: Loaded) -> Result<Learned, Failure> {
        let (threads, cancel) = (self.threads, self.cancel);
        self.meet(&mut loaded)?;
        tables::open(&mut loaded.config)?;
        let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
        let book = books::book_of(&loaded, self.reader())?;
        let plan = TunePlan::new(loaded.config, book)?;
        let mut plan = plan.with_context(|| format!("{name} has no `[tune]`"))?;
        plan.origins.check(&plan.config, &plan.book)?;
        plan.execution_options = self.execution_options()?;
        plan.tuner()?;
        let both = [plan.start().clone(), plan.start().clone()];
        memory::check_players(&both, plan.tune.games / 2, threads)?;
        let store = self.open()?;
        let (id, listener) = (plan.id(), &*self.listener);
        plan.speeds = speed::speeds_for(&plan.config, id, threads, Some(&store), listener)?;
        if let Some(speed) = plan.speeds.last() {
            plan.scale_clocks(speed.nps as f64);
        }
        let source = Source {
            name: &name,
            text: &text,
        };
        let run = plan.begin(source, &store)?;
        let [_, recorded] = store.count_batches(&run)?;
        let PlayedBatches {
            ending,
            tuner,
            failing,
        } = {
            let runner = plan.runner();
            let fresh = || plan.tuner().map_err(Failure::from);
            let mut ticker = None;
            let watch = |event: TuneEvent<'_>| match event {
                TuneEvent::Begun(tuner) => {
                    listener.hear(&Event::StageBegun(stage(&plan, tuner, recorded)));
                    let total = Some(plan.tune.games / 2);
                    let begun =
                        Ticker::begin(tuner.pairs_seen(), total, Arc::clone(&self.listener));
                    ticker = Some(begun);
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
                        tell_estimate(&plan, tuner, listener);
                    }
                }
            };
            play_batches(fresh, &runner, &store, &run, threads, cancel, watch)?
        };
        tell_estimate(&plan, &tuner, listener);
        listener.hear(&Event::StageEnded {
            ending: StageEnding::of(&ending, failing.is_some(), cancel),
            counted: tuner.pairs_seen(),
        });
        self.tell_losses(&plan.execution_options, plan.spare());
        let mut batches = store.batches(&run)?;
        store.close()?;
        let seen = usize::try_from(tuner.results_seen())?;
        batches.truncate(seen);
        let failing = failing.map(|failing| PlayerFails::in_batches(&plan, failing));
        Ok(Learned {
            plan,
            ending,
            failing,
            tuner,
            batches,
        })
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

fn tell_estimate(plan: &TunePlan, tuner: &Tuner, listener: &dyn Listener) {
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
