//! Changed square tables, each drawn before and after, with the differences.

use maud::{Markup, PreEscaped, html};

use super::board::Figure;
use super::palette::Scale;
use crate::page::elements::{hint, section, text};
use crate::page::number::{plain, signed};
use leitai_game::numbers::{Board, EvalParams};
use leitai_runs::figures::tune::TuneReport;

/// A table before and after.
struct Change {
    board: &'static Board,
    title: String,
    before: Vec<Option<i64>>,
    after: Vec<Option<i64>>,
}

/// Renders the section about square tables; `None` if none has changed.
pub(super) fn square_tables(report: &TuneReport) -> Option<Markup> {
    if report.before.program.is_some() {
        return None;
    }
    let (before, after) = (&report.before.eval, &report.after.eval);
    let keys = 0..before.table().keys.len();
    let mut changes: Vec<Change> = keys.flat_map(|key| changes(key, before, after)).collect();
    let words = changes.first().map_or("", |change| change.board.words);
    changes.retain(|change| change.before != change.after);
    changes.first()?;
    let words = format!(
        "{words} Orange is below the middle of the scale, blue above it. The middle is 0, unless all \
         numbers are far from 0. Before and after share a scale; the scale of the difference is \
         centred at 0."
    );
    let body = html! { (hint(&words)) @for change in &changes { (figure(change)) } };
    Some(section("Square tables", &body))
}

/// The table of a key in each stage; a single one if all stages are equal.
fn changes(key: usize, before: &EvalParams, after: &EvalParams) -> Vec<Change> {
    let table = before.table();
    let Some(board) = &table.keys[key].key.board else {
        return Vec::new();
    };
    let of = |params: &EvalParams, stage| {
        let values = params.values_at(stage, key);
        let value = |place: &Option<usize>| values.get((*place)?).copied();
        board.places.iter().map(value).collect::<Vec<_>>()
    };
    let stages = 0..table.stages.len();
    let changes = stages.map(|stage| [before, after].map(|it| of(it, stage)));
    let changes: Vec<[Vec<Option<i64>>; 2]> = changes.collect();
    let is_one = changes.iter().all(|change| *change == changes[0]);
    let named = table.stages.iter().zip(changes);
    let named = named.take(if is_one { 1 } else { table.stages.len() });
    named
        .map(|(stage, [before, after])| Change {
            board,
            title: if is_one {
                board.title.clone()
            } else {
                format!("{}, {}", board.title, stage.title)
            },
            before,
            after,
        })
        .collect()
}

fn figure(change: &Change) -> Markup {
    let (before, after) = (&change.before, &change.after);
    let pairs = before.iter().zip(after);
    let added: Vec<Option<i64>> = pairs.map(|(&b, &a)| Some(a? - b?)).collect();
    let scale = Scale::of(before.iter().chain(after).copied().flatten());
    let tip = |square: usize| {
        let at = |values: &[Option<i64>]| values.get(square).copied().flatten();
        match (at(before), at(after), at(&added)) {
            (Some(before), Some(after), Some(added)) => {
                format!("{} → {} ({})", plain(before), plain(after), signed(added))
            }
            _ => String::new(),
        }
    };
    let figure = |title, values, scale, write| Figure {
        board: change.board,
        title,
        values,
        scale,
        write,
        tip: &tip,
    };
    let own = Scale::about_zero(added.iter().copied().flatten());
    let plain: fn(i64) -> String = plain;
    let boards = [
        figure("before", &**before, scale, plain),
        figure("after", after, scale, plain),
        figure("difference", &added, own, signed),
    ];
    let moved = added.iter().flatten().filter(|added| **added != 0).count();
    let squares = added.iter().flatten().count();
    html! {
        figure.tables {
            figcaption {
                (text(&change.title)) " "
                small { (moved) " of " (squares) " squares changed" }
            }
            div.boards {
                @for board in &boards { div { p { (board.title) } (PreEscaped(board.draw())) } }
            }
        }
    }
}
