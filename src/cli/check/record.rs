//! `leitai check RECORD`: compare all content of a record with its digests.

use indicatif::DecimalBytes;

use super::super::live::live;
use super::super::prelude::*;
use leitai_base::foreign::shown;
use leitai_runs::store::{DiskUse, RunContent, StoreError};
use leitai_session::{CheckedRecord, Session};

/// The most damages that are printed.
const SHOWN: usize = 20;

/// The content of a record, for JSON.
#[derive(Serialize)]
pub(crate) struct RecordOutput<'a> {
    store: &'a Path,
    whole: bool,
    /// False if the user stopped the check.
    complete: bool,
    damages: Vec<String>,
    runs: &'a [RunContent],
    searches: u64,
    human_games: u64,
    disk: DiskUse,
}

pub(super) fn run(record: &PathBuf, json: Option<&PathBuf>) -> Outcome {
    let json = Json::for_inputs(json, [record])?;
    let session = session(record);
    let checked = session.check_record()?;
    let is_complete = !session.cancel.load(Ordering::Relaxed);
    let output = RecordOutput::new(record, &checked, is_complete);
    json.print(|| output.text())?;
    for damage in output.damages.iter().take(SHOWN) {
        eprint(damage);
    }
    if let more @ 1.. = output.damages.len().saturating_sub(SHOWN) {
        eprint(&format!("and {more} more; `--json` names all"));
    }
    let damages = &checked.content.damages;
    if let Some(hint) = damages.first().and_then(StoreError::hint) {
        eprint(&format!("help: {hint}"));
    }
    json.write(&output)?;
    Ok(match (output.whole, output.complete) {
        (false, _) => Exit::Failure,
        (true, false) => Exit::Interrupted,
        (true, true) => Exit::Success,
    })
}

/// A session with that record, which shows its progress.
pub(crate) fn session(record: &Path) -> Session<'static> {
    let cancel = signals::install_handler();
    Session::new(games::known(), record, cancel, live(true, false))
}

impl<'a> RecordOutput<'a> {
    pub(crate) fn new(path: &'a Path, checked: &'a CheckedRecord, complete: bool) -> Self {
        let CheckedRecord { content, disk } = checked;
        let mut damages: Vec<String> = content.damages.iter().map(ToString::to_string).collect();
        damages.dedup();
        Self {
            store: path,
            whole: content.damages.is_empty(),
            complete,
            damages,
            runs: &content.runs,
            searches: content.searches,
            human_games: content.human_games,
            disk: *disk,
        }
    }

    /// The content in words.
    pub(crate) fn text(&self) -> String {
        let has_batches = self.runs.iter().any(|run| run.batches > 0);
        let mut header = "Run,Game,Config,Pairs,Whole".to_owned();
        if has_batches {
            header += ",Batches,Whole";
        }
        let mut rows = vec![leitai_report::header(&header)];
        for run in self.runs {
            let config = shown(&run.config).to_string();
            let mut row = vec![format!("{:.12}", run.run), run.game.clone(), config];
            row.extend([run.pairs, run.whole].map(|count| count.to_string()));
            if has_batches {
                row.extend([run.batches, run.whole_batches].map(|count| count.to_string()));
            }
            rows.push(row);
        }
        let mut text = String::new();
        if !self.runs.is_empty() {
            text = table(&rows, 1, |column| column < 3) + "\n";
        }
        for run in self.runs {
            if let Some(gap) = run.gap {
                let _ = writeln!(
                    text,
                    "run {:.12} lacks pair {gap}: reports leave out later ones until it is played",
                    run.run
                );
            }
        }
        for (number, one, many) in [
            (self.searches, "search of a study", "searches of studies"),
            (self.human_games, "game of a person", "games of a person"),
        ] {
            if number > 0 {
                let _ = writeln!(text, "{}", count(number, one, many));
            }
        }
        let DiskUse { file, log, free } = self.disk;
        let [file, log, free] = [file, log, free].map(DecimalBytes);
        let state = match (self.whole, self.complete) {
            (true, true) => "whole",
            (true, false) => "whole, as far as it was read",
            (false, _) => "damaged",
        };
        let name = shown_path(self.store);
        let _ = write!(
            text,
            "{name} is {state}: {file} ({free} of it free for new rows), log {log}"
        );
        text
    }
}
