//! All tests of the command and of the library from outside, in one binary: it is linked once,
//! and where one test waits another one computes.

mod attack;
mod browser;
mod commands;
mod common;
#[cfg(feature = "fleet")]
mod fleet;
mod library;
mod programs;
