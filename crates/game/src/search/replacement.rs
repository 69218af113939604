//! Replacement strategies for a full bucket of the transposition table.

use super::Replacement;

/// 16 bytes: the whole key, and in `data` from the lowest bit on the move (16), the score (16), the
/// depth (7), the final flag (1), the bound (2), the age (6) and the generation (16).
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) data: u64,
}

impl Entry {
    /// Returns whether it belongs to the position with this key, in this generation.
    pub(super) fn is_about(self, key: u64, generation: u16) -> bool {
        self.key == key && self.generation() == generation
    }

    pub(super) fn generation(self) -> u16 {
        (self.data >> 48) as u16
    }

    pub(super) fn age(self) -> u64 {
        self.data >> 42 & AGES
    }

    pub(super) fn depth(self) -> u32 {
        (self.data >> 32) as u32 & DEPTHS
    }

    pub(super) fn is_final(self) -> bool {
        self.data >> FINAL & 1 != 0
    }
}

/// The largest depth.
pub(super) const DEPTHS: u32 = 0x7f;
/// The bit index of the final flag.
pub(super) const FINAL: u32 = 39;

/// The largest age; ages only affect replacement.
pub(super) const AGES: u64 = 0x3f;
pub(super) const WAYS: usize = 4;

/// The place in a bucket for the result of a search to `depth`; `None` if every entry is more
/// valuable. If the bucket contains the same position, it is at this place.
#[inline]
pub(super) fn replaced_way(
    replacement: Replacement,
    entries: &mut [Entry; WAYS],
    key: u64,
    generation: u16,
    age: u64,
    depth: u32,
) -> Option<usize> {
    match replacement {
        Replacement::Aged => aged(entries, key, generation, age),
        Replacement::Depth => by_depth(entries, key, generation, depth),
        Replacement::TwoTier => two_tiers(entries, key, generation, depth),
        Replacement::Always => Some(pointed_at(key)),
    }
}

/// The first of: the same position, an entry of an earlier game, the shallowest entry of an earlier
/// search, the shallowest entry.
#[inline]
fn aged(entries: &[Entry; WAYS], key: u64, generation: u16, age: u64) -> Option<usize> {
    least(entries, key, generation, |entry| {
        entry.depth() + if entry.age() == age { 0x100 } else { 1 }
    })
    .map(|(way, _)| way)
}

/// The first of: the same position, an entry of an earlier game, the shallowest entry if it is no
/// deeper than `depth`.
#[inline]
fn by_depth(entries: &[Entry], key: u64, generation: u16, depth: u32) -> Option<usize> {
    let (way, worth) = least(entries, key, generation, |entry| 1 + entry.depth())?;
    (worth <= 1 + depth).then_some(way)
}

/// Keeps the deepest entries in the first half of the bucket. An entry without a place there, or
/// that loses it, goes to the other half.
#[inline]
fn two_tiers(entries: &mut [Entry; WAYS], key: u64, generation: u16, depth: u32) -> Option<usize> {
    const HALF: usize = WAYS / 2;
    let same = entries
        .iter()
        .position(|entry| entry.is_about(key, generation));
    let free = || {
        let other = entries[HALF..].iter();
        let way = other
            .map(|entry| entry.generation())
            .position(|of| of != generation);
        HALF + way.unwrap_or(pointed_at(key) % HALF)
    };
    let other = same.unwrap_or_else(free);
    if other < HALF {
        return same;
    }
    let Some(way) = by_depth(&entries[..HALF], key, generation, depth) else {
        return Some(other);
    };
    if same.is_some() || entries[way].generation() == generation {
        entries.swap(way, other);
    }
    Some(way)
}

/// A place selected by key bits that do not select the bucket.
#[inline]
fn pointed_at(key: u64) -> usize {
    (key >> 62) as usize % WAYS
}

