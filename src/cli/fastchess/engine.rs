//! An engine of a fastchess command line.

use std::path::is_separator;

use super::words::unknown_key;
use crate::cli::prelude::*;
use leitai_config::{MAX_MOVES, MAX_STAGES};

/// An engine. Times are in milliseconds, as in fastchess; 0 is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Engine {
    pub(super) name: String,
    pub(super) cmd: String,
    pub(super) dir: String,
    pub(super) args: String,
    /// Arguments given one by one, after those of `args`.
    pub(super) arg: Vec<String>,
    /// Lines sent before the greeting.
    pub(super) init: Vec<String>,
    /// `tscale`: factor of the timeouts before a game.
    pub(super) patience: Option<f64>,
    /// True for the protocol CECP, which cutechess speaks and fastchess does not.
    pub(super) is_cecp: bool,
    pub(super) restart: bool,
    pub(super) ponder: bool,
    pub(super) options: Vec<(String, String)>,
    pub(super) limit: Limit,
}

/// The limits of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) clock: Clock,
    /// `st`.
    pub(super) movetime: i64,
    pub(super) margin: i64,
    pub(super) nodes: u64,
    pub(super) plies: u64,
}

/// `tc`; without stages there is no clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) is_hourglass: bool,
    pub(super) stages: Vec<Stage>,
}

/// A stage of a clock, with a time or an increment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stage {
    /// Moves per time control; 0: the whole game.
    pub(super) moves: i64,
    pub(super) time: i64,
    pub(super) increment: i64,
}

impl Clock {
    /// A clock of one stage; none without time and increment.
    pub(super) fn of(stage: Stage) -> Self {
        let stages = Some(stage).filter(|stage| !stage.is_empty());
        Self {
            is_hourglass: false,
            stages: stages.into_iter().collect(),
        }
    }

    /// Returns whether there is a clock.
    pub(super) fn runs(&self) -> bool {
        !self.stages.is_empty()
    }
}

impl Stage {
    fn is_empty(&self) -> bool {
        self.time + self.increment == 0
    }
}

impl Limit {
    /// Returns whether a clock or a time per move limits the engine.
    pub(super) fn is_timed(&self) -> bool {
        self.clock.runs() || self.movetime > 0
    }
}

/// The longest time of a clock, in milliseconds.
const LONGEST: i64 = 24 * 3_600_000;

/// The keys of `-engine` and `-each`.
const KEYS: &str = "cmd name args arg dir proto restart ponder tc st timemargin nodes plies depth \
                    initstr tscale option.NAME";

/// Keys of cutechess that Leitai refuses, each with an alternative.
const REFUSED: [(&str, &str); 7] = [
    ("conf", "name the program by `cmd=`"),
    (
        "book",
        "`-openings file=` names the openings of all engines",
    ),
    (
        "bookdepth",
        "`-openings plies=` cuts the openings of a book in PGN",
    ),
    (
        "whitepov",
        "scores are those of the side to move; leave out `-resign` and `-draw` with such an engine",
    ),
    ("trust", "claims are always checked: leave it out"),
    (
        "stderr",
        "the last lines of its error output are reported with each failure; `--dialogue FOLDER` \
         keeps all of it",
    ),
    (
        "debug",
        "`--dialogue FOLDER` keeps all lines; `initstr=\"debug on\"` sends `debug on`",
    ),
];

