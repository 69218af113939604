//! The commands: arguments in, an exit code out. The only module that uses the terminal.

mod analyze;
mod backup;
mod bench;
pub(crate) mod board;
mod calc;
mod check;
mod choice;
pub(crate) mod configs;
mod convert;
mod cpu;
#[cfg(feature = "fleet")]
mod demo;
pub(crate) mod display;
mod doctor;
mod ending;
mod engine;
mod entry;
mod examples;
mod exit;
pub(crate) mod export;
mod failure;
mod fastchess;
#[cfg(feature = "fleet")]
mod fleet;
mod game_files;
mod games;
mod gate;
#[cfg(feature = "go-problems")]
pub(crate) mod go;
mod help;
mod history;
mod ideas;
mod init;
pub(crate) mod input;
mod json;
pub(crate) mod json_output;
mod judge;
mod listening;
mod live;
mod merge;
mod next;
pub(crate) mod openings;
pub(crate) mod othello;
mod page_server;
mod perft;
mod play;
mod play_options;
mod prelude;
mod program;
mod rate;
mod recorded;
mod recorded_tune;
mod reference;
mod report;
mod rules;
mod run;
mod runs;
mod schema;
mod serve;
mod shell;
mod show;
pub(crate) mod study;
pub(crate) mod terminal;
pub(crate) mod threads;
mod tune;
mod verify;
mod watching;
#[cfg(feature = "fleet")]
mod worker;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;

use clap::{ArgMatches, CommandFactory, Parser};

use self::prelude::*;
use self::terminal::{ColourMode, flush_errors, print_raw, show_colours};
use leitai_base::foreign::has_misleading;
use leitai_base::threads::{NO_THREAD, NoThread, on_search_stack};

pub use entry::{Entry, OwnCommand};
pub(crate) use entry::{JudgeInput, OwnJudge, OwnStudy};
pub use exit::Exit;

/// Version, commit and target.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("LEITAI_BUILD"), ")");

/// Self-play tournaments, statistics and tuning for game engines.
#[derive(Debug, Parser)]
#[command(version = VERSION, about, long_about = None, propagate_version = true)]
#[command(subcommand_required = true, disable_help_subcommand = true)]
struct Arguments {
    /// Use of colours in the output: `auto`, `always` or `never`.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t,
          hide_possible_values = true, hide_default_value = true, help_heading = help::EVERYWHERE)]
    color: ColourMode,
}

/// The commands that apply to all games.
static SHARED: LazyLock<Vec<OwnCommand>> = LazyLock::new(|| {
    vec![
        OwnCommand::with("init", init::run),
        OwnCommand::with("run", run::run),
        OwnCommand::with("gate", gate::run),
        OwnCommand::with("tune", tune::run),
        OwnCommand::with("report", report::run),
        OwnCommand::with("serve", serve::run),
        OwnCommand::with("play", play::run),
        OwnCommand::with("rate", rate::run),
        OwnCommand::with("convert", convert::run),
        OwnCommand::with("history", history::run),
        OwnCommand::with("verify", verify::run),
        OwnCommand::with("merge", merge::run),
        OwnCommand::with("backup", backup::run),
        OwnCommand::with("check", check::run),
        OwnCommand::with("doctor", doctor::run),
        OwnCommand::with("study", study::run),
        OwnCommand::with("analyze", analyze::run),
        OwnCommand::with("engine", engine::run),
        OwnCommand::with("openings", openings::run),
        OwnCommand::with("calc", calc::run),
        OwnCommand::with("perft", perft::run),
        OwnCommand::with("bench", bench::run),
        OwnCommand::with("judge", judge::run),
        OwnCommand::with("show", show::run),
        OwnCommand::with("fastchess", fastchess::run),
        OwnCommand::with("cutechess", fastchess::run_cutechess),
        OwnCommand::with("import", fastchess::import),
        OwnCommand::with("schema", schema::run),
        OwnCommand::with("completions", shell::completions),
        OwnCommand::with("man", shell::manuals),
        OwnCommand::with("help", help::run),
        #[cfg(feature = "fleet")]
        OwnCommand::with("worker", worker::run),
        #[cfg(feature = "fleet")]
        OwnCommand::with("fleet", fleet::run),
    ]
});

