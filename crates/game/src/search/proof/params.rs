//! Parameters of the solvers.

use super::numbers::INFINITE;
use leitai_base::settings::{choice, settings};

choice! {
    /// The algorithm of a solver.
    #[non_exhaustive]
    pub enum SolverKind {
        /// Alpha-beta by iterative deepening, with the evaluation at the end of
        /// its lines.
        AlphaBeta = "alpha-beta",
        /// Proof-number search in a tree (Allis 1994).
        Pn = "pn",
        /// `pn` with initial numbers from the evaluation.
        PnPlus = "pn+",
        /// Depth-first proof-number search: `pn` with a table instead of a tree in memory (Nagai
        /// 2002).
        DfPn = "df-pn",
        /// `df-pn` with initial numbers from the evaluation.
        DfPnPlus = "df-pn+",
    }

    /// Certainty of a result.
    pub enum Mode {
        /// Searches only candidate moves of both sides: an estimate.
        Fast = "fast",
        /// Searches every relevant move of the losing side: a proof.
        Proved = "proved",
    }

    /// The combination of the numbers of several replies that all have to be refuted.
    #[non_exhaustive]
    pub enum Counting {
        /// Their sum (Allis 1994).
        Sum = "sum",
        /// The largest, plus one for each other open reply: weak proof numbers (Ueda et al. 2008).
        Weak = "weak",
        /// Their sum, but only the largest of those known to lead to the same position: source node
        /// detection (Kishimoto 2010). For `df-pn` and `df-pn+`; `pn` and `pn+` use the sum.
        Sources = "snda",
        /// The sum over replies that were never met as near to the root as their parent is; if all
        /// open ones were, the largest of these. Replies that may lead back to an earlier position
        /// are thus not counted in its number (Kishimoto & Mueller 2003, `df-pn(r)`). For `df-pn`
        /// and `df-pn+`; `pn` and `pn+` use the sum.
        Newer = "df-pn-r",
    }
}

settings! {
    /// The parameters of a solver.
    pub struct SolverParams {
        /// The algorithm of a solver.
        kind: SolverKind = SolverKind::DfPnPlus;
        /// Maximum number of table entries, or of tree nodes for `pn` and `pn+`, as a power of two.
        /// 0 means no table for `alpha-beta`, and one entry for the others.
        table: u32 = 20, 0 to 28;
        /// Percentage by which the number of a child must exceed that of the next best child before
        /// the search switches to it, but at least by one (Pawlewicz & Lew 2007; there 25); 0 means
        /// by one. For `df-pn` and `df-pn+`.
        epsilon: u32 = 25, 0 to 1000;
        /// Raise the thresholds of nodes that may be part of a cycle until a new node is reached:
        /// the threshold controlling algorithm (Kishimoto 2010). For `df-pn` and `df-pn+`.
        tca: bool = false;
        /// The combination of the replies' numbers.
        counting: Counting = Counting::Sum;
        /// Maximum depth of an `alpha-beta` iteration, in plies.
        max_depth: u32 = 40, 1 to 128;
        /// Plies by which each iteration of `alpha-beta` is deeper than the one before; also the
        /// depth of the first. With an even number the same side is to move at the end of every
        /// line of full length.
        deepening: u32 = 2, 1 to 16;
        /// New nodes of `pn+` and `df-pn+` with the evaluation E start with the proof number E
        /// squared and the disproof number (`balance` / E) squared, both at least 1: with 25 they
        /// are equal at E = 5.
        balance: u32 = 25, 1 to 10_000;
    }
}

/// Number of returns without a discovery after which thresholds are doubled.
const MAX_IDLE: u32 = 4096;

/// Maximum size of an entry or a node in bytes, including the copy while a table grows.
const BYTES: u64 = 128;

impl SolverParams {
    /// Maximum memory of a search in MiB without zones: bounded by the table, and by twice its
    /// `nodes` if these have a limit.
    pub fn most_mb(&self, nodes: Option<u64>) -> u64 {
        let places = 1_u64 << self.table.min(28);
        let used = nodes.map_or(places, |nodes| places.min(nodes.saturating_mul(2)));
        (used * BYTES).div_ceil(1 << 20)
    }

    /// The number at which the search switches from a child to the next best, whose number is
    /// `second`, after `idle` returns without a discovery.
    ///
    /// In cycles, numbers may rise forever by one, each because of the other, without a discovery;
    /// so the steps grow with `idle`.
    pub(super) fn above(&self, second: u32, idle: u32) -> u32 {
        if second == INFINITE {
            return INFINITE;
        }
        let number = u64::from(second);
        let raised = (number * (100 + u64::from(self.epsilon))).div_ceil(100);
        let after_idling = number + number * u64::from(idle.min(MAX_IDLE)) / u64::from(MAX_IDLE);
        let limit = raised.max(after_idling).max(number + 1);
        limit.min(u64::from(INFINITE)) as u32
    }
}
