//! `[adjudication]`: rules for ending games early.

use std::env::split_paths;
use std::ops::Range;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use super::form::{Name, Of, Spanned, Whole};
use super::problem::{Problem, Problems};
use super::raw::Text;
use super::tables::{Find, not_there};
use super::value::{optional, ranged, setting_or};
use super::{
    Adjudication, DrawReset, DrawRule, DrawStart, EndgameTables, GameChoice, ResignBy, ResignRule,
    TableResults,
};
use leitai_base::foreign::raw_path;
use leitai_base::settings::choice;
use leitai_game::card::OpenTables;
use leitai_game::eval::{MATE, MAX_EVAL};

pub(super) const MOST_PLIES: i64 = 10_000;
const MOST_SCORE: i64 = MATE as i64;

/// `[adjudication]`
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "adjudication")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawAdjudication {
    /// The `resign` and `draw` rules of a tournament or test server; a rule given next to it
    /// replaces the preset's.
    preset: Option<Of<Name<PresetName>>>,
    /// Ends a game as lost for a side that is seen far behind.
    resign: Option<RawResign>,
    /// Ends a game as drawn if both players see it level.
    draw: Option<Spanned<RawDraw>>,
    /// Number of plies after which a game is drawn.
    max_plies: Option<Of<Whole<1, MOST_PLIES>>>,
    /// Endgame tables that end games of chess.
    syzygy: Option<Spanned<RawSyzygy>>,
}

/// `adjudication.resign`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "resign")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ score = 900, plies = 6 }`"
)]
struct RawResign {
    /// The deficit in units of the players' scores.
    score: Of<Whole<1, MOST_SCORE>>,
    /// Number of consecutive plies.
    plies: Of<Whole<1, MOST_PLIES>>,
    /// The players who must agree: both (if absent), or the loser alone.
    by: Option<Of<Name<ResignBy>>>,
}

/// `adjudication.draw`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "draw", extend(
    "oneOf" = [{ "required": ["after_ply"] }, { "required": ["after_move"] }],
))]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ score = 15, plies = 16, after_ply = 80 }`"
)]
struct RawDraw {
    /// Maximum distance from a level score, in units of the players' scores.
    score: Of<Whole<0, MOST_SCORE>>,
    /// Number of consecutive plies.
    plies: Of<Whole<1, MOST_PLIES>>,
    /// The first ply that counts, from the opening.
    after_ply: Option<Of<Whole<0, MOST_PLIES>>>,
    /// The first move number that counts, as in the texts of positions.
    after_move: Option<Of<Whole<0, MOST_PLIES>>>,
    /// The events that restart the count: no others (`never`, if absent), or captures and pawn
    /// moves too.
    reset: Option<Of<Name<DrawReset>>>,
}

/// `[adjudication.syzygy]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "syzygy")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ path = \"syzygy\" }`"
)]
struct RawSyzygy {
    /// The folders with the `*.rtbw` files, separated as in `PATH`.
    path: Text,
    /// Maximum number of pieces, kings included, for a lookup; the maximum of the files if absent.
    // No side can win with two pieces, and no tables have more than seven.
    pieces: Option<Of<Whole<3, 7>>>,
    /// True if a win that takes more than 50 moves without a capture or a pawn move is a draw; true
    /// if absent.
    fifty: Option<bool>,
    /// The table results that end a game; `all` if absent.
    results: Option<Of<Name<TableResults>>>,
}

choice! {
    /// The name of an adjudication preset.
    enum PresetName {
        /// TCEC, since its season 7.
        Tcec = "tcec",
        /// TCEC, season 6.
        Tcec6 = "tcec-6",
        /// Stockfish's test server.
        Fishtest = "fishtest",
        /// OpenBench.
        Openbench = "openbench",
    }
}

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

impl PresetName {
    /// The adjudication rules of tournaments and test servers, in hundredths of a pawn. TCEC
    /// requires both players to agree; the test servers use the loser's scores only, and count
    /// draws in moves of both players.
    fn preset(self) -> Preset {
        match self {
            Self::Tcec => Preset::new((1000, 10, ResignBy::Both), (8, 10, 35)),
            Self::Tcec6 => Preset::new((650, 8, ResignBy::Both), (5, 10, 40)),
            Self::Fishtest => Preset::new((600, 3, ResignBy::Loser), (20, 16, 34)),
            Self::Openbench => Preset::new((400, 3, ResignBy::Loser), (10, 16, 40)),
        }
    }
}

