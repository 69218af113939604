//! The commands: arguments in, an exit code out. The only room that talks to
//! the terminal.

mod analyze;
mod beforehand;
mod bench;
mod board;
mod calc;
mod check;
mod check_proof;
mod common;
mod configs;
mod convert;
mod cpu;
mod display;
mod doctor;
mod engine;
mod execution;
mod execution_options;
mod exit;
mod games;
mod gate;
mod ideas;
mod input;
mod json;
mod judge;
mod memory;
mod open_files;
mod openings;
mod output;
mod perft;
mod problem_set;
mod processors;
mod rate;
mod recorded_tune;
mod report;
mod rules;
mod run;
mod show;
mod signals;
mod solve;
mod speed;
mod stopped;
mod study;
mod tune;
mod verify;

use clap::{Parser, Subcommand};

use crate::card::Games;
use crate::foreign::has_misleading;

pub use exit::Exit;

/// Self-play tournaments, statistics and tuning for game engines.
#[derive(Debug, Parser)]
#[command(version, about, long_about = None, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Arguments),
    Gate(gate::Arguments),
    Tune(tune::Arguments),
    Report(report::Arguments),
    Rate(rate::Arguments),
    Convert(convert::Arguments),
    Verify(verify::Arguments),
    Check(check::Arguments),
    CheckProof(check_proof::Arguments),
    Doctor(doctor::Arguments),
    Study(study::Arguments),
    Analyze(analyze::Arguments),
    Engine(engine::Arguments),
    Openings(openings::Arguments),
    Calc(calc::Arguments),
    Perft(perft::Arguments),
    Bench(bench::Arguments),
    Judge(judge::Arguments),
    Show(show::Arguments),
    Solve(solve::Arguments),
}

/// Reads the command line, runs the command with these games, and says how the process
/// should end. Errors go to standard error.
pub fn main_with(games: Games) -> Exit {
    games::install(games);
    if let Some(reason) = cpu::unfit() {
        common::note(&format!("error: {reason}"));
        return Exit::Usage;
    }
    if let Err(error) = signals::watch() {
        common::note(&format!("error: signals cannot be caught: {error}"));
        return Exit::Usage;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are "errors" that go to standard output.
            let usage = error.use_stderr();
            let text = error.render();
            // Its words on a bad argument repeat it.
            if std::env::args_os().any(|word| has_misleading(&word)) {
                common::note(text.to_string().trim_end());
            } else {
                let _ = error.print();
            }
            return if usage { Exit::Usage } else { Exit::Success };
        }
    };
    if let Command::Perft(_) | Command::Bench(_) | Command::Solve(_) = arguments.command
        && let Some(note) = cpu::unused()
    {
        common::note(note);
    }
    let outcome = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Gate(arguments) => gate::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Rate(arguments) => rate::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::CheckProof(arguments) => check_proof::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Engine(arguments) => engine::run(&arguments),
        Command::Openings(arguments) => openings::run(&arguments),
        Command::Calc(arguments) => calc::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Judge(arguments) => judge::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
    };
    signals::settle();
    outcome.unwrap_or_else(|failure| common::report(&failure))
}
