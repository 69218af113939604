//! `leitai calc`: statistics of bare counts.

mod counts;
mod elo;
mod sprt;
mod stream;
mod words;

use clap::{Args, Subcommand};

use super::common::Outcome;

/// Calculate from bare counts: Elo, tests.
///
/// For results that Leitai did not play, and to check those that it did.
/// docs/statistics.md has the formulas.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Elo(elo::Arguments),
    Sprt(sprt::Arguments),
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.what {
        What::Elo(arguments) => elo::run(arguments),
        What::Sprt(arguments) => sprt::run(arguments),
    }
}
