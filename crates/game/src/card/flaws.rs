//! Contradictions in a game's declarations.

use std::panic::{AssertUnwindSafe, catch_unwind};

use std::collections::HashSet;

use super::GameCard;
use crate::numbers::{EvalParams, NumberTable, Preset, Shape, TableKey};

/// Lists errors in a game's declarations, as sentences without a final stop. All other code trusts
/// the declarations.
pub fn flaws(card: &'static dyn GameCard) -> Vec<String> {
    let (name, [first, second]) = (card.name(), card.side_names());
    let table = card.numbers();
    let are_names = ![first, second].iter().any(|side| side.trim().is_empty());
    let usual = card.facts().usual_spread;
    let (draws, bias) = (usual.draw_rate, usual.opening_bias);
    // The expected score of the unfavoured side, less its draws.
    let losses = 1.0 / (1.0 + libm::pow(10.0, bias / 400.0)) - draws / 2.0;
    let start = card.line(&*card.initial());
    let count = || start.position().count_legal_moves();
    let Ok(count) = catch_unwind(AssertUnwindSafe(count)) else {
        return vec![format!(
            "`type Moves` of {name} has no room for the moves of the usual start"
        )];
    };
    let goes_on = count > 0 && start.verdict(&card.rules()).is_none();
    let mut flaws = Vec::new();
    let mut require = |holds: bool, flaw: &str| flaws.extend((!holds).then(|| flaw.to_owned()));
    require(
        is_word(name),
        &format!("`NAME` is \"{name}\", and must be {WORD}"),
    );
    let title = card.facts().title.trim();
    require(!title.is_empty(), "`FACTS.title` is empty");
    let flaw = format!("`SIDE_NAMES` are \"{first}\" and \"{second}\", and must be two names");
    require(are_names && first != second, &flaw);
    let is_spread = (0.0..1.0).contains(&draws) && bias >= 0.0;
    let flaw = "`FACTS.usual_spread`: `draw_rate` must be from 0 to less than 1, and \
                `opening_bias` at least 0";
    require(is_spread, flaw);
    let flaw = format!(
        "`FACTS.usual_spread`: a draw rate of {draws} leaves no losses for an opening bias of \
         {bias} Elo"
    );
    require(losses >= 1e-12, &flaw);
    let unit = card.unit();
    require(unit > 0, &format!("`UNIT` is {unit}, and must be above 0"));
    require(goes_on, "the game is over at its usual start");
    let game = table.game;
    require(
        game == name,
        &format!("the numbers belong to the game `{game}`"),
    );
    for stage in table.stages.iter().filter_map(|stage| stage.name) {
        require(
            is_word(stage),
            &format!("the stage \"{stage}\" must be {WORD}"),
        );
    }
    let mut paths = HashSet::new();
    for key in &table.keys {
        let path = key.path();
        if let Some(flaw) = flaw_of_key(table, key, paths.contains(&path)) {
            flaws.push(format!("the number \"{path}\" {flaw}"));
        }
        paths.insert(path);
    }
    for preset in table.presets {
        let found = Preset::find(table.presets, preset.name);
        let is_unique = found.is_some_and(|found| std::ptr::eq(found, preset));
        if preset.name.trim().is_empty() || !is_unique {
            flaws.push(format!("the preset \"{}\" has no unique name", preset.name));
        }
    }
    if flaws.is_empty()
        && card
            .has_costly_terms(&EvalParams::defaults(table))
            .is_none()
    {
        flaws.push("`evaluation` does not accept the game's own numbers".to_owned());
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
        return Some("has the same path as another number".to_owned());
    }
    let (least, most) = declared.setting.kind.range();
    if !declared.setting.kind.holds(declared.usual) {
        return Some(format!(
            "has the default {}, which must be from {least} to {most}",
            declared.usual
        ));
    }
    if i32::try_from(least).is_err() || i32::try_from(most).is_err() {
        return Some(format!(
            "has the range {least} to {most}, which must be within {} to {}",
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
        .then(|| "has a mirror image outside its places".to_owned())
}
