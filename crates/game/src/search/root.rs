//! One iteration at the root.

use super::limits::Searched;
use super::moves::{CurrentMove, MoveSearch};
use super::picker::Picker;
use super::table::{Bound, StoredScore};
use super::tree::{INFINITY, Node, Tree};
use super::{Algorithm, MAX_PLY, Tactics};
use crate::eval::{Evaluation, Score};
use crate::{Line, Move, Position};

/// The result of one iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    /// The best move and its score: exact below the window's upper end. `None` if no move has a
    /// score above its lower end.
    pub(super) best: Option<(Move, Score)>,
    /// True if every move was searched, or one to a score beyond the window.
    pub(super) finished: bool,
    /// True if `best` may replace the result of the previous iteration.
    pub(super) sound: bool,
    /// True if all lines that the score depends on reached the end of the game.
    pub(super) is_final: bool,
}

impl<'a, P: Tactics, E: Evaluation<P>> Tree<'a, P, E> {
    /// The first move of the ordering, before any search; `None` if there is no move to search.
    pub(super) fn first_move(&self) -> Option<Move> {
        let mut picker = self.root_moves(None);
        loop {
            let mv = picker.next_at_once(self.line.position(), self.memory)?;
            if !self.excluded.contains(&mv) {
                return Some(mv);
            }
        }
    }

    /// The next move to search.
    fn next_root_move(
        &mut self,
        picker: &mut Picker<'a, P>,
        node: &Node,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Move>> {
        loop {
            let next = self.next_move(picker, node, accumulator)?;
            if next.is_none_or(|mv| !self.excluded.contains(&mv)) {
                return Ok(next);
            }
        }
    }

    fn root_moves(&self, previous: Option<Move>) -> Picker<'a, P> {
        let known = self.table.probe(self.key(), 0);
        let remembered = known.and_then(|known| known.best);
        let best = remembered.filter(|mv| !self.excluded.contains(mv));
        Picker::all(self.ordering, best.or(previous), 0, self.line.last())
    }

    /// Searches all moves `depth` plies deep; `previous` is the best move of the previous
    /// iteration.
    ///
    /// An interrupted iteration is useful as soon as it has searched `previous`: its best move is
    /// then no worse, by a search that is one ply deeper.
    pub(super) fn iterate(
        &mut self,
        depth: u32,
        previous: Option<Move>,
        (low, high): (Score, Score),
        accumulator: E::Accumulator,
    ) -> Iteration {
        let node = Node {
            may_pass: false,
            ..Node::new(depth, 0, low, high)
        };
        let mut search = MoveSearch {
            node,
            key: self.line.position().key(),
            standing: self.standing(&node, None, accumulator),
            number: 0,
            quiets: 0,
        };
        let mut iteration = Iteration {
            best: None,
            finished: false,
            sound: previous.is_none(),
            is_final: false,
        };
        let mut provisional = !P::EVERY_LINE_ENDS;
        if let Some(endings) = &mut self.endings {
            endings.is_playing = depth >= self.plays_out_from;
        }
        let mut picker = self.root_moves(previous);
        let mut alpha = low;
        let mut best = -INFINITY;
        self.variation.clear(0);
        if let Some(candidates) = &mut self.candidates {
            candidates.begin();
        }
        loop {
            let Ok(next) = self.next_root_move(&mut picker, &node, accumulator) else {
                return iteration;
            };
            let Some(mv) = next else { break };
            let is_capture = self.line.position().is_capture(mv);
            search.number += 1;
            let present = CurrentMove {
                mv,
                is_capture,
                is_hint: false,
                extension: 0,
            };
            let Ok(score) = self.value_of(present, &search, alpha, best, accumulator) else {
                return iteration;
            };
            provisional = self.provisional || (provisional && score < high);
            search.quiets += u32::from(!is_capture);
            best = best.max(score);
            if let Some(candidates) = &mut self.candidates {
                candidates.add(mv, score, self.variation.after(1));
            }
            iteration.sound |= previous == Some(mv);
            if score > alpha {
                alpha = score;
                iteration.best = Some((mv, score));
                self.variation.set(0, mv);
                if score >= high {
                    break;
                }
            }
        }
        iteration.finished = true;
        if let Some(candidates) = &mut self.candidates {
            candidates.finish();
        }
        iteration.is_final = P::EVERY_LINE_ENDS && !provisional;
        self.remember(depth, high, best, &iteration);
        iteration
    }

    /// Stores the result of an iteration in the table and the history, unless moves were excluded:
    /// then it is not the value of the position.
    fn remember(&mut self, depth: u32, high: Score, score: Score, iteration: &Iteration) {
        let best = iteration.best;
        if !self.excluded.is_empty() {
            return;
        }
        let bound = match best {
            None => Bound::Upper,
            Some(_) if score >= high => Bound::Lower,
            Some(_) => Bound::Exact,
        };
        if let Some((mv, _)) = best {
            self.learn(mv, depth, 0, bound, &[]);
        }
        if self.params.algorithm != Algorithm::Minimax {
            let known = StoredScore {
                best: best.map(|(mv, _)| mv),
                score,
                depth,
                bound,
                is_final: iteration.is_final,
            };
            self.table.store(self.key(), 0, known);
        }
    }

    /// Undoes all moves since the root.
    pub(super) fn rewind(&mut self) {
        while self.line.len() > self.root {
            self.line.undo();
        }
    }

    /// Extends the line `pv` from the root with the table's moves for the positions after it, up to
    /// `depth` moves in all.
    pub(super) fn continue_from_table(&mut self, pv: &mut Vec<Move>, depth: u32) {
        for &mv in &*pv {
            self.line.play(mv);
        }
        while pv.len() < depth.min(MAX_PLY) as usize && self.rule_value(0).is_none() {
            let known = self.table.probe(self.key(), 0);
            let exact = known.filter(|known| known.bound == Bound::Exact);
            let Some(mv) = exact.and_then(|known| known.best) else {
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

/// Returns whether the current position occurred before in the line, since `root`.
fn repeats<P: Position>(line: &Line<P>, root: usize) -> bool {
    let key = line.position().key();
    (root..line.len()).any(|index| line.key_after(index) == key)
}
