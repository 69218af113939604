//! A hash table of bounded size with linear probing.

use super::path::{half, mixed};

/// The content of a table entry.
pub(super) trait Payload: Copy + Default {
    /// The value of keeping it; the table discards the entry with the lowest value first.
    fn worth(&self) -> u64;
}

#[derive(Clone, Copy)]
struct Slot<P> {
    key: [u64; 2],
    /// The generation that wrote it; the slot is empty for any other generation.
    generation: u32,
    payload: P,
}

/// Number of consecutive slots, from a key's home slot on, in which it may be stored.
const WINDOW: usize = 8;

/// Initial number of slots, if the maximum allows.
const FIRST: usize = 1 << 8;

/// A table that grows up to a maximum size and then discards entries.
///
/// An entry is stored in the first free slot from the home slot of its key. Used slots are never
/// freed one by one, so a free slot ends a probe. A new generation frees all slots at once, at no
/// cost.
///
/// At the maximum size, an entry whose window is full replaces the least valuable entry of the
/// window, and when nine in ten slots are used, the least valuable three in ten are discarded
/// (Nagai 2002, `SmallTreeGC`).
pub(super) struct Table<P> {
    slots: Vec<Slot<P>>,
    /// Number of slots in use by this generation; a power of two. More may be allocated.
    size: usize,
    most: usize,
    taken: usize,
    generation: u32,
    /// True if an entry was lost for lack of space.
    has_forgotten: bool,
}

impl<P: Payload> Table<P> {
    /// A table of at most 2^`bits` entries.
    pub(super) fn new(bits: u32) -> Self {
        let most = 1 << bits.min(28);
        let mut table = Self {
            slots: Vec::new(),
            size: 0,
            most,
            taken: 0,
            generation: 0,
            has_forgotten: false,
        };
        table.clear();
        table
    }

    /// Clears the table and shrinks it to the initial size: earlier entries leave no trace.
    pub(super) fn clear(&mut self) {
        self.restart(self.most.min(FIRST));
        self.has_forgotten = false;
    }

    /// Returns whether an entry was lost for lack of space since the table was cleared.
    pub(super) fn has_forgotten(&self) -> bool {
        self.has_forgotten
    }

    fn restart(&mut self, size: usize) {
        if let Some(next) = self.generation.checked_add(1) {
            self.generation = next;
        } else {
            self.slots.clear();
            self.generation = 1;
        }
        let empty = Slot {
            key: [0; 2],
            generation: 0,
            payload: P::default(),
        };
        if self.slots.len() < size {
            self.slots.resize(size, empty);
        }
        self.size = size;
        self.taken = 0;
    }

    #[inline]
    fn places(&self, key: u128) -> impl Iterator<Item = usize> + use<P> {
        self.places_of_half(half(key))
    }

    #[inline]
    fn places_of_half(&self, half: u64) -> impl Iterator<Item = usize> + use<P> {
        let (home, size) = (mixed(half) as usize, self.size);
        (0..WINDOW.min(size)).map(move |step| home.wrapping_add(step) & (size - 1))
    }

    /// The payload with this key.
    #[inline]
    pub(super) fn get(&self, key: u128) -> Option<P> {
        let halves = halves(key);
        for place in self.places(key) {
            let slot = &self.slots[place];
            if slot.generation != self.generation {
                return None;
            }
            if slot.key == halves {
                return Some(slot.payload);
            }
        }
        None
    }

    /// The payload of a position, given only the lower half of its key.
    pub(super) fn get_half(&self, half: u64) -> Option<P> {
        self.places_of_half(half)
            .map(|place| &self.slots[place])
            .take_while(|slot| slot.generation == self.generation)
            .find(|slot| slot.key[0] == half)
            .map(|slot| slot.payload)
    }

    /// Stores an entry, replacing an earlier one with the same key; passes the replaced entries to
    /// `lost`, including the earlier one.
    pub(super) fn put(&mut self, key: u128, payload: P, lost: &mut impl FnMut(P)) {
        if self.size < self.most && self.taken * 2 >= self.size {
            self.rebuild(self.size * 2, 0, lost);
        } else if self.size > WINDOW && self.taken * 10 >= self.size * 9 {
            self.rebuild(self.size, self.taken * 3 / 10, lost);
        }
        let generation = self.generation;
        let slot = Slot {
            key: halves(key),
            generation,
            payload,
        };
        let mut least: Option<(u64, usize)> = None;
        for place in self.places(key) {
            let at = &self.slots[place];
            if at.generation != generation {
                self.taken += 1;
                self.slots[place] = slot;
                return;
            }
            if at.key == slot.key {
                lost(at.payload);
                self.slots[place] = slot;
                return;
            }
            let worth = at.payload.worth();
            if least.is_none_or(|(other, _)| worth < other) {
                least = Some((worth, place));
            }
        }
        self.has_forgotten = true;
        if let Some((_, place)) = least {
            lost(self.slots[place].payload);
            self.slots[place] = slot;
        }
    }

