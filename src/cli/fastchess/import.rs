//! `leitai import`: converts a saved `config.json` of fastchess to a config of Leitai.
//!
//! The names of its fields are those of the macros in `app/src/types/*.hpp` and `timecontrol.hpp`;
//! enumerations are numbers in the order of `enums.hpp`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::config::config;
use super::engine::{Clock, Engine, Limit, Stage};
use super::request::{Draw, MatchRequest, Resign, Sprt};
use super::word;
use crate::cli::prelude::*;
use crate::config::BookFormat;
use crate::foreign::read_text;

/// Larger files are not configs.
const LARGEST: u64 = 16 << 20;

/// Make a config of leitai from a saved `config.json` of fastchess.
///
/// Converts engines, limits, openings, adjudication and the test. Leaves out the statistics: they
/// are sums, and leitai counts pairs with their openings. Prints the output and concurrency
/// settings, which are not part of a config.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  leitai import config.json -o match.toml && leitai run match.toml")]
pub(in crate::cli) struct Arguments {
    /// The file that fastchess saved.
    file: PathBuf,
    /// Output file for the config; standard output by default.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "out")]
    force: bool,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Outcome {
    let mut files = CommandFiles::reading([&arguments.file]);
    let file = match &arguments.out {
        Some(output) => files.prepare_new(output, arguments.force)?,
        None => files.prepare_stdout("-")?,
    };
    let shown = shown_path(&arguments.file);
    let text =
        read_text(&arguments.file, LARGEST).with_context(|| format!("cannot read {shown}"))?;
    let (request, ignored) = read(&text).with_context(|| format!("{shown}"))?;
    for told in request.notes.iter().chain(&ignored) {
        eprint(&format!("note: {told}"));
    }
    write_output(file, &config(&request))?;
    Ok(Exit::Success)
}

/// The request of a saved file, with notes about ignored parts.
fn read(text: &str) -> Result<(MatchRequest, Vec<String>), Failure> {
    let value: Value = serde_json::from_str(text).context("it is not JSON, or damaged")?;
    let Value::Object(mut all) = value else {
        bail!("it is not a config of fastchess: it has no object");
    };
    let engines = match all.get("engines") {
        None => bail!("it is not a config of fastchess: it has no `engines`"),
        Some(Value::Array(engines)) => engines.len(),
        Some(_) => bail!("`engines` is not a list"),
    };
    let stats = all.remove("stats");
    let mut fields = Fields::default();
    fields.add("", Value::Object(all));
    let mut request = MatchRequest::new();
    for place in 0..engines {
        request.engines.push(engine(&mut fields, place)?);
    }
    fill(&mut fields, &mut request)?;
    let mut notes = execution(&mut fields)?;
    if stats.is_some_and(|stats| !is_empty(&stats)) {
        let note = "the statistics are not taken: they are sums, and leitai counts pairs with their \
                    openings; the match starts from its first pair";
        notes.push(note.to_owned());
    }
    let unknown = fields.0.keys();
    let unknown = unknown.filter(|name| !IGNORED.split(' ').any(|ignored| ignored == *name));
    let unknown = unknown.filter(|name| !name.starts_with("pgn.track_"));
    notes.extend(unknown.map(|name| format!("{} is not known, and left out", word(name))));
    request.settle()?;
    Ok((request, notes))
}

/// Returns whether the statistics contain no game.
fn is_empty(stats: &Value) -> bool {
    match stats {
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Number(number) => number.as_u64() == Some(0),
        _ => true,
    }
}

/// Fields without meaning here: output and saved results are options of each command.
const IGNORED: &str = "autosaveinterval check_mate_pvs config_name epd.append_file epd.file force_concurrency \
    log.append_file log.compress log.file log.level log.realtime output \
    pgn.additional_lines_rgx pgn.append_file pgn.crc pgn.event_name pgn.min pgn.notation \
    pgn.site ratinginterval report_penta scoreinterval show_latency wait";

/// The fields that are not yet read, by their paths: `engines[0].limit.nodes`.
#[derive(Default)]
struct Fields(BTreeMap<String, Value>);

impl Fields {
    /// Adds a value, or the fields of an object and of each engine.
    fn add(&mut self, path: &str, value: Value) {
        match value {
            Value::Object(fields) => {
                let dot = if path.is_empty() { "" } else { "." };
                for (name, value) in fields {
                    self.add(&format!("{path}{dot}{name}"), value);
                }
            }
            Value::Array(engines) if path == "engines" => {
                for (place, engine) in engines.into_iter().enumerate() {
                    self.add(&format!("engines[{place}]"), engine);
                }
            }
            value => drop(self.0.insert(path.to_owned(), value)),
        }
    }

