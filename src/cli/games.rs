//! The games that this program knows.

use std::sync::OnceLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::card::{GameCard, Games};

/// A game by name.
pub(super) type Card = &'static dyn GameCard;

static GAMES: OnceLock<Games> = OnceLock::new();

/// Says which games there are, before the first command; the first to say so counts.
pub(super) fn install(games: Games) {
    let _ = GAMES.set(games);
}

/// The games that were installed.
pub(super) fn games() -> &'static Games {
    #[cfg(test)]
    install(crate::games::all());
    GAMES.get_or_init(Games::default)
}

/// The name of the first game, which is meant where none is named.
pub(super) fn first() -> &'static str {
    games().iter().next().map_or("", GameCard::name)
}

/// Reads the name of a notation of any game.
pub(super) fn notations() -> PossibleValuesParser {
    let all = games().iter().flat_map(|card| card.pgn().notations);
    PossibleValuesParser::new(all.map(|it| PossibleValue::new(it.name).help(it.like)))
}

/// Reads a game's name on the command line.
pub(super) fn parser() -> impl TypedValueParser<Value = Card> {
    let values = games().iter();
    let values = values.map(|card| PossibleValue::new(card.name()).help(card.about()));
    PossibleValuesParser::new(values).try_map(|name| games().named(&name).ok_or("no such game"))
}