    /// Moves all entries except the `fewer` least valuable ones to a table of another size.
    fn rebuild(&mut self, size: usize, fewer: usize, lost: &mut impl FnMut(P)) {
        let mut live: Vec<Slot<P>> = self.slots[..self.size]
            .iter()
            .filter(|slot| slot.generation == self.generation)
            .copied()
            .collect();
        if fewer > 0 {
            // Stable, so that the choice depends only on the entries.
            live.sort_by_key(|slot| slot.payload.worth());
            self.has_forgotten = true;
            live.drain(..fewer).for_each(|slot| lost(slot.payload));
        }
        self.restart(size);
        // The most valuable first, while their windows are free.
        for slot in live.into_iter().rev() {
            let key = u128::from(slot.key[1]) << 64 | u128::from(slot.key[0]);
            self.place(key, slot, lost);
        }
    }

    /// Stores a slot if there is space, otherwise passes it to `lost`.
    fn place(&mut self, key: u128, slot: Slot<P>, lost: &mut impl FnMut(P)) {
        let free = self
            .places(key)
            .find(|&place| self.slots[place].generation != self.generation);
        if let Some(place) = free {
            self.taken += 1;
            self.slots[place] = Slot {
                generation: self.generation,
                ..slot
            };
        } else {
            self.has_forgotten = true;
            lost(slot.payload);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.taken
    }
}

const fn halves(key: u128) -> [u64; 2] {
    [key as u64, (key >> 64) as u64]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
    struct Value(u64);

    impl Payload for Value {
        fn worth(&self) -> u64 {
            self.0
        }
    }

    fn key(number: u64) -> u128 {
        u128::from(mixed(number)) << 64 | u128::from(number)
    }

    #[test]
    fn a_growing_table_loses_next_to_nothing() {
        let mut table = Table::new(20);
        let mut lost = 0;
        for number in 0..10_000 {
            table.put(key(number), Value(number), &mut |_| lost += 1);
        }
        let found = (0..10_000)
            .filter(|&number| table.get(key(number)) == Some(Value(number)))
            .count();
        assert_eq!(found + lost, 10_000);
        assert!(lost < 100, "{lost}");
        assert!(table.size < 1 << 16);
    }

    #[test]
    fn lost_entries_are_counted_and_never_returned() {
        for bits in [0, 1, 3, 6] {
            let mut table = Table::new(bits);
            let mut live: HashMap<u64, u64> = HashMap::new();
            for step in 0..5000_u64 {
                let number = mixed(step) % 300;
                let mut lost = Vec::new();
                table.put(
                    key(number),
                    Value(step * 1000 + number),
                    &mut |value: Value| {
                        lost.push(value.0);
                    },
                );
                for value in lost {
                    assert_eq!(live.remove(&(value % 1000)), Some(value));
                }
                live.insert(number, step * 1000 + number);
                assert_eq!(table.len(), live.len());
                assert!(table.len() <= 1 << bits);
                for number in 0..300 {
                    let expected = live.get(&number).copied().map(Value);
                    assert_eq!(table.get(key(number)), expected);
                    assert_eq!(table.get_half(number), expected);
                }
            }
        }
    }

    #[test]
    fn the_worthless_go_first() {
        let mut table = Table::new(10);
        let mut least_kept = u64::MAX;
        for number in 0..4000_u64 {
            table.put(key(number), Value(number % 100), &mut |_| {});
        }
        for number in 0..4000_u64 {
            if let Some(value) = table.get(key(number)) {
                least_kept = least_kept.min(value.0);
            }
        }
        let valuable = (0..4000).filter(|number| number % 100 >= 80);
        let kept = valuable
            .clone()
            .filter(|&number| table.get(key(number)).is_some());
        assert!(kept.count() * 10 > valuable.count() * 7);
    }

    #[test]
    fn a_cleared_table_is_as_new() {
        let mut table = Table::new(4);
        for number in 0..100 {
            table.put(key(number), Value(1), &mut |_| {});
        }
        table.clear();
        assert_eq!(table.len(), 0);
        assert!((0..100).all(|number| table.get(key(number)).is_none()));
    }
}
