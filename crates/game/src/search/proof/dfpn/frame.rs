//! A node of the present line, and its children.

use crate::search::proof::Counting;
use crate::search::proof::entry::{EVERYWHERE, Entry};
use crate::search::proof::numbers::Numbers;
use crate::search::proof::tally::{Share, Tally};

/// A node of the line that is being searched.
pub(super) struct Frame<Z> {
    /// Whether the side that wants the proof is to move.
    pub(super) or: bool,
    /// The node is left when the number of the side to move gets there...
    pub(super) own_limit: u32,
    /// ...or that of the other side here.
    pub(super) other_limit: u32,
    /// Where its children begin.
    pub(super) first: usize,
    /// Which of them is being searched.
    pub(super) current: usize,
    /// The one by which the side to move wins.
    pub(super) won: Option<usize>,
    /// The zone of that win, or those of the failures so far.
    pub(super) zone: Z,
    /// The zone of the failure of the pass.
    pub(super) passed: Option<Z>,
    /// The first place of the line that the result rests on.
    pub(super) rests_on: u32,
    /// Moves played when it was entered.
    pub(super) visited: u64,
    /// What had been discovered by then.
    pub(super) discoveries: u64,
    /// Returns from children that had nothing new to tell.
    pub(super) idle: u32,
    /// Whether thresholds were being raised when it was entered.
    pub(super) was_raising: bool,
    /// Whether all its children have been looked at.
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
    /// The numbers of the node by those of its children.
    #[inline]
    pub(super) fn tally<M>(&self, children: &[Child<M>], counting: Counting) -> Tally {
        let or = self.or;
        let shares = children.iter().map(|child| {
            let (own, other) = child.numbers.seen_by(or);
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

/// What a node knows of one of its children.
pub(super) struct Child<M> {
    pub(super) mv: M,
    pub(super) key: u128,
    pub(super) numbers: Numbers,
    /// As in an [`Entry`].
    pub(super) work: u32,
    pub(super) plies: u32,
    pub(super) rests_on: u32,
    pub(super) parent: u64,
    /// The first of the children with which it is counted.
    pub(super) group: u32,
    /// Whether it was met before, at least as near to the root as its parent is.
    pub(super) is_old: bool,
}

impl<M> Child<M> {
    pub(super) fn new(mv: M, key: u128, group: u32) -> Self {
        Self {
            mv,
            key,
            numbers: Numbers::NEW,
            work: 0,
            plies: 0,
            rests_on: EVERYWHERE,
            parent: 0,
            group,
            is_old: false,
        }
    }

    /// Takes over what an entry says.
    pub(super) fn learn<N>(&mut self, entry: &Entry<N>) {
        self.numbers = entry.numbers;
        self.work = entry.work;
        self.plies = entry.plies;
        self.rests_on = entry.rests_on;
        self.parent = entry.parent;
    }
}
