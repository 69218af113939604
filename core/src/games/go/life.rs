//! Unconditional life (Benson, "Life in the game of Go", Information Sciences 10, 1976).
//!
//! Blocks that cannot be taken even if their owner always passes. It does not matter
//! who may take a ko.

use super::{Board, Colour, Point, PointSet};

/// Whether the block of `target` lives unconditionally.
pub fn is_alive(board: &Board, target: Point) -> bool {
    life_zone(board, target).is_some()
}

/// The points on which the unconditional life of the block of `target` depends: its
/// stones, its eyes, and the blocks that share them with theirs; `None` if it does not
/// live so.
pub fn life_zone(board: &Board, target: Point) -> Option<PointSet> {
    let colour = board.at(target)?;
    let own = *board.all(colour);
    // The usual answer, soon: an eye has no empty point but liberties of the target, and
    // so none of its points is next to an empty point that is not, or to a block with such
    // a liberty.
    let liberties = board.liberties(target);
    let is_far = |point: Point| match board.at(point) {
        None => board.is_empty(point) && !liberties.contains(point),
        Some(at) => at != colour && !board.liberties(point).is_subset(&liberties),
    };
    let mut near = liberties;
    for point in liberties {
        if point.neighbours().into_iter().any(is_far) {
            near.remove(point);
        }
    }
    if near.len() < 2 {
        return None;
    }
    let far = *board.empties() - liberties;
    if !has_two_eyes(board, colour, near, &far) {
        return None;
    }
    let mut position = Position::new(board, colour, &own);
    position.reduce();
    position.zone(target)
}

/// A region: connected points without stones of the colour.
struct Region {
    points: PointSet,
    /// The stones of the colour next to it.
    border: PointSet,
}

/// A block of the colour.
struct Block {
    stones: PointSet,
    /// Its vital regions, by place: every empty point of them is its liberty.
    vital: Vec<usize>,
}

struct Position {
    regions: Vec<Region>,
    blocks: Vec<Block>,
}

impl Position {
    fn new(board: &Board, colour: Colour, own: &PointSet) -> Position {
        let mut regions = Vec::new();
        let mut left = *board.empties() | *board.all(colour.other());
        let others = left;
        while let Some(point) = left.first() {
            let points = flood(point, &others);
            left -= points;
            let border = points.grown() & *own;
            regions.push(Region { points, border });
        }
        let mut blocks = Vec::new();
        let mut left = *own;
        while let Some(stone) = left.first() {
            let stones = board.stones(stone);
            left -= stones;
            let liberties = board.liberties(stone);
            let is_vital = |region: &Region| {
                region.border.meets(&stones)
                    && (region.points & *board.empties()).is_subset(&liberties)
            };
            let vital = regions.iter().enumerate();
            let vital = vital.filter(|(_, region)| is_vital(region));
            let vital = vital.map(|(place, _)| place).collect();
            blocks.push(Block { stones, vital });
        }
        Position { regions, blocks }
    }

    /// Takes blocks with fewer than two vital regions away, and regions that touch a
    /// block that is gone, until all is well.
    fn reduce(&mut self) {
        loop {
            let mut gone = PointSet::EMPTY;
            self.blocks.retain(|block| {
                let stays = block.vital.len() >= 2;
                if !stays {
                    gone |= block.stones;
                }
                stays
            });
            if gone.is_empty() {
                return;
            }
            for block in &mut self.blocks {
                block.vital.retain(|&place| {
                    let region = self.regions.get(place);
                    region.is_some_and(|region| !region.border.meets(&gone))
                });
            }
        }
    }

    /// The target's block with all that it depends on.
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
                for region in block.vital.iter().filter_map(|&it| self.regions.get(it)) {
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

/// Whether two regions without a `far` point hold points that are `near`.
fn has_two_eyes(board: &Board, colour: Colour, near: PointSet, far: &PointSet) -> bool {
    let others = *board.empties() | *board.all(colour.other());
    let mut eyes = 0;
    let mut left = near;
    while let Some(point) = left.first() {
        let region = flood_unless(point, &others, far);
        left -= region;
        eyes += u32::from(!region.meets(far));
    }
    eyes >= 2
}

/// The points of `within` that are connected with `point`.
fn flood(point: Point, within: &PointSet) -> PointSet {
    flood_unless(point, within, &PointSet::EMPTY)
}

/// The same, but it may end as soon as a point of `stop` is reached.
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

    /// Without the quick answers.
    fn whole(board: &Board, target: Point) -> Option<PointSet> {
        let colour = board.at(target)?;
        let mut position = Position::new(board, colour, board.all(colour));
        position.reduce();
        position.zone(target)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn quick_answers_are_right(size in 2_u8..=6, stones in proptest::collection::vec(0_u8..8, 36)) {
            // Much of one colour, so that some of it lives.
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
