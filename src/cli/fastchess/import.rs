//! `leitai import`: converts a saved `config.json` of fastchess to a config of Leitai.
//!
//! The names of its fields are those of the macros in `app/src/types/*.hpp` and `timecontrol.hpp`;
//! enumerations are numbers in the order of `enums.hpp`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::config::config;
use super::engine::{Clock, Engine, Limit, Stage};
use super::log::{LogLevel, LogTo};
use super::request::{Draw, Epd, MatchRequest, Pgn, Resign, Sprt};
use super::table::Dialect;
use super::word;
use crate::cli::prelude::*;
use leitai_base::foreign::read_text;
use leitai_config::BookFormat;
use leitai_players::play::Pin;

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
    let mut request = read(&text).with_context(|| format!("{shown}"))?;
    request.settle().with_context(|| format!("{shown}"))?;
    let execution = execution_notes(&request);
    for told in request.notes.iter().chain(&execution) {
        eprint(&format!("note: {told}"));
    }
    write_output(file, &config(&request))?;
    Ok(Exit::Success)
}

/// The request of a file that fastchess saved, not yet settled.
///
/// # Errors
/// The file cannot be read, or is not a config of fastchess.
pub(super) fn saved(file: &Path) -> Result<MatchRequest, Failure> {
    let shown = shown_path(file);
    let text = read_text(file, LARGEST).with_context(|| format!("cannot read {shown}"))?;
    read(&text).with_context(|| format!("{shown}"))
}

/// The request of a saved text, with notes about ignored parts.
fn read(text: &str) -> Result<MatchRequest, Failure> {
    let value: Value = serde_json::from_str(text).context("it is not JSON, or damaged")?;
    let Value::Object(mut all) = value else {
        bail!("it is not a config of fastchess: it is not a JSON object");
    };
    let engines = match all.get("engines") {
        None => bail!("it is not a config of fastchess: it has no `engines`"),
        Some(Value::Array(engines)) => engines.len(),
        Some(_) => bail!("`engines` is not a list"),
    };
    let stats = all.remove("stats");
    let mut fields = Fields::default();
    fields.add("", Value::Object(all));
    let mut request = MatchRequest::new(Dialect::Fastchess);
    for place in 0..engines {
        request.engines.push(engine(&mut fields, place)?);
    }
    fill(&mut fields, &mut request)?;
    execution(&mut fields, &mut request)?;
    let mut notes = Vec::new();
    if stats.is_some_and(|stats| !is_empty(&stats)) {
        let note = "the statistics are not taken: they are sums, and leitai counts pairs with their \
                    openings; the match starts from its first pair";
        notes.push(note.to_owned());
    }
    let unknown = fields.0.keys();
    let unknown = unknown.filter(|name| !IGNORED.split(' ').any(|ignored| ignored == *name));
    notes.extend(unknown.map(|name| format!("{} is not known, and left out", word(name))));
    request.notes = notes;
    Ok(request)
}

/// Returns whether the statistics contain no game.
fn is_empty(stats: &Value) -> bool {
    match stats {
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Number(number) => number.as_u64() == Some(0),
        _ => true,
    }
}

/// Fields without effect in Leitai.
const IGNORED: &str = "autosaveinterval config_name log.realtime";

/// The fields that were not read yet, by path: `engines[0].limit.nodes`.
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

    /// Returns an error if the field exists and is not an object.
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
    if let Some(rounds) = fields.count("rounds")? {
        (request.rounds, request.has_rounds) = (rounds, true);
    }
    request.games = fields.count("games")?.unwrap_or(request.games);
    // All 64 bits are used.
    request.seed = fields.take("seed").and_then(|seed| seed.as_u64());
    request.chess960 = fields.choice("variant", &[false, true])?.unwrap_or(false);
    let seeds = fields.count("gauntlet_seeds")?.unwrap_or(1);
    if fields.choice("type", &[false, true])?.unwrap_or(false) {
        request.gauntlet = Some(usize::try_from(seeds).unwrap_or(usize::MAX));
    }
    request.recover = fields.flag("recover")?;
    request.noswap = fields.flag("noswap")?;
    request.reverse = fields.flag("reverse")?;
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
        counts_games: false,
    };
    request.sprt = fields.flag("sprt.enabled")?.then_some(sprt);
    Ok(())
}

