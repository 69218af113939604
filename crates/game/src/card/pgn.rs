//! The PGN conventions of a game.

use super::{GameCard, Games};

/// The PGN conventions of a game.
#[derive(Debug)]
pub struct PgnStyle {
    /// The value of the `Game` tag.
    pub game: &'static str,
    /// True if the `Game` tag comes first, as in the standard of Xiangqi; otherwise it follows the seven tags that
    /// the standard of chess requires first (section 8.1.1).
    pub is_game_first: bool,
    /// Names of the game in the tags `Game` and `Variant` of any program, in lower case and without
    /// blanks or signs. A tag may have several. With other words it names another game.
    pub names: &'static [&'static str],
    /// The players as tag names, first mover first.
    pub players: [&'static str; 2],
    /// The tag for an opening's number in a classification.
    pub opening_code: &'static str,
    /// The notations for moves, the usual one first; empty if there is only one.
    pub notations: &'static [NotationStyle],
    /// The first mover's tag and the other's in a game of any program, and whether `1-0` is a win
    /// of the first mover; `None` if they are always [`players`](Self::players) and it is.
    pub sides: Option<SidesOf>,
}

/// The first mover's tag and the other's, and whether `1-0` is a win of the first mover.
pub type SidesOf = fn(&Tags) -> ([&'static str; 2], bool);

/// A way to write moves.
#[derive(Debug)]
pub struct NotationStyle {
    /// Its name on the command line.
    pub name: &'static str,
    /// The value of the `Format` tag.
    pub format: &'static str,
    /// An example move.
    pub like: &'static str,
}

impl NotationStyle {
    /// A notation with its name, its value of the `Format` tag and an example move.
    pub const fn new(name: &'static str, format: &'static str, like: &'static str) -> Self {
        Self { name, format, like }
    }
}

impl PgnStyle {
    /// The style of a game with the tags `White`, for the first mover, and `Black`.
    pub const fn plain(game: &'static str) -> Self {
        Self {
            game,
            is_game_first: false,
            names: &[],
            players: ["White", "Black"],
            opening_code: "ECO",
            notations: &[],
            sides: None,
        }
    }

    /// The index of a notation, or of the usual one if the game does not know it.
    pub fn notation(&self, name: &str) -> usize {
        self.known_notation(name).unwrap_or(0)
    }

    /// The index of a notation, if the game has one with that name.
    pub fn known_notation(&self, name: &str) -> Option<usize> {
        self.notations.iter().position(|known| known.name == name)
    }

    /// Returns whether a value in lower case, without blanks or signs, consists of names of the game.
    fn is_name(&self, value: &str) -> bool {
        let game = plain_name(self.game);
        let mut names: Vec<&str> = self.names.iter().copied().chain([&*game]).collect();
        if !names.iter().any(|name| value.contains(name)) {
            return false;
        }
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let remove = |rest: String, name: &&str| rest.replace(*name, " ");
        let rest = names.iter().fold(value.to_owned(), remove);
        rest.trim().is_empty()
    }

    /// The value of the `Format` tag.
    pub fn format(&self, notation: usize) -> Option<&'static str> {
        Some(self.notations.get(notation)?.format)
    }
}

/// Values of the tags `Game` and `Variant` for the usual form of any game.
const USUAL: [&str; 6] = [
    "normal",
    "standard",
    "regular",
    "classical",
    "classic",
    "fromposition",
];

/// The sides of a game whose first mover has the tag `White` or `Red`.
pub fn red_or_white(tags: &Tags) -> ([&'static str; 2], bool) {
    let first = match (tags.known("Red"), tags.get("White")) {
        (None, Some(_)) => "White",
        _ => "Red",
    };
    ([first, "Black"], true)
}

/// The letters and digits of a name in lower case: `wildfr` of `wild/fr`.
fn plain_name(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The tag pairs of a game in order, with values unescaped and trimmed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Names and values one after the other.
    text: String,
    pairs: Vec<TagPair>,
    /// A bit for each key, or for several: a name without its bit is not there.
    keys: u64,
    game: Option<&'static dyn GameCard>,
}

/// A tag pair in the text of [`Tags`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TagPair {
    key: NameKey,
    /// The ends of its name and of its value.
    name: usize,
    value: usize,
}

/// The length of a name and its first letter without case, which differ in most names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NameKey(usize);

impl NameKey {
    fn of(name: &str) -> Self {
        let first = name.bytes().next().unwrap_or(0) | 0x20;
        Self(name.len() << 8 | usize::from(first))
    }

    /// Its bit in [`Tags::keys`].
    fn bit(self) -> u64 {
        1 << ((self.0 ^ self.0 >> 5) % 64)
    }
}

impl Tags {
    /// An empty list of tags for this game.
    pub fn of(card: &'static dyn GameCard) -> Self {
        Self {
            game: Some(card),
            ..Self::default()
        }
    }

    /// Adds a pair. The first pair of a name counts.
    pub fn push(&mut self, name: &str, value: &str) {
        let value = value.trim();
        self.text.reserve(name.len() + value.len());
        self.text.push_str(name);
        let end = self.text.len();
        self.text.push_str(value);
        let key = NameKey::of(name);
        self.keys |= key.bit();
        self.pairs.push(TagPair {
            key,
            name: end,
            value: self.text.len(),
        });
    }

    /// Removes the pairs from that place on, counted from 0.
    pub fn truncate(&mut self, place: usize) {
        self.pairs.truncate(place);
        self.text
            .truncate(self.pairs.last().map_or(0, |pair| pair.value));
        let bits = self.pairs.iter().map(|pair| pair.key.bit());
        self.keys = bits.fold(0, std::ops::BitOr::bitor);
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.game = None;
    }

    /// The place of the first pair of that name, which is compared without case.
    pub fn place(&self, name: &str) -> Option<usize> {
        let key = NameKey::of(name);
        if self.keys & key.bit() == 0 {
            return None;
        }
        let (text, name) = (self.text.as_bytes(), name.as_bytes());
        let is_it = |pair: &TagPair| {
            let other = || &text[pair.name - name.len()..pair.name];
            pair.key == key && (other() == name || other().eq_ignore_ascii_case(name))
        };
        self.pairs.iter().position(is_it)
    }

    /// The first value of that name, which is compared without case.
    pub fn get(&self, name: &str) -> Option<&str> {
        let pair = self.pairs[self.place(name)?];
        Some(&self.text[pair.name..pair.value])
    }

    /// The first value of that name, unless it is empty or `?`.
    pub fn known(&self, name: &str) -> Option<&str> {
        self.get(name)
            .filter(|value| !value.is_empty() && *value != "?")
    }

    /// All pairs.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut start = 0;
        self.pairs.iter().map(move |&TagPair { name, value, .. }| {
            let pair = (&self.text[start..name], &self.text[name..value]);
            start = value;
            pair
        })
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Determines the game that the tags `Game` and `Variant` name, if it is one of `games`.
    pub fn settle(&mut self, games: &Games) {
        let said = ["Game", "Variant"].map(|name| self.get(name).unwrap_or_default());
        let values = said.map(plain_name);
        if values.iter().all(String::is_empty) {
            return;
        }
        let said = values.iter().filter(|value| !value.is_empty());
        let is_named = |card: &&dyn GameCard| said.clone().all(|it| card.facts().pgn.is_name(it));
        // `Standard` adds nothing to a name.
        let is_usual = |card: &&dyn GameCard| {
            let of_game = |it: &String| card.facts().pgn.is_name(it);
            said.clone().all(|it| of_game(it) || USUAL.contains(&&**it))
                && said.clone().any(of_game)
        };
        self.game = games
            .iter()
            .find(is_named)
            .or_else(|| games.iter().find(|card| is_usual(card)));
    }

    /// The game of the tags, if they name a known one.
    pub fn game(&self) -> Option<&'static dyn GameCard> {
        self.game
    }

    /// The game's name in the tags, if the game is not known.
    pub fn unknown_game(&self) -> Option<&str> {
        let said = self.known("Variant").or_else(|| self.known("Game"));
        // `-` names none.
        said.filter(|said| self.game.is_none() && !plain_name(said).is_empty())
    }

    /// The first mover's tag and the other's, and whether `1-0` is a win of the first mover, by the
    /// game's conventions.
    pub fn sides(&self) -> ([&'static str; 2], bool) {
        let Some(card) = self.game else {
            return red_or_white(self);
        };
        let style = &card.facts().pgn;
        style
            .sides
            .map_or((style.players, true), |sides| sides(self))
    }

    /// The players' names, first mover first, if both have one.
    pub fn players(&self) -> Option<[&str; 2]> {
        let ([first, second], _) = self.sides();
        Some([self.known(first)?, self.known(second)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_without_case_until_they_are_removed() {
        let mut tags = Tags::default();
        // Names of one length and first letter, which have the same key.
        for (name, value) in [("UTCDate", " a "), ("UTCTime", "b"), ("utcdate", "c")] {
            tags.push(name, value);
        }
        assert_eq!(tags.place("UtcTime"), Some(1));
        assert_eq!(tags.get("UTCDATE"), Some("a"), "the first counts");
        assert_eq!(tags.get("UTCZone"), None);
        let mut rest = tags.clone();
        rest.truncate(1);
        assert_eq!((rest.get("UTCTime"), rest.len()), (None, 1));
        tags.clear();
        tags.push("UTCDate", "a");
        assert_eq!(tags, rest);
    }
}