impl Engine {
    /// Sets a key of `-engine` or `-each`.
    ///
    /// # Errors
    /// The key is unknown, or its value is invalid.
    pub(super) fn set(&mut self, option: &str, key: &str, value: &str) -> Result<(), Failure> {
        match key {
            "cmd" => value.clone_into(&mut self.cmd),
            "name" => value.clone_into(&mut self.name),
            "args" => value.clone_into(&mut self.args),
            "arg" => self.arg.push(value.to_owned()),
            "initstr" => self.init.extend(value.split("\\n").map(str::to_owned)),
            "tscale" => {
                let scale: Option<f64> = value.parse().ok();
                let scale = scale.filter(|scale| (0.01..=100.0).contains(scale));
                self.patience = Some(scale.with_context(|| {
                    format!("`tscale={}` is not a number from 0.01 to 100", shown(value))
                })?);
            }
            "dir" => value.clone_into(&mut self.dir),
            "proto" => {
                self.is_cecp = match value {
                    "uci" => false,
                    "cecp" | "xboard" => true,
                    _ => bail!("`proto={}`: the protocol is `uci` or `cecp`", shown(value)),
                }
            }
            "restart" => {
                self.restart = match value {
                    "on" => true,
                    "off" | "auto" => false,
                    _ => bail!("`restart={}` is neither `on` nor `off`", shown(value)),
                }
            }
            "ponder" if value.is_empty() => self.ponder = true,
            "ponder" => bail!("`ponder` takes no value\nhelp: write `ponder` alone"),
            "tc" => self.limit.clock = clock(value)?,
            "st" => self.limit.movetime = duration(value, 1000)?,
            "timemargin" => {
                self.limit.margin = number(key, value, 0..=i64::from(u32::MAX))?;
            }
            "nodes" => self.limit.nodes = number(key, value, 0..=u64::from(u32::MAX))?,
            "plies" | "depth" => self.limit.plies = number(key, value, 0..=64)?,
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => {
                    self.options.retain(|(known, _)| known != name);
                    self.options.push((name.to_owned(), value.to_owned()));
                }
                _ => match REFUSED.iter().find(|(known, _)| *known == key) {
                    Some((_, help)) => bail!("leitai has no `{key}`\nhelp: {help}"),
                    None => return Err(unknown_key(option, key, KEYS)),
                },
            },
        }
        Ok(())
    }

    /// Completes and checks the engine.
    ///
    /// # Errors
    /// The engine cannot be started, or has no limit, or two contradictory ones.
    pub(super) fn settle(&mut self, number: usize) -> Result<(), Failure> {
        if self.cmd.is_empty() {
            bail!("engine {number} has no `cmd=`: the program to start");
        }
        if self.name.is_empty() {
            let file = self.cmd.rsplit(is_separator).next().unwrap_or_default();
            let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
            self.name = if stem.is_empty() { file } else { stem }.to_owned();
        }
        let limit = &self.limit;
        let name = shown(&self.name);
        if limit.clock.runs() && limit.movetime > 0 {
            bail!("`{name}` has both a clock and a time per move\nhelp: leave out `tc=` or `st=`");
        }
        if !limit.clock.runs() && limit.movetime == 0 && limit.nodes == 0 && limit.plies == 0 {
            bail!("`{name}` has no limit\nhelp: give `tc=`, `st=`, `nodes=` or `depth=`");
        }
        if self.ponder && !limit.is_timed() {
            bail!(
                "`{name}` has `ponder`, but no time\nhelp: give `tc=` or `st=`; by nodes or depth \
                 alone, pondering would change the games from run to run"
            );
        }
        if self.is_cecp && limit.nodes > 0 {
            bail!("`{name}` has `nodes=`, but `proto=cecp` has no node limit\nhelp: give `depth=`");
        }
        Ok(())
    }
}

