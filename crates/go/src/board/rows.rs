//! Boards from rows of `.XO` and back.

use thiserror::Error;

use super::super::colour::Colour;
use super::super::point::Point;
use super::super::set::PointSet;
use super::super::zobrist;
use super::{Board, EMPTY, Group, LARGEST, SMALLEST, index};
use leitai_base::foreign::{Foreign, shown};

/// The reason why rows are no board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct BoardError {
    reason: String,
    /// The first stone of a block without liberties.
    pub point: Option<Point>,
}

fn refused<T>(reason: String) -> Result<T, BoardError> {
    let point = None;
    Err(BoardError { reason, point })
}

fn no_such_size<T>(rows: usize) -> Result<T, BoardError> {
    refused(format!("{rows} rows: a board has {SMALLEST} to {LARGEST}"))
}

impl Board {
    /// A board from rows, the top one first: `.` for no stone, `X` black, `O` white.
    ///
    /// # Errors
    ///
    /// There are not 2 to 19 rows of as many points, another character occurs, or a block has no
    /// liberty.
    pub fn from_rows<S: AsRef<str>>(rows: &[S]) -> Result<Board, BoardError> {
        if !(usize::from(SMALLEST)..=usize::from(LARGEST)).contains(&rows.len()) {
            return no_such_size(rows.len());
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
                        let (row, found) = (row + 1, Foreign::from(found));
                        return refused(format!(
                            "`{found}` in row {row} is not one of `.XO`: `{}`",
                            shown(text)
                        ));
                    }
                };
                if let (Some(colour), true) = (colour, col < rows.len()) {
                    stones[colour.index()].insert(Point::new(col as u8, row as u8));
                }
            }
            if found != rows.len() {
                let (row, size) = (row + 1, rows.len());
                return refused(format!(
                    "row {row} has {found} points instead of {size}: `{}`",
                    shown(text)
                ));
            }
        }
        Board::from_stones(rows.len() as u8, &stones[0], &stones[1])
    }

    /// A board of `size` with these black and white stones; points outside it do not count, and
    /// points in both sets are black.
    ///
    /// # Errors
    ///
    /// The size is not 2 to 19, or a block has no liberty.
    pub fn from_stones(size: u8, black: &PointSet, white: &PointSet) -> Result<Board, BoardError> {
        if !(SMALLEST..=LARGEST).contains(&size) {
            return no_such_size(size.into());
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
                let colour = board.at(point).unwrap_or(Colour::Black).name();
                let name = point.name(size);
                return Err(BoardError {
                    reason: format!("the {colour} block at {name} has no liberty"),
                    point: Some(point),
                });
            }
        }
        Ok(board)
    }

    /// Builds the block of `point` from the stones alone.
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

    /// The stones and the liberties of the block of `point`, computed from the stones of the board
    /// alone.
    pub(super) fn flood(&self, point: Point) -> (PointSet, PointSet) {
        let (mut stones, mut liberties) = (PointSet::EMPTY, PointSet::EMPTY);
        let own = self.cell(point);
        if own >= EMPTY {
            return (stones, liberties);
        }
        stones.insert(point);
        let mut left = vec![point];
        while let Some(stone) = left.pop() {
            for neighbour in stone.neighbours() {
                match self.cell(neighbour) {
                    EMPTY => {
                        liberties.insert(neighbour);
                    }
                    cell if cell == own && stones.insert(neighbour) => left.push(neighbour),
                    _ => {}
                }
            }
        }
        (stones, liberties)
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
