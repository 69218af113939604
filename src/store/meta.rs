//! What is kept of a run besides its games.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::game::Move;

/// Everything that makes a run what it is. Except for the source's name and
/// text (a comment may be edited between two starts) all of it must be equal
/// for a run to be continued.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RunMeta {
    /// The run's identity: a hash of the resolved config, the openings and the
    /// seed, in lowercase hexadecimal.
    pub id: String,
    /// Name of the game, as in configs.
    pub game: String,
    /// The resolved config as JSON, kept byte for byte.
    pub config: String,
    /// Name of the config file, as it was given.
    pub source_name: String,
    /// Text of the config file.
    pub source_text: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Version of leitai that began the run.
    pub version: String,
    /// Names of the variants, in the config's order.
    pub variants: Vec<String>,
    /// Pairs in the whole schedule.
    pub pairs: u64,
    /// Whether playing a pair twice gives the same games: true unless the
    /// clock limits play, or another program plays.
    pub reproducible: bool,
}

/// An opening as a run used it, enough to write its games without the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its name in the book.
    pub id: String,
    /// The position in the game's text form.
    pub fen: String,
    /// The moves that lead there from the usual start, where later laps replace the last of
    /// them; else empty.
    pub moves: Vec<Move>,
}

/// A run of an open store, to append to and to read from. Good for the store
/// that gave it, and for others open on the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunHandle {
    pub(super) key: i64,
    pub(super) book: i64,
    pub(super) id: String,
    pub(super) reproducible: bool,
    pub(super) variants: usize,
    pub(super) openings: usize,
}

impl RunHandle {
    /// The run's identity.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether playing a pair twice gives the same games.
    pub fn is_reproducible(&self) -> bool {
        self.reproducible
    }

    /// How many openings its book has.
    pub fn opening_count(&self) -> usize {
        self.openings
    }
}

/// A run as it stands in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEntry {
    /// To read its pairs and openings with.
    pub handle: RunHandle,
    /// What it was begun with.
    pub meta: RunMeta,
    /// When it was begun, to the millisecond.
    pub created_at: SystemTime,
    /// Pairs recorded so far.
    pub recorded: u64,
}
