//! The openings of the games.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::files::{Find, found_file};
use super::problem::Problems;
use super::values::{MAX_PLIES, Name, Of, Text, Whole, ranged, ranged_or, setting, setting_or};
use leitai_base::settings::choice;

/// The openings of the games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Openings {
    /// The book's path, resolved from the config's folder; `None` for the usual start only. Not
    /// part of the resolved form: the contents of the file count, not its location.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// The format of the file, if its name and its first line do not show it. Not part of the
    /// resolved form, for the same reason.
    #[serde(skip)]
    pub format: Option<BookFormat>,
    /// Length of the opening in plies, for games or lines of moves; `None` for all. Not part of the
    /// resolved form, for the same reason.
    #[serde(skip)]
    pub plies: Option<usize>,
    /// The order of the openings.
    pub order: OpeningOrder,
    /// The first opening to play, from 1 in that order; the openings before it come last. In the
    /// resolved form only if it is not 1.
    #[serde(skip_serializing_if = "is_first")]
    pub start: u64,
    /// The behaviour if a pairing needs more openings than the book has.
    pub exhausted: Exhausted,
    /// The earlier, shorter books of a recorded gate that continues with this one. Not a config
    /// key, and in the resolved form only if there are any.
    #[serde(rename = "former", skip_serializing_if = "Vec::is_empty")]
    pub earlier_books: Vec<EarlierBook>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_first(start: &u64) -> bool {
    *start == 1
}

impl Default for Openings {
    /// The usual start only.
    fn default() -> Self {
        Self {
            file: None,
            format: None,
            plies: None,
            order: OpeningOrder::default(),
            start: 1,
            exhausted: Exhausted::default(),
            earlier_books: Vec::new(),
        }
    }
}

impl Openings {
    /// Takes from the resolved form of a recorded run its behaviour after the end of the book, and
    /// the growth of the book.
    pub fn recall(&mut self, resolved: &serde_json::Value) {
        let exhausted = Exhausted::deserialize(&resolved["exhausted"]);
        self.exhausted = exhausted.unwrap_or(self.exhausted);
        self.earlier_books = Vec::deserialize(&resolved["former"]).unwrap_or_default();
    }
}

/// The first openings of a book, which were the whole book until some round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierBook {
    /// The number of openings.
    pub openings: usize,
    /// The number of the gate's rounds that used them.
    pub rounds: u64,
}

impl FromStr for EarlierBook {
    type Err = String;

    /// Reads `OPENINGS:ROUNDS`.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(':').and_then(|(openings, rounds)| {
            let (openings, rounds) = (openings.parse().ok()?, rounds.parse().ok()?);
            Some(Self { openings, rounds })
        });
        let is_sound = |book: &Self| book.openings > 0 && book.rounds >= book.openings as u64;
        numbers.filter(is_sound).ok_or_else(|| {
            "not of the form OPENINGS:ROUNDS, such as 500:500, with at least a round for each \
             opening"
                .to_owned()
        })
    }
}

impl fmt::Display for EarlierBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.openings, self.rounds)
    }
}

choice! {
    /// The format of a book.
    pub enum BookFormat {
        /// One position or line of moves per line.
        Epd = "epd",
        /// Games whose first moves are the openings.
        Pgn = "pgn",
    }
}

choice! {
    /// The order of opening lines, always drawn without replacement.
    #[derive(Default)]
    pub enum OpeningOrder {
        /// A permutation determined by the seed.
        #[default]
        Random = "random",
        /// The order of the file.
        Sequential = "sequential",
    }
}

choice! {
    /// The behaviour if a pairing needs more openings than the book has.
    #[derive(Default, Deserialize)]
    pub enum Exhausted {
        /// Refuses the config.
        #[default]
        Error = "error",
        /// Starts over; repeated games are reported and not counted.
        Repeat = "repeat",
        /// Starts over with other positions at the same depth as the openings: the games are new.
        Vary = "vary",
    }
}

/// `[openings]` as typed.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "openings")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawOpenings {
    /// The book: EPD or FEN lines, games in PGN, or lines of moves; `leitai:NAME` is a book
    /// included in the program.
    pub(super) file: Option<Text>,
    /// The format of the file, if its name and its first line do not show it.
    format: Option<Of<Name<BookFormat>>>,
    /// Length of the opening in plies, for games or lines of moves; 0 for all.
    plies: Option<Of<Whole<0, MAX_PLIES>>>,
    /// The order of the openings, always drawn without replacement; `random` if absent.
    order: Option<Of<Name<OpeningOrder>>>,
    /// The first opening to play, counted from 1 in that order.
    start: Option<Of<Whole<1, { i64::MAX }>>>,
    /// The behaviour if a pairing needs more openings than the book has: refuse the config
    /// (`error`), play them again (`repeat`), or replace them by other positions at the same depth
    /// (`vary`).
    exhausted: Option<Of<Name<Exhausted>>>,
}

/// `[openings]`, where `usual` is the default of `exhausted`.
pub(super) fn openings(
    raw: &RawOpenings,
    usual: Exhausted,
    find: Find,
    problems: &mut Problems,
) -> Openings {
    let format = raw.format.as_ref();
    let format = format.and_then(|name| setting(name, "format of a book", problems));
    let plies: Option<usize> = ranged(&raw.plies, "openings.plies", problems);
    let order = OpeningOrder::default();
    Openings {
        file: found_file(&raw.file, find, problems),
        format,
        plies: plies.filter(|plies| *plies > 0),
        order: setting_or(&raw.order, order, "order of openings", problems),
        start: ranged_or(&raw.start, 1, "openings.start", problems),
        exhausted: setting_or(&raw.exhausted, usual, "value of `exhausted`", problems),
        earlier_books: Vec::new(),
    }
}
