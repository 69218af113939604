//! Dobutsu shogi: a game with captures, checks, drops, a rule and a referee. See the README in this
//! directory.

use std::process::ExitCode;

use leitai::Entry;

mod game;

fn main() -> ExitCode {
    leitai::main_with([Entry::new::<game::Dobutsu>().with_formats(&game::record::FORMATS)]).into()
}
