//! `leitai backup`: copies a record.

use super::check::record::{RecordOutput, session};
use super::prelude::*;
use leitai_runs::store::unused_copy_path;

/// Copy a record, also while a run plays.
///
/// The copy is the record as of one moment, in a file without a log. Leitai verifies all digests
/// before it creates the file. A run goes on meanwhile; the same command with `--store COPY` resumes
/// from the copy.
///
/// Exit codes: 0 copied; 2 the record is damaged, or the copy cannot be written; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai backup run.sqlite
  leitai backup run.sqlite -o /backups/monday.sqlite
  leitai merge run.sqlite -o /backups/week.sqlite     (adds what an earlier copy lacks)")]
pub(super) struct Arguments {
    /// The record.
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// The copy, which must not exist; by default RECORD.saved, RECORD.saved-2 and so on.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON: the content of the copy.
    #[arg(long)]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let record = &arguments.record;
    let mut files = CommandFiles::recording([record]);
    let unused = || unused_copy_path(record).context("there are a hundred copies: remove some");
    let out = arguments.out.clone().map_or_else(unused, Ok)?;
    let output = files.prepare_new(&out, false)?;
    let json = Json::prepare(arguments.json.as_ref(), &mut files)?;
    let session = session(record);
    let copied = session.back_up(output);
    if session.cancel.load(Ordering::Relaxed) {
        eprint("stopped: there is no copy");
        return Ok(Exit::Interrupted);
    }
    let copied = copied?;
    let output = RecordOutput::new(&out, &copied, true);
    json.print(|| output.text())?;
    json.write(&output)?;
    Ok(Exit::Success)
}
