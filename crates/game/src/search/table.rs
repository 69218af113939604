//! The transposition table: stored results of searched positions.

use super::Replacement;
use super::replacement::{AGES, DEPTHS, Entry, FINAL, WAYS, replaced_way};
use crate::Move;
use crate::eval::{Score, mate_plies};

/// Relation of a score to the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value equals the score.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredScore {
    /// The best move, or the one that cut off.
    pub best: Option<Move>,
    /// Score for the side to move; a mate counts from the root of the current path.
    pub score: Score,
    /// Depth of the search that found it.
    pub depth: u32,
    /// Relation of the score to the value.
    pub bound: Bound,
    /// True if every line that it depends on reached the end of the game: a deeper search finds the
    /// same.
    pub is_final: bool,
}

impl StoredScore {
    /// The value to return at a node with this `depth` and window, if the entry decides it. A
    /// deeper search decides too (Yue & Feng 2009, section 3.1), unless `same_depth` requires equal
    /// depths. A final entry decides for any depth, but with `same_depth` not for a depth that
    /// would not have reached the end.
    #[inline]
    pub(super) fn decides(
        &self,
        depth: u32,
        same_depth: bool,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let is_deep_enough = if same_depth {
            self.depth == depth || (self.is_final && self.depth < depth)
        } else {
            self.depth >= depth || self.is_final
        };
        let decided = is_deep_enough
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score >= beta,
                Bound::Upper => self.score <= alpha,
            };
        decided.then_some(self.score)
    }
}

const NO_MOVE: u16 = u16::MAX;

/// Prefetches a memory location.
#[inline]
pub(super) fn fetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(place);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The entries in one cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Entry; WAYS]);

/// A table of fixed size; an empty one stores nothing.
///
/// Only entries with the current generation are valid, so a new game clears the table at once.
/// Within a bucket a new entry replaces the same position, otherwise an entry of an earlier game,
/// otherwise one chosen by the [`Replacement`] scheme.
///
/// The key does not include the path. With history rules, a score that depends on a repetition is
/// also used for paths that do not repeat: a known flaw of every program that has both.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    replacement: Replacement,
    generation: u16,
    age: u64,
    /// Number of entries of the current game in the first [`SAMPLE`] buckets.
    sampled: u32,
}

/// Number of buckets sampled for the fill level.
const SAMPLE: usize = 1000 / WAYS;

impl Table {
    /// A table whose number of entries is the largest power of two that fits into `megabytes`.
    pub(super) fn new(megabytes: u32, replacement: Replacement) -> Self {
        let fitting = (megabytes as usize) << 20 >> size_of::<Bucket>().ilog2();
        let buckets = fitting.checked_ilog2().map_or(0, |power| 1 << power);
        Self {
            buckets: vec![Bucket::default(); buckets],
            replacement,
            generation: 1,
            age: 0,
            sampled: 0,
        }
    }

