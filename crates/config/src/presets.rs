//! Variants available without a config.

use super::eval::{BadPreset, eval_preset};
use super::search::search_preset;
use super::{GameChoice, Variant};
use leitai_game::numbers::EvalParams;
use leitai_game::search::SearchParams;

/// The default search with the evaluation preset of that name, or the first preset if the name is
/// empty.
///
/// # Errors
/// The game has no such preset, or it is broken.
pub fn preset_variant(game: GameChoice, name: &str) -> Result<Variant, BadPreset> {
    let mut variant = default_variant(game)?;
    if !name.is_empty() {
        variant.eval = eval_preset(game.card.numbers(), name)?;
    }
    Ok(variant)
}

/// The default variant with all features of the search: the strongest one without a config.
///
/// # Errors
/// The preset of the evaluation is broken.
pub fn full_variant(game: GameChoice) -> Result<Variant, BadPreset> {
    let variant = default_variant(game)?;
    Ok(Variant {
        search: search_preset(Some(game.card), "full").unwrap_or_default(),
        ..variant
    })
}

/// The player without a config, and the start of a config's variants unless all are programs: the
/// default search with the first preset, or with the default evaluation parameters if the game has
/// no presets.
///
/// # Errors
/// The preset is broken.
pub fn default_variant(game: GameChoice) -> Result<Variant, BadPreset> {
    let table = game.card.numbers();
    let first = table.presets.first();
    let eval = first.map(|first| eval_preset(table, first.name));
    Ok(Variant {
        eval: eval.unwrap_or_else(|| Ok(EvalParams::defaults(table)))?,
        ..bare_variant(game)
    })
}

/// A variant with the game's default evaluation parameters, without a preset: enough for programs.
pub(crate) fn bare_variant(game: GameChoice) -> Variant {
    Variant {
        name: "default".to_owned(),
        search: SearchParams::default(),
        eval: EvalParams::defaults(game.card.numbers()),
        program: None,
        player: None,
        limits: None,
    }
}
