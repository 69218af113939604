//! The tables of a study for a terminal and as Markdown.

use super::layout::{as_markdown, on_terminal};
use super::tables::{Count, notes, tables};
use crate::count::count;
use crate::study::Figures;

/// All tables and what must be known to read them, for a terminal.
pub fn render_study(figures: &Figures, count: Count) -> String {
    on_terminal(heading(figures), &tables(figures, count), &notes(figures))
}

/// The same as Markdown.
pub fn render_study_markdown(figures: &Figures, count: Count) -> String {
    as_markdown(&heading(figures), &tables(figures, count), &notes(figures))
}

fn heading(figures: &Figures) -> String {
    format!(
        "{}: {}, {:.1} legal moves in the mean, depth 1 to {}",
        figures.game,
        count(figures.positions as u64, "position", "positions"),
        figures.mean_moves,
        figures.depth
    )
}
