//! The games that a program knows.

use serde::{Serialize, Serializer};

use super::{AnyLine, AnyPosition, Card, Game, GameCard, NamedPlayer, OwnPlayer, Rules};

/// Games by name, in the order in which they are shown, and players of them that are no
/// search of Leitai's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Games {
    cards: Vec<&'static dyn GameCard>,
    players: Vec<&'static dyn NamedPlayer>,
}

impl Games {
    /// One game.
    pub fn of(card: &'static dyn GameCard) -> Self {
        let (cards, players) = (vec![card], Vec::new());
        Self { cards, players }
    }

    /// With one more, in the place of another of its name.
    #[must_use]
    pub fn with<G: Game>(mut self) -> Self {
        let card = Card::<G>::get();
        self.cards.retain(|other| other.name() != card.name());
        self.cards.push(card);
        self
    }

    /// With a player of one of the games, which configs call by its name.
    #[must_use]
    pub fn with_player<G: Game>(mut self, player: &'static OwnPlayer<G>) -> Self {
        self.players.push(player);
        self
    }

    /// The players of a game that are no search of Leitai's.
    pub fn players_of(
        &self,
        card: &'static dyn GameCard,
    ) -> impl Iterator<Item = &'static dyn NamedPlayer> + '_ {
        let players = self.players.iter().copied();
        players.filter(move |player| player.card() == card)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn GameCard> + '_ {
        self.cards.iter().copied()
    }

    /// The game of that name.
    pub fn named(&self, name: &str) -> Option<&'static dyn GameCard> {
        self.iter().find(|card| card.name() == name)
    }
}

/// The game that something is about, with those of its rules that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameChoice {
    /// The game.
    pub card: &'static dyn GameCard,
    /// Its rules.
    pub rules: Rules,
}

impl GameChoice {
    /// The game under its usual rules.
    pub fn usual(card: &'static dyn GameCard) -> Self {
        let rules = card.rules();
        Self { card, rules }
    }

    /// The name that configs use.
    pub fn name(&self) -> &'static str {
        self.card.name()
    }

    /// The usual start.
    pub fn initial(&self) -> Box<dyn AnyPosition> {
        self.card.initial()
    }

    /// A line from there.
    pub fn line(&self) -> Box<dyn AnyLine> {
        self.card.line(&*self.card.initial())
    }
}

impl Serialize for GameChoice {
    /// The name alone, if the rules are the usual ones and the game does not always say
    /// them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { card, rules } = self;
        if *rules == card.rules() && !card.names_usual_rules() {
            return serializer.serialize_str(card.name());
        }
        serializer.collect_map([(card.name(), rules)])
    }
}
