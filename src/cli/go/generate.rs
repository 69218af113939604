//! `leitai openings go`: makes capture problems of Go.

use std::ops::RangeInclusive;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::cli::openings::{Manner, range, stopped};
use crate::cli::prelude::*;
use leitai_games::go::{CaptureVerdict, PROBLEM_SIZES, Problem};
use leitai_go_problems::formats::{write_json, write_rows, write_sgf};
use leitai_go_problems::generate::{
    CaptureRecipe, CaptureSuite, Difficulty, Keep, generate_captures,
};

/// Make capture problems of Go: positions of quick self-play, a block under attack, and a proved
/// verdict.
///
/// With `--keep proved`, positions of random plays that like contact: equally many of each verdict
/// (captured, escapes, ko) and difficulty (nodes of the proof: below 300, below 3,000, more), as
/// far as they are found; the successful side needs its first move.
///
/// With `--keep all`, problems as they occur in games of players that read ladders: any block of at
/// most four liberties that touches an enemy, if a search of four plies does not decide its fate. A
/// problem without a proof is kept without a verdict. With `--keep hard`, only those whose proof
/// takes 3,000 nodes or more, equally many of each verdict as far as they are found.
///
/// Problems that differ only by symmetry and colours are left out. The same seed gives the same
/// problems for any number of threads.
///
/// Example: leitai openings go --size 7..9 --count 90 --seed 1 --out problems.json
///
/// Example: leitai openings go --keep all --size 19 --count 500 --seed 1 --out games.json
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Problems to keep.
    #[arg(long, default_value = Keep::Proved.name(), value_parser = keep_parser())]
    keep: Keep,
    /// Size of the boards, 5 to 19, or a range from which each candidate draws.
    #[arg(long, default_value = "9", value_parser = range::<u8>)]
    size: RangeInclusive<u8>,
    /// Number of problems, 1 to 100,000.
    #[arg(long, default_value = "90",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Seed of the positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Node limit of a proof; a problem that needs more is dropped, or with `--keep all` kept
    /// without a verdict.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// The maximum number of positions to consider; by default 100 for each problem.
    #[arg(long)]
    candidates: Option<u64>,
    /// Prefix of every problem's id.
    #[arg(long, default_value = "gen")]
    prefix: String,
    /// Output file: SGF for the extension .sgf, rows for .txt, else JSON; by default JSON on
    /// standard output.
    #[arg(long, short)]
    out: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    threads: Threads,
}

/// A parser for the names of [`Keep`].
fn keep_parser() -> impl clap::builder::TypedValueParser<Value = Keep> {
    let names = Keep::ALL.iter().map(|keep| keep.name());
    PossibleValuesParser::new(names).map(|name| {
        let mut all = Keep::ALL.iter().copied();
        all.find(|keep| keep.name() == name).unwrap_or(Keep::Proved)
    })
}

pub(super) fn run(task: &Arguments) -> Outcome {
    let (least, most) = (PROBLEM_SIZES.start(), PROBLEM_SIZES.end());
    let mut sizes = [task.size.start(), task.size.end()].into_iter();
    if let Some(size) = sizes.find(|size| !PROBLEM_SIZES.contains(size)) {
        bail!("--size {size}: boards have {least} to {most} rows");
    }
    let recipe = CaptureRecipe {
        keep: task.keep,
        sizes: task.size.clone(),
        count: task.count as usize,
        nodes: task.nodes,
        seed: task.seed,
        most_candidates: task.candidates.unwrap_or(100 * u64::from(task.count)),
        prefix: task.prefix.clone(),
    };
    let output = task.manner.prepare(task.out.as_deref(), None)?;
    let cancel = signals::install_handler();
    let wanted = recipe.count;
    let progress = task.manner.progress(wanted, "problems", "positions");
    let suite = generate_captures(&recipe, task.threads.get(), cancel, progress);
    eprint(&account(&suite));
    let found = suite.problems.len();
    let is_stopped = found < wanted && cancel.load(Ordering::Relaxed);
    if found == 0 && !is_stopped {
        bail!("no problem found: raise --nodes or --candidates");
    }
    if found < wanted && !is_stopped {
        let wanted = count(wanted as u64, "problem", "problems");
        eprint(&format!(
            "only {found} of {wanted}: raise --nodes or --candidates for more"
        ));
    }
    let problems = suite.problems.into_iter().map(|made| made.problem);
    let problems: Vec<Problem> = problems.collect();
    // An incomplete set does not replace an existing file.
    let is_written = found > 0 && !(is_stopped && output.replaces());
    if is_written {
        let path = task.out.as_deref().unwrap_or(Path::new(""));
        output.commit(&text(&problems, &recipe, path))?;
    }
    if is_stopped {
        let written = is_written.then_some(found);
        eprint(&stopped(written, wanted, "problems", task.out.as_deref()));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Success)
}

/// The problems in the format of the file's extension.
fn text(problems: &[Problem], recipe: &CaptureRecipe, path: &Path) -> String {
    let ends = |extension: &str| {
        path.extension()
            .is_some_and(|it| it.eq_ignore_ascii_case(extension))
    };
    if ends("sgf") {
        write_sgf(problems)
    } else if ends("txt") {
        write_rows(problems)
    } else {
        let of = match recipe.keep {
            Keep::Proved => "positions of quick self-play",
            Keep::Hard => "hard ones of games of players that read ladders",
            Keep::All => "all as they come in games of players that read ladders",
        };
        let about = format!(
            "Capture problems by `leitai openings go --keep {} --size {}..{} --count {} --seed {} \
             --nodes {} --candidates {}`: {of}; verdicts are proved against every move of the \
             other side.",
            recipe.keep.name(),
            recipe.sizes.start(),
            recipe.sizes.end(),
            recipe.count,
            recipe.seed,
            recipe.nodes,
            recipe.most_candidates,
        );
        write_json(problems, &about)
    }
}

/// The number of problems of each kind.
fn account(suite: &CaptureSuite) -> String {
    let mut lines = vec![format!(
        "{} of {}",
        count(suite.problems.len() as u64, "problem", "problems"),
        count(suite.candidates, "position", "positions")
    )];
    for &verdict in CaptureVerdict::ALL {
        let all = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];
        let counts = all.map(|difficulty| {
            let same = suite.problems.iter().filter(|made| {
                made.problem.expected == Some(verdict) && Difficulty::of(made.nodes) == difficulty
            });
            same.count()
        });
        if counts != [0; 3] {
            let [easy, medium, hard] = counts;
            lines.push(format!(
                "  {verdict:<8}  {easy} easy, {medium} medium, {hard} hard"
            ));
        }
    }
    let open = suite.problems.iter();
    let open = open.filter(|made| made.problem.expected.is_none()).count();
    if open > 0 {
        lines.push(format!("  {open} without a verdict"));
    }
    lines.join("\n")
}
