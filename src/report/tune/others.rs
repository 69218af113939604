//! Numbers that have changed and are neither dimensions nor on a board.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::data::TuneReport;
use super::number::{plain, signed};
use crate::config::{Number, Variant};
use crate::games::othello::eval::{self as othello, Length, Stage};
use crate::games::xiangqi::eval::{Parameter, Phase};
use crate::report::xml::escape;

/// The section about them; empty if there are none.
pub(super) fn section(report: &TuneReport) -> String {
    let (before, after) = (&report.before, &report.after);
    let told = report.dimensions.iter().map(|row| row.name.as_str());
    let told: HashSet<&str> = told.collect();
    let mut rows = String::new();
    let mut tuples: Vec<Tuples> = Vec::new();
    for number in Number::all(before) {
        let Some([old, new]) = change(&number, before, after) else {
            continue;
        };
        let first = in_the_first_stage(&number);
        let is_same =
            |first: &Number| first.get(before) == Some(old) && first.get(after) == Some(new);
        if is_on_a_board(&number) || first.as_ref().is_some_and(is_same) {
            continue;
        }
        let named = [Some(number.clone()), mirrored(&number)];
        let mut named = named.into_iter().flatten();
        if named.any(|number| told.contains(number.path().as_str())) {
            continue;
        }
        let added = new.saturating_sub(old);
        if let Number::Othello(othello::Parameter::Tuple(stage, length, _)) = number {
            let known = tuples
                .iter_mut()
                .find(|it| (it.stage, it.length) == (stage, length));
            match known {
                Some(known) => known.add(added),
                None => tuples.push(Tuples {
                    stage,
                    length,
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
    rows.extend(tuples.iter().map(Tuples::row));
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

/// What has changed of the tuples of one length and stage: too many to list.
struct Tuples {
    stage: Stage,
    length: Length,
    changed: usize,
    /// The least and the greatest change.
    range: [i64; 2],
}

impl Tuples {
    fn add(&mut self, added: i64) {
        self.changed += 1;
        self.range = [self.range[0].min(added), self.range[1].max(added)];
    }

    fn row(&self) -> String {
        let stage = self.stage.name().map(|name| format!("{name}."));
        format!(
            "<tr><th><code>eval.{}{}</code></th><td class=\"number\" colspan=\"2\">{} of {} \
             changed</td><td class=\"number\">{} to {}</td></tr>\n",
            stage.unwrap_or_default(),
            self.length.name(),
            self.changed,
            self.length.weights(),
            signed(self.range[0]),
            signed(self.range[1])
        )
    }
}

/// A number before and after, if that is not the same.
fn change(number: &Number, before: &Variant, after: &Variant) -> Option<[i64; 2]> {
    let values = [number.get(before)?, number.get(after)?];
    (values[0] != values[1]).then_some(values)
}

fn is_on_a_board(number: &Number) -> bool {
    matches!(
        number,
        Number::Xiangqi(Parameter::Square(..)) | Number::Othello(othello::Parameter::Squares(..))
    )
}

/// The number that always moves along with a tuple's.
fn mirrored(number: &Number) -> Option<Number> {
    match number {
        Number::Othello(parameter) => parameter.mirrored().map(Number::Othello),
        _ => None,
    }
}

/// The first stage's number, of a later one's.
fn in_the_first_stage(number: &Number) -> Option<Number> {
    match *number {
        Number::Xiangqi(Parameter::Material(Phase::End, kind)) => {
            Some(Number::Xiangqi(Parameter::Material(Phase::Middle, kind)))
        }
        Number::Xiangqi(Parameter::Term(Phase::End, place)) => {
            Some(Number::Xiangqi(Parameter::Term(Phase::Middle, place)))
        }
        Number::Othello(parameter) if parameter.stage() != Stage::Opening => {
            Some(Number::Othello(parameter.in_stage(Stage::Opening)))
        }
        _ => None,
    }
}
