//! Connect Four with all that Leitai does for a game: see the README beside it.

use std::process::ExitCode;

use leitai::Entry;

mod game;

fn main() -> ExitCode {
    leitai::main_with([Entry::of::<game::ConnectFour>()]).into()
}
