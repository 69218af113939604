//! The tree of proof-number search in memory.

use crate::search::proof::Counting;
use crate::search::proof::entry::EVERYWHERE;
use crate::search::proof::numbers::Numbers;
use crate::search::proof::pool::{Handle, NONE};
use crate::search::proof::tally::{Share, Tally};

/// Index of a node.
pub(super) type NodeIndex = u32;

/// No node.
pub(super) const NIL: NodeIndex = u32::MAX;

/// The first node of a tree.
pub(super) const ROOT: NodeIndex = 0;

/// A node of the tree. Its children form a list in the order of the moves.
#[derive(Clone, Copy)]
pub(super) struct Node<M> {
    /// The move that leads to it; `None` at the root.
    pub(super) mv: Option<M>,
    pub(super) numbers: Numbers,
    pub(super) parent: NodeIndex,
    first: NodeIndex,
    last: NodeIndex,
    next: NodeIndex,
    /// Plies to the end of the proof, if it is decided.
    pub(super) plies: u32,
    /// The earliest place of the line on which its decision depends.
    pub(super) rests_on: u32,
    /// The zone of its decision, or the merged zone of the failed children.
    pub(super) zone: Handle,
    /// The zone of the pass's failure.
    pub(super) passed: Handle,
    pub(super) or: bool,
    pub(super) is_expanded: bool,
    pub(super) has_passed: bool,
}

/// A pool of nodes with a maximum number in use.
pub(super) struct Arena<M> {
    nodes: Vec<Node<M>>,
    /// The first free node of a list linked by `next`.
    free: NodeIndex,
    used: usize,
    most: usize,
    waiting: Vec<NodeIndex>,
}

impl<M: Copy> Arena<M> {
    /// A pool of at most 2^`bits` nodes.
    pub(super) fn new(bits: u32) -> Self {
        Self {
            nodes: Vec::new(),
            free: NIL,
            used: 0,
            most: 1 << bits.min(28),
            waiting: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.free = NIL;
        self.used = 0;
    }

    /// Returns whether there is space for this many more nodes.
    pub(super) fn has_room(&self, nodes: usize) -> bool {
        self.used + nodes <= self.most
    }

    /// Adds a node as the last child of `parent`.
    pub(super) fn add(
        &mut self,
        parent: NodeIndex,
        mv: Option<M>,
        or: bool,
        numbers: Numbers,
    ) -> NodeIndex {
        let node = Node {
            mv,
            numbers,
            parent,
            first: NIL,
            last: NIL,
            next: NIL,
            plies: 0,
            rests_on: EVERYWHERE,
            zone: NONE,
            passed: NONE,
            or,
            is_expanded: false,
            has_passed: false,
        };
        self.used += 1;
        let index = if self.free == NIL {
            self.nodes.push(node);
            (self.nodes.len() - 1) as NodeIndex
        } else {
            let index = self.free;
            self.free = self[index].next;
            self[index] = node;
            index
        };
        if parent != NIL {
            let last = std::mem::replace(&mut self[parent].last, index);
            if last == NIL {
                self[parent].first = index;
            } else {
                self[last].next = index;
            }
        }
        index
    }

    /// The children of a node, in order.
    pub(super) fn children(
        &self,
        index: NodeIndex,
    ) -> impl Iterator<Item = NodeIndex> + Clone + '_ {
        let existing = |index| (index != NIL).then_some(index);
        let next = move |&index: &NodeIndex| existing(self[index].next);
        std::iter::successors(existing(self[index].first), next)
    }

    /// The numbers of a node, computed from those of its children.
    pub(super) fn tally(&self, index: NodeIndex, counting: Counting) -> Tally {
        let or = self[index].or;
        let shares = self.children(index).enumerate().map(|(place, child)| {
            let (own, other) = self[child].numbers.seen_by(or);
            Share {
                own,
                other,
                group: place as u32,
                is_old: false,
            }
        });
        Tally::of(&shares, counting)
    }

    /// Frees all nodes below one, and passes their zones to `lost`.
    pub(super) fn prune(&mut self, index: NodeIndex, lost: &mut impl FnMut(Handle)) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend(self.children(index));
        self[index].first = NIL;
        self[index].last = NIL;
        while let Some(node) = waiting.pop() {
            waiting.extend(self.children(node));
            lost(self[node].zone);
            lost(self[node].passed);
            self[node].next = self.free;
            self.free = node;
            self.used -= 1;
        }
        self.waiting = waiting;
    }

    #[cfg(test)]
    pub(super) fn used(&self) -> usize {
        self.used
    }
}

impl<M> std::ops::Index<NodeIndex> for Arena<M> {
    type Output = Node<M>;

    #[inline]
    fn index(&self, index: NodeIndex) -> &Node<M> {
        &self.nodes[index as usize]
    }
}

impl<M> std::ops::IndexMut<NodeIndex> for Arena<M> {
    #[inline]
    fn index_mut(&mut self, index: NodeIndex) -> &mut Node<M> {
        &mut self.nodes[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_used_again() {
        let mut arena = Arena::new(3);
        let root = arena.add(NIL, None, true, Numbers::NEW);
        let a = arena.add(root, Some(1_u8), false, Numbers::NEW);
        let b = arena.add(root, Some(2), false, Numbers::NEW);
        for mv in 3..7 {
            arena.add(a, Some(mv), true, Numbers::NEW);
        }
        assert_eq!(
            (arena.used(), arena.has_room(1), arena.has_room(2)),
            (7, true, false)
        );
        let moves = |arena: &Arena<u8>, index| -> Vec<u8> {
            arena
                .children(index)
                .filter_map(|child| arena[child].mv)
                .collect()
        };
        assert_eq!(moves(&arena, a), [3, 4, 5, 6]);
        assert_eq!(arena.tally(root, Counting::Sum).other, 2);
        let mut zones = 0;
        arena.prune(a, &mut |_| zones += 1);
        assert_eq!((arena.used(), zones, moves(&arena, a)), (3, 8, vec![]));
        for mv in 7..12 {
            arena.add(b, Some(mv), true, Numbers::NEW);
        }
        assert_eq!(moves(&arena, b), [7, 8, 9, 10, 11]);
        assert_eq!(moves(&arena, root), [1, 2]);
        assert!(!arena.has_room(1));
        arena.prune(root, &mut |_| {});
        assert_eq!(arena.used(), 1);
    }
}
