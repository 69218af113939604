//! The parts of the library that have types of their own.

pub mod config;
pub mod engine;
pub mod pgn;
#[cfg(feature = "sqlite")]
pub mod session;
