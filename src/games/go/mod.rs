//! Go on the command line: capture problems are solved, made and studied.

mod commands;
pub mod generate;
pub mod study;

pub use leitai_core::games::go::*;

pub use commands::entry;
