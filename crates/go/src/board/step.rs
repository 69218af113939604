//! The data that a play overwrites.

/// A play or a pass on the stack, with the data that it overwrote.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The previous key.
    pub(super) key: u128,
    /// Blocks that the stone joined; the first absorbed the others.
    pub(super) joined: [u16; 4],
    /// Captured blocks, and the number of stones in each.
    pub(super) taken: [u16; 4],
    pub(super) stones: [u16; 4],
    /// The point of the stone; 0 for a pass.
    pub(super) point: u16,
    /// The previous entries of `nexts` and `heads`.
    pub(super) next: u16,
    pub(super) head: u16,
    /// The previous ko; 0 for none.
    pub(super) ko: u16,
    pub(super) joined_count: u8,
    pub(super) taken_count: u8,
    /// The neighbours that became new liberties of the only joined block.
    pub(super) gained: u8,
}

impl Step {
    /// Adds a block of the same colour on a condition, without duplicates. No head is 0.
    #[inline]
    pub(super) fn join_if(&mut self, head: u16, condition: bool) {
        let new = condition && !self.joined.contains(&head);
        let slot = &mut self.joined[usize::from(self.joined_count) % 4];
        *slot = if new { head } else { *slot };
        self.joined_count += u8::from(new);
    }

    #[inline]
    pub(super) fn take(&mut self, head: u16, stones: u16) {
        let count = usize::from(self.taken_count) % 4;
        self.taken[count] = head;
        self.stones[count] = stones;
        self.taken_count += 1;
    }
}
