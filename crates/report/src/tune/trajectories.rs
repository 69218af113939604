//! Values over games, with one panel per dimension. With many dimensions, only the largest movers
//! and each table have a panel.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

use super::groups::{Group, groups, is_clear, movers, own_name, square};
use crate::page::elements::{figure, hint, section, text};
use crate::page::number::{decimal, plain};
use crate::plot::{Anchor, Panel, Size, short};
use leitai_config::Decimal;
use leitai_runs::figures::tune::{DimensionRow, TuneReport};
use leitai_stats::tune::Trajectory;

/// Greatest number of dimensions with a panel each; more are split by table.
const MANY: usize = 12;

/// Number of dimensions of a table that get a colour and a name.
const MAX_LISTED: usize = 3;

const SINGLE: Size = Size {
    whole: [320.0, 168.0],
    sides: [44.0, 14.0],
    ends: [26.0, 24.0],
};

const GROUP: Size = Size {
    whole: [480.0, 230.0],
    sides: [44.0, 96.0],
    ends: [26.0, 24.0],
};

/// Renders the section about trajectories; `None` if nothing was learned.
pub(super) fn trajectories(report: &TuneReport) -> Option<Markup> {
    let (rows, trajectory) = (&report.dimensions, &report.trajectory);
    rows.first()?;
    trajectory.points.get(1)?;
    let errors = trajectory.points.iter().any(|point| point.errors.is_some());
    let bands = if errors {
        "; bands are one and two standard errors"
    } else {
        ""
    };
    let words =
        format!("Values over games{bands}. The dashed line is the start, a red one a bound.");
    let most = movers(rows, 0..rows.len());
    let body = html! {
        (hint(&words))
        @if rows.len() <= MANY { (panels(report, 0..rows.len())) }
        @else {
            @if !most.is_empty() {
                h3 { "Largest movers, by share of their range" }
                (panels(report, most.into_iter().take(MANY)))
            }
            (by_table(report))
        }
    };
    Some(section("Trajectories", &body))
}

fn panels(report: &TuneReport, indices: impl Iterator<Item = usize>) -> Markup {
    html! {
        div.panels {
            @for index in indices {
                (PreEscaped(single(&report.dimensions[index], index, report)))
            }
        }
    }
}

/// A dimension's values over games.
fn series(trajectory: &Trajectory, index: usize) -> impl Iterator<Item = (u64, f64)> + Clone {
    let points = trajectory.points.iter();
    points.filter_map(move |point| Some((point.games, *point.values.get(index)?)))
}

/// The band of plus and minus `errors` standard errors over games, cut at the bounds.
fn spread(
    trajectory: &Trajectory,
    index: usize,
    errors: f64,
    [min, max]: [f64; 2],
) -> Vec<(u64, f64, f64)> {
    let points = trajectory.points.iter().filter_map(|point| {
        let value = point.values.get(index)?;
        let error = errors * point.errors.as_ref()?.get(index)?;
        let (low, high) = ((value - error).max(min), (value + error).min(max));
        Some((point.games, low, high))
    });
    points.collect()
}

fn single(row: &DimensionRow, index: usize, report: &TuneReport) -> String {
    let trajectory = &report.trajectory;
    let bounds = [row.min, row.max].map(Decimal::value);
    let wide = spread(trajectory, index, 2.0, bounds);
    let values = series(trajectory, index).map(|(_, value)| value);
    let limits = wide.iter().flat_map(|&(_, low, high)| [low, high]);
    let start = row.start.value();
    let values = values.chain(limits).chain([start]);
    let mut panel = Panel::new(&row.name, SINGLE, report.games, values, bounds);
    let name = row.name.strip_prefix("eval.");
    let mut name = name.unwrap_or(&row.name).to_owned();
    if let Some(square) = square(&row.name, &report.before) {
        let _ = write!(name, " {square}");
    }
    panel.heading(Anchor::Start, "heading", &short(&name, 32));
    let end = format!("{} → {}", plain(row.start), plain(row.value));
    let class = if row.at_bound { "end bound" } else { "end" };
    panel.heading(Anchor::End, class, &end);
    panel.band("band", &wide);
    panel.band("band", &spread(trajectory, index, 1.0, bounds));
    for bound in bounds {
        panel.level("limit", bound);
    }
    panel.level("reference", start);
    panel.curve("line", series(trajectory, index));
    panel.finish()
}

/// A panel with a caption for each table of several dimensions.
fn by_table(report: &TuneReport) -> Markup {
    let rows = &report.dimensions;
    let groups = groups(rows, &report.before);
    html! {
        h3 { "By table: how far each has moved from its start" }
        div.panels.broad {
            @for group in groups.iter().filter(|group| group.members.len() > 1) {
                (figure(table(report, group), &text(&caption(rows, group))))
            }
        }
    }
}

fn table(report: &TuneReport, group: &Group) -> String {
    let (rows, trajectory) = (&report.dimensions, &report.trajectory);
    let moved = |index: usize| {
        let start = rows.get(index).map_or(0.0, |row| row.start.value());
        series(trajectory, index).map(move |(games, value)| (games, value - start))
    };
    let values = group.members.iter().flat_map(|&index| moved(index));
    let name = group.title();
    let values = values.map(|(_, value)| value).chain([0.0]);
    let mut panel = Panel::new(name, GROUP, report.games, values, Panel::UNLIMITED);
    panel.heading(Anchor::Start, "heading", name);
    let named = movers(rows, group.members.iter().copied());
    let named = &named[..named.len().min(MAX_LISTED)];
    for &index in group.members.iter().filter(|index| !named.contains(index)) {
        panel.curve("thin", moved(index));
    }
    panel.level("reference", 0.0);
    let mut names = Vec::new();
    for (place, &index) in named.iter().enumerate() {
        let class = format!("line s{place}");
        if let (Some([_, at]), Some(row)) = (panel.curve(&class, moved(index)), rows.get(index)) {
            let name = own_name(&row.name, &report.before);
            let name: String = name.chars().take(13).collect();
            names.push((at, format!("name s{place}"), name));
        }
    }
    panel.names(names);
    panel.finish()
}

fn caption(rows: &[DimensionRow], group: &Group) -> String {
    let members = || group.members.iter().filter_map(|&index| rows.get(index));
    let moved = members().filter(|row| row.difference().units != 0).count();
    let sum: f64 = members().map(|row| row.difference().value().abs()).sum();
    let count = group.members.len();
    let mut words = format!(
        "{moved} of {count} moved, by {} on average",
        decimal(sum / count.max(1) as f64)
    );
    if members().any(|row| is_clear(row).is_some()) {
        let clear = members().filter(|row| is_clear(row) == Some(true)).count();
        let _ = write!(words, "; {clear} by more than two standard errors");
    }
    if let bound @ 1.. = members().filter(|row| row.at_bound).count() {
        let _ = write!(words, "; {bound} at a bound");
    }
    words
}