/// Reads the options for output and execution, which do not affect the games.
fn execution(fields: &mut Fields, request: &mut MatchRequest) -> Result<(), Failure> {
    let run = &mut request.run;
    run.concurrency = fields.integer("concurrency")?.unwrap_or(1);
    run.force = fields.flag("force_concurrency")?;
    run.wait = fields.count("wait")?.unwrap_or(0);
    let pinned = fields.flag("affinity")?;
    run.affinity = pinned.then_some(Pin::Any { reserve: 0 });
    request.check_mate_pvs = fields.flag("check_mate_pvs")?;
    let output = &mut request.output;
    output.latency = fields.flag("show_latency")?;
    output.cutechess = fields
        .choice("output", &[false, true, false])?
        .unwrap_or(false);
    // A huge number means never.
    let is_finite = |interval: &u64| (1..u64::from(u32::MAX) / 2).contains(interval);
    output.rating_interval = fields.count("ratinginterval")?.filter(is_finite);
    output.score_interval = fields.count("scoreinterval")?.filter(is_finite);
    output.penta = fields.flag("report_penta")?;
    let mut pgn = Pgn {
        file: fields.text("pgn.file")?,
        append: fields.flag("pgn.append_file")?,
        crc: fields.flag("pgn.crc")?,
        ..Pgn::default()
    };
    let style = &mut pgn.style;
    style.event = fields.text("pgn.event_name")?;
    style.site = fields.text("pgn.site")?;
    let notations = ["san", "lan", "uci"];
    style.notation = fields.choice("pgn.notation", &notations)?.unwrap_or("san");
    for (name, is_shown) in [
        ("min", &mut style.min),
        ("track_nodes", &mut style.nodes),
        ("track_seldepth", &mut style.seldepth),
        ("track_nps", &mut style.nps),
        ("track_hashfull", &mut style.hashfull),
        ("track_tbhits", &mut style.tbhits),
        ("track_timeleft", &mut style.timeleft),
        ("track_latency", &mut style.latency),
        ("track_pv", &mut style.pv),
    ] {
        *is_shown = fields.flag(&format!("pgn.{name}"))?;
    }
    let texts = |list: &Value| {
        let texts = list.as_array()?.iter().map(Value::as_str);
        texts.map(|text| text.map(str::to_owned)).collect()
    };
    let lines = fields.read("pgn.additional_lines_rgx", "not a list of texts", texts)?;
    pgn.lines = lines.unwrap_or_default();
    output.pgn = Some(pgn).filter(|pgn| !pgn.file.is_empty());
    let epd = Epd {
        file: fields.text("epd.file")?,
        append: fields.flag("epd.append_file")?,
    };
    output.epd = Some(epd).filter(|epd| !epd.file.is_empty());
    let levels = [&[LogLevel::Trace][..], LogLevel::ALL].concat();
    let log = LogTo {
        file: fields.text("log.file")?,
        level: fields
            .choice("log.level", &levels)?
            .unwrap_or(LogLevel::Warn),
        append: fields.flag("log.append_file")?,
        compress: fields.flag("log.compress")?,
        engine: fields.flag("log.engine_coms")?,
    };
    output.log = Some(log).filter(|log| !log.file.is_empty());
    Ok(())
}

/// Notes about options that a config cannot express.
fn execution_notes(request: &MatchRequest) -> Vec<String> {
    let (run, output) = (&request.run, &request.output);
    let concurrency = run.concurrency;
    let mut notes = Vec::new();
    if concurrency > 1 {
        notes.push(format!(
            "`concurrency` was {concurrency}: `leitai run --threads {concurrency}`"
        ));
    }
    let logged = output.log.as_ref().is_some_and(|log| log.engine);
    for (is_set, note) in [
        (
            run.affinity.is_some(),
            "`affinity` was set: `leitai run --pin`",
        ),
        (
            output.pgn.is_some(),
            "games were written: `leitai report RECORD --pgn FILE` writes them",
        ),
        (
            logged,
            "the dialogue with engines was logged: `leitai run --dialogue FOLDER`",
        ),
    ] {
        notes.extend(is_set.then(|| note.to_owned()));
    }
    notes
}