    pub(super) fn new_game(&mut self) {
        self.age = 0;
        self.sampled = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // Otherwise entries of the first generations would be valid again.
            self.buckets.fill(Bucket::default());
            self.generation = 1;
        }
    }

    /// Starts a search: entries of earlier ones are replaced first.
    pub(super) fn new_search(&mut self) {
        self.age = (self.age + 1) & AGES;
    }

    /// Share of entries of the current game, in thousandths: of the first thousand, or of all in a
    /// smaller table.
    pub(super) fn permille(&self) -> u32 {
        let sample = (self.buckets.len().min(SAMPLE) * WAYS) as u32;
        (self.sampled * 1000).checked_div(sample).unwrap_or(0)
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        key as usize & self.buckets.len().wrapping_sub(1)
    }

    /// Prefetches the bucket of the position with this key, before a lookup.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        if let Some(bucket) = self.buckets.get(self.index(key)) {
            fetch(bucket);
        }
    }

    /// The entry of the position with this key, `ply` plies below the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: u32) -> Option<StoredScore> {
        let bucket = self.buckets.get(self.index(key))?;
        let entry = bucket
            .0
            .iter()
            .find(|entry| entry.is_about(key, self.generation))?;
        let best = entry.data as u16;
        let bound = match entry.data >> 40 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Some(StoredScore {
            best: (best != NO_MOVE).then_some(Move(best)),
            score: nearer(Score::from((entry.data >> 16) as i16), -(ply as Score)),
            depth: entry.depth(),
            bound,
            is_final: entry.is_final(),
        })
    }

    /// Stores the result of a search. Keeps the stored move if the result has none.
    #[inline]
    pub(super) fn store(&mut self, key: u64, ply: u32, known: StoredScore) {
        let index = self.index(key);
        let Some(Bucket(entries)) = self.buckets.get_mut(index) else {
            return;
        };
        let replaced_way = replaced_way(
            self.replacement,
            entries,
            key,
            self.generation,
            self.age,
            known.depth,
        );
        let Some(entry) = replaced_way.and_then(|way| entries.get_mut(way)) else {
            return;
        };
        let best = match known.best {
            Some(mv) => mv.0,
            None if entry.is_about(key, self.generation) => entry.data as u16,
            None => NO_MOVE,
        };
        let score = nearer(known.score, ply as Score) as i16 as u16;
        if index < SAMPLE && entry.generation() != self.generation {
            self.sampled += 1;
        }
        *entry = Entry {
            key,
            data: u64::from(best)
                | u64::from(score) << 16
                | u64::from(known.depth.min(DEPTHS)) << 32
                | u64::from(known.is_final) << FINAL
                | (known.bound as u64) << 40
                | self.age << 42
                | u64::from(self.generation) << 48,
        };
    }
}

