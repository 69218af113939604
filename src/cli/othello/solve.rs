//! `leitai solve othello`: computes the exact score of an endgame.

mod problems;
mod report;

use clap::ArgGroup;

use crate::cli::display::{Mode, set_message};
use crate::cli::prelude::*;
use leitai_game::Position;
use leitai_games::othello::endgame::{Solution, Solver, SolverLimits};
use leitai_games::othello::{EmptySquares, Othello, OthelloRules};
use problems::Problem;
use report::SolveReport;

/// Solve an endgame: the exact score under best play, and a best move.
///
/// The score is that of the side to move, in discs. A position with up to 20 empty squares takes a
/// second or less, each two more take about four times as long; with more than 30, do not wait for
/// it. A node is a visited position: every disc that is put on the board counts, passes do not.
///
/// Exit codes: 0 solved; 1 a score differs from the one in the file; 2 wrong input; 3 the limit was
/// reached before the score was known; 130 interrupted.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("positions").args(["fen", "file"]).required(true))]
#[command(after_help = "\
Examples:
  leitai solve othello --fen \"<64 squares> X\"
  leitai solve othello --fen \"<64 squares> O\" --all --json
  leitai solve othello --file tests/data/ffo.obf --first 40 --last 44

A file has one position per line: 64 squares from a1 to h8 (X black, O white, - empty),
a blank and the side to move. Leitai reads the whole file first: a line without a position is an
error with its number, and nothing is solved. Scores of moves after the position, as in OBF files
(`; A2:+38; C7:+36`), are compared with the solution. Lines that begin with `%` or `#`
are comments.

JSON, one line per position:
  fen, empty       the position, and how many squares are empty
  score            null if the limit was reached; lower and upper are known nevertheless
  lower, upper     bounds that are proven
  best_move        \"pass\" if it is forced, null when the game is over; where the score
                   is not known, the best so far
  best_moves, move_scores   with --all: every best move (none before the score is known),
                   and the score of every move
  pv               a line of best play
  nodes, ms        positions visited, and milliseconds
  empties_to       winner or nobody: the owner of the squares that stay empty
  number, line     in a file: the number of the position, and its line
  expected         in a file that knows the score: that score
  note             the reason for a null")]
pub(super) struct Arguments {
    /// The position: 64 squares from a1 to h8 (X black, O white, - empty), a
    /// blank, and the side to move.
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// A file of positions; `-` is standard input.
    #[arg(long)]
    file: Option<PathBuf>,
    /// The first position of the file to solve, counted from 1.
    #[arg(long, value_name = "N", conflicts_with = "fen", default_value_t = 1)]
    first: usize,
    /// The last position to solve.
    #[arg(long, value_name = "N", conflicts_with = "fen")]
    last: Option<usize>,
    /// Owner of the squares that stay empty; `winner` by default.
    #[arg(long, value_parser = choice(&EMPTIES))]
    empties: Option<EmptySquares>,
    /// The exact score of every move. Takes longer.
    #[arg(long)]
    all: bool,
    /// Node limit, never exceeded.
    #[arg(long, short, value_name = "N")]
    nodes: Option<u64>,
    /// Print JSON; see below.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Duration of a solve before its progress is shown.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// The owners of the squares that stay empty.
const EMPTIES: [Choice<EmptySquares>; 2] = [
    ("winner", "The winner", EmptySquares::Winner),
    (
        "nobody",
        "Neither side: only discs count",
        EmptySquares::Nobody,
    ),
];

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let rules = OthelloRules {
        empties: arguments.empties.unwrap_or(EmptySquares::Winner),
    };
    let problems = match (&arguments.fen, &arguments.file) {
        (Some(fen), _) => vec![Problem::new(Othello::from_fen(fen)?)],
        (None, Some(file)) => problems::read(file, arguments.first, arguments.last)?,
        (None, None) => Vec::new(),
    };
    let cancel = signals::install_handler();
    let mut json = Json::for_inputs(arguments.json.as_ref(), &arguments.file)?;
    let mut solver = None;
    let mut exit = Exit::Success;
    let mut totals = report::Totals::default();
    for problem in &problems {
        let solver = solver_for(&mut solver, problem);
        let began = Instant::now();
        let solution = solve(solver, problem, rules, arguments, cancel);
        let stopped = cancel.load(Ordering::Relaxed) && solution.score().is_none();
        let (time, all) = (began.elapsed(), arguments.all);
        let report = SolveReport::new(problem, rules, &solution, time, all, stopped);
        json.write_line(&report)?;
        json.print(|| report.text(problems.len() > 1))?;
        totals.add(&report);
        if stopped {
            eprint("stopped: the bounds known so far are above");
            json.finish()?;
            return Ok(Exit::Interrupted);
        }
        exit = exit_after(exit, &report);
    }
    if problems.len() > 1 {
        json.print(|| totals.text())?;
    }
    json.finish()?;
    Ok(exit)
}

/// The exit code after one more report.
fn exit_after(exit: Exit, report: &SolveReport) -> Exit {
    if exit == Exit::Failure || report.is_unexpected() {
        Exit::Failure
    } else if report.score.is_none() {
        Exit::Inconclusive
    } else {
        exit
    }
}

/// The solver with a table size that suits the position, so that a position in a file needs as many
/// nodes as alone; stored in `kept` with its size in megabytes.
fn solver_for<'a>(kept: &'a mut Option<(u32, Solver)>, problem: &Problem) -> &'a mut Solver {
    let megabytes = Solver::megabytes_for(problem.position.empties());
    kept.take_if(|(size, _)| *size != megabytes);
    let (_, solver) = kept.get_or_insert_with(|| (megabytes, Solver::new(megabytes)));
    solver
}

fn solve(
    solver: &mut Solver,
    problem: &Problem,
    rules: OthelloRules,
    arguments: &Arguments,
    cancel: &AtomicBool,
) -> Solution {
    let limits = SolverLimits {
        nodes: arguments.nodes,
        all_moves: arguments.all,
    };
    let began = Instant::now();
    let mode = Mode::new(false, None, "{spinner} {elapsed} {msg}");
    let stop = || {
        if let Mode::Terminal(bar) = &mode
            && began.elapsed() > PROGRESS_DELAY
        {
            bar.tick();
        }
        cancel.load(Ordering::Relaxed)
    };
    let solution = solver.solve(&problem.position, rules, limits, &stop, |known| {
        if let Mode::Terminal(bar) = &mode {
            set_message(bar, &progress(known));
        }
    });
    if let Mode::Terminal(bar) = &mode {
        bar.finish_and_clear();
    }
    solution
}

fn progress(known: &Solution) -> String {
    let best = known.best.map_or_else(String::new, |best| {
        format!(", {} so far", Othello::move_text(best))
    });
    let millions = known.nodes / 1_000_000;
    format!(
        "between {:+} and {:+}{best}, {millions} million nodes",
        known.lower, known.upper
    )
}

/// An error with the line of a file.
fn at_line(file: &Path, line: usize, error: &dyn std::fmt::Display) -> Failure {
    anyhow::anyhow!("{}:{line}: {error}", shown_path(file))
}
