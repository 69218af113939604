//! Static evaluations that were asked for before.

use super::table::fetch;
use crate::eval::Score;

/// A direct-mapped cache. What it holds depends on the position alone, so that
/// it never changes what a search finds, and has to be cleared only for another
/// evaluation.
pub(super) struct Evaluations {
    /// The upper 48 bits of the key, and the score.
    entries: Vec<u64>,
}

/// 512 KiB: as much as a core keeps at hand.
const ENTRIES: usize = 1 << 16;

/// No entry: it has a score that no evaluation has.
const EMPTY: u64 = i16::MIN as u16 as u64;

impl Evaluations {
    pub(super) fn new() -> Self {
        Self {
            entries: vec![EMPTY; ENTRIES],
        }
    }

    /// Forgets all: the evaluation is another.
    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Has fetched what may be remembered of the position with this key.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        fetch(&self.entries[key as usize % ENTRIES]);
    }

    /// The evaluation of the position with this key: remembered, or made now.
    #[inline]
    pub(super) fn get(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        // The lowest bits choose the place, the others are compared.
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
    fn what_was_made_is_remembered_for_its_position() {
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
