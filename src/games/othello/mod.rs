//! Othello on the command line, and the formats of its games.

#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "external")]
pub mod ggf;
#[cfg(feature = "external")]
pub mod records;
#[cfg(feature = "external")]
mod transcripts;

pub use leitai_games::othello::*;

#[cfg(feature = "cli")]
pub use commands::entry;
#[cfg(feature = "external")]
pub use transcripts::TranscriptReader;
