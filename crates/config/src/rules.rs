//! `[rules]`: the configurable rules of the game.

use super::problem::{Problem, Problems, wrong_type};
use super::search::{number, number_of_choice};
use super::values::{RawValue, Spanned, Text};
use super::{GameChoice, Games};
use leitai_base::settings::{Kind, SettingValue, Settings};
use leitai_game::card::GameCard;

/// The game under these rules; refuses rules of another game.
pub(super) fn rules(
    raw: &Spanned<RawValue>,
    mut game: GameChoice,
    games: &Games,
    problems: &mut Problems,
) -> GameChoice {
    let GameChoice { card, rules } = &mut game;
    let RawValue::Table(table) = raw.get_ref() else {
        let (expected, found) = (
            table_instead_of(raw.get_ref(), *card),
            raw.get_ref().type_name(),
        );
        wrong_type(raw.span(), "`[rules]`", &expected, found).report(problems);
        return game;
    };
    let list = rules.list();
    let mut given = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_str();
        let Some(place) = list.iter().position(|setting| setting.name == name) else {
            problems.push(stray(key, *card, games));
            continue;
        };
        let path = format!("rules.{name}");
        let mut nouns = card.facts().rule_nouns.iter();
        let noun = nouns.find(|(rule, _)| *rule == name);
        let number = match (list[place].kind, noun, value.get_ref()) {
            (Kind::Choice(names), Some((_, noun)), RawValue::Text(text)) => {
                let text = Spanned::new(value.span(), text.clone());
                number_of_choice(&text, noun, names, problems)
            }
            (kind, ..) => number(value, &path, kind, problems),
        };
        if let Some(number) = number {
            rules.set(place, number);
            given.push((name, value.span()));
        }
    }
    if let Some((name, label, help)) = card.refused_rule(rules)
        && let Some((_, place)) = given.iter().find(|(given, _)| *given == name)
        && let Some(at) = list.iter().position(|setting| setting.name == name)
    {
        let message = format!("`rules.{name}` is {}", Settings::get(rules, at));
        Problem::error(place.clone(), message)
            .label(label)
            .help(help)
            .report(problems);
    }
    game
}

/// The table to write instead of this value: with the rule that the value names, else the first.
fn table_instead_of(value: &RawValue, card: &'static dyn GameCard) -> String {
    let rules = card.rules();
    let mut list = rules.list().iter();
    let named = list
        .clone()
        .find_map(|setting| match (setting.kind, value) {
            (Kind::Choice(names), RawValue::Text(text)) => {
                let place = names.iter().position(|name| name == text)?;
                Some((setting, place as i64))
            }
            (Kind::Flag, RawValue::Text(text)) => (setting.name == text).then_some((setting, 1)),
            _ => None,
        });
    let example = named.or_else(|| Some((list.next()?, rules.get(0))));
    example.map_or_else(
        || "a table".to_owned(),
        |(setting, number)| {
            let value = SettingValue(setting.kind, number);
            let quote = ["", "\""][usize::from(matches!(setting.kind, Kind::Choice(_)))];
            format!(
                "a table such as `{{ {} = {quote}{value}{quote} }}`",
                setting.name
            )
        },
    )
}

/// The error for a key that is no rule of the game, with a hint if it is a rule of another one.
fn stray(key: &Text, card: &'static dyn GameCard, games: &Games) -> Problem {
    let name = key.get_ref().as_str();
    let has = |card: &&dyn GameCard| card.rules().list().iter().any(|it| it.name == name);
    if let Some(theirs) = games.iter().find(has) {
        let message = format!("`rules.{name}` is a rule of {}", theirs.facts().title);
        return Problem::error(key.span(), message)
            .label("not a rule of this game")
            .help(format!(
                "remove it: the config says `game = \"{}\"`",
                card.name()
            ));
    }
    let rules = card.rules();
    let known = rules.list().iter().map(|setting| setting.name);
    Problem::error(key.span(), format!("unknown key `{name}` in `[rules]`"))
        .alternatives(name, known)
}
