//! How far a search may go.

/// The limits of one search; without any it goes on until it is stopped or has
/// reached [`MAX_PLY`](super::MAX_PLY).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SearchLimits {
    /// The most moves that may be made below the root, in quiescence too. A
    /// search never makes one more.
    pub nodes: Option<u64>,
    /// The last iteration, in plies; 0 searches nothing.
    pub depth: Option<u32>,
}

/// The end of a search whose budget is spent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// What comes of searching, unless the budget is spent first.
pub(super) type Searched<T> = Result<T, Stopped>;

/// The nodes of one search: a node is a move made below the root.
pub struct Budget<'a> {
    spent: u64,
    limit: u64,
    poll: u64,
    stop: &'a dyn Fn() -> bool,
}

/// How many nodes of a game search pass between two looks at the stop signal.
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

    /// The same, but it looks at the stop signal every `poll` nodes, a power of two.
    pub(super) fn polling(self, poll: u64) -> Self {
        Self { poll, ..self }
    }

    /// Asks for one node more.
    #[inline]
    pub(super) fn spend(&mut self) -> Searched<()> {
        if self.spent == self.limit || (self.spent & (self.poll - 1) == 0 && (self.stop)()) {
            return Err(Stopped);
        }
        self.spent += 1;
        Ok(())
    }

    /// From now on so many nodes are the limit of the whole search.
    pub(super) fn limit(&mut self, limit: Option<u64>) {
        self.limit = limit.unwrap_or(u64::MAX);
    }

    /// Nodes that may still be spent.
    pub(super) fn left(&self) -> u64 {
        self.limit - self.spent
    }

    /// The signal that stops it.
    pub(super) fn stop(&self) -> &'a dyn Fn() -> bool {
        self.stop
    }

    /// Notes what somebody else has spent, of what was left.
    pub(super) fn note(&mut self, nodes: u64) {
        self.spent = (self.spent.saturating_add(nodes)).min(self.limit);
    }

    pub(super) fn spent(&self) -> u64 {
        self.spent
    }
}
