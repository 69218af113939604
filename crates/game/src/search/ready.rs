//! A queue of ranked moves, highest rank first.

use crate::{Move, MoveBuffer, Ranks as _};

/// The moves of one step. Moves of equal rank come in push order.
#[derive(Default)]
pub(super) struct Ready<M: MoveBuffer> {
    /// Rank, then a number that decreases with the push order, then the move.
    entries: M::Ranks,
    /// Number of entries returned so far; they are at the front.
    head: usize,
    /// True if an entry was pushed that comes before an earlier one.
    unsorted: bool,
}

/// Number of moves after which the remaining ones are sorted, because most of them will be needed
/// too.
const SORT_AFTER_MOVES: usize = 4;

impl<M: MoveBuffer> Ready<M> {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.head = 0;
        self.unsorted = false;
    }

    #[inline]
    pub(super) fn push(&mut self, rank: u32, mv: Move) {
        let place = u64::from(u16::MAX) - self.entries.len() as u64;
        let entry = u64::from(rank) << 32 | place << 16 | u64::from(mv.0);
        self.unsorted |= self.entries.last().is_some_and(|&last| last < entry);
        // Cannot fail: no position has more moves than the capacity.
        self.entries.add(entry);
    }

    /// Keeps only these of the remaining moves.
    pub(super) fn retain(&mut self, keep: impl Fn(Move) -> bool) {
        let mut place = 0;
        let head = self.head;
        self.entries.retain(|entry| {
            place += 1;
            place <= head || keep(Move(*entry as u16))
        });
    }

    /// Removes and returns the first of the remaining moves.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Move> {
        let left = self.entries.get_mut(self.head..)?;
        let first = *left.first()?;
        let mut best = first;
        if self.unsorted && self.head == SORT_AFTER_MOVES {
            left.sort_unstable_by(|one, other| other.cmp(one));
            best = left[0];
            self.unsorted = false;
        } else if self.unsorted {
            let mut at = 0;
            for (index, &entry) in left.iter().enumerate() {
                if entry > best {
                    best = entry;
                    at = index;
                }
            }
            left[at] = first;
        }
        self.head += 1;
        Some(Move(best as u16))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::MoveList;

    proptest! {
        #[test]
        fn the_order_is_that_of_a_stable_sort(ranks in prop::collection::vec(0_u32..9, 0..=384)) {
            let mut ready = Ready::<MoveList>::default();
            let mut sorted: Vec<(u32, Move)> = Vec::new();
            for (index, &rank) in ranks.iter().enumerate() {
                let mv = Move(index as u16 ^ 0x55);
                ready.push(rank, mv);
                sorted.push((rank, mv));
            }
            sorted.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
            for (_, mv) in sorted {
                prop_assert_eq!(ready.pop(), Some(mv));
            }
            prop_assert_eq!(ready.pop(), None);
        }
    }
}
