//! A variant's own evaluation settings, checked against the table of the game.

mod board;
mod raw;

use thiserror::Error;

use super::form::Spanned;
use super::named::named;
use super::problem::{Problem, Problems};
use super::raw::{Number, Text};
use super::reader::read_table;
use super::search::{Raw, number, text};
use super::value;
use leitai_game::numbers::{EvalParams, Key, NumberTable, Preset, Shape};

pub(super) use raw::{EvalReader, RawEval};
use raw::{RawSquares, Said, Value};

/// An optional preset and single numbers that change it.
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
        problems: &mut Problems,
    ) -> Self {
        match raw {
            RawEval::Settings(said) => Self::of_settings(&said.0, table, problems),
            RawEval::Keys { preset, said } => {
                let preset = preset.as_ref();
                let preset = preset.and_then(|name| named_eval(name, table, problems));
                let mut words = Vec::new();
                // Settings without a stage apply to all stages, except where a stage has its own.
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
        problems: &mut Problems,
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
                Problem::error(key.span(), format!("unknown key `{name}` in `eval`"))
                    .label(format!("not a key of {}", table.title))
                    .alternatives(name, std::iter::once("preset").chain(names))
                    .report(problems);
            }
        }
        layer
    }

    /// Replaces the values that the layer sets.
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

/// The indices of the numbers that a setting changes, each with its value; empty if one of them is
/// invalid.
fn numbers(said: &Said, table: &'static NumberTable, problems: &mut Problems) -> Vec<(usize, i64)> {
    let key = &table.keys[said.key];
    let stage = said.stage.and_then(|stage| table.stages[stage].name);
    let stage = stage.map(|name| format!("{name}."));
    let path = format!("eval.{}{}", stage.unwrap_or_default(), key.path());
    let values = match &said.value {
        Value::Setting(raw) => {
            let number = number(raw, &path, key.key.setting.kind, problems);
            number.map(|number| vec![number])
        }
        Value::One(raw) => in_range(raw, &path, &key.key, problems).map(|one| vec![one]),
        Value::List(raw) => board::list(raw, &path, &key.key, problems),
        Value::Grid(raw) => grid(raw, &path, &key.key, problems),
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

fn in_range(raw: &Number, path: &str, key: &Key, problems: &mut Problems) -> Option<i64> {
    let (least, most) = key.setting.kind.range();
    value::in_range(raw, path, least..=most, problems)
}

/// The numbers, if all are in range. Checks all of them, to report all problems.
fn all_in_range(
    raw: &[Number],
    path: &str,
    key: &Key,
    problems: &mut Problems,
) -> Option<Vec<i64>> {
    let values = raw.iter().map(|raw| in_range(raw, path, key, problems));
    let values: Vec<Option<i64>> = values.collect();
    values.into_iter().collect()
}

/// All rows of a table, concatenated.
fn grid(raw: &RawSquares, path: &str, key: &Key, problems: &mut Problems) -> Option<Vec<i64>> {
    let Shape::Grid {
        columns,
        names,
        words,
        is_symmetric,
    } = &key.shape
    else {
        return None;
    };
    let (rows, height) = (raw.get_ref(), names.len() / columns);
    if rows.len() != height {
        let message = format!("`{path}` must have {height} rows");
        let problem = Problem::error(raw.span(), message).label(format!("{} rows", rows.len()));
        return with_help(problem, Some(&words.rows)).refuse(problems);
    }
    let mut all = Some(Vec::new());
    for (place, row) in rows.iter().enumerate() {
        let path = format!("{path}[{place}]");
        let mut numbers = all_in_range(row.get_ref(), &path, key, problems);
        let found = row.get_ref().len();
        if found != *columns {
            let message = format!("`{path}` must have {columns} numbers{}", words.columns);
            let problem = Problem::error(row.span(), message).label(format!("{found} numbers"));
            numbers = with_help(problem, words.of_row.get(place)).refuse(problems);
        }
        let is_its_image = |row: &Vec<i64>| row.iter().eq(row.iter().rev());
        if *is_symmetric && !numbers.as_ref().is_none_or(is_its_image) {
            Problem::warning(row.span(), format!("`{path}` is not its own mirror image"))
                .help(
                    "the board is symmetric: openings that are mirror images of each other\n\
                     count as one",
                )
                .report(problems);
        }
        all = all.zip(numbers).map(|(all, row)| [all, row].concat());
    }
    all
}

fn with_help(problem: Problem, help: Option<&String>) -> Problem {
    match help.filter(|help| !help.is_empty()) {
        Some(help) => problem.help(help.clone()),
        None => problem,
    }
}

/// The evaluation preset named by the config.
pub(super) fn named_eval(
    name: &Text,
    table: &'static NumberTable,
    problems: &mut Problems,
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

/// The reason why a game's preset cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadPreset {
    /// The game has no preset of that name.
    #[error("unknown preset `{0}`")]
    Unknown(String),
    /// The preset's text is no valid evaluation.
    #[error("the preset `{name}` is broken: {reason}")]
    Broken {
        /// The preset's name.
        name: &'static str,
        /// The problem in the text.
        reason: String,
    },
}

/// The values of a game's preset with that name, which may be a former one.
///
/// # Errors
/// The game has no such preset, or it is broken.
pub fn eval_preset(table: &'static NumberTable, name: &str) -> Result<EvalParams, BadPreset> {
    let preset = Preset::find(table.presets, name);
    let preset = preset.ok_or_else(|| BadPreset::Unknown(name.to_owned()))?;
    read_eval(preset.text, table).map_err(|problem| BadPreset::Broken {
        name: preset.name,
        reason: problem.message,
    })
}

#[cfg(test)]
mod tests;
