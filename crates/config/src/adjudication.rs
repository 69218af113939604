//! Rules for ending games early.

use std::env::split_paths;
use std::ops::Range;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::files::{Find, not_there};
use super::problem::{Problem, Problems};
use super::values::{MAX_PLIES, Name, Of, Spanned, Text, Whole, ranged, setting, setting_or};
use leitai_base::foreign::raw_path;
use leitai_base::settings::choice;
use leitai_game::Verdict;
use leitai_game::card::{GameChoice, OpenTables};
use leitai_game::eval::{MATE, MAX_EVAL};

/// Rules for ending games early. Scores are those of the players.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Adjudication {
    /// Ends a game as lost for a side that was far behind for a number of plies.
    pub resign: Option<ResignRule>,
    /// Ends a game as drawn if both players saw it level for a number of plies.
    pub draw: Option<DrawRule>,
    /// Ends a game as drawn after this number of plies from the opening, at least 1.
    pub max_plies: Option<u32>,
    /// Ends a game with the result from endgame tables. Part of the resolved form only if set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<EndgameTables>,
}

impl Adjudication {
    /// Returns whether tables are configured but not opened.
    pub fn lacks_tables(&self) -> bool {
        let tables = self.syzygy.as_ref();
        tables.is_some_and(|tables| !tables.opened.are_there())
    }

    /// Takes the digest of the tables from the resolved form of a recorded run.
    pub fn recall(&mut self, resolved: &serde_json::Value) {
        if let Some(tables) = &mut self.syzygy {
            tables.found = Option::deserialize(&resolved["syzygy"]["found"]).unwrap_or_default();
        }
    }
}

/// A side loses after `plies` consecutive scores at or below minus `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ResignRule {
    /// Evaluation units, above 0. A mate against the side counts as lower than any score.
    pub score: i32,
    /// Consecutive plies, at least 1: of the game if both players must agree, otherwise of the
    /// loser.
    pub plies: u32,
    /// The players whose scores count. Part of the resolved form only if it is not the usual value.
    #[serde(skip_serializing_if = "is_usual")]
    pub by: ResignBy,
}

choice! {
    /// The players whose scores end a game.
    #[derive(Default)]
    pub enum ResignBy {
        /// Both players agree at each ply which side is ahead.
        #[default]
        Both = "both",
        /// Only the loser's own scores count.
        Loser = "loser",
        /// Both players' scores are far from level, in favour of either side, and the mover sees
        /// itself behind: the two-sided rule of fastchess.
        Far = "far",
    }
}

/// Both players' scores stay within plus or minus `score` for `plies`
/// consecutive plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DrawRule {
    /// Evaluation units, at least 0.
    pub score: i32,
    /// Consecutive plies of the game by both players, at least 1.
    pub plies: u32,
    /// The earliest point for an adjudicated draw.
    #[serde(flatten)]
    pub start: DrawStart,
    /// The events that restart the count of plies. Part of the resolved form only if it is not the
    /// usual value.
    #[serde(skip_serializing_if = "is_usual")]
    pub reset: DrawReset,
}

/// The earliest point for an adjudicated draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawStart {
    /// This number of plies after the opening.
    AfterPly(u32),
    /// After both sides have made the move of this number, as counted in the texts of positions.
    AfterMove(u32),
}

choice! {
    /// The events, other than scores that are not level, that restart the count of a draw.
    #[derive(Default)]
    pub enum DrawReset {
        /// No other event.
        #[default]
        Never = "never",
        /// A move after which no earlier position can repeat (see
        /// [`Position::reversible_plies`](leitai_game::Position::reversible_plies)): its ply counts
        /// as the first.
        Irreversible = "irreversible",
    }
}

/// Endgame tables and the settings for looking up results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndgameTables {
    /// The folders with the table files, resolved from the config's folder. Not part of the
    /// resolved form, which depends only on the contents of the files.
    #[serde(skip)]
    pub folders: Vec<PathBuf>,
    /// Maximum number of pieces on the board, kings included, for a lookup; `None` for the maximum
    /// of the files.
    pub pieces: Option<u32>,
    /// True if a win that takes longer than the rule against moves without progress allows is a
    /// draw.
    pub fifty: bool,
    /// The results that end a game.
    pub results: TableResults,
    /// A hash of the tables; `None` until they are opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The opened tables, if the config is for playing games.
    #[serde(skip)]
    pub opened: OpenTables,
}

choice! {
    /// The table results that end a game.
    #[derive(Default)]
    pub enum TableResults {
        /// All games.
        #[default]
        All = "all",
        /// Wins of either side.
        Wins = "wins",
        /// Draws.
        Draws = "draws",
    }
}

