//! Searches and evaluations by name: files in the form in which a user writes them.

use std::marker::PhantomData;

use super::eval::{EvalLayer, EvalReader};
use super::problem::Problem;
use super::raw::Text;
use super::reader::read_table;
use super::search::SearchLayer;
use super::{GameChoice, Variant};
use crate::numbers::{EvalParams, NumberTable, Preset};
use crate::search::SearchParams;

/// The presets of the search. The first one is where a variant starts that
/// names none.
const SEARCH: [Preset; 2] = [
    Preset::new("plain", include_str!("../search/presets/plain.toml")),
    Preset::new("full", include_str!("../search/presets/full.toml")),
];

/// The search that the config names.
pub(super) fn named_search(name: &Text, problems: &mut Vec<Problem>) -> Option<SearchParams> {
    named(name, &SEARCH, read_search, problems)
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

fn read_search(text: &str) -> Result<SearchParams, Problem> {
    let mut problems = Vec::new();
    let raw = read_table(text, PhantomData)?;
    let layer = SearchLayer::check(&raw, &mut problems);
    let mut params = SearchParams::default();
    layer.apply(&mut params);
    problems.into_iter().next().map_or(Ok(params), Err)
}

fn read_eval(text: &str, table: &'static NumberTable) -> Result<EvalParams, Problem> {
    let mut problems = Vec::new();
    let raw = read_table(text, EvalReader(table))?;
    let layer = EvalLayer::check(&raw, table, &mut problems);
    let mut params = EvalParams::usual(table);
    layer.apply(&mut params);
    problems.into_iter().next().map_or(Ok(params), Err)
}

fn named<T>(
    name: &Text,
    presets: &'static [Preset],
    read: impl Fn(&str) -> Result<T, Problem>,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let Some(preset) = Preset::find(presets, name.get_ref()) else {
        problems.push(
            Problem::error(name.span(), format!("unknown preset `{}`", name.get_ref()))
                .alternatives(name.get_ref(), presets.iter().map(|preset| preset.name)),
        );
        return None;
    };
    read(preset.text)
        .map_err(|problem| {
            let message = format!(
                "the preset is broken (a bug of leitai): {}",
                problem.message
            );
            problems.push(Problem::error(name.span(), message));
        })
        .ok()
}

/// The values of a game's preset of that name, or once of that name.
pub fn eval_preset(table: &'static NumberTable, name: &str) -> Option<EvalParams> {
    read_eval(Preset::find(table.presets, name)?.text, table).ok()
}

/// The search of that name (`plain`, `full`).
pub fn search_preset(name: &str) -> Option<SearchParams> {
    read_search(Preset::find(&SEARCH, name)?.text).ok()
}

/// The default search with the evaluation of that name, or the first if it is empty.
/// `None` if the game has no such preset.
pub fn preset_variant(game: GameChoice, name: &str) -> Option<Variant> {
    let mut variant = default_variant(game)?;
    if name.is_empty() {
        return Some(variant);
    }
    variant.eval = eval_preset(game.card.numbers(), name)?;
    Some(variant)
}

/// What a variant is before a config says anything about it, and the one that
/// plays where there is no config: the first preset and the default search. `None` only if a preset is broken.
pub fn default_variant(game: GameChoice) -> Option<Variant> {
    let table = game.card.numbers();
    Some(Variant {
        name: "default".to_owned(),
        search: SearchParams::default(),
        eval: match table.presets.first() {
            Some(preset) => read_eval(preset.text, table).ok()?,
            None => EvalParams::usual(table),
        },
        program: None,
        player: None,
        limits: None,
    })
}
