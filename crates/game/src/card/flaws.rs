//! Contradictions in a game's declarations.

use std::collections::HashSet;

use super::GameCard;
use crate::numbers::{EvalParams, NumberTable, Preset, Shape, TableKey};

/// Lists errors in a game's declarations, as sentences without a final stop. All other code trusts
/// the declarations.
pub fn flaws(card: &'static dyn GameCard) -> Vec<String> {
    let (name, [first, second]) = (card.name(), card.side_names());
    let table = card.numbers();
    let mut flaws = Vec::new();
    let mut unless = |is_fine: bool, flaw: &dyn Fn() -> String| {
        if !is_fine {
            flaws.push(flaw());
        }
    };
    unless(is_word(name), &|| {
        format!("`NAME` is \"{name}\", and must be {WORD}")
    });
    unless(!card.facts().title.trim().is_empty(), &|| {
        "`FACTS.title` is empty".to_owned()
    });
    let are_names = ![first, second].iter().any(|side| side.trim().is_empty());
    unless(are_names && first != second, &|| {
        format!("`SIDE_NAMES` are \"{first}\" and \"{second}\", and must be two names")
    });
    let usual = card.facts().usual_spread;
    let (draws, bias) = (usual.draw_rate, usual.opening_bias);
    unless((0.0..1.0).contains(&draws) && bias >= 0.0, &|| {
        "`FACTS.usual_spread`: `draw_rate` is from 0 to less than 1, `opening_bias` at least 0"
            .to_owned()
    });
    // The expected score of the unfavoured side, less its draws.
    let losses = 1.0 / (1.0 + 10_f64.powf(bias / 400.0)) - draws / 2.0;
    unless(losses >= 1e-12, &|| {
        format!(
            "`FACTS.usual_spread`: a draw rate of {draws} leaves no losses for an opening bias of \
             {bias} Elo"
        )
    });
    unless(card.unit() > 0, &|| {
        format!("`UNIT` is {}, and must be above 0", card.unit())
    });
    let start = card.line(&*card.initial());
    unless(
        start.position().count_legal_moves() > 0 && start.verdict(&card.rules()).is_none(),
        &|| "the game is over at its usual start".to_owned(),
    );
    unless(table.game == name, &|| {
        format!("the numbers are said to be of `{}`", table.game)
    });
    for stage in table.stages.iter().filter_map(|stage| stage.name) {
        unless(is_word(stage), &|| {
            format!("the stage \"{stage}\" must be {WORD}")
        });
    }
    let mut paths = HashSet::new();
    for key in &table.keys {
        let path = key.path();
        if let Some(flaw) = flaw_of_key(table, key, paths.contains(&path)) {
            flaws.push(format!("the number \"{path}\" {flaw}"));
        }
        paths.insert(path);
    }
    for (place, preset) in table.presets.iter().enumerate() {
        let is_own = |name| {
            Preset::find(table.presets, name)
                .is_some_and(|found| std::ptr::eq(found, &raw const table.presets[place]))
        };
        let mut names = std::iter::once(&preset.name).chain(preset.aliases);
        if preset.name.trim().is_empty() || !names.all(|name| is_own(name)) {
            flaws.push(format!(
                "the preset \"{}\" has no name of its own",
                preset.name
            ));
        }
    }
    if flaws.is_empty() && card.has_costly_terms(&EvalParams::usual(table)).is_none() {
        flaws.push("`evaluation` makes none of the game's own numbers".to_owned());
    }
    flaws
}

const WORD: &str = "a word of letters, digits, `-` and `_`";

fn is_word(text: &str) -> bool {
    let is_fine = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    !text.is_empty() && text.chars().all(is_fine)
}

/// The error of one key. `is_second` is true if an earlier key has the same path.
fn flaw_of_key(table: &'static NumberTable, key: &TableKey, is_second: bool) -> Option<String> {
    let declared = &key.key;
    if !(is_word(declared.setting.name) && key.group.is_none_or(is_word)) {
        return Some(format!("must be {WORD}"));
    }
    let top = key.group.unwrap_or(declared.setting.name);
    if is_second || table.stages.iter().any(|stage| stage.name == Some(top)) {
        return Some("has the name of another".to_owned());
    }
    let (least, most) = declared.setting.kind.range();
    if !declared.setting.kind.holds(declared.usual) {
        return Some(format!(
            "is usually {}, and must be from {least} to {most}",
            declared.usual
        ));
    }
    if i32::try_from(least).is_err() || i32::try_from(most).is_err() {
        return Some(format!(
            "goes from {least} to {most}, and may go from {} to {}",
            i32::MIN,
            i32::MAX
        ));
    }
    let is_whole = match &declared.shape {
        Shape::Grid { columns, names, .. } => *columns > 0 && names.len().is_multiple_of(*columns),
        Shape::One | Shape::List(_) => true,
    };
    if declared.is_empty() || !is_whole {
        return Some("has no numbers, or a row that is not full".to_owned());
    }
    let is_place = |place: &Option<usize>| place.is_none_or(|place| place < declared.len());
    let mirror = &declared.mirror;
    (!(mirror.is_empty() || mirror.len() == declared.len()) || !mirror.iter().all(is_place))
        .then(|| "has a mirror image that is none of its places".to_owned())
}
