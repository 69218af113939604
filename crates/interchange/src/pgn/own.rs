//! Tags of the games of our own runs.

/// Prefix of the `Event` of our own games.
pub const OWN_EVENT: &str = "leitai ";

/// The tag with the opening that represents the game's cluster.
pub const CLUSTER_TAG: &str = "Cluster";

/// The tag with the kind of a run whose length depends on its results; its value is [`GATE`].
pub const RUN_TAG: &str = "Run";
/// The value of [`RUN_TAG`] for games of a gate.
pub const GATE: &str = "gate";

/// The tag of a game that is not part of its run's results; its value is the limit that the game
/// exceeds.
pub const BEYOND_TAG: &str = "Beyond";

/// Data of a game that a rating needs in addition to its opening: the opening that represents its
/// cluster, whether it belongs to a gate, and, for a game that does not count, the limit that it
/// exceeds.
pub fn own_tags<'a>(
    cluster: Option<&'a str>,
    is_gate: bool,
    beyond: Option<&'static str>,
) -> impl Iterator<Item = (&'static str, &'a str)> + Clone {
    let cluster = cluster.map(|cluster| (CLUSTER_TAG, cluster));
    let of_gate = is_gate.then_some((RUN_TAG, GATE));
    let beyond = beyond.map(|beyond| (BEYOND_TAG, beyond));
    cluster.into_iter().chain(of_gate).chain(beyond)
}

/// The `Event` of the games of the run with the given ID.
pub fn event_of(run: &str) -> String {
    format!("{OWN_EVENT}{}", run.get(..12).unwrap_or(run))
}

/// The `Round` of game 0 or 1 of the pair with the given index.
pub fn round_of(pair: u64, game: usize) -> String {
    format!("{}.{}", pair + 1, game + 1)
}
