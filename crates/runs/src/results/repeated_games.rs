//! Counts a game once if several files contain it.
//!
//! The identity of a game depends on the data in its file. A game of one of our runs has its run
//! and number, in the record and in a PGN export. Any game with moves is identified by its players,
//! opening, result and moves, unless both files give different dates or rounds. Since our own
//! players are deterministic, the moves alone identify their games. A game without moves is
//! identified by all its tags, which must include the round.
//!
//! The reader of a file handles repetitions within that file. A game that occurs twice in one file
//! and three times in another counts three times.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The identity of a game, as a hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GameKey(u64);

impl GameKey {
    pub(super) fn of(what: impl Hash) -> Self {
        Self::of_moves(what, [].into_iter())
    }

    /// The identity of a game with these moves.
    pub(super) fn of_moves<'t>(what: impl Hash, moves: impl Iterator<Item = &'t str>) -> Self {
        let mut hasher = KeyMaker::default();
        what.hash(&mut hasher);
        for mv in moves {
            mv.hash(&mut hasher);
        }
        Self(hasher.finish())
    }

    /// The hash.
    pub(super) fn number(self) -> u64 {
        self.0
    }
}

/// Hashes the parts of an identity, eight bytes at a time: both halves of a product of 128 bits
/// depend on all bits of the factors.
#[derive(Clone, Copy, Default)]
pub(super) struct KeyMaker(u64);

impl KeyMaker {
    fn add(&mut self, word: u64) {
        /// The odd part of the golden ratio, and another number without a pattern (the digits of
        /// pi), which keeps zeros from being absorbed.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        const OFFSET: u64 = 0x2437_f6a8_885a_308d;
        let state = u128::from(self.0.wrapping_add(OFFSET) ^ word) * u128::from(FACTOR);
        self.0 = state as u64 ^ (state >> 64) as u64;
    }
}

impl Hasher for KeyMaker {
    fn finish(&self) -> u64 {
        let mut last = Self(self.0);
        last.add(0);
        last.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let rest = rest.iter().rev();
        let rest = rest.fold(0, |word, byte| word << 8 | u64::from(*byte));
        self.add(rest | (bytes.len() as u64) << 56);
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(byte.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }
}

/// Date and round of a game as hashes of 20 bits, 0 if its file has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DateAndRound {
    date: u32,
    round: u32,
}

/// Bits of a date or round.
const BITS: u32 = 20;

impl DateAndRound {
    pub(super) fn of(date: Option<&str>, round: Option<&str>) -> Self {
        let short = |text: &str| 1 | (GameKey::of(text).0 >> (u64::BITS - BITS)) as u32;
        let [date, round] = [date, round].map(|text| text.map_or(0, short));
        Self { date, round }
    }

    pub(super) fn has_round(self) -> bool {
        self.round > 0
    }

    fn may_be(self, other: Self) -> bool {
        let agree = |one: u32, two: u32| one == 0 || two == 0 || one == two;
        agree(self.date, other.date) && agree(self.round, other.round)
    }
}

/// A game of an earlier file or of this one: the last file that contains it, its date and its
/// round.
#[derive(Clone, Copy, Debug)]
struct SeenGame(u64);

impl SeenGame {
    fn new(file: u32, when: DateAndRound) -> Self {
        let file = u64::from(file) << (2 * BITS);
        Self(file | u64::from(when.date) << BITS | u64::from(when.round))
    }

    fn file(self) -> u32 {
        (self.0 >> (2 * BITS)) as u32
    }

    fn when(self) -> DateAndRound {
        let part = |bits: u32| (self.0 >> bits) as u32 & ((1 << BITS) - 1);
        DateAndRound {
            date: part(BITS),
            round: part(0),
        }
    }
}

/// The place of a game among those of earlier files and of this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// True if an earlier file contains it.
    pub(super) before: bool,
    /// True if this file contains its moves twice.
    pub(super) here: bool,
}

type Keyed<T> = HashMap<GameKey, T, BuildHasherDefault<KeyMaker>>;

/// The games of the files so far, some 25 bytes for each.
#[derive(Clone, Debug, Default)]
pub(super) struct RepeatedGames {
    /// The first game with a key, and the others.
    first: Keyed<SeenGame>,
    others: Keyed<Vec<SeenGame>>,
    file: u32,
    /// Games of this file that an earlier one contains.
    pub(super) repeated: u64,
    /// Games of all files that cannot be identified, for lack of moves and a round.
    pub(super) nameless: u64,
}

impl RepeatedGames {
    /// Starts the next file.
    pub(super) fn next_file(&mut self) {
        self.file += 1;
        self.repeated = 0;
    }

    /// Adds a game with these keys.
    pub(super) fn take(&mut self, keys: &[(GameKey, DateAndRound)]) -> Seen {
        let mut found = Seen::default();
        for &(key, when) in keys {
            let game = SeenGame::new(self.file, when);
            match self.first.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(game);
                }
                Entry::Occupied(mut first) => {
                    let others = self.others.entry(key).or_default();
                    found.here |= first.get().file() == self.file;
                    found.here |= others.iter().any(|seen| seen.file() == self.file);
                    let mut all = std::iter::once(first.get_mut()).chain(&mut *others);
                    let same =
                        |seen: &&mut SeenGame| seen.file() != self.file && seen.when().may_be(when);
                    if let Some(same) = all.find(same) {
                        *same = SeenGame::new(self.file, same.when());
                        found.before = true;
                    } else {
                        others.push(game);
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn similar_games_have_different_keys() {
        // Words that differ in one letter at any place, of any length, and their order.
        let mut words = vec![String::new()];
        for length in 1..20 {
            for place in 0..length {
                for letter in ["b", "B", "\u{0}", "\u{1}"] {
                    let mut word = "a".repeat(length);
                    word.replace_range(place..=place, letter);
                    words.push(word);
                }
            }
            words.push("a".repeat(length));
        }
        let alone = words.iter().map(|word| GameKey::of(word.as_str()));
        let pairs = words.iter().flat_map(|word| {
            [
                GameKey::of((word.as_str(), "x")),
                GameKey::of(("x", word.as_str())),
                GameKey::of_moves("", [word.as_str(), "x"].into_iter()),
            ]
        });
        let all: HashSet<GameKey> = alone.chain(pairs).collect();
        assert_eq!(all.len(), 4 * words.len());
        // The parts that are kept short differ as well.
        let short: HashSet<u64> = words
            .iter()
            .map(|word| SeenGame::new(7, DateAndRound::of(Some(word), None)).0)
            .collect();
        assert!(short.len() > words.len() * 99 / 100);
        let seen = SeenGame::new(9, DateAndRound::of(Some("2026"), Some("3")));
        assert_eq!(seen.file(), 9);
        assert_eq!(seen.when(), DateAndRound::of(Some("2026"), Some("3")));
    }
}
