//! The crucial chain: the blocks that the attacker cannot cut off from the target (Chen and Zhang,
//! "A heuristic search algorithm for capturing problems in Go", ICGA Journal 29(4), 2006; the paper
//! of 2007 uses the term without a definition).
//!
//! The chain is a heuristic and proves nothing: a block of the chain may be sacrificed for the
//! target. A liberty that links two blocks is not used for another link, since one stone would cut
//! both links.

use super::kos::Kos;
use super::ladder::falls;
use super::liberties::after_play;
use super::params::CaptureParams;
use crate::{Board, Colour, Point, PointSet};

/// The stones of the crucial chain of `target`; empty without a stone there. Restores the board.
pub fn chain(board: &mut Board, target: Point, params: &CaptureParams) -> PointSet {
    with_liberties(board, target, params).0
}

/// The stones of the crucial chain and their liberties.
pub(super) fn with_liberties(
    board: &mut Board,
    target: Point,
    params: &CaptureParams,
) -> (PointSet, PointSet) {
    let Some(colour) = board.at(target) else {
        return (PointSet::EMPTY, PointSet::EMPTY);
    };
    let mut growth = Growth {
        colour,
        stones: board.stones(target),
        liberties: board.liberties(target),
        witnesses: PointSet::EMPTY,
    };
    while growth.join_by_liberties(board, params) || growth.join_by_dead(board, params) {}
    (growth.stones, growth.liberties)
}

struct Growth {
    colour: Colour,
    stones: PointSet,
    liberties: PointSet,
    /// The liberties that link blocks.
    witnesses: PointSet,
}

impl Growth {
    /// Joins the blocks that liberties of the chain link to it. Returns whether there was one.
    fn join_by_liberties(&mut self, board: &Board, params: &CaptureParams) -> bool {
        if !params.chain_shared && !params.chain_protected {
            return false;
        }
        let mut near = (self.liberties.grown() & *board.all(self.colour)) - self.stones;
        let mut has_joined = false;
        while let Some(stone) = near.first() {
            let shared = (board.liberties(stone) & self.liberties) - self.witnesses;
            let link = self.link(board, &shared, params);
            let block = board.stones(stone);
            near -= block;
            if let Some(witnesses) = link {
                self.witnesses |= witnesses;
                self.stones |= block;
                self.liberties |= board.liberties(stone);
                has_joined = true;
            }
        }
        has_joined
    }

    /// The liberties that link a block with these shared liberties to the chain: one protected
    /// liberty, or else two.
    fn link(&self, board: &Board, shared: &PointSet, params: &CaptureParams) -> Option<PointSet> {
        let one = |point: Point| [point].into_iter().collect::<PointSet>();
        let is_protected = |&point: &Point| is_protected(board, point, self.colour);
        if params.chain_protected
            && let Some(point) = shared.iter().find(is_protected)
        {
            return Some(one(point));
        }
        if !params.chain_shared {
            return None;
        }
        // Prefer the liberties that are least useful to other blocks.
        let others = |point: Point| {
            let own = point.neighbours().into_iter();
            own.filter(|&it| board.at(it) == Some(self.colour)).count()
        };
        let first = shared.iter().min_by_key(|&point| others(point))?;
        let second = (*shared - one(first))
            .iter()
            .min_by_key(|&point| others(point))?;
        Some(one(first) | one(second))
    }

    /// Joins the blocks that touch a dead enemy block next to the chain.
    fn join_by_dead(&mut self, board: &mut Board, params: &CaptureParams) -> bool {
        if !params.chain_dead {
            return false;
        }
        let own = *board.all(self.colour);
        let enemies = self.stones.grown() & *board.all(self.colour.other());
        let mut seen = PointSet::EMPTY;
        let mut has_joined = false;
        for stone in enemies {
            // Only blocks in atari can be dead: this skips most blocks.
            if board.liberty_count(stone) != 1 || seen.contains(stone) {
                continue;
            }
            let block = board.stones(stone);
            seen |= block;
            let mut touched = (block.grown() & own) - self.stones;
            if touched.is_empty() || !is_dead(board, stone, params) {
                continue;
            }
            has_joined = true;
            while let Some(stone) = touched.first() {
                let block = board.stones(stone);
                touched -= block;
                self.stones |= block;
                self.liberties |= board.liberties(stone);
            }
        }
        has_joined
    }
}

/// Returns whether a stone of the enemy of `colour` on `point` could be taken at once: it would
/// take nothing and have at most one liberty.
fn is_protected(board: &Board, point: Point, colour: Colour) -> bool {
    let enemy = colour.other();
    board.captures(point, enemy) == 0
        && after_play(board, point, enemy).is_none_or(|first| first.len() == 1)
}

/// Returns whether a block is taken even if it moves first.
fn is_dead(board: &mut Board, block: Point, params: &CaptureParams) -> bool {
    let Some(owner) = board.at(block) else {
        return false;
    };
    board.liberty_count(block) == 1 && falls(board, block, owner, Kos::Both, params)
}
