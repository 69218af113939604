//! `[adjudication]`: when a game is ended early.

use std::env::split_paths;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::problem::{Problem, Problems};
use super::raw::{Number, Text};
use super::tables::{Find, not_there};
use super::value::{choice, optional, ranged, setting_or};
use super::{
    Adjudication, DrawReset, DrawRule, DrawStart, EndgameTables, GameChoice, ResignBy, ResignRule,
    TableResults,
};
use crate::card::OpenTables;
use crate::foreign::raw_path;

pub(super) const MOST_PLIES: i64 = 10_000;
const MOST_SCORE: i64 = crate::eval::MATE as i64;
/// With two pieces nobody can win, and no tables have more than seven.
const PIECES: std::ops::RangeInclusive<i64> = 3..=7;

/// `[adjudication]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawAdjudication {
    preset: Option<Text>,
    resign: Option<RawResign>,
    draw: Option<Spanned<RawDraw>>,
    max_plies: Option<Number>,
    syzygy: Option<Spanned<RawSyzygy>>,
}

/// `adjudication.resign`
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ score = 900, plies = 6 }`"
)]
struct RawResign {
    score: Number,
    plies: Number,
    by: Option<Text>,
}

/// `adjudication.draw`
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ score = 15, plies = 16, after_ply = 80 }`"
)]
struct RawDraw {
    score: Number,
    plies: Number,
    after_ply: Option<Number>,
    after_move: Option<Number>,
    reset: Option<Text>,
}

/// `[adjudication.syzygy]`
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ path = \"syzygy\" }`"
)]
struct RawSyzygy {
    path: Text,
    pieces: Option<Number>,
    fifty: Option<bool>,
    results: Option<Text>,
}

/// Rules that are known by a name.
#[derive(Clone, Copy)]
struct Preset {
    resign: ResignRule,
    draw: DrawRule,
}

impl Preset {
    const fn new(resign: (i32, u32, ResignBy), draw: (i32, u32, u32)) -> Self {
        Self {
            resign: ResignRule {
                score: resign.0,
                plies: resign.1,
                by: resign.2,
            },
            draw: DrawRule {
                score: draw.0,
                plies: draw.1,
                start: DrawStart::AfterMove(draw.2),
                reset: DrawReset::Irreversible,
            },
        }
    }
}

/// What tournaments and test servers end games by, in hundredths of a pawn: both players
/// for the one, the loser alone for the others, who count draws in moves of both.
const PRESETS: [(&str, Preset); 4] = [
    ("tcec", Preset::new((1000, 10, ResignBy::Both), (8, 10, 35))),
    ("tcec-6", Preset::new((650, 8, ResignBy::Both), (5, 10, 40))),
    (
        "fishtest",
        Preset::new((600, 3, ResignBy::Loser), (20, 16, 34)),
    ),
    (
        "openbench",
        Preset::new((400, 3, ResignBy::Loser), (10, 16, 40)),
    ),
];

/// `[adjudication]` in a config of that game.
pub(super) fn adjudication(
    raw: &RawAdjudication,
    game: Option<GameChoice>,
    find: Find,
    problems: &mut Problems,
) -> Adjudication {
    let most = raw.max_plies.as_ref();
    let preset = raw.preset.as_ref();
    let named = preset.and_then(|name| choice(name, "preset", &PRESETS, problems));
    let resign = match &raw.resign {
        Some(rule) => resign(rule, problems),
        None => named.map(|preset| preset.resign),
    };
    let draw = match &raw.draw {
        Some(rule) => draw(rule, problems),
        None => named.map(|preset| preset.draw),
    };
    let counted = raw.draw.as_ref().map_or(preset.map(Text::span), |rule| {
        rule.get_ref().after_move.as_ref().map(Number::span)
    });
    if let (
        Some(place),
        Some(DrawRule {
            start: DrawStart::AfterMove(number),
            ..
        }),
    ) = (counted, draw)
    {
        check_counts_moves(place, number, game, problems);
    }
    let tables = raw.syzygy.as_ref();
    Adjudication {
        resign,
        draw,
        max_plies: optional(most, "adjudication.max_plies", 1..=MOST_PLIES, problems),
        syzygy: tables.and_then(|tables| syzygy(tables, game, find, problems)),
    }
}

/// Refuses a number of a move where positions do not tell it.
fn check_counts_moves(
    place: Range<usize>,
    number: u32,
    game: Option<GameChoice>,
    problems: &mut Problems,
) {
    let counts = |game: GameChoice| game.card.initial().move_number().is_some();
    if let Some(game) = game.filter(|&game| !counts(game)) {
        let plies = 2 * u64::from(number);
        Problem::error(
            place,
            format!("the positions of {} do not count moves", game.name()),
        )
        .label(format!("draws would begin after move {number}"))
        .help(format!(
            "count the plies from the opening: `draw = {{ …, after_ply = {plies} }}`"
        ))
        .report(problems);
    }
}

