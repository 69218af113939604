//! The Othello endgame solver: exact scores.

mod board;
mod estimate;
mod inner;
mod last;
mod order;
mod parity;
mod patterns;
mod root;
mod table;
mod value;
mod weights;
mod window;
mod work;

#[cfg(test)]
mod tests;

use crate::{EmptySquares, Othello, OthelloRules, PASS};
use board::Board;
use leitai_game::Move;
use root::{Root, best_line};
use table::Table;
use work::Work;

/// The limits of a solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolverLimits {
    /// Node limit; a solver never exceeds it.
    pub nodes: Option<u64>,
    /// True for the exact score of every move, false for only the best.
    pub all_moves: bool,
}

/// The result of a solver. Scores are discs for the side to move, -64..=64, as
/// [`Othello::final_score`] counts them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// A best move, the pass if it is forced; `None` when the game is over. While the score is
    /// unknown, the best move so far: its value is at least `lower` if that is more than -64, else
    /// it is a guess.
    pub best: Option<Move>,
    /// The moves with known exact scores, best first; only if all were requested.
    pub moves: Vec<(Move, i32)>,
    /// A line of best play; cut short by the node limit.
    pub pv: Vec<Move>,
    /// Visited positions: every disc placed in the search counts, each time it is placed. Passes do
    /// not count, nor does the last disc of a full board, whose flips are only counted.
    pub nodes: u64,
}

impl Solution {
    /// The score, if it is known.
    pub fn score(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// A finished game.
    fn over(score: i32) -> Self {
        Self {
            lower: score,
            upper: score,
            best: None,
            moves: Vec::new(),
            pv: Vec::new(),
            nodes: 0,
        }
    }

    fn of(root: &Root, nodes: u64) -> Self {
        let as_move = |square: u8| Move(square.into());
        let first = root.moves.first().map(|mv| mv.square);
        Self {
            lower: root.range.lower,
            upper: root.range.upper,
            best: root.best.or(first).map(as_move),
            moves: root
                .scores
                .iter()
                .map(|&(square, score)| (as_move(square), score))
                .collect(),
            pv: Vec::new(),
            nodes,
        }
    }

    /// Converts the opponent's solution to that of the side that has to pass.
    fn before_pass(mut self) -> Self {
        (self.lower, self.upper) = (-self.upper, -self.lower);
        self.pv.insert(0, PASS);
        self.best = Some(PASS);
        self.moves = match self.moves.first() {
            Some(_) if self.lower == self.upper => vec![(PASS, self.lower)],
            _ => Vec::new(),
        };
        self
    }
}

/// A solver and its memory.
pub struct Solver {
    table: Table,
}

impl Solver {
    /// A solver whose table has the largest power of two of bytes within `megabytes` (1 or more).
    pub fn new(megabytes: u32) -> Self {
        Self {
            table: Table::new(megabytes),
        }
    }

    /// The table size, in megabytes, for positions with this number of empty squares.
    pub const fn megabytes_for(empties: u32) -> u32 {
        match empties {
            ..=14 => 1,
            15..=18 => 4,
            19..=24 => 16,
            _ => 64,
        }
    }

    /// Finds the score of a position and a best move. Calls `report` whenever more is known, and
    /// polls `stop` for an early end.
    ///
    /// The result and the number of nodes depend only on the arguments and the table size.
    pub fn solve(
        &mut self,
        position: &Othello,
        rules: OthelloRules,
        limits: SolverLimits,
        stop: &dyn Fn() -> bool,
        mut report: impl FnMut(&Solution),
    ) -> Solution {
        self.table.clear();
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let winner_takes_empties = rules.empties == EmptySquares::Winner;
        let mut work = Work::new(&mut self.table, winner_takes_empties, nodes, stop);
        let here = Board::of(position);
        let must_pass = here.mobility() == 0;
        let board = if must_pass { here.passed() } else { here };
        if board.mobility() == 0 {
            return Solution::over(work.final_score(here));
        }
        let seen = |solution: Solution| {
            if must_pass {
                solution.before_pass()
            } else {
                solution
            }
        };
        let mut root = Root::new(&mut work, board);
        let mut report = |root: &Root, nodes| report(&seen(Solution::of(root, nodes)));
        if limits.all_moves {
            root.solve_all(&mut work, &mut report);
        } else {
            root.solve(&mut work, &mut report);
        }
        let mut found = Solution::of(&root, work.nodes());
        if let Some(score) = found.score() {
            let line = best_line(&mut work, board, score, root.best);
            found.pv = line.into_iter().map(|square| Move(square.into())).collect();
            found.nodes = work.nodes();
        }
        seen(found)
    }
}
