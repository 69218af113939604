//! The solver as part of a search: values in evaluation units.

use super::board::Board;
use super::parity::odd_quadrants;
use super::{Solver, Work};
use crate::eval::finished;
use crate::{EmptySquares, Othello, OthelloRules};
use leitai_game::eval::Score;
use leitai_game::search::{EndgameSolver, SolverBudget};

/// The value of games won by -64 to 64 discs, in order.
const WORTH: [Score; 129] = {
    let mut worth = [0; 129];
    let mut index = 0;
    while index < 129 {
        worth[index] = finished(index as i32 - 64);
        index += 1;
    }
    worth
};

/// The window in discs that is equivalent to this one in evaluation units: the same scores are
/// between its ends, both excluded.
fn in_discs((alpha, beta): (Score, Score)) -> (i32, i32) {
    let low = WORTH.partition_point(|&worth| worth <= alpha) as i32 - 65;
    let high = WORTH.partition_point(|&worth| worth < beta) as i32 - 64;
    (low, high.max(low + 1))
}

impl EndgameSolver<Othello> for Solver {
    fn new_game(&mut self) {
        self.table.clear();
    }

    fn value(
        &mut self,
        position: &Othello,
        rules: OthelloRules,
        window: (Score, Score),
        expense: &mut SolverBudget<'_>,
    ) -> Option<Score> {
        let board = Board::of(position);
        let winner_takes_empties = rules.empties == EmptySquares::Winner;
        let mut work = Work::new(
            &mut self.table,
            winner_takes_empties,
            expense.limit,
            expense.stop,
        );
        let empties = board.empties();
        let (parity, count) = (odd_quadrants(empties), empties.count_ones());
        let (alpha, beta) = in_discs(window);
        // Most requested positions fail low, which an empty window finds faster.
        let mut score = work.bound(board, parity, alpha, count);
        if score > alpha && score < beta {
            let from = alpha.max(score - 1);
            score = work.window(board, parity, (from, beta), count);
        }
        expense.spent = work.nodes();
        (!work.stopped).then(|| finished(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::eval::{MATE, MAX_EVAL};

    #[test]
    fn windows_hold_the_same_scores_in_discs() {
        let ends = [
            -MATE - 1,
            -MAX_EVAL - 64,
            -MAX_EVAL - 3,
            -MAX_EVAL,
            -1,
            0,
            1,
            77,
            MAX_EVAL + 1,
            MAX_EVAL + 10,
            MAX_EVAL + 64,
            MATE + 1,
        ];
        for alpha in ends {
            for beta in ends.into_iter().filter(|&beta| beta > alpha) {
                let (low, high) = in_discs((alpha, beta));
                assert!(low < high);
                for discs in -64..=64 {
                    assert_eq!(discs > low, finished(discs) > alpha, "{discs} {alpha}");
                    if high > low + 1 {
                        assert_eq!(discs < high, finished(discs) < beta, "{discs} {beta}");
                    }
                }
            }
        }
        assert_eq!(in_discs((30, 31)), (0, 1), "an empty window stays one");
        assert_eq!(in_discs((MAX_EVAL + 7, MAX_EVAL + 8)), (7, 8));
    }
}
