//! Changed numbers that are neither dimensions nor on a board.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::page::number::{plain, signed};
use crate::xml::escape;
use leitai_config::{Number, Variant};
use leitai_game::numbers::{Entry, Shape};
use leitai_runs::figures::tune::TuneReport;

/// Renders the section; empty if there are no such numbers.
pub(super) fn section(report: &TuneReport) -> String {
    let (before, after) = (&report.before, &report.after);
    let told = report.dimensions.iter().map(|row| row.name.as_str());
    let told: HashSet<&str> = told.collect();
    let mut rows = String::new();
    let mut tables: Vec<Table> = Vec::new();
    for number in Number::all(before) {
        let Some([old, new]) = change(&number, before, after) else {
            continue;
        };
        let entry = number.of_eval();
        let first = entry.and_then(Entry::in_the_first_stage).map(Number::Eval);
        let is_same =
            |first: &Number| first.get(before) == Some(old) && first.get(after) == Some(new);
        let is_on_a_board = entry.is_some_and(|entry| entry.key().board.is_some());
        if is_on_a_board || first.as_ref().is_some_and(is_same) {
            continue;
        }
        let named = [Some(number.clone()), number.mirrored()];
        let mut named = named.into_iter().flatten();
        if named.any(|number| told.contains(number.path().as_str())) {
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
        let _ = writeln!(
            rows,
            "<tr><th><code>{}</code></th><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td></tr>",
            escape(&number.path()),
            plain(old),
            plain(new),
            signed(added)
        );
    }
    rows.extend(tables.iter().map(Table::row));
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<section>\n<h2>Other numbers that changed</h2>\n<p class=\"hint\">Squares are on the \
         boards below; what later stages of the game have in common with the first is told \
         once.</p>\n<div class=\"wide\">\n\
         <table class=\"parameters\">\n<thead><tr><th>Number</th><th class=\"number\">Before</th>\
         <th class=\"number\">After</th><th class=\"number\">Difference</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n</section>\n"
    )
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

    fn row(&self) -> String {
        let path = self.first.path();
        let path = path.split('[').next().unwrap_or_default();
        format!(
            "<tr><th><code>eval.{path}</code></th><td class=\"number\" colspan=\"2\">{} of {} \
             changed</td><td class=\"number\">{} to {}</td></tr>\n",
            self.changed,
            self.first.key().len(),
            signed(self.range[0]),
            signed(self.range[1])
        )
    }
}

/// A number before and after, if it changed.
fn change(number: &Number, before: &Variant, after: &Variant) -> Option<[i64; 2]> {
    let values = [number.get(before)?, number.get(after)?];
    (values[0] != values[1]).then_some(values)
}