/// `MOVES/MINUTES:SECONDS+INCREMENT`, `HOURS:MINUTES:SECONDS`, several stages such as `40/60:20/30`,
/// `hgSECONDS`, or `inf`.
fn clock(text: &str) -> Result<Clock, Failure> {
    let wrong = |why: &str| {
        Failure::msg(format!(
            "`tc={}`: {why}\nhelp: a time control is written `10+0.1`, `40/60`, `1:30+1`, \
             `40/60:20/30`, `hg60` or `inf`",
            shown(text)
        ))
    };
    if ["inf", "infinite"].contains(&text) {
        return Ok(Clock::default());
    }
    if let Some(time) = text.strip_prefix("hg") {
        let stage = stage(time).map_err(|why| wrong(&why))?;
        if stage.moves > 0 || stage.increment > 0 || stage.is_empty() {
            return Err(wrong("an hourglass has only a time"));
        }
        return Ok(Clock {
            is_hourglass: true,
            stages: vec![stage],
        });
    }
    let parts: Vec<&str> = text.split(':').collect();
    // An increment ends a stage, and moves begin one. All other colons divide times, as in fastchess
    // and cutechess.
    let mut borders = parts.iter().zip(&parts[1..]);
    if !borders.any(|(left, right)| left.contains('+') || right.contains('/')) {
        return Ok(Clock::of(stage(text).map_err(|why| wrong(&why))?));
    }
    let stages: Result<Vec<Stage>, String> = parts.into_iter().map(stage).collect();
    let stages = stages.map_err(|why| wrong(&format!("{why} (stages are in seconds)")))?;
    if stages.len() > MAX_STAGES {
        return Err(wrong("a clock has at most 4 stages"));
    }
    if stages.iter().any(Stage::is_empty) {
        return Err(wrong("a stage has neither time nor increment"));
    }
    if stages.iter().rev().skip(1).any(|stage| stage.moves == 0) {
        return Err(wrong("a stage before the last one has no `MOVES/`"));
    }
    Ok(Clock {
        is_hourglass: false,
        stages,
    })
}

/// Reads one stage, or returns the problem.
fn stage(text: &str) -> Result<Stage, String> {
    let mut stage = Stage::default();
    let mut rest = text;
    if let Some((moves, after)) = rest.split_once('/') {
        if !["inf", "infinite"].contains(&moves) {
            let read: Option<u32> = moves.parse().ok().filter(|&moves| moves <= MAX_MOVES);
            let read = read.ok_or_else(|| format!("the moves must be a number up to {MAX_MOVES}"));
            stage.moves = read?.into();
        }
        rest = after;
    }
    if let Some((time, increment)) = rest.split_once('+') {
        stage.increment = duration(increment, 1000).map_err(|_| "the increment is not a number")?;
        rest = time;
    }
    let units = [
        (1_000, "seconds"),
        (60_000, "minutes"),
        (3_600_000, "hours"),
    ];
    if rest.split(':').count() > units.len() {
        return Err("a time has at most hours, minutes and seconds".to_owned());
    }
    for (part, (unit, name)) in rest.rsplit(':').zip(units) {
        stage.time += duration(part, unit).map_err(|_| format!("the time is not in {name}"))?;
    }
    if stage.time.max(stage.increment) > LONGEST {
        return Err("a time is at most 24 hours".to_owned());
    }
    Ok(stage)
}

/// Converts seconds or minutes to milliseconds.
fn duration(text: &str, unit: i64) -> Result<i64, Failure> {
    let digits = text.strip_suffix('s').filter(|_| unit == 1000);
    let digits = digits.unwrap_or(text);
    let plain = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == 'e';
    let value: Option<f64> = digits.parse().ok().filter(|_| digits.chars().all(plain));
    // The range covers a year, more than any match takes.
    match value.map(|value| value * unit as f64) {
        Some(millis) if (0.0..=3.2e10).contains(&millis) => {
            // Tenths are not exact in binary.
            Ok((millis + 1e-6).floor() as i64)
        }
        _ => bail!("`{}` is not a time", shown(text)),
    }
}

/// Parses a whole number.
///
/// # Errors
/// The text is not a whole number, or not within the range.
pub(super) fn number<T>(
    key: &str,
    text: &str,
    range: std::ops::RangeInclusive<T>,
) -> Result<T, Failure>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let read = text.parse().ok().filter(|value| range.contains(value));
    read.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        Failure::msg(format!(
            "`{key}`: `{}` is not a number from {least} to {most}",
            shown(text)
        ))
    })
}
