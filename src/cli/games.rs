//! The games of this program.

use std::sync::OnceLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::entry::Entry;
use super::prelude::*;
use leitai_config::eval_preset;
use leitai_game::card::{Facts, GameCard, Games, NotationStyle, flaws as flaws_of};
use leitai_session::KnownGames;

/// The card of a game.
pub(crate) type Card = &'static dyn GameCard;

/// The games with their extras for the command line.
type Installed = (KnownGames, Vec<Entry>);

static INSTALLED: OnceLock<Installed> = OnceLock::new();

/// Errors in the definitions of games, one per line.
pub(super) fn flaws(entries: &[Entry]) -> Vec<String> {
    let mut flaws = Vec::new();
    // Their tests check the games of this workspace.
    let shipped = leitai_games::all();
    for (place, Entry { card, players, .. }) in entries.iter().enumerate() {
        let name = card.name();
        let is_shipped = shipped.named(name).is_some_and(|it| it == *card);
        let of_game = if is_shipped {
            Vec::new()
        } else {
            flaws_of_own(*card)
        };
        flaws.extend(
            of_game
                .into_iter()
                .map(|flaw| format!("game \"{name}\": {flaw}")),
        );
        for (at, player) in players.iter().enumerate() {
            if player.name().trim().is_empty() {
                flaws.push(format!("game \"{name}\": a player has no name"));
            } else if players[..at]
                .iter()
                .any(|other| other.name() == player.name())
            {
                let twice = player.name();
                flaws.push(format!(
                    "game \"{name}\": two players are called \"{twice}\""
                ));
            }
            if player.card() != *card {
                let (theirs, of) = (player.name(), player.card().name());
                flaws.push(format!(
                    "game \"{name}\": the player \"{theirs}\" plays {of}"
                ));
            }
        }
        if entries[..place].iter().any(|other| other.card == *card) {
            flaws.push(format!("game \"{name}\": another game has that name"));
        }
    }
    flaws
}

/// Errors in the definition of a game from another crate.
fn flaws_of_own(card: Card) -> Vec<String> {
    let mut flaws = flaws_of(card);
    let table = card.numbers();
    let presets = table.presets.iter();
    let broken = presets.filter_map(|preset| eval_preset(table, preset.name).err());
    flaws.extend(broken.map(|problem| problem.to_string()));
    let is_named = |letter: char| letter.is_ascii_lowercase() || "0123456789-".contains(letter);
    let protocols = card.facts().protocols.iter().map(|it| it.name);
    let unnamed = protocols.filter(|name| name.is_empty() || !name.chars().all(is_named));
    flaws.extend(unnamed.map(|name| {
        format!("the name of the protocol \"{name}\" must be lowercase letters, digits and `-`")
    }));
    flaws
}

/// Sets the games, before the first command; later calls have no effect.
pub(super) fn install(entries: Vec<Entry>) {
    INSTALLED.get_or_init(|| {
        let games = entries.iter().map(|entry| entry.card).collect();
        let players = entries
            .iter()
            .flat_map(|entry| entry.players.iter().copied());
        let mut known = KnownGames::new(players.fold(games, Games::with_player));
        for entry in &entries {
            known
                .books
                .extend(entry.book.map(|reader| (entry.card, reader)));
            let forms = entry.forms.iter().map(|own| (entry.card, *own));
            known.forms.extend(forms);
            known.shipped.extend(&entry.shipped);
        }
        (known, entries)
    });
}

fn installed() -> &'static Installed {
    INSTALLED.get_or_init(Default::default)
}

/// The installed games.
pub(super) fn games() -> &'static Games {
    &known().cards
}

/// The installed games in the form for sessions.
pub(super) fn known() -> &'static KnownGames {
    &installed().0
}

/// The installed games with their extras.
pub(super) fn entries() -> &'static [Entry] {
    &installed().1
}

/// The extras of a game.
pub(super) fn entry_of(card: Card) -> Option<&'static Entry> {
    entries().iter().find(|entry| entry.card == card)
}

/// The name of the first game, the default.
pub(super) fn first() -> &'static str {
    games().iter().next().map_or("", GameCard::name)
}

/// A parser for the names of notations of all games, each with the games that have it.
pub(super) fn notations() -> PossibleValuesParser {
    let mut all: Vec<(&str, String)> = Vec::new();
    for card in games().iter() {
        let Facts { title, pgn, .. } = card.facts();
        for (place, NotationStyle { name, like, .. }) in pgn.notations.iter().enumerate() {
            let usual = if place == 0 { ", usual" } else { "" };
            let about = format!("{title}: {like}{usual}");
            match all.iter_mut().find(|(known, _)| known == name) {
                Some((_, games)) => games.extend(["; ", &*about]),
                None => all.push((name, about)),
            }
        }
    }
    let values = all.into_iter();
    PossibleValuesParser::new(values.map(|(name, about)| PossibleValue::new(name).help(about)))
}

/// The index of a notation among those of a game, by default of the usual one.
///
/// # Errors
/// The game does not have it; the message names those that it has.
pub(super) fn notation(card: Card, name: Option<&str>) -> Result<usize, Failure> {
    let Facts { title, pgn, .. } = card.facts();
    let Some(name) = name else { return Ok(0) };
    pgn.known_notation(name).with_context(|| {
        let all = pgn
            .notations
            .iter()
            .map(|known| format!("`{}`", known.name));
        let help = match all.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => {
                "leave out --notation: its moves are written in one way".into()
            }
            all => format!("it has {all}"),
        };
        format!("{title} has no notation `{name}`\nhelp: {help}")
    })
}

/// A parser for the names of games.
pub(super) fn parser() -> impl TypedValueParser<Value = Card> {
    let values = games().iter();
    let values = values.map(|card| PossibleValue::new(card.name()).help(card.facts().about));
    PossibleValuesParser::new(values).try_map(|name| games().named(&name).ok_or("no such game"))
}
