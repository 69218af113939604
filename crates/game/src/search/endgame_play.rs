//! Exact play of positions near the end of the game instead of a search.

use super::limits::{Searched, Stopped};
use super::table::{Bound, StoredScore};
use super::tree::{Node, Tree};
use super::{Endgame, EndgameSolver, SolverBudget, Tactics};
use crate::Position;
use crate::eval::{Evaluation, Score};

/// The endgame solver of a search.
pub(super) struct EndgamePlay<P: Position> {
    pub(super) solver: Box<dyn EndgameSolver<P>>,
    empties: u32,
    /// True if the current iteration plays positions out.
    pub(super) is_playing: bool,
}

impl<P: Tactics> EndgamePlay<P> {
    /// The solver with these settings, if the game has one.
    pub(super) fn new(settings: Option<&Endgame>) -> Option<Self> {
        let empties = settings?.empties;
        Some(Self {
            solver: P::solver(empties)?,
            empties,
            is_playing: false,
        })
    }
}

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The exact value of the current position, if it is near enough to the end of the game.
    #[inline]
    pub(super) fn endgame_value(&mut self, node: &Node) -> Searched<Option<Score>> {
        match &self.endings {
            Some(endings)
                if endings.is_playing
                    && self.line.position().empty_squares() <= endings.empties =>
            {
                self.play_out(node).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn play_out(&mut self, node: &Node) -> Searched<Score> {
        let position = self.line.position();
        let empties = position.empty_squares();
        let Node {
            ply, alpha, beta, ..
        } = *node;
        self.provisional = false;
        self.reach = self.reach.max(ply + empties);
        let key = self.key();
        if let Some(known) = self.table.probe(key, ply)
            && known.is_final
            && let Some(score) = known.decides(known.depth, true, alpha, beta)
        {
            return Ok(score);
        }
        let Some(endings) = &mut self.endings else {
            return Err(Stopped);
        };
        let mut expense = SolverBudget {
            limit: self.budget.limit - self.budget.spent,
            spent: 0,
            stop: self.budget.stop,
        };
        let window = (alpha, beta);
        let value = endings
            .solver
            .value(position, self.end_rules, window, &mut expense);
        self.budget.add(expense.spent);
        let score = value.ok_or(Stopped)?;
        let bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        // The depth of a search that would find the same.
        self.table.store(
            key,
            ply,
            StoredScore {
                best: None,
                score,
                depth: empties,
                bound,
                is_final: true,
            },
        );
        Ok(score)
    }
}
