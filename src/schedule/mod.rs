//! From a config to numbered pairs: a pure function, never stored.

/// One pair of the schedule: two games between two variants from one opening,
/// colours swapped. In game 0 `variants[0]` moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairSpec {
    /// Number in the schedule, from 0.
    pub index: u64,
    /// Number of the pairing, in the order of
    /// [`Schedule::pairings`](crate::schedule).
    pub pairing: usize,
    /// The two variants, as indices into the config's list.
    pub variants: [usize; 2],
    /// Index of the opening in the book.
    pub opening: usize,
    /// How often this pairing has been through the whole book before.
    pub lap: u64,
}
