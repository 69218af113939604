//! Why a number that an entry names does not move.

use serde::Serialize;

use crate::config::Number;
use crate::games::xiangqi::Kind;
use crate::games::xiangqi::eval::Parameter;

/// Why a number does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Freeze {
    /// The entry's `except` names it.
    Except,
    /// It is the anchor.
    Anchor,
    /// No piece of the kind comes to the square.
    Unreachable,
    /// Both sides always have a king: what it is worth cancels out.
    King,
    /// Its start is the end of its own range.
    AtItsLimit,
}

impl Freeze {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Freeze::Except => "`except` names them",
            Freeze::Anchor => "`anchor` names them",
            Freeze::Unreachable => "the piece cannot reach the squares",
            Freeze::King => "both sides always have a king, so that its worth cancels out",
            Freeze::AtItsLimit => "at the end of their own range they could move one way only",
        }
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
    match *number {
        Number::Xiangqi(Parameter::Material(_, Kind::King)) => Some(Freeze::King),
        Number::Xiangqi(Parameter::Square(_, kind, place)) => {
            // Tables begin with rank 9, squares with rank 0.
            let (file, rank) = (usize::from(place % 9), 9 - usize::from(place / 9));
            let mut reach = kind.reach();
            let reached = reach.any(|square| (square.file(), square.rank()) == (file, rank));
            (!reached).then_some(Freeze::Unreachable)
        }
        _ => None,
    }
}