impl TableResults {
    /// Returns whether a game with this result in the tables ends.
    pub fn include(self, verdict: Verdict) -> bool {
        match self {
            Self::All => true,
            Self::Wins => verdict.winner.is_some(),
            Self::Draws => verdict.winner.is_none(),
        }
    }
}

fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

const MAX_SCORE: i64 = MATE as i64;

/// `[adjudication]`
#[derive(Deserialize, JsonSchema)]
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
    /// Number of plies after which a game is drawn; 10,000 without this key.
    max_plies: Option<Of<Whole<1, MAX_PLIES>>>,
    /// Endgame tables that end games of chess.
    syzygy: Option<Spanned<RawSyzygy>>,
}

/// `adjudication.resign`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "resign")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ score = 900, plies = 6 }`"
)]
struct RawResign {
    /// The deficit in units of the players' scores.
    score: Of<Whole<1, MAX_SCORE>>,
    /// Number of consecutive plies.
    plies: Of<Whole<1, MAX_PLIES>>,
    /// The players who must agree: both (if absent), or the loser alone.
    by: Option<Of<Name<ResignBy>>>,
}

/// `adjudication.draw`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "draw")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ score = 15, plies = 16, after_ply = 80 }`"
)]
struct RawDraw {
    /// Maximum distance from a level score, in units of the players' scores.
    score: Of<Whole<0, MAX_SCORE>>,
    /// Number of consecutive plies.
    plies: Of<Whole<1, MAX_PLIES>>,
    /// The first ply that counts, from the opening.
    after_ply: Option<Of<Whole<0, MAX_PLIES>>>,
    /// The first move number that counts, as in the texts of positions.
    after_move: Option<Of<Whole<0, MAX_PLIES>>>,
    /// The events that restart the count: no others (`never`, if absent), or captures and pawn
    /// moves too.
    reset: Option<Of<Name<DrawReset>>>,
}

/// `[adjudication.syzygy]`
#[derive(Deserialize, JsonSchema)]
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

impl PresetName {
    /// The adjudication rules of tournaments and test servers, in hundredths of a pawn. TCEC
    /// requires both players to agree; the test servers use the loser's scores only, and count
    /// draws in moves of both players.
    fn rules(self) -> (ResignRule, DrawRule) {
        use ResignBy::{Both, Loser};
        let (score, plies, by, draw_score, draw_plies, number) = match self {
            Self::Tcec => (1000, 10, Both, 8, 10, 35),
            Self::Tcec6 => (650, 8, Both, 5, 10, 40),
            Self::Fishtest => (600, 3, Loser, 20, 16, 34),
            Self::Openbench => (400, 3, Loser, 10, 16, 40),
        };
        let draw = DrawRule {
            score: draw_score,
            plies: draw_plies,
            start: DrawStart::AfterMove(number),
            reset: DrawReset::Irreversible,
        };
        (ResignRule { score, plies, by }, draw)
    }
}

/// The position and value of the maximum number of plies, if any.
type Longest = Option<(Range<usize>, u32)>;

/// Checks `[adjudication]` in a config of this game.
pub(super) fn adjudication(
    raw: &RawAdjudication,
    game: Option<GameChoice>,
    find: Find,
    problems: &mut Problems,
) -> Adjudication {
    let max_plies = ranged(&raw.max_plies, "adjudication.max_plies", problems);
    let longest = raw.max_plies.as_ref().map(Of::span).zip(max_plies);
    let preset = raw.preset.as_ref();
    let preset = preset.and_then(|name| {
        let preset = setting(name, "preset", problems)?;
        Some((name.span(), preset.rules()))
    });
    let resign = match &raw.resign {
        Some(rule) => resign(rule, &longest, problems),
        None => preset.as_ref().map(|(_, (resign, _))| *resign),
    };
    let draw = match (&raw.draw, preset) {
        (Some(rule), _) => draw(rule, game, &longest, problems),
        (None, Some((place, (_, draw)))) => {
            check_counts_moves(place, draw.start, game, problems);
            Some(draw)
        }
        (None, None) => None,
    };
    let tables = raw.syzygy.as_ref();
    Adjudication {
        resign,
        draw,
        max_plies,
        syzygy: tables.and_then(|tables| syzygy(tables, game, find, problems)),
    }
}

/// Warns of a rule that needs more plies than the longest game has.
fn check_reach(place: Range<usize>, needed: u32, longest: &Longest, problems: &mut Problems) {
    if let Some((limit, most)) = longest
        && needed > *most
    {
        Problem::warning(place, "this rule never ends a game")
            .label(format!("it needs {needed} plies"))
            .context(limit.clone(), format!("games end after {most}"))
            .help("raise `max_plies`, or lower this number")
            .report(problems);
    }
}