    /// Removes a field; `None` if it is absent or null.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    /// Removes and converts a field; `wrong` describes a value of another type.
    fn read<T>(
        &mut self,
        name: &str,
        wrong: &str,
        convert: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let value = self.take(name).map(|value| convert(&value));
        let value = value.map(|value| value.with_context(|| format!("`{name}` is {wrong}")));
        value.transpose()
    }

    fn integer(&mut self, name: &str) -> Result<Option<i64>, Failure> {
        self.read(name, "not a whole number of 63 bits", Value::as_i64)
    }

    fn count(&mut self, name: &str) -> Result<Option<u64>, Failure> {
        let count = self.integer(name)?.map(u64::try_from).transpose();
        count.map_err(|_| Failure::msg(format!("`{name}` is below 0")))
    }

    fn decimal(&mut self, name: &str) -> Result<f64, Failure> {
        let decimal = self.read(name, "not a number", Value::as_f64)?;
        Ok(decimal.unwrap_or_default())
    }

    fn flag(&mut self, name: &str) -> Result<bool, Failure> {
        let flag = self.read(name, "neither true nor false", Value::as_bool)?;
        Ok(flag.unwrap_or_default())
    }

    fn text(&mut self, name: &str) -> Result<String, Failure> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Ok(self.read(name, "not text", text)?.unwrap_or_default())
    }

    /// The choice with the given number.
    fn choice<T: Copy>(&mut self, name: &str, all: &[T]) -> Result<Option<T>, Failure> {
        let Some(number) = self.count(name)? else {
            return Ok(None);
        };
        let choice = all.get(usize::try_from(number).unwrap_or(usize::MAX));
        let choice = choice.copied().map(Some);
        choice.with_context(|| format!("`{name}` is a number that fastchess does not know"))
    }

    /// Refuses another value where an object belongs.
    fn check_object(&mut self, name: &str) -> Result<(), Failure> {
        self.read(name, "not an object", |_| None)
            .map(|_: Option<()>| ())
    }
}

fn engine(fields: &mut Fields, place: usize) -> Result<Engine, Failure> {
    let engine = format!("engines[{place}]");
    for part in ["", ".limit", ".limit.tc"] {
        fields.check_object(&format!("{engine}{part}"))?;
    }
    // The variant of the whole match counts.
    fields.take(&format!("{engine}.variant"));
    let mut text = |name| fields.text(&format!("{engine}.{name}"));
    let (name, cmd, dir, args) = (text("name")?, text("cmd")?, text("dir")?, text("args")?);
    let mut count = |name| {
        let count = fields.count(&format!("{engine}.limit.{name}"))?;
        Ok::<_, Failure>(count.unwrap_or(0))
    };
    let limit = Limit {
        clock: Clock::of(Stage {
            moves: count("tc.moves")? as i64,
            time: count("tc.time")? as i64,
            increment: count("tc.increment")? as i64,
        }),
        movetime: count("tc.fixed_time")? as i64,
        margin: count("tc.timemargin")? as i64,
        nodes: count("nodes")?,
        plies: count("plies")?,
    };
    let list = format!("{engine}.options");
    let options = fields.read(&list, "not a list of names with values", options)?;
    Ok(Engine {
        name,
        cmd,
        dir,
        args,
        restart: fields.flag(&format!("{engine}.restart"))?,
        options: options.unwrap_or_default(),
        limit,
        ..Engine::default()
    })
}

/// Options: a list of names with values.
fn options(list: &Value) -> Option<Vec<(String, String)>> {
    let option = |entry: &Value| match entry.as_array()?.as_slice() {
        [name, value] => Some((name.as_str()?.to_owned(), value.as_str()?.to_owned())),
        _ => None,
    };
    list.as_array()?.iter().map(option).collect()
}

