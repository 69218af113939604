//! Known results about positions: permanent bounds on their scores, and the best moves.
//!
//! An entry holds both sets of discs, so positions are never confused.

use super::board::Board;

/// The mark for no move.
pub(super) const NO_MOVE: u8 = 64;

/// The known facts about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredValue {
    /// Lower bound of the score.
    pub(super) lower: i8,
    /// Upper bound of the score.
    pub(super) upper: i8,
    /// The best move and the previous best move; [`NO_MOVE`] if unknown.
    pub(super) best: [u8; 2],
}

impl StoredValue {
    /// No knowledge.
    pub(super) const NOTHING: StoredValue = StoredValue {
        lower: -64,
        upper: 64,
        best: [NO_MOVE; 2],
    };
}

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    known: StoredValue,
    /// Number of empty squares of the position: a measure of the cost to search it again.
    empties: u8,
    generation: u8,
}

impl Entry {
    const NEW: Entry = Entry {
        board: Board {
            own: 0,
            opponent: 0,
        },
        known: StoredValue::NOTHING,
        empties: 0,
        generation: 0,
    };
}

/// Two entries in one cache line: the first for the position with more empty squares, the second
/// for the latest.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Entry; 2]);

/// A table of fixed size.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    shift: u32,
    generation: u8,
}

impl Table {
    /// A table with the largest power of two of bytes within `megabytes`.
    pub(super) fn new(megabytes: u32) -> Self {
        let fitting = (megabytes.max(1) as usize) << 20 >> size_of::<Bucket>().ilog2();
        let bits = fitting.ilog2();
        Self {
            buckets: vec![Bucket([Entry::NEW; 2]); 1 << bits],
            shift: 64 - bits,
            generation: 1,
        }
    }

    pub(super) fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.fill(Bucket([Entry::NEW; 2]));
            self.generation = 1;
        }
    }

    /// The bucket of a position.
    #[inline]
    pub(super) fn place(&self, board: Board) -> Place {
        let own = board.own.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let both = (own ^ own >> 32).wrapping_add(board.opponent);
        let mixed = both.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xb504_f333_f9de_6485);
        Place((mixed >> self.shift) as usize)
    }

    /// The known facts about the position in this bucket.
    #[inline]
    pub(super) fn probe(&self, place: Place, board: Board) -> Option<StoredValue> {
        let bucket = self.buckets.get(place.0)?;
        let entry = bucket
            .0
            .iter()
            .find(|entry| entry.board == board && entry.generation == self.generation)?;
        Some(entry.known)
    }

    /// Stores the bounds of the score, and the best move if known.
    pub(super) fn store(
        &mut self,
        place: Place,
        board: Board,
        empties: u32,
        bounds: (i8, i8),
        best: u8,
    ) {
        let generation = self.generation;
        let Some(Bucket(entries)) = self.buckets.get_mut(place.0) else {
            return;
        };
        let fresh = Entry {
            board,
            known: StoredValue {
                lower: bounds.0,
                upper: bounds.1,
                best: [best, NO_MOVE],
            },
            empties: empties as u8,
            generation,
        };
        let is_same = |entry: &Entry| entry.board == board && entry.generation == generation;
        if let Some(entry) = entries.iter_mut().find(|entry| is_same(entry)) {
            let known = &mut entry.known;
            known.lower = known.lower.max(bounds.0);
            known.upper = known.upper.min(bounds.1);
            if best != NO_MOVE && best != known.best[0] {
                known.best = [best, known.best[0]];
            }
        } else if entries[0].generation != generation || entries[0].empties <= fresh.empties {
            entries[1] = entries[0];
            entries[0] = fresh;
        } else {
            entries[1] = fresh;
        }
    }
}

/// The index of a bucket.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);
