//! `leitai import`: converts a saved `config.json` of fastchess to a config of Leitai.
//!
//! The names of its fields are those of the macros in `app/src/types/*.hpp` and `timecontrol.hpp`;
//! enumerations are numbers in the order of `enums.hpp`.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Map, Value};

use super::ask::{Ask, Book, Draw, Resign, Sprt};
use super::config::config;
use super::engine::{Clock, Engine, Limit};
use super::word;
use crate::cli::Exit;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::terminal::{give, note};
use crate::foreign::{read_text, shown_path};
use crate::output::Door;

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
    let mut door = Door::default();
    door.reads(&arguments.file);
    let file = match &arguments.out {
        Some(output) => door.prepare_new(output, arguments.force)?,
        None => door.prepare_stdout("-")?,
    };
    let shown = shown_path(&arguments.file);
    let text =
        read_text(&arguments.file, LARGEST).with_context(|| format!("cannot read {shown}"))?;
    let (ask, ignored) = read(&text).with_context(|| format!("{shown}"))?;
    for told in ask.notes.iter().chain(&ignored) {
        note(&format!("note: {told}"));
    }
    give(file, &config(&ask))?;
    Ok(Exit::Success)
}

/// The request of a saved file, with notes about ignored parts.
fn read(text: &str) -> Result<(Ask, Vec<String>), Failure> {
    let value: Value = serde_json::from_str(text).context("it is no JSON, or damaged")?;
    let Value::Object(fields) = value else {
        bail!("it is no config of fastchess: there is no object in it");
    };
    let mut reading = Reading {
        path: String::new(),
        fields,
        told: Vec::new(),
    };
    if !reading.fields.contains_key("engines") {
        bail!("it is no config of fastchess: it has no `engines`");
    }
    let mut ask = Ask::default();
    engines(&mut reading, &mut ask)?;
    whole(&mut reading, &mut ask)?;
    if reading
        .fields
        .remove("stats")
        .is_some_and(|stats| !is_empty(&stats))
    {
        reading.tell(
            "the statistics are not taken: they are sums, and leitai counts pairs with their \
             openings; the match begins anew"
                .to_owned(),
        );
    }
    reading.end();
    ask.settle()?;
    Ok((ask, reading.told))
}

/// Returns whether the statistics contain no game.
fn is_empty(stats: &Value) -> bool {
    match stats {
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Number(number) => number.as_u64() == Some(0),
        _ => true,
    }
}

/// The fields of an object that are not yet read.
struct Reading {
    /// The path of the object, with a final dot.
    path: String,
    fields: Map<String, Value>,
    told: Vec<String>,
}

impl Reading {
    /// Removes a field; `None` if it is absent or null.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    fn wrong(&self, name: &str, what: &str) -> Failure {
        Failure::msg(format!("`{}{name}` is {what}", self.path))
    }

    fn integer(&mut self, name: &str) -> Result<Option<i64>, Failure> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        match value.as_i64() {
            Some(value) => Ok(Some(value)),
            None => Err(self.wrong(name, "no whole number of 63 bits")),
        }
    }

    fn count(&mut self, name: &str) -> Result<Option<u64>, Failure> {
        match self.integer(name)?.map(u64::try_from) {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(_)) => Err(self.wrong(name, "below 0")),
        }
    }

    fn decimal(&mut self, name: &str) -> Result<Option<f64>, Failure> {
        match self.take(name).map(|value| value.as_f64()) {
            None => Ok(None),
            Some(Some(value)) => Ok(Some(value)),
            Some(None) => Err(self.wrong(name, "no number")),
        }
    }

    fn truth(&mut self, name: &str) -> Result<bool, Failure> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(value),
            Some(_) => Err(self.wrong(name, "neither true nor false")),
        }
    }

    fn text(&mut self, name: &str) -> Result<String, Failure> {
        match self.take(name) {
            None => Ok(String::new()),
            Some(Value::String(value)) => Ok(value),
            Some(_) => Err(self.wrong(name, "no text")),
        }
    }

    /// The choice with the given number.
    fn choice<T: Copy>(&mut self, name: &str, all: &[T]) -> Result<Option<T>, Failure> {
        let Some(number) = self.count(name)? else {
            return Ok(None);
        };
        let found = usize::try_from(number)
            .ok()
            .and_then(|place| all.get(place));
        match found {
            Some(value) => Ok(Some(*value)),
            None => Err(self.wrong(name, "a number that fastchess does not know")),
        }
    }

    /// The named object; an empty one if it is absent.
    fn object(&mut self, name: &str) -> Result<Reading, Failure> {
        let fields = match self.take(name) {
            None => Map::new(),
            Some(Value::Object(fields)) => fields,
            Some(_) => return Err(self.wrong(name, "no object")),
        };
        Ok(Reading {
            path: format!("{}{name}.", self.path),
            fields,
            told: Vec::new(),
        })
    }

    fn tell(&mut self, what: String) {
        self.told.push(what);
    }

    /// Reports the fields that were not read.
    fn end(&mut self) {
        for name in self.fields.keys() {
            let path = format!("{}{name}", self.path);
            self.told
                .push(format!("{} is not known, and left out", word(&path)));
        }
        self.fields.clear();
    }

    /// Ends a nested object.
    fn close(&mut self, mut part: Reading) {
        part.end();
        self.told.append(&mut part.told);
    }
}

