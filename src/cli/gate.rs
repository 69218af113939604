//! `leitai gate`: test candidates against a base, for CI.

mod display;
mod earlier;
mod outputs;
mod plan;
mod short;
mod simulate;

use std::iter;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use clap::Args;

use self::display::Display;
pub(super) use self::outputs::{Outputs, Prepared};
pub(super) use self::plan::rough;
pub(super) use self::short::warn as warn_if_short;
use self::simulate::Way;
use super::Exit;
use super::books::load_plan;
use super::configs::{Overrides, default_store, load_config, resume};
use super::execution::ExecutionContext;
use super::execution_options::{ExecutionArguments, tell_losses};
use super::failure::{Failure, Outcome};
use super::ideas::Ideas;
use super::output::Door;
use super::recorded::open_to_record;
use super::speed::scale_clocks;
use super::stopped::{self, Stopped};
use super::terminal::note;
use super::threads::Threads;
use super::{beforehand, memory, processors, signals};
use crate::config::{FormerBook, Gate, Loaded};
use crate::foreign::shown_path;
use crate::gate::{Trials, Verdict};
use crate::player::{adopt_orphans, identify, watch_pauses};
use crate::report::gate::GateSummary;
use crate::store::Store;
use crate::tournament::{Ending, Event, Plan, Source, play_for};

/// Test whether a candidate is stronger than a base, and exit with the verdict.
///
/// Plays pair after pair until a sequential test knows enough. The config's
/// `[gate]` names the variants, the hypotheses and the error rates; with node or
/// depth limits the verdict and the pair that it comes after are the same for
/// any number of threads, and a gate that is run again reads its verdict from the
/// record. Watching it, stopping it and carrying on cost no validity. One with `test =
/// "strict"` goes on when openings were appended to its book or `max_pairs` was raised.
///
/// Exit codes: 0 every candidate is accepted; 1 one is rejected, at the last look of a
/// group-sequential gate not shown to be better, or plays as the base does where it was
/// to be stronger; 3 none is rejected, but one is inconclusive; 4 a player failed, and
/// the verdict says so or, where `[failures]` stops the gate, there is none yet; 2 wrong
/// input; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Arguments {
    /// The config: game, limits, openings, `[gate]`, variants.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    threads: Threads,
    /// The record; by default the config's name with `.sqlite`, here.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
    /// Play nothing; say how likely the candidate passes, how many pairs that
    /// takes, and how long on this machine. Times the pairs in the record, or
    /// else a few pairs that are not recorded.
    #[arg(long, conflicts_with_all = ["junit", "markdown"])]
    plan: bool,
    /// With `--plan`: which hypotheses and error rates win most Elo per game from a
    /// stream of ideas whose true strengths have this law, `"N(MEAN,DEVIATION)"` in Elo;
    /// or one learnt from the gates of the record (`record`) or of another (FILE).
    #[arg(long, value_name = "LAW", requires = "plan", value_parser = Ideas::parse)]
    prior: Option<Ideas>,
    /// Play nothing but dice: N gates at `elo0` and N at `elo1`, and say how
    /// often they accept and reject.
    #[arg(long, value_name = "N", conflicts_with_all = ["junit", "markdown", "plan"])]
    simulate: Option<NonZeroU64>,
    /// Play as a strict gate did to whose book openings were appended: of the book the
    /// first so many were the whole for so many rounds. Once for each time that it grew; the
    /// report in Markdown gives it.
    #[arg(long, value_name = "OPENINGS:ROUNDS")]
    grown_from: Vec<FormerBook>,
    #[command(flatten)]
    execution_options: ExecutionArguments,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLE: &str = "\
Example: in a pull request's check,
  leitai gate configs/gate-full.toml --junit gate.xml --markdown comment.md
with this in the config:
  [gate]
  base = \"plain\"
  candidate = \"full\"
  elo0 = 0
  elo1 = 5";

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut loaded = load_config(&arguments.config, &arguments.overrides)?;
    loaded
        .config
        .openings
        .former
        .clone_from(&arguments.grown_from);
    let name = loaded.warnings.name.clone();
    let path = arguments
        .store
        .clone()
        .unwrap_or_else(|| default_store(&arguments.config));
    let threads = arguments.threads.get();
    let cancel = signals::heed();
    if arguments.plan || arguments.simulate.is_some() {
        return preview(arguments, loaded, &path, cancel);
    }
    let mut door = Door::of(&arguments.config, &loaded);
    door.records(&path);
    let outputs = arguments.outputs.prepare(&mut door)?;
    let execution = ExecutionContext {
        store: &path,
        threads,
        execution_options: &arguments.execution_options,
        quiet: arguments.quiet,
        cancel,
    };
    let (plan, ending, trials) = conduct(loaded, &execution, earlier::goes_on)?;
    let stopped = Stopped::of(&plan, &ending);
    let written = outputs.write(&plan, &trials, stopped, None, &name);
    let overrides = &arguments.overrides;
    let (config, execution_options) = (&arguments.config, &arguments.execution_options);
    let again = || {
        let command = resume("gate", config, overrides, &path, threads, execution_options);
        command + &grown_from(&arguments.grown_from) + &arguments.outputs.in_words()
    };
    let exit = match ending {
        Ending::Complete => trials.verdict().map_or(Exit::Inconclusive, Exit::from),
        Ending::Cancelled => {
            note(&format!(
                "stopped without a verdict; every finished pair is recorded in {}; carry on \
                 with\n  {}",
                shown_path(&path),
                again()
            ));
            Exit::Interrupted
        }
        Ending::Stopped(stop) => stopped::tell(&plan, &stop, &again()),
    };
    written.map(|()| exit)
}

