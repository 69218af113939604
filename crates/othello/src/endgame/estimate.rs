//! The estimate of a position before the search, for move ordering and for the first window. It
//! does not affect results.
//!
//! A sum over patterns of lines and corners and over both sides' mobility, fitted by least squares
//! to exact scores; see `docs/othello-endgame.md`.

use std::sync::LazyLock;

use super::board::Board;
use super::order::CORNERS;
use super::patterns::{PATTERNS, each_pattern, same_in_a_mirror};

/// The value of one disc in an estimate.
pub(super) const DISC: i32 = 8;

/// The fitted numbers, one byte each, in eighths of a disc: for a move of the side to move, for one
/// of the other side, and the additional value of a move to a corner for either; for an even and
/// for an odd number of empty squares; then for all patterns except mirror images of earlier ones.
static FITTED: &[u8] = include_bytes!("estimate.bin");

/// The number of fitted numbers without a pattern.
const OTHERS: usize = 6;

struct Weights {
    others: [i32; OTHERS],
    patterns: Box<[i8; PATTERNS]>,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(unpacked);

#[expect(clippy::large_stack_arrays, reason = "once, before any search")]
fn unpacked() -> Weights {
    let fitted = |index: usize| FITTED.get(index).map_or(0, |&byte| byte as i8);
    let mut patterns = Box::new([0; PATTERNS]);
    let mut next = OTHERS;
    for (place, first) in same_in_a_mirror().into_iter().enumerate() {
        patterns[place] = if first as usize == place {
            next += 1;
            fitted(next - 1)
        } else {
            patterns[first as usize]
        };
    }
    Weights {
        others: std::array::from_fn(|index| fitted(index).into()),
        patterns,
    }
}

/// The estimate for the side to move, in units of a [`DISC`]; `moves` are its moves.
pub(super) fn estimate(board: Board, moves: u64) -> i32 {
    let Weights { others, patterns } = &*WEIGHTS;
    let mut sum = others[4 + (board.empties().count_ones() & 1) as usize];
    each_pattern(board, |pattern| sum += i32::from(patterns[pattern]));
    let count = |set: u64| set.count_ones() as i32;
    let replies = board.passed().mobility();
    sum + others[0] * count(moves)
        + others[1] * count(replies)
        + others[2] * count(moves & CORNERS)
        + others[3] * count(replies & CORNERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_number_for_every_pattern() {
        let own = same_in_a_mirror().into_iter().zip(0..);
        let own = own.filter(|&(first, place)| first == place).count();
        assert_eq!(FITTED.len(), OTHERS + own);
    }
}
