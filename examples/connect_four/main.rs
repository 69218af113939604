//! Connect Four with all features that Leitai offers for a game: see the README in this directory.

use std::process::ExitCode;

use leitai::Entry;

mod game;

fn main() -> ExitCode {
    leitai::main_with([Entry::new::<game::ConnectFour>()]).into()
}
