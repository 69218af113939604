//! A study as one self-contained HTML page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::layout::Table;
use super::{Plot, Report};
use crate::page::elements::{list, section, sentence, table, text};
use crate::page::shell::Document;

/// Renders the report and the plots of a study below its title, as one HTML file.
pub fn study_page(title: &str, report: &Report, plots: &[Plot]) -> String {
    let name = |plot: &Plot| plot.name.trim_end_matches(".svg").replace('-', " ");
    let data = |plot: &Plot| format!("data:image/svg+xml;base64,{}", STANDARD.encode(&plot.svg));
    let figures = html! {
        @for plot in plots { figure { img.plot alt=(name(plot)) src=(data(plot)); } }
    };
    let body = html! {
        h1 { (text(title)) }
        p.lead { (sentence(&report.heading)) }
        @for table in &report.tables { (section(&table.title, &table_html(table))) }
        @if !plots.is_empty() { (section("Plots", &figures)) }
        @if !report.notes.is_empty() { (section("To read it", &list(&report.notes))) }
    };
    let document = Document {
        title,
        // Headings may wrap, so that a table with many columns is not cut off.
        style: ".study thead th { white-space: normal; vertical-align: bottom; }",
        body: &body.into_string(),
        games: None,
    };
    document.html()
}

fn table_html(of: &Table) -> Markup {
    let Some((names, rows)) = of.rows.split_first() else {
        return Markup::default();
    };
    let mark = |column| if of.words.contains(&column) { "" } else { "#" };
    let names = names.iter().enumerate();
    let names: Vec<String> = names
        .map(|(column, name)| format!("{}{name}", mark(column)))
        .collect();
    let cells = |row: &Vec<String>| row.iter().map(|cell| text(cell)).collect();
    let rows = rows.iter().map(cells);
    table("study", names.iter().map(String::as_str), rows)
}
