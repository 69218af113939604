//! Othello on the command line, and the forms in which its games are recorded.

mod commands;
pub mod ggf;
pub mod records;
mod transcripts;

pub use leitai_core::games::othello::*;

pub use commands::entry;
pub use transcripts::TranscriptReader;
