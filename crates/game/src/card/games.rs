//! The games known to a program.

use serde::{Serialize, Serializer};

use super::{AnyLine, AnyPosition, GameCard, GameFormat, NamedPlayer, Rules};

/// Games by name in display order, and their players other than Leitai's searches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Games {
    cards: Vec<&'static dyn GameCard>,
    players: Vec<&'static dyn NamedPlayer>,
}

impl Games {
    /// A single game.
    pub fn of(card: &'static dyn GameCard) -> Self {
        Self::from_iter([card])
    }

    /// Adds a player of one of the games, which configs call by its name.
    #[must_use]
    pub fn with_player(mut self, player: &'static dyn NamedPlayer) -> Self {
        self.players.push(player);
        self
    }

    /// The players of a game other than Leitai's searches.
    pub fn players_of(
        &self,
        card: &'static dyn GameCard,
    ) -> impl Iterator<Item = &'static dyn NamedPlayer> + '_ {
        let players = self.players.iter().copied();
        players.filter(move |player| player.card() == card)
    }

    /// All games.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn GameCard> + '_ {
        self.cards.iter().copied()
    }

    /// The format of a file that passes this test, and its game.
    pub fn form_of(
        &self,
        is_it: impl Fn(&GameFormat) -> bool,
    ) -> Option<(&'static dyn GameCard, &'static GameFormat)> {
        let forms =
            |card: &'static dyn GameCard| card.facts().forms.iter().map(move |it| (card, it));
        self.iter().flat_map(forms).find(|(_, form)| is_it(form))
    }

    /// The game with that name.
    pub fn named(&self, name: &str) -> Option<&'static dyn GameCard> {
        self.iter().find(|card| card.name() == name)
    }
}

impl FromIterator<&'static dyn GameCard> for Games {
    fn from_iter<I: IntoIterator<Item = &'static dyn GameCard>>(cards: I) -> Self {
        let (cards, players) = (cards.into_iter().collect(), Vec::new());
        Self { cards, players }
    }
}

/// A game with a choice of its rules.
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

    /// The name of the game in configs.
    pub fn name(&self) -> &'static str {
        self.card.name()
    }

    /// The usual start.
    pub fn initial(&self) -> Box<dyn AnyPosition> {
        self.card.initial()
    }

    /// A line from the usual start.
    pub fn line(&self) -> Box<dyn AnyLine> {
        self.card.line(&*self.card.initial())
    }
}

impl Serialize for GameChoice {
    /// Writes the name alone if the rules are the usual ones and the game does not always write
    /// them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { card, rules } = self;
        if *rules == card.rules() && !card.facts().names_usual_rules {
            return serializer.serialize_str(card.name());
        }
        serializer.collect_map([(card.name(), rules)])
    }
}
