//! Blocks that live even if their owner only passes (Benson, *Life in the game of Go*, Information
//! Sciences 10, 1976).

use super::certificate::{Spot, Stone};
use super::points::Points;
use super::rules::{Block, Board};

/// Connected points without a stone of the owner.
struct Region {
    points: Points,
    /// The empty points of the region.
    empties: Points,
    /// The adjacent blocks of the owner, as indices into the list.
    around: Vec<usize>,
}

/// The points on which the life of the target's block depends: while they change only by plays
/// inside, the block cannot be taken. `None` if it does not live unconditionally.
pub(super) fn life(board: &Board, target: Spot) -> Option<Points> {
    let owner = board.at(target)?;
    let blocks = blocks(board, owner);
    let regions = regions(board, owner, &blocks);
    let is_vital = |region: &Region, block: usize| {
        let liberties = &blocks[block].liberties;
        region.around.contains(&block)
            && region.empties.iter().all(|empty| liberties.contains(empty))
    };
    let mut lives = vec![true; blocks.len()];
    let mut counts = vec![true; regions.len()];
    loop {
        let eyes = |block: usize| {
            let vital = regions.iter().zip(&counts);
            vital
                .filter(|&(region, &counts)| counts && is_vital(region, block))
                .count()
        };
        let dying: Vec<usize> = (0..blocks.len())
            .filter(|&block| lives[block] && eyes(block) < 2)
            .collect();
        if dying.is_empty() {
            break;
        }
        for block in dying {
            lives[block] = false;
        }
        for (region, counts) in regions.iter().zip(&mut counts) {
            *counts = *counts && region.around.iter().all(|&block| lives[block]);
        }
    }
    let home = blocks
        .iter()
        .position(|block| block.stones.contains(target))?;
    if !lives[home] {
        return None;
    }
    // The target, its eyes, the blocks around them, the eyes of these, and so on.
    let mut ground = Points::default();
    let mut seen = vec![false; blocks.len()];
    seen[home] = true;
    let mut open = vec![home];
    while let Some(block) = open.pop() {
        ground.add(&blocks[block].stones);
        let eyes = regions.iter().zip(&counts);
        for (region, _) in eyes.filter(|&(region, &counts)| counts && is_vital(region, block)) {
            ground.add(&region.points);
            for &block in &region.around {
                if !std::mem::replace(&mut seen[block], true) {
                    open.push(block);
                }
            }
        }
    }
    Some(ground)
}

/// All blocks of a colour.
fn blocks(board: &Board, owner: Stone) -> Vec<Block> {
    let mut seen = Points::default();
    let mut blocks = Vec::new();
    for spot in board.spots() {
        if board.at(spot) == Some(owner)
            && !seen.contains(spot)
            && let Some(block) = board.block(spot)
        {
            seen.add(&block.stones);
            blocks.push(block);
        }
    }
    blocks
}

/// The regions into which the stones of a colour divide the board.
fn regions(board: &Board, owner: Stone, blocks: &[Block]) -> Vec<Region> {
    let mut seen = Points::default();
    let mut regions = Vec::new();
    for spot in board.spots() {
        if board.at(spot) == Some(owner) || seen.contains(spot) {
            continue;
        }
        let mut region = Region {
            points: Points::from_iter([spot]),
            empties: Points::default(),
            around: Vec::new(),
        };
        let mut walls = Points::default();
        let mut open = vec![spot];
        while let Some(point) = open.pop() {
            if board.at(point).is_none() {
                region.empties.insert(point);
            }
            for beside in board.beside(point) {
                if board.at(beside) == Some(owner) {
                    walls.insert(beside);
                } else if !region.points.contains(beside) {
                    region.points.insert(beside);
                    open.push(beside);
                }
            }
        }
        seen.add(&region.points);
        let around = blocks.iter().enumerate();
        region.around = around
            .filter(|(_, block)| block.stones.touches(&walls))
            .map(|(place, _)| place)
            .collect();
        regions.push(region);
    }
    regions
}
