//! A cache of likelihood ratios by counts.

use super::Pentanomial;

/// Entries, as a power of two: 2 MiB.
const BITS: u32 = 17;
/// Bits of each count in a key; larger counts are not cached.
const COUNT_BITS: u32 = 12;

/// A cache of the likelihood ratios of counts, which keeps the last one in each slot. Many short
/// simulated tests reach the same counts again and again. Use one cache only for tests of the same
/// hypotheses.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    /// The packed counts and their ratio; empty before the first.
    entries: Vec<(u64, f64)>,
    is_off: bool,
}

impl Memo {
    /// Creates a cache that keeps nothing, for a single test.
    pub fn off() -> Self {
        let (entries, is_off) = (Vec::new(), true);
        Self { entries, is_off }
    }

    /// Returns the ratio of `counts` from the cache, or computes it.
    pub(super) fn ratio(
        &mut self,
        counts: &Pentanomial,
        compute: impl FnOnce(&Pentanomial) -> f64,
    ) -> f64 {
        if self.is_off || counts.0.iter().any(|count| count >> COUNT_BITS > 0) {
            return compute(counts);
        }
        if self.entries.is_empty() {
            self.entries = vec![(u64::MAX, 0.0); 1 << BITS];
        }
        let pack = |key: u64, count: &u64| key << COUNT_BITS | count;
        let key = counts.0.iter().fold(0, pack);
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BITS);
        let (known, ratio) = &mut self.entries[place as usize];
        if *known != key {
            (*known, *ratio) = (key, compute(counts));
        }
        *ratio
    }
}
