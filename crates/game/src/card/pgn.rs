//! How a game looks in PGN.

use super::{GameCard, Games};

/// The dress of a game in PGN.
#[derive(Debug)]
pub struct PgnStyle {
    /// The value of the `Game` tag.
    pub game: &'static str,
    /// What the tags `Game` or `Variant` of any program contain in a game of this kind, in
    /// lower case.
    pub names: &'static [&'static str],
    /// The players as tag names, first mover first.
    pub players: [&'static str; 2],
    /// The tag of an opening's number in a classification.
    pub opening_code: &'static str,
    /// The notations that moves can be written in, the usual one first; none where there
    /// is only one.
    pub notations: &'static [NotationStyle],
    /// The first mover's tag and the other's in a game of any program, and whether `1-0`
    /// is a win of the first mover.
    pub sides: fn(&Tags) -> ([&'static str; 2], bool),
}

/// A way to write moves.
#[derive(Debug)]
pub struct NotationStyle {
    /// What the command line calls it.
    pub name: &'static str,
    /// The value of the `Format` tag.
    pub format: &'static str,
    /// A move.
    pub like: &'static str,
}

impl PgnStyle {
    /// That of a game with the tags `White`, who moves first, and `Black`.
    pub const fn plain(game: &'static str) -> Self {
        Self {
            game,
            names: &[],
            players: ["White", "Black"],
            opening_code: "ECO",
            notations: &[],
            sides: |_| (["White", "Black"], true),
        }
    }

    /// The place of a notation; of the usual one, if the game does not know it.
    pub fn notation(&self, name: &str) -> usize {
        self.known_notation(name).unwrap_or(0)
    }

    /// The place of a notation, if the game knows it by that name.
    pub fn known_notation(&self, name: &str) -> Option<usize> {
        self.notations.iter().position(|known| known.name == name)
    }

    /// The value of the `Format` tag.
    pub fn format(&self, notation: usize) -> Option<&'static str> {
        Some(self.notations.get(notation)?.format)
    }
}

/// The sides of a game whose first mover has the tag `White`, or `Red`.
pub fn red_or_white(tags: &Tags) -> ([&'static str; 2], bool) {
    let first = match (tags.known("Red"), tags.get("White")) {
        (None, Some(_)) => "White",
        _ => "Red",
    };
    ([first, "Black"], true)
}

/// The tag pairs of a game in their order, values without escapes and without
/// blanks around them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    pairs: Vec<(String, String)>,
    game: Option<&'static dyn GameCard>,
}

impl Tags {
    /// No tags yet, of that game.
    pub fn of(card: &'static dyn GameCard) -> Self {
        Self {
            pairs: Vec::new(),
            game: Some(card),
        }
    }

    /// Adds a pair. Of pairs of one name the first counts.
    pub fn push(&mut self, name: &str, value: &str) {
        self.pairs.push((name.to_owned(), value.trim().to_owned()));
    }

    /// The first value of that name, in any case.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut pairs = self.pairs.iter();
        let found = pairs.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The first value of that name, unless it is empty or `?`.
    pub fn known(&self, name: &str) -> Option<&str> {
        self.get(name)
            .filter(|value| !value.is_empty() && *value != "?")
    }

    /// All pairs.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (&**name, &**value))
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The game that the tags `Game` and `Variant` name, if it is one of `games`.
    pub fn name_of_game(&self, games: &Games) -> Option<&'static dyn GameCard> {
        let said = ["Game", "Variant"].map(|name| self.get(name).unwrap_or_default());
        let said = said.concat().to_lowercase();
        let is = |card: &&dyn GameCard| {
            let style = &card.facts().pgn;
            style.names.iter().any(|name| said.contains(name)) || said == style.game.to_lowercase()
        };
        games.iter().find(is)
    }

    /// Notes which game the tags are of, if it is known.
    pub fn settle(&mut self, games: &Games) {
        self.game = self.name_of_game(games);
    }

    /// The game that the tags are of, if they say so and it is known.
    pub fn game(&self) -> Option<&'static dyn GameCard> {
        self.game
    }

    /// What the tags say the game is, if they do and it is not known.
    pub fn unknown_game(&self) -> Option<&str> {
        let said = self.known("Variant").or_else(|| self.known("Game"));
        said.filter(|_| self.game.is_none())
    }

    /// The first mover's tag and the other's, and whether `1-0` is a win of the
    /// first mover, as the game has it.
    pub fn sides(&self) -> ([&'static str; 2], bool) {
        let sides = self.game.map_or(red_or_white as fn(&Tags) -> _, |card| {
            card.facts().pgn.sides
        });
        sides(self)
    }

    /// The players' names, first mover first, if both have one.
    pub fn players(&self) -> Option<[&str; 2]> {
        let ([first, second], _) = self.sides();
        Some([self.known(first)?, self.known(second)?])
    }
}
