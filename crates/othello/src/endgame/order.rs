//! Move ordering.

use arrayvec::ArrayVec;

use super::board::{Board, squares};
use super::estimate::{DISC, estimate};
use super::parity::squares_in;
use super::table::StoredValue;
use super::weights;
use super::work::Work;

/// A move to try.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) after: Board,
    pub(super) square: u8,
    /// Higher ranks come first.
    pub(super) rank: i32,
}

/// The moves of a position, on the stack.
pub(super) struct Candidates {
    moves: ArrayVec<Candidate, 64>,
    head: usize,
}

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Values of squares by symmetry class; higher is better.
const SQUARE: [i32; 64] = square_values();

const fn square_values() -> [i32; 64] {
    const CLASS: [i32; 16] = [18, 4, 16, 12, 4, 2, 6, 8, 16, 6, 14, 10, 12, 8, 10, 0];
    let mut values = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, row) = (square % 8, square / 8);
        let file = if file > 3 { 7 - file } else { file };
        let row = if row > 3 { 7 - row } else { row };
        values[square] = CLASS[4 * row + file];
        square += 1;
    }
    values
}

impl Candidates {
    #[inline]
    pub(super) fn of(board: Board, moves: u64) -> Self {
        let mut list = Self {
            moves: ArrayVec::new(),
            head: 0,
        };
        for square in squares(moves) {
            let after = board.after(square, board.flips(square));
            let _ = list.moves.try_push(Candidate {
                after,
                square: square as u8,
                rank: 0,
            });
        }
        list
    }

    #[inline]
    pub(super) fn all(&mut self) -> &mut [Candidate] {
        &mut self.moves
    }

    /// The remaining move with the highest rank.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Candidate> {
        let left = self.moves.get_mut(self.head..)?;
        let first = *left.first()?;
        let mut best = first;
        let mut at = 0;
        for (index, candidate) in left.iter().enumerate().skip(1) {
            if candidate.rank > best.rank {
                best = *candidate;
                at = index;
            }
        }
        left[at] = first;
        self.head += 1;
        Some(best)
    }
}

/// The number of moves, with corners counted twice.
#[inline]
fn weighted(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// Ranks of remembered moves, above those of all others.
const REMEMBERED: [i32; 2] = [1 << 30, 1 << 29];

impl Work<'_> {
    /// Ranks the moves of a position: the remembered ones first, the others by the number of
    /// replies that they leave (fastest first), and with more empty squares increasingly by their
    /// estimates.
    #[inline]
    pub(super) fn rank(&mut self, list: &mut Candidates, parity: u32, best: [u8; 2], empties: u32) {
        let odd = squares_in(parity);
        for candidate in list.all() {
            let Candidate { after, square, .. } = *candidate;
            candidate.rank = if square == best[0] {
                REMEMBERED[0]
            } else if square == best[1] {
                REMEMBERED[1]
            } else if empties < weights::ESTIMATED_FROM {
                (odd >> (square & 63) & 1) as i32 * weights::ODD_REGION
                    - weighted(after.mobility()) * weights::REPLY_NEAR_END
            } else {
                let plies = match empties {
                    weights::TWO_PLIES_FROM.. => 2,
                    weights::ONE_PLY_FROM.. => 1,
                    _ => 0,
                };
                let moves = after.mobility();
                SQUARE[usize::from(square) & 63]
                    - self.look_ahead(after, moves, plies)
                    - weighted(moves) * weights::REPLY
            };
        }
    }

    /// The value of a position with these moves by a search of `plies` plies, in units of the
    /// [`estimate`].
    fn look_ahead(&mut self, board: Board, moves: u64, plies: u32) -> i32 {
        if plies == 0 {
            return estimate(board, moves);
        }
        if moves == 0 {
            let passed = board.passed();
            let replies = passed.mobility();
            return if replies == 0 {
                self.final_score(board) * DISC
            } else {
                -self.look_ahead(passed, replies, plies)
            };
        }
        let mut best = i32::MIN;
        for square in squares(moves) {
            if !self.tick() {
                return 0;
            }
            let after = board.after(square, board.flips(square));
            best = best.max(-self.look_ahead(after, after.mobility(), plies - 1));
        }
        best
    }

    /// The moves of a position in search order.
    pub(super) fn ranked(
        &mut self,
        board: Board,
        parity: u32,
    ) -> impl Iterator<Item = Candidate> + use<> {
        let known = self.table.probe(self.table.place(board), board);
        let best = known.unwrap_or(StoredValue::NOTHING).best;
        let mut list = Candidates::of(board, board.mobility());
        self.rank(&mut list, parity, best, board.empties().count_ones());
        std::iter::from_fn(move || list.next())
    }

    /// The likely value of a position, in discs for the side to move.
    pub(super) fn guess(&mut self, board: Board) -> i32 {
        let value = self.look_ahead(board, board.mobility(), 2);
        (value / DISC).clamp(-64, 64)
    }
}
