//! The pieces of a table: the same in all of its positions.

use std::iter::repeat_n;

use cozy_chess::{Board, Color, Piece};

/// Maximum number of pieces in existing tables.
pub(super) const MAX_PIECES: u32 = 7;

/// The number of pieces of each kind, for White and Black.
///
/// In files a piece has a code: the number of its kind, from 1 (pawn) to 6 (king), plus 8 for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Material([[usize; Piece::NUM]; 2]);

impl Material {
    /// The pieces of a table's name such as `KQPvKR`; `None` if no table has the name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let mut counts = [[0; Piece::NUM]; 2];
        for (side, counts) in [white, black].into_iter().zip(&mut counts) {
            counts[Piece::King as usize] = 1;
            for letter in side.strip_prefix('K')?.bytes() {
                counts[b"PNBRQ".iter().position(|&it| it == letter)?] += 1;
            }
        }
        let material = Self(counts);
        let is_table = (3..=MAX_PIECES).contains(&material.pieces());
        is_table.then_some(material)
    }

    /// The pieces on a board.
    pub(super) fn of_board(board: &Board) -> Self {
        let count = |color, piece| board.colored_pieces(color, piece).len() as usize;
        Self(Color::ALL.map(|color| Piece::ALL.map(|piece| count(color, piece))))
    }

    /// The same pieces with exchanged colours.
    pub(super) fn flipped(self) -> Self {
        let [white, black] = self.0;
        Self([black, white])
    }

    /// Returns whether both sides have the same pieces.
    pub(super) fn is_symmetric(self) -> bool {
        self == self.flipped()
    }

    /// The number of all pieces.
    pub(super) fn pieces(self) -> u32 {
        self.0.as_flattened().iter().sum::<usize>() as u32
    }

    /// The number of pieces with a code; 0 if no piece has the code.
    pub(super) fn count(self, code: u8) -> usize {
        let kind = usize::from(code & 7).checked_sub(1);
        let side = self.0[usize::from(code >> 3 & 1)];
        kind.and_then(|kind| side.get(kind))
            .map_or(0, |&count| count)
    }

    /// The codes of all pieces, in rising order.
    pub(super) fn codes(self) -> Vec<u8> {
        let codes = (0..16).flat_map(|code| repeat_n(code, self.count(code)));
        codes.collect()
    }

    /// The codes of the pawns of each side that has pawns; the side with fewer pawns is first.
    pub(super) fn pawns(self) -> Vec<u8> {
        let mut codes = vec![1, 9];
        codes.retain(|&code| self.count(code) > 0);
        codes.sort_by_key(|&code| self.count(code));
        codes
    }
}
