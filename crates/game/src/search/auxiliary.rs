//! The auxiliary search: checks whether the chosen line is still good a few plies further on.
//!
//! Du & Cheng (2007, section 4) let the program "search a few plies further along the path that was
//! reckoned likely, and check once more that nothing unexpected happens". They do not say how to
//! react to a bad surprise; here it is best first: the move with the highest value is chosen once
//! its own line has been searched further and its value is still no lower than that of any other
//! move.

use arrayvec::ArrayVec;

use super::iterations::SearchResult;
use super::limits::Searched;
use super::tree::{INFINITY, Node, Tree};
use super::variation::SIZE;
use super::{Auxiliary, Tactics};
use crate::Move;
use crate::eval::{Evaluation, Score};

/// A root move with its value and line.
pub(super) struct Candidate {
    score: Score,
    /// The line of both sides, starting with the move itself.
    line: ArrayVec<Move, SIZE>,
    /// True if the end of the line was searched further.
    checked: bool,
}

/// The root moves with their exact values. All memory is allocated on creation.
pub(super) struct Candidates {
    /// Candidates of the current iteration.
    present: Vec<Candidate>,
    /// Candidates of the last finished iteration.
    finished: Vec<Candidate>,
}

impl Candidates {
    /// Room for this number of moves.
    pub(super) fn new(moves: usize) -> Self {
        Self {
            present: Vec::with_capacity(moves),
            finished: Vec::with_capacity(moves),
        }
    }

    pub(super) fn clear(&mut self) {
        self.present.clear();
        self.finished.clear();
    }

    pub(super) fn begin(&mut self) {
        self.present.clear();
    }

    /// Stores the value of a move and the line after it.
    pub(super) fn add(&mut self, mv: Move, score: Score, after: &[Move]) {
        let moves = std::iter::once(mv).chain(after.iter().copied());
        self.present.push(Candidate {
            score,
            line: moves.take(SIZE).collect(),
            checked: false,
        });
    }

    pub(super) fn finish(&mut self) {
        std::mem::swap(&mut self.present, &mut self.finished);
    }

    /// The move with the highest value in the finished iteration. Among equal ones a checked move
    /// comes first, then the first searched.
    fn best(&mut self) -> Option<&mut Candidate> {
        let candidates = self.finished.iter_mut().rev();
        candidates.max_by_key(|candidate| (candidate.score, candidate.checked))
    }
}

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The value, for the side to move at the root, of the position at the end of a line, searched
    /// `plies` beyond `depth`. The best moves from there are appended to the line.
    fn value_beyond(
        &mut self,
        line: &mut ArrayVec<Move, SIZE>,
        depth: u32,
        plies: u32,
    ) -> Searched<Score> {
        for (ply, &mv) in (0..).zip(&*line) {
            self.memory.enter(self.line.position(), ply, mv);
            self.line.play(mv);
        }
        let ply = line.len() as u32;
        // The table may have cut the line short.
        let depth = depth.saturating_sub(ply) + plies;
        let node = Node::new(depth, ply, -INFINITY, INFINITY);
        let accumulator = self.eval.accumulate(self.line.position());
        let score = self.value(node, accumulator);
        self.rewind();
        let score = score?;
        let further = self.variation.after(ply as usize).iter();
        line.extend(further.copied().take(SIZE - line.len()));
        Ok(if ply.is_multiple_of(2) { score } else { -score })
    }
}

impl SearchResult {
    /// Searches the end of the best line further; whenever that lowers its value below another
    /// move's, goes on with the next best. The last finished iteration provides the values. If the
    /// budget runs out, the move that was being checked is chosen.
    pub(super) fn check_chosen<P: Tactics, E: Evaluation<P>>(
        &mut self,
        tree: &mut Tree<'_, P, E>,
        settings: &Auxiliary,
    ) {
        let Some(candidates) = tree.candidates.take() else {
            return;
        };
        if !self.is_final {
            while let Some(best) = candidates.best().filter(|best| !best.checked) {
                let value = tree.value_beyond(&mut best.line, self.depth, settings.plies);
                let Ok(score) = value else { break };
                best.score = score;
                best.checked = true;
            }
        }
        if let Some(best) = candidates.best()
            && let Some(&mv) = best.line.first()
        {
            self.best = mv;
            self.score = best.score;
            tree.variation.kept.clone_from(&best.line);
        }
        tree.candidates = Some(candidates);
    }
}
