//! What is said besides units and answers.

use serde::{Deserialize, Serialize};

/// What a worker says of itself every few seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Heartbeat {
    /// Its version of leitai.
    pub leitai: String,
    /// The machine.
    pub host: String,
    /// The process.
    pub process: u32,
    /// Pairs that it plays at once.
    pub threads: u64,
    /// Pairs that it plays now.
    pub playing: u64,
    /// Pairs that it has played since it was started.
    pub played: u64,
    /// Nodes per second of each thread while all work, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// Whether it takes no further units.
    #[serde(default)]
    pub leaving: bool,
    /// The runs that it does not play, the first letters of their identities, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<(String, String)>,
}

/// A description of a run: which file holds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct RunNote {
    /// The run's identity.
    pub(super) run: String,
    /// SHA-256 of the description, in hexadecimal.
    pub(super) description: String,
    /// The config's name.
    pub(super) name: String,
    /// The game.
    pub(super) game: String,
    /// Pairs of the whole schedule.
    pub(super) pairs: u64,
    /// Pairs that were played when this was written.
    #[serde(default)]
    pub(super) done: u64,
}

/// The header of an answer that says which unit it is to.
pub(super) const UNIT: &str = "Leitai-Unit";
