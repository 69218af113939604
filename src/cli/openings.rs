//! `leitai openings`: makes and checks opening suites.

mod output;
mod worth;

use std::ops::RangeInclusive;

use clap::Subcommand;

use super::prelude::*;
use super::rules::RuleArguments;
use leitai_config::{BookFormat, GameChoice, Openings, Variant, default_variant};
use leitai_game::Side;
use leitai_game::card::AnyPosition;
use leitai_players::openings::{Recipe, Suite, Viewpoint, epd, generate, moves};
use leitai_players::player::{Budget, InProcess, Player};
use leitai_players::schedule::Book;
use leitai_session::books::check_openings;
use leitai_session::{BookWorth, book_worth};

pub(crate) use self::output::Manner;
#[cfg(feature = "go-problems")]
pub(crate) use self::output::stopped;

/// Make and check opening suites.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Generate(Generate),
    Check(Check),
}

/// Make a suite of openings: random plies, kept if an engine scores the position within the window,
/// each once up to mirror symmetry, none that leads into another within two plies.
///
/// The same seed gives the same suite for any number of threads. Ctrl-C writes the openings so far,
/// with exit code 130.
#[derive(Debug, Args)]
#[command(after_help = examples("openings generate", "GAME --out mine.epd"))]
struct Generate {
    /// The game.
    #[arg(value_parser = games::parser())]
    game: Card,
    /// Number of openings, 1 to 1,000,000.
    #[arg(long, default_value = "500",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Random plies, a number or a range; at most 100.
    #[arg(long, default_value = "6..10", value_parser = range::<u32>)]
    plies: RangeInclusive<u32>,
    /// Range of scores to keep. A window that excludes 0, such as `80..150`, makes openings that
    /// favour a side.
    #[arg(long, default_value = "-80..80", value_parser = range::<i32>, allow_hyphen_values = true)]
    window: RangeInclusive<i32>,
    /// The side whose scores the window limits; `either` accepts both.
    #[arg(long, value_name = "SIDE", default_value = "first", value_parser = choice(&SIDES))]
    side: Viewpoint,
    /// Nodes per evaluation.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Nodes of a first search of each candidate, which drops candidates that are further outside
    /// the window than the window is wide; 0 for no first search.
    #[arg(long, value_name = "NODES", default_value_t = 0)]
    first_look: u64,
    /// Seed of the random plies.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    player: VariantChoice,
    /// Prefix of every opening's id.
    #[arg(long, default_value = "gen")]
    prefix: String,
    /// Write the moves from the start, `h2e2h9g7` or `f5d6`, instead of EPD: a tenth of the size.
    #[arg(long, conflicts_with = "prefix")]
    moves: bool,
    /// Output file of the suite; standard output by default.
    #[arg(long, short)]
    out: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    rules: RuleArguments,
}

/// Check a suite of openings: every line legal, no finished games, no duplicates; and report
/// openings that lead into others, whose games would not be independent.
///
/// A line is a position (EPD, FEN, or a board and a side), or the moves from the start in one word
/// (f5d6c3d3, h2e2h9g7); a file of games (PGN) has an opening for each game; two openings are the
/// same up to the symmetries of the game. A well-known book is recognised by its digest.
///
/// `--play` measures the information about two players in a pair of games from the book.
///
/// Exit codes: 0 fine, also if lines lead into others, which is a warning: gates and tables count
/// such pairs as dependent; 1 a duplicate line; 2 a line is not an opening, or the file cannot be
/// read; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = examples("openings check", "GAME mine.epd"))]
struct Check {
    /// The game.
    #[arg(value_parser = games::parser())]
    game: Card,
    /// The suite.
    file: PathBuf,
    /// Plies of a game or a line of moves that form its opening; all by default.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    plies: Option<u32>,
    /// Format of the file, if its name and its first line do not show it.
    #[arg(long, value_parser = choice(&FORMATS))]
    format: Option<BookFormat>,
    /// Print JSON: `{"file": …, "known": NAME (if it is a known book), "openings": N, "duplicates": N, "left_out": [[line, same as
    /// line], …], "related_openings": N, "leads": [[line, line that it leads to], …]}`,
    /// and with `--play` the measured figures under `worth`.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Play this many pairs of near equals from the book, and print the share of draws and the
    /// information per pair, in 1/Elo².
    #[arg(long, value_name = "PAIRS")]
    play: Option<NonZeroU64>,
    /// Nodes per move; the opponent has a quarter more.
    #[arg(long, default_value = "1000", requires = "play",
          value_parser = clap::value_parser!(u32).range(10..))]
    nodes: u32,
    /// Seed for the order of the openings and for the opponent's choice between equal moves.
    #[arg(long, default_value_t = 1, requires = "play")]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
}

