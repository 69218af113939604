//! How the games of our own runs are tagged in PGN: by these two a game of a
//! record is known again in the export.

/// Where the `Event` of our own games begins.
pub const OWN_EVENT: &str = "leitai ";

/// The `Event` of the games of the run with that id.
pub fn event_of(run: &str) -> String {
    format!("{OWN_EVENT}{}", run.get(..12).unwrap_or(run))
}

/// The `Round` of game 0 or 1 of the pair with that index.
pub fn round_of(pair: u64, game: usize) -> String {
    format!("{}.{}", pair + 1, game + 1)
}
