//! A study as one self-contained HTML page.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Plot, Report};
use crate::page::html::{items, section, table};
use crate::page::shell::Document;
use crate::page::words::sentence;
use crate::xml::escape;

/// Renders the report and the plots of a study below its title, as one HTML file.
pub fn study_page(title: &str, report: &Report, plots: &[Plot]) -> String {
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"lead\">{}</p>\n",
        escape(title),
        sentence(&report.heading)
    );
    for of in &report.tables {
        let Some((names, rows)) = of.rows.split_first() else {
            continue;
        };
        let mark = |column| if of.words.contains(&column) { "" } else { "#" };
        let names = names.iter().enumerate();
        let names: Vec<String> = names
            .map(|(column, name)| format!("{}{}", mark(column), escape(name)))
            .collect();
        let header: Vec<&str> = names.iter().map(String::as_str).collect();
        let cells = |row: &Vec<String>| row.iter().map(|cell| escape(cell)).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
        body.push_str(&section(
            &sentence(&of.title),
            &table("study", &header, &rows),
        ));
    }
    let figures = plots.iter().fold(String::new(), |mut text, plot| {
        let name = plot.name.trim_end_matches(".svg").replace('-', " ");
        let data = STANDARD.encode(&plot.svg);
        let _ = writeln!(
            text,
            "<figure><img class=\"plot\" alt=\"{name}\" src=\"data:image/svg+xml;base64,{data}\"></figure>"
        );
        text
    });
    if !figures.is_empty() {
        body.push_str(&section("Plots", &figures));
    }
    if !report.notes.is_empty() {
        let notes = format!("<ul>\n{}</ul>\n", items(&report.notes));
        body.push_str(&section("To read it", &notes));
    }
    let document = Document {
        title,
        // Headings may wrap, so that a table with many columns is not cut off.
        style: ".study thead th { white-space: normal; vertical-align: bottom; }",
        body: &body,
        games: None,
    };
    document.html()
}
