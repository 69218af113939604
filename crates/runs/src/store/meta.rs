//! Metadata of a run.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use leitai_game::Move;

/// The data that define a run. To continue a run all of it must be equal, except the source's name
/// and text (comments may be edited between two starts).
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
    /// Seed of all random numbers.
    pub seed: u64,
    /// Version of leitai with which the run was begun.
    pub version: String,
    /// Names of the variants, in the config's order.
    pub variants: Vec<String>,
    /// Pairs in the whole schedule.
    pub pairs: u64,
    /// True if playing a pair twice gives the same games: unless the clock limits play, or another
    /// program plays.
    pub reproducible: bool,
}

/// An opening of a run, with the data to export its games without the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Name of the opening in the book.
    pub id: String,
    /// The position in the game's text form.
    pub fen: String,
    /// The moves to the position from the usual start, if later laps replace the last of them;
    /// otherwise empty.
    pub moves: Vec<Move>,
}

/// The book of a run, and the openings of it that a record has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredBook {
    /// A digest of all openings of the book.
    pub digest: [u8; 32],
    /// The number of all openings.
    pub len: usize,
    /// Those in the record, by their indices in the book, ascending.
    pub held: Vec<(usize, Opening)>,
}

/// Handle of a run, to append to and to read from. Valid for the store that created it, and for
/// others open on the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunHandle {
    pub(super) key: i64,
    pub(super) book: i64,
    pub(super) id: String,
    /// True if playing a pair twice gives the same games.
    pub reproducible: bool,
    pub(super) variants: usize,
    /// The number of openings in its book.
    pub openings: usize,
}

impl RunHandle {
    /// Returns the run's identity.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// A run in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEntry {
    /// Handle to read its pairs and openings.
    pub handle: RunHandle,
    /// The data with which it was begun.
    pub meta: RunMeta,
    /// Start time, to the millisecond.
    pub created_at: SystemTime,
    /// Pairs recorded so far.
    pub recorded: u64,
}