fn engines(reading: &mut Reading, ask: &mut Ask) -> Result<(), Failure> {
    let Some(Value::Array(all)) = reading.take("engines") else {
        return Err(reading.wrong("engines", "no list"));
    };
    for (place, fields) in all.into_iter().enumerate() {
        let Value::Object(fields) = fields else {
            bail!("`engines[{place}]` is no object");
        };
        let mut one = Reading {
            path: format!("engines[{place}]."),
            fields,
            told: Vec::new(),
        };
        let engine = Engine {
            name: one.text("name")?,
            cmd: one.text("cmd")?,
            dir: one.text("dir")?,
            args: one.text("args")?,
            restart: one.truth("restart")?,
            options: options(&mut one)?,
            limit: limit(&mut one)?,
            ..Engine::default()
        };
        // The variant of the whole match counts.
        one.take("variant");
        ask.engines.push(engine);
        reading.close(one);
    }
    Ok(())
}

/// Options: a list of names with values.
fn options(one: &mut Reading) -> Result<Vec<(String, String)>, Failure> {
    let list = match one.take("options") {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(one.wrong("options", "no list")),
    };
    let pair = |entry: &Value| {
        let entry = entry.as_array().filter(|entry| entry.len() == 2)?;
        Some((entry[0].as_str()?.to_owned(), entry[1].as_str()?.to_owned()))
    };
    let all: Option<Vec<_>> = list.iter().map(pair).collect();
    all.ok_or_else(|| one.wrong("options", "no list of names with values"))
}

fn limit(one: &mut Reading) -> Result<Limit, Failure> {
    let mut all = one.object("limit")?;
    let mut clock = all.object("tc")?;
    let mut time = |name| Ok::<_, Failure>(clock.count(name)?.unwrap_or(0) as i64);
    let limit = Limit {
        clock: Clock {
            moves: time("moves")?,
            time: time("time")?,
            increment: time("increment")?,
        },
        movetime: time("fixed_time")?,
        margin: time("timemargin")?,
        nodes: all.count("nodes")?.unwrap_or(0),
        plies: all.count("plies")?.unwrap_or(0),
    };
    all.close(clock);
    one.close(all);
    Ok(limit)
}

fn whole(reading: &mut Reading, ask: &mut Ask) -> Result<(), Failure> {
    ask.rounds = reading.count("rounds")?.unwrap_or(ask.rounds);
    ask.games = reading.count("games")?.unwrap_or(ask.games);
    // All 64 bits are used.
    ask.seed = reading.take("seed").and_then(|seed| seed.as_u64());
    ask.chess960 = reading.choice("variant", &[false, true])?.unwrap_or(false);
    let seeds = reading.count("gauntlet_seeds")?.unwrap_or(1);
    if reading.choice("type", &[false, true])?.unwrap_or(false) {
        ask.gauntlet = Some(usize::try_from(seeds).unwrap_or(usize::MAX));
    }
    ask.recover = reading.truth("recover")?;
    for (name, why) in [
        (
            "noswap",
            "pairs are the unit of leitai: two games with colours swapped",
        ),
        ("reverse", "both colours are played from each opening"),
    ] {
        if reading.truth(name)? {
            bail!("`{name}` is set, and has no meaning here: {why}");
        }
    }
    adjudication(reading, ask)?;
    openings(reading, ask)?;
    sprt(reading, ask)?;
    manner(reading)
}

