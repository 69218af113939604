//! How much search each variant needs to each depth: a suite of positions, each
//! searched by each variant on its own.
//!
//! ```text
//! Task ── search ──> Cells ── Figures::new ──> Figures ──> report::study
//! (variants × positions)      (means, ratios with intervals, quality)
//! ```
//!
//! A *cell* is one variant on one position: a fresh search, all iterations from
//! depth 1 on. What it finds depends on nothing but the two, so that the cells
//! can be searched in any order on any number of threads. Times are measured
//! with a clock that the caller passes, and stand apart from all else.

mod cells;
mod compare;
mod figures;
mod fold;
mod games;
mod grid;
mod kept;

pub use cells::{Cell, Cells, Iteration, Task, search};
pub use compare::{Comparison, compare};
pub use figures::{DepthFigures, Difference, Figures, Quality, Spending, VariantFigures};
pub use games::{GameFigures, GamesError, Strength, Terms, strengths, tournaments};
pub use grid::Grid;
pub use kept::{cell_of, content, keys};
