//! `leitai convert`: converts games and positions between formats.

mod conversion;
mod record;

use std::ffi::OsStr;
use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use self::conversion::Conversion;
use super::input::refuse_stdin_twice;
use super::openings::range;
use super::prelude::*;
use super::recorded::FromRecord;
use super::rules::RuleArguments;
use super::terminal::is_broken_pipe;
use leitai_interchange::OwnFormat;
use leitai_report::convert::TrainingFilter;
use leitai_session::output::Writing;

/// Convert games and positions between PGN, EPD, JSON, CSV and formats of one game.
///
/// Recorded runs and OBF are read, too. Every move is replayed and every result compared with the referee's verdict.
///
/// Moves may be in any notation of their game (--notation lists them), mixed within a game. Files
/// may have any encoding, and may be packed. A damaged game is reported with its line and move, and left out; the others are
/// converted, and the exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct Arguments {
    /// Files of games or positions, recognised by their content: PGN, EPD, OBF or FEN, a record of
    /// `leitai run`, or another format listed below. `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format. By default the one of OUT's extension, EPD with --ply or --every, else PGN.
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser())]
    to: Option<Format>,
    /// Notation of the moves in PGN, by default the usual one of the game; JSON always has
    /// coordinates.
    #[arg(long, value_parser = games::notations())]
    notation: Option<String>,
    #[command(flatten)]
    choice: Choice,
    /// With `--to positions`: the form; by default that of OUT's extension (`.csv`, `.bin`), else
    /// lines of JSON.
    #[arg(long = "as", value_name = "FORM", value_enum)]
    form: Option<Form>,
    /// Output file; standard output by default.
    #[arg(long, short, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Overwrite an existing book (--ply, --every).
    #[arg(hide_short_help = true, long)]
    force: bool,
    /// Write nothing: read, replay, and print how many games are legal and agree with the referee.
    /// The exit code is 1 if any game is illegal or disagrees.
    #[arg(long, conflicts_with_all = ["to", "out", "ply", "every"])]
    check: bool,
    /// With --check: print JSON.
    #[arg(long, requires = "check")]
    json: Option<PathBuf>,
    /// The game of files that do not name it; by default the one that their positions look like.
    #[arg(long, value_parser = games::parser())]
    game: Option<Card>,
    /// Rules for judging the games of files; records have their own.
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    of: FromRecord,
    /// For a record, also write when games were played and the time of each move; always written if
    /// the clock limits play.
    #[arg(hide_short_help = true, long)]
    times: bool,
}

fn after_help() -> String {
    let own = examples("convert", "");
    let shared = "  leitai convert games.pgn --check
  leitai convert run.sqlite --to pgn > games.pgn
  leitai convert masters.pgn --ply 12 -o openings.epd     an opening book
  leitai convert masters.pgn --every --unique --to epd    all positions, each once
  leitai convert games.pgn --to json | jq .moves
  leitai convert suite.epd --to json                      positions, checked
  leitai convert run.sqlite --to positions --settled -o train.bin";
    let book = "Use a book made with `--ply` as `openings.file` of a config. See\n\
                docs/interchange.md.";
    let own = own.trim_start_matches("Examples:");
    let forms = own_forms().map(|(_, own)| own.form);
    let forms = forms.map(|form| format!("  {:<10} {}\n", form.name, form.about));
    let forms: String = forms.collect();
    format!("Examples:\n{shared}{own}\n\nFormats of single games:\n{forms}\n{book}")
}

/// The positions of games to write.
#[derive(Clone, Debug, Args)]
struct Choice {
    /// The position of each game after this many plies, each once up to mirror symmetry, as a book
    /// of openings; without this option EPD has the final positions.
    #[arg(long, value_name = "N", conflicts_with = "every")]
    ply: Option<usize>,
    /// All positions of all games, except those at which the game is over.
    #[arg(long)]
    every: bool,
    /// With --every, or `--to positions`: only the positions after this many plies of a game, a
    /// number or a range (4..24).
    #[arg(long, value_name = "A..B", value_parser = range::<usize>)]
    plies: Option<RangeInclusive<usize>>,
    /// With `--to positions`: only positions whose mover reported a score in this range, in the
    /// units of the players: `-300..300`.
    #[arg(hide_short_help = true, long, value_name = "A..B", value_parser = range::<i32>, allow_hyphen_values = true)]
    scores: Option<RangeInclusive<i32>>,
    /// With `--to positions`: only positions that a static evaluation can judge: no side is in
    /// check or was found to be mated, the move that is played captures nothing, and no capture
    /// sequence on one square wins material (pins are ignored).
    #[arg(hide_short_help = true, long)]
    settled: bool,
    /// With `--to positions`: one random position of each game, for this seed (0 by default).
    #[arg(hide_short_help = true, long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    one_per_game: Option<u64>,
    /// Leave out repeated positions, up to mirror symmetry.
    #[arg(long)]
    unique: bool,
}

impl Choice {
    /// The positions to keep for training.
    fn wanted(&self) -> TrainingFilter {
        TrainingFilter {
            plies: self.plies.clone(),
            scores: self.scores.clone(),
            settled: self.settled,
            one_per_game: self.one_per_game,
        }
    }

    /// Returns whether positions from within games are chosen.
    fn is_book(&self) -> bool {
        self.ply.is_some() || self.every
    }
}

