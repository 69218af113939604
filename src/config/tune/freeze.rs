//! Why a number that an entry names does not move.

use serde::{Serialize, Serializer};

use crate::config::Number;
use crate::numbers::{Entry, Useless};

/// Why a number does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freeze {
    /// The entry's `except` names it.
    Except,
    /// It is the anchor.
    Anchor,
    /// The evaluation can never use it.
    Useless(Useless),
    /// Its start is the end of its own range.
    AtItsLimit,
}

impl Freeze {
    /// The reason in one word.
    pub fn name(self) -> &'static str {
        match self {
            Freeze::Except => "except",
            Freeze::Anchor => "anchor",
            Freeze::Useless(why) => why.name,
            Freeze::AtItsLimit => "at-its-limit",
        }
    }

    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Freeze::Except => "`except` names them",
            Freeze::Anchor => "`anchor` names them",
            Freeze::Useless(why) => why.reason,
            Freeze::AtItsLimit => "at the end of their own range they could move one way only",
        }
    }
}

impl Serialize for Freeze {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Numbers that an entry names and does not move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frozen {
    /// The entry's path, as typed.
    pub entry: String,
    /// Why.
    pub why: Freeze,
    /// Which.
    pub numbers: Vec<Number>,
}

/// Whether the evaluation can never use the number, and why.
pub(super) fn useless(number: &Number) -> Option<Freeze> {
    let why = number.of_eval().and_then(Entry::useless);
    why.map(Freeze::Useless)
}