fn adjudication(reading: &mut Reading, ask: &mut Ask) -> Result<(), Failure> {
    let mut part = reading.object("draw")?;
    let draw = Draw {
        move_number: part.count("move_number")?.unwrap_or(0),
        move_count: part.count("move_count")?.unwrap_or(1),
        score: part.count("score")?.unwrap_or(0),
    };
    ask.draw = part.truth("enabled")?.then_some(draw);
    reading.close(part);
    let mut part = reading.object("resign")?;
    let resign = Resign {
        move_count: part.count("move_count")?.unwrap_or(1),
        score: part.count("score")?.unwrap_or(0),
        twosided: part.truth("twosided")?,
    };
    ask.resign = part.truth("enabled")?.then_some(resign);
    reading.close(part);
    let mut part = reading.object("maxmoves")?;
    let moves = part.count("move_count")?;
    ask.max_moves = moves.filter(|_| part.fields.remove("enabled") == Some(Value::Bool(true)));
    reading.close(part);
    let mut part = reading.object("tb_adjudication")?;
    let path = part.text("syzygy_dirs")?;
    ask.tables.pieces = part.count("max_pieces")?.unwrap_or(0);
    ask.tables.ignore_fifty = part.truth("ignore_50_move_rule")?;
    ask.tables.path = part.truth("enabled")?.then_some(path);
    reading.close(part);
    Ok(())
}

fn openings(reading: &mut Reading, ask: &mut Ask) -> Result<(), Failure> {
    let mut part = reading.object("opening")?;
    let openings = &mut ask.openings;
    openings.file = part.text("file")?;
    let formats = [Some(Book::Epd), Some(Book::Pgn), None];
    openings.format = part.choice("format", &formats)?.flatten();
    openings.random = part.choice("order", &[true, false])?.unwrap_or(false);
    let plies = part.integer("plies")?.unwrap_or(-1);
    openings.plies = u64::try_from(plies).ok();
    openings.start = part.count("start")?.unwrap_or(1).max(1);
    reading.close(part);
    Ok(())
}

fn sprt(reading: &mut Reading, ask: &mut Ask) -> Result<(), Failure> {
    let mut part = reading.object("sprt")?;
    let usual = Sprt::default();
    let mut sprt = Sprt {
        elo0: part.decimal("elo0")?.unwrap_or(0.0),
        elo1: part.decimal("elo1")?.unwrap_or(0.0),
        alpha: part.decimal("alpha")?.unwrap_or(0.0),
        beta: part.decimal("beta")?.unwrap_or(0.0),
        model: part.text("model")?,
    };
    if sprt.model.is_empty() {
        sprt.model = usual.model;
    }
    ask.sprt = part.truth("enabled")?.then_some(sprt);
    reading.close(part);
    Ok(())
}

