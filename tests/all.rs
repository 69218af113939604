//! All external tests of the command and of the library in one binary: it is linked once, and tests
//! that wait leave the processor to others.

mod attack;
mod browser;
mod commands;
mod common;
#[cfg(feature = "fleet")]
mod fleet;
mod library;
mod programs;
