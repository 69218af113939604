//! The other way: from numbers that were found to the text of a config.
//!
//! The file that a tune leaves is the one that it began with, comments and all,
//! with the tuned variant at its end, which inherits from the one that was tuned
//! and says what is different, and with a gate between the two in place of the
//! tune.

use std::fmt::Write;

use thiserror::Error;
use toml_edit::{DocumentMut, Item, value};

use super::{EvalParams, Number, Variant};
use crate::eval::xiangqi::{Parameter, Phase, XiangqiParams};
use crate::game::xiangqi::Kind;

/// Why a text cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WriteBackError {
    /// The text is no TOML, which cannot be: it has been read.
    #[error("the config cannot be read again: {0}")]
    Unreadable(String),
    /// Its variants are a list in one value.
    #[error("the variants are written as one list, which cannot be added to")]
    InlineVariants,
    /// What was written says something else.
    #[error("the tuned variant cannot be written as a config: it would say something else")]
    Different,
}

/// What the file is to say beside the variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof<'a> {
    /// Name of the tuned variant.
    pub name: &'a str,
    /// Lines of comment before it, without their marks.
    pub comment: &'a str,
    /// Where the openings are, if the file is not to lie beside the config.
    pub openings: Option<&'a str>,
    /// The seed of the gate.
    pub seed: u64,
    /// The keys of `[gate]` but for `base` and `candidate`, with their values.
    pub gate: Vec<(&'static str, String)>,
}

/// The text of a config in which `tuned` stands beside `base`, of which it is a
/// variation, with a gate between them.
///
/// # Errors
/// The text cannot be added to, or would not say what it should.
pub fn with_tuned(
    text: &str,
    base: &Variant,
    tuned: &Variant,
    proof: &Proof<'_>,
) -> Result<String, WriteBackError> {
    let unreadable = |error: &dyn std::fmt::Display| WriteBackError::Unreadable(error.to_string());
    let mut document: DocumentMut = text.parse().map_err(|error| unreadable(&error))?;
    if document.get("variant").is_some_and(Item::is_value) {
        return Err(WriteBackError::InlineVariants);
    }
    for table in ["tune", "tournament", "study", "gate"] {
        document.remove(table);
    }
    document["seed"] = value(proof.seed as i64);
    if let Some(file) = proof.openings {
        document["openings"]["file"] = value(file);
    }
    let mut out = document.to_string();
    out.truncate(out.trim_end().len());
    out.push_str("\n\n");
    for line in proof.comment.lines() {
        let _ = writeln!(out, "# {line}");
    }
    let _ = writeln!(out, "[[variant]]");
    let _ = writeln!(out, "name = {}", quoted(proof.name));
    let _ = writeln!(out, "base = {}", quoted(&base.name));
    for (table, lines) in tables(base, tuned) {
        let _ = writeln!(out, "\n[variant.{table}]\n{lines}");
    }
    let _ = writeln!(out, "\n[gate]");
    let _ = writeln!(out, "base = {}", quoted(&base.name));
    let _ = writeln!(out, "candidate = {}", quoted(proof.name));
    for (key, value) in &proof.gate {
        let _ = writeln!(out, "{key} = {value}");
    }
    // What a reader will make of it is what counts.
    let read = super::parse(&out, "the tuned config").map_err(|error| unreadable(&error))?;
    let written = read.config.variants.last();
    let same = |it: &Variant| {
        it.name == proof.name
            && it.search == tuned.search
            && it.eval == tuned.eval
            && options(it) == options(tuned)
    };
    if written.is_some_and(same) {
        Ok(out)
    } else {
        Err(WriteBackError::Different)
    }
}

fn options(variant: &Variant) -> Option<&std::collections::BTreeMap<String, String>> {
    let program = variant.program.as_ref()?;
    Some(&program.profile.options)
}

fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