/// Reads the command line, runs the command with these games, and returns the exit code. Errors go
/// to standard error.
pub fn main_with<E: Into<Entry>>(games: impl IntoIterator<Item = E>) -> Exit {
    if let Some(reason) = cpu::unfit() {
        eprint(&format!("error: {reason}"));
        return Exit::Usage;
    }
    // The definitions of all commands take longer than the rest of the start.
    if std::env::args_os().skip(1).eq(["--version"]) && fastchess::called_as().is_none() {
        let printed = print_raw(&format!("{} {VERSION}", program::name()));
        return end(printed.map(|()| Exit::Success));
    }
    cpu::hand_over();
    let entries: Vec<Entry> = games.into_iter().map(Into::into).collect();
    let flaws = games::flaws(&entries);
    games::install(entries);
    if !flaws.is_empty() {
        eprint(&format!(
            "error: this program cannot play its games\n{}",
            flaws.join("\n")
        ));
        return Exit::Usage;
    }
    if let Err(error) = signals::watch() {
        eprint(&format!("error: signals cannot be caught: {error}"));
        return Exit::Usage;
    }
    if let Some(words) = fastchess::foreign_options() {
        return end(fastchess::run_as(words));
    }
    if std::env::args_os().len() < 2 {
        eprint(&next::suggestions().unwrap_or_else(|| help::overview().to_string()));
        return Exit::Usage;
    }
    let matches = match parse(std::env::args_os()) {
        Ok(matches) => matches,
        Err(error) => return report_usage_error(&error),
    };
    if let Some("perft" | "bench" | "solve") = matches.subcommand_name()
        && let Some(unused) = cpu::unused()
    {
        eprint(unused);
    }
    if let Some(&when) = matches.get_one("color") {
        show_colours(when);
    }
    // Searches may need more stack than the main thread has, which is 1 MiB on Windows.
    let run = || {
        let mut all = own_commands().chain(&*SHARED);
        all.find_map(|command| command.run(&matches))
    };
    let refused = match catch_unwind(AssertUnwindSafe(|| on_search_stack(run))) {
        Ok(Ok(outcome)) => return outcome.map_or(Exit::Usage, end),
        Ok(Err(error)) => error,
        Err(panic) => match panic.downcast() {
            Ok(refused) => {
                let NoThread(error) = *refused;
                error
            }
            Err(panic) => resume_unwind(panic),
        },
    };
    end(Err(anyhow!(
        "{NO_THREAD}: {refused}\n\
         help: use fewer --threads, or allow more processes and threads (`ulimit -u`; `pids.max` of \
         a container) and memory (`ulimit -v`)"
    )))
}

/// The exit code of a command's outcome; reports an error.
fn end(outcome: failure::Outcome) -> Exit {
    signals::settle();
    let exit = outcome.unwrap_or_else(|failure| match failure.downcast() {
        Ok(error) => report_usage_error(&clap::Error::format(error, &mut commands())),
        Err(failure) => failure::report(&failure),
    });
    flush_errors(Duration::MAX);
    exit
}

/// All commands: the shared ones, and those of the games.
fn commands() -> clap::Command {
    let all = SHARED.iter().chain(own_commands());
    let all = all.fold(Arguments::command(), |all, command| command.add_to(all));
    json_output::uniform(program::named(all))
}

/// Parses a command line.
fn parse(words: impl Iterator<Item = OsString>) -> Result<ArgMatches, clap::Error> {
    help::concise(commands()).try_get_matches_from(words)
}

fn own_commands() -> impl Iterator<Item = &'static OwnCommand> {
    let entries = games::entries().iter();
    entries.flat_map(|entry| &entry.commands)
}

/// Prints the error of a command line, or the requested help or version.
fn report_usage_error(error: &clap::Error) -> Exit {
    // Help and version are "errors" that go to standard output.
    let usage = error.use_stderr();
    // clap's message about a wrong argument repeats the argument.
    if let Some(unknown) = help::unknown_command(error) {
        eprint(&unknown);
    } else if std::env::args_os().any(|word| has_misleading(&word)) {
        eprint(error.render().to_string().trim_end());
    } else {
        let _ = error.print();
    }
    if let Some(help) = json_output::help_on_joined_file(error) {
        eprint(&help);
    }
    if usage { Exit::Usage } else { Exit::Success }
}
