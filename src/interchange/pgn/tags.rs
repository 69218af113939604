//! What the tags of a game say.

use crate::game::Position;
use crate::games::{go::Capture, othello::Othello, xiangqi::Xiangqi};

/// The tag pairs of a game in their order, values without escapes and without
/// blanks around them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Adds a pair. Of pairs of one name the first counts.
    pub fn push(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.trim().to_owned()));
    }

    /// The first value of that name, in any case.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut pairs = self.0.iter();
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
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The name of the game that the tags `Game` and `Variant` tell, if it is
    /// one of ours.
    pub fn game(&self) -> Option<&'static str> {
        let told = ["Game", "Variant"].map(|name| self.get(name).unwrap_or_default());
        let told = told.concat().to_lowercase();
        let is = |names: &[&str]| names.iter().any(|name| told.contains(name));
        if is(&["othello", "reversi"]) {
            Some(Othello::NAME)
        } else if is(&["chinese chess", "xiangqi", "象棋"]) {
            Some(Xiangqi::NAME)
        } else if is(&["go block capture"]) {
            Some(Capture::NAME)
        } else {
            None
        }
    }

    /// The first mover's tag and the other's, and whether `1-0` is a win of the
    /// first mover. Red moves first, else White; in Othello Black does, and
    /// `1-0` is a win of the player whose tag comes first. In Go block capture it is one
    /// of the attacker.
    pub fn sides(&self) -> ([&'static str; 2], bool) {
        if self.game() == Some(Othello::NAME) {
            let mut names = self.iter().map(|(name, _)| name.to_ascii_lowercase());
            let first = names.find(|name| name == "black" || name == "white");
            return (["Black", "White"], first.is_none_or(|name| name == "black"));
        }
        if self.game() == Some(Capture::NAME) {
            return (["Attacker", "Defender"], true);
        }
        let first = match (self.known("Red"), self.get("White")) {
            (None, Some(_)) => "White",
            _ => "Red",
        };
        ([first, "Black"], true)
    }

    /// The players' names, first mover first, if both have one.
    pub fn players(&self) -> Option<[&str; 2]> {
        let ([first, second], _) = self.sides();
        Some([self.known(first)?, self.known(second)?])
    }
}

/// Half points of the side that `1-0` is a win of, by PGN's words or the Chinese ones
/// (红胜, 红先负, 和; Red is that side). `None` for a game that has
/// not ended, and for words that are no result.
pub fn half_points(result: &str) -> Option<u8> {
    match result {
        "1-0" | "红胜" | "紅勝" | "红先胜" | "紅先勝" | "黑负" => Some(2),
        "0-1" | "黑胜" | "黑勝" | "红先负" | "紅先負" | "红负" => Some(0),
        "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "和" | "和棋" | "红先和" | "紅先和" => {
            Some(1)
        }
        _ => None,
    }
}
