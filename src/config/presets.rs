//! The variants that there are without a config.

use super::eval::{eval_preset, read_eval};
use super::{GameChoice, Variant};
use crate::card::{GameCard, flaws};
use crate::numbers::EvalParams;
use crate::search::SearchParams;

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

/// What a variant is before a config says anything about it, and the one that plays where
/// there is no config: the default search with the first preset, or where a game has none
/// with the usual numbers. `None` only if a preset is broken.
pub fn default_variant(game: GameChoice) -> Option<Variant> {
    let table = game.card.numbers();
    Some(Variant {
        name: "default".to_owned(),
        search: SearchParams::default(),
        eval: match table.presets.first() {
            Some(first) => eval_preset(table, first.name)?,
            None => EvalParams::usual(table),
        },
        program: None,
        player: None,
        limits: None,
    })
}

/// What is wrong with what a game says of itself and of its presets, in sentences without
/// an end.
pub fn game_flaws(card: &'static dyn GameCard) -> Vec<String> {
    let mut found = flaws(card);
    if !found.is_empty() {
        return found;
    }
    let table = card.numbers();
    for preset in table.presets {
        let name = preset.name;
        match read_eval(preset.text, table) {
            Err(problem) => found.push(format!("the preset \"{name}\": {}", problem.message)),
            Ok(params) if !card.evaluates(&params) => {
                found.push(format!("`evaluation` makes none of the preset \"{name}\""));
            }
            Ok(_) => {}
        }
    }
    found
}