/// The values of `--side`.
const SIDES: [Choice<Viewpoint>; 3] = [
    ("first", "", Viewpoint::Of(Side::First)),
    ("second", "", Viewpoint::Of(Side::Second)),
    ("either", "", Viewpoint::Either),
];

/// The formats of books.
const FORMATS: [Choice<BookFormat>; 2] =
    [("epd", "", BookFormat::Epd), ("pgn", "", BookFormat::Pgn)];

/// The maximum number of random plies: more leave no opening.
const MAX_PLIES: u32 = 100;

/// Parses `A..B` (both included) or `A`.
pub(crate) fn range<T: std::str::FromStr + PartialOrd + Copy>(
    text: &str,
) -> Result<RangeInclusive<T>, String> {
    let number = |part: &str| {
        part.trim()
            .parse::<T>()
            .map_err(|_| format!("`{part}` is not a number in range"))
    };
    let (low, high) = match text.split_once("..") {
        Some((low, high)) => (number(low)?, number(high.trim_start_matches('='))?),
        None => (number(text)?, number(text)?),
    };
    if low > high {
        return Err("the first number is above the second".to_owned());
    }
    Ok(low..=high)
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.task {
        Task::Generate(task) => make_suite(task),
        Task::Check(task) => check_suite(task),
    }
}

/// The starts of generated openings; none for the usual start alone.
pub(crate) fn usual_starts(game: &GameChoice) -> Result<Vec<Box<dyn AnyPosition>>, Failure> {
    let usual = Book::usual(game)?;
    let openings = usual.iter().filter(|_| usual.len() > 1);
    Ok(openings.map(|opening| opening.position()).collect())
}

/// Makes players of a variant; `None` if it does not play the game.
pub(crate) fn players_of(
    variant: &Variant,
    game: &GameChoice,
) -> Option<impl Fn() -> Box<dyn Player> + Sync> {
    InProcess::new(variant, game)?;
    #[expect(clippy::expect_used, reason = "the same call has just succeeded")]
    Some(|| -> Box<dyn Player> {
        Box::new(InProcess::new(variant, game).expect("a variant of the game"))
    })
}

fn make_suite(task: &Generate) -> Outcome {
    if *task.plies.end() > MAX_PLIES {
        bail!(
            "--plies {}: at most {MAX_PLIES} make an opening",
            task.plies.end()
        );
    }
    let (variant, game) = evaluator(task)?;
    let recipe = Recipe {
        count: task.count as usize,
        starts: usual_starts(&game)?,
        plies: task.plies.clone(),
        window: task.window.clone(),
        viewpoint: task.side,
        budget: Budget {
            nodes: Some(task.nodes),
            ..Budget::default()
        },
        first_look: (task.first_look > 0).then(|| Budget {
            nodes: Some(task.first_look),
            ..Budget::default()
        }),
        unrelated: true,
        seed: task.seed,
        most_candidates: 10_000 + 1_000 * u64::from(task.count),
    };
    if task.moves && !recipe.starts.is_empty() {
        bail!(
            "--moves: lines of moves lead from the usual start, and these openings do not\n\
             help: leave out --moves"
        );
    }
    let start = game.initial();
    let first = start.moves().first().copied();
    if task.moves
        && first.is_some_and(|mv| game.card.read_opening(&game.card.move_text(mv)).is_none())
    {
        bail!(
            "{} has no openings as lines of moves\nhelp: leave out --moves",
            game.card.facts().title
        );
    }
    let Some(make) = players_of(&variant, &game) else {
        bail!(
            "the variant `{}` does not play {}",
            variant.name,
            game.name()
        );
    };
    let output = task
        .manner
        .prepare(task.out.as_deref(), task.player.config.as_ref())?;
    let cancel = signals::install_handler();
    let wanted = task.count as usize;
    let progress = task.manner.progress(wanted, "openings", "candidates");
    let threads = task.threads.get();
    let suite = generate(game.card, &recipe, threads, cancel, make, progress);
    let (kept, candidates) = (suite.openings.len(), suite.candidates);
    eprint(&format!(
        "{} kept of {candidates} candidates",
        count(kept as u64, "opening", "openings")
    ));
    // An incomplete suite does not replace an existing file.
    let is_written = kept == wanted || kept > 0 && !output.replaces();
    let written = is_written.then_some(kept);
    if is_written {
        write_output(output, &suite_text(task, &variant, &suite))?;
    }
    if kept < wanted && cancel.load(Ordering::Relaxed) {
        let file = task.out.as_deref();
        eprint(&output::stopped(written, wanted, "openings", file));
        return Ok(Exit::Interrupted);
    }
    if kept < wanted {
        let written = match (written, kept) {
            (Some(_), _) => "; they are written",
            (None, 0) => "",
            (None, _) => "; the former file stays",
        };
        let wanted = count(wanted as u64, "opening", "openings");
        bail!("only {kept} of {wanted} found{written}: widen --window or --plies");
    }
    Ok(Exit::Success)
}