/// The tables that say in what `tuned` differs from `base`, and their lines.
fn tables(base: &Variant, tuned: &Variant) -> Vec<(String, String)> {
    let changed = |number: &Number| number.get(base) != number.get(tuned);
    let changed: Vec<Number> = Number::all(base).into_iter().filter(changed).collect();
    let mut tables: Vec<(String, String)> = Vec::new();
    let mut say = |table: String, line: String| {
        match tables.iter_mut().find(|(known, _)| *known == table) {
            // A line is said once, however many of its numbers have changed.
            Some((_, lines))
                if lines
                    .lines()
                    .any(|known| known == line.lines().next().unwrap_or_default()) => {}
            Some((_, lines)) => {
                lines.push('\n');
                lines.push_str(&line);
            }
            None => tables.push((table, line)),
        }
    };
    for number in &changed {
        let value = number.get(tuned).unwrap_or_default();
        match (number, &tuned.eval) {
            (Number::Xiangqi(Parameter::Tempo), _) => {
                say("eval".to_owned(), format!("tempo = {value}"));
            }
            (Number::Xiangqi(parameter), EvalParams::Xiangqi(params)) => {
                for (table, line) in both_phases(*parameter, params) {
                    say(table, line);
                }
            }
            (Number::Squares(_), EvalParams::Othello(params)) => {
                let squares: Vec<String> = params.squares.iter().map(i32::to_string).collect();
                say(
                    "eval".to_owned(),
                    format!("squares = [{}]", squares.join(", ")),
                );
            }
            (Number::Discs, _) => say("eval".to_owned(), format!("discs = {value}")),
            (Number::Option(name), _) => {
                say("options".to_owned(), format!("{} = {value}", quoted(name)));
            }
            (Number::Search(_), _) => {
                let path = number.path();
                let (table, key) = path.rsplit_once('.').unwrap_or(("search", &path));
                say(table.to_owned(), format!("{key} = {value}"));
            }
            (Number::Xiangqi(_) | Number::Squares(_), _) => {}
        }
    }
    tables
}

/// What is to be said so that a parameter has its value: a key without `end` speaks
/// of both phases, so that both are said where they differ.
fn both_phases(parameter: Parameter, params: &XiangqiParams) -> Vec<(String, String)> {
    let of = |phase: Phase| match parameter {
        Parameter::Tempo => None,
        Parameter::Material(_, kind) => {
            let worth = params.get(Parameter::Material(phase, kind));
            Some(("material".to_owned(), format!("{} = {worth}", kind.name())))
        }
        Parameter::Square(_, kind, _) => Some((
            "pst".to_owned(),
            format!("{} = {}", kind.name(), table(params, phase, kind)),
        )),
        Parameter::Term(_, place) => {
            let here = Parameter::Term(phase, place);
            let path = Parameter::Term(Phase::Middle, place).to_string();
            let (group, name) = path.split_once('.')?;
            Some((group.to_owned(), format!("{name} = {}", params.get(here))))
        }
    };
    let (middle, end) = (of(Phase::Middle), of(Phase::End));
    let end = end.filter(|end| Some(end) != middle.as_ref());
    let middle = middle.map(|(table, line)| (format!("eval.{table}"), line));
    let end = end.map(|(table, line)| (format!("eval.end.{table}"), line));
    middle.into_iter().chain(end).collect()
}

/// A square table, a row a line, its numbers below one another.
fn table(params: &XiangqiParams, phase: Phase, kind: Kind) -> String {
    let at = |place: u8| params.get(Parameter::Square(phase, kind, place));
    let width = (0..90)
        .map(|place| at(place).to_string().len())
        .max()
        .unwrap_or(1);
    let mut text = "[\n".to_owned();
    for row in 0..10 {
        let numbers: Vec<String> = (0..9)
            .map(|file| format!("{:>width$}", at(9 * row + file)))
            .collect();
        let _ = writeln!(text, "    [{}],", numbers.join(", "));
    }
    text + "]"
}
