//! One iteration at the root.

use super::picker::Picker;
use super::table::{Bound, Known};
use super::tree::{INFINITY, Tree};
use super::{MAX_PLY, Tactics};
use crate::eval::{Evaluation, Score};
use crate::game::{Line, Move, Position};

/// What one iteration found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    /// The best move and its exact score.
    pub(super) best: Option<(Move, Score)>,
    /// Whether every move was searched.
    pub(super) finished: bool,
    /// Whether `best` may take the place of what the iteration before found.
    pub(super) sound: bool,
}

impl<'a, P: Tactics, E: Evaluation<P>> Tree<'a, P, E> {
    /// The move that the ordering tries first.
    pub(super) fn first_move(&self) -> Option<Move> {
        self.root_picker().next(self.line.position(), self.memory)
    }

    fn root_picker(&self) -> Picker<'a> {
        let known = self.table.probe(self.line.position().key(), 0);
        Picker::all(self.ordering, known.and_then(|known| known.best), 0)
    }

    /// Searches all moves `depth` plies deep; `previous` is the best move of
    /// the iteration before.
    ///
    /// The score of the best move so far is exact at any time: the window is
    /// open above. So an iteration that is cut is worth something as soon as it
    /// has searched `previous`: its best move is then no worse, seen from one
    /// ply further.
    pub(super) fn iterate(
        &mut self,
        depth: u32,
        previous: Option<Move>,
        accumulator: E::Accumulator,
    ) -> Iteration {
        let mut picker = self.root_picker();
        let mut iteration = Iteration {
            best: None,
            finished: false,
            sound: previous.is_none(),
        };
        let mut alpha = -INFINITY;
        self.variation.clear(0);
        while let Some(mv) = picker.next(self.line.position(), self.memory) {
            let Some(score) = self.value_of(mv, depth, 0, alpha, INFINITY, accumulator) else {
                return iteration;
            };
            if score > alpha {
                alpha = score;
                iteration.best = Some((mv, score));
                self.variation.set(0, mv);
            }
            iteration.sound |= previous == Some(mv);
        }
        iteration.finished = true;
        if let Some((mv, score)) = iteration.best {
            self.learn(mv, depth, 0, Bound::Exact, &[]);
            let known = Known {
                best: Some(mv),
                score,
                depth,
                bound: Bound::Exact,
            };
            self.table.store(self.line.position().key(), 0, known);
        }
        iteration
    }

    /// Takes back all moves since the root.
    pub(super) fn rewind(&mut self) {
        while self.line.len() > self.root {
            self.line.undo();
        }
    }

    /// Appends to the line `pv` from the root the moves that the table has for
    /// the positions after it, up to `depth` moves in all.
    pub(super) fn continue_from_table(&mut self, pv: &mut Vec<Move>, depth: u32) {
        for &mv in &*pv {
            self.line.play(mv);
        }
        while pv.len() < depth.min(MAX_PLY) as usize && self.ruled(0).is_none() {
            let Some(mv) = exact_move(self.table.probe(self.line.position().key(), 0)) else {
                break;
            };
            if !self.line.position().is_legal(mv) || repeats(self.line, self.root) {
                break;
            }
            pv.push(mv);
            self.line.play(mv);
        }
        self.rewind();
    }
}

fn exact_move(known: Option<Known>) -> Option<Move> {
    known
        .filter(|known| known.bound == Bound::Exact)
        .and_then(|known| known.best)
}

/// Whether the present position stood on the line before, since `root`.
fn repeats<P: Position>(line: &Line<P>, root: usize) -> bool {
    let key = line.position().key();
    (root..line.len()).any(|index| line.key_after(index) == key)
}
