//! The figures of a study of solvers as text, Markdown, CSV and plots.

mod csv;
mod notes;
mod number;
mod pair_tables;
mod plots;
mod tables;
mod traces;

use crate::study::Figures;

pub use csv::{cells_csv, summary_csv, trajectories_csv};
pub use plots::plots;

use leitai_report::study::Report;
use leitai_runs::figures::number::grouped;

/// All tables with explanatory notes.
pub fn render_solvers(figures: &Figures) -> Report {
    Report {
        heading: heading(figures),
        tables: tables::tables(figures),
        notes: notes::notes(figures),
    }
}

fn heading(figures: &Figures) -> String {
    let expected = figures.expected.iter();
    let expected = expected.map(|(verdict, count)| format!("{count} {}", verdict.name()));
    let mut caps = Vec::new();
    caps.extend(
        figures
            .node_limit
            .map(|nodes| format!("{} nodes", grouped(nodes as f64))),
    );
    caps.extend(figures.time_limit.map(|seconds| format!("{seconds} s")));
    format!(
        "{}: {} problems on {} positions ({}), mode `{}`, at most {} for each",
        figures.game,
        figures.problems,
        figures.positions,
        expected.collect::<Vec<_>>().join(", "),
        figures.mode,
        caps.join(" and "),
    )
}

#[cfg(test)]
mod tests;
