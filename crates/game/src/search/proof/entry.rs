//! What proof-number search remembers of positions.

use super::numbers::Numbers;
use super::pool::{Handle, NONE, Pool};
use super::table::{Payload, Table};

/// The place of no position of the line: a result that holds on every line.
pub(super) const EVERYWHERE: u32 = u32::MAX;

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    pub(super) numbers: Numbers,
    /// Positions played to below it, in all its searches; 0 while it has only
    /// been looked at.
    pub(super) work: u32,
    /// Of an open position: how near to the root it has been met. Of a decided
    /// one: the plies to the end of the proof.
    pub(super) plies: u32,
    /// The first place of the line that a decided position repeats further on.
    pub(super) rests_on: u32,
    /// The lower half of the key of the position from which it was searched last.
    pub(super) parent: u64,
    /// The move that wins, lasts longest, or looks best.
    pub(super) best: Option<M>,
    /// Where the zone of a decided position is kept.
    zone: Handle,
    /// Whether there may be an entry for the end of one line only.
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

/// The entries, and the zones of those that are decided.
pub(super) struct Memory<M, Z> {
    table: Table<Entry<M>>,
    zones: Pool<Z>,
}

impl<M: Copy, Z: Clone + Default> Memory<M, Z> {
    pub(super) fn new(bits: u32) -> Self {
        Self {
            table: Table::new(bits),
            zones: Pool::new(),
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

    /// What is remembered of a position of which only the lower half of the key
    /// is known.
    pub(super) fn get_half(&self, half: u64) -> Option<Entry<M>> {
        self.table.get_half(half)
    }

    pub(super) fn zone(&self, entry: &Entry<M>) -> Z {
        self.zones.get(entry.zone)
    }

    /// Whether an entry was ever lost for want of room.
    pub(super) fn has_forgotten(&self) -> bool {
        self.table.has_forgotten()
    }

    /// Remembers a position that is open.
    pub(super) fn put(&mut self, key: u128, entry: Entry<M>) {
        let zones = &mut self.zones;
        self.table
            .put(key, entry, &mut |lost| zones.drop(lost.zone));
    }

    /// Remembers a position that is decided.
    pub(super) fn put_decided(&mut self, key: u128, entry: Entry<M>, zone: Z) {
        let zone = self.zones.put(zone);
        self.put(key, Entry { zone, ..entry });
    }
}
