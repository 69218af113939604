//! The output of a tune: its trajectory as CSV, and an HTML page.
//!
//! ```text
//! data          what there is to tell
//! directions    whether failures go with a side or with values
//! page          the page, in the order of reading
//! stages        verdicts, and the commands that give them again
//! parameters    the table of the dimensions, those at bounds, other numbers
//! groups        which dimensions belong together, which moved most
//! trajectories  values over games
//! strength      Elo over games
//! tables        which square tables have changed
//! board         numbers on the board of a game
//! palette       colours of numbers
//! words         sentences of other rooms
//! ```
//!
//! The page is one file without scripts. Everything except the times of its stages is a function of
//! the record.

mod board;
mod csv;
mod data;
mod directions;
mod groups;
mod others;
mod page;
mod palette;
mod parameters;
mod stages;
mod strength;
mod tables;
mod trajectories;

pub use csv::trajectory_csv;
pub use data::{Checkpoint, DimensionRow, Outcome, Reference, StageRow, TuneReport};
pub use directions::{FailureDirections, ParameterFailures};
pub use page::{html, parts, style};

#[cfg(test)]
mod tests;
