//! Exact scores by principal variation search.

use super::board::Board;
use super::inner::NOTHING;
use super::order::Candidates;
use super::parity::quadrant;
use super::table::{NO_MOVE, StoredValue};
use super::work::Work;

impl Work<'_> {
    /// The score of a position: exact between alpha and beta, else a bound on its side of the
    /// window (fail-soft).
    pub(super) fn window(
        &mut self,
        board: Board,
        parity: u32,
        (mut alpha, mut beta): (i32, i32),
        empties: u32,
    ) -> i32 {
        if beta - alpha <= 1 {
            return self.bound(board, parity, alpha, empties);
        }
        if !self.tick_and_poll() {
            return 0;
        }
        let moves = board.mobility();
        if moves == 0 {
            let passed = board.passed();
            if passed.mobility() == 0 {
                return self.final_score(board);
            }
            self.refund();
            return -self.window(passed, parity, (-beta, -alpha), empties);
        }
        let place = self.table.place(board);
        let known = self.table.probe(place, board);
        if let Some(known) = known {
            let (lower, upper) = (i32::from(known.lower), i32::from(known.upper));
            if lower >= beta || lower == upper {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            alpha = alpha.max(lower);
            beta = beta.min(upper);
        }
        let mut list = Candidates::of(board, moves);
        let moves = known.unwrap_or(StoredValue::NOTHING).best;
        self.rank(&mut list, parity, moves, empties);
        let mut best = NOTHING;
        let mut best_move = NO_MOVE;
        while let Some(candidate) = list.next() {
            let parity = parity ^ quadrant(candidate.square.into());
            let after = candidate.after;
            let low = best.max(alpha);
            let mut score = NOTHING;
            if best != NOTHING {
                score = -self.bound(after, parity, !low, empties - 1);
            }
            if best == NOTHING || (score > low && score < beta) {
                let low = low.max(score - 1);
                score = -self.window(after, parity, (-beta, -low), empties - 1);
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                best_move = candidate.square;
                if score >= beta {
                    break;
                }
            }
        }
        let bounds = (
            if best > alpha { best as i8 } else { -64 },
            if best < beta { best as i8 } else { 64 },
        );
        self.table.store(place, board, empties, bounds, best_move);
        best
    }
}
