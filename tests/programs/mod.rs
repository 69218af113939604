//! External programs as players: misbehaving ones, installed ones, and their examination by the
//! doctor; and the examples.

mod doctor;
mod engines;
mod examples;
mod external;
mod first_config;
#[path = "../mock/words.rs"]
mod words;

use std::path::PathBuf;

/// The external program that plays as its environment says; see `tests/mock`.
fn mock_program() -> PathBuf {
    examples::built("mock")
}