fn resign(raw: &RawResign, problems: &mut Problems) -> Option<ResignRule> {
    let (scores, plies) = (1..=MOST_SCORE, 1..=MOST_PLIES);
    let score = ranged(&raw.score, "adjudication.resign.score", scores, problems);
    let plies = ranged(&raw.plies, "adjudication.resign.plies", plies, problems);
    let by = raw.by.as_ref();
    let by = setting_or(by, ResignBy::default(), "value of `by`", problems);
    Some(ResignRule {
        score: score?,
        plies: plies?,
        by: by?,
    })
}

fn draw(raw: &Spanned<RawDraw>, problems: &mut Problems) -> Option<DrawRule> {
    let (place, raw) = (raw.span(), raw.get_ref());
    let (scores, plies) = (0..=MOST_SCORE, 1..=MOST_PLIES);
    let score = ranged(&raw.score, "adjudication.draw.score", scores, problems);
    let plies = ranged(&raw.plies, "adjudication.draw.plies", plies, problems);
    let start = draw_start(place, raw, problems);
    let reset = raw.reset.as_ref();
    let reset = setting_or(reset, DrawReset::default(), "value of `reset`", problems);
    Some(DrawRule {
        score: score?,
        plies: plies?,
        start: start?,
        reset: reset?,
    })
}

/// One of the two ways to say from where on draws count.
fn draw_start(place: Range<usize>, raw: &RawDraw, problems: &mut Problems) -> Option<DrawStart> {
    let range = 0..=MOST_PLIES;
    match (&raw.after_ply, &raw.after_move) {
        (Some(ply), None) => {
            let ply = ranged(ply, "adjudication.draw.after_ply", range, problems);
            ply.map(DrawStart::AfterPly)
        }
        (None, Some(number)) => {
            let number = ranged(number, "adjudication.draw.after_move", range, problems);
            number.map(DrawStart::AfterMove)
        }
        (Some(ply), Some(number)) => Problem::error(
            number.span(),
            "`after_ply` and `after_move` exclude each other",
        )
        .context(ply.span(), "the other one")
        .help("keep one of the two")
        .refuse(problems),
        (None, None) => Problem::error(place, "a rule of draws that does not say from where on")
            .help(
                "add `after_ply = 80` (plies from the opening), or `after_move = 34` (the number \
                 of the move as positions count them)",
            )
            .refuse(problems),
    }
}

/// `[adjudication.syzygy]`
fn syzygy(
    raw: &Spanned<RawSyzygy>,
    game: Option<GameChoice>,
    find: Find,
    problems: &mut Problems,
) -> Option<EndgameTables> {
    let (place, raw) = (raw.span(), raw.get_ref());
    let pieces = raw.pieces.as_ref();
    let pieces = optional(pieces, "adjudication.syzygy.pieces", PIECES, problems);
    let results = raw.results.as_ref();
    let results = setting_or(
        results,
        TableResults::default(),
        "value of `results`",
        problems,
    );
    if let Some(game) = game.filter(|game| !game.card.has_tables()) {
        let message = format!("{} has no tables of endgames", game.name());
        return Problem::error(place, message)
            .help("remove `[adjudication.syzygy]`")
            .refuse(problems);
    }
    Some(EndgameTables {
        folders: folders(&raw.path, find, problems)?,
        pieces,
        fifty: raw.fifty.unwrap_or(true),
        results: results?,
        found: None,
        opened: OpenTables::default(),
    })
}

/// The folders of a list as the variable `PATH` has it; all of them must be there.
fn folders(paths: &Text, find: Find, problems: &mut Problems) -> Option<Vec<PathBuf>> {
    let named: Vec<PathBuf> = split_paths(paths.get_ref())
        .filter(|path| !path.as_os_str().is_empty())
        .collect();
    if named.is_empty() {
        return Problem::error(paths.span(), "`adjudication.syzygy.path` is empty")
            .help("name the folder with the files of the tables, such as `path = \"syzygy\"`")
            .refuse(problems);
    }
    let mut found = Vec::new();
    for path in &named {
        match find(&path.join("")) {
            Ok(path) => found.push(bare(&path)),
            Err(tried) => {
                let tried: Vec<PathBuf> = tried.iter().map(|path| bare(path)).collect();
                not_there(paths.span(), "folder", &raw_path(path), &tried).report(problems);
            }
        }
    }
    (found.len() == named.len()).then_some(found)
}

/// A path without a separator at its end.
fn bare(path: &Path) -> PathBuf {
    path.components().collect()
}

#[cfg(test)]
mod tests;
