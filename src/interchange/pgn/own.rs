//! How the games of our own runs are tagged in PGN: by event and round a game of a
//! record is known again in the export, and the others say what a rating must know.

/// Where the `Event` of our own games begins.
pub const OWN_EVENT: &str = "leitai ";

/// The tag of the opening that stands for those with which a game's hangs together.
pub const CLUSTER_TAG: &str = "Cluster";

/// The tag of what a run is, where its results decide when it ends, and that: [`GATE`].
pub const RUN_TAG: &str = "Run";
/// The value of [`RUN_TAG`] for games of a gate.
pub const GATE: &str = "gate";

/// The tag of a game that its run's results are not made of: beyond what it is.
pub const BEYOND_TAG: &str = "Beyond";

/// What a rating must know of a game beside its opening: the opening that stands for
/// those with which it hangs together, whether it is of a gate, and what it is beyond, if
/// it does not count.
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

/// The `Event` of the games of the run with that id.
pub fn event_of(run: &str) -> String {
    format!("{OWN_EVENT}{}", run.get(..12).unwrap_or(run))
}

/// The `Round` of game 0 or 1 of the pair with that index.
pub fn round_of(pair: u64, game: usize) -> String {
    format!("{}.{}", pair + 1, game + 1)
}
