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
use std::hash::{DefaultHasher, Hash, Hasher};

/// The identity of a game, as a hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

/// Date and round of a game, if its file has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DateAndRound {
    pub(super) date: Option<GameKey>,
    pub(super) round: Option<GameKey>,
}

impl DateAndRound {
    fn may_be(self, other: Self) -> bool {
        let agree = |one: Option<GameKey>, two: Option<GameKey>| {
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

/// The games of the files so far.
#[derive(Clone, Debug, Default)]
pub(super) struct RepeatedGames {
    games: HashMap<GameKey, Vec<SeenGame>>,
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

    /// Adds a game with these keys. Returns whether an earlier file contains it.
    pub(super) fn take(&mut self, keys: &[(GameKey, DateAndRound)]) -> bool {
        let file = self.file;
        let mut known = false;
        for &(key, when) in keys {
            let seen = self.games.entry(key).or_default();
            let same = seen
                .iter_mut()
                .find(|seen| seen.file != file && seen.when.may_be(when));
            if let Some(same) = same {
                same.file = file;
                known = true;
            } else {
                seen.push(SeenGame { when, file });
            }
        }
        known
    }
}
