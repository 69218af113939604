//! Connect Four with all that Leitai does for a game: see the README beside it.

use std::process::ExitCode;

use leitai::card::Games;

mod game;

fn main() -> ExitCode {
    leitai::main_with(Games::default().with::<game::ConnectFour>()).into()
}
