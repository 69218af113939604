//! Positions with more empty squares.

use super::board::{Board, squares};
use super::order::Candidates;
use super::parity::quadrant;
use super::table::{NO_MOVE, StoredValue};
use super::weights;
use super::work::Work;
use crate::bits;

pub(super) const NOTHING: i32 = -127;

impl Work<'_> {
    /// The score of a position in an empty window above alpha: exact, or a bound on its side of the
    /// window.
    pub(super) fn bound(&mut self, board: Board, parity: u32, alpha: i32, empties: u32) -> i32 {
        match empties {
            0..=2 => self.few(board, alpha),
            3 => self.three_left(board, parity, alpha),
            4 => self.four_left(board, parity, alpha),
            5 => self.five_left(board, parity, alpha),
            6 => self.six_left(board, parity, alpha),
            more if more < weights::REMEMBERED_FROM => self.near_end(board, parity, alpha, empties),
            _ => self.far(board, parity, alpha, empties),
        }
    }

    fn few(&mut self, board: Board, alpha: i32) -> i32 {
        if !self.tick() {
            return 0;
        }
        let moves = board.mobility();
        if moves == 0 {
            let passed = board.passed();
            if passed.mobility() == 0 {
                return self.final_score(board);
            }
            self.refund();
            return -self.few(passed, !alpha);
        }
        let mut best = NOTHING;
        for square in squares(moves) {
            let after = board.after(square, board.flips(square));
            best = best.max(-self.few(after, !alpha));
            if best > alpha {
                break;
            }
        }
        best
    }

    /// An upper bound of the score of the side to move, if it is not above alpha.
    #[inline]
    fn ceiling(board: Board, alpha: i32) -> Option<i32> {
        if alpha < weights::STABILITY_FROM {
            return None;
        }
        let most = 64 - 2 * bits::stable(board.opponent, board.own).count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    fn near_end(&mut self, board: Board, parity: u32, alpha: i32, empties: u32) -> i32 {
        if !self.tick_and_poll() {
            return 0;
        }
        if let Some(most) = Self::ceiling(board, alpha) {
            return most;
        }
        let moves = board.mobility();
        if moves == 0 {
            let passed = board.passed();
            if passed.mobility() == 0 {
                return self.final_score(board);
            }
            self.refund();
            return -self.near_end(passed, parity, !alpha, empties);
        }
        let mut list = Candidates::of(board, moves);
        if moves & (moves - 1) != 0 {
            self.rank(&mut list, parity, [NO_MOVE; 2], empties);
        }
        let mut best = NOTHING;
        while let Some(candidate) = list.next() {
            let parity = parity ^ quadrant(candidate.square.into());
            let score = -self.bound(candidate.after, parity, !alpha, empties - 1);
            if score > best {
                best = score;
                if score > alpha {
                    break;
                }
            }
        }
        best
    }

    fn far(&mut self, board: Board, parity: u32, alpha: i32, empties: u32) -> i32 {
        if !self.tick_and_poll() {
            return 0;
        }
        if let Some(most) = Self::ceiling(board, alpha) {
            return most;
        }
        let moves = board.mobility();
        if moves == 0 {
            let passed = board.passed();
            if passed.mobility() == 0 {
                return self.final_score(board);
            }
            self.refund();
            return -self.far(passed, parity, !alpha, empties);
        }
        let place = self.table.place(board);
        let known = self.table.probe(place, board);
        if let Some(known) = known {
            if i32::from(known.lower) > alpha {
                return known.lower.into();
            }
            if i32::from(known.upper) <= alpha {
                return known.upper.into();
            }
        }
        let mut list = Candidates::of(board, moves);
        if self.winner_takes_empties && list.all().iter().any(|mv| mv.after.own == 0) {
            return 64;
        }
        // Enhanced transposition cut-off.
        if empties >= weights::LOOKED_UP_FROM {
            for candidate in list.all() {
                let place = self.table.place(candidate.after);
                if let Some(known) = self.table.probe(place, candidate.after)
                    && -i32::from(known.upper) > alpha
                {
                    return -i32::from(known.upper);
                }
            }
        }
        if moves & (moves - 1) != 0 {
            let best = known.unwrap_or(StoredValue::NOTHING).best;
            self.rank(&mut list, parity, best, empties);
        }
        let mut best = NOTHING;
        let mut best_move = NO_MOVE;
        while let Some(candidate) = list.next() {
            let parity = parity ^ quadrant(candidate.square.into());
            let score = -self.bound(candidate.after, parity, !alpha, empties - 1);
            if score > best {
                best = score;
                best_move = candidate.square;
                if score > alpha {
                    break;
                }
            }
        }
        if self.stopped {
            return 0;
        }
        let bounds = if best > alpha {
            (best as i8, 64)
        } else {
            (-64, best as i8)
        };
        self.table.store(place, board, empties, bounds, best_move);
        best
    }
}
