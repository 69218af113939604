//! A node of the current line, and its children.

use crate::search::proof::Counting;
use crate::search::proof::entry::{EVERYWHERE, Entry};
use crate::search::proof::tally::{Share, Tally};

/// A node of the current line.
pub(super) struct Frame<Z> {
    /// True if the side that wants the proof is to move.
    pub(super) or: bool,
    /// Threshold of the number of the side to move, at which the search leaves the node.
    pub(super) own_limit: u32,
    /// Threshold of the number of the other side, at which the search leaves the node.
    pub(super) other_limit: u32,
    /// Index of its first child.
    pub(super) first: usize,
    /// Index of the child that is being searched, relative to the first.
    pub(super) current: usize,
    /// The child with which the side to move wins.
    pub(super) won: Option<usize>,
    /// The zone of that win, or the merged zone of the failures so far.
    pub(super) zone: Z,
    /// The zone of the pass's failure.
    pub(super) passed: Option<Z>,
    /// The earliest place of the line on which the result depends.
    pub(super) rests_on: u32,
    /// Number of moves played when the search entered it.
    pub(super) visited: u64,
    /// Number of discoveries when the search entered it.
    pub(super) discoveries: u64,
    /// Number of returns from children without a discovery.
    pub(super) idle: u32,
    /// True if thresholds were being raised when the search entered it.
    pub(super) was_raising: bool,
    /// True if all its children have been added.
    pub(super) is_complete: bool,
}

impl<Z: Default> Frame<Z> {
    pub(super) fn new(or: bool, (own_limit, other_limit): (u32, u32)) -> Self {
        Self {
            or,
            own_limit,
            other_limit,
            first: 0,
            current: 0,
            won: None,
            zone: Z::default(),
            passed: None,
            rests_on: EVERYWHERE,
            visited: 0,
            discoveries: 0,
            idle: 0,
            was_raising: false,
            is_complete: false,
        }
    }
}

impl<Z> Frame<Z> {
    /// The numbers of the node, computed from those of its children.
    #[inline]
    pub(super) fn tally<M>(&self, children: &[Child<M>], counting: Counting) -> Tally {
        let or = self.or;
        let shares = children.iter().map(|child| {
            let (own, other) = child.entry.numbers.seen_by(or);
            Share {
                own,
                other,
                group: child.group,
                is_old: child.is_old,
            }
        });
        Tally::of(&shares, counting)
    }
}

/// A node's data about one of its children.
pub(super) struct Child<M> {
    pub(super) mv: M,
    pub(super) key: u128,
    /// Its stored data, or the data of a new entry.
    pub(super) entry: Entry<M>,
    /// The first child of the group with which it is counted.
    pub(super) group: u32,
    /// True if it was met before, at least as near to the root as its parent is.
    pub(super) is_old: bool,
}

impl<M> Child<M> {
    pub(super) fn new(mv: M, key: u128, group: u32, entry: Entry<M>) -> Self {
        Self {
            mv,
            key,
            entry,
            group,
            is_old: false,
        }
    }
}