/// How a book has grown as words of a command line, each after a blank.
fn grown_from(former: &[FormerBook]) -> String {
    let words = former.iter().map(|book| format!(" --grown-from {book}"));
    words.collect()
}

/// The plan of a gate, and its trials before the first pair.
fn prepare(
    mut loaded: Loaded,
    execution_options: &ExecutionArguments,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
) -> Result<(Plan, Trials), Failure> {
    let terms = terms_of(&loaded)?;
    adopt_orphans();
    watch_pauses()?;
    identify(&mut loaded.config, cancel)?;
    let mut plan = load_plan(loaded)?;
    let former = plan.config.openings.former.iter();
    let openings = former.map(|book| book.openings).chain([plan.book.len()]);
    if !openings.is_sorted_by(|one, other| one < other) {
        bail!(
            "--grown-from: the book has {} openings, and each time it had fewer than the next",
            plan.book.len()
        );
    }
    plan.execution_options = execution_options.get(threads)?;
    let trials = Trials::new(&terms, &plan.schedule)?.over(plan.different_starts());
    let players = iter::once(&terms.base).chain(&terms.candidates);
    let players: Vec<_> = players
        .map(|&index| plan.config.variants[index].clone())
        .collect();
    memory::check_players(&players, plan.schedule.len(), threads)?;
    Ok((plan, trials))
}

/// Plays a gate until its tests know enough, and says nothing of its verdict. What an
/// earlier run of the record means for it is up to `resume`.
pub(super) fn conduct(
    loaded: Loaded,
    execution: &ExecutionContext<'_>,
    resume: impl Fn(Plan, Trials, &Store) -> Result<(Plan, Trials), Failure>,
) -> Result<(Plan, Ending, Trials), Failure> {
    let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
    let (threads, cancel) = (execution.threads, execution.cancel);
    let terms = terms_of(&loaded)?;
    let limits = loaded.config.limits_by_variant();
    let playing = iter::once(&terms.base).chain(&terms.candidates);
    let playing = playing.map(|&index| (&loaded.config.variants[index], limits[index]));
    processors::check(playing, threads, execution.execution_options.force)?;
    let (plan, trials) = prepare(loaded, execution.execution_options, threads, cancel)?;
    let store = open_to_record(execution.store)?;
    let (mut plan, trials) = resume(plan, trials, &store)?;
    scale_clocks(&mut plan, threads, Some(&store))?;
    let source = Source {
        name: &name,
        text: &text,
    };
    let mut display = Display::new(&plan, execution.quiet);
    let (ending, trials) = play_for(trials, &plan, source, &store, threads, cancel, |event| {
        if let Event::Begun { so_far, .. } = &event
            && !so_far.is_over()
        {
            beforehand::warn(&plan);
            warn_if_short("the gate", so_far, &plan.config.game, plan.book.len());
        }
        display.show(&event);
    })?;
    display.finish();
    store.close()?;
    tell_losses(&plan.execution_options, &plan.terms.spare);
    Ok((plan, ending, trials))
}

/// What is to be expected of the gate; nothing is recorded.
fn preview(
    arguments: &Arguments,
    loaded: Loaded,
    path: &Path,
    cancel: &'static AtomicBool,
) -> Outcome {
    let threads = arguments.threads.get();
    let (plan, trials) = prepare(loaded, &arguments.execution_options, threads, cancel)?;
    let (mut plan, trials) = plan::as_recorded(plan, trials, path)?;
    if arguments.simulate.is_none() {
        scale_clocks(&mut plan, threads, None)?;
    }
    let json = arguments.outputs.json;
    beforehand::warn(&plan);
    let (trials, pace) = plan::from_record(&plan, trials, path)?;
    if !trials.is_over() {
        signals::unheeded(|| {
            warn_if_short("the gate", &trials, &plan.config.game, plan.book.len());
        });
    }
    let Some(gates) = arguments.simulate else {
        let ideas = match &arguments.prior {
            Some(ideas) => Some(plan::compare(&plan, &trials, ideas, path, threads)?),
            None => None,
        };
        return plan::tell(&plan, &trials, pace, threads, cancel, json, ideas.as_ref());
    };
    let way = Way {
        gates,
        seed: plan.config.seed,
        threads,
        cancel,
        quiet: arguments.quiet,
        json,
    };
    let usual = plan.config.game.card.facts().usual_spread;
    simulate::tell(&GateSummary::new(&plan, &trials), &trials, usual, &way)
}

/// The config's gate.
fn terms_of(loaded: &Loaded) -> Result<Gate, Failure> {
    let Some(gate) = &loaded.config.gate else {
        let variants = &loaded.config.variants;
        let name = |index: usize| variants.get(index).map_or("", |v| v.name.as_str());
        bail!(
            "{} has no `[gate]`, so that nothing says what to test\n\
             help: replace its `[tournament]`, if there is one, by\n\n  \
             [gate]\n  \
             base = {:?}\n  \
             candidate = {:?}\n  \
             elo0 = 0      # not good enough\n  \
             elo1 = 5      # good enough\n",
            loaded.warnings.name,
            name(0),
            name(1),
        );
    };
    Ok(gate.clone())
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accepted | Verdict::PlayedAlike { passes: true } => Exit::Success,
            Verdict::Rejected | Verdict::PlayedAlike { passes: false } => Exit::Failure,
            Verdict::Inconclusive(_) => Exit::Inconclusive,
            Verdict::Failed(_) => Exit::PlayerFailed,
        }
    }
}
