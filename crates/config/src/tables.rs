//! Checks of the tables for the whole tournament.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::clock::{ClockForm, clock};
use super::duration::{DurationError, movetime, patience};
use super::form::{Of, Spanned, Time};
use super::problem::{Problem, Problems};
use super::raw::{RawLimits, RawOpenings, Text};
use super::value::{optional, setting_or};
use super::{BookFormat, Clock, Exhausted, Limits, OpeningOrder, Openings, TimeControl};
use leitai_base::count::quoted;
use leitai_base::foreign::shown_path;

/// Finds a file named by the config, or a folder if the path ends with a separator; otherwise
/// returns the paths tried.
pub(super) type Find<'f> = &'f dyn Fn(&Path) -> Result<PathBuf, Vec<PathBuf>>;

/// `[limits]`: at least one limit is required.
pub(super) fn limits(raw: &Spanned<RawLimits>, problems: &mut Problems) -> Limits {
    let fields = raw.get_ref();
    let (per_move, per_game) = (fields.movetime.as_ref(), fields.clock.as_ref());
    let (nodes, depth) = (fields.nodes.as_ref(), fields.depth.as_ref());
    let (margin, speed) = (fields.margin.as_ref(), fields.reference_nps.as_ref());
    if let (Some(per_move), Some(per_game)) = (per_move, per_game) {
        Problem::error(per_game.span(), "`clock` and `movetime` exclude each other")
            .context(per_move.span(), "the other one")
            .help("keep one of the two")
            .report(problems);
    }
    let is_scaled = fields.equal_time.as_ref().is_some_and(|it| *it.get_ref());
    let has_none = nodes.is_none() && depth.is_none() && per_move.is_none() && per_game.is_none();
    // Missing nodes for `equal_time` are reported below.
    if has_none && !is_scaled {
        no_limits(raw.span()).report(problems);
    }
    let idle = [
        (
            margin.map(|it| it.span()),
            "`margin` without a time to overstep",
        ),
        (
            speed.map(|it| it.span()),
            "`reference_nps` without a time to scale",
        ),
    ];
    for (place, what) in idle {
        if let (Some(place), None, None) = (place, per_move, per_game) {
            Problem::error(place, format!("a {what}"))
                .help("remove it, or add `movetime = \"100ms\"` or `clock = \"10s+0.1s\"`")
                .report(problems);
        }
    }
    if let (Some(first), None) = (fields.first_increment.as_ref(), per_game) {
        Problem::error(
            first.span(),
            "`first_increment` without a clock that has one",
        )
        .help("remove it, or add `clock = \"10s+0.1s\"`")
        .report(problems);
    }
    if let Some(place) = fields.equal_time.as_ref().filter(|_| is_scaled) {
        let place = place.span();
        let clash = per_move
            .map(|it| it.span())
            .or(per_game.map(|it| it.span()));
        if nodes.is_none() {
            Problem::error(place, "`equal_time` without nodes to scale")
                .help("add `nodes = 20000`: those of the first variant")
                .report(problems);
        } else if let Some(other) = clash {
            Problem::error(place, "`equal_time` beside a time")
                .context(other, "the time")
                .help("remove one of them: `equal_time` scales `nodes`, so that no clock is needed")
                .report(problems);
        }
    }
    let margin = time(margin, "margin", patience, "200ms", problems);
    let per_move = time(per_move, "movetime", movetime, "100ms", problems);
    let per_game = per_game.and_then(|text| clock_of(text, problems));
    let first_increment = fields.first_increment.as_ref();
    let first_increment = first_increment.is_some_and(|it| *it.get_ref());
    let per_game = per_game.map(|clock| {
        TimeControl::Clock(Clock {
            first_increment,
            ..clock
        })
    });
    Limits {
        nodes: optional(nodes, "limits.nodes", problems),
        depth: optional(depth, "limits.depth", problems),
        time: per_move.or(per_game),
        margin,
        reference_nps: optional(speed, "limits.reference_nps", problems),
        equal_time: is_scaled,
    }
}

