//! `leitai gate`: test candidates against a base, for CI.

mod outputs;
mod plan;
mod simulate;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

pub(super) use self::outputs::{Outputs, Prepared, Told};
use self::simulate::Way;
use super::Exit;
use super::answers::Json;
use super::beside::BesideArguments;
use super::configs::{Overrides, default_store, load_config, resume};
use super::ending::EndArguments;
use super::execution_options::{AgainArguments, ExecutionArguments, StrictArguments};
use super::failure::{Failure, Outcome, tell_strictly_ended};
use super::games;
use super::ideas::Ideas;
use super::terminal::{Notices, note};
use super::threads::Threads;
use super::watching::WatchArguments;
use crate::config::{FormerBook, Loaded};
use crate::foreign::shown_path;
use crate::gate::Verdict;
use crate::output::Door;
use crate::report::gate::GateSummary;
use crate::session::gate::Outlook;
use crate::session::{Ending, PlayOptions, Played, Session, Stopped, StrictlyEnded};

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
/// to be stronger; 3 none is rejected, but one is inconclusive, or the time is up; 4 a player failed, and
/// the verdict says so or, where `[failures]` or `--strict` stops the gate, there is none yet; 2 wrong
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
    #[command(flatten)]
    watching: WatchArguments,
    #[command(flatten)]
    beside: BesideArguments,
    #[command(flatten)]
    ending: EndArguments,
    #[command(flatten)]
    again: AgainArguments,
    #[command(flatten)]
    strict: StrictArguments,
}

const EXAMPLE: &str = "\
Example: in a pull request's check,
  leitai gate configs/gate-full.toml --junit gate.xml --markdown=comment.md
with this in the config:
  [gate]
  base = \"plain\"
  candidate = \"full\"
  elo0 = 0
  elo1 = 5";

pub(super) fn run(arguments: &Arguments) -> Outcome {
    arguments.ending.around(|| play(arguments))
}

fn play(arguments: &Arguments) -> Outcome {
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
    let session = |listener| {
        Ok::<_, Failure>(Session {
            threads: arguments.execution_options.threads(threads),
            options: PlayOptions {
                retry_failed: arguments.again.retry_failed,
                strict: arguments.strict.strict,
                ..arguments.execution_options.get(&listener)?
            },
            ..Session::new(games::known(), &path, arguments.ending.heed()?, listener)
        })
    };
    if arguments.plan || arguments.simulate.is_some() {
        return preview(arguments, loaded, &session(Arc::new(Notices))?);
    }
    let mut door = Door::of(&arguments.config, &loaded);
    door.records(&path);
    let mut outputs = arguments.outputs.prepare(&mut door)?;
    let watching = arguments.watching.prepare(&mut door)?;
    outputs.taken |= watching.is_stdout;
    let session = session(arguments.beside.beside(watching.listener, &path)?)?;
    let Played {
        plan,
        ending,
        so_far: trials,
    } = session.gate(loaded)?;
    let stopped = Stopped::of(&plan, &ending);
    let ended_by = StrictlyEnded::of(&plan, &ending);
    outputs.ended_by.clone_from(&ended_by);
    let written = outputs.write(&plan, &trials, stopped.clone(), None, &name);
    let overrides = &arguments.overrides;
    let (config, execution_options) = (&arguments.config, &arguments.execution_options);
    let again = || {
        let command = resume("gate", config, overrides, &path, threads, execution_options);
        let grown = grown_from(&arguments.grown_from);
        let watched = arguments.watching.in_words()
            + arguments.beside.in_words()
            + &arguments.ending.in_words();
        command + arguments.strict.in_words() + &grown + &arguments.outputs.in_words() + &watched
    };
    let is_time_up = session.cancel.is_time_up();
    let exit = match (ending, &stopped) {
        (_, Some(stopped)) => arguments.strict.tell_stopped(stopped, &again()),
        (Ending::Warned(_), _) => ended_by
            .as_ref()
            .map_or(Exit::PlayerFailed, tell_strictly_ended),
        (Ending::Cancelled, _) => {
            note(&format!(
                "{} without a verdict; every finished pair is recorded in {}; carry on \
                 with\n  {}",
                if is_time_up {
                    "the time is up"
                } else {
                    "stopped"
                },
                shown_path(&path),
                again()
            ));
            if is_time_up {
                Exit::Inconclusive
            } else {
                Exit::Interrupted
            }
        }
        _ => trials.verdict().map_or(Exit::Inconclusive, Exit::from),
    };
    written.map(|()| exit)
}

/// How a book has grown as words of a command line, each after a blank.
fn grown_from(former: &[FormerBook]) -> String {
    let words = former.iter().map(|book| format!(" --grown-from {book}"));
    words.collect()
}

/// What is to be expected of the gate; nothing is recorded.
fn preview(arguments: &Arguments, loaded: Loaded, session: &Session<'_>) -> Outcome {
    let (path, threads, cancel) = (session.store.as_path(), session.threads, session.cancel);
    let mut door = Door::of(&arguments.config, &loaded);
    door.records(path);
    let json = Json::prepare(arguments.outputs.json.as_ref(), &mut door)?;
    let Outlook { plan, trials, pace } = session.outlook(loaded, arguments.simulate.is_none())?;
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
        quiet: arguments.watching.quiet,
        json,
    };
    let usual = plan.config.game.card.facts().usual_spread;
    simulate::tell(&GateSummary::new(&plan, &trials), &trials, usual, way)
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
