//! Boards from rows of `.XO` and back.

use thiserror::Error;

use super::super::colour::Colour;
use super::super::point::Point;
use super::super::set::PointSet;
use super::super::zobrist;
use super::{Board, EMPTY, Group, LARGEST, SMALLEST, index};
use crate::foreign::Foreign;

/// Why rows are no board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// Too few or too many rows.
    #[error("{0} rows: a board has {SMALLEST} to {LARGEST}")]
    Size(usize),
    /// A row that is shorter or longer than the board is high.
    #[error("row {row} has {found} points instead of {size}: `{text}`")]
    Width {
        /// The row, 1 at the top.
        row: usize,
        /// How many points it has.
        found: usize,
        /// How many it should have.
        size: usize,
        /// The row as given.
        text: Foreign,
    },
    /// A character other than `.`, `X` and `O`.
    #[error("`{found}` in row {row} is not one of `.XO`: `{text}`")]
    Character {
        /// The row, 1 at the top.
        row: usize,
        /// The character.
        found: Foreign,
        /// The row as given.
        text: Foreign,
    },
    /// A block that would have been taken.
    #[error("the {} block at {} has no liberty", colour.name(), point.name(*size))]
    NoLiberty {
        /// Its colour.
        colour: Colour,
        /// Its first stone.
        point: Point,
        /// The size of the board.
        size: u8,
    },
}

impl Board {
    /// A board from rows, the top one first: `.` without stone, `X` black, `O`
    /// white.
    ///
    /// # Errors
    ///
    /// When there are not 2 to 19 rows of as many points, a character is
    /// another, or a block has no liberty.
    pub fn from_rows<S: AsRef<str>>(rows: &[S]) -> Result<Board, BoardError> {
        if !(usize::from(SMALLEST)..=usize::from(LARGEST)).contains(&rows.len()) {
            return Err(BoardError::Size(rows.len()));
        }
        let mut stones = [PointSet::EMPTY; 2];
        for (row, text) in rows.iter().map(AsRef::as_ref).enumerate() {
            let found = text.chars().count();
            for (col, character) in text.chars().enumerate() {
                let colour = match character {
                    '.' => None,
                    'X' => Some(Colour::Black),
                    'O' => Some(Colour::White),
                    found => {
                        return Err(BoardError::Character {
                            row: row + 1,
                            found: found.into(),
                            text: text.into(),
                        });
                    }
                };
                if let (Some(colour), true) = (colour, col < rows.len()) {
                    stones[colour.index()].insert(Point::new(col as u8, row as u8));
                }
            }
            if found != rows.len() {
                return Err(BoardError::Width {
                    row: row + 1,
                    found,
                    size: rows.len(),
                    text: text.into(),
                });
            }
        }
        Board::from_stones(rows.len() as u8, &stones[0], &stones[1])
    }

    /// A board of `size` with these black and white stones; points outside it
    /// do not count, and points in both sets are black.
    ///
    /// # Errors
    ///
    /// When the size is not 2 to 19, or a block has no liberty.
    pub fn from_stones(size: u8, black: &PointSet, white: &PointSet) -> Result<Board, BoardError> {
        if !(SMALLEST..=LARGEST).contains(&size) {
            return Err(BoardError::Size(usize::from(size)));
        }
        let mut board = Board::empty(size);
        let area = PointSet::board(size);
        let sets = [*black & area, (*white & area) - *black];
        for colour in Colour::BOTH {
            let cell = colour.index() as u8;
            board.sets[colour.index()] = sets[colour.index()];
            board.sets[usize::from(EMPTY)] -= sets[colour.index()];
            for point in sets[colour.index()] {
                board.cells[index(point)] = cell;
                board.key ^= zobrist::stone(cell, point);
            }
        }
        let mut left = sets[0] | sets[1];
        while let Some(point) = left.first() {
            let stones = board.gather(point);
            left -= stones;
            if board.group(point).liberty_count == 0 {
                return Err(BoardError::NoLiberty {
                    colour: board.at(point).unwrap_or(Colour::Black),
                    point,
                    size,
                });
            }
        }
        Ok(board)
    }

    /// Makes the block of `point` from the stones alone.
    fn gather(&mut self, point: Point) -> PointSet {
        let (stones, liberties) = self.flood(point);
        let mut before = point;
        for stone in stones {
            self.heads[index(stone)] = point.0;
            self.nexts[index(before)] = stone.0;
            before = stone;
        }
        self.nexts[index(before)] = point.0;
        self.groups[index(point)] = Group {
            liberties,
            liberty_count: liberties.len() as u16,
            stone_count: stones.len() as u16,
        };
        stones
    }

    /// The stones and the liberties of the block of `point`, from the stones
    /// of the board alone.
    pub(super) fn flood(&self, point: Point) -> (PointSet, PointSet) {
        let Some(colour) = self.at(point) else {
            return (PointSet::EMPTY, PointSet::EMPTY);
        };
        let own = *self.all(colour);
        let mut stones: PointSet = [point].into_iter().collect();
        loop {
            let grown = stones.grown() & own;
            if grown == stones {
                return (stones, stones.grown() & *self.empties());
            }
            stones = grown;
        }
    }

    /// The rows, the top one first.
    pub fn to_rows(&self) -> Vec<String> {
        (0..self.size)
            .map(|row| {
                (0..self.size)
                    .map(|col| self.at(Point::new(col, row)).map_or('.', Colour::letter))
                    .collect()
            })
            .collect()
    }
}