/// Reads everything except the engines and the execution.
fn fill(fields: &mut Fields, request: &mut MatchRequest) -> Result<(), Failure> {
    for object in "draw resign maxmoves tb_adjudication opening sprt pgn log epd".split(' ') {
        fields.check_object(object)?;
    }
    request.rounds = fields.count("rounds")?.unwrap_or(request.rounds);
    request.games = fields.count("games")?.unwrap_or(request.games);
    // All 64 bits are used.
    request.seed = fields.take("seed").and_then(|seed| seed.as_u64());
    request.chess960 = fields.choice("variant", &[false, true])?.unwrap_or(false);
    let seeds = fields.count("gauntlet_seeds")?.unwrap_or(1);
    if fields.choice("type", &[false, true])?.unwrap_or(false) {
        request.gauntlet = Some(usize::try_from(seeds).unwrap_or(usize::MAX));
    }
    request.recover = fields.flag("recover")?;
    for (name, reason) in [
        (
            "noswap",
            "pairs are the unit of leitai: two games with colours swapped",
        ),
        ("reverse", "both colours are played from each opening"),
    ] {
        if fields.flag(name)? {
            bail!("`{name}` is set, and has no meaning here: {reason}");
        }
    }
    let draw = Draw {
        move_number: fields.count("draw.move_number")?.unwrap_or(0),
        move_count: fields.count("draw.move_count")?.unwrap_or(1),
        score: fields.count("draw.score")?.unwrap_or(0),
    };
    request.draw = fields.flag("draw.enabled")?.then_some(draw);
    let resign = Resign {
        move_count: fields.count("resign.move_count")?.unwrap_or(1),
        score: fields.count("resign.score")?.unwrap_or(0),
        twosided: fields.flag("resign.twosided")?,
    };
    request.resign = fields.flag("resign.enabled")?.then_some(resign);
    let moves = fields.count("maxmoves.move_count")?;
    request.max_moves =
        moves.filter(|_| fields.take("maxmoves.enabled") == Some(Value::Bool(true)));
    let path = fields.text("tb_adjudication.syzygy_dirs")?;
    request.tables.pieces = fields.count("tb_adjudication.max_pieces")?.unwrap_or(0);
    request.tables.ignore_fifty = fields.flag("tb_adjudication.ignore_50_move_rule")?;
    request.tables.path = fields.flag("tb_adjudication.enabled")?.then_some(path);
    let openings = &mut request.openings;
    openings.file = fields.text("opening.file")?;
    let formats = [Some(BookFormat::Epd), Some(BookFormat::Pgn), None];
    openings.format = fields.choice("opening.format", &formats)?.flatten();
    let order = fields.choice("opening.order", &[true, false])?;
    openings.random = order.unwrap_or(false);
    let plies = fields.integer("opening.plies")?;
    openings.plies = plies.and_then(|plies| u64::try_from(plies).ok());
    openings.start = fields.count("opening.start")?.unwrap_or(1).max(1);
    let sprt = Sprt {
        elo0: fields.decimal("sprt.elo0")?,
        elo1: fields.decimal("sprt.elo1")?,
        alpha: fields.decimal("sprt.alpha")?,
        beta: fields.decimal("sprt.beta")?,
        model: fields.text("sprt.model")?,
    };
    request.sprt = fields.flag("sprt.enabled")?.then_some(sprt);
    Ok(())
}

/// Notes about options for the execution, without effect on the games: part of the command line,
/// not of a config.
fn execution(fields: &mut Fields) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    let concurrency = fields.integer("concurrency")?.unwrap_or(1);
    if concurrency > 1 {
        notes.push(format!(
            "`concurrency` was {concurrency}: `leitai run --threads {concurrency}`"
        ));
    }
    let (pinned, logged) = (fields.flag("affinity")?, fields.flag("log.engine_coms")?);
    let written = !fields.text("pgn.file")?.is_empty();
    for (is_set, note) in [
        (pinned, "`affinity` was set: `leitai run --pin`"),
        (
            written,
            "games were written: `leitai report RECORD --pgn FILE` writes them",
        ),
        (
            logged,
            "the dialogue with engines was logged: `leitai run --dialogue FOLDER`",
        ),
    ] {
        notes.extend(is_set.then(|| note.to_owned()));
    }
    Ok(notes)
}
