//! The rules of Go, implemented a second time and as plainly as possible: a walk over its stones
//! finds a block and its liberties.

use super::certificate::{Spot, Stone};
use super::points::{POINTS, Points, index};

/// The smallest and the largest side of a board.
pub(super) const SIZES: std::ops::RangeInclusive<u8> = 2..=19;

/// A board with stones.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Board {
    size: u8,
    cells: [Option<Stone>; POINTS],
}

/// Connected stones of a colour, with adjacent points.
pub(super) struct Block {
    pub(super) stones: Points,
    pub(super) liberties: Points,
    /// Adjacent stones of the other colour.
    pub(super) around: Points,
}

/// The reason why a play is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Illegal {
    OffBoard,
    Occupied,
    Suicide,
}

/// The result of a play.
pub(super) struct PlayResult {
    pub(super) board: Board,
    /// True if the play took stones.
    pub(super) takes: bool,
    /// True if the play is a ko capture: it took one stone, and its own stone is alone with one
    /// liberty.
    pub(super) is_ko: bool,
}

impl Board {
    /// An empty board of this size.
    pub(super) fn empty(size: u8) -> Self {
        Self {
            size,
            cells: [None; POINTS],
        }
    }

    pub(super) fn has(&self, spot: Spot) -> bool {
        spot.col < self.size && spot.row < self.size
    }

    pub(super) fn at(&self, spot: Spot) -> Option<Stone> {
        self.cells[index(spot)]
    }

    pub(super) fn set(&mut self, spot: Spot, stone: Option<Stone>) {
        self.cells[index(spot)] = stone;
    }

    /// All points, by row, then by column.
    pub(super) fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |col| Spot { col, row }))
    }

    /// The points next to a point.
    pub(super) fn beside(&self, spot: Spot) -> impl Iterator<Item = Spot> + use<> {
        let Spot { col, row } = spot;
        let last = self.size - 1;
        let left = (col > 0).then(|| Spot { col: col - 1, row });
        let right = (col < last).then(|| Spot { col: col + 1, row });
        let above = (row > 0).then(|| Spot { col, row: row - 1 });
        let below = (row < last).then(|| Spot { col, row: row + 1 });
        [above, left, right, below].into_iter().flatten()
    }

    /// The block of a stone; `None` at an empty point.
    pub(super) fn block(&self, spot: Spot) -> Option<Block> {
        let colour = self.at(spot)?;
        let mut block = Block {
            stones: Points::from_iter([spot]),
            liberties: Points::default(),
            around: Points::default(),
        };
        let mut open = vec![spot];
        while let Some(stone) = open.pop() {
            for beside in self.beside(stone) {
                match self.at(beside) {
                    None => block.liberties.insert(beside),
                    Some(other) if other != colour => block.around.insert(beside),
                    Some(_) if block.stones.contains(beside) => {}
                    Some(_) => {
                        block.stones.insert(beside);
                        open.push(beside);
                    }
                }
            }
        }
        Some(block)
    }

    /// The blocks of a colour next to a point, each once.
    pub(super) fn blocks_beside(&self, spot: Spot, colour: Stone) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        for beside in self.beside(spot) {
            let is_new = !blocks.iter().any(|block| block.stones.contains(beside));
            if self.at(beside) == Some(colour) && is_new {
                blocks.extend(self.block(beside));
            }
        }
        blocks
    }

    /// Puts a stone on a point and takes blocks without liberties.
    ///
    /// # Errors
    ///
    /// The point is not on the board or not empty, or the stone would have no liberty and take
    /// nothing.
    pub(super) fn play(&self, spot: Spot, colour: Stone) -> Result<PlayResult, Illegal> {
        if !self.has(spot) {
            return Err(Illegal::OffBoard);
        }
        if self.at(spot).is_some() {
            return Err(Illegal::Occupied);
        }
        let mut board = self.clone();
        board.set(spot, Some(colour));
        let mut taken = Points::default();
        for enemy in board.blocks_beside(spot, colour.other()) {
            if enemy.liberties.len() == 0 {
                taken.add(&enemy.stones);
            }
        }
        for stone in taken.iter() {
            board.set(stone, None);
        }
        let own = board.block(spot).ok_or(Illegal::Occupied)?;
        let liberties = own.liberties.len();
        if liberties == 0 {
            return Err(Illegal::Suicide);
        }
        let is_ko = taken.len() == 1 && own.stones.len() == 1 && liberties == 1;
        Ok(PlayResult {
            board,
            takes: taken.len() > 0,
            is_ko,
        })
    }

    /// The stones in compact form: four points per byte.
    pub(super) fn packed(&self) -> Box<[u8]> {
        let points = usize::from(self.size) * usize::from(self.size);
        let mut bytes = vec![0; points.div_ceil(4)];
        for (place, spot) in self.spots().enumerate() {
            let code = match self.at(spot) {
                None => 0,
                Some(Stone::Black) => 1,
                Some(Stone::White) => 2,
            };
            bytes[place / 4] |= code << (place % 4 * 2);
        }
        bytes.into()
    }

    /// The board of this size with the stones of [`Board::packed`].
    pub(super) fn unpacked(size: u8, bytes: &[u8]) -> Self {
        let mut board = Self::empty(size);
        for (place, spot) in board.spots().enumerate() {
            let byte = bytes.get(place / 4).copied().unwrap_or_default();
            board.set(
                spot,
                match byte >> (place % 4 * 2) & 3 {
                    1 => Some(Stone::Black),
                    2 => Some(Stone::White),
                    _ => None,
                },
            );
        }
        board
    }
}
