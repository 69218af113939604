//! The value of a position for the defender.

use super::chain::with_liberties;
use super::eyes::is_real_eye;
use super::kos::Kos;
use super::ladder::falls;
use super::liberties::Liberties;
use super::params::CaptureParams;
use crate::{Board, Colour, Point, PointSet};

/// The greatest evaluation.
pub const MAX_EVALUATION: i32 = 10_000;

/// The evaluation of the target's crucial chain, 0 to [`MAX_EVALUATION`]; greater is better for
/// the defender, and 0 if the target is gone.
///
/// 4 × first + 1 × second liberties with the numbers of Zhang and Chen (2007, section 1.3). With
/// other numbers the evaluation of Chen and Zhang (2006): 16, 8 and 4 for liberties of the first
/// three orders, 50 for an adjacent block that a ladder captures, -25 if a ladder captures the
/// target, 15 for each adjacent block that is short of liberties, and the maximum for two real
/// eyes. Each point counts once. Restores the board.
pub fn evaluate(board: &mut Board, target: Point, params: &CaptureParams) -> i32 {
    let Some(colour) = board.at(target) else {
        return 0;
    };
    let (stones, first) = with_liberties(board, target, params);
    let liberties = Liberties::of_stones(board, colour, &stones, first, params.second);
    if params.eval_eyes > 0 {
        let first = liberties.first.iter();
        let eyes = first.filter(|&point| is_real_eye(board, point, colour));
        if eyes.count() >= params.eval_eyes as usize {
            return MAX_EVALUATION;
        }
    }
    let mut value = params.eval_first * liberties.first.len() as i32
        + params.eval_second * liberties.second.len() as i32;
    if params.eval_third != 0 {
        value += params.eval_third * liberties.third(board).len() as i32;
    }
    if params.eval_short != 0 || params.eval_ladder != 0 {
        value += neighbours(board, colour, &stones, params);
    }
    if params.eval_own_ladder != 0 && falls(board, target, colour.other(), Kos::Both, params) {
        value += params.eval_own_ladder;
    }
    (value / params.eval_divisor.max(1) as i32).clamp(0, MAX_EVALUATION)
}

/// The contribution of the attacker's blocks next to the chain.
fn neighbours(board: &mut Board, colour: Colour, stones: &PointSet, params: &CaptureParams) -> i32 {
    let mut short = 0;
    let mut has_falling = false;
    let mut left = stones.grown() & *board.all(colour.other());
    while let Some(stone) = left.first() {
        left -= board.stones(stone);
        if board.liberty_count(stone) <= 2 {
            short += params.eval_short;
            has_falling |= !has_falling
                && params.eval_ladder != 0
                && falls(board, stone, colour, Kos::Both, params);
        }
    }
    short + if has_falling { params.eval_ladder } else { 0 }
}
