//! The table of the dimensions, and the values at bounds.

use std::fmt::Write as _;

use super::groups::{groups, is_clear, movers, square};
use super::others;
use crate::page::number::{decimal, plain, signed};
use crate::xml::escape;
use leitai_config::Variant;
use leitai_runs::figures::tune::{DimensionRow, TuneReport};
use leitai_stats::tune::Correlation;

/// Greatest number of dimensions in one table; more are split by table.
const MANY: usize = 40;

/// Number of dimensions with the largest movement that are listed if there are many.
const MOVERS: usize = 20;

const HEAD: &str = "<thead><tr><th>Dimension</th><th class=\"number\">Start</th>\
    <th class=\"number\">Tuned</th><th class=\"number\">Difference</th>\
    <th class=\"number\">± Error</th><th>Range</th></tr></thead>";

/// Renders the sections about numbers; empty if none was tuned and none has changed.
pub(super) fn section(report: &TuneReport) -> String {
    let mut text = String::new();
    let rows = &report.dimensions;
    if !rows.is_empty() {
        text.push_str("<section>\n<h2>Parameters</h2>\n");
        text.push_str(
            "<p class=\"hint\">The error is one standard error; differences of more than two \
             stand out. In the range, the tick is the start, the dot the tuned value with its 95 % \
             interval.</p>\n",
        );
        text.push_str(&unseen(rows));
        let _ = writeln!(text, "<p>{}.</p>", escape(&DimensionRow::changed(rows)));
        if rows.len() <= MANY {
            text.push_str(&table(rows.iter(), &report.before));
        } else {
            by_table(report, &mut text);
        }
        text.push_str(&correlations(&report.correlations));
        text.push_str(&at_bounds(rows));
        text.push_str("</section>\n");
    }
    text.push_str(&others::section(report));
    text
}

fn table<'a>(rows: impl Iterator<Item = &'a DimensionRow>, variant: &Variant) -> String {
    let rows: String = rows.map(|it| row(it, variant)).collect();
    format!(
        "<div class=\"wide\">\n<table class=\"parameters\">\n{HEAD}\n<tbody>\n{rows}</tbody>\n\
         </table>\n</div>\n"
    )
}

/// Lists the dimensions that moved most, then each table folded.
fn by_table(report: &TuneReport, text: &mut String) {
    let (rows, variant) = (&report.dimensions, &report.before);
    let most = movers(rows, 0..rows.len());
    if !most.is_empty() {
        text.push_str("<h3>Largest movers, by share of their range</h3>\n");
        let most = most.iter().take(MOVERS).map(|&index| &rows[index]);
        text.push_str(&table(most, variant));
    }
    text.push_str("<h3>All, by table</h3>\n");
    for group in groups(rows, variant) {
        let name = if group.name.is_empty() {
            "others"
        } else {
            &group.name
        };
        let moved = movers(rows, group.members.iter().copied()).len();
        let _ = write!(
            text,
            "<details><summary><code>{}</code> <small>{moved} of {} moved</small></summary>\n{}</details>\n",
            escape(name),
            group.members.len(),
            table(group.members.iter().map(|&index| &rows[index]), variant)
        );
    }
}

fn row(row: &DimensionRow, variant: &Variant) -> String {
    let mut name = format!("<code>{}</code>", escape(&row.name));
    if let Some(square) = square(&row.name, variant) {
        let _ = write!(name, " <small>{square}</small>");
    }
    if let Some(flat) = row.flat() {
        let _ = write!(name, " <small>{}</small>", escape(&flat));
    }
    if let Some(doubt) = row.doubtful() {
        let _ = write!(name, " <span class=\"verdict open\">{doubt}</span>");
    }
    if row.at_bound {
        name.push_str(" <span class=\"verdict open\">at its bound</span>");
    }
    let class = if is_clear(row) == Some(true) {
        "number clear"
    } else {
        "number"
    };
    let error = row.error.filter(|error| error.is_finite());
    format!(
        "<tr><th>{name}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>\
         <td class=\"{class}\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
        plain(row.start),
        plain(row.value),
        signed(row.difference()),
        error.map_or("-".to_owned(), decimal),
        range(row)
    )
}

