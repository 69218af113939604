//! The same game in several files counts once.
//!
//! What is the same game depends on what a file says of it. A game of one of
//! our own runs has its run and its number there, in the record and in the PGN
//! that was made from it. Any game with moves is known by its players, opening,
//! result and moves, unless both files give dates or rounds that differ; our own
//! players are deterministic, so that of theirs the moves alone decide. Of a
//! game without moves a file must give the round, as all other tags that it has
//! must be equal.
//!
//! Within one file equal games are left to its reader. Where a file has a game
//! twice and the other three times, it counts three times.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a game is known by: a hash of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn of(what: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// When a game was played, as far as its file says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    pub(super) date: Option<Key>,
    pub(super) round: Option<Key>,
}

impl When {
    fn may_be(self, other: Self) -> bool {
        let agree =
            |one: Option<Key>, two: Option<Key>| one.is_none() || two.is_none() || one == two;
        agree(self.date, other.date) && agree(self.round, other.round)
    }
}

/// A game that was seen.
#[derive(Clone, Copy, Debug)]
struct Seen {
    when: When,
    /// The last file that had it.
    file: u32,
}

/// The games of the files so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    games: HashMap<Key, Vec<Seen>>,
    file: u32,
    /// Games of this file that an earlier one has.
    pub(super) repeated: u64,
    /// Games of all files that nothing tells apart from others: no moves, no round.
    pub(super) nameless: u64,
}

impl Known {
    /// What follows is from another file.
    pub(super) fn next_file(&mut self) {
        self.file += 1;
        self.repeated = 0;
    }

    /// Whether an earlier file has the game that goes by any of these keys. It
    /// is known from now on.
    pub(super) fn take(&mut self, keys: &[(Key, When)]) -> bool {
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
                seen.push(Seen { when, file });
            }
        }
        known
    }
}
