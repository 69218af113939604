//! A variant's own evaluation settings, checked against the table of the game.

mod board;

use std::ops::Range;

use thiserror::Error;

use super::problem::{Problem, Problems, unknown_key};
use super::reader::{named_preset, read_table};
use super::search::{mismatch, number, text};
use super::values::{RawTable, RawValue, Spanned};
use leitai_game::numbers::{
    EvalParams, Key, KeyGroup, NumberTable, Preset, Shape, Spelling, TableKey,
};

/// An optional preset and single numbers that change it.
#[derive(Clone, Debug, Default)]
pub(super) struct EvalLayer {
    preset: Option<EvalParams>,
    /// The index of a number, and its value.
    changes: Vec<(usize, i64)>,
}

impl EvalLayer {
    /// Checks the table `eval` of a variant or of a preset.
    pub(super) fn check(
        raw: &RawTable,
        table: &'static NumberTable,
        problems: &mut Problems,
    ) -> Self {
        let mut reader = EvalReader {
            table,
            layer: Self::default(),
            of_stages: Vec::new(),
            problems,
        };
        reader.read(raw, &reader.names(None), None);
        // Settings without a stage apply to all stages, except where a stage has its own.
        reader.layer.changes.append(&mut reader.of_stages);
        reader.layer
    }

    /// Replaces the values that the layer sets.
    pub(super) fn apply(&self, params: &mut EvalParams) {
        if let Some(preset) = &self.preset {
            params.clone_from(preset);
        }
        let table = params.table();
        for &(index, value) in &self.changes {
            if let Some(number) = table.entry(index) {
                params.set(number, value);
            }
        }
    }
}

/// The settings read so far.
struct EvalReader<'p> {
    table: &'static NumberTable,
    layer: EvalLayer,
    /// The changes of single stages.
    of_stages: Vec<(usize, i64)>,
    problems: &'p mut Problems,
}

/// The meaning of a name.
#[derive(Clone, Copy)]
enum Name {
    Preset,
    Stage(usize),
    Key(usize),
    Group(&'static KeyGroup),
}

impl EvalReader<'_> {
    /// The names in the whole `eval`, or in the table of a stage.
    fn names(&self, stage: Option<usize>) -> Vec<(&'static str, Name)> {
        let table = self.table;
        let (constant, staged) = table.groups.split_at(1);
        let of = |group: &'static KeyGroup| match group.name {
            Some(name) => vec![(name, Name::Group(group))],
            None => self.keys(&group.keys),
        };
        let staged = staged.iter().flat_map(of);
        if stage.is_some() {
            return staged.collect();
        }
        let stages = table.stages.iter().enumerate();
        let stages = stages.filter_map(|(place, stage)| Some((stage.name?, Name::Stage(place))));
        let first = std::iter::once(("preset", Name::Preset)).chain(constant.iter().flat_map(of));
        match table.spelling {
            Spelling::Whole => first.chain(stages).chain(staged).collect(),
            Spelling::Sparse => first.chain(staged).chain(stages).collect(),
        }
    }

    fn keys(&self, keys: &Range<usize>) -> Vec<(&'static str, Name)> {
        let name = |key: usize| self.table.keys[key].key.setting.name;
        keys.clone()
            .map(|key| (name(key), Name::Key(key)))
            .collect()
    }

    /// Reads a table with these names, in a stage or outside of all stages.
    fn read(&mut self, raw: &RawTable, names: &[(&'static str, Name)], stage: Option<usize>) {
        for (key, value) in raw {
            let name = key.get_ref().as_str();
            let path = self.path(stage, name);
            match names.iter().find(|(known, _)| *known == name) {
                Some((_, Name::Preset)) => {
                    let read = |text: &str| read_eval(text, self.table);
                    self.layer.preset = text(value, &path, self.problems).and_then(|name| {
                        named_preset(&name, self.table.presets, read, self.problems)
                    });
                }
                Some((_, Name::Stage(stage))) => match value.get_ref() {
                    RawValue::Table(raw) => self.read(raw, &self.names(Some(*stage)), Some(*stage)),
                    _ => self.mismatch(value, &path, "a table"),
                },
                Some((_, Name::Group(group))) => self.group(group, value, &path, stage),
                Some((_, Name::Key(key))) => self.set(*key, value, stage),
                None => {
                    let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                    let problem = unknown_key(key.span(), name, "`eval`", &known);
                    self.problems.push(if self.table.is_plain() {
                        problem.label(format!("not a key of {}", self.table.title))
                    } else {
                        problem
                    });
                }
            }
        }
    }

    fn path(&self, stage: Option<usize>, name: &str) -> String {
        let stage = stage.and_then(|stage| self.table.stages[stage].name);
        match stage {
            Some(stage) => format!("eval.{stage}.{name}"),
            None => format!("eval.{name}"),
        }
    }

    fn mismatch(&mut self, value: &Spanned<RawValue>, path: &str, expected: &str) {
        mismatch(value, path, expected).report(self.problems);
    }

    /// Reads the keys of a group, or their values in order, as the resolved form has them.
    fn group(
        &mut self,
        group: &KeyGroup,
        value: &Spanned<RawValue>,
        path: &str,
        stage: Option<usize>,
    ) {
        match (value.get_ref(), group.per) {
            (RawValue::Table(raw), _) => self.read(raw, &self.keys(&group.keys), stage),
            (RawValue::List(values), Some(_)) if values.len() == group.keys.len() => {
                for (key, value) in group.keys.clone().zip(values) {
                    self.set(key, value, stage);
                }
            }
            (_, Some(per)) => {
                let count = group.keys.len();
                let expected =
                    format!("a table with the names of {per} as keys, or a list of {count}");
                self.mismatch(value, path, &expected);
            }
            (_, None) => self.mismatch(value, path, "a table of weights"),
        }
    }

    /// Sets the numbers of a key in a stage, or in all stages.
    fn set(&mut self, index: usize, value: &Spanned<RawValue>, stage: Option<usize>) {
        let table = self.table;
        let TableKey { key, is_staged, .. } = &table.keys[index];
        let path = self.path(stage, &table.keys[index].path());
        let values = match &key.shape {
            Shape::One => {
                number(value, &path, key.setting.kind, self.problems).map(|number| vec![number])
            }
            Shape::List(_) => board::list(value, &path, key, self.problems),
            Shape::Grid { .. } => grid(value, &path, key, self.problems),
        };
        let stages = match stage {
            Some(stage) => stage..stage + 1,
            None if *is_staged => 0..table.stages.len(),
            None => 0..1,
        };
        let values = values.unwrap_or_default();
        let of_stage = |stage| table.indices(stage, index).zip(values.iter().copied());
        let changes = if stage.is_some() {
            &mut self.of_stages
        } else {
            &mut self.layer.changes
        };
        changes.extend(stages.flat_map(of_stage));
    }
}

/// The numbers, if all are valid. Checks all of them, to report all problems.
fn numbers<'r>(
    raw: impl IntoIterator<Item = &'r Spanned<RawValue>>,
    path: &str,
    key: &Key,
    problems: &mut Problems,
) -> Option<Vec<i64>> {
    let raw = raw.into_iter();
    let numbers = raw.map(|raw| number(raw, path, key.setting.kind, problems));
    let numbers: Vec<Option<i64>> = numbers.collect();
    numbers.into_iter().collect()
}

