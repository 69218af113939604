//! In which order moves are tried.

use arrayvec::ArrayVec;

use super::board::{Board, squares};
use super::parity::squares_in;
use super::table::{Known, NO_MOVE};
use super::work::Work;
use crate::game::othello::bits;

/// A move that may be tried.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) after: Board,
    pub(super) square: u8,
    /// The higher, the sooner.
    pub(super) rank: i32,
}

/// The moves of a position, on the stack.
pub(super) struct Candidates {
    moves: ArrayVec<Candidate, 64>,
    head: usize,
}

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Squares by symmetry class, higher is better.
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

    /// The highest of those that are left.
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

/// Moves, with those to corners counted twice.
#[inline]
pub(super) fn weighted(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// The empty squares next to discs of `discs`.
#[inline]
fn frontier(discs: u64, empties: u64) -> u64 {
    const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    let inner = discs & INNER;
    let across = inner << 1 | inner >> 1;
    let next = across | discs << 8 | discs >> 8 | inner << 7 | inner >> 7 | inner << 9 | inner >> 9;
    next & empties
}

/// Own discs in corners and those next to them along the edge: cheap stability.
#[inline]
fn corner_stability(own: u64) -> i32 {
    let a = own & CORNERS;
    let b = own
        & ((a << 1 & 0x0200_0000_0000_0002)
            | (a >> 1 & 0x4000_0000_0000_0040)
            | (a << 8 & 0x8100)
            | (a >> 8 & 0x0081_0000_0000_0000));
    (a | b).count_ones() as i32
}

impl Work<'_> {
    /// Ranks the moves near the end: by the opponent's mobility.
    #[inline]
    pub(super) fn rank_near_end(&self, list: &mut Candidates, parity: u32) {
        let odd = squares_in(parity);
        for candidate in list.all() {
            let after = candidate.after;
            let moves = after.mobility();
            candidate.rank = SQUARE[usize::from(candidate.square) & 63] * self.weights.near_square
                + (odd >> (candidate.square & 63) & 1) as i32 * self.weights.near_parity
                + corner_stability(after.opponent) * self.weights.near_corners
                - weighted(moves) * self.weights.near_mobility;
        }
    }

    /// Ranks the moves far from the end.
    pub(super) fn rank(
        &self,
        list: &mut Candidates,
        parity: u32,
        known: Option<Known>,
        empties: u32,
    ) {
        let best = known.map_or([NO_MOVE; 2], |known| known.best);
        let odd = squares_in(parity);
        let _ = empties;
        for candidate in list.all() {
            let after = candidate.after;
            if candidate.square == best[0] {
                candidate.rank = 1 << 30;
                continue;
            }
            if candidate.square == best[1] {
                candidate.rank = 1 << 29;
                continue;
            }
            let moves = after.mobility();
            candidate.rank = SQUARE[usize::from(candidate.square) & 63] * self.weights.far_square
                + (odd >> (candidate.square & 63) & 1) as i32 * self.weights.far_parity
                + corner_stability(after.opponent) * self.weights.far_corners
                - weighted(moves) * self.weights.far_mobility
                - frontier(after.opponent, after.empties()).count_ones() as i32
                    * self.weights.far_frontier
                + bits::stable(after.opponent, after.own).count_ones() as i32
                    * self.weights.far_stable;
        }
    }
}

impl Work<'_> {
    /// The moves of a position in the order in which they are tried.
    pub(super) fn ranked(
        &self,
        board: Board,
        parity: u32,
    ) -> impl Iterator<Item = Candidate> + use<> {
        let place = self.table.place(board);
        let known = self.table.probe(place, board);
        let mut list = Candidates::of(board, board.mobility());
        self.rank(&mut list, parity, known, board.empties().count_ones());
        std::iter::from_fn(move || list.next())
    }
}

/// What a position is worth at a glance, in discs for the side to move.
pub(super) fn guess(board: Board) -> i32 {
    let moves = weighted(board.mobility()) - weighted(board.passed().mobility());
    let corners = corner_stability(board.own) - corner_stability(board.opponent);
    (2 * moves + 4 * corners).clamp(-64, 64)
}
