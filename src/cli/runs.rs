//! Lists the runs of a record.

use super::failure;
use super::prelude::*;
use super::recorded::{open_to_read, recorded_plan};
use super::tune::limits_text;
use crate::gate::{Verdict, recorded_trials};
use crate::report::{minute, utc};
use crate::session::recorded::{Kind, State, recorded_config, recorded_pairs, state_of};

#[derive(Serialize)]
struct Listed<'a> {
    run: &'a str,
    kind: Kind,
    game: &'a str,
    config: &'a str,
    /// Absent if this version cannot read the config.
    limits: Option<String>,
    variants: &'a [String],
    recorded: u64,
    pairs: u64,
    state: State,
    /// For a gate that has one.
    verdict: Option<Verdict>,
    /// The reason why a gate's verdict cannot be given.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The start of the run, in UTC.
    begun: Option<String>,
}

/// Lists the runs of a record in the order of their start.
pub(super) fn list(record: &PathBuf, json: Option<&PathBuf>) -> Outcome {
    let json = Json::for_inputs(json, [record])?;
    let store = open_to_read(record)?;
    let runs = store.runs()?;
    let mut listed = Vec::new();
    for entry in &runs {
        let loaded = recorded_config(&entry.meta, games()).ok();
        let config = loaded.as_ref().map(|loaded| &loaded.config);
        let kind = Kind::of(config);
        let recorded = recorded_pairs(&store, entry)?;
        let verdict = match kind {
            Kind::Gate => verdict_of(&store, entry),
            Kind::Run | Kind::Tune => Ok(None),
        };
        let error = verdict.as_ref().err().map(|error| format!("{error:#}"));
        let verdict = verdict.unwrap_or_else(|error| {
            report_unread_gate(entry, record, error);
            None
        });
        listed.push(Listed {
            run: &entry.meta.id,
            kind,
            game: &entry.meta.game,
            config: &entry.meta.source_name,
            limits: config.map(|config| limits_text(&config.limits)),
            variants: &entry.meta.variants,
            recorded,
            pairs: entry.meta.pairs,
            state: state_of(&store, entry, recorded)?,
            verdict,
            error,
            begun: utc(entry.created_at),
        });
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

fn verdict_of(store: &Store, entry: &RunEntry) -> Result<Option<Verdict>, Failure> {
    let plan = recorded_plan(store, entry)?;
    let trials = recorded_trials(&plan, store, &entry.handle)?;
    Ok(trials.and_then(|(trials, _)| trials.verdict()))
}

/// The index of the column of pairs.
const PAIRS: usize = 5;

fn row(run: &Listed<'_>) -> Vec<String> {
    let state = match (&run.error, run.verdict) {
        (Some(_), _) => "unreadable",
        (None, verdict) => verdict.map_or(run.state.name(), Verdict::name),
    };
    vec![
        run.run[..12.min(run.run.len())].to_owned(),
        run.kind.name().to_owned(),
        minute(run.begun.as_deref()),
        state.to_owned(),
        run.game.to_owned(),
        format!("{}/{}", run.recorded, count(run.pairs, "pair", "pairs")),
        run.config.to_owned(),
        run.limits.clone().unwrap_or_default(),
        run.variants.join(", "),
    ]
}
