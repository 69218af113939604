//! Changed numbers that are neither dimensions nor on a board.

use std::collections::HashSet;

use maud::{Markup, html};

use crate::page::elements::{WIDE, code, hint, section};
use crate::page::number::{plain, signed};
use leitai_config::{Number, Variant};
use leitai_game::numbers::{Entry, Shape};
use leitai_runs::figures::tune::TuneReport;

/// Renders the section; `None` if there are no such numbers.
pub(super) fn other_numbers(report: &TuneReport) -> Option<Markup> {
    let (before, after) = (&report.before, &report.after);
    let listed = report.dimensions.iter().map(|row| row.name.as_str());
    let listed: HashSet<&str> = listed.collect();
    let mut rows: Vec<(String, [i64; 2])> = Vec::new();
    let mut tables: Vec<Table> = Vec::new();
    for number in Number::all(before) {
        let Some([old, new]) = change(&number, before, after) else {
            continue;
        };
        let entry = number.of_eval();
        let first = entry.and_then(Entry::first_stage).map(Number::Eval);
        let is_same =
            |first: &Number| first.get(before) == Some(old) && first.get(after) == Some(new);
        let is_on_a_board = entry.is_some_and(|entry| entry.key().board.is_some());
        if is_on_a_board || first.as_ref().is_some_and(is_same) {
            continue;
        }
        let named = [Some(number.clone()), number.mirrored()];
        let mut named = named.into_iter().flatten();
        if named.any(|number| listed.contains(number.path().as_str())) {
            continue;
        }
        let added = new.saturating_sub(old);
        if let Some(entry) = entry
            && let Shape::Grid { .. } = entry.key().shape
        {
            let mut known = tables.iter_mut();
            match known.find(|it| it.first.stage_and_key() == entry.stage_and_key()) {
                Some(known) => known.add(added),
                None => tables.push(Table {
                    first: entry,
                    changed: 1,
                    range: [added; 2],
                }),
            }
            continue;
        }
        rows.push((number.path(), [old, new]));
    }
    if rows.is_empty() && tables.is_empty() {
        return None;
    }
    let words = "Squares are on the boards below; a number that later stages of the game share \
                 with the first is listed once.";
    let body = html! {
        (hint(words))
        div.wide role="group" tabindex="0" aria-label=(WIDE) {
            table.parameters {
                thead { tr {
                    th { "Number" }
                    @for name in ["Before", "After", "Difference"] { th.number { (name) } }
                } }
                tbody {
                    @for (path, [old, new]) in rows {
                        tr {
                            th { (code(&path)) }
                            td.number { (plain(old)) }
                            td.number { (plain(new)) }
                            td.number { (signed(new.saturating_sub(old))) }
                        }
                    }
                    @for table in &tables { (table.row()) }
                }
            }
        }
    };
    Some(section("Other numbers that changed", &body))
}

/// Changes in one stage of a table that is on no board and too large to list.
struct Table {
    /// The first changed number.
    first: Entry,
    changed: usize,
    /// The least and the greatest difference.
    range: [i64; 2],
}

impl Table {
    fn add(&mut self, added: i64) {
        self.changed += 1;
        self.range = [self.range[0].min(added), self.range[1].max(added)];
    }

    fn row(&self) -> Markup {
        let path = self.first.path();
        let path = path.split('[').next().unwrap_or_default();
        let [least, most] = self.range.map(signed);
        html! {
            tr {
                th { (code(&format!("eval.{path}"))) }
                td.number colspan="2" { (self.changed) " of " (self.first.key().len()) " changed" }
                td.number { (least) " to " (most) }
            }
        }
    }
}

/// A number before and after, if it changed.
fn change(number: &Number, before: &Variant, after: &Variant) -> Option<[i64; 2]> {
    let values = [number.get(before)?, number.get(after)?];
    (values[0] != values[1]).then_some(values)
}
