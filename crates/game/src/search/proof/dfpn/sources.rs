//! Source node detection: counts children that lead to the same position only once.

use super::{AndOr, DfPn};
use crate::search::proof::path::half;

/// Maximum number of parents to follow back.
const STEPS: usize = 16;

impl<G: AndOr> DfPn<G> {
    /// If the child to search next was last reached from another parent, follows it back through
    /// the parents from which it was last searched. If they lead to the current line, two branches
    /// of a node there lead to this position: from now on they are counted as one (Kishimoto 2010).
    pub(super) fn find_source(&mut self, child: usize) {
        let here = half(self.path.last());
        let (mut via, mut at) = (
            half(self.children[child].key),
            self.children[child].entry.parent,
        );
        if at == here {
            return;
        }
        for _ in 0..STEPS {
            if at == 0 {
                return;
            }
            if let Some(place) = self.path.find_half(at) {
                self.join(place, via);
                return;
            }
            let Some(entry) = self.memory.get_half(at) else {
                return;
            };
            (via, at) = (at, entry.parent);
        }
    }

    /// Groups the child `via` of the node at `place` of the line with the child by which the line
    /// continues.
    fn join(&mut self, place: usize, via: u64) {
        let Some(frame) = self.frames.get(place) else {
            return;
        };
        let end = match self.frames.get(place + 1) {
            Some(next) => next.first,
            None => self.children.len(),
        };
        let (current, children) = (frame.current, &mut self.children[frame.first..end]);
        let Some(other) = children.iter().position(|child| half(child.key) == via) else {
            return;
        };
        let (a, b) = (children[other].group, children[current].group);
        let (first, last) = (a.min(b), a.max(b));
        for child in children.iter_mut().filter(|child| child.group == last) {
            child.group = first;
        }
    }
}
