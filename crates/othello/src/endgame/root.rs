//! The root position.

use super::board::{Board, squares};
use super::inner::NOTHING;
use super::parity::{odd_quadrants, quadrant};
use super::weights;
use super::work::Work;

/// The pass, which has no square.
pub(super) const PASS: u8 = 64;

/// The proven bounds of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Range {
    pub(super) const OPEN: Range = Range {
        lower: -64,
        upper: 64,
    };

    pub(super) fn score(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// A window around `middle`, no wider than the unknown range; its ends are excluded.
    fn about(self, middle: i32, reach: i32) -> (i32, i32) {
        let middle = middle.clamp(self.lower, self.upper);
        let low = (middle - reach).max(self.lower - 1);
        let high = (middle + reach).min(self.upper + 1);
        (low, high)
    }

    /// Narrows the range by the result of a search with that window, which is a bound if it lies
    /// outside.
    fn narrow(&mut self, score: i32, (low, high): (i32, i32)) {
        if score < high {
            self.upper = self.upper.min(score);
        }
        if score > low {
            self.lower = self.lower.max(score);
        }
    }
}

/// A move of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove {
    pub(super) square: u8,
    after: Board,
    /// The estimate until better information is known.
    guess: i32,
}

/// A position with a legal move, and the known results.
pub(super) struct Root {
    empties: u32,
    parity: u32,
    /// The moves, best first.
    pub(super) moves: Vec<RootMove>,
    pub(super) range: Range,
    /// The best move so far, if any result is known.
    pub(super) best: Option<u8>,
    /// The known exact scores, best first, equal ones by their squares.
    pub(super) scores: Vec<(u8, i32)>,
}

impl Root {
    /// The moves of a position in search order; empty if there is only a pass.
    pub(super) fn new(work: &mut Work<'_>, board: Board) -> Self {
        let empties = board.empties();
        let mut root = Self {
            empties: empties.count_ones(),
            parity: odd_quadrants(empties),
            moves: Vec::new(),
            range: Range::OPEN,
            best: None,
            scores: Vec::new(),
        };
        for square in squares(board.mobility()) {
            let after = board.after(square, board.flips(square));
            root.moves.push(RootMove {
                square: square as u8,
                after,
                guess: -work.guess(after),
            });
        }
        root.moves.sort_by_key(|mv| -mv.guess);
        root
    }

    /// The likely score, without a search.
    fn guess(&self) -> i32 {
        self.moves.first().map_or(0, |mv| mv.guess)
    }

    /// Finds the score and reports each improvement, until stopped.
    pub(super) fn solve(&mut self, work: &mut Work<'_>, report: &mut dyn FnMut(&Root, u64)) {
        let mut reach = weights::REACH;
        let mut middle = self.guess() & !1;
        while self.range.score().is_none() {
            let window = self.range.about(middle, reach);
            let Some(score) = self.search(work, window, report) else {
                return;
            };
            self.range.narrow(score, window);
            report(self, work.nodes());
            middle = score;
            reach *= 2;
        }
    }

    /// One search with a window; `None` if stopped.
    fn search(
        &mut self,
        work: &mut Work<'_>,
        (alpha, beta): (i32, i32),
        report: &mut dyn FnMut(&Root, u64),
    ) -> Option<i32> {
        let mut best = NOTHING;
        for index in 0..self.moves.len() {
            let mv = self.moves[index];
            let low = best.max(alpha);
            let score = self.score_of(work, mv, index == 0, (low, beta))?;
            if score > best {
                best = score;
                if score > alpha {
                    self.range.lower = self.range.lower.max(score);
                    self.moves[..=index].rotate_right(1);
                    self.best = Some(mv.square);
                    report(self, work.nodes());
                }
                if score >= beta {
                    break;
                }
            }
        }
        Some(best)
    }

    /// The score of a move in a window; `None` if stopped.
    fn score_of(
        &self,
        work: &mut Work<'_>,
        mv: RootMove,
        is_first: bool,
        (low, high): (i32, i32),
    ) -> Option<i32> {
        let parity = self.parity ^ quadrant(mv.square.into());
        let mut from = low;
        if !is_first {
            let score = -work.bound(mv.after, parity, !low, self.empties - 1);
            if work.stopped {
                return None;
            }
            if score <= low || score >= high {
                return Some(score);
            }
            from = low.max(score - 1);
        }
        let score = -work.window(mv.after, parity, (-high, -from), self.empties - 1);
        (!work.stopped).then_some(score)
    }

    /// Finds the exact score of every move, until stopped.
    pub(super) fn solve_all(&mut self, work: &mut Work<'_>, report: &mut dyn FnMut(&Root, u64)) {
        for index in 0..self.moves.len() {
            let mv = self.moves[index];
            let Some(score) = self.exact_score_of(work, mv) else {
                return;
            };
            self.scores.push((mv.square, score));
            self.scores.sort_by_key(|&(square, score)| (-score, square));
            if let Some(&(best, score)) = self.scores.first() {
                self.best = Some(best);
                self.range.lower = score;
            }
            report(self, work.nodes());
        }
        self.range.upper = self.range.lower;
    }

    /// The exact score of a move, by windows around its likely score; `None` if stopped.
    fn exact_score_of(&self, work: &mut Work<'_>, mv: RootMove) -> Option<i32> {
        let mut range = Range::OPEN;
        let mut middle = mv.guess & !1;
        let mut reach = weights::REACH;
        while range.score().is_none() {
            let window = range.about(middle, reach);
            let score = self.score_of(work, mv, true, window)?;
            range.narrow(score, window);
            middle = score;
            reach *= 2;
        }
        range.score()
    }
}

/// A line of best play from a position with a known score, and perhaps a known best move, as far as
/// the nodes suffice.
pub(super) fn best_line(
    work: &mut Work<'_>,
    board: Board,
    score: i32,
    first: Option<u8>,
) -> Vec<u8> {
    let mut line = Vec::new();
    let (mut board, mut score) = (board, score);
    if let Some(square) = first {
        line.push(square);
        board = board.after(square.into(), board.flips(square.into()));
        score = -score;
    }
    loop {
        let moves = board.mobility();
        let next = if moves == 0 {
            let passed = board.passed();
            (passed.mobility() != 0).then_some((PASS, passed))
        } else {
            best_move(work, board, score)
        };
        let Some((square, after)) = next else {
            return line;
        };
        line.push(square);
        board = after;
        score = -score;
    }
}

/// A move whose value is `score`, the score of the best moves.
fn best_move(work: &mut Work<'_>, board: Board, score: i32) -> Option<(u8, Board)> {
    let empties = board.empties();
    let (parity, count) = (odd_quadrants(empties), empties.count_ones());
    for candidate in work.ranked(board, parity) {
        let parity = parity ^ quadrant(candidate.square.into());
        let found = -work.bound(candidate.after, parity, -score, count - 1);
        if work.stopped {
            return None;
        }
        if found >= score {
            return Some((candidate.square, candidate.after));
        }
    }
    None
}
