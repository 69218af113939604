//! Cache of static evaluations.

use super::table::fetch;
use crate::eval::Score;

/// A direct-mapped cache. Its entries depend only on the position, so it never changes the result
/// of a search, and needs clearing only when the evaluation changes.
pub(super) struct Evaluations {
    /// Each entry: the upper 48 bits of the key, and the score.
    entries: Vec<u64>,
}

/// 512 KiB, to stay in a core's cache.
const ENTRIES: usize = 1 << 16;

/// An empty entry: no evaluation returns its score.
const EMPTY: u64 = i16::MIN as u16 as u64;

impl Evaluations {
    pub(super) fn new() -> Self {
        Self {
            entries: vec![EMPTY; ENTRIES],
        }
    }

    /// Clears the cache, for a new evaluation.
    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Prefetches the entry of the position with this key.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        fetch(&self.entries[key as usize % ENTRIES]);
    }

    /// The evaluation of the position with this key, from the cache or computed now.
    #[inline]
    pub(super) fn get(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        // The lowest bits select the entry, the others are compared.
        let entry = &mut self.entries[key as usize % ENTRIES];
        let known = *entry as u16 as i16;
        if (*entry ^ key) >> 16 == 0 && known != i16::MIN {
            return Score::from(known);
        }
        let score = evaluate();
        *entry = key & !0xffff | u64::from(score as i16 as u16);
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::MAX_EVAL;

    #[test]
    fn moves_made_are_remembered_for_their_position() {
        let mut evaluations = Evaluations::new();
        for (key, score) in [(0, -1), (7, MAX_EVAL), (7 | 1 << 16, -MAX_EVAL), (!0, 0)] {
            assert_eq!(evaluations.get(key, || score), score);
            assert_eq!(evaluations.get(key, || 77), score, "{key}");
        }
        assert_eq!(evaluations.get(7, || 5), 5, "its place was taken");
        evaluations.clear();
        assert_eq!(evaluations.get(7, || 8), 8, "forgotten");
    }
}
