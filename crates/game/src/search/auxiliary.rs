//! The auxiliary search: is the chosen line still good a little further on?
//!
//! Du & Cheng (2007, section 4) let the program "search a few plies further
//! along the path that was reckoned likely, and check once more that nothing
//! unexpected happens". What follows from a bad surprise they leave open; here
//! it is best first: the move with the highest value is chosen once its own line
//! has been searched further and it still has no less than any other.

use arrayvec::ArrayVec;

use super::iterations::Found;
use super::limits::Searched;
use super::tree::{INFINITY, Node, Tree};
use super::variation::SIZE;
use super::{Auxiliary, Tactics};
use crate::eval::{Evaluation, Score};
use crate::{MAX_MOVES, Move};

/// A move of the root, what it is worth, and why.
pub(super) struct Candidate {
    score: Score,
    /// What both sides play, beginning with the move itself.
    line: ArrayVec<Move, SIZE>,
    /// Whether the end of the line was searched further.
    checked: bool,
}

/// The moves of the root with their exact values. All memory is taken when it
/// is made.
pub(super) struct Candidates {
    /// Those of the iteration that runs.
    present: Vec<Candidate>,
    /// Those of the last one that was finished.
    finished: Vec<Candidate>,
}

impl Candidates {
    pub(super) fn new() -> Self {
        Self {
            present: Vec::with_capacity(MAX_MOVES),
            finished: Vec::with_capacity(MAX_MOVES),
        }
    }

    /// Begins a search.
    pub(super) fn clear(&mut self) {
        self.present.clear();
        self.finished.clear();
    }

    /// Begins an iteration.
    pub(super) fn begin(&mut self) {
        self.present.clear();
    }

    /// Notes the value of a move and the line after it.
    pub(super) fn note(&mut self, mv: Move, score: Score, after: &[Move]) {
        let moves = std::iter::once(mv).chain(after.iter().copied());
        self.present.push(Candidate {
            score,
            line: moves.take(SIZE).collect(),
            checked: false,
        });
    }

    /// Ends an iteration.
    pub(super) fn finish(&mut self) {
        std::mem::swap(&mut self.present, &mut self.finished);
    }

    /// Of the finished iteration, the move with the highest value: of equal ones
    /// one that was checked, then the first that was searched.
    fn best(&mut self) -> Option<&mut Candidate> {
        let candidates = self.finished.iter_mut().rev();
        candidates.max_by_key(|candidate| (candidate.score, candidate.checked))
    }
}

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The value for the side to move at the root of what lies at the end of a
    /// line from there, searched to so many `plies` beyond `depth`. What follows
    /// there is appended to the line.
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
        let node = Node {
            // The table may have cut the line short.
            depth: depth.saturating_sub(ply) + plies,
            ply,
            alpha: -INFINITY,
            beta: INFINITY,
            extensions: 0,
            may_pass: true,
            cuts: false,
            without: None,
        };
        let accumulator = self.eval.accumulate(self.line.position());
        let score = self.value(node, accumulator);
        self.rewind();
        let score = score?;
        let further = self.variation.after(ply as usize).iter();
        line.extend(further.copied().take(SIZE - line.len()));
        Ok(if ply.is_multiple_of(2) { score } else { -score })
    }
}

impl Found {
    /// Searches the end of the best line further; as long as that leaves its move
    /// less than another has, the same for the next best. The last finished
    /// iteration says what the moves are worth. Where the budget ends this, the
    /// move is chosen whose turn it was.
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
            tree.variation.keep_line(&best.line);
        }
        tree.candidates = Some(candidates);
    }
}
