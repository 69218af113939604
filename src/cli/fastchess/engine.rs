//! An engine of a fastchess command line.

use std::path::is_separator;

use super::words::unknown_key;
use crate::cli::prelude::*;

/// An engine. Times are in milliseconds, as in fastchess; 0 is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Engine {
    pub(super) name: String,
    pub(super) cmd: String,
    pub(super) dir: String,
    pub(super) args: String,
    /// True for the protocol CECP, which cutechess speaks and fastchess does not.
    pub(super) is_cecp: bool,
    pub(super) restart: bool,
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

/// `tc`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// Moves per time control; 0: the whole game.
    pub(super) moves: i64,
    pub(super) time: i64,
    pub(super) increment: i64,
}

impl Clock {
    /// Returns whether there is a clock.
    pub(super) fn runs(&self) -> bool {
        self.time + self.increment > 0
    }
}

impl Limit {
    /// Returns whether a clock or a time per move limits the engine.
    pub(super) fn is_timed(&self) -> bool {
        self.clock.runs() || self.movetime > 0
    }
}

/// The keys of `-engine` and `-each`.
const KEYS: &str = "cmd name args dir proto restart tc st timemargin nodes plies depth initstr \
                    option.NAME";

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
                    "off" => false,
                    _ => bail!("`restart={}` is neither `on` nor `off`", shown(value)),
                }
            }
            "tc" => self.limit.clock = clock(value)?,
            "st" => self.limit.movetime = duration(value, 1000)?,
            "timemargin" => {
                self.limit.margin = number(key, value, 0..=i64::from(u32::MAX))?;
            }
            "nodes" => self.limit.nodes = number(key, value, 0..=u64::from(u32::MAX))?,
            "plies" | "depth" => self.limit.plies = number(key, value, 0..=64)?,
            "initstr" => bail!(
                "`initstr` belongs to cutechess\nhelp: the key `init` of a variant sends lines to the \
                 program; `--print-config` makes the config to put it in"
            ),
            "book" | "bookdepth" | "whitepov" | "ponder" => {
                bail!("`{key}` belongs to cutechess, and has no meaning here\nhelp: leave it out")
            }
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => {
                    self.options.retain(|(known, _)| known != name);
                    self.options.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(unknown_key(option, key, KEYS)),
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
            bail!("`{name}` has both `tc=` and `st=`: a clock, and a time per move");
        }
        if !limit.clock.runs() && limit.movetime == 0 && limit.nodes == 0 && limit.plies == 0 {
            bail!("`{name}` has no limit\nhelp: give `tc=`, `st=`, `nodes=` or `depth=`");
        }
        if self.is_cecp && limit.nodes > 0 {
            bail!("`{name}` has `nodes=`, but `proto=cecp` has no node limit");
        }
        Ok(())
    }
}

/// `MOVES/MINUTES:SECONDS+INCREMENT`, or `inf`.
fn clock(text: &str) -> Result<Clock, Failure> {
    let wrong = |why: &str| {
        Failure::msg(format!(
            "`tc={}`: {why}\nhelp: a time control is written `10+0.1`, `40/60`, `1:30+1` or `inf`",
            shown(text)
        ))
    };
    if text.contains("hg") {
        return Err(wrong("there are no hourglasses"));
    }
    if ["inf", "infinite"].contains(&text) {
        return Ok(Clock::default());
    }
    let mut clock = Clock::default();
    let mut rest = text;
    if let Some((moves, after)) = rest.split_once('/') {
        if !["inf", "infinite"].contains(&moves) {
            let read = moves.parse().ok().filter(|&moves: &i64| moves > 0);
            let read = read.filter(|&moves| moves <= 1000);
            clock.moves = read.ok_or_else(|| wrong("the moves are a number from 1 to 1000"))?;
        }
        rest = after;
    }
    if let Some((time, increment)) = rest.split_once('+') {
        clock.increment =
            duration(increment, 1000).map_err(|_| wrong("no increment in seconds"))?;
        rest = time;
    }
    clock.time = match rest.split_once(':') {
        Some((minutes, seconds)) => {
            let minutes = duration(minutes, 60_000).map_err(|_| wrong("no minutes"))?;
            minutes + duration(seconds, 1000).map_err(|_| wrong("no seconds"))?
        }
        None => duration(rest, 1000).map_err(|_| wrong("no time in seconds"))?,
    };
    Ok(clock)
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
