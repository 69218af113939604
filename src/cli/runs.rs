//! Lists the runs of a record.

use super::failure;
use super::prelude::*;
use super::recorded::open_to_read;
use leitai_report::{minute, utc};
use leitai_runs::gate::Verdict;
use leitai_session::recorded::Kind;
use leitai_session::{ListedRun, RunFigures};

/// Lists the runs of a record in the order of their start.
pub(super) fn list(record: &PathBuf, json: Option<&PathBuf>) -> Outcome {
    let is_json = json.is_some();
    let json = Json::for_inputs(json, [record])?;
    let store = open_to_read(record)?;
    let mut listed = Vec::new();
    for entry in &store.runs()? {
        let mut run = ListedRun::new(&entry.meta, utc(entry.created_at), games());
        // The text has no figures of tournaments, which take time.
        if run.kind == Kind::Gate || (is_json && run.kind == Kind::Run) {
            match RunFigures::read(&store, entry, reader(), |_, _, _| {}) {
                Ok(figures) => run.figures = figures,
                Err(error) if run.kind == Kind::Gate => {
                    run.error = Some(format!("{error:#}"));
                    report_unread_gate(entry, record, error);
                }
                Err(_) => {}
            }
        }
        run.update(&store, entry)?;
        listed.push(run);
    }
    let cells = store.count_cells()?;
    if cells > 0 {
        let what = if listed.is_empty() {
            "no runs, but"
        } else {
            "and also"
        };
        eprint(&format!(
            "{}: {what} {} of studies, which `leitai study` reads",
            shown_path(record),
            count(cells, "finished search", "finished searches")
        ));
    }
    if !json.is_printed() && !listed.is_empty() {
        let rows: Vec<_> = listed.iter().map(row).collect();
        print(&table(&rows, 1, |column| column != PAIRS))?;
    }
    json.write(&listed)?;
    let is_whole = listed.iter().all(|run| run.error.is_none());
    Ok(Exit::Usage.unless(is_whole))
}

/// Reports a gate that cannot be read, without ending the list.
pub(super) fn report_unread_gate(entry: &RunEntry, record: &Path, why: Failure) {
    let gate = format!(
        "gate {:.12} of {} cannot be read",
        entry.meta.id,
        shown_path(record)
    );
    failure::report(&why.context(gate));
}

/// The index of the column of pairs.
const PAIRS: usize = 5;

fn row(run: &ListedRun) -> Vec<String> {
    let state = match (&run.error, run.figures.verdict) {
        (Some(_), _) => "unreadable",
        (None, verdict) => verdict.map_or(run.state.name(), Verdict::name),
    };
    vec![
        run.run[..12.min(run.run.len())].to_owned(),
        run.kind.name().to_owned(),
        minute(run.begun.as_deref()),
        state.to_owned(),
        run.game.clone(),
        format!("{}/{}", run.recorded, count(run.pairs, "pair", "pairs")),
        run.config.clone(),
        run.limits.clone().unwrap_or_default(),
        run.variants.join(", "),
    ]
}
