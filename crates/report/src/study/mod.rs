//! The figures of a study as text, Markdown, CSV and plots.

mod csv;
pub mod layout;
mod page;
pub mod plots;
mod tables;
mod text;
mod worth;

pub use csv::{cells_csv, summary_csv};
pub use layout::Report;
pub use page::study_page;
pub use plots::{Plot, plots};
pub use tables::NodeCount;
pub use text::render_study;

#[cfg(test)]
mod tests;
