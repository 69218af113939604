//! `leitai solve`: what is certain about a position.

mod go;
mod othello;

use clap::{Args, Subcommand};

use super::common::Outcome;

/// Solve positions: Othello's endgames, Go's capture problems.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    Othello(othello::Arguments),
    Go(go::Arguments),
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.game {
        Game::Othello(arguments) => othello::run(arguments),
        Game::Go(arguments) => go::run(arguments),
    }
}
