//! The part of a book that a record holds.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use crate::schedule::Opening;
use leitai_base::threads::lock;

/// A book with some known openings, and more while its run is played.
#[derive(Default)]
pub(super) struct RecordedBook {
    /// The number of openings in the whole book.
    pub(super) len: usize,
    /// The digest of the whole book.
    pub(super) digest: [u8; 32],
    known: Mutex<KnownOpenings>,
}

#[derive(Default)]
struct KnownOpenings {
    openings: BTreeMap<usize, Opening>,
    /// The first opening with a meeting key.
    places: HashMap<u64, usize>,
}

impl RecordedBook {
    pub(super) fn new(len: usize, digest: [u8; 32]) -> Self {
        Self {
            len,
            digest,
            known: Mutex::default(),
        }
    }

    /// Adds openings by their indices.
    pub(super) fn recall(&self, openings: impl IntoIterator<Item = (usize, Opening)>) {
        let known = &mut *lock(&self.known);
        for (index, opening) in openings {
            let place = known.places.entry(opening.meeting_key()).or_insert(index);
            *place = index.min(*place);
            known.openings.insert(index, opening);
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<Opening> {
        lock(&self.known).openings.get(&index).cloned()
    }

    /// The number of known openings.
    pub(super) fn known(&self) -> usize {
        lock(&self.known).openings.len()
    }

    pub(super) fn place(&self, meeting_key: u64) -> Option<usize> {
        lock(&self.known).places.get(&meeting_key).copied()
    }
}
