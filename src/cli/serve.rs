//! `leitai serve`: the runs of records in a browser.

use std::io::stdin;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use super::Exit;
use super::failure::Outcome;
use super::games::{games, known};
use super::listening::ListenArguments;
use super::program;
use super::terminal::say_json;
use crate::foreign::shown_path;
use crate::output::Door;
use crate::player::Dialogues;
use crate::signals;
use crate::web::{Live, Records, Source, Wish};

/// How long pages are there after the run that they are beside has ended.
const AFTER: Duration = Duration::from_secs(3);

/// Show the runs of records in a browser, while they are played and after.
///
/// Prints the address to open, and answers until Ctrl-C. Records are read by a process of its
/// own, which neither slows nor harms what is played; pages are made while somebody looks.
/// The address has a token, without which nobody is answered: whoever has it can read these
/// records. `--serve` of run, gate and tune does the same beside them, with the games in progress.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai serve run.sqlite
  leitai serve *.sqlite --port 9000
  leitai serve run.sqlite --host 0.0.0.0 --token-file token --allow-host box.example")]
pub(super) struct Arguments {
    /// The records.
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    listening: ListenArguments,
    /// Print the address as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Show also what was said between leitai and programs, from the folder that `--dialogue` of
    /// the run has filled.
    #[arg(long, value_name = "FOLDER")]
    dialogue: Option<PathBuf>,
    /// Read events of what is played into the record from standard input, and end with them.
    #[arg(long, hide = true)]
    beside: bool,
    /// Write what browsers wish to standard output.
    #[arg(long, hide = true, requires = "beside")]
    control: bool,
}

#[derive(Serialize)]
struct Wished {
    wish: Wish,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    for record in &arguments.records {
        if !record.exists() && !arguments.beside {
            bail!("there is no record {}", shown_path(record));
        }
    }
    let cancel = signals::heed();
    let mut door = Door::default();
    for record in &arguments.records {
        door.records(record);
    }
    let (port, access) = arguments.listening.open(arguments.json.as_ref(), door)?;
    let mut records = Records::new(Source {
        records: arguments.records.clone(),
        games: known(),
        program: program::name(),
    });
    if let Some(folder) = &arguments.dialogue {
        if !folder.is_dir() {
            bail!("there is no folder {}", shown_path(folder));
        }
        records = records.with_dialogues(Dialogues::new(folder));
    }
    if arguments.beside {
        let live = Live::follow(stdin(), games().iter().collect(), || {
            thread::sleep(AFTER);
            cancel.set();
        });
        records = records.with_live(live.context("no thread can be had")?);
    }
    if arguments.control {
        records = records.with_control(|wish| drop(say_json(&Wished { wish })));
    }
    let served = port.serve(records.router(), access, cancel);
    served.context("cannot answer")?;
    Ok(Exit::Success)
}