/// A score after the distance of its mate, if it is one, has become smaller by `plies`: seen from a
/// node that many plies below the root instead of from the root.
#[inline]
fn nearer(score: Score, plies: Score) -> Score {
    match mate_plies(score) {
        None => score,
        Some(_) => score + score.signum() * plies,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eval::{MATE, MAX_EVAL};

    fn known(score: Score, depth: u32) -> StoredScore {
        StoredScore {
            best: Some(Move(7)),
            score,
            depth,
            bound: Bound::Exact,
            is_final: false,
        }
    }

    fn table(replacement: Replacement) -> Table {
        Table::new(1, replacement)
    }

    /// The `n`-th key of a set that shares a bucket; its highest bits are those of `n`, reversed.
    fn key(n: u64) -> u64 {
        n.reverse_bits()
    }

    proptest! {
        #[test]
        fn stored_entries_are_found(
            replacement in prop::sample::select(Replacement::ALL),
            key: u64,
            ply in 0_u32..64,
            best in prop::option::of(0_u16..u16::MAX),
            score in -MAX_EVAL..=MAX_EVAL,
            depth in 0_u32..=64,
            bound in prop::sample::select(vec![Bound::Exact, Bound::Lower, Bound::Upper]),
            is_final: bool,
        ) {
            let mut table = table(replacement);
            let known = StoredScore { best: best.map(Move), score, depth, bound, is_final };
            table.store(key, ply, known);
            prop_assert_eq!(table.probe(key, ply), Some(known));
            prop_assert_eq!(table.probe(!key, ply), None);
        }
    }

    #[test]
    fn mates_move_with_the_node() {
        let mut table = table(Replacement::Aged);
        for sign in [1, -1] {
            // Found at ply 5: mate at ply 9, four plies later.
            table.store(1, 5, known(sign * (MATE - 9), 6));
            let score = |ply| table.probe(1, ply).map(|known| known.score);
            assert_eq!(score(5), Some(sign * (MATE - 9)));
            assert_eq!(score(0), Some(sign * (MATE - 4)));
            assert_eq!(score(11), Some(sign * (MATE - 15)));
        }
    }

    #[test]
    fn sizes_are_powers_of_two() {
        for (megabytes, buckets) in [(0, 0), (1, 1 << 14), (3, 1 << 15), (4, 1 << 16)] {
            assert_eq!(
                Table::new(megabytes, Replacement::Aged).buckets.len(),
                buckets
            );
        }
        let mut none = Table::new(0, Replacement::Aged);
        none.store(1, 0, known(3, 3));
        assert_eq!(none.probe(1, 0), None);
    }

    proptest! {
        /// After any stores, a scheme that never refuses an entry has the last one with the best
        /// move known so far; no position is stored twice.
        #[test]
        fn the_last_entry_is_known_once(
            replacement in prop::sample::select(Replacement::ALL),
            stores in prop::collection::vec((0_u64..10, 0_u32..6, any::<bool>()), 1..60),
        ) {
            let mut table = table(replacement);
            for (n, depth, named) in stores {
                let before = table.probe(key(n), 0);
                let best = named.then_some(Move(n as u16));
                table.store(key(n), 0, StoredScore { best, ..known(depth as Score, depth) });
                let after = table.probe(key(n), 0);
                let stored = after.filter(|after| after.depth == depth);
                if replacement != Replacement::Depth || before.is_some() {
                    let kept = best.or(before.and_then(|known| known.best));
                    prop_assert_eq!(stored.map(|known| known.best), Some(kept));
                }
                let ways = table.buckets[0].0;
                for entry in ways.iter().filter(|entry| entry.generation() == 1) {
                    let same = ways.iter().filter(|other| other.is_about(entry.key, 1));
                    prop_assert_eq!(same.count(), 1);
                }
            }
        }
    }

    #[test]
    fn a_position_without_a_best_move_keeps_the_one_known() {
        for &replacement in Replacement::ALL {
            let mut table = table(replacement);
            let nameless = StoredScore {
                best: None,
                ..known(5, 1)
            };
            table.store(1, 0, nameless);
            assert_eq!(table.probe(1, 0), Some(nameless));
            table.store(1, 0, known(3, 4));
            table.store(1, 0, nameless);
            assert_eq!(table.probe(1, 0), Some(known(5, 1)));
        }
    }

    #[test]
    fn how_full_it_is_is_counted_as_it_fills() {
        let mut table = table(Replacement::Aged);
        for game in 0..3_u64 {
            assert_eq!(table.permille(), 0);
            for n in 0..20_000_u64 {
                let spread = (n ^ game).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                table.store(spread, 0, known(1, (n % 7) as u32));
                if n % 500 == 0 {
                    let sample = table.buckets[..SAMPLE].iter().flat_map(|bucket| bucket.0);
                    let present = sample.filter(|entry| entry.generation() == table.generation);
                    assert_eq!(table.permille() as usize, present.count());
                }
            }
            assert!(table.permille() > 200);
            table.new_game();
        }
    }

    #[test]
    fn a_new_game_forgets_even_after_all_generations() {
        let mut table = table(Replacement::Aged);
        table.store(1, 0, known(1, 1));
        for _ in 0..u16::MAX {
            table.new_game();
            assert_eq!(table.probe(1, 0), None);
        }
        table.store(2, 0, known(2, 2));
        assert!(table.probe(2, 0).is_some());
    }

    #[test]
    fn a_bound_decides_on_its_side_only() {
        let with = |bound| StoredScore {
            bound,
            ..known(10, 4)
        };
        let decided = |bound, alpha, beta| with(bound).decides(4, false, alpha, beta).is_some();
        assert!(decided(Bound::Exact, 0, 20));
        assert!(decided(Bound::Lower, 0, 10) && !decided(Bound::Lower, 0, 11));
        assert!(decided(Bound::Upper, 10, 20) && !decided(Bound::Upper, 9, 20));
    }

    #[test]
    fn final_scores_hold_at_other_depths() {
        let decides = |is_final, depth, same_depth| {
            let known = StoredScore {
                is_final,
                ..known(10, 4)
            };
            known.decides(depth, same_depth, 0, 20) == Some(10)
        };
        for (is_final, same_depth, expected) in [
            (false, false, [true, true, false]),
            (false, true, [false, true, false]),
            (true, false, [true, true, true]),
            (true, true, [false, true, true]),
        ] {
            let found = [3, 4, 5].map(|depth| decides(is_final, depth, same_depth));
            assert_eq!(found, expected, "{is_final} {same_depth}");
        }
    }
}