/// Refuses a move number if the game's positions do not count moves.
fn check_counts_moves(
    place: Range<usize>,
    start: DrawStart,
    game: Option<GameChoice>,
    problems: &mut Problems,
) {
    if let (DrawStart::AfterMove(number), Some(game)) = (start, game)
        && game.card.initial().move_number().is_none()
    {
        let message = format!("the positions of {} do not count moves", game.name());
        let plies = 2 * u64::from(number);
        Problem::error(place, message)
            .label(format!("draws would begin after move {number}"))
            .help(format!(
                "count the plies from the opening: `draw = {{ …, after_ply = {plies} }}`"
            ))
            .report(problems);
    }
}

fn resign(raw: &RawResign, longest: &Longest, problems: &mut Problems) -> Option<ResignRule> {
    let score = ranged(&raw.score, "adjudication.resign.score", problems);
    let plies = ranged(&raw.plies, "adjudication.resign.plies", problems);
    let by = setting_or(&raw.by, ResignBy::default(), "value of `by`", problems);
    let (score, plies) = (score?, plies?);
    if score > MAX_EVAL {
        Problem::warning(raw.score.span(), format!("this score counts as {MAX_EVAL}"))
            .label("Leitai caps scores at this limit; mates meet every threshold")
            .help(format!(
                "write `score = {MAX_EVAL}`, or a usual threshold, such as 900"
            ))
            .report(problems);
    }
    let needed = match by {
        ResignBy::Both | ResignBy::Far => plies,
        ResignBy::Loser => 2 * plies - 1,
    };
    check_reach(raw.plies.span(), needed, longest, problems);
    Some(ResignRule { score, plies, by })
}

fn draw(
    raw: &Spanned<RawDraw>,
    game: Option<GameChoice>,
    longest: &Longest,
    problems: &mut Problems,
) -> Option<DrawRule> {
    let (place, raw) = (raw.span(), raw.get_ref());
    let score = ranged(&raw.score, "adjudication.draw.score", problems);
    let plies = ranged(&raw.plies, "adjudication.draw.plies", problems);
    let start = match (&raw.after_ply, &raw.after_move) {
        (Some(ply), None) => {
            let ply = ranged(ply, "adjudication.draw.after_ply", problems);
            ply.map(DrawStart::AfterPly)
        }
        (None, Some(number)) => {
            let number = ranged(number, "adjudication.draw.after_move", problems);
            number.map(DrawStart::AfterMove)
        }
        (Some(ply), Some(number)) => {
            Problem::exclusive(["after_ply", "after_move"], number.span(), ply.span())
                .refuse(problems)
        }
        (None, None) => Problem::error(place, "a draw rule without a start")
            .help(
                "add `after_ply = 80` (plies from the opening), or `after_move = 34` (the number \
                 of the move as positions count them)",
            )
            .refuse(problems),
    };
    let reset = DrawReset::default();
    let rule = DrawRule {
        reset: setting_or(&raw.reset, reset, "value of `reset`", problems),
        score: score?,
        plies: plies?,
        start: start?,
    };
    if rule.score >= MAX_EVAL {
        Problem::warning(raw.score.span(), "every score except a mate is level")
            .label(format!("scores from {MAX_EVAL} on count as mates"))
            .help("write the highest score of a level game, such as `score = 15`")
            .report(problems);
    }
    check_reach(raw.plies.span(), rule.plies, longest, problems);
    match (&raw.after_ply, &raw.after_move, rule.start) {
        (Some(place), _, DrawStart::AfterPly(ply)) => {
            check_reach(place.span(), ply, longest, problems);
        }
        (_, Some(place), start) => check_counts_moves(place.span(), start, game, problems),
        _ => {}
    }
    Some(rule)
}

/// Checks `[adjudication.syzygy]`.
fn syzygy(
    raw: &Spanned<RawSyzygy>,
    game: Option<GameChoice>,
    find: Find,
    problems: &mut Problems,
) -> Option<EndgameTables> {
    let (place, raw) = (raw.span(), raw.get_ref());
    let pieces = ranged(&raw.pieces, "adjudication.syzygy.pieces", problems);
    let results = TableResults::default();
    let results = setting_or(&raw.results, results, "value of `results`", problems);
    if let Some(game) = game.filter(|game| !game.card.facts().has_tables) {
        let message = format!("{} has no endgame tables", game.name());
        return Problem::error(place, message)
            .help("remove `[adjudication.syzygy]`")
            .refuse(problems);
    }
    Some(EndgameTables {
        folders: folders(&raw.path, find, problems)?,
        pieces,
        fifty: raw.fifty.unwrap_or(true),
        results,
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