/// The place and value of the first entry with the least value: 0 for the same position, which
/// takes precedence, and for an entry of an earlier game, otherwise `worth`.
#[inline]
fn least(
    entries: &[Entry],
    key: u64,
    generation: u16,
    worth: impl Fn(Entry) -> u32,
) -> Option<(usize, u32)> {
    let mut place = None;
    let mut least = u32::MAX;
    for (way, &entry) in entries.iter().enumerate() {
        if entry.is_about(key, generation) {
            return Some((way, 0));
        }
        let worth = if entry.generation() == generation {
            worth(entry)
        } else {
            0
        };
        if worth < least {
            least = worth;
            place = Some((way, worth));
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;
    use crate::search::table::{Bound, StoredScore, Table};

    fn table(replacement: Replacement) -> Table {
        Table::new(1, replacement)
    }

    fn known(depth: u32) -> StoredScore {
        StoredScore {
            best: Some(Move(7)),
            score: 0,
            depth,
            bound: Bound::Exact,
            is_final: false,
        }
    }

    /// The `n`-th key of a set that shares a bucket; its highest bits are those of `n`, reversed.
    fn key(n: u64) -> u64 {
        n.reverse_bits()
    }

    /// The stored positions of 0 to 9, with their depths.
    fn known_depths(table: &Table) -> Vec<(u64, u32)> {
        (0..10)
            .filter_map(|n| Some((n, table.probe(key(n), 0)?.depth)))
            .collect()
    }

    /// Stores positions by number, with their depths.
    fn store(table: &mut Table, entries: &[(u64, u32)]) {
        for &(n, depth) in entries {
            table.store(key(n), 0, known(depth));
        }
    }

    #[test]
    fn a_bucket_by_depth_gives_up_the_shallowest_or_nothing() {
        let mut table = table(Replacement::Depth);
        store(&mut table, &[(1, 9), (2, 3), (3, 5), (4, 4)]);
        store(&mut table, &[(5, 2)]);
        assert_eq!(known_depths(&table), [(1, 9), (2, 3), (3, 5), (4, 4)]);
        // Old searches count as much as the current one.
        table.new_search();
        store(&mut table, &[(5, 3), (6, 3)]);
        assert_eq!(known_depths(&table), [(1, 9), (3, 5), (4, 4), (6, 3)]);
        store(&mut table, &[(1, 0)]);
        assert_eq!(
            known_depths(&table),
            [(1, 0), (3, 5), (4, 4), (6, 3)],
            "the same position gives way to anything"
        );
        table.new_game();
        store(&mut table, &[(7, 0), (8, 0), (9, 0), (2, 0)]);
        assert_eq!(known_depths(&table), [(2, 0), (7, 0), (8, 0), (9, 0)]);
    }

    #[test]
    fn a_bucket_of_two_tiers_keeps_the_two_deepest() {
        let mut table = table(Replacement::TwoTier);
        store(&mut table, &[(2, 9), (4, 3), (6, 5), (8, 4)]);
        // Entries that lose their place among the deep ones, or find none, use the free one, later
        // the one selected by the key.
        assert_eq!(known_depths(&table), [(2, 9), (4, 3), (6, 5), (8, 4)]);
        store(&mut table, &[(1, 1)]);
        let deep = |table: &Table| {
            let known = known_depths(table);
            known.into_iter().filter(|&(_, depth)| depth > 4).count()
        };
        assert_eq!(deep(&table), 2);
        assert_eq!(table.probe(key(1), 0).map(|known| known.depth), Some(1));
        store(&mut table, &[(3, 0), (5, 0), (7, 0), (0, 0)]);
        assert_eq!(deep(&table), 2, "whatever comes later");
        assert_eq!(known_depths(&table).len(), 4);
        assert!(table.probe(key(0), 0).is_some());
        // A deeper search of a shallow position moves it to the first half.
        store(&mut table, &[(0, 7), (3, 0), (4, 0), (5, 0), (8, 0)]);
        let known = known_depths(&table);
        assert!(
            known.contains(&(2, 9)) && known.contains(&(0, 7)),
            "{known:?}"
        );
        assert!(!known.contains(&(6, 5)), "{known:?}");
    }

    #[test]
    fn a_bucket_that_always_replaces_looks_at_the_key_alone() {
        let mut table = table(Replacement::Always);
        store(&mut table, &[(1, 9), (2, 9), (3, 9), (0, 9)]);
        assert_eq!(known_depths(&table), [(0, 9), (1, 9), (2, 9), (3, 9)]);
        store(&mut table, &[(5, 0)]);
        assert_eq!(known_depths(&table), [(0, 9), (2, 9), (3, 9), (5, 0)]);
    }

    #[test]
    fn by_age_the_shallowest_of_the_oldest_goes_first() {
        let mut table = table(Replacement::Aged);
        store(&mut table, &[(1, 9), (2, 3), (3, 5), (4, 4), (5, 1)]);
        assert_eq!(known_depths(&table), [(1, 9), (3, 5), (4, 4), (5, 1)]);
        table.new_search();
        store(&mut table, &[(6, 2), (7, 1), (8, 1), (9, 1)]);
        assert_eq!(known_depths(&table), [(6, 2), (7, 1), (8, 1), (9, 1)]);
        store(&mut table, &[(6, 0), (1, 0)]);
        assert_eq!(known_depths(&table), [(1, 0), (7, 1), (8, 1), (9, 1)]);
    }
}
