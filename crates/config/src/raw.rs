//! The config as typed: every table of the file with the position of each value. Reading checks
//! only types. Every key may be absent here; later checks report required keys.
//!
//! Editors show the documentation of a key in this module, through the schema.

use schemars::JsonSchema;
use serde::Deserialize;

use super::adjudication_check::MOST_PLIES;
use super::clock::ClockForm;
use super::form::{Name, Of, Spanned, Time, Whole};
use super::{BookFormat, Exhausted, OpeningOrder};

pub(super) type Text = Spanned<String>;
pub(super) type Number = Spanned<i64>;

/// Records store the nodes of a move in 32 bits.
pub(super) const MOST_NODES: i64 = u32::MAX as i64;
/// More than a thread of any machine searches.
const MOST_NPS: i64 = 1_000_000_000;
/// Maximum depth of a search in plies.
pub(super) const MOST_DEPTH: i64 = 64;

/// `[limits]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "limits", extend(
    "anyOf" = [
        { "required": ["nodes"] },
        { "required": ["depth"] },
        { "required": ["movetime"] },
        { "required": ["clock"] },
    ],
    "dependencies" = {
        "clock": { "not": { "required": ["movetime"] } },
        "first_increment": ["clock"],
        "margin": { "anyOf": [{ "required": ["movetime"] }, { "required": ["clock"] }] },
        "reference_nps": { "anyOf": [{ "required": ["movetime"] }, { "required": ["clock"] }] },
    },
    "if" = { "properties": { "equal_time": { "const": true } }, "required": ["equal_time"] },
    "then" = {
        "required": ["nodes"],
        "not": { "anyOf": [{ "required": ["movetime"] }, { "required": ["clock"] }] },
    },
))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawLimits {
    /// Nodes per move, never overrun; a node is a move made below the root.
    pub(super) nodes: Option<Of<Whole<1, MOST_NODES>>>,
    /// Plies per move.
    pub(super) depth: Option<Of<Whole<1, MOST_DEPTH>>>,
    /// Time per move; excludes `clock`.
    pub(super) movetime: Option<Of<Time>>,
    /// Time per game or per number of moves, and increment per move; excludes `movetime`.
    pub(super) clock: Option<Of<ClockForm>>,
    /// The clock starts with an additional increment, as in fastchess and cutechess.
    pub(super) first_increment: Option<Spanned<bool>>,
    /// Time by which a player may exceed its limit; 50 ms if absent.
    pub(super) margin: Option<Of<Time>>,
    /// Speed in nodes per second, as measured by `leitai bench`, of the machine that the times are
    /// meant for; on other machines the times are scaled.
    pub(super) reference_nps: Option<Of<Whole<1_000, MOST_NPS>>>,
    /// `nodes` applies to the first variant, or in a gate to the baseline; the others get as many
    /// nodes as they search in the same time. The speeds are measured before the first game and
    /// kept in the record.
    pub(super) equal_time: Option<Spanned<bool>>,
}

/// `[openings]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "openings")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawOpenings {
    /// The book: EPD or FEN lines, games in PGN, or lines of moves; `leitai:NAME` is a book
    /// included in the program.
    pub(super) file: Option<Text>,
    /// The format of the file, if its name and its first line do not show it.
    pub(super) format: Option<Of<Name<BookFormat>>>,
    /// Length of the opening in plies, for games or lines of moves; 0 for all.
    pub(super) plies: Option<Of<Whole<0, MOST_PLIES>>>,
    /// The order of the openings, always drawn without replacement; `random` if absent.
    pub(super) order: Option<Of<Name<OpeningOrder>>>,
    /// The first opening to play, counted from 1 in that order.
    pub(super) start: Option<Of<Whole<1, { i64::MAX }>>>,
    /// The behaviour if a pairing needs more openings than the book has: refuse the config
    /// (`error`), play them again (`repeat`), or replace them by other positions at the same depth
    /// (`vary`).
    pub(super) exhausted: Option<Of<Name<Exhausted>>>,
}
