//! What is computed of counts, kept for the next test that comes to the same counts.

use super::Pentanomial;

/// Entries, as a power of two: 2 MiB.
const BITS: u32 = 17;
/// Bits of each count in a key; larger ones are not kept.
const COUNT_BITS: u32 = 12;

/// Likelihood ratios of counts that were met, the last one in each place: tests that are
/// played with dice, many of them and short, meet the same counts again and again. For tests
/// of the same hypotheses only.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    /// The counts, packed, and their ratio; none before the first.
    entries: Vec<(u64, f64)>,
    is_off: bool,
}

impl Memo {
    /// One that keeps nothing, for a single test.
    pub fn off() -> Self {
        let (entries, is_off) = (Vec::new(), true);
        Self { entries, is_off }
    }

    /// The ratio of these counts: as kept, or computed.
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
