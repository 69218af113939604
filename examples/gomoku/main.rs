//! Gomoku with a protocol of its own: see the README in this directory.

use std::process::ExitCode;

use leitai::Entry;

mod game;
mod gomocup;

fn main() -> ExitCode {
    leitai::main_with([Entry::new::<game::Gomoku>()]).into()
}