/// A sentence about dimensions without a visible effect; empty if there is none.
fn unseen(rows: &[DimensionRow]) -> String {
    let unseen = rows.iter().filter(|row| row.effect_seen == Some(false));
    match (unseen.count(), rows.len()) {
        (0, _) => String::new(),
        (1, 1) => "<p>The games do not show that this parameter matters.</p>\n".to_owned(),
        (flat, all) => {
            format!(
                "<p>Of {flat} of {all} parameters the games do not show that they matter.</p>\n"
            )
        }
    }
}

/// Draws the range of a dimension as a line, with the start and the value on it.
fn range(row: &DimensionRow) -> String {
    const WIDTH: f64 = 130.0;
    let [min, max] = [row.min, row.max].map(|bound| bound as f64);
    let at = |value: f64| {
        let share = (value - min) / (max - min);
        let share = if share.is_finite() { share } else { 0.5 };
        6.0 + share.clamp(0.0, 1.0) * (WIDTH - 12.0)
    };
    let value = row.value as f64;
    let start = at(row.start as f64);
    let error = row.error.filter(|error| error.is_finite()).unwrap_or(0.0);
    let usual = [value - 2.0 * error, value + 2.0 * error];
    let known = |ends: &[f64; 2]| ends.iter().all(|end| end.is_finite());
    let [low, high] = row.interval.filter(known).unwrap_or(usual).map(at);
    format!(
        "<svg class=\"range\" viewBox=\"0 0 130 16\" width=\"130\" height=\"16\" role=\"img\" \
         aria-label=\"from {} to {}\"><title>from {} to {}</title>\
         <path class=\"axis\" d=\"M6 8H124M6 5V11M124 5V11\"/>\
         <path class=\"spread\" d=\"M{low:.1} 8H{high:.1}\"/>\
         <path class=\"start\" d=\"M{start:.1} 2V14\"/>\
         <circle class=\"mark\" cx=\"{:.1}\" cy=\"8\" r=\"3.5\"/></svg>",
        row.min,
        row.max,
        plain(row.min),
        plain(row.max),
        at(value)
    )
}

/// The strongest correlations of errors; empty if unknown.
fn correlations(strongest: &[Correlation]) -> String {
    if strongest.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for it in strongest {
        let _ = writeln!(
            rows,
            "<tr><th><code>{}</code></th><th><code>{}</code></th><td class=\"number\">{:+.2}</td></tr>",
            escape(&it.first),
            escape(&it.second),
            it.correlation
        );
    }
    format!(
        "<details><summary>Errors that go together</summary>\n<p class=\"hint\">Chance moves two \
         parameters together as far as the players of a batch differed in both alike. Where this is \
         close to 1 or -1 the games tell the sum or the difference of both, and not each by \
         itself.</p>\n<div class=\"wide\">\n<table class=\"parameters\">\n<thead><tr>\
         <th>Dimension</th><th>Dimension</th><th class=\"number\">Correlation</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n</details>\n"
    )
}

/// The values at bounds, with advice.
fn at_bounds(rows: &[DimensionRow]) -> String {
    let at_bounds: Vec<&DimensionRow> = rows.iter().filter(|row| row.at_bound).collect();
    if at_bounds.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<div class=\"warning\">\n<h3>At a bound</h3>\n<p>The bound, and not the games, has \
         decided these. If better values may lie beyond it, widen it under the \
         <code>[[tune.parameter]]</code> that names the number, and tune again from the tuned \
         values; if the bound is the number’s own limit, leave the number out.</p>\n<ul>\n",
    );
    for row in at_bounds {
        let key = if row.value == row.max { "max" } else { "min" };
        let _ = writeln!(
            text,
            "<li><code>{}</code> is at <code>{key} = {}</code></li>",
            escape(&row.name),
            row.value
        );
    }
    text.push_str("</ul>\n</div>\n");
    text
}
