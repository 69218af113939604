//! The table of the dimensions, and the values at bounds.

use maud::{Markup, html};

use super::groups::{groups, is_clear, movers, square};
use crate::page::elements::{WIDE, code, hint, section, table, text};
use crate::page::number::{plain, signed, with_decimals};
use leitai_config::{Decimal, Variant};
use leitai_runs::figures::tune::{DimensionRow, TuneReport};
use leitai_stats::tune::Correlation;

/// Greatest number of dimensions in one table; more are split by table.
const MANY: usize = 40;

/// Number of dimensions with the largest movement that are listed if there are many.
const MOVERS: usize = 20;

/// Renders the section about tuned numbers; `None` without any.
pub(super) fn parameters(report: &TuneReport) -> Option<Markup> {
    let rows = &report.dimensions;
    rows.first()?;
    let words = "The error is one standard error; differences of more than two stand out. In the \
                 range, the tick is the start, the dot the tuned value with its 95 % interval.";
    let body = html! {
        (hint(words))
        @if let Some(unseen) = unseen(rows) { p { (unseen) } }
        p { (text(&DimensionRow::changed(rows))) "." }
        @if rows.len() <= MANY { (dimensions(rows.iter(), &report.before)) }
        @else { (by_table(report)) }
        (correlations(&report.correlations))
        (at_bounds(rows))
    };
    Some(section("Parameters", &body))
}

fn dimensions<'a>(rows: impl Iterator<Item = &'a DimensionRow>, variant: &Variant) -> Markup {
    html! {
        div.wide role="group" tabindex="0" aria-label=(WIDE) {
            table.parameters {
                thead { tr {
                    th { "Dimension" }
                    @for name in ["Start", "Tuned", "Difference", "± Error"] {
                        th.number { (name) }
                    }
                    th { "Range" }
                } }
                tbody { @for dimension in rows { (row(dimension, variant)) } }
            }
        }
    }
}

/// Lists the dimensions that moved most, then each table folded.
fn by_table(report: &TuneReport) -> Markup {
    let (rows, variant) = (&report.dimensions, &report.before);
    let most = movers(rows, 0..rows.len());
    html! {
        @if !most.is_empty() {
            h3 { "Largest movers, by share of their range" }
            (dimensions(most.iter().take(MOVERS).map(|&index| &rows[index]), variant))
        }
        h3 { "All, by table" }
        @for group in groups(rows, variant) {
            @let moved = movers(rows, group.members.iter().copied()).len();
            details {
                summary {
                    (code(group.title())) " "
                    small { (moved) " of " (group.members.len()) " moved" }
                }
                (dimensions(group.members.iter().map(|&index| &rows[index]), variant))
            }
        }
    }
}

fn row(row: &DimensionRow, variant: &Variant) -> Markup {
    let class = if is_clear(row) == Some(true) {
        "number clear"
    } else {
        "number"
    };
    let error = row.error.filter(|error| error.is_finite());
    let error_text = |error| with_decimals(error, row.value.decimals.max(1));
    html! {
        tr {
            th {
                (code(&row.name))
                @if let Some(square) = square(&row.name, variant) { " " small { (square) } }
                @if let Some(flat) = row.flat() { " " small { (text(&flat)) } }
                @if let Some(doubt) = row.doubtful() { " " span.verdict.open { (doubt) } }
                @if row.at_bound { " " span.verdict.open { "at its bound" } }
            }
            td.number { (plain(row.start)) }
            td.number { (plain(row.value)) }
            td class=(class) { (signed(row.difference())) }
            td.number { (error.map_or("-".to_owned(), error_text)) }
            td { (range(row)) }
        }
    }
}

/// A sentence about dimensions without a visible effect.
fn unseen(rows: &[DimensionRow]) -> Option<String> {
    let unseen = rows.iter().filter(|row| row.effect_seen == Some(false));
    match (unseen.count(), rows.len()) {
        (0, _) => None,
        (1, 1) => Some("The games do not show that this parameter matters.".to_owned()),
        (flat, all) => Some(format!(
            "The games do not show that {flat} of {all} parameters matter."
        )),
    }
}

/// Draws the range of a dimension as a line, with the start and the value on it.
fn range(row: &DimensionRow) -> Markup {
    const WIDTH: f64 = 130.0;
    let [min, max] = [row.min, row.max].map(Decimal::value);
    let at = |value: f64| {
        let share = (value - min) / (max - min);
        let share = if share.is_finite() { share } else { 0.5 };
        6.0 + share.clamp(0.0, 1.0) * (WIDTH - 12.0)
    };
    let value = row.value.value();
    let start = at(row.start.value());
    let error = row.error.filter(|error| error.is_finite()).unwrap_or(0.0);
    let usual = [value - 2.0 * error, value + 2.0 * error];
    let known = |ends: &[f64; 2]| ends.iter().all(|end| end.is_finite());
    let [low, high] = row.interval.filter(known).unwrap_or(usual).map(at);
    let words = format!("from {} to {}", row.min, row.max);
    html! {
        svg.range viewBox="0 0 130 16" width="130" height="16" role="img" aria-label=(words) {
            title { "from " (plain(row.min)) " to " (plain(row.max)) }
            path.axis d="M6 8H124M6 5V11M124 5V11" {}
            path.spread d=(format!("M{low:.1} 8H{high:.1}")) {}
            path.start d=(format!("M{start:.1} 2V14")) {}
            circle.mark cx=(format!("{:.1}", at(value))) cy="8" r="3.5" {}
        }
    }
}

/// The strongest correlations of errors; empty if unknown.
fn correlations(strongest: &[Correlation]) -> Markup {
    let row = |pair: &Correlation| {
        let number = text(&format!("{:+.2}", pair.correlation));
        vec![code(&pair.first), code(&pair.second), number]
    };
    let header = ["Dimension", "Dimension", "#Correlation"];
    let words = "Errors of two parameters are correlated if the players of the batches differed in both in \
                 similar ways. Close to 1 or -1, the games determine only the sum or the difference of \
                 the two parameters.";
    let table = table("parameters", header, strongest.iter().map(row));
    html! {
        @if !strongest.is_empty() {
            details { summary { "Correlated errors" } (hint(words)) (table) }
        }
    }
}

/// The values at bounds, with advice.
fn at_bounds(rows: &[DimensionRow]) -> Markup {
    let at_bounds: Vec<&DimensionRow> = rows.iter().filter(|row| row.at_bound).collect();
    if at_bounds.is_empty() {
        return Markup::default();
    }
    let key = |row: &DimensionRow| if row.value == row.max { "max" } else { "min" };
    html! {
        div.warning {
            h3 { "At a bound" }
            p {
                "The bound, and not the games, has decided these. If better values may lie beyond "
                "it, widen it under the " code { "[[tune.parameter]]" } " that names the number, "
                "and tune again from the tuned values; if the bound is the number’s own limit, "
                "leave the number out."
            }
            ul {
                @for row in at_bounds {
                    li { (code(&row.name)) " is at " code { (key(row)) " = " (row.value.to_string()) } }
                }
            }
        }
    }
}
