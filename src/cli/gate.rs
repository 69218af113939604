//! `leitai gate`: test candidates against a base, for CI.

mod outputs;
mod plan;
mod simulate;

use super::failure::{report_early_end, report_resumable};
use super::game_files::{GameArguments, SelectionArgument};
use super::ideas::Ideas;
use super::play_options::{FailureArguments, PlayArguments};
use super::prelude::*;
use super::run::reason;
use leitai_config::EarlierBook;
use leitai_runs::gate::Verdict;
use leitai_session::{EarlyEnd, Ending, Session};

pub(super) use self::outputs::{Outputs, Prepared};

/// Test whether a candidate is stronger than a base, and exit with the verdict.
///
/// Plays pairs until a sequential test has enough evidence. The config's `[gate]` names the
/// variants, the hypotheses and the error rates; with node or depth limits the verdict and the pair
/// that it comes after are the same for any number of threads, and a gate that is run again reads
/// its verdict from the record. Watching, stopping and resuming it cost no validity. A gate with
/// `test = "strict"` continues after openings were appended to its book or `max_pairs` was raised.
///
/// Exit codes: 0 every candidate is accepted; 1 one is rejected, at the last look of a
/// group-sequential gate not shown to be better, or plays as the base does although it should be
/// stronger; 3 none is rejected, but one is inconclusive, or the time is up; 4 a player failed, and
/// the verdict names the failure or, if `[failures]` or `--strict` stops the gate, there is no
/// verdict yet; 2 wrong input; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Arguments {
    /// The config: game, limits, openings, `[gate]`, variants.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    outputs: Outputs,
    #[command(flatten)]
    files: GameArguments,
    #[command(flatten)]
    selection: SelectionArgument,
    /// Play nothing; print the probability that the candidate passes, the expected number of pairs,
    /// and the time on this machine. Uses the speed of the recorded pairs, or else of a few pairs
    /// that are not recorded.
    #[arg(long, conflicts_with_all = ["junit", "markdown"], help_heading = FORECAST)]
    plan: bool,
    /// With `--plan`: find the hypotheses and error rates that win most Elo per game from a stream
    /// of ideas whose true strengths have this distribution, `"N(MEAN,DEVIATION)"` in Elo; or one
    /// fitted to the gates of the record (`record`) or of another (FILE).
    #[arg(hide_short_help = true, help_heading = FORECAST, long, value_name = "PRIOR", requires = "plan", value_parser = Ideas::parse)]
    prior: Option<Ideas>,
    /// Play nothing; simulate N gates at `elo0` and N at `elo1`, and print the rates of acceptance
    /// and rejection.
    #[arg(hide_short_help = true, long, value_name = "N", conflicts_with_all = ["junit", "markdown", "plan"], help_heading = FORECAST)]
    simulate: Option<NonZeroU64>,
    /// Play as a strict gate did before openings were appended to its book: for this number of
    /// rounds the book had only this number of openings. Once for each extension; the Markdown
    /// report prints it.
    #[arg(hide_short_help = true, long, value_name = "OPENINGS:ROUNDS")]
    grown_from: Vec<EarlierBook>,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    failures: FailureArguments,
}

/// The heading of options that play nothing.
const FORECAST: &str = "Forecast";

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
    let ending = &arguments.play.ending;
    ending.then_run_command(|| play(arguments))
}

fn play(arguments: &Arguments) -> Outcome {
    let mut loaded = load_config(&arguments.config, &arguments.overrides)?;
    let former = &mut loaded.config.openings.earlier_books;
    former.clone_from(&arguments.grown_from);
    let name = loaded.warnings.name.clone();
    let path = arguments.play.record(&arguments.config);
    let session = |listener| {
        let failures = arguments.failures;
        arguments.play.session(&path, failures, listener)
    };
    if arguments.plan || arguments.simulate.is_some() {
        return preview(arguments, loaded, &session(Arc::new(Notices))?);
    }
    let mut files = CommandFiles::of(&arguments.config, &loaded);
    files.records(&path);
    let mut outputs = arguments.outputs.prepare(&mut files)?;
    let watching = arguments.play.watching.prepare(&mut files)?;
    let game_files = arguments
        .files
        .prepare(loaded.config.game.card, &mut files)?;
    arguments.selection.check(&game_files, &loaded.config)?;
    outputs.taken |= watching.is_stdout || game_files.are_printed();
    let serving = arguments.play.serving;
    let listener = serving.with_server(watching.listener, &path)?;
    let session = session(listener)?;
    let played = session.gate(loaded)?;
    let (plan, trials) = (&played.plan, &played.so_far);
    let early = EarlyEnd::of(plan, &played.ending);
    let written = outputs.write(plan, trials, early.clone(), None, &name);
    let written = all([
        written,
        game_files.write_after(&path, plan, &arguments.selection),
    ]);
    let is_time_up = session.cancel.is_time_up();
    let exit = if let Some(early) = early {
        report_early_end(&early, arguments.failures.strict)
    } else if played.ending == Ending::Cancelled {
        report_resumable(&format!(
            "{} without a verdict; every finished pair is recorded in {}",
            reason(is_time_up),
            shown_path(&path)
        ));
        if is_time_up {
            Exit::Inconclusive
        } else {
            Exit::Interrupted
        }
    } else {
        trials.verdict().map_or(Exit::Inconclusive, Exit::from)
    };
    written.map(|()| exit)
}

/// Earlier lengths of the book as command-line words, each after a blank.
fn grown_from(former: &[EarlierBook]) -> String {
    let words = former.iter().map(|book| format!(" --grown-from {book}"));
    words.collect()
}

/// Prints the expected course of the gate; records nothing.
fn preview(arguments: &Arguments, loaded: Loaded, session: &Session<'_>) -> Outcome {
    let mut files = CommandFiles::of(&arguments.config, &loaded);
    files.records(&session.store);
    let json = Json::prepare(arguments.outputs.json.as_ref(), &mut files)?;
    let outlook = session.outlook(loaded, arguments.simulate.is_none())?;
    if let Some(gates) = arguments.simulate {
        let is_quiet = arguments.play.watching.quiet;
        return simulate::run(gates, &outlook, session, is_quiet, json);
    }
    let compare = |ideas| plan::compare(&outlook, ideas, session);
    let ideas = arguments.prior.as_ref().map(compare).transpose()?;
    plan::run(&outlook, session, json, ideas.as_ref())
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
