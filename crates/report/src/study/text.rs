//! The tables of a study for a terminal and as Markdown.

use super::layout::Report;
use super::tables::{NodeCount, notes, tables};
use leitai_base::count::count;
use leitai_runs::study::Figures;

/// Builds the report: all tables, and notes on how to read them.
pub fn render_study(figures: &Figures, count: NodeCount) -> Report {
    Report {
        heading: heading(figures),
        tables: tables(figures, count),
        notes: notes(figures, count),
    }
}

fn heading(figures: &Figures) -> String {
    format!(
        "{}: {}, {:.1} legal moves on average, depth 1 to {}",
        figures.game,
        count(figures.positions as u64, "position", "positions"),
        figures.mean_moves,
        figures.depth
    )
}
