//! Entries of the proof-number search's memory.

use super::StoredResult;
use super::numbers::Numbers;
use super::pool::{Handle, NONE, Pool};
use super::table::{Payload, Table};

/// A place beyond every line: marks a result that holds on every line.
pub(super) const EVERYWHERE: u32 = u32::MAX;

/// The stored data of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    pub(super) numbers: Numbers,
    /// Number of positions played below it, in all its searches; 0 before the first search.
    pub(super) work: u32,
    /// For an open position: its least distance from the root so far. For a decided one: plies to
    /// the end of the proof.
    pub(super) plies: u32,
    /// The earliest place of the line that the proof of a decided position repeats.
    pub(super) rests_on: u32,
    /// The lower half of the key of the position from which it was last searched.
    pub(super) parent: u64,
    /// The move that wins, or loses most slowly, or looks best.
    pub(super) best: Option<M>,
    /// The handle of a decided position's zone.
    zone: Handle,
    /// True if there may be another entry, for the end of one line only.
    pub(super) has_twin: bool,
}

impl<M> Entry<M> {
    pub(super) const fn new(numbers: Numbers) -> Self {
        Self {
            numbers,
            work: 0,
            plies: 0,
            rests_on: EVERYWHERE,
            parent: 0,
            best: None,
            zone: NONE,
            has_twin: false,
        }
    }
}

impl<M> Default for Entry<M> {
    fn default() -> Self {
        Self::new(Numbers::NEW)
    }
}

impl<M: Copy> Payload for Entry<M> {
    fn worth(&self) -> u64 {
        u64::from(self.work)
    }
}

/// The entries, with the zones of decided ones.
pub(super) struct Memory<M, Z> {
    table: Table<Entry<M>>,
    zones: Pool<Z>,
}

impl<M: Copy, Z: Clone + Default> Memory<M, Z> {
    pub(super) fn new(bits: u32) -> Self {
        Self {
            table: Table::new(bits),
            zones: Pool::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.zones.clear();
    }

    #[inline]
    pub(super) fn get(&self, key: u128) -> Option<Entry<M>> {
        self.table.get(key)
    }

    /// The entry of a position, given only the lower half of its key.
    pub(super) fn get_half(&self, half: u64) -> Option<Entry<M>> {
        self.table.get_half(half)
    }

    pub(super) fn zone(&self, entry: &Entry<M>) -> Z {
        self.zones.get(entry.zone)
    }

    /// The zone of an entry, if it is decided.
    pub(super) fn decided_zone(&self, entry: &Entry<M>) -> Option<Z> {
        entry.numbers.is_decided().then(|| self.zone(entry))
    }

    /// The stored result of a decided position.
    pub(super) fn result(&self, key: u128) -> Option<StoredResult<M, Z>> {
        let entry = self.get(key)?;
        entry.numbers.is_decided().then(|| StoredResult {
            proved: entry.numbers.proof == 0,
            best: entry.best,
            plies: entry.plies,
            zone: self.zone(&entry),
        })
    }

    /// Returns whether the table has ever lost an entry for lack of space.
    pub(super) fn has_forgotten(&self) -> bool {
        self.table.has_forgotten()
    }

    /// Stores an open position.
    pub(super) fn put(&mut self, key: u128, entry: Entry<M>) {
        let zones = &mut self.zones;
        self.table
            .put(key, entry, &mut |lost| zones.drop(lost.zone));
    }

    /// Stores a decided position.
    pub(super) fn put_decided(&mut self, key: u128, entry: Entry<M>, zone: Z) {
        let zone = self.zones.put(zone);
        self.put(key, Entry { zone, ..entry });
    }
}