/// The values of a list.
fn list<'r>(
    raw: &'r Spanned<RawValue>,
    path: &str,
    problems: &mut Problems,
) -> Option<&'r [Spanned<RawValue>]> {
    match raw.get_ref() {
        RawValue::List(list) => Some(list),
        _ => mismatch(raw, path, "a list `[...]`").refuse(problems),
    }
}

/// All rows of a table, concatenated.
fn grid(
    raw: &Spanned<RawValue>,
    path: &str,
    key: &Key,
    problems: &mut Problems,
) -> Option<Vec<i64>> {
    let Shape::Grid {
        columns,
        names,
        words,
        is_symmetric,
    } = &key.shape
    else {
        return None;
    };
    let (rows, height) = (list(raw, path, problems)?, names.len() / columns);
    if rows.len() != height {
        let message = format!("`{path}` must have {height} rows");
        let problem = Problem::error(raw.span(), message).label(format!("{} rows", rows.len()));
        return with_help(problem, Some(&words.rows)).refuse(problems);
    }
    let mut all = Some(Vec::new());
    for (place, row) in rows.iter().enumerate() {
        let path = format!("{path}[{place}]");
        let cells = list(row, &path, problems);
        let mut values = cells.and_then(|cells| numbers(cells, &path, key, problems));
        if let Some(found) = cells.map(<[_]>::len).filter(|found| found != columns) {
            let message = format!("`{path}` must have {columns} numbers{}", words.columns);
            let problem = Problem::error(row.span(), message).label(format!("{found} numbers"));
            values = with_help(problem, words.of_row.get(place)).refuse(problems);
        }
        let is_its_image = |row: &Vec<i64>| row.iter().eq(row.iter().rev());
        if *is_symmetric && !values.as_ref().is_none_or(is_its_image) {
            Problem::warning(row.span(), format!("`{path}` is not its own mirror image"))
                .help(
                    "the board is symmetric: openings that are mirror images of each other\n\
                     count as one",
                )
                .report(problems);
        }
        all = all.zip(values).map(|(all, row)| [all, row].concat());
    }
    all
}

fn with_help(problem: Problem, help: Option<&String>) -> Problem {
    match help.filter(|help| !help.is_empty()) {
        Some(help) => problem.help(help.clone()),
        None => problem,
    }
}

fn read_eval(text: &str, table: &'static NumberTable) -> Result<EvalParams, Problem> {
    let mut problems = Vec::new();
    let layer = EvalLayer::check(&read_table(text)?, table, &mut problems);
    let mut params = EvalParams::defaults(table);
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

/// The values of a game's preset with that name.
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
