//! Writes tuned numbers back into the text of a config.
//!
//! The output files of a tune are its own config, including comments, with added variants at the
//! end that inherit from the tuned one and set the differences, and with the next games instead of
//! the tune.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::env::{join_paths, split_paths};
use std::fmt::Write;
use std::path::{Path, PathBuf, is_separator};

use thiserror::Error;
use toml_edit::{DocumentMut, Item, TableLike, Value, value};

use super::{Games, Number, Variant, shipped_name};
use leitai_base::foreign::raw_path;
use leitai_game::numbers::{EvalParams, Shape};

/// The reason why a text cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WriteBackError {
    /// The text is no TOML, which is impossible because it has been read.
    #[error("the config cannot be read again: {0}")]
    Unreadable(String),
    /// The variants are a list in a single value.
    #[error(
        "the variants are written as one list, which cannot be extended\n\
         help: write each as a table of its own, `[[variant]]`"
    )]
    InlineVariants,
    /// The written text does not read back as intended.
    #[error("the variant `{0}` cannot be written as a config: it would read back differently")]
    Different(String),
}

impl WriteBackError {
    pub(super) fn unreadable(error: impl std::fmt::Display) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// The contents of the next config.
#[derive(Clone, Debug, PartialEq)]
pub struct NextConfig<'a> {
    /// The game of the config.
    pub games: Games,
    /// The seed.
    pub seed: u64,
    /// The first opening in the order of the seed, from 1; `None` for the config's.
    pub start: Option<u64>,
    /// True if the limits are those of `[tune.second]`.
    pub second_limits: bool,
    /// The variants to add, in this order.
    pub variants: Vec<AddedVariant<'a>>,
    /// The next games.
    pub play: NextGames<'a>,
}

/// A variant to add.
#[derive(Clone, Debug, PartialEq)]
pub struct AddedVariant<'a> {
    /// The preset's name.
    pub name: &'a str,
    /// Lines of comment before it, without comment marks.
    pub comment: &'a str,
    /// Its base in the config.
    pub base: &'a Variant,
    /// Its settings, except the name.
    pub variant: &'a Variant,
}

