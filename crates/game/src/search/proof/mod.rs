//! Solvers of AND/OR trees: alpha-beta by iterative deepening, and the proof-number family. They
//! are independent of the game: any game with a goal that one side wants to reach and the other
//! wants to prevent can implement [`AndOr`].
//!
//! [`Solver`] owns the memory that persists between searches and runs the algorithm that
//! [`SolverParams`] names. Every result is a [`Solution`].

mod alphabeta;
mod andor;
mod dfpn;
mod entry;
mod meter;
mod numbers;
mod params;
mod path;
mod pn;
mod pool;
mod solution;
mod solver;
mod table;
mod tally;

#[cfg(test)]
mod tests;

pub use andor::{AndOr, Outcome};
pub use params::{Counting, Mode, SolverKind, SolverParams};
pub use solution::{Effort, End, Event, Solution, SolveLimits, StoredResult};
pub use solver::Solver;
