//! The transposition table: what is known of positions that were searched.

use crate::eval::{Score, mate_plies};
use crate::game::Move;

/// What a score says about the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is the score.
    Exact,
    /// The value is the score or more.
    Lower,
    /// The value is the score or less.
    Upper,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The best move, or the one that cut off.
    pub(super) best: Option<Move>,
    /// For the side to move; a mate counts from the root of the present path.
    pub(super) score: Score,
    /// How deep the search that found it was.
    pub(super) depth: u32,
    pub(super) bound: Bound,
}

impl Known {
    /// The value to return at a node of this `depth` and window, if what is
    /// known decides it. A search deeper than asked for decides too (Yue &
    /// Feng 2009, section 3.1).
    #[inline]
    pub(super) fn decides(&self, depth: u32, alpha: Score, beta: Score) -> Option<Score> {
        let decided = self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score >= beta,
                Bound::Upper => self.score <= alpha,
            };
        decided.then_some(self.score)
    }
}

/// 16 bytes: the whole key, and in `data` from the lowest bit on the move (16),
/// the score (16), the depth (8), the bound (2), the age (6) and the
/// generation (16).
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    data: u64,
}

impl Entry {
    fn generation(self) -> u16 {
        (self.data >> 48) as u16
    }

    fn age(self) -> u64 {
        self.data >> 42 & AGES
    }

    fn depth(self) -> u32 {
        (self.data >> 32) as u32 & 0xff
    }
}

/// The largest age; it only decides what is replaced.
const AGES: u64 = 0x3f;
const NO_MOVE: u16 = u16::MAX;
const WAYS: usize = 4;

/// The entries that one cache line holds.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Entry; WAYS]);

/// A table of fixed size; empty ones remember nothing.
///
/// An entry counts only if it carries the present generation, so a new game
/// forgets everything at once. Within a bucket a new entry takes the place of
/// the same position, else of an entry of an earlier game, else of an earlier
/// search, else of the shallowest.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    generation: u16,
    age: u64,
}

impl Table {
    /// A table with the largest power of two of entries that fits `megabytes`.
    pub(super) fn new(megabytes: u32) -> Self {
        let fitting = (megabytes as usize) << 20 >> size_of::<Bucket>().ilog2();
        let buckets = fitting.checked_ilog2().map_or(0, |power| 1 << power);
        Self {
            buckets: vec![Bucket::default(); buckets],
            generation: 1,
            age: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn new_game(&mut self) {
        self.age = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // Entries of the first generations would count again.
            self.buckets.fill(Bucket::default());
            self.generation = 1;
        }
    }

    /// Begins a search: what earlier ones stored is replaced first.
    pub(super) fn new_search(&mut self) {
        self.age = (self.age + 1) & AGES;
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        key as usize & self.buckets.len().wrapping_sub(1)
    }

    /// What is known of the position with this key, `ply` plies below the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: u32) -> Option<Known> {
        let bucket = self.buckets.get(self.index(key))?;
        let entry = bucket
            .0
            .iter()
            .find(|entry| entry.key == key && entry.generation() == self.generation)?;
        let best = entry.data as u16;
        let bound = match entry.data >> 40 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Some(Known {
            best: (best != NO_MOVE).then_some(Move(best)),
            score: seen_from_root(Score::from((entry.data >> 16) as i16), ply),
            depth: entry.depth(),
            bound,
        })
    }

    /// Remembers what a search found. A move that was known before is kept if
    /// the search names none.
    #[inline]
    pub(super) fn store(&mut self, key: u64, ply: u32, known: Known) {
        let (generation, age) = (self.generation, self.age);
        let index = self.index(key);
        let Some(Bucket(entries)) = self.buckets.get_mut(index) else {
            return;
        };
        let mut place = 0;
        let mut least = u32::MAX;
        let mut best = known.best.map_or(NO_MOVE, |mv| mv.0);
        for (way, entry) in entries.iter().enumerate() {
            let fresh = entry.generation() == generation;
            if fresh && entry.key == key {
                place = way;
                if known.best.is_none() {
                    best = entry.data as u16;
                }
                break;
            }
            let worth = match (fresh, entry.age() == age) {
                (false, _) => 0,
                (true, false) => 1 + entry.depth(),
                (true, true) => 0x100 + entry.depth(),
            };
            if worth < least {
                least = worth;
                place = way;
            }
        }
        let score = seen_from_node(known.score, ply) as i16 as u16;
        entries[place] = Entry {
            key,
            data: u64::from(best)
                | u64::from(score) << 16
                | u64::from(known.depth.min(0xff)) << 32
                | (known.bound as u64) << 40
                | age << 42
                | u64::from(generation) << 48,
        };
    }
}

/// A score at the root as the node `ply` plies below sees it: the mate is
/// nearer.
#[inline]
fn seen_from_node(score: Score, ply: u32) -> Score {
    match mate_plies(score) {
        None => score,
        Some(_) => score + score.signum() * ply as Score,
    }
}

/// Undoes [`seen_from_node`].
#[inline]
fn seen_from_root(score: Score, ply: u32) -> Score {
    match mate_plies(score) {
        None => score,
        Some(_) => score - score.signum() * ply as Score,
    }
}