/// The time in the text, if any; `like` is an example for the message.
pub(super) fn time<T>(
    text: Option<&Of<Time>>,
    key: &str,
    read: fn(&str) -> Result<T, DurationError>,
    like: &str,
    problems: &mut Problems,
) -> Option<T> {
    let text = text?;
    let value = read(text.get_ref()).map_err(|error| {
        no_time(text.span(), key, error)
            .help(format!("write it like this: `{key} = \"{like}\"`"))
            .report(problems);
    });
    value.ok()
}

/// Reads the clock in the text.
fn clock_of(text: &Of<ClockForm>, problems: &mut Problems) -> Option<Clock> {
    let typed = &text.get_ref().0;
    let value = clock(typed).map_err(|error| {
        if let DurationError::Ambiguous {
            base, increment, ..
        } = error
        {
            let moves = typed.rsplit_once('/').map_or("", |(moves, _)| moves.trim());
            let moves = if moves.is_empty() {
                String::new()
            } else {
                format!("{moves}/")
            };
            let minutes = typed.rsplit('/').next().unwrap_or(typed).trim();
            return Problem::error(text.span(), "an ambiguous `clock`")
                .label(error.to_string())
                .help(format!(
                    "write `clock = \"{moves}{minutes}+0\"` for minutes and seconds without an \
                     increment,\nor `clock = \"{moves}{base:?}+{}\"` for an increment",
                    if increment.is_zero() {
                        "0s".to_owned()
                    } else {
                        format!("{increment:?}")
                    }
                ))
                .report(problems);
        }
        no_time(text.span(), "clock", error)
            .help(
                "write it like this: `clock = \"10s+0.1s\"`, in seconds `\"10+0.1\"`, in minutes \
                 and\nseconds `\"1:30+0.5\"`; for every 40 moves `\"40/60s+0.6s\"`",
            )
            .report(problems);
    });
    value.ok()
}

fn no_time(span: Range<usize>, key: &str, error: DurationError) -> Problem {
    Problem::error(span, format!("`{key}` is not a time")).label(error.to_string())
}

/// The error for a player without limits.
pub(super) fn no_limits(span: Range<usize>) -> Problem {
    Problem::error(span, "no limits: a player must know when to move").help(
        "give at least one limit under `[limits]`: `nodes = 5000`, `depth = 6`,\n\
         `movetime = \"100ms\"` or `clock = \"10s+0.1s\"`",
    )
}

/// `[openings]`, where `usual` is the default of `exhausted`.
pub(super) fn openings(
    raw: &RawOpenings,
    usual: Exhausted,
    find: Find,
    problems: &mut Problems,
) -> Openings {
    let file = raw.file.as_ref();
    let file = file.and_then(|file| found_file(file, find, problems));
    let format = raw.format.as_ref();
    let format =
        format.and_then(|it| setting_or(Some(it), BookFormat::Epd, "format of a book", problems));
    let plies: Option<usize> = optional(raw.plies.as_ref(), "openings.plies", problems);
    let start = optional(raw.start.as_ref(), "openings.start", problems);
    let order = OpeningOrder::default();
    let order = setting_or(raw.order.as_ref(), order, "order of openings", problems);
    let end = raw.exhausted.as_ref();
    let exhausted = setting_or(end, usual, "value of `exhausted`", problems);
    Openings {
        file,
        format,
        plies: plies.filter(|plies| *plies > 0),
        order: order.unwrap_or_default(),
        start: start.unwrap_or(1),
        exhausted: exhausted.unwrap_or(usual),
        former: Vec::new(),
    }
}

/// The path of a file named by the config.
pub(super) fn found_file(file: &Text, find: Find, problems: &mut Problems) -> Option<PathBuf> {
    let found = find(Path::new(file.get_ref()));
    let missing = |tried: Vec<PathBuf>| {
        not_there(file.span(), "file", file.get_ref(), &tried).report(problems);
    };
    found.map_err(missing).ok()
}

/// The error for a missing file or folder.
pub(super) fn not_there(span: Range<usize>, what: &str, path: &str, tried: &[PathBuf]) -> Problem {
    let tried = tried.iter().map(|path| shown_path(path));
    Problem::error(span, format!("no such {what}: `{path}`"))
        .help(format!("looked for {}", quoted(tried)))
        .help("paths are relative to the folder of the config")
}
