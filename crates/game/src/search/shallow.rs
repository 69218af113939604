//! Move ordering by a shallower search.

use super::limits::Searched;
use super::picker::Picker;
use super::tree::{INFINITY, Node, Tree};
use super::{ShallowSearch, Tactics};
use crate::eval::{Evaluation, Score};
use crate::{Move, MoveBuffer, Ranks as _};

impl ShallowSearch {
    /// Depth of the ordering search in plies, in a position to be searched `depth` plies deep;
    /// `None` if ordering is not worthwhile.
    fn plies(&self, depth: u32) -> Option<u32> {
        let plies = depth.saturating_sub(self.reduction);
        (depth >= self.min_depth).then_some(plies.min(self.max_plies).max(1))
    }
}

impl<'a, P: Tactics, E: Evaluation<P>> Tree<'a, P, E> {
    /// The next move of the current position, which is searched with the parameters of `node`.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        picker: &mut Picker<'a, P>,
        node: &Node,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Move>> {
        loop {
            let next = picker.next(self.line.position(), self.memory);
            if next.is_some() || !picker.waits() {
                return Ok(next);
            }
            self.search_values(picker, node, accumulator)?;
        }
    }

    /// Gives the picker the values of the moves that it waits for. Searches only if the order can
    /// save nodes.
    fn search_values(
        &mut self,
        picker: &mut Picker<'a, P>,
        node: &Node,
        accumulator: E::Accumulator,
    ) -> Searched<()> {
        let mut values = <P::Moves as MoveBuffer>::Ranks::default();
        if let Some(plies) = self.params.shallow_search.plies(node.depth) {
            let moves = picker.awaited(self.line.position());
            if moves.len() > 1 {
                for mv in moves {
                    let value = self.shallow_value(mv, node, plies, accumulator)?;
                    values.add(u64::from(value as u32) << 16 | u64::from(mv.0));
                }
            }
        }
        let values = values.iter();
        picker.set_values(values.map(|it| (Move(*it as u16), (it >> 16) as u32 as i32)));
        Ok(())
    }

    /// The value of a move by a search of `plies` plies, including the move. The window is open, so
    /// that values are comparable.
    fn shallow_value(
        &mut self,
        mv: Move,
        node: &Node,
        plies: u32,
        accumulator: E::Accumulator,
    ) -> Searched<Score> {
        self.budget.spend()?;
        let after = self.eval.advance(accumulator, self.line.position(), mv);
        self.memory.enter(self.line.position(), node.ply, mv);
        self.line.play(mv);
        let below = Node {
            extensions: node.extensions,
            ..Node::new(plies - 1, node.ply + 1, -INFINITY, INFINITY)
        };
        let score = -self.value(below, after)?;
        self.line.undo();
        Ok(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_that_orders_is_always_the_shallower_one() {
        let plies = |min_depth, reduction, max_plies| {
            let settings = ShallowSearch {
                min_depth,
                reduction,
                max_plies,
            };
            [1, 2, 3, 4, 5, 6].map(|depth| settings.plies(depth))
        };
        let some = |plies: [u32; 5]| {
            let mut all = [None; 6];
            all[1..].copy_from_slice(&plies.map(Some));
            all
        };
        assert_eq!(plies(2, 2, 64), some([1, 1, 2, 3, 4]));
        assert_eq!(plies(2, 1, 64), some([1, 2, 3, 4, 5]));
        assert_eq!(plies(2, 2, 1), some([1; 5]));
        assert_eq!(plies(2, 64, 64), some([1; 5]));
        assert_eq!(
            plies(4, 2, 3),
            [None, None, None, Some(2), Some(3), Some(3)]
        );
    }
}