/// Checks `[adjudication]` in a config of this game.
pub(super) fn adjudication(
    raw: &RawAdjudication,
    game: Option<GameChoice>,
    find: Find,
    problems: &mut Problems,
) -> Adjudication {
    let most = raw.max_plies.as_ref();
    let preset = raw.preset.as_ref();
    let named = preset.and_then(|name| {
        let name = setting_or(Some(name), PresetName::Tcec, "preset", problems);
        name.map(PresetName::preset)
    });
    let resign = match &raw.resign {
        Some(rule) => resign(rule, problems),
        None => named.map(|preset| preset.resign),
    };
    let draw = match &raw.draw {
        Some(rule) => draw(rule, problems),
        None => named.map(|preset| preset.draw),
    };
    let counted = raw
        .draw
        .as_ref()
        .map_or(preset.map(|it| it.span()), |rule| {
            rule.get_ref().after_move.as_ref().map(|it| it.span())
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
    let max_plies = optional(most, "adjudication.max_plies", problems);
    let longest = most.map(|most| most.span()).zip(max_plies);
    if let (Some(typed), Some(rule)) = (&raw.resign, resign) {
        resign_warnings(typed, rule, longest.clone(), problems);
    }
    if let (Some(typed), Some(rule)) = (&raw.draw, draw) {
        draw_warnings(typed.get_ref(), rule, longest, problems);
    }
    let tables = raw.syzygy.as_ref();
    Adjudication {
        resign,
        draw,
        max_plies,
        syzygy: tables.and_then(|tables| syzygy(tables, game, find, problems)),
    }
}

/// Warns of a rule that needs more plies than the longest game has.
fn too_late(
    place: Range<usize>,
    needed: u32,
    longest: Option<(Range<usize>, u32)>,
    problems: &mut Problems,
) {
    let Some((limit, most)) = longest.filter(|(_, most)| needed > *most) else {
        return;
    };
    Problem::warning(place, "this rule never ends a game")
        .label(format!("it needs {needed} plies"))
        .context(limit, format!("games end after {most}"))
        .help("raise `max_plies`, or lower this number")
        .report(problems);
}

/// Warns of a resignation rule whose score or number of plies is unreachable.
fn resign_warnings(
    raw: &RawResign,
    rule: ResignRule,
    longest: Option<(Range<usize>, u32)>,
    problems: &mut Problems,
) {
    if rule.score > MAX_EVAL {
        Problem::warning(raw.score.span(), format!("this score counts as {MAX_EVAL}"))
            .label("Leitai caps scores at this limit; mates meet every threshold")
            .help(format!(
                "write `score = {MAX_EVAL}`, or a usual threshold, such as 900"
            ))
            .report(problems);
    }
    let needed = match rule.by {
        ResignBy::Both => rule.plies,
        ResignBy::Loser => 2 * rule.plies - 1,
    };
    too_late(raw.plies.span(), needed, longest, problems);
}

/// Warns of a draw rule that includes every score, or whose plies are unreachable.
fn draw_warnings(
    raw: &RawDraw,
    rule: DrawRule,
    longest: Option<(Range<usize>, u32)>,
    problems: &mut Problems,
) {
    if rule.score >= MAX_EVAL {
        Problem::warning(raw.score.span(), "every score but a mate is level")
            .label(format!("scores from {MAX_EVAL} on count as mates"))
            .help("write the highest score of a level game, such as `score = 15`")
            .report(problems);
    }
    too_late(raw.plies.span(), rule.plies, longest.clone(), problems);
    if let (Some(place), DrawStart::AfterPly(ply)) = (&raw.after_ply, rule.start) {
        too_late(place.span(), ply, longest, problems);
    }
}

/// Refuses a move number if the game's positions do not count moves.
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
    let score = ranged(&raw.score, "adjudication.resign.score", problems);
    let plies = ranged(&raw.plies, "adjudication.resign.plies", problems);
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
    let score = ranged(&raw.score, "adjudication.draw.score", problems);
    let plies = ranged(&raw.plies, "adjudication.draw.plies", problems);
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

/// Reads one of the two keys for the start of draws.
fn draw_start(place: Range<usize>, raw: &RawDraw, problems: &mut Problems) -> Option<DrawStart> {
    match (&raw.after_ply, &raw.after_move) {
        (Some(ply), None) => {
            let ply = ranged(ply, "adjudication.draw.after_ply", problems);
            ply.map(DrawStart::AfterPly)
        }
        (None, Some(number)) => {
            let number = ranged(number, "adjudication.draw.after_move", problems);
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

/// Checks `[adjudication.syzygy]`.
fn syzygy(
    raw: &Spanned<RawSyzygy>,
    game: Option<GameChoice>,
    find: Find,
    problems: &mut Problems,
) -> Option<EndgameTables> {
    let (place, raw) = (raw.span(), raw.get_ref());
    let pieces = raw.pieces.as_ref();
    let pieces = optional(pieces, "adjudication.syzygy.pieces", problems);
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

/// The folders of a list in the form of `PATH`; all of them must exist.
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

/// A path without a trailing separator.
fn bare(path: &Path) -> PathBuf {
    path.components().collect()
}

#[cfg(test)]
mod tests;
