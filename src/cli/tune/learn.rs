//! The played stage: batches of games that a tuner learns from.

use anyhow::Context;

use super::answer::Learnt;
use super::progress::Progress;
use super::stage::Step;
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::stopped::Stopped;
use crate::cli::terminal::note;
use crate::config::{Loaded, Variant};
use crate::player::{adopt_orphans, identify};
use crate::report::{FailureSummary, clock_scales};
use crate::session::books::book_of;
use crate::session::speed::speeds_for;
use crate::session::{Session, memory};
use crate::tournament::{Ending, Source, TunePlan, batch_faults, play_batches};
use crate::tune::{self, Trajectory, trajectory};

/// Moments of a tune that its trajectory shows.
const SAMPLES: usize = 200;

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
/// after equal shares of the games. `again` is the command that carries on.
pub(super) fn learn(
    mut loaded: Loaded,
    session: &Session<'_>,
    checkpoints: u32,
    quiet: bool,
    again: &str,
) -> Result<(Step, TuneOutcome), Failure> {
    let (threads, cancel) = (session.threads, session.cancel);
    adopt_orphans();
    identify(&mut loaded.config, cancel)?;
    let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
    let book = book_of(&loaded.config, session.reader())?;
    let plan = TunePlan::new(loaded.config, book)?;
    let mut plan = plan.with_context(|| format!("{name} has no `[tune]`"))?;
    plan.origins.check(&plan.config, &plan.book)?;
    plan.execution_options = session.execution_options()?;
    let tuner = plan.tuner()?;
    let both = [plan.start().clone(), plan.start().clone()];
    memory::check_players(&both, plan.tune.games / 2, threads)?;
    let store = session.open()?;
    plan.speeds = speeds_for(
        &plan.config,
        plan.id(),
        threads,
        Some(&store),
        &*session.listener,
    )?;
    if let Some(speed) = plan.speeds.last() {
        plan.scale_clocks(speed.nps as f64);
    }
    let source = Source {
        name: &name,
        text: &text,
    };
    if let Some(former) = plan.former_id()
        && store.run(plan.id()).is_err()
        && store.run(former).is_ok()
    {
        note(&format!(
            "the record holds this tune by an earlier version of the {}: its games were asked for \
             by other rules and are not learnt from; it is played anew beside them",
            plan.tune.algorithm.name()
        ));
    }
    let run = plan.begin(source, &store)?;
    let factory = plan.factory();
    let runner = plan.runner(&factory);
    let mut progress = Progress::new(quiet, plan.tune.games / 2);
    let (ending, tuner) = play_batches(tuner, &runner, &store, &run, threads, cancel, |tuner| {
        progress.show(tuner);
    })?;
    progress.finish();
    session.tell_losses(&plan.execution_options, plan.spare());
    let mut stopped = None;
    let step = match ending {
        Ending::Complete => Step::Done,
        Ending::Cancelled => Step::Halted(Exit::Interrupted),
        Ending::Stopped(stop) => {
            let fault = Stopped::in_batch(&plan, &stop);
            let step = Step::Halted(fault.tell(again));
            stopped = Some(fault);
            step
        }
    };
    // From the record, so that they do not depend on when the tuner was looked at.
    let rows = store.batches(&run)?;
    store.close()?;
    let known = || rows.iter().zip(0..tuner.results_seen()).map(|(row, _)| row);
    let results: Vec<_> = known().map(|row| (row.number, row.result)).collect();
    let trajectory = trajectory(plan.tuner()?, results.iter().copied(), SAMPLES)?;
    let points = tune::checkpoints(plan.tuner()?, results, checkpoints as usize)?;
    let at = |values: &[f64]| plan.variant(&tuner.space().nearest(values));
    let checkpoints = points.iter().map(|point| (at(&point.values), point.games));
    let faults = batch_faults(known(), plan.tune.variant);
    let failures = FailureSummary::of(&plan.config, &faults);
    let learnt = Learnt::new(plan.id(), &plan.tune.dimensions, &tuner);
    let mut learnt = learnt.with_failures(failures, stopped);
    learnt.clocks = clock_scales(&plan.config, &plan.speeds);
    if let Some(warning) = learnt.failure_warning() {
        note(&warning);
    }
    let outcome = TuneOutcome {
        learnt,
        tuned: at(&tuner.estimate()),
        checkpoints: checkpoints.collect(),
        trajectory,
    };
    Ok((step, outcome))
}
