//! Compares solvers: the problems that they solve, their time and nodes, and the correctness of
//! their answers.
//!
//! ```text
//! Solving ── Grid::fill ──> Cells ── Figures::new ──> Figures ──> report::study
//! (problems × solvers)            (table 1, pairs with tests, trajectories)
//! ```
//!
//! A *cell* is one solver on one problem, without memory of others. With a node limit its answer
//! depends only on the two, so that the cells can be solved in any order on any number of threads;
//! with a time limit it depends on the machine. Times are measured with clocks that the caller
//! passes.
//!
//! Problems of one position, such as the attack and the defence of one block, or copies that are
//! turned, mirrored or have their colours swapped, share a *cluster*: no interval and no test by
//! position treats them as independent.

mod case;
mod cells;
mod costs;
mod external;
mod figures;
mod fold;
mod in_process;
mod kept;
mod pairs;
mod predict;
pub mod report;
mod solver_result;
mod trajectory;

pub use case::{Case, Judgement, cases, judged};
pub use cells::{Cell, Cells, Clocks, Solving, Task};
pub use external::{ExternalAnswer, ExternalSolver, SolveFault, Unsent};
pub use figures::{
    CostFigures, Disputed, Effort, Figures, PairFigures, Penalised, Prediction, ProblemCost,
    Quantiles, Shape, SolvedFigures, SolverFigures, Tested, Trace, Trajectories, UnjudgedFigures,
    Within,
};
pub use fold::Wanted;
pub use in_process::InProcess;
pub use solver_result::{Caps, Solver, SolverResult, Solves};

#[cfg(test)]
mod tests;
