//! Checks of the tables about the tournament as a whole.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::duration::{DurationError, clock, movetime, patience};
use super::problem::{Problem, Problems};
use super::raw::{RawAdjudication, RawDraw, RawLimits, RawOpenings, RawResign, Text};
use super::value::{optional, ranged, setting_or};
use super::{
    Adjudication, BookFormat, DrawRule, Exhausted, Limits, OpeningOrder, Openings, ResignRule,
};
use crate::count::quoted;
use crate::foreign::shown_path;

/// Finds a file that the config names, or says where it has looked.
pub(super) type Find<'f> = &'f dyn Fn(&Path) -> Result<PathBuf, Vec<PathBuf>>;

/// Records keep the nodes of a move in 32 bits.
const MOST_NODES: i64 = u32::MAX as i64;
/// Beyond what a thread of any machine searches.
const MOST_NPS: i64 = 1_000_000_000;
const MOST_PLIES: i64 = 10_000;
const MOST_SCORE: i64 = crate::eval::MATE as i64;

/// `[limits]`: at least one of them.
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
    if nodes.is_none() && depth.is_none() && per_move.is_none() && per_game.is_none() {
        no_limits(raw.span()).report(problems);
    }
    let idle = [
        (
            margin.map(Spanned::span),
            "`margin` without a time to overstep",
        ),
        (
            speed.map(Spanned::span),
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
    let margin = time(margin, "margin", patience, "200ms", problems);
    let per_move = time(per_move, "movetime", movetime, "100ms", problems);
    let per_game = time(per_game, "clock", clock, "10s+0.1s", problems);
    let speeds = 1_000..=MOST_NPS;
    Limits {
        nodes: optional(nodes, "limits.nodes", 1..=MOST_NODES, problems),
        depth: optional(depth, "limits.depth", 1..=64, problems),
        time: per_move.or(per_game),
        margin,
        reference_nps: optional(speed, "limits.reference_nps", speeds, problems),
    }
}

/// The time that the text says, if there is one, written `like` this.
pub(super) fn time<T>(
    text: Option<&Text>,
    key: &str,
    read: fn(&str) -> Result<T, DurationError>,
    like: &str,
    problems: &mut Problems,
) -> Option<T> {
    let text = text?;
    let value = read(text.get_ref()).map_err(|error| {
        Problem::error(text.span(), format!("`{key}` is not a time"))
            .label(error.to_string())
            .help(format!("write it like this: `{key} = \"{like}\"`"))
            .report(problems);
    });
    value.ok()
}

/// Says that nothing bounds a player's thinking.
pub(super) fn no_limits(span: Range<usize>) -> Problem {
    Problem::error(span, "no limits: a player must know when to move").help(
        "give at least one limit under `[limits]`: `nodes = 5000`, `depth = 6`,\n\
         `movetime = \"100ms\"` or `clock = \"10s+0.1s\"`",
    )
}

/// `[openings]`, where `usual` happens after the last unless it says otherwise.
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
    let plies = optional(
        raw.plies.as_ref(),
        "openings.plies",
        0..=MOST_PLIES,
        problems,
    );
    let start = optional(raw.start.as_ref(), "openings.start", 1..=i64::MAX, problems);
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

/// The path of a file that the config names.
pub(super) fn found_file(file: &Text, find: Find, problems: &mut Problems) -> Option<PathBuf> {
    match find(Path::new(file.get_ref())) {
        Ok(path) => Some(path),
        Err(tried) => {
            let tried = tried.iter().map(|path| shown_path(path));
            Problem::error(file.span(), format!("no such file: `{}`", file.get_ref()))
                .help(format!("looked for {}", quoted(tried)))
                .help("paths are relative to the folder of the config")
                .refuse(problems)
        }
    }
}

/// `[adjudication]`
pub(super) fn adjudication(raw: &RawAdjudication, problems: &mut Problems) -> Adjudication {
    let most = raw.max_plies.as_ref();
    Adjudication {
        resign: raw.resign.as_ref().and_then(|rule| resign(rule, problems)),
        draw: raw.draw.as_ref().and_then(|rule| draw(rule, problems)),
        max_plies: optional(most, "adjudication.max_plies", 1..=MOST_PLIES, problems),
    }
}

fn resign(raw: &RawResign, problems: &mut Problems) -> Option<ResignRule> {
    let (scores, plies) = (1..=MOST_SCORE, 1..=MOST_PLIES);
    let score = ranged(&raw.score, "adjudication.resign.score", scores, problems);
    let plies = ranged(&raw.plies, "adjudication.resign.plies", plies, problems);
    Some(ResignRule {
        score: score?,
        plies: plies?,
    })
}

fn draw(raw: &RawDraw, problems: &mut Problems) -> Option<DrawRule> {
    let (scores, plies, after) = (0..=MOST_SCORE, 1..=MOST_PLIES, 0..=MOST_PLIES);
    let score = ranged(&raw.score, "adjudication.draw.score", scores, problems);
    let plies = ranged(&raw.plies, "adjudication.draw.plies", plies, problems);
    let after = ranged(
        &raw.after_ply,
        "adjudication.draw.after_ply",
        after,
        problems,
    );
    Some(DrawRule {
        score: score?,
        plies: plies?,
        after_ply: after?,
    })
}
