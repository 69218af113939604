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
    calculation: Calculation,
}

#[derive(Debug, Subcommand)]
enum Calculation {
    Elo(elo::Arguments),
    Sprt(sprt::Arguments),
    Plan(plan::Arguments),
    AfterSprt(after_sprt::Arguments),
    Simulate(simulate::Arguments),
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.calculation {
        Calculation::Elo(arguments) => elo::run(arguments),
        Calculation::Sprt(arguments) => sprt::run(arguments),
        Calculation::Plan(arguments) => plan::run(arguments),
        Calculation::AfterSprt(arguments) => after_sprt::run(arguments),
        Calculation::Simulate(arguments) => simulate::run(arguments),
    }
}
