//! The search effort that each variant needs for each depth: a suite of positions, each searched by
//! each variant separately.
//!
//! ```text
//! Task ── Grid::fill ──> Cells ── Figures::new ──> Figures ──> report::study
//! (variants × positions)         (means, ratios with intervals, quality)
//! ```
//!
//! A *cell* is one variant on one position: a fresh search, all iterations from depth 1 on. Its
//! results depend only on variant and position, so that the cells can be searched in any order on
//! any number of threads. Times are kept apart from all other figures.

mod cells;
mod compare;
mod figures;
mod fold;
mod games;
mod grid;
mod stored_cells;

pub use cells::{Cell, Cells, Iteration, Task};
pub use compare::{Comparison, draws};
pub use figures::{DepthFigures, Difference, Figures, Quality, SearchEffort, VariantFigures};
pub use games::{GameFigures, GameLimit, GamesError, Strength, strengths, tournaments};
pub use grid::{Grid, Measure, keys};
