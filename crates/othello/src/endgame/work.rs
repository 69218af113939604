//! The state of one solve.

use super::board::Board;
use super::table::Table;

/// Number of nodes between two polls of the stop signal.
const POLL: u64 = 1 << 14;

/// The state of one solve: table, node count and stop signal.
pub(super) struct Work<'a> {
    pub(super) table: &'a mut Table,
    /// True if the empty squares of a finished game go to the winner.
    pub(super) winner_takes_empties: bool,
    /// The remaining nodes.
    left: u64,
    limit: u64,
    /// The number of remaining nodes at which the next poll is due.
    next_poll: u64,
    stop: &'a dyn Fn() -> bool,
    /// True after the node limit or the stop signal: all returned values are then meaningless.
    pub(super) stopped: bool,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        table: &'a mut Table,
        winner_takes_empties: bool,
        limit: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            table,
            winner_takes_empties,
            left: limit,
            limit,
            next_poll: limit,
            stop,
            stopped: false,
        }
    }

    /// Nodes visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.limit - self.left
    }

    /// Counts a node; returns false if none is left.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        if self.left == 0 {
            self.stopped = true;
            return false;
        }
        self.left -= 1;
        true
    }

    /// Undoes the count of a node that is visited again after a pass.
    #[inline]
    pub(super) fn refund(&mut self) {
        self.left += 1;
    }

    /// Counts a node and sometimes polls the stop signal.
    #[inline]
    pub(super) fn tick_and_poll(&mut self) -> bool {
        if self.left <= self.next_poll {
            self.poll();
        }
        !self.stopped && self.tick()
    }

    #[cold]
    fn poll(&mut self) {
        self.next_poll = self.left.saturating_sub(POLL);
        self.stopped |= (self.stop)();
    }

    /// The score of a finished game for the side to move.
    pub(super) fn final_score(&self, board: Board) -> i32 {
        let difference = board.own.count_ones() as i32 - board.opponent.count_ones() as i32;
        self.final_score_of(difference, board.empties().count_ones() as i32)
    }

    pub(super) fn final_score_of(&self, difference: i32, empties: i32) -> i32 {
        if self.winner_takes_empties {
            difference + difference.signum() * empties
        } else {
            difference
        }
    }
}
