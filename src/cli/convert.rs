//! `leitai convert`: games and positions from one form into another.

mod conversion;
mod record;

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use self::conversion::Conversion;
use super::Exit;
use super::answers::Json;
use super::examples::examples;
use super::failure::{Failure, Outcome};
use super::games::{self, Card};
use super::input::refuse_stdin_twice;
use super::openings::range;
use super::recorded::FromRecord;
use super::rules::RuleArguments;
use super::terminal::{is_broken_pipe, note, say};
use crate::interchange::OwnForm;
use crate::output::{Door, Writing};
use crate::report::convert::Wanted;

/// Convert games and positions: PGN in any notation, other forms of games, recorded
/// runs, EPD and OBF into PGN, EPD, JSON, CSV or a game's own form. Every move is
/// replayed and every result compared with the referee's verdict.
///
/// Moves are read in any notation of their game (--notation lists them), move by
/// move, in UTF-8 or GB18030. A damaged game is told with its line and move, and
/// left out; the others are converted, and the exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct Arguments {
    /// Files of games or positions, known by their content: PGN, EPD, OBF or FEN, a
    /// record of `leitai run`, or a form of a game's own (--to lists them). `-` is
    /// standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to write. If not given: what the ending of OUT says, EPD with --ply
    /// or --every, else PGN.
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser())]
    to: Option<Format>,
    /// Notation of the moves in PGN; JSON has coordinates always.
    #[arg(long, value_parser = games::notations(), default_value = games::usual_notation())]
    notation: Option<String>,
    #[command(flatten)]
    choice: Choice,
    /// With `--to positions`: how; if not given what the ending of OUT says (`.csv`, `.bin`), else
    /// lines of JSON.
    #[arg(long = "as", value_name = "FORM", value_enum)]
    form: Option<Form>,
    /// Where to write; standard output if not given.
    #[arg(long, short, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Write over a book (--ply, --every) that is there.
    #[arg(long)]
    force: bool,
    /// Write nothing: read, replay, and print how many games are legal and agree
    /// with the referee. The exit code is 1 if any is not or does not.
    #[arg(long, conflicts_with_all = ["to", "out", "ply", "every"])]
    check: bool,
    /// With --check: print JSON.
    #[arg(long, requires = "check")]
    json: Option<PathBuf>,
    /// The game of files that do not say it; what it looks like if not given.
    #[arg(long, value_parser = games::parser())]
    game: Option<Card>,
    /// Rules by which games of files are judged; records have their own.
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    of: FromRecord,
    /// Of a record, write also when games were played and how long moves took; where the
    /// clock limits play they are always there.
    #[arg(long)]
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
    let book = "A book made with --ply is what `openings.file` of a config reads. See\n\
                docs/interchange.md.";
    let own = own.trim_start_matches("Examples:");
    format!("Examples:\n{shared}{own}\n\n{book}")
}

/// Which positions of games are written.
#[derive(Clone, Debug, Args)]
struct Choice {
    /// The position of each game after so many plies, each once up to mirror
    /// symmetry, as a book of openings; otherwise EPD has the final positions.
    #[arg(long, value_name = "N", conflicts_with = "every")]
    ply: Option<usize>,
    /// All positions of all games but those at which the game is over.
    #[arg(long)]
    every: bool,
    /// With --every, or `--to positions`: only the positions after so many plies of a game, a
    /// number or a range (4..24).
    #[arg(long, value_name = "A..B", value_parser = range::<usize>)]
    plies: Option<RangeInclusive<usize>>,
    /// With `--to positions`: only those whose mover gave such a score, in the units of the
    /// players: `-300..300`.
    #[arg(long, value_name = "A..B", value_parser = range::<i32>, allow_hyphen_values = true)]
    scores: Option<RangeInclusive<i32>>,
    /// With `--to positions`: only those that a static evaluation can judge: nobody is in check
    /// or was found to be mated, the move that is played captures nothing, nor can anything be
    /// won by captures on one square (pins are not looked at).
    #[arg(long)]
    settled: bool,
    /// With `--to positions`: one position of each game, drawn by this seed (0 if none is given).
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    one_per_game: Option<u64>,
    /// Leave out positions that came before, up to mirror symmetry.
    #[arg(long)]
    unique: bool,
}

