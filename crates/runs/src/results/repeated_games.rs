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
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::num::NonZeroU32;

/// The identity of a game, as a hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GameKey(u64);

impl GameKey {
    pub(super) fn of(what: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        Self(hasher.finish())
    }

    /// The identity of a game with these moves.
    pub(super) fn of_moves<'t>(what: impl Hash, moves: &mut impl Iterator<Item = &'t str>) -> Self {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        moves.for_each(|mv| mv.hash(&mut hasher));
        Self(hasher.finish())
    }

    /// The hash.
    pub(super) fn number(self) -> u64 {
        self.0
    }
}

/// Takes a key, which is a hash already, as its hash.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Keys are written as numbers.
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 ^= number;
    }
}

/// Date and round of a game as hashes, if its file has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DateAndRound {
    date: Option<NonZeroU32>,
    round: Option<NonZeroU32>,
}

impl DateAndRound {
    pub(super) fn of(date: Option<&str>, round: Option<&str>) -> Self {
        let short = |text| NonZeroU32::MIN | GameKey::of(text).0 as u32;
        Self {
            date: date.map(short),
            round: round.map(short),
        }
    }

    pub(super) fn has_round(self) -> bool {
        self.round.is_some()
    }

    fn may_be(self, other: Self) -> bool {
        let agree = |one: Option<NonZeroU32>, two: Option<NonZeroU32>| {
            one.is_none() || two.is_none() || one == two
        };
        agree(self.date, other.date) && agree(self.round, other.round)
    }
}

/// A game of an earlier file or of this one.
#[derive(Clone, Copy, Debug)]
struct SeenGame {
    when: DateAndRound,
    /// The last file that contains it.
    file: u32,
}

/// The place of a game among those of earlier files and of this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// True if an earlier file contains it.
    pub(super) before: bool,
    /// True if this file contains its moves twice.
    pub(super) here: bool,
}

type Keyed<T> = HashMap<GameKey, T, BuildHasherDefault<KeyHasher>>;

/// The games of the files so far, some 40 bytes for each.
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
            let game = SeenGame {
                when,
                file: self.file,
            };
            match self.first.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(game);
                }
                Entry::Occupied(mut first) => {
                    let others = self.others.entry(key).or_default();
                    found.here |= first.get().file == self.file;
                    found.here |= others.iter().any(|seen| seen.file == self.file);
                    let mut all = std::iter::once(first.get_mut()).chain(&mut *others);
                    let same = all.find(|seen| seen.file != self.file && seen.when.may_be(when));
                    if let Some(same) = same {
                        same.file = self.file;
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
