//! Programs of others as players: those that misbehave, those that are installed, and what
//! the doctor says of them; and the examples.

mod doctor;
mod engines;
mod examples;
mod external;
#[path = "../mock/words.rs"]
mod words;

use std::path::PathBuf;

/// The program of a stranger: it plays as its environment says; see `tests/mock`.
fn mock_program() -> PathBuf {
    examples::built("mock")
}