/// Options for the execution, without effect on the games: part of the command line, not of a
/// config.
fn manner(reading: &mut Reading) -> Result<(), Failure> {
    let concurrency = reading.integer("concurrency")?.unwrap_or(1);
    if concurrency > 1 {
        reading.tell(format!(
            "`concurrency` was {concurrency}: `leitai run --threads {concurrency}`"
        ));
    }
    if reading.truth("affinity")? {
        reading.tell("`affinity` was set: `leitai run --pin`".to_owned());
    }
    let mut pgn = reading.object("pgn")?;
    if !pgn.text("file")?.is_empty() {
        reading
            .tell("games were written: `leitai report RECORD --pgn FILE` writes them".to_owned());
    }
    let mut log = reading.object("log")?;
    if log.truth("engine_coms")? {
        reading.tell("engines' words were logged: `leitai run --dialogue FOLDER`".to_owned());
    }
    for name in [
        "event_name",
        "site",
        "notation",
        "append_file",
        "min",
        "crc",
        "additional_lines_rgx",
    ] {
        pgn.fields.remove(name);
    }
    let tracked = |name: &str| name.starts_with("track_");
    pgn.fields.retain(|name, _| !tracked(name));
    reading.close(pgn);
    for name in ["file", "level", "append_file", "compress", "realtime"] {
        log.fields.remove(name);
    }
    reading.close(log);
    let mut epd = reading.object("epd")?;
    for name in ["file", "append_file"] {
        epd.fields.remove(name);
    }
    reading.close(epd);
    // The output and saving of results are options of each command.
    for name in [
        "config_name",
        "output",
        "ratinginterval",
        "scoreinterval",
        "autosaveinterval",
        "wait",
        "force_concurrency",
        "report_penta",
        "check_mate_pvs",
        "show_latency",
    ] {
        reading.fields.remove(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that fastchess 1.8.2 saved.
    const SAVED: &str = r#"{
        "resign": {"move_count": 3, "score": 600, "twosided": false, "enabled": true},
        "draw": {"move_number": 34, "move_count": 8, "score": 20, "enabled": true},
        "maxmoves": {"move_count": 100, "enabled": true},
        "tb_adjudication": {"syzygy_dirs": "", "max_pieces": 0, "ignore_50_move_rule": false,
            "enabled": false},
        "opening": {"file": "book.epd", "format": 0, "order": 0, "plies": -1, "start": 7},
        "pgn": {"additional_lines_rgx": [], "event_name": "E", "site": "?", "file": "x.pgn",
            "notation": 0, "append_file": true, "track_nodes": false, "min": false, "crc": false},
        "epd": {"file": "", "append_file": true},
        "sprt": {"alpha": 0.05, "beta": 0.1, "elo0": -1.5, "elo1": 3, "model": "logistic",
            "enabled": true},
        "config_name": "config.json", "output": 0, "seed": 11640166910256665083, "variant": 0,
        "type": 0, "gauntlet_seeds": 1, "ratinginterval": 10, "scoreinterval": 1, "wait": 0,
        "autosaveinterval": 20, "games": 2, "rounds": 5, "concurrency": 4,
        "force_concurrency": false, "recover": true, "noswap": false, "reverse": false,
        "report_penta": true, "affinity": false, "check_mate_pvs": true, "show_latency": true,
        "log": {"file": "", "append_file": false, "level": 2, "compress": false,
            "realtime": true, "engine_coms": false},
        "engines": [
            {"name": "A", "dir": "", "cmd": "bin/a", "args": "-x", "restart": true,
             "options": [["Hash", "16"]], "variant": 0,
             "limit": {"tc": {"increment": 80, "fixed_time": 0, "time": 8000, "moves": 0,
                "timemargin": 250}, "nodes": 0, "plies": 0}},
            {"name": "B", "dir": "", "cmd": "bin/b", "args": "", "restart": false, "options": [],
             "limit": {"tc": {"increment": 80, "fixed_time": 0, "time": 8000, "moves": 0,
                "timemargin": 250}, "nodes": 0, "plies": 0}, "variant": 0}
        ],
        "stats": {"A vs B": {"wins": 3, "losses": 0, "draws": 1, "penta_WW": 1}}
    }"#;

    #[test]
    fn a_saved_file_is_taken_but_for_its_sums() {
        let (ask, told) = read(SAVED).unwrap();
        assert_eq!(
            (ask.rounds, ask.max_moves, ask.openings.start),
            (5, Some(100), 7)
        );
        assert_eq!(ask.seed, Some(11_640_166_910_256_665_083));
        let text = config(&ask);
        for line in [
            "clock = \"8s+0.08s\"",
            "margin = \"250ms\"",
            "resign = { score = 600, plies = 3, by = \"loser\" }",
            "draw = { score = 20, plies = 16, after_move = 34, reset = \"irreversible\" }",
            "max_plies = 200",
            "order = \"random\"",
            "start = 7",
            "elo0 = -1.5",
            "model = \"logistic\"",
            "restart = true",
            "command = [\"bin/a\", \"-x\"]",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let told = told.join("\n");
        assert!(told.contains("statistics are not taken"), "{told}");
        assert!(told.contains("--threads 4"), "{told}");
        assert!(!told.contains("not known"), "{told}");
    }

    #[test]
    fn what_is_unknown_is_named_and_what_is_damaged_told() {
        let with = SAVED.replacen("\"elo0\":", "\"elo2\": 1, \"elo0\":", 1);
        let (_, told) = read(&with).unwrap();
        assert!(
            told.iter()
                .any(|it| it.contains("`sprt.elo2` is not known")),
            "{told:?}"
        );
        for (damage, said) in [
            ("", "no JSON"),
            ("[]", "no object"),
            ("{}", "no `engines`"),
            ("{\"engines\": 3}", "`engines` is no list"),
            ("{\"engines\": [3]}", "`engines[0]` is no object"),
            (
                "{\"engines\": [{\"name\": 1}]}",
                "`engines[0].name` is no text",
            ),
            (
                "{\"engines\": [{\"limit\": {\"tc\": {\"time\": -1}}}]}",
                "`engines[0].limit.tc.time` is below 0",
            ),
            (
                "{\"engines\": [], \"rounds\": \"x\"}",
                "`rounds` is no whole number",
            ),
            (
                "{\"engines\": [], \"variant\": 9}",
                "`variant` is a number that fastchess",
            ),
            ("{\"engines\": [], \"noswap\": true}", "`noswap` is set"),
            ("{\"engines\": []}", "two engines are needed"),
        ] {
            let error = format!("{:#}", read(damage).unwrap_err());
            assert!(error.contains(said), "{damage}: {error}");
        }
        for end in (0..SAVED.len()).step_by(97) {
            assert!(read(&SAVED[..end]).is_err());
        }
    }
}