/// The output format.
#[derive(Clone, Copy, Debug)]
enum Format {
    Pgn,
    Epd,
    Json,
    Csv,
    /// Positions for training
    Positions(Form),
    /// Games in a format of one game
    Own(Card, &'static OwnFormat),
}

/// The form of positions for training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One line of JSON per position
    Jsonl,
    /// One table row per position
    Csv,
    /// A fixed number of bytes per position (docs/positions.md)
    Binary,
}

/// The formats of every game: their names, which are file extensions too, and descriptions.
const SHARED: [(&[&str], Format, &str); 5] = [
    (&["pgn"], Format::Pgn, "Games with their tags and moves"),
    (
        &["epd", "fen", "obf"],
        Format::Epd,
        "Positions, a line each",
    ),
    (
        &["json", "jsonl", "ndjson"],
        Format::Json,
        "A line of JSON for each game or position",
    ),
    (&["csv"], Format::Csv, "A table of games"),
    (
        &["positions"],
        Format::Positions(Form::Jsonl),
        "Every position with score, depth, nodes, move and result",
    ),
];

impl Format {
    /// The format that a file's extension names.
    fn of(path: &Path) -> Option<Format> {
        Self::of_ending(&path.extension()?.to_str()?.to_ascii_lowercase())
    }

    fn of_ending(ending: &str) -> Option<Format> {
        let shared = SHARED.iter().find(|(names, ..)| names.contains(&ending));
        let shared = shared.map(|(_, format, _)| *format);
        shared.or_else(|| {
            let own = written_forms().find(|(_, own)| own.form.name == ending);
            own.map(|(card, own)| Format::Own(card, own))
        })
    }

    /// A parser for the names of formats.
    fn parser() -> impl TypedValueParser<Value = Format> {
        let shared = SHARED.iter().map(|(names, _, about)| (names[0], *about));
        let own = written_forms().map(|(_, own)| (own.form.name, own.form.about));
        let values = shared.chain(own);
        let values = values.map(|(name, about)| PossibleValue::new(name).help(about));
        let format = |name: String| Format::of_ending(&name).ok_or("no such format");
        PossibleValuesParser::new(values).try_map(format)
    }
}

/// The formats of single games.
fn own_forms() -> impl Iterator<Item = (Card, &'static OwnFormat)> {
    let entries = games::entries().iter();
    entries.flat_map(|entry| entry.forms.iter().map(|own| (entry.card, own)))
}

/// The formats of single games that are written.
fn written_forms() -> impl Iterator<Item = (Card, &'static OwnFormat)> {
    own_forms().filter(|(_, own)| own.write.is_some())
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    refuse_stdin_twice(&arguments.files)?;
    let mut all_files = CommandFiles::recording(&arguments.files);
    let json = Json::prepare(arguments.json.as_ref(), &mut all_files)?;
    let format = format_of(arguments)?;
    let output = output_of(arguments)?;
    let mut conversion = Conversion::new(arguments, format, output);
    match convert(arguments, &mut conversion) {
        // A broken pipe is not an error: the reader has seen enough.
        Err(error) if is_broken_pipe(&error) => return Ok(Exit::Success),
        other => other?,
    }
    let summary = &conversion.summary;
    if arguments.check {
        if !json.is_printed() {
            print(&summary.render())?;
        }
        json.write(summary)?;
    } else {
        eprint(&summary.render());
    }
    let refuted = arguments.check && summary.contradicted + summary.doubtful() > 0;
    Ok(Exit::Failure.unless(summary.damaged() == 0 && !refuted))
}

fn convert(arguments: &Arguments, conversion: &mut Conversion<'_>) -> Result<(), Failure> {
    for file in &arguments.files {
        conversion.file(file)?;
    }
    conversion.finish()
}

fn format_of(arguments: &Arguments) -> Result<Format, Failure> {
    let choice = &arguments.choice;
    let positions = choice.is_book();
    let ending = arguments.out.as_deref().and_then(Format::of);
    let format = match arguments.to.or(ending) {
        None if positions => Format::Epd,
        None => Format::Pgn,
        Some(format) => format,
    };
    if !matches!(format, Format::Epd) && (positions || choice.unique) {
        bail!("--ply, --every and --unique choose positions: write them with `--to epd`");
    }
    let is_training = matches!(format, Format::Positions(_));
    let only = [
        ("--scores", choice.scores.is_some()),
        ("--settled", choice.settled),
        ("--one-per-game", choice.one_per_game.is_some()),
        ("--as", arguments.form.is_some()),
        ("--plies", choice.plies.is_some() && !choice.every),
    ];
    if let Some((option, _)) = only.iter().find(|(_, is_said)| *is_said && !is_training) {
        bail!("{option} is about positions for a training: write them with `--to positions`");
    }
    if !is_training {
        return Ok(format);
    }
    let ending = arguments.out.as_deref().and_then(Path::extension);
    let ending = ending.and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    Ok(Format::Positions(
        match (arguments.form, ending.as_deref()) {
            (Some(form), _) => form,
            (None, Some("csv")) => Form::Csv,
            (None, Some("bin")) => Form::Binary,
            (None, _) => Form::Jsonl,
        },
    ))
}

/// The output; must not overwrite an input.
fn output_of(arguments: &Arguments) -> Result<Option<Writing>, Failure> {
    if arguments.check {
        return Ok(None);
    }
    let mut all_files = CommandFiles::recording(&arguments.files);
    let file = match arguments.out.as_deref() {
        None => all_files.prepare_stdout("-")?,
        Some(file) if arguments.choice.is_book() && file != Path::new("-") => {
            all_files.prepare_new(file, arguments.force)?
        }
        Some(file) => all_files.prepare_or_stdout(file)?,
    };
    file.begin().map(Some)
}
