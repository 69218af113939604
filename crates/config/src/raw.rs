//! The config as typed: every table of the file with the place of each value,
//! and no judgement but that of types. Every key may be absent; what may not
//! is said by the checks.
//!
//! What stands over a key here is what editors show of it, by the schema.

use schemars::JsonSchema;
use serde::Deserialize;

use super::adjudication_check::MOST_PLIES;
use super::clock::ClockForm;
use super::form::{Name, Of, Spanned, Time, Whole};
use super::{BookFormat, Exhausted, OpeningOrder};

pub(super) type Text = Spanned<String>;
pub(super) type Number = Spanned<i64>;

/// Records keep the nodes of a move in 32 bits.
pub(super) const MOST_NODES: i64 = u32::MAX as i64;
/// Beyond what a thread of any machine searches.
const MOST_NPS: i64 = 1_000_000_000;
/// The deepest search, in plies.
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
    /// Time per move; not beside `clock`.
    pub(super) movetime: Option<Of<Time>>,
    /// Time per game, or per so many moves, and increment per move; not beside `movetime`.
    pub(super) clock: Option<Of<ClockForm>>,
    /// The clock begins with an increment more, as those of fastchess and cutechess do.
    pub(super) first_increment: Option<Spanned<bool>>,
    /// How far a player may overstep its time; 50 ms if absent.
    pub(super) margin: Option<Of<Time>>,
    /// The times are meant for a machine of so many nodes per second, as `leitai bench` counts
    /// them; on another they are scaled.
    pub(super) reference_nps: Option<Of<Whole<1_000, MOST_NPS>>>,
    /// `nodes` are those of the first variant, of a gate of its base; the others have as
    /// many as they search meanwhile, by speeds that are measured before the first game and
    /// kept in the record.
    pub(super) equal_time: Option<Spanned<bool>>,
}

/// `[openings]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "openings")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawOpenings {
    /// The book: EPD or FEN lines, games in PGN, or lines of moves; `leitai:NAME` is one that
    /// the program brings.
    pub(super) file: Option<Text>,
    /// What the file is, if its name and its first line do not tell.
    pub(super) format: Option<Of<Name<BookFormat>>>,
    /// Plies of a game, or of a line of moves, that are its opening; 0 for all.
    pub(super) plies: Option<Of<Whole<0, MOST_PLIES>>>,
    /// In which order openings are drawn, always without replacement; `random` if absent.
    pub(super) order: Option<Of<Name<OpeningOrder>>>,
    /// The first opening that is played, counted from 1 in that order.
    pub(super) start: Option<Of<Whole<1, { i64::MAX }>>>,
    /// When a pairing needs more openings than there are: refuse, play them again, or play other
    /// positions as deep in their places.
    pub(super) exhausted: Option<Of<Name<Exhausted>>>,
}