/// The next games.
#[derive(Clone, Debug, PartialEq)]
pub enum NextGames<'a> {
    /// A table of this name, `gate` or `tournament`, with these keys and values.
    Table(&'static str, Vec<(&'static str, String)>),
    /// The config's `[tune]` for this variant, without its other stages.
    Tune(&'a str),
    /// The config's `[tune]` for this variant, with the stages of one generation.
    Generation(&'a str),
}

/// The tables that determine the games.
pub(super) const PLAYED: [&str; 4] = ["tune", "tournament", "study", "gate"];
/// The tables of a tune that are stages of their own.
const STAGES: [&str; 4] = ["texel", "second", "generations", "pool"];
/// Those that follow the last generation.
const LAST_STAGES: [&str; 2] = ["generations", "pool"];

/// Keys whose values are paths: of files and folders that are relative to the config's folder.
const PATHS: [&[&str]; 5] = [
    &["openings", "file"],
    &["tune", "texel", "positions"],
    &["adjudication", "syzygy", "path"],
    &["variant", "command"],
    &["variant", "folder"],
];

/// The text of a config in another folder: `moved` returns the new path of a path.
///
/// # Errors
/// The text is not TOML.
pub fn with_paths(text: &str, moved: &dyn Fn(&Path) -> PathBuf) -> Result<String, WriteBackError> {
    let mut document: DocumentMut = text.parse().map_err(WriteBackError::unreadable)?;
    for keys in PATHS {
        move_paths(document.as_item_mut(), keys, moved);
    }
    Ok(document.to_string())
}

fn move_paths(item: &mut Item, keys: &[&str], moved: &dyn Fn(&Path) -> PathBuf) {
    let (key, rest) = match keys {
        [key, rest @ ..] => (*key, rest),
        [] => return,
    };
    if let Item::ArrayOfTables(tables) = item {
        for table in tables.iter_mut() {
            move_key(table, key, rest, moved);
        }
    } else if let Some(table) = item.as_table_like_mut() {
        move_key(table, key, rest, moved);
    }
}

fn move_key(table: &mut dyn TableLike, key: &str, rest: &[&str], moved: &dyn Fn(&Path) -> PathBuf) {
    let Some(item) = table.get_mut(key) else {
        return;
    };
    if !rest.is_empty() {
        return move_paths(item, rest, moved);
    }
    let path = |text: &str| raw_path(&moved(Path::new(text)));
    let texts: Vec<&mut Value> = match item.as_value_mut() {
        // The other words of a command are its arguments.
        Some(Value::Array(words)) if key == "command" => words.iter_mut().take(1).collect(),
        Some(Value::Array(files)) => files.iter_mut().collect(),
        other => other.into_iter().collect(),
    };
    for value in texts {
        let new = value.as_str().and_then(|text| match key {
            "file" => shipped_name(Path::new(text)).is_none().then(|| path(text)),
            // A bare name is searched in `PATH`.
            "command" => text.contains(is_separator).then(|| path(text)),
            "path" => {
                let folders = split_paths(text).map(|folder| moved(&folder));
                Some(raw_path(Path::new(&join_paths(folders).ok()?)))
            }
            _ => Some(path(text)),
        });
        if let Some(new) = new {
            let decor = value.decor().clone();
            *value = new.into();
            *value.decor_mut() = decor;
        }
    }
}

/// The text of the next config, from the `text` of another.
///
/// # Errors
/// The text cannot be extended, or the result does not read back as intended.
pub fn next_config_text(text: &str, sequel: &NextConfig<'_>) -> Result<String, WriteBackError> {
    let mut document: DocumentMut = text.parse().map_err(WriteBackError::unreadable)?;
    if document.get("variant").is_some_and(Item::is_value) {
        return Err(WriteBackError::InlineVariants);
    }
    if sequel.second_limits {
        let second = document.get("tune").and_then(|tune| tune.get("second"));
        if let Some(limits) = second.and_then(|second| second.get("limits")).cloned() {
            document["limits"] = limits;
        }
    }
    let tuned: Option<(&str, &[&str])> = match sequel.play {
        NextGames::Tune(variant) => Some((variant, &STAGES)),
        NextGames::Generation(variant) => Some((variant, &LAST_STAGES)),
        NextGames::Table(..) => None,
    };
    for table in PLAYED {
        if table != "tune" || tuned.is_none() {
            document.remove(table);
        }
    }
    let tune = document.get_mut("tune").and_then(Item::as_table_like_mut);
    if let Some((tune, (variant, removed))) = tune.zip(tuned) {
        for stage in removed {
            tune.remove(stage);
        }
        tune.insert("variant", value(variant));
    }
    document["seed"] = value(sequel.seed as i64);
    if let Some(start) = sequel.start {
        document["openings"]["start"] = value(i64::try_from(start).unwrap_or(i64::MAX));
    }
    let mut out = format!("{}\n", document.to_string().trim_end());
    for offspring in &sequel.variants {
        out.push('\n');
        write_variant(&mut out, offspring);
    }
    if let NextGames::Table(table, keys) = &sequel.play {
        let _ = writeln!(out, "\n[{table}]");
        for (key, value) in keys {
            let _ = writeln!(out, "{key} = {value}");
        }
    }
    // Checks that the text reads back as intended.
    let read = super::parse(&out, "the next config", &sequel.games);
    let read = read.map_err(WriteBackError::unreadable)?;
    for offspring in &sequel.variants {
        let mut variants = read.config.variants.iter();
        let written = variants.find(|variant| variant.name == offspring.name);
        let meant = offspring.variant;
        let same = |it: &Variant| {
            it.search == meant.search && it.eval == meant.eval && options(it) == options(meant)
        };
        if !written.is_some_and(same) {
            return Err(WriteBackError::Different(offspring.name.to_owned()));
        }
    }
    Ok(out)
}

/// The `[[variant]]` of an added variant, with its differences from its base.
pub fn added_variant_text(added: &AddedVariant<'_>) -> String {
    let mut text = String::new();
    write_variant(&mut text, added);
    text
}

fn write_variant(out: &mut String, offspring: &AddedVariant<'_>) {
    for line in offspring.comment.lines() {
        let _ = writeln!(out, "# {line}");
    }
    let (name, base) = (quoted(offspring.name), quoted(&offspring.base.name));
    let _ = writeln!(out, "[[variant]]\nname = {name}\nbase = {base}");
    for (table, lines) in tables(offspring.base, offspring.variant) {
        let _ = writeln!(out, "\n[variant.{table}]\n{lines}");
    }
}

fn options(variant: &Variant) -> Option<&BTreeMap<String, String>> {
    let program = variant.program.as_ref()?;
    Some(&program.profile.options)
}

/// A text as a TOML value.
pub fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

/// The tables and their lines for the differences between `tuned` and `base`.
fn tables(base: &Variant, tuned: &Variant) -> Vec<(String, String)> {
    let mut tables: Vec<(String, String)> = Vec::new();
    let mut add =
        |table: String, line: String| match tables.iter_mut().find(|(known, _)| *known == table) {
            Some((_, lines)) => *lines = format!("{lines}\n{line}"),
            None => tables.push((table, line)),
        };
    let mut written = HashSet::new();
    for (name, text) in options(tuned).into_iter().flatten() {
        if options(base).and_then(|options| options.get(name)) != Some(text) {
            let value = match text.parse::<i64>() {
                Ok(number) => number.to_string(),
                Err(_) => quoted(text),
            };
            add("options".to_owned(), format!("{} = {value}", quoted(name)));
        }
    }
    let numbers = Number::all(base).into_iter();
    for number in numbers.filter(|number| number.get(base) != number.get(tuned)) {
        let value = number.get(tuned).unwrap_or_default();
        match &number {
            Number::Eval(entry) => {
                // All numbers of a key are written at once.
                let (_, key) = entry.stage_and_key();
                if written.insert(key) {
                    for (table, line) in all_stages(key, &tuned.eval) {
                        add(table, line);
                    }
                }
            }
            // Written above.
            Number::Option { .. } => {}
            Number::Search(_) => {
                let path = number.path();
                let (table, key) = path.rsplit_once('.').unwrap_or(("search", &path));
                add(table.to_owned(), format!("{key} = {value}"));
            }
        }
    }
    tables
}

/// A table and a line for each stage that needs one: a key without a stage sets all stages, so
/// later stages are written only if they differ from the first.
pub(super) fn all_stages(key: usize, params: &EvalParams) -> Vec<(String, String)> {
    let table = params.table();
    let group = table.keys[key].group;
    let first = params.values_at(0, key);
    let mut lines = Vec::new();
    for (stage, it) in table.stages.iter().enumerate() {
        let values = params.values_at(stage, key);
        if stage == 0 || values != first {
            let path = [Some("eval"), it.name, group].into_iter().flatten();
            let path: Vec<&str> = path.collect();
            lines.push((path.join("."), line(key, values, params)));
        }
    }
    lines
}

/// The line for a key. A table has one line per row, with aligned numbers.
fn line(key: usize, values: &[i64], params: &EvalParams) -> String {
    let key = &params.table().keys[key].key;
    let name = key.setting.name;
    let list = |values: &[i64], width: usize| {
        let values: Vec<String> = values.iter().map(|it| format!("{it:>width$}")).collect();
        values.join(", ")
    };
    match key.shape {
        Shape::One => format!("{name} = {}", list(values, 0)),
        Shape::List(_) => format!("{name} = [{}]", list(values, 0)),
        Shape::Grid { columns, .. } => {
            let widths = values.iter().map(|value| value.to_string().len());
            let width = widths.max().unwrap_or(1);
            let rows = values.chunks(columns);
            let rows = rows.map(|row| format!("    [{}],\n", list(row, width)));
            format!("{name} = [\n{}]", rows.collect::<Vec<_>>().concat())
        }
    }
}
