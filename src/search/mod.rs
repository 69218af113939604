//! The alpha-beta family: iterative deepening, ordering stages, transposition
//! table, history, limits. Knows no clock: whoever calls passes a stop signal.

mod othello;
mod params;
mod tactics;

pub use params::{SearchParams, Stage};
pub use tactics::Tactics;
