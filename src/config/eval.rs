//! One variant's own words on its evaluation, checked against the table of the game.

mod board;
mod raw;

use toml::Spanned;

use super::named::named;
use super::problem::Problem;
use super::raw::{Number, Text};
use super::reader::read_table;
use super::search::{Raw, number, text};
use super::value::ranged;
use crate::numbers::{EvalParams, GridWords, Key, NumberTable, Preset, Shape};

pub(super) use raw::{EvalReader, RawEval};
use raw::{RawSquares, Said, Value};

/// First the preset, then single numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct EvalLayer {
    preset: Option<EvalParams>,
    /// The index of a number, and its value.
    words: Vec<(usize, i64)>,
}

impl EvalLayer {
    pub(super) fn check(
        raw: &RawEval,
        table: &'static NumberTable,
        problems: &mut Vec<Problem>,
    ) -> Self {
        match raw {
            RawEval::Settings(said) => Self::of_settings(&said.0, table, problems),
            RawEval::Keys { preset, said } => {
                let preset = preset.as_ref();
                let preset = preset.and_then(|name| named_eval(name, table, problems));
                let mut words = Vec::new();
                // What is said without a stage holds in all of them, unless a stage says
                // otherwise beside it.
                let (all, single): (Vec<&Said>, Vec<&Said>) =
                    said.iter().partition(|said| said.stage.is_none());
                for said in all.into_iter().chain(single) {
                    words.extend(numbers(said, table, problems));
                }
                Self { preset, words }
            }
        }
    }

    fn of_settings(
        said: &std::collections::BTreeMap<super::raw::Text, Spanned<Raw>>,
        table: &'static NumberTable,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let mut layer = Self::default();
        let known = || table.keys.iter().map(|key| &key.key.setting);
        for (key, value) in said {
            let name = key.get_ref().as_str();
            if name == "preset" {
                layer.preset = text(value, "eval.preset", problems)
                    .and_then(|name| named_eval(&name, table, problems));
            } else if let Some(place) = known().position(|setting| setting.name == name) {
                let path = format!("eval.{name}");
                let kind = table.keys[place].key.setting.kind;
                let number = number(value, &path, kind, problems);
                layer.words.extend(number.map(|number| (place, number)));
            } else {
                let names = known().map(|setting| setting.name);
                problems.push(
                    Problem::error(key.span(), format!("unknown key `{name}` in `eval`"))
                        .label(format!("not a key of {}", table.title))
                        .alternatives(name, std::iter::once("preset").chain(names)),
                );
            }
        }
        layer
    }

    /// Replaces what the layer speaks of.
    pub(super) fn apply(&self, params: &mut EvalParams) {
        if let Some(preset) = &self.preset {
            params.clone_from(preset);
        }
        let table = params.table();
        for &(index, value) in &self.words {
            if let Some(number) = table.entry(index) {
                params.set(number, value);
            }
        }
    }
}

/// The indices of the numbers that are spoken of, each with its value; nothing if one of
/// them is wrong.
fn numbers(
    said: &Said,
    table: &'static NumberTable,
    problems: &mut Vec<Problem>,
) -> Vec<(usize, i64)> {
    let key = &table.keys[said.key];
    let stage = said.stage.and_then(|stage| table.stages[stage].name);
    let stage = stage.map(|name| format!("{name}."));
    let path = format!("eval.{}{}", stage.unwrap_or_default(), key.path());
    let values = match (&said.value, &key.key.shape) {
        (Value::Setting(raw), _) => {
            let number = number(raw, &path, key.key.setting.kind, problems);
            number.map(|number| vec![number])
        }
        (Value::One(raw), _) => in_range(raw, &path, &key.key, problems).map(|one| vec![one]),
        (Value::List(raw), _) => board::list(raw, &path, &key.key, problems),
        (
            Value::Grid(raw),
            Shape::Grid {
                columns,
                names,
                words,
                is_symmetric,
            },
        ) => {
            let grid = Grid {
                key: &key.key,
                rows: names.len() / columns,
                columns: *columns,
                words,
                is_symmetric: *is_symmetric,
            };
            grid.check(raw, &path, problems)
        }
        (Value::Grid(_), _) => None,
    };
    let stages = match said.stage {
        Some(stage) => stage..stage + 1,
        None if key.is_staged => 0..table.stages.len(),
        None => 0..1,
    };
    let values = values.unwrap_or_default();
    let of_stage = |stage| table.indices(stage, said.key).zip(values.iter().copied());
    stages.flat_map(of_stage).collect()
}

