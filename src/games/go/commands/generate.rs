//! `leitai openings go`: make capture problems of Go.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::bail;
use clap::Args;

use crate::cli::Exit;
use crate::cli::failure::Outcome;
use crate::cli::openings::{Manner, range, stopped};
use crate::cli::terminal::note;
use crate::cli::threads::Threads;
use crate::count::count;
use crate::games::go::formats::{write_json, write_rows, write_sgf};
use crate::games::go::generate::{CaptureRecipe, CaptureSuite, Difficulty, generate_captures};
use crate::games::go::{CaptureVerdict, PROBLEM_SIZES, Problem};
use crate::signals;

/// Make capture problems of Go: positions of quick self-play, a block that is
/// attacked, and a verdict that is proved.
///
/// Of each verdict (captured, escapes, ko) and difficulty (nodes of the proof:
/// below 300, below 3,000, more) there are equally many, as far as they are
/// found; a problem that is another but for symmetry and colours is left out.
/// The side that has its way needs its first move for that. The same seed gives
/// the same problems, whatever the number of threads.
///
/// Example: leitai openings go --size 7..9 --count 90 --seed 1 --out problems.json
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Size of the boards, 5 to 19, or a range from which each candidate draws.
    #[arg(long, default_value = "9", value_parser = range::<u8>)]
    size: RangeInclusive<u8>,
    /// How many problems, 1 to 100,000.
    #[arg(long, default_value = "90",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Seed of the positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The most nodes of a proof; positions that need more are dropped.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// The most positions considered; by default 100 for each problem.
    #[arg(long)]
    candidates: Option<u64>,
    /// Beginning of every problem's id.
    #[arg(long, default_value = "gen")]
    prefix: String,
    /// Where to write the problems: SGF if the name ends so, rows for .txt, else
    /// JSON; JSON on standard output if not given.
    #[arg(long, short)]
    out: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    threads: Threads,
}

pub(super) fn run(task: &Arguments) -> Outcome {
    let (least, most) = (PROBLEM_SIZES.start(), PROBLEM_SIZES.end());
    if let Some(size) = [task.size.start(), task.size.end()]
        .into_iter()
        .find(|size| !PROBLEM_SIZES.contains(size))
    {
        bail!("--size {size}: boards have {least} to {most} rows");
    }
    let recipe = CaptureRecipe {
        sizes: task.size.clone(),
        count: task.count as usize,
        nodes: task.nodes,
        seed: task.seed,
        most_candidates: task.candidates.unwrap_or(100 * u64::from(task.count)),
        prefix: task.prefix.clone(),
    };
    let output = task.manner.prepare(task.out.as_deref(), None)?;
    let cancel = signals::heed();
    let wanted = recipe.count;
    let progress = task.manner.progress(wanted, "problems", "positions");
    let suite = generate_captures(&recipe, task.threads.get(), cancel, progress);
    note(&account(&suite));
    let found = suite.problems.len();
    let is_stopped = found < wanted && cancel.load(Ordering::Relaxed);
    if found == 0 && !is_stopped {
        bail!("no problem found: raise --nodes or --candidates");
    }
    if found < wanted && !is_stopped {
        let wanted = count(wanted as u64, "problem", "problems");
        note(&format!(
            "only {found} of {wanted}: raise --nodes or --candidates for more"
        ));
    }
    let problems: Vec<Problem> = suite
        .problems
        .into_iter()
        .map(|made| made.problem)
        .collect();
    // No part takes the place of a whole set.
    let is_written = found > 0 && !(is_stopped && output.replaces());
    if is_written {
        let path = task.out.as_deref().unwrap_or(Path::new(""));
        output.commit(&text(&problems, &recipe, path))?;
    }
    if is_stopped {
        let written = is_written.then_some(found);
        note(&stopped(written, wanted, "problems", task.out.as_deref()));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Success)
}

/// The problems in the form that the name of the file asks for.
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
        let about = format!(
            "Capture problems by `leitai openings go --size {}..{} --count {} --seed {} --nodes {} \
             --candidates {}`: positions of quick self-play, verdicts proved against every move \
             of the other side.",
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

/// How many problems there are of each kind.
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
    lines.join("\n")
}
