//! Messages other than units and answers.

use serde::{Deserialize, Serialize};

/// The heartbeat of a worker, sent every 10 seconds and on request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Heartbeat {
    /// The worker's version of leitai.
    pub leitai: String,
    /// The worker's machine.
    pub host: String,
    /// The worker's process.
    pub process: u32,
    /// The number of pairs that the worker plays at once.
    pub threads: u64,
    /// The number of pairs that it is playing.
    pub playing: u64,
    /// The number of pairs that it has played since its start.
    pub played: u64,
    /// Nodes per second of each thread while all work, if measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// True if the worker takes no further units.
    #[serde(default)]
    pub leaving: bool,
    /// The runs that the worker refuses, by the first letters of their identities, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<(String, String)>,
}

/// A reference to the file with the description of a run.
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
    /// The number of pairs in the whole schedule.
    pub(super) pairs: u64,
    /// The number of finished pairs when this was written.
    #[serde(default)]
    pub(super) done: u64,
}

/// The header of an answer with the key of its unit.
pub(super) const UNIT: &str = "Leitai-Unit";
