//! Results, costs and limits of solvers.

use serde::{Deserialize, Serialize};

use super::entry::Memory;
use super::numbers::Numbers;
use super::{AndOr, Outcome};

/// The reason why a solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The verdict is known.
    Decided,
    /// The node limit was reached.
    Nodes,
    /// The stop signal was given.
    Stopped,
    /// The tree of `pn` or `pn+` has reached the size limit `table`.
    Memory,
    /// `alpha-beta` has reached `max_depth`.
    Depth,
}

/// The cost of solving. The counts mean the same for every solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves played, to search a position or to look at it for the first time: they determine the
    /// time, and the node limit counts them.
    pub visited: u64,
    /// Positions whose moves were generated, counted each time.
    pub expanded: u64,
    /// Moves generated at these, counted each time.
    pub generated: u64,
    /// The greatest number of moves between the root and a position visited.
    pub depth: u32,
    /// Table lookups.
    pub probes: u64,
    /// Table lookups that found an entry.
    pub hits: u64,
}

impl Effort {
    /// Adds the cost of another search.
    pub fn add(&mut self, other: &Effort) {
        self.visited += other.visited;
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.depth = self.depth.max(other.depth);
        self.probes += other.probes;
        self.hits += other.hits;
    }
}

/// A progress event of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event {
    /// A finished iteration of alpha-beta.
    #[serde(rename = "value")]
    Iteration {
        /// Its depth in plies.
        depth: u32,
        /// The value of the root: 0 is proved, [`i32::MAX`] disproved; other values are the
        /// evaluation plus one of the position at the end of the principal variation.
        value: i32,
        /// Number of moves played so far.
        visited: u64,
    },
    /// The numbers of the root in proof-number search, reported at about equal steps of the
    /// logarithm of the moves played, and at the end.
    Numbers {
        /// Number of moves played so far.
        visited: u64,
        /// The proof number; `u32::MAX` is infinite.
        pn: u32,
        /// The disproof number.
        dn: u32,
    },
}

impl Event {
    /// Number of moves played so far.
    pub fn visited(&self) -> u64 {
        match *self {
            Event::Iteration { visited, .. } | Event::Numbers { visited, .. } => visited,
        }
    }

    /// The depth and the value, for an iteration.
    pub fn value(&self) -> Option<(u32, i32)> {
        match *self {
            Event::Iteration { depth, value, .. } => Some((depth, value)),
            Event::Numbers { .. } => None,
        }
    }

    /// The proof and the disproof number, for a numbers event.
    pub fn numbers(&self) -> Option<[u32; 2]> {
        match *self {
            Event::Numbers { pn, dn, .. } => Some([pn, dn]),
            Event::Iteration { .. } => None,
        }
    }
}

/// The limits of a solver.
#[derive(Clone, Copy)]
pub struct SolveLimits<'a> {
    /// Maximum number of moves played ([`Effort::visited`]), never exceeded.
    pub nodes: Option<u64>,
    /// Called every 64 moves; returns whether to give up.
    pub stop: &'a dyn Fn() -> bool,
}

/// The result of a solver.
#[derive(Clone, Debug)]
pub struct Solution<G: AndOr> {
    /// The answer to whether the goal can be reached; open if a limit was reached first.
    pub verdict: Outcome<G::Zone>,
    /// The winning move of the side to move; for a losing side the move that loses most slowly, as
    /// far as known; without a verdict the most promising move. `None` if the outcome was known
    /// without a move.
    pub best: Option<G::Move>,
    /// The reason why the solver ended.
    pub end: End,
    /// The cost.
    pub effort: Effort,
    /// The line that starts with `best`, as far as it is in memory.
    pub pv: Vec<G::Move>,
    /// The proof number of the root, `u32::MAX` for infinite; `None` for alpha-beta without a
    /// verdict.
    pub pn: Option<u32>,
    /// The disproof number of the root.
    pub dn: Option<u32>,
    /// The value of the root in alpha-beta's last finished iteration, as in [`Event::Iteration`].
    pub value: Option<i32>,
}

impl<G: AndOr> Solution<G> {
    /// The solution of a decided root, without its cost.
    pub(super) fn decided(verdict: Outcome<G::Zone>, best: Option<G::Move>) -> Self {
        let numbers = Numbers::decided(verdict.is_proved() == Some(true));
        let open = Self::open(End::Decided, best.into_iter().collect());
        Self {
            verdict,
            ..open.with_numbers(numbers)
        }
    }

    /// The solution of an open root, with the reason for the end of the search.
    pub(super) fn open(end: End, pv: Vec<G::Move>) -> Self {
        Self {
            verdict: Outcome::Open,
            best: pv.first().copied(),
            end,
            effort: Effort::default(),
            pv,
            pn: None,
            dn: None,
            value: None,
        }
    }

    /// Sets the numbers of the root.
    pub(super) fn with_numbers(self, numbers: Numbers) -> Self {
        Self {
            pn: Some(numbers.proof),
            dn: Some(numbers.disproof),
            ..self
        }
    }

    /// The solution, if it is known without a search.
    pub(super) fn known(game: &mut G, memory: &Memory<G::Move, G::Zone>) -> Option<Self> {
        let outcome = game.outcome();
        if !matches!(outcome, Outcome::Open) {
            return Some(Self::decided(outcome, None));
        }
        let StoredResult {
            proved, zone, best, ..
        } = memory.result(game.key())?;
        Some(Self::decided(Outcome::decided(proved, zone), best))
    }
}

/// The stored result of a decided position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredResult<M, Z> {
    /// True if it is proved, false if it is disproved.
    pub proved: bool,
    /// The winning move of the side to move, or the slowest loss of the losing side. `None` at the
    /// end of a proof.
    pub best: Option<M>,
    /// The plies to the end of the proof when it was found. They decrease along the winning moves
    /// of one proof; otherwise another proof was found later, and following both could lead in
    /// circles.
    pub plies: u32,
    /// The part of the position on which the result depends.
    pub zone: Z,
}