/// The suite as a file; its first line describes how it was made.
fn suite_text(task: &Generate, variant: &Variant, suite: &Suite) -> String {
    let mut text = format!(
        "# {} by `{} openings generate`: {} to {} random plies, seed {}, \
         score {} to {} at {} nodes by variant {}",
        count(suite.openings.len() as u64, "opening", "openings"),
        program::name(),
        task.plies.start(),
        task.plies.end(),
        task.seed,
        task.window.start(),
        task.window.end(),
        task.nodes,
        variant.name,
    );
    let whose = match task.side {
        Viewpoint::Of(Side::First) => "",
        Viewpoint::Of(Side::Second) => " of the second side",
        Viewpoint::Either => " of either side",
    };
    text.push_str(whose);
    if task.first_look > 0 {
        let _ = write!(text, ", first look {} nodes", task.first_look);
    }
    text.push('\n');
    for (number, opening) in (1..).zip(&suite.openings) {
        text.push_str(&if task.moves {
            moves(opening)
        } else {
            epd(opening, &format!("{}-{number:05}", task.prefix))
        });
        text.push('\n');
    }
    text
}

/// The variant that evaluates positions, and the game with the variant's rules.
fn evaluator(task: &Generate) -> anyhow::Result<(Variant, GameChoice)> {
    if task.player.config.is_some() && !task.rules.is_empty() {
        bail!("rules stand in the config: leave them out of the command, or leave out --config");
    }
    let Some((variant, config)) = task.player.load(task.game)? else {
        let game = task.rules.only_of(task.game)?;
        let variant = default_variant(game)?;
        return Ok((variant, game));
    };
    Ok((variant, config.game))
}

#[derive(Serialize)]
struct Checked<'a> {
    file: &'a Path,
    /// The name of the book, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<&'static str>,
    openings: usize,
    duplicates: usize,
    /// Duplicate lines, each with the line that it repeats.
    left_out: Vec<[u32; 2]>,
    /// Openings that lead to others, or that others lead to.
    related_openings: usize,
    /// The lines of openings that lead to others, with the lines that they lead to.
    leads: Vec<[u32; 2]>,
    /// The number of plies that were searched for such leads.
    lead_plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<BookWorth>,
}

fn check_suite(task: &Check) -> Outcome {
    let json = Json::for_inputs(task.json.as_ref(), [&task.file])?;
    let terms = Openings {
        format: task.format,
        plies: task.plies.map(|plies| plies as usize),
        ..Openings::default()
    };
    let game = GameChoice::usual(task.game);
    let checked = check_openings(&game, &task.file, &terms, reader(), task.play.is_some())?;
    let (openings, duplicates) = (checked.openings, checked.dropped.len());
    let related_openings = checked.connections.openings();
    let found = checked.connections.found.iter();
    let leads = found.map(|pair| pair.map(|opening| opening.line));
    let worth = match task.play.zip(checked.book) {
        None => None,
        Some((pairs, book)) => {
            let terms = (pairs, task.nodes.into(), task.seed);
            let cancel = signals::install_handler();
            match book_worth(
                task.game,
                book.checked()?,
                terms,
                task.threads.get(),
                cancel,
            )? {
                Some(worth) => Some(worth),
                None => return Ok(Exit::Interrupted),
            }
        }
    };
    if !json.is_printed() {
        let file = shown_path(&task.file);
        let related = match related_openings {
            0 => String::new(),
            some => format!(", {some} lead into each other"),
        };
        print(&format!(
            "{file}: {}, {} left out{related}",
            count(openings as u64, "opening", "openings"),
            count(duplicates as u64, "duplicate", "duplicates")
        ))?;
        if let Some(text) = checked.warning {
            eprint(&format!("warning: {text}"));
        }
        if let Some(worth) = &worth {
            print(&worth::words(worth))?;
        }
    }
    json.write(&Checked {
        file: &task.file,
        known: checked.known.map(|known| known.file),
        openings,
        duplicates,
        left_out: checked.dropped,
        related_openings,
        leads: leads.collect(),
        lead_plies: checked.connections.plies,
        worth,
    })?;
    Ok(Exit::Failure.unless(duplicates == 0))
}
