//! Translates options into a request.

use std::thread::available_parallelism;

use super::engine::{Engine, number};
use super::import::saved;
use super::log::{LogLevel, LogTo};
use super::request::{Draw, Epd, MatchRequest, Openings, Pgn, Resign, Sprt};
use super::table::Dialect;
use super::words::{OptionWords, unknown_key};
use crate::cli::prelude::*;
use leitai_config::{BookFormat, LinePattern, TableResults};
use leitai_players::play::Pin;

/// The request of a command line: a match or an answer without games.
#[derive(Debug)]
pub(super) enum ParsedCommand {
    Play(Box<MatchRequest>),
    /// An examination of a program with these arguments.
    Examine(Vec<String>),
    Help,
    Version,
}

/// The request of a list of options.
///
/// # Errors
/// A key or a value is wrong, or the request cannot be played.
pub(super) fn parse(all: &[OptionWords<'_>], dialect: Dialect) -> Result<ParsedCommand, Failure> {
    let mut reading = Reading {
        request: MatchRequest::new(dialect),
        dialect,
        ..Reading::default()
    };
    for given in all {
        match given.option.name {
            "-help" | "--help" => return Ok(ParsedCommand::Help),
            "-version" | "--version" | "-v" | "--v" => return Ok(ParsedCommand::Version),
            "--compliance" => {
                let words = given.words.iter().map(|&word| word.to_owned());
                return Ok(ParsedCommand::Examine(words.collect()));
            }
            _ => {}
        }
        reading.take(given)?;
    }
    reading.end().map(Box::new).map(ParsedCommand::Play)
}

/// The state of the translation.
#[derive(Default)]
struct Reading {
    request: MatchRequest,
    dialect: Dialect,
    event: Option<String>,
    site: Option<String>,
    crc: bool,
    seeds: Option<usize>,
    gauntlet: bool,
}

impl Reading {
    fn take(&mut self, given: &OptionWords<'_>) -> Result<(), Failure> {
        let option = given.option.name;
        let (word, request) = (given.word(), &mut self.request);
        match option {
            "-engine" => {
                let mut engine = Engine::default();
                for (key, value) in given.pairs() {
                    request.notes.extend(colon(key, value));
                    engine.set(option, key, value)?;
                }
                request.engines.push(engine);
            }
            "-each" => {
                for (key, value) in given.pairs() {
                    request.notes.extend(colon(key, value));
                    for engine in &mut request.engines {
                        engine.set(option, key, value)?;
                    }
                }
            }
            "-quick" => quick(request, given)?,
            "-openings" => openings(&mut request.openings, given)?,
            "-pgnout" if self.dialect == Dialect::Cutechess => {
                request.output.pgn = Some(cutechess_pgn(given)?);
            }
            "-pgnout" => request.output.pgn = Some(pgn(given)?),
            "-epdout" => request.output.epd = Some(epd(given)?),
            "-config" => config(request, given)?,
            "-sprt" => request.sprt = Some(sprt(given)?),
            "-draw" => request.draw = Some(draw(given)?),
            "-resign" => request.resign = Some(resign(given)?),
            "-maxmoves" => request.max_moves = Some(number(option, word, 1..=5000)?),
            "-tb" => request.tables.path = Some(word.to_owned()),
            "-tbpieces" => request.tables.pieces = number(option, word, 0..=32)?,
            "-tbignore50" => request.tables.ignore_fifty = true,
            "-tbadjudicate" => {
                request.tables.results = match word {
                    "BOTH" => TableResults::All,
                    "WIN_LOSS" => TableResults::Wins,
                    "DRAW" => TableResults::Draws,
                    _ => bail!("`-tbadjudicate` is `BOTH`, `WIN_LOSS` or `DRAW`"),
                }
            }
            "-games" => request.games = number(option, word, 0..=u64::MAX)?,
            "-repeat" if self.dialect == Dialect::Cutechess => {
                request.repeats = Some(match given.words[..] {
                    [times] => number(option, times, 1..=u64::MAX)?,
                    _ => 2,
                });
            }
            "-repeat" => {
                request.games = match given.words[..] {
                    [times] => times.parse().unwrap_or(2),
                    _ => 2,
                }
            }
            "-rounds" => {
                request.rounds = number(option, word, 0..=u64::MAX)?;
                request.has_rounds = true;
            }
            "-srand" => request.seed = Some(number(option, word, 0..=u64::MAX)?),
            "-noswap" => request.noswap = true,
            "-reverse" => request.reverse = true,
            "-variant" => {
                request.chess960 = match word {
                    "fischerandom" => true,
                    "standard" => false,
                    _ => bail!(
                        "`-variant {}`: fastchess knows `standard` and `fischerandom`\n\
                         help: `leitai run CONFIG` plays other games",
                        shown(word)
                    ),
                }
            }
            "-tournament" => {
                self.gauntlet = match word {
                    "gauntlet" => true,
                    "roundrobin" | "round-robin" => false,
                    "knockout" | "pyramid" => bail!(
                        "leitai has no `-tournament {word}`\n\
                         help: `round-robin` has all pairings, `gauntlet` those of the first engine"
                    ),
                    _ => bail!("`-tournament` is `roundrobin` or `gauntlet`"),
                }
            }
            "-seeds" => self.seeds = Some(number(option, word, 1..=1000)?),
            "-event" => self.event = Some(given.words.join(" ")),
            "-site" => self.site = Some(given.words.join(" ")),
            _ => self.manner(given)?,
        }
        Ok(())
    }

    /// Handles options that do not affect the games: output and execution.
    fn manner(&mut self, given: &OptionWords<'_>) -> Result<(), Failure> {
        let option = given.option.name;
        let (word, request) = (given.word(), &mut self.request);
        let interval = || number::<u64>(option, word, 0..=u64::from(u32::MAX));
        match option {
            "-recover" => request.recover = true,
            "-strict" => request.strict = true,
            "-check-mate-pvs" => request.check_mate_pvs = true,
            "-testEnv" => request.output.test_env = true,
            "-show-latency" => request.output.latency = true,
            "-startup-ms" => request.startup = number(option, word, 1..=3_600_000)?,
            "-ucinewgame-ms" => request.new_game = number(option, word, 1..=3_600_000)?,
            "-ping-ms" => request.ping = Some(number(option, word, 1..=3_600_000)?),
            "-ratinginterval" => {
                request.output.rating_interval = Some(interval()?).filter(|&it| it > 0);
            }
            "-scoreinterval" => {
                request.output.score_interval = Some(interval()?).filter(|&it| it > 0);
            }
            "-outcomeinterval" => {
                request.output.outcome_interval = Some(interval()?).filter(|&it| it > 0);
            }
            // Every pair is saved before it is reported.
            "-autosaveinterval" => drop(interval()?),
            "-wait" => request.run.wait = interval()?,
            "-log" => request.output.log = log(given)?,
            "-debug" => request.output.debug = true,
            "-report" => request.output.penta = only(given, "penta")?,
            "-crc32" => self.crc = only(given, "pgn")?,
            "-output" => {
                for (key, value) in given.pairs() {
                    request.output.cutechess = match (key, value) {
                        ("format", "cutechess") => true,
                        ("format", "fastchess") => false,
                        ("format", _) => bail!("`-output format=` is `fastchess` or `cutechess`"),
                        _ => return Err(unknown_key(option, key, "format")),
                    }
                }
            }
            "-concurrency" => {
                request.run.concurrency =
                    number(option, word, i64::from(i32::MIN)..=i64::from(i32::MAX))?;
            }
            "-force-concurrency" => request.run.force = true,
            "-use-affinity" => {
                let list = given.words.first().map(|list| list.parse());
                let list = list.transpose().context("`-use-affinity`")?;
                request.run.affinity = Some(list.map_or(Pin::Any { reserve: 0 }, Pin::These));
            }
            "--print-config" => request.run.print_config = true,
            "--store" => request.run.store = Some(word.to_owned()),
            "--dialogue" => request.run.dialogue = Some(word.to_owned()),
            // Options that Leitai always fulfils.
            _ => {}
        }
        Ok(())
    }

    fn end(mut self) -> Result<MatchRequest, Failure> {
        if self.gauntlet {
            self.request.gauntlet = Some(self.seeds.unwrap_or(1));
        } else if self.seeds.is_some() {
            let note = "`-seeds` has no effect without `-tournament gauntlet`";
            self.request.notes.push(note.to_owned());
        }
        if let Some(pgn) = &mut self.request.output.pgn {
            pgn.crc = self.crc;
            pgn.style.event = self.event.unwrap_or(std::mem::take(&mut pgn.style.event));
            pgn.style.site = self.site.unwrap_or(std::mem::take(&mut pgn.style.site));
        } else {
            let of_pgn = [
                ("-event", self.event.is_some()),
                ("-site", self.site.is_some()),
                ("-crc32", self.crc),
            ];
            for (name, _) in of_pgn.iter().filter(|(_, is_given)| *is_given) {
                let note = format!("`{name}` has no effect without `-pgnout`");
                self.request.notes.push(note);
            }
        }
        self.request.settle()?;
        Ok(self.request)
    }
}

/// Warns about a time control of minutes and seconds that may be meant as an increment.
fn colon(key: &str, value: &str) -> Option<String> {
    let time = value.rsplit('/').next().filter(|_| key == "tc")?;
    let is_alone = value.matches(':').count() == 1 && !time.contains('+');
    let (minutes, seconds) = time.split_once(':').filter(|_| is_alone)?;
    let (minutes, seconds) = (shown(minutes), shown(seconds));
    Some(format!(
        "`tc={}` is {minutes} minutes and {seconds} seconds without an increment; {minutes} seconds \
         and an increment of {seconds} are `tc={minutes}+{seconds}`",
        shown(value)
    ))
}

/// The value of an option's only key, `true` or `false`.
fn only(given: &OptionWords<'_>, name: &str) -> Result<bool, Failure> {
    let mut value = false;
    for (key, word) in given.pairs() {
        if key != name {
            return Err(unknown_key(given.option.name, key, name));
        }
        value = truth(key, word)?;
    }
    Ok(value)
}

fn truth(key: &str, word: &str) -> Result<bool, Failure> {
    match word {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => bail!("`{key}={}` is neither `true` nor `false`", shown(word)),
    }
}

fn decimal(key: &str, text: &str) -> Result<f64, Failure> {
    let value: Option<f64> = text.parse().ok();
    let value = value.filter(|value| value.is_finite());
    value.ok_or_else(|| Failure::msg(format!("`{key}={}` is not a number", shown(text))))
}

/// Two engines with the usual settings of a quick test.
fn quick(request: &mut MatchRequest, given: &OptionWords<'_>) -> Result<(), Failure> {
    let mut engines = Vec::new();
    let mut book = None;
    for (key, value) in given.pairs() {
        match key {
            "cmd" => {
                let mut engine = Engine::default();
                for (key, value) in [("cmd", value), ("name", value), ("tc", "10+0.1")] {
                    engine.set("-quick", key, value)?;
                }
                engines.push(engine);
            }
            "book" => book = Some(value),
            _ => return Err(unknown_key("-quick", key, "cmd book")),
        }
    }
    let [first, second] = &mut engines[..] else {
        bail!("`-quick` takes exactly two `cmd=`");
    };
    let Some(book) = book else {
        bail!("`-quick` takes a `book=`");
    };
    if first.name == second.name {
        first.name.push('1');
        second.name.push('2');
    }
    request.engines.append(&mut engines);
    book.clone_into(&mut request.openings.file);
    request.openings.random = true;
    (request.games, request.rounds) = (2, 25_000);
    let processors = available_parallelism().map_or(1, std::num::NonZero::get);
    request.run.concurrency = processors.saturating_sub(2).max(1) as i64;
    request.recover = true;
    request.draw = Some(Draw {
        move_number: 30,
        move_count: 8,
        score: 8,
    });
    request.output.cutechess = true;
    Ok(())
}

fn openings(openings: &mut Openings, given: &OptionWords<'_>) -> Result<(), Failure> {
    for (key, value) in given.pairs() {
        match (key, value) {
            ("file", _) => value.clone_into(&mut openings.file),
            ("format", "epd") => openings.format = Some(BookFormat::Epd),
            ("format", "pgn") => openings.format = Some(BookFormat::Pgn),
            // Books of PolyGlot are recognised by their contents.
            ("format", "polyglot" | "bin") => openings.format = None,
            ("format", _) => bail!("`-openings format=` is `epd`, `pgn` or `polyglot`"),
            ("order", "random") => openings.random = true,
            ("order", "sequential") => openings.random = false,
            ("order", _) => bail!("`-openings order=` is `random` or `sequential`"),
            ("plies", "-1") => openings.plies = None,
            ("plies", _) => openings.plies = Some(number(key, value, 0..=1000)?),
            ("start", _) => openings.start = number(key, value, 1..=u64::from(u32::MAX))?,
            ("policy", "round" | "default") => {}
            ("policy", _) => bail!(
                "`-openings policy={}`: each pair has an opening of its own\nhelp: `policy=round`",
                shown(value)
            ),
            _ => {
                return Err(unknown_key(
                    "-openings",
                    key,
                    "file format order plies start policy",
                ));
            }
        }
    }
    Ok(())
}

fn pgn(given: &OptionWords<'_>) -> Result<Pgn, Failure> {
    let keys = "file append notation nodes seldepth nps hashfull tbhits timeleft latency pv min \
                match_line";
    let mut pgn = Pgn::default();
    let style = &mut pgn.style;
    for (key, value) in given.pairs() {
        match key {
            "file" => value.clone_into(&mut pgn.file),
            "append" => pgn.append = truth(key, value)?,
            "nodes" => style.nodes = truth(key, value)?,
            "seldepth" => style.seldepth = truth(key, value)?,
            "nps" => style.nps = truth(key, value)?,
            "hashfull" => style.hashfull = truth(key, value)?,
            "tbhits" => style.tbhits = truth(key, value)?,
            "timeleft" => style.timeleft = truth(key, value)?,
            "latency" => style.latency = truth(key, value)?,
            "pv" => style.pv = truth(key, value)?,
            "min" => style.min = truth(key, value)?,
            "match_line" => {
                let pattern = LinePattern::try_from(value.to_owned());
                pattern.map_err(|reason| anyhow!("`-pgnout match_line=`: {reason}"))?;
                pgn.lines.push(value.to_owned());
            }
            "notation" => {
                style.notation = match value {
                    "san" => "san",
                    "lan" => "lan",
                    "uci" => "uci",
                    _ => bail!("`-pgnout notation=` is `san`, `lan` or `uci`"),
                }
            }
            _ => return Err(unknown_key("-pgnout", key, keys)),
        }
    }
    Ok(pgn)
}

/// `-pgnout FILE [min] [fi]`.
fn cutechess_pgn(given: &OptionWords<'_>) -> Result<Pgn, Failure> {
    let Some((file, rest)) = given.words.split_first() else {
        bail!("`-pgnout` takes the name of a file");
    };
    let mut pgn = Pgn {
        file: (*file).to_owned(),
        ..Pgn::default()
    };
    for word in rest {
        match *word {
            "min" => pgn.style.min = true,
            // Unfinished games are never written.
            "fi" => {}
            other => bail!(
                "`-pgnout FILE` takes `min` and `fi`, and not {}",
                super::word(other)
            ),
        }
    }
    Ok(pgn)
}

/// `-epdout`; cutechess takes only a file name.
fn epd(given: &OptionWords<'_>) -> Result<Epd, Failure> {
    let mut epd = Epd::default();
    if let [file] = given.words[..]
        && !file.contains('=')
    {
        file.clone_into(&mut epd.file);
        return Ok(epd);
    }
    for (key, value) in given.pairs() {
        match key {
            "file" => value.clone_into(&mut epd.file),
            "append" => epd.append = truth(key, value)?,
            _ => return Err(unknown_key("-epdout", key, "file append")),
        }
    }
    Ok(epd)
}

fn log(given: &OptionWords<'_>) -> Result<Option<LogTo>, Failure> {
    let mut log = LogTo::default();
    for (key, value) in given.pairs() {
        match key {
            "file" => value.clone_into(&mut log.file),
            "level" => {
                log.level = LogLevel::from_name(value).with_context(|| {
                    format!(
                        "`-log level={}`: the level is `trace`, `info`, `warn`, `err` or `fatal`",
                        shown(value)
                    )
                })?;
            }
            "append" => log.append = truth(key, value)?,
            "compress" => log.compress = truth(key, value)?,
            "engine" => log.engine = truth(key, value)?,
            // Every line is written at once.
            "realtime" => drop(truth(key, value)?),
            _ => {
                let keys = "file level append compress realtime engine";
                return Err(unknown_key("-log", key, keys));
            }
        }
    }
    Ok(Some(log).filter(|log| !log.file.is_empty()))
}

/// `-config`: the match of a saved file replaces the options before it.
fn config(request: &mut MatchRequest, given: &OptionWords<'_>) -> Result<(), Failure> {
    let (mut file, mut discards) = (None, false);
    for (key, value) in given.pairs() {
        match key {
            "file" => file = Some(value),
            "outname" => request.notes.push(
                "`-config outname=` writes no file: the record keeps the match, and the same command \
                 resumes it"
                    .to_owned(),
            ),
            "discard" => discards = truth(key, value)?,
            "stats" => drop(truth(key, value)?),
            _ => return Err(unknown_key("-config", key, "file discard outname stats")),
        }
    }
    if let Some(file) = file.filter(|_| !discards) {
        *request = saved(Path::new(file))?;
        request.saved = Some(file.into());
    }
    Ok(())
}

fn sprt(given: &OptionWords<'_>) -> Result<Sprt, Failure> {
    let mut sprt = Sprt::default();
    for (key, value) in given.pairs() {
        match key {
            "elo0" => sprt.elo0 = decimal(key, value)?,
            "elo1" => sprt.elo1 = decimal(key, value)?,
            "alpha" => sprt.alpha = decimal(key, value)?,
            "beta" => sprt.beta = decimal(key, value)?,
            "model" => value.clone_into(&mut sprt.model),
            _ => return Err(unknown_key("-sprt", key, "elo0 elo1 alpha beta model")),
        }
    }
    Ok(sprt)
}

fn draw(given: &OptionWords<'_>) -> Result<Draw, Failure> {
    let mut draw = Draw {
        move_number: 0,
        move_count: 1,
        score: 0,
    };
    for (key, value) in given.pairs() {
        match key {
            "movenumber" => draw.move_number = number(key, value, 0..=10_000)?,
            "movecount" => draw.move_count = number(key, value, 1..=10_000)?,
            "score" => draw.score = number(key, value, 0..=30_000)?,
            _ => return Err(unknown_key("-draw", key, "movenumber movecount score")),
        }
    }
    Ok(draw)
}

fn resign(given: &OptionWords<'_>) -> Result<Resign, Failure> {
    let mut resign = Resign {
        move_count: 1,
        score: 0,
        twosided: false,
    };
    for (key, value) in given.pairs() {
        match key {
            "movecount" => resign.move_count = number(key, value, 1..=10_000)?,
            "score" => resign.score = number(key, value, 0..=30_000)?,
            "twosided" => resign.twosided = truth(key, value)?,
            _ => return Err(unknown_key("-resign", key, "movecount score twosided")),
        }
    }
    Ok(resign)
}
