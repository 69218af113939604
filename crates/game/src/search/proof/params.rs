//! The switches of the solvers, as data.

use super::numbers::INFINITE;
use leitai_base::settings::{choice, settings};

choice! {
    /// The algorithm.
    pub enum SolverKind {
        /// Alpha-beta by iterative deepening, with the evaluation at the end of
        /// its lines.
        AlphaBeta = "alpha-beta",
        /// Proof-number search in a tree (Allis 1994).
        Pn = "pn",
        /// `pn` whose new nodes begin with numbers by the evaluation.
        PnPlus = "pn+",
        /// Depth-first proof-number search: `pn` in the memory of a table
        /// (Nagai 2002).
        DfPn = "df-pn",
        /// `df-pn` whose new nodes begin with numbers by the evaluation.
        DfPnPlus = "df-pn+",
    }
}

choice! {
    /// How the numbers of several replies that all have to be refuted add up.
    pub enum Counting {
        /// Their sum (Allis 1994).
        Sum = "sum",
        /// The largest, and one for each other that is open: weak proof numbers
        /// (Ueda et al. 2008).
        Weak = "weak",
        /// Their sum, but only the largest of those that are seen to meet in one
        /// position: source node detection (Kishimoto 2010). For `df-pn` and
        /// `df-pn+`; `pn` and `pn+` have the sum.
        Sources = "snda",
        /// The sum over those that have never been met as near to the root as
        /// their parent is; if all that are open have been, the largest of these.
        /// What may lead back to where it came from is not counted in its own
        /// number (Kishimoto & Mueller 2003, `df-pn(r)`). For `df-pn` and
        /// `df-pn+`; `pn` and `pn+` have the sum.
        Newer = "df-pn-r",
    }
}

settings! {
    /// The parameters of a solver.
    pub struct SolverParams {
        /// The algorithm.
        kind: SolverKind = SolverKind::DfPnPlus;
        /// The most entries of the table, or of `pn` and `pn+` the most nodes of
        /// the tree, as a power of two. 0 is no table for `alpha-beta`, and one
        /// entry for the others.
        table: u32 = 20, 0 to 28;
        /// A child is searched until its number is this percentage above that of
        /// the next best, and at least one above it (Pawlewicz & Lew 2007; there
        /// 25); 0 leaves the one. For `df-pn` and `df-pn+`.
        epsilon: u32 = 25, 0 to 1000;
        /// Raise the thresholds of nodes that may lie on a circle until a new node
        /// is reached: the threshold controlling algorithm (Kishimoto 2010). For
        /// `df-pn` and `df-pn+`.
        tca: bool = false;
        /// How the numbers of replies add up.
        counting: Counting = Counting::Sum;
        /// The deepest iteration of `alpha-beta`, in plies.
        max_depth: u32 = 40, 1 to 128;
        /// Plies by which each iteration of `alpha-beta` is deeper than the one
        /// before; the first has as many. With an even number the same side is to
        /// move at the end of every line of full length.
        deepening: u32 = 2, 1 to 16;
        /// New nodes of `pn+` and `df-pn+` whose evaluation is E begin with the
        /// proof number E squared and the disproof number (`balance` / E)
        /// squared, both at least 1: with 25 they are equal at E = 5.
        balance: u32 = 25, 1 to 10_000;
    }
}

/// After so many returns that brought nothing new, thresholds are doubled.
const PATIENCE: u32 = 4096;

/// Bytes that an entry or a node takes at most, where a table that grows is for a while in
/// its old place and in the new one.
const BYTES: u64 = 128;

impl SolverParams {
    /// The most memory of a search in MiB, zones not counted: what it keeps is bounded by
    /// its table, and by twice its `nodes` if these have a limit.
    pub fn most_mb(&self, nodes: Option<u64>) -> u64 {
        let places = 1_u64 << self.table.min(28);
        let used = nodes.map_or(places, |nodes| places.min(nodes.saturating_mul(2)));
        (used * BYTES).div_ceil(1 << 20)
    }

    /// The number from which on a child is left for the next best, whose number
    /// is `second`, after so many `idle` returns to their parent.
    ///
    /// On circles numbers may rise for ever by one, each from the other, while
    /// nothing new is found; then the steps grow too.
    pub(super) fn above(&self, second: u32, idle: u32) -> u32 {
        if second == INFINITE {
            return INFINITE;
        }
        let number = u64::from(second);
        let raised = (number * (100 + u64::from(self.epsilon))).div_ceil(100);
        let impatient = number + number * u64::from(idle.min(PATIENCE)) / u64::from(PATIENCE);
        let limit = raised.max(impatient).max(number + 1);
        limit.min(u64::from(INFINITE)) as u32
    }
}
