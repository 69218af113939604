//! The variants that there are without a config.

use super::eval::eval_preset;
use super::{GameChoice, Variant};
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
