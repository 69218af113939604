//! What comes of solving.

use serde::{Deserialize, Serialize};

use super::AndOr;

/// Whether the goal can be reached. The zone is what of the position the answer
/// rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<Z> {
    /// The side that wants it can.
    Proved(Z),
    /// The other side can prevent it.
    Disproved(Z),
    /// The limits were reached first.
    Unknown,
}

impl<Z> Verdict<Z> {
    /// Whether the goal can be reached, if it is known.
    pub fn is_proved(&self) -> Option<bool> {
        match self {
            Verdict::Proved(_) => Some(true),
            Verdict::Disproved(_) => Some(false),
            Verdict::Unknown => None,
        }
    }
}

/// Why a solver came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The verdict is known.
    Decided,
    /// As many nodes were visited as the limit allows.
    Nodes,
    /// The stop signal.
    Stopped,
    /// The tree of `pn` or `pn+` has as many nodes as `table` allows.
    Memory,
    /// `alpha-beta` has searched as deep as `max_depth` allows.
    Depth,
}

/// What solving has cost. The counts mean the same for every solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves played, to search a position or to look at it for the first time:
    /// what time goes by, and what the limit of nodes counts.
    pub visited: u64,
    /// Positions whose moves were generated, each time that they were.
    pub expanded: u64,
    /// Moves generated at these: the children, each time that they came to be.
    pub generated: u64,
    /// The greatest number of moves between the root and a position visited.
    pub depth: u32,
    /// Questions to the table.
    pub probes: u64,
    /// Those that it could answer.
    pub hits: u64,
}

impl Effort {
    /// Adds that of another search.
    pub fn add(&mut self, other: &Effort) {
        self.visited += other.visited;
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.depth = self.depth.max(other.depth);
        self.probes += other.probes;
        self.hits += other.hits;
    }
}

/// What a watcher of a search is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// Alpha-beta has finished an iteration.
    #[serde(rename = "value")]
    Iteration {
        /// Its depth in plies.
        depth: u32,
        /// The value of the root: 0 is proved, [`i32::MAX`] disproved, between
        /// them the evaluation plus one of the position at the end of the
        /// principal variation.
        value: i32,
        /// Moves played so far.
        visited: u64,
    },
    /// The numbers of the root in proof-number search, told at about equal steps
    /// of the logarithm of the moves played, and at the end.
    Numbers {
        /// Moves played so far.
        visited: u64,
        /// The proof number; `u32::MAX` is infinite.
        pn: u32,
        /// The disproof number.
        dn: u32,
    },
}

impl Event {
    /// Moves played so far.
    pub fn visited(&self) -> u64 {
        match *self {
            Event::Iteration { visited, .. } | Event::Numbers { visited, .. } => visited,
        }
    }

    /// The depth and the value of an iteration.
    pub fn value(&self) -> Option<(u32, i32)> {
        match *self {
            Event::Iteration { depth, value, .. } => Some((depth, value)),
            Event::Numbers { .. } => None,
        }
    }

    /// The proof and the disproof number.
    pub fn numbers(&self) -> Option<[u32; 2]> {
        match *self {
            Event::Numbers { pn, dn, .. } => Some([pn, dn]),
            Event::Iteration { .. } => None,
        }
    }
}

/// How far a solver may go.
#[derive(Clone, Copy)]
pub struct SolveLimits<'a> {
    /// The most moves that may be played ([`Effort::visited`]), never exceeded.
    pub nodes: Option<u64>,
    /// Asked every 64 moves whether to give up.
    pub stop: &'a dyn Fn() -> bool,
}

/// The answer of a solver.
#[derive(Clone, Debug)]
pub struct Solution<G: AndOr> {
    /// Whether the goal can be reached.
    pub verdict: Verdict<G::Zone>,
    /// The move that wins for the side to move; for the side that loses the one
    /// that lasts longest, as far as it is known; else the one that looks best.
    /// None where the outcome was known without a move.
    pub best: Option<G::Move>,
    /// Why the solver came to its end.
    pub end: End,
    /// What it cost.
    pub effort: Effort,
    /// The line that begins with `best`, as far as it is remembered.
    pub pv: Vec<G::Move>,
    /// The proof number of the root, `u32::MAX` for infinite; none for
    /// alpha-beta without a verdict.
    pub pn: Option<u32>,
    /// The disproof number of the root.
    pub dn: Option<u32>,
    /// The value of the root in alpha-beta's last full iteration, as in
    /// [`Event::Iteration`].
    pub value: Option<i32>,
}

/// What is remembered of a position that is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known<M, Z> {
    /// Whether it is proved, not disproved.
    pub proved: bool,
    /// The move that wins for the side to move, or lasts longest for the side
    /// that loses. None at the end of a proof.
    pub best: Option<M>,
    /// The plies to the end of the proof when it was found. Along the winning
    /// moves of one proof they fall; where they do not, a proof was found a second
    /// time in another way, and following both could lead in circles.
    pub plies: u32,
    /// What of the position the result rests on.
    pub zone: Z,
}
