//! Limits of a search.

/// The limits of one search; without any it runs until it is stopped or reaches
/// [`MAX_PLY`](super::MAX_PLY).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct SearchLimits {
    /// Maximum number of moves made below the root, including quiescence. A search never exceeds
    /// it.
    pub nodes: Option<u64>,
    /// Depth of the last iteration, in plies; 0 searches nothing.
    pub depth: Option<u32>,
}

/// The error of a search whose budget is spent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The result of a search, unless the budget runs out first.
pub(super) type Searched<T> = Result<T, Stopped>;

/// The nodes of one search: a node is a move made below the root.
pub struct Budget<'a> {
    /// Number of nodes so far.
    pub(super) spent: u64,
    /// The node limit of the whole search.
    pub(super) limit: u64,
    poll: u64,
    /// The stop signal.
    pub(super) stop: &'a dyn Fn() -> bool,
}

/// Number of nodes of a game search between two polls of the stop signal.
const POLL: u64 = 1024;

impl<'a> Budget<'a> {
    /// A budget of nodes, and the signal that stops the search.
    pub fn new(limit: Option<u64>, stop: &'a dyn Fn() -> bool) -> Self {
        Self {
            spent: 0,
            limit: limit.unwrap_or(u64::MAX),
            poll: POLL,
            stop,
        }
    }

    /// The same, but with a poll of the stop signal every `poll` nodes, a power of two.
    pub(super) fn polling(self, poll: u64) -> Self {
        Self { poll, ..self }
    }

    /// Requests one more node.
    #[inline]
    pub(super) fn spend(&mut self) -> Searched<()> {
        if self.spent == self.limit || (self.spent & (self.poll - 1) == 0 && (self.stop)()) {
            return Err(Stopped);
        }
        self.spent += 1;
        Ok(())
    }

    /// Subtracts the nodes of another solver from the budget, at most the rest.
    pub(super) fn add(&mut self, nodes: u64) {
        self.spent = (self.spent.saturating_add(nodes)).min(self.limit);
    }
}
