//! The alpha-beta family: iterative deepening, ordering stages, transposition table, history,
//! limits. Has no clock: the caller passes a stop signal.
//!
//! [`Search`] owns the memory and runs the iterations; an iteration at the `root` searches a `tree`
//! whose nodes get their moves from the `picker` in the configured `ordering`, and beyond the
//! horizon `quiescence` searches the captures.

mod aspiration;
mod auxiliary;
mod capture_history;
mod chooser;
mod conflict;
mod continuation;
mod correction;
mod endgame;
mod endgame_play;
mod evaluations;
mod history;
mod iterations;
mod killers;
mod limits;
mod lines;
mod mating;
mod memory;
mod minimax;
mod moves;
mod ordering;
mod params;
mod picker;
pub mod proof;
mod quiescence;
mod ready;
mod replacement;
mod report;
mod root;
mod searcher;
mod selectivity;
mod shallow;
mod shortcuts;
mod shuffle;
mod stage;
mod table;
mod tactics;
mod tree;
mod variation;

use crate::numbers::Preset;

pub use chooser::MoveChooser;
pub use endgame::{EndgameSolver, SolverBudget};
pub use limits::SearchLimits;
pub use lines::RootMoves;
pub use params::*;
pub use report::{Counters, SearchReport};
pub use searcher::Search;
pub use stage::Stage;
pub use tactics::{OrderValues, Tactics};

/// Parts of the search that its tests check one by one.
#[doc(hidden)]
pub mod internals {
    pub use super::correction::Corrections;
    pub use super::history::{FULL, HistoryTable, LIMIT, bonus, saturated};
    pub use super::limits::Budget;
    pub use super::memory::Memory;
    pub use super::ordering::Ordering;
    pub use super::picker::Picker;
    pub use super::selectivity::half_depth;
    pub use super::shuffle::shuffled;
    pub use super::table::{Bound, StoredScore};
}

/// Search presets of every game; the first is the default of a variant.
pub const PRESETS: [Preset; 2] = [
    Preset::new("plain", include_str!("presets/plain.toml")),
    Preset::new("full", include_str!("presets/full.toml")),
];

/// Maximum depth of an iteration, in plies.
pub const MAX_PLY: u32 = 64;
