//! The output of a tune: its trajectory as CSV, and an HTML page.
//!
//! ```text
//! page          the page, in the order of reading
//! stages        verdicts, and the commands that give them again
//! parameters    the table of the dimensions, those at bounds, other numbers
//! groups        which dimensions belong together, which moved most
//! trajectories  values over games
//! strength      Elo over games
//! tables        which square tables have changed
//! board         numbers on the board of a game
//! palette       colours of numbers
//! export        values in the forms of other programs
//! ```
//!
//! The page is one file without scripts. Everything except the times of its stages is a function of
//! the record.

mod board;
mod csv;
mod export;
mod groups;
mod other_numbers;
mod page;
mod palette;
mod parameters;
mod stages;
mod strength;
mod tables;
mod trajectories;

pub use csv::trajectory_csv;
pub use export::{ExportError, ExportForm, check_export, export};

pub use leitai_runs::figures::tune::*;
pub use page::{html, parts, style};

#[cfg(test)]
mod tests;

/// Renders the page and the trajectory of a tune.
pub fn render_tune(report: &TuneReport) -> RenderedTune {
    let names: Vec<&str> = report.dimensions.iter().map(|row| &*row.name).collect();
    RenderedTune {
        page: html(report),
        trajectory: trajectory_csv(&names, &report.trajectory),
    }
}
