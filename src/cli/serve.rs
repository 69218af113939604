//! `leitai serve`: the runs of records in a browser.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use super::Exit;
use super::failure::Outcome;
use super::games::known;
use super::listening::ListenArguments;
use super::program;
use crate::foreign::shown_path;
use crate::signals;
use crate::web::{Records, Source};

/// Show the runs of records in a browser, while they are played and after.
///
/// Prints the address to open, and answers until Ctrl-C. Records are read by a process of its
/// own, which neither slows nor harms what is played; pages are made while somebody looks.
/// The address has a token, without which nobody is answered: whoever has it can read these
/// records.
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
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    for record in &arguments.records {
        if !record.exists() {
            bail!("there is no record {}", shown_path(record));
        }
    }
    let cancel = signals::heed();
    let (port, access) = arguments.listening.open(arguments.json)?;
    let records = Records::new(Source {
        records: arguments.records.clone(),
        games: known(),
        program: program::name(),
    });
    let served = port.serve(records.router(), access, cancel);
    served.context("cannot answer")?;
    Ok(Exit::Success)
}
