//! `leitai merge`: joins records.

use super::prelude::*;
use super::watching::WatchArguments;
use leitai_session::Session;

/// Join records: all their runs, with all pairs of each run.
///
/// A run in several records, such as one that was played on several machines, becomes one run with
/// the pairs of all. If records hold different games for one pair, or a record is damaged (the
/// output included), merge joins nothing and names the records. It only reads the records; an
/// existing output is extended, so that the same command resumes after a stop.
///
/// Exit codes: 0 joined; 2 wrong input, a damaged record, or records that contradict each other;
/// 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai merge monday.sqlite tuesday.sqlite -o week.sqlite
  leitai report week.sqlite --list")]
pub(super) struct Arguments {
    /// The records.
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// The record to create or extend.
    #[arg(long, short, value_name = "FILE", default_value = "merged.sqlite")]
    out: PathBuf,
    #[command(flatten)]
    watching: WatchArguments,
    /// Print JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut files = CommandFiles::recording(&arguments.records);
    files.prepare_record(&arguments.out)?;
    let watching = arguments.watching.prepare(&mut files)?;
    let json = Json::prepare(arguments.json.as_ref(), &mut files)?;
    let cancel = signals::install_handler();
    let listener = watching.listener;
    let session = Session::new(games::known(), &arguments.out, cancel, listener);
    let merged = session.merge(&arguments.records)?;
    if !json.is_printed() && !watching.is_stdout {
        print(&merged.to_string())?;
    }
    json.write(&merged)?;
    if merged.complete {
        return Ok(Exit::Success);
    }
    eprint("stopped; run the same command to resume");
    Ok(Exit::Interrupted)
}
