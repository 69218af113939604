//! Go on the command line: solves, makes and studies capture problems.

#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "sqlite")]
pub mod generate;
#[cfg(feature = "sqlite")]
pub mod study;

pub use leitai_go::*;

#[cfg(feature = "cli")]
pub use commands::entry;
