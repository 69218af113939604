//! A position of a capture problem in one line: rows from the top joined by `/`, the side to move,
//! the target, and the point that ko forbids or `-`. A letter behind that point (`E8:O`) names the
//! side under the ban, if it is not the side to move.
//!
//! ```text
//! ...../..X../.XOX./...../..... X C3 -
//! ```

use std::fmt;

use thiserror::Error;

use super::{Board, BoardError, Colour, Point};
use leitai_base::foreign::Foreign;

/// A board, a side to move and a target. The target may be gone already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The stones, and the point that ko forbids to the side to move.
    pub board: Board,
    /// The point that ko forbids to the other side, on its first move.
    pub ko_of_other: Option<Point>,
    /// The side to move.
    pub to_move: Colour,
    /// A point of the block under attack.
    pub target: Point,
}

/// The reason why a line is no position of a capture problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The line does not have four words.
    #[error("{0} words instead of four: rows joined by `/`, `X` or `O`, target, ko point or `-`")]
    Words(usize),
    /// The rows are no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The side to move is invalid.
    #[error("`{0}` does not move: `X` (black) or `O` (white) does")]
    Side(Foreign),
    /// The target is not a point of the board.
    #[error("the target `{0}` is not a point of the board")]
    Target(Foreign),
    /// The ko point is not an empty point of the board.
    #[error(
        "the ko point `{0}` is not an empty point of the board, with or without a side (`E8:X`)"
    )]
    Ko(Foreign),
}

impl Setup {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// The line does not have four words, or one of its words is invalid.
    pub fn read(text: &str) -> Result<Setup, SetupError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[rows, to_move, target, ko] = words.as_slice() else {
            return Err(SetupError::Words(words.len()));
        };
        let rows: Vec<&str> = rows.split('/').collect();
        let mut board = Board::from_rows(&rows)?;
        let to_move = Colour::read(to_move).ok_or_else(|| SetupError::Side(to_move.into()))?;
        let target = Point::from_name(target, board.size())
            .ok_or_else(|| SetupError::Target(target.into()))?;
        let mut ko_of_other = None;
        if ko != "-" {
            let wrong = || SetupError::Ko(ko.into());
            let (name, colour) = match ko.split_once(':') {
                Some((name, letter)) => (name, Colour::read(letter).ok_or_else(wrong)?),
                None => (ko, to_move),
            };
            let point = Point::from_name(name, board.size()).filter(|&ko| board.is_empty(ko));
            let point = Some(point.ok_or_else(wrong)?);
            if colour == to_move {
                board.set_ko(point);
            } else {
                ko_of_other = point;
            }
        }
        Ok(Setup {
            board,
            ko_of_other,
            to_move,
            target,
        })
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        let rows = self.board.to_rows().join("/");
        let (letter, target) = (self.to_move.letter(), self.target.name(size));
        write!(f, "{rows} {letter} {target} ")?;
        match (self.board.ko(), self.ko_of_other) {
            (Some(ko), _) => f.write_str(&ko.name(size)),
            (None, Some(ko)) => {
                write!(f, "{}:{}", ko.name(size), self.to_move.other().letter())
            }
            (None, None) => f.write_str("-"),
        }
    }
}
