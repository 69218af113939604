//! `[pairs]`: the games of a pair.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The games that two players play from one opening. By default two, with colours swapped, so that
/// an opening that suits one colour favours neither player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "pairs")]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct PairForm {
    /// Number of games from an opening: 2 if absent; with 1 each game has an opening of its own, and
    /// takes the place of a pair.
    #[schemars(with = "u8", range(min = 1, max = 2))]
    pub games: GamesOfPair,
    /// Swaps the colours in the second game, and with one game per opening from game to game; true
    /// if absent.
    pub swap: bool,
    /// Exchanges the players of each pairing, so that the second one begins; false if absent.
    pub reverse: bool,
}

/// Number of games from an opening, 1 or 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum GamesOfPair {
    /// One game.
    One,
    /// Two games.
    #[default]
    Two,
}

impl TryFrom<u8> for GamesOfPair {
    type Error = &'static str;

    fn try_from(games: u8) -> Result<Self, Self::Error> {
        match games {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            _ => Err("`games` is 1 or 2"),
        }
    }
}

impl From<GamesOfPair> for u8 {
    fn from(games: GamesOfPair) -> Self {
        match games {
            GamesOfPair::One => 1,
            GamesOfPair::Two => 2,
        }
    }
}

impl PairForm {
    /// Returns whether this is the default.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a pair is a single game.
    pub fn is_single(self) -> bool {
        self.games == GamesOfPair::One
    }

    /// The players of pair `index` (from 0) of a pairing, in the order of its first game: the first
    /// mover first.
    pub fn order(self, [one, other]: [usize; 2], index: u64) -> [usize; 2] {
        let alternates = self.is_single() && self.swap && !index.is_multiple_of(2);
        if self.reverse == alternates {
            [one, other]
        } else {
            [other, one]
        }
    }

    /// The players of each game of a pair whose first game has this order.
    pub fn games(self, [one, other]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
        let second = match (self.games, self.swap) {
            (GamesOfPair::One, _) => None,
            (GamesOfPair::Two, true) => Some([other, one]),
            (GamesOfPair::Two, false) => Some([one, other]),
        };
        [[one, other]].into_iter().chain(second)
    }
}

impl Default for PairForm {
    fn default() -> Self {
        Self {
            games: GamesOfPair::Two,
            swap: true,
            reverse: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_those_of_fastchess() {
        let usual = PairForm::default();
        let games = |form: PairForm, index| -> Vec<[usize; 2]> {
            form.games(form.order([3, 5], index)).collect()
        };
        assert_eq!(games(usual, 0), [[3, 5], [5, 3]]);
        assert_eq!(games(usual, 1), [[3, 5], [5, 3]]);
        let reverse = PairForm {
            reverse: true,
            ..usual
        };
        assert_eq!(games(reverse, 0), [[5, 3], [3, 5]]);
        let fixed = PairForm {
            swap: false,
            ..usual
        };
        assert_eq!(games(fixed, 1), [[3, 5], [3, 5]]);
        let single = PairForm {
            games: GamesOfPair::One,
            ..usual
        };
        assert_eq!(games(single, 0), [[3, 5]]);
        assert_eq!(games(single, 1), [[5, 3]]);
        let single_fixed = PairForm {
            swap: false,
            ..single
        };
        assert_eq!(games(single_fixed, 1), [[3, 5]]);
    }
}
