//! Where the games begin.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use leitai_base::settings::choice;

/// Where the games begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Openings {
    /// The book, as found from the config's folder; `None` for the usual
    /// starting position only. Not part of the resolved form: what counts is
    /// what the file holds, not where it lies.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// What the file is, if its name and its first line do not tell. Not part of the
    /// resolved form, for the same reason.
    #[serde(skip)]
    pub format: Option<BookFormat>,
    /// Plies of a game or a line of moves that are its opening; all if `None`. Not part of
    /// the resolved form, for the same reason.
    #[serde(skip)]
    pub plies: Option<usize>,
    /// In which order lines are drawn.
    pub order: OpeningOrder,
    /// The first opening that is played, from 1 in that order; those before it come at
    /// the end. In the resolved form only where it is not the first.
    #[serde(skip_serializing_if = "is_first")]
    pub start: u64,
    /// What happens when a pairing needs more openings than there are.
    pub exhausted: Exhausted,
    /// The shorter books that a recorded gate began with which goes on with this one:
    /// no key of a config, and in the resolved form only where there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<FormerBook>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_first(start: &u64) -> bool {
    *start == 1
}

impl Default for Openings {
    /// The usual start alone.
    fn default() -> Self {
        Self {
            file: None,
            format: None,
            plies: None,
            order: OpeningOrder::default(),
            start: 1,
            exhausted: Exhausted::default(),
            former: Vec::new(),
        }
    }
}

impl Openings {
    /// Takes over from the resolved form of a recorded run what happened behind its book,
    /// and how that had grown.
    pub fn recall(&mut self, resolved: &serde_json::Value) {
        let exhausted = Exhausted::deserialize(&resolved["exhausted"]);
        self.exhausted = exhausted.unwrap_or(self.exhausted);
        self.former = Vec::deserialize(&resolved["former"]).unwrap_or_default();
    }
}

/// The first openings of a book, which were the whole of it up to some round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerBook {
    /// How many there were.
    pub openings: usize,
    /// Rounds of the gate that went by them.
    pub rounds: u64,
}

impl FromStr for FormerBook {
    type Err = String;

    /// `OPENINGS:ROUNDS`.
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

impl fmt::Display for FormerBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.openings, self.rounds)
    }
}

choice! {
    /// What a book is.
    pub enum BookFormat {
        /// A line for each position or line of moves.
        Epd = "epd",
        /// Games, whose first moves are the openings.
        Pgn = "pgn",
    }
}

choice! {
    /// In which order opening lines are drawn, always without replacement.
    #[derive(Default)]
    pub enum OpeningOrder {
        /// A permutation from the seed.
        #[default]
        Random = "random",
        /// As in the file.
        Sequential = "sequential",
    }
}

choice! {
    /// What happens when a pairing needs more openings than there are.
    #[derive(Default, Deserialize)]
    pub enum Exhausted {
        /// Refuse the config.
        #[default]
        Error = "error",
        /// Begin again; games that repeat are reported and not counted.
        Repeat = "repeat",
        /// Begin again, from other positions as deep as the openings: the games
        /// are new.
        Vary = "vary",
    }
}
