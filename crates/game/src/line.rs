//! A line of play: a start position, the moves since, and the current position.

use super::{Move, Position, Scope, Verdict, View};

/// A game or a search path so far. Moves are made and undone in place; after the stack has grown to
/// the length of the line, neither allocates.
#[derive(Clone, Debug)]
pub struct Line<P: Position> {
    start: P,
    position: P,
    steps: Vec<Step<P::Undo>>,
}

#[derive(Clone, Debug)]
struct Step<U> {
    mv: Move,
    undo: U,
    /// Key of the position before the move.
    key: u64,
}

impl<P: Position> Line<P> {
    /// A line without moves.
    pub fn new(start: P) -> Self {
        Self {
            position: start.clone(),
            start,
            steps: Vec::with_capacity(64),
        }
    }

    /// Starts over from `start`, keeping the memory.
    pub fn reset(&mut self, start: &P) {
        self.start.clone_from(start);
        self.position.clone_from(start);
        self.steps.clear();
    }

    /// Becomes equal to `other`, keeping the memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.start.clone_from(&other.start);
        self.position.clone_from(&other.position);
        self.steps.clear();
        self.steps.extend(other.steps.iter().cloned());
    }

    /// The start position of the line.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Number of moves played.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether the line has no moves.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The moves in order; [`Move::NULL`] for a null move.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.steps.iter().map(|step| step.mv)
    }

    /// The last move; [`Move::NULL`] for a null move, `None` before the first.
    pub fn last(&self) -> Option<Move> {
        self.steps.last().map(|step| step.mv)
    }

    /// The move with this index, and the data for undoing it.
    ///
    /// # Panics
    /// The line has no such move.
    pub fn step(&self, index: usize) -> (Move, P::Undo) {
        (self.steps[index].mv, self.steps[index].undo.clone())
    }

    /// Key of the position after `index` moves.
    pub fn key_after(&self, index: usize) -> u64 {
        self.steps
            .get(index)
            .map_or_else(|| self.position.key(), |step| step.key)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.play_from(self.position.key(), mv);
    }

    /// Plays a legal move in a position with the known key `key`.
    #[inline]
    pub fn play_from(&mut self, key: u64, mv: Move) {
        let undo = self.position.make(mv);
        self.steps.push(Step { mv, undo, key });
    }

    /// Gives the turn to the other side without a move; see [`make_null`](Position::make_null).
    /// Returns false, without a change, if that is not possible.
    pub fn play_null(&mut self) -> bool {
        let key = self.position.key();
        let undo = self.position.make_null();
        let mv = Move::NULL;
        let step = undo.map(|undo| Step { mv, undo, key });
        let is_played = step.is_some();
        self.steps.extend(step);
        is_played
    }

    /// Undoes the last move or null move, if any.
    pub fn undo(&mut self) -> Option<Move> {
        let step = self.steps.pop()?;
        if step.mv == Move::NULL {
            self.position.unmake_null(step.undo);
        } else {
            self.position.unmake(step.mv, step.undo);
        }
        Some(step.mv)
    }

    /// The start (in number of moves played) of a repetition that counts in `scope` and ends now.
    /// In a game this is the first of three occurrences of the current position, and in a search
    /// the latest earlier one if it is after the root. No null move lies in between.
    pub fn repetition(&self, scope: Scope) -> Option<usize> {
        let now = self.len();
        let reach = self.position.reversible_plies().min(now);
        let key = self.position.key();
        let mut earlier = 0;
        for back in (4..=reach).step_by(2) {
            let index = now - back;
            if self.steps[index].key == key {
                earlier += 1;
                let inside_search = matches!(scope, Scope::Search { root } if index > root);
                if earlier == 2 || inside_search {
                    return Some(index);
                }
            }
        }
        None
    }

    /// The current board, with the last move marked; `None` for games without a view.
    pub fn view(&self) -> Option<View> {
        let last = self.last().filter(|&mv| mv != Move::NULL);
        let mut view = self.position.view(last)?;
        view.last_move = last.map(P::move_text);
        Some(view)
    }

    /// The verdict on the line so far: first by the absence of legal moves, then by the rules that
    /// need history.
    pub fn verdict(&self, rules: P::Rules) -> Option<Verdict> {
        if !self.position.has_legal_move() {
            return Some(self.position.verdict_without_moves());
        }
        P::judge(self, rules, Scope::Game)
    }
}
