//! The HTML page of a tune.

use maud::{Markup, html};

use super::{groups, other_numbers, palette, parameters, stages, strength, tables, trajectories};
use crate::page::elements::{code, figures, list, section, text};
use crate::page::number::grouped;
use crate::page::shell::Document;
use crate::page::{Part, parts_of};
use leitai_runs::figures::tune::TuneReport;

/// Renders the report as one HTML file without scripts.
pub fn html(report: &TuneReport) -> String {
    let mut body = html! { h1 { (text(&report.title)) } }.into_string();
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
    let numbers = [
        parameters::parameters(report),
        other_numbers::other_numbers(report),
    ];
    let parts = [
        ("verdict", Some(stages::lead(&report.stages))),
        ("figures", Some(key_figures(report))),
        ("stages", stages::stages(&report.stages)),
        (
            "strength",
            strength::strength(&report.ratings, &report.references),
        ),
        (
            "parameters",
            Some(html! { @for section in numbers.into_iter().flatten() { (section) } }),
        ),
        ("tables", tables::square_tables(report)),
        ("trajectories", trajectories::trajectories(report)),
        ("notes", Some(notes(&report.notes))),
        ("origin", Some(origin(report))),
    ];
    parts_of(parts)
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
fn key_figures(report: &TuneReport) -> Markup {
    let rows = &report.dimensions;
    if rows.is_empty() {
        return figures(&[]);
    }
    let moved = rows
        .iter()
        .filter(|row| row.difference().units != 0)
        .count();
    let clear = rows
        .iter()
        .filter(|row| groups::is_clear(row) == Some(true));
    let at_bound = rows.iter().filter(|row| row.at_bound).count();
    let mut games = grouped(report.games);
    if report.games < report.budget {
        games = format!("{games} of {}", grouped(report.budget));
    }
    let mut list = vec![
        ("algorithm", report.algorithm.clone()),
        ("games learned from", games),
        ("dimensions", rows.len().to_string()),
        ("moved", moved.to_string()),
    ];
    if rows.iter().any(|row| row.error.is_some()) {
        list.push(("by more than 2 errors", clear.count().to_string()));
    }
    list.push(("at a bound", at_bound.to_string()));
    figures(&list)
}

fn notes(notes: &[String]) -> Markup {
    html! { @if !notes.is_empty() { (section("Notes", &list(notes))) } }
}

/// The config, seed and run behind the page, and the command that repeats it.
fn origin(report: &TuneReport) -> Markup {
    let body = html! {
        pre { (code(&report.command)) }
        p.hint {
            "Config " (code(&report.config)) ", seed " (report.seed)
            @if !report.run.is_empty() { ", run " (code(&report.run)) }
            ". All games are recorded: the command plays only what is missing, and gives the same "
            "values on any number of threads."
        }
    };
    section("Reproduce this tune", &body)
}