fn in_range(raw: &Number, path: &str, key: &Key, problems: &mut Vec<Problem>) -> Option<i64> {
    let (least, most) = key.setting.kind.range();
    ranged(raw, path, least..=most, problems)
}

/// A table of numbers as it should be.
struct Grid<'a> {
    key: &'a Key,
    rows: usize,
    columns: usize,
    words: &'a GridWords,
    is_symmetric: bool,
}

impl Grid<'_> {
    /// All rows one after the other.
    fn check(&self, raw: &RawSquares, path: &str, problems: &mut Vec<Problem>) -> Option<Vec<i64>> {
        let rows = raw.get_ref();
        if rows.len() != self.rows {
            let message = format!("`{path}` must have {} rows", self.rows);
            let problem = Problem::error(raw.span(), message).label(format!("{} rows", rows.len()));
            problems.push(with_help(problem, Some(&self.words.rows)));
            return None;
        }
        let rows = rows.iter().enumerate();
        let rows: Vec<Option<Vec<i64>>> = rows
            .map(|(place, row)| self.row(row, place, &format!("{path}[{place}]"), problems))
            .collect();
        let rows: Option<Vec<Vec<i64>>> = rows.into_iter().collect();
        rows.map(|rows| rows.concat())
    }

    fn row(
        &self,
        row: &Spanned<Vec<Number>>,
        place: usize,
        path: &str,
        problems: &mut Vec<Problem>,
    ) -> Option<Vec<i64>> {
        let numbers = row.get_ref().iter();
        // All of them are looked at, so that all that is wrong is said.
        let numbers: Vec<Option<i64>> = numbers
            .map(|raw| in_range(raw, path, self.key, problems))
            .collect();
        if numbers.len() != self.columns {
            let (columns, words) = (self.columns, self.words.columns);
            let message = format!("`{path}` must have {columns} numbers{words}");
            let found = format!("{} numbers", numbers.len());
            let problem = Problem::error(row.span(), message).label(found);
            problems.push(with_help(problem, self.words.of_row.get(place)));
            return None;
        }
        let numbers: Vec<i64> = numbers.into_iter().collect::<Option<_>>()?;
        if self.is_symmetric && numbers.iter().ne(numbers.iter().rev()) {
            problems.push(
                Problem::warning(row.span(), format!("`{path}` is not its own mirror image")).help(
                    "the board is symmetric: openings that are mirror images of each other\n\
                     count as one",
                ),
            );
        }
        Some(numbers)
    }
}

fn with_help(problem: Problem, help: Option<&String>) -> Problem {
    match help.filter(|help| !help.is_empty()) {
        Some(help) => problem.help(help.clone()),
        None => problem,
    }
}

/// The evaluation that the config names.
pub(super) fn named_eval(
    name: &Text,
    table: &'static NumberTable,
    problems: &mut Vec<Problem>,
) -> Option<EvalParams> {
    let read = |text: &str| read_eval(text, table);
    named(name, table.presets, read, problems)
}

pub(super) fn read_eval(text: &str, table: &'static NumberTable) -> Result<EvalParams, Problem> {
    let mut problems = Vec::new();
    let raw = read_table(text, EvalReader(table))?;
    let layer = EvalLayer::check(&raw, table, &mut problems);
    let mut params = EvalParams::usual(table);
    layer.apply(&mut params);
    problems.into_iter().next().map_or(Ok(params), Err)
}

/// The values of a game's preset of that name, or once of that name.
pub fn eval_preset(table: &'static NumberTable, name: &str) -> Option<EvalParams> {
    read_eval(Preset::find(table.presets, name)?.text, table).ok()
}

#[cfg(test)]
mod tests;
