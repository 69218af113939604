//! Messages other than units and answers.

use serde::{Deserialize, Serialize};

/// The heartbeat of a worker, sent every 10 seconds and on request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Heartbeat {
    /// The worker's version of leitai.
    pub leitai: String,
    /// The worker's build: its commit, or the digest of its file.
    #[serde(default)]
    pub build: String,
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
    /// SHA-256 of the description, in hexadecimal.
    pub(super) description: String,
    /// The coordinator's build.
    #[serde(default)]
    pub(super) build: String,
    /// True if workers of other builds may play.
    #[serde(default)]
    pub(super) other_builds: bool,
    #[serde(flatten)]
    pub(super) overview: RunOverview,
}

/// A run with a coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RunOverview {
    /// The run's identity.
    pub run: String,
    /// The config's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// Pairs of the whole schedule.
    pub pairs: u64,
    /// Finished pairs, as last reported by the coordinator some seconds ago.
    #[serde(default)]
    pub done: u64,
}

/// The header of an answer with the key of its unit.
pub(super) const UNIT: &str = "Leitai-Unit";
/// The header of an answer with the build that made it.
pub(super) const BUILD: &str = "Leitai-Build";
