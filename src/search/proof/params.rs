//! The switches of the solvers, as data.

use super::numbers::INFINITE;
use crate::settings::{choice, settings};

choice! {
    /// The algorithm.
    pub enum SolverKind {
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
        /// New nodes of `pn+` and `df-pn+` whose evaluation is E begin with the
        /// proof number E squared and the disproof number (`balance` / E)
        /// squared, both at least 1: with 25 they are equal at E = 5.
        balance: u32 = 25, 1 to 10_000;
    }
}

impl SolverParams {
    /// The number from which on a child is left for the next best, whose number
    /// is `second`.
    pub(super) fn above(&self, second: u32) -> u32 {
        if second == INFINITE {
            return INFINITE;
        }
        let second = u64::from(second);
        let raised = (second * (100 + u64::from(self.epsilon))).div_ceil(100);
        raised.max(second + 1).min(u64::from(INFINITE)) as u32
    }
}
