//! `leitai calc`: statistics of bare counts and rates.

mod after_sprt;
mod counts;
mod elo;
mod plan;
mod simulate;
mod sprt;
mod stream;
mod terms;
mod words;

use clap::Subcommand;

use super::prelude::*;

/// Calculate from bare counts: Elo, tests, plans.
///
/// For results of other programs, for checks of Leitai's results, and for plans before a run.
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
    Plan(plan::Arguments),
    AfterSprt(after_sprt::Arguments),
    Simulate(simulate::Arguments),
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.what {
        What::Elo(arguments) => elo::run(arguments),
        What::Sprt(arguments) => sprt::run(arguments),
        What::Plan(arguments) => plan::run(arguments),
        What::AfterSprt(arguments) => after_sprt::run(arguments),
        What::Simulate(arguments) => simulate::run(arguments),
    }
}
