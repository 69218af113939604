//! Stored bounds of undecided positions.

use super::value::{DISPROVED, PROVED};
use crate::search::proof::table::Payload;

/// Bounds of a position's value, with the best move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<M> {
    pub(super) low: i32,
    pub(super) high: i32,
    /// Depth of the search that found them, in plies.
    pub(super) depth: u32,
    /// Depth of the iteration that found them: old entries are replaced first.
    pub(super) iteration: u32,
    pub(super) best: Option<M>,
}

impl<M> Default for Bounds<M> {
    fn default() -> Self {
        Self {
            low: PROVED,
            high: DISPROVED,
            depth: 0,
            iteration: 0,
            best: None,
        }
    }
}

impl<M: Copy> Payload for Bounds<M> {
    fn worth(&self) -> u64 {
        u64::from(self.iteration) << 32 | u64::from(self.depth)
    }
}

impl<M> Bounds<M> {
    /// The value to return for a search with this depth and window, if the bounds decide it.
    pub(super) fn decide(&self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if self.depth < depth {
            None
        } else if self.low == self.high || self.low >= beta {
            Some(self.low)
        } else if self.high <= alpha {
            Some(self.high)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_search_deep_enough_decides() {
        let bounds = |low, high| Bounds::<u8> {
            low,
            high,
            depth: 4,
            ..Bounds::default()
        };
        assert_eq!(bounds(7, 7).decide(4, -1, DISPROVED), Some(7));
        assert_eq!(bounds(7, 7).decide(5, -1, DISPROVED), None);
        assert_eq!(bounds(7, DISPROVED).decide(2, -1, 7), Some(7));
        assert_eq!(bounds(7, DISPROVED).decide(2, -1, 8), None);
        assert_eq!(bounds(PROVED, 7).decide(2, 7, 9), Some(7));
        assert_eq!(bounds(PROVED, 7).decide(2, 6, 9), None);
    }
}
