//! What the commands share: failures, output, and the choice of the game.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;

use super::Exit;

/// Why a command could not do its work: a message for a person, and the exit
/// code.
pub(super) type Failure = anyhow::Error;

/// What every command returns.
pub(super) type Outcome = Result<Exit, Failure>;

/// The games, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Game {
    /// Chinese chess
    Xiangqi,
    /// Reversi
    Othello,
}

/// Runs a generic function for the game that was chosen. This is the one place
/// where a name becomes a type.
macro_rules! for_game {
    ($game:expr, $function:ident ( $($argument:expr),* $(,)? )) => {
        match $game {
            $crate::cli::common::Game::Xiangqi => {
                $function::<$crate::game::xiangqi::Xiangqi>($($argument),*)
            }
            $crate::cli::common::Game::Othello => {
                $function::<$crate::game::othello::Othello>($($argument),*)
            }
        }
    };
}
pub(super) use for_game;

/// Writes a line to standard output. A closed pipe is no error: whoever reads
/// has seen enough.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes a value as one line of JSON to standard output.
pub(super) fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    say(&serde_json::to_string(value)?)
}

/// Writes a note for a person to standard error.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Tells a failure on standard error, with its causes, and gives the exit code.
pub(super) fn report(failure: &Failure) -> Exit {
    note(&format!("error: {failure:#}"));
    Exit::Usage
}
