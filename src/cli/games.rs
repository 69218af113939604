//! The games of this program.

use std::sync::OnceLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::entry::Entry;
use crate::card::{GameCard, Games, flaws as flaws_of};
use crate::session::KnownGames;

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
            flaws_of(*card)
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

/// Sets the games, before the first command; later calls have no effect.
pub(super) fn install(entries: Vec<Entry>) {
    INSTALLED.get_or_init(|| {
        let games = entries.iter().map(|entry| entry.card).collect();
        let players = entries
            .iter()
            .flat_map(|entry| entry.players.iter().copied());
        let mut known = KnownGames::new(players.fold(games, Games::with_player));
        for entry in &entries {
            known.books.push((entry.card, entry.book));
            let forms = entry.forms.iter().map(|own| (entry.card, own));
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

/// A parser for the names of notations of all games.
pub(super) fn notations() -> PossibleValuesParser {
    let all = games().iter().flat_map(|card| card.facts().pgn.notations);
    PossibleValuesParser::new(all.map(|it| PossibleValue::new(it.name).help(it.like)))
}

/// The default notation, if there is one.
pub(super) fn usual_notation() -> Option<&'static str> {
    let mut all = games().iter().flat_map(|card| card.facts().pgn.notations);
    all.next().map(|notation| notation.name)
}

/// A parser for the names of games.
pub(super) fn parser() -> impl TypedValueParser<Value = Card> {
    let values = games().iter();
    let values = values.map(|card| PossibleValue::new(card.name()).help(card.facts().about));
    PossibleValuesParser::new(values).try_map(|name| games().named(&name).ok_or("no such game"))
}
