//! The commands: arguments in, an exit code out. The only room that talks to
//! the terminal.

mod analyze;
mod beforehand;
mod bench;
pub(crate) mod board;
pub(crate) mod books;
mod calc;
mod check;
pub(crate) mod configs;
mod convert;
mod cpu;
pub(crate) mod display;
mod doctor;
mod engine;
mod entry;
mod examples;
mod execution;
mod execution_options;
mod exit;
pub(crate) mod failure;
mod games;
mod gate;
mod ideas;
pub(crate) mod input;
mod json;
mod judge;
mod memory;
mod open_files;
pub(crate) mod openings;
pub(crate) mod output;
mod perft;
mod processors;
mod program;
mod rate;
mod recorded;
mod recorded_tune;
mod report;
mod rules;
mod run;
mod show;
pub(crate) mod signals;
mod speed;
mod stopped;
pub(crate) mod study;
pub(crate) mod terminal;
pub(crate) mod threads;
mod tune;
mod verify;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::terminal::note;
use crate::foreign::has_misleading;

pub use entry::{Entry, Judged, OwnCommand, OwnJudge, OwnStudy};
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
}

/// Reads the command line, runs the command with these games, and says how the process
/// should end. Errors go to standard error.
pub fn main_with<E: Into<Entry>>(games: impl IntoIterator<Item = E>) -> Exit {
    let entries: Vec<Entry> = games.into_iter().map(Into::into).collect();
    let flaws = games::flaws(&entries);
    games::install(entries);
    if !flaws.is_empty() {
        note(&format!(
            "error: this program cannot play its games\n{}",
            flaws.join("\n")
        ));
        return Exit::Usage;
    }
    if let Some(reason) = cpu::unfit() {
        note(&format!("error: {reason}"));
        return Exit::Usage;
    }
    if let Err(error) = signals::watch() {
        note(&format!("error: signals cannot be caught: {error}"));
        return Exit::Usage;
    }
    let matches = match commands().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return tell_usage(&error),
    };
    if let Some("perft" | "bench" | "solve") = matches.subcommand_name()
        && let Some(unused) = cpu::unused()
    {
        note(unused);
    }
    let mut own = games::entries().iter().flat_map(|entry| &entry.commands);
    let outcome = match own.find_map(|command| command.run(&matches)) {
        Some(outcome) => outcome,
        None => match Arguments::from_arg_matches(&matches) {
            Ok(arguments) => run(arguments.command),
            Err(error) => return tell_usage(&error.format(&mut commands())),
        },
    };
    signals::settle();
    outcome.unwrap_or_else(|failure| failure::report(&failure))
}

/// All commands: those that all games share, and the games' own.
fn commands() -> clap::Command {
    let own = games::entries().iter().flat_map(|entry| &entry.commands);
    let all = own.fold(Arguments::command(), |all, command| command.add_to(all));
    program::named(all)
}

/// Says what is wrong with a command line, or the help or version that it asks for.
fn tell_usage(error: &clap::Error) -> Exit {
    // Help and version are "errors" that go to standard output.
    let usage = error.use_stderr();
    // Its words on a bad argument repeat it.
    if std::env::args_os().any(|word| has_misleading(&word)) {
        note(error.render().to_string().trim_end());
    } else {
        let _ = error.print();
    }
    if usage { Exit::Usage } else { Exit::Success }
}

fn run(command: Command) -> failure::Outcome {
    match command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Gate(arguments) => gate::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Rate(arguments) => rate::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
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
    }
}