impl Choice {
    /// Which positions are wanted for a training.
    fn wanted(&self) -> Wanted {
        Wanted {
            plies: self.plies.clone(),
            scores: self.scores.clone(),
            settled: self.settled,
            one_per_game: self.one_per_game,
        }
    }

    /// Whether positions from within games are chosen.
    fn is_book(&self) -> bool {
        self.ply.is_some() || self.every
    }
}

/// What is written.
#[derive(Clone, Copy, Debug)]
enum Format {
    Pgn,
    Epd,
    Json,
    Csv,
    /// Positions for a training
    Positions(Form),
    /// Games in a form of their own
    Own(Card, &'static OwnForm),
}

/// How positions for a training are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A line of JSON for each
    Jsonl,
    /// A line of a table for each
    Csv,
    /// So many bytes for each (docs/positions.md)
    Binary,
}

/// The formats of every game: their names, which are endings of files too, and what they
/// hold.
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
    /// The format that a file's ending says.
    fn of(path: &Path) -> Option<Format> {
        Self::of_ending(&path.extension()?.to_str()?.to_ascii_lowercase())
    }

    fn of_ending(ending: &str) -> Option<Format> {
        let shared = SHARED.iter().find(|(names, ..)| names.contains(&ending));
        let shared = shared.map(|(_, format, _)| *format);
        shared.or_else(|| {
            let own = own_forms().find(|(_, own)| own.form.name == ending);
            own.map(|(card, own)| Format::Own(card, own))
        })
    }

    /// Reads the name of a format.
    fn parser() -> impl TypedValueParser<Value = Format> {
        let shared = SHARED.iter().map(|(names, _, about)| (names[0], *about));
        let own = own_forms().map(|(_, own)| (own.form.name, own.form.about));
        let values = shared.chain(own);
        let values = values.map(|(name, about)| PossibleValue::new(name).help(about));
        let format = |name: String| Format::of_ending(&name).ok_or("no such format");
        PossibleValuesParser::new(values).try_map(format)
    }
}

/// The forms that games bring along.
fn own_forms() -> impl Iterator<Item = (Card, &'static OwnForm)> {
    let entries = games::entries().iter();
    entries.flat_map(|entry| entry.forms.iter().map(|own| (entry.card, own)))
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    refuse_stdin_twice(&arguments.files)?;
    let json = Json::prepare(arguments.json.as_ref(), &mut reading(arguments))?;
    let format = format_of(arguments)?;
    let output = output_of(arguments)?;
    let mut conversion = Conversion::new(arguments, format, output);
    match convert(arguments, &mut conversion) {
        // Whoever reads the pipe has seen enough.
        Err(error) if is_broken_pipe(&error) => return Ok(Exit::Success),
        other => other?,
    }
    let summary = &conversion.summary;
    if arguments.check {
        if !json.is_printed() {
            say(&summary.render())?;
        }
        json.tell(summary)?;
    } else {
        note(&summary.render());
    }
    let refuted = arguments.check && summary.contradicted + summary.doubtful() > 0;
    Ok(if summary.damaged() > 0 || refuted {
        Exit::Failure
    } else {
        Exit::Success
    })
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

/// The door of what is read.
fn reading(arguments: &Arguments) -> Door {
    let mut door = Door::default();
    for file in &arguments.files {
        door.records(file);
    }
    door
}

/// Where it goes; what is read is not written over.
fn output_of(arguments: &Arguments) -> Result<Option<Writing>, Failure> {
    if arguments.check {
        return Ok(None);
    }
    let mut door = reading(arguments);
    let file = match arguments.out.as_deref() {
        None => door.prepare_stdout("-")?,
        Some(file) if arguments.choice.is_book() && file != Path::new("-") => {
            door.prepare_new(file, arguments.force)?
        }
        Some(file) => door.prepare_or_stdout(file)?,
    };
    file.begin().map(Some)
}
