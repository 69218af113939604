//! What a play overwrites.

/// A play or a pass of the stack, with what it overwrote.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The key before.
    pub(super) key: u128,
    /// Blocks that the stone joined; the first took in the others.
    pub(super) joined: [u16; 4],
    /// Blocks that were taken, and how many stones each had.
    pub(super) taken: [u16; 4],
    pub(super) stones: [u16; 4],
    /// Where the stone was put; 0 for a pass.
    pub(super) point: u16,
    /// What `nexts` and `heads` had there.
    pub(super) next: u16,
    pub(super) head: u16,
    /// The ko before; 0 for none.
    pub(super) ko: u16,
    pub(super) joined_count: u8,
    pub(super) taken_count: u8,
    /// Which neighbours became new liberties of the one block that was joined.
    pub(super) gained: u8,
}

impl Step {
    /// Notes a block of the same colour on a condition, once. No head is 0.
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
