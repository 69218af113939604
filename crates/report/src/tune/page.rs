//! The HTML page of a tune.

use std::fmt::Write as _;

use super::{palette, parameters, stages, strength, tables, trajectories};
use crate::page::Part;
use crate::page::number::grouped;
use crate::page::shell::Document;
use crate::page::words::sentence;
use crate::xml::escape;
use leitai_runs::figures::tune::TuneReport;

/// Renders the report as one HTML file without scripts.
pub fn html(report: &TuneReport) -> String {
    let mut body = format!("<h1>{}</h1>\n", escape(&report.title));
    body.extend(parts(report).into_iter().map(|(_, html)| html));
    let document = Document {
        title: &report.title,
        style: &style(),
        body: &body,
        games: None,
    };
    document.html()
}

/// Renders the parts below the heading: the last verdict, figures, stages, strength, parameters,
/// square tables, trajectories, notes.
pub fn parts(report: &TuneReport) -> Vec<Part> {
    vec![
        ("verdict", stages::lead(&report.stages)),
        ("figures", summary(report)),
        ("stages", stages::section(&report.stages)),
        (
            "strength",
            strength::section(&report.ratings, &report.references),
        ),
        ("parameters", parameters::section(report)),
        ("tables", tables::section(report)),
        ("trajectories", trajectories::section(report)),
        ("notes", notes(&report.notes)),
        ("origin", origin(report)),
    ]
}

/// Style rules for the colours of numbers, in addition to those of all pages.
pub fn style() -> String {
    format!(
        "{}@media screen and (prefers-color-scheme: dark) {{\n{}}}\n",
        palette::rules(false),
        palette::rules(true)
    )
}

/// The figures at the top.
fn summary(report: &TuneReport) -> String {
    let rows = &report.dimensions;
    let moved = rows.iter().filter(|row| row.difference() != 0).count();
    let clear = rows
        .iter()
        .filter(|row| super::groups::is_clear(row) == Some(true));
    let at_bound = rows.iter().filter(|row| row.at_bound).count();
    let games = if report.games < report.budget {
        let (games, budget) = (grouped(report.games), grouped(report.budget));
        format!("{games} of {budget}")
    } else {
        grouped(report.games)
    };
    let mut figures = Vec::new();
    if !rows.is_empty() {
        figures.extend([
            ("algorithm", report.algorithm.clone()),
            ("games learned from", games),
            ("dimensions", rows.len().to_string()),
            ("moved", moved.to_string()),
        ]);
        if rows.iter().any(|row| row.error.is_some()) {
            figures.push(("by more than 2 errors", clear.count().to_string()));
        }
        figures.push(("at a bound", at_bound.to_string()));
    }
    let mut text = String::from("<dl class=\"figures\">\n");
    for (name, value) in figures {
        let _ = writeln!(
            text,
            "<div><dt>{name}</dt><dd>{}</dd></div>",
            escape(&value)
        );
    }
    text.push_str("</dl>\n");
    text
}

fn notes(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let mut text = String::from("<section>\n<h2>Notes</h2>\n<ul>\n");
    for note in notes {
        let _ = writeln!(text, "<li>{}</li>", sentence(note));
    }
    text.push_str("</ul>\n</section>\n");
    text
}

/// The config, seed and run behind the page, and the command that repeats it.
fn origin(report: &TuneReport) -> String {
    let run = if report.run.is_empty() {
        String::new()
    } else {
        format!(", run <code>{}</code>", escape(&report.run))
    };
    format!(
        "<section>\n<h2>The same again</h2>\n<pre><code>{}</code></pre>\n<p class=\"hint\">Config \
         <code>{}</code>, seed {}{run}. All games are recorded: the command plays \
         only what is missing, and gives the same values on any number of threads.</p>\n\
         </section>\n",
        escape(&report.command),
        escape(&report.config),
        report.seed
    )
}
