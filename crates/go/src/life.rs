//! Unconditional life (Benson, "Life in the game of Go", Information Sciences 10, 1976).
//!
//! Blocks that the opponent cannot take even if their owner always passes. Ko rights do not matter.

use super::{Board, Colour, Point, PointSet};

/// Returns whether the block of `target` lives unconditionally.
pub fn is_alive(board: &Board, target: Point) -> bool {
    life_zone(board, target).is_some()
}

/// The points on which the unconditional life of the block of `target` depends: its stones, its
/// eyes, and the blocks that share these eyes, with theirs. `None` if the block does not live
/// unconditionally.
pub fn life_zone(board: &Board, target: Point) -> Option<PointSet> {
    let colour = board.at(target)?;
    let mut position = Position {
        board,
        colour,
        regions: Vec::new(),
        blocks: Vec::new(),
    };
    if !position.add(target) {
        return None;
    }
    // Only the blocks around the vital regions matter, the blocks around their vital regions, and
    // so on.
    let mut next = 0;
    while let Some(region) = position.regions.get(next) {
        let mut border = region.border;
        while let Some(stone) = border.first() {
            border -= board.stones(stone);
            position.regions[next].is_sound &= position.add(stone);
        }
        next += 1;
        if !position.has_eyes(0) {
            return None;
        }
    }
    position.reduce();
    position.zone(target)
}

/// A region: connected points without stones of the colour.
struct Region {
    points: PointSet,
    /// Adjacent stones of the colour.
    border: PointSet,
    /// False once a block on the border is known not to live.
    is_sound: bool,
}

/// A block of the colour.
struct Block {
    stones: PointSet,
    /// Indices of its vital regions: every empty point of a vital region is a liberty of the block.
    vital: Vec<usize>,
}

struct Position<'a> {
    board: &'a Board,
    colour: Colour,
    regions: Vec<Region>,
    blocks: Vec<Block>,
}

impl Position<'_> {
    /// Adds the block of a stone and its vital regions, if new. Returns whether it has at least two
    /// vital regions.
    fn add(&mut self, stone: Point) -> bool {
        if self.blocks.iter().any(|block| block.stones.contains(stone)) {
            return true;
        }
        let (board, colour) = (self.board, self.colour);
        let liberties = board.liberties(stone);
        // A quick test for most blocks: no point of a vital region is next to an empty point that
        // is not a liberty, or to a block with such a liberty.
        let far = *board.empties() - liberties;
        let mut left = liberties - far.grown();
        if left.len() < 2 {
            return false;
        }
        let is_far = |at: Point| {
            board.at(at) == Some(colour.other()) && !board.liberties(at).is_subset(&liberties)
        };
        for point in left {
            if point.neighbours().into_iter().any(is_far) {
                left.remove(point);
            }
        }
        if left.len() < 2 {
            return false;
        }
        let others = *board.empties() | *board.all(colour.other());
        let mut eyes = Vec::new();
        while let Some(point) = left.first() {
            let points = flood_unless(point, &others, &far);
            left -= points;
            if !points.meets(&far) {
                eyes.push(points);
            }
        }
        if eyes.len() < 2 {
            return false;
        }
        let vital = eyes.into_iter().map(|points| self.region(points)).collect();
        let stones = board.stones(stone);
        self.blocks.push(Block { stones, vital });
        true
    }

    /// The index of a region; adds it if new.
    fn region(&mut self, points: PointSet) -> usize {
        let known = self.regions.iter().position(|it| it.points == points);
        known.unwrap_or_else(|| {
            let border = points.grown() & *self.board.all(self.colour);
            self.regions.push(Region {
                points,
                border,
                is_sound: true,
            });
            self.regions.len() - 1
        })
    }

    /// Returns whether a block has two vital regions whose borders may live.
    fn has_eyes(&self, block: usize) -> bool {
        let vital = self.blocks[block].vital.iter();
        vital.filter(|&&place| self.regions[place].is_sound).count() >= 2
    }

    /// Removes blocks with fewer than two vital regions, and regions that touch a removed block,
    /// until nothing changes.
    fn reduce(&mut self) {
        while let Some(gone) = (0..self.blocks.len()).find(|&block| !self.has_eyes(block)) {
            let Block { stones, .. } = self.blocks.swap_remove(gone);
            for region in &mut self.regions {
                region.is_sound &= !region.border.meets(&stones);
            }
        }
    }

    /// The target's block with everything that its life depends on.
    fn zone(&self, target: Point) -> Option<PointSet> {
        let mut zone = PointSet::EMPTY;
        zone.insert(target);
        let mut left: Vec<&Block> = self.blocks.iter().collect();
        loop {
            let before = left.len();
            left.retain(|block| {
                if !block.stones.meets(&zone) {
                    return true;
                }
                zone |= block.stones;
                let vital = block.vital.iter().map(|&place| &self.regions[place]);
                for region in vital.filter(|region| region.is_sound) {
                    zone |= region.points | region.border;
                }
                false
            });
            if left.len() == before {
                return (before < self.blocks.len()).then_some(zone);
            }
        }
    }
}

/// The points of `within` that are connected with `point`. May stop early when it reaches a point
/// of `stop`.
fn flood_unless(point: Point, within: &PointSet, stop: &PointSet) -> PointSet {
    let mut points = PointSet::EMPTY;
    points.insert(point);
    loop {
        let grown = points.grown() & *within;
        if (grown - points).is_empty() || grown.meets(stop) {
            return grown;
        }
        points = grown;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same from all blocks and all regions of the board.
    fn whole(board: &Board, target: Point) -> Option<PointSet> {
        let colour = board.at(target)?;
        let own = *board.all(colour);
        let parts = |mut left: PointSet| -> Vec<PointSet> {
            let within = left;
            let next = || {
                let points = flood_unless(left.first()?, &within, &PointSet::EMPTY);
                left -= points;
                Some(points)
            };
            std::iter::from_fn(next).collect()
        };
        let (mut blocks, mut regions) = (parts(own), parts(PointSet::board(board.size()) - own));
        let is_vital = |block: &PointSet, region: &PointSet| {
            let empty = *region & *board.empties();
            block.grown().meets(region) && empty.is_subset(&block.grown())
        };
        loop {
            let before = blocks.len();
            blocks.retain(|block| regions.iter().filter(|it| is_vital(block, it)).count() >= 2);
            let alive = blocks
                .iter()
                .fold(PointSet::EMPTY, |all, block| all | *block);
            regions.retain(|region| (region.grown() & own).is_subset(&alive));
            if blocks.len() == before {
                break;
            }
        }
        let mut zone = *blocks.iter().find(|block| block.contains(target))?;
        loop {
            let before = zone;
            for block in blocks.iter().filter(|block| block.meets(&before)) {
                let vital = regions.iter().filter(|region| is_vital(block, region));
                zone |= vital.fold(*block, |all, region| all | *region | (region.grown() & own));
            }
            if zone == before {
                return Some(zone);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn local_answers_are_right(size in 2_u8..=6, stones in proptest::collection::vec(0_u8..8, 36)) {
            // Boards with much of one colour, so that some blocks live.
            let mut sets = [PointSet::EMPTY; 2];
            for (point, stone) in Point::all(size).zip(stones) {
                match stone {
                    0..=4 => { sets[0].insert(point); }
                    5 => { sets[1].insert(point); }
                    _ => {}
                }
            }
            if let Ok(board) = Board::from_stones(size, &sets[0], &sets[1]) {
                for target in Point::all(size) {
                    prop_assert_eq!(life_zone(&board, target), whole(&board, target));
                }
            }
        }
    }
}
