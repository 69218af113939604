//! Named players other than Leitai's searches.

use std::fmt;

use super::thinker::GamePlayer;
use super::{Card, Game, GameCard, Rules, Thinker};
use crate::search::MoveChooser;

/// A player of a game with its own code. A config calls it by `player = "NAME"` in a variant.
#[derive(Clone, Copy, Debug)]
pub struct OwnPlayer<G: Game> {
    /// Its name in configs.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Makes a player for games under these rules.
    pub new: fn(G::Rules) -> Box<dyn MoveChooser<G>>,
}

/// An [`OwnPlayer`] without the types of its game.
pub trait NamedPlayer: Sync {
    /// The game that it plays.
    fn card(&self) -> &'static dyn GameCard;
    /// See [`OwnPlayer::name`].
    fn name(&self) -> &'static str;
    /// See [`OwnPlayer::about`].
    fn about(&self) -> &'static str;
    /// Makes a player for games under these rules.
    fn thinker(&self, rules: &Rules) -> Box<dyn Thinker>;
}

impl<G: Game> NamedPlayer for OwnPlayer<G> {
    fn card(&self) -> &'static dyn GameCard {
        Card::<G>::get()
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn thinker(&self, rules: &Rules) -> Box<dyn Thinker> {
        let rules = rules.typed();
        Box::new(GamePlayer::other((self.new)(rules), rules))
    }
}

impl fmt::Debug for dyn NamedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for dyn NamedPlayer {
    fn eq(&self, other: &Self) -> bool {
        (self.card(), self.name()) == (other.card(), other.name())
    }
}
