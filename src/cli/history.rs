//! `leitai history`: the changes that gates have accepted.

use super::failure;
use super::prelude::*;
use super::recorded::{open_to_read, recorded_plan};
use super::runs::report_unread_gate;
use leitai_config::Variant;
use leitai_report::gate::{Candidate, GateSummary};
use leitai_report::{
    AcceptedSum, HistoryRow, UnreadGate, history_csv, history_markdown, history_text, utc,
};
use leitai_runs::gate::recorded_trials;
use leitai_session::recorded::{Kind, kind_of};

/// List every gate of records, the accepted candidates, and the sum of their gains.
///
/// CI gates name their variants after commits: then this is a history of commits. The Elo of a gate
/// is the median-unbiased estimate after its test stopped, if available, else that of a match with
/// limits that hold at any time. The last decision about two players counts, and of several
/// accepted candidates of one gate the strongest. The sum treats each accepted candidate as built
/// on those before. On average it exceeds the true gain, even if each term is honest, because the
/// accepted candidates are those whose games went well. No interval is given, for none has its
/// nominal coverage; a match of the last against the first measures the gain.
///
/// A gate or a record that cannot be read, for example because it is damaged, is in neither list
/// nor sums. Standard error and `unread` in the JSON name it, and the exit code is 2.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai history gate.sqlite
  leitai history gates/*.sqlite --markdown=HISTORY.md
  leitai history gate.sqlite --json | jq .accepted")]
pub(super) struct Arguments {
    /// The records.
    #[arg(required = true, value_name = "FILE")]
    records: Vec<PathBuf>,
    /// Print JSON: `gates` with the values of the columns, `accepted`, `sums` of each game, and
    /// gates that are `unread`.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Print a table in Markdown.
    #[arg(long)]
    markdown: Option<PathBuf>,
    /// Print CSV with a row for each candidate.
    #[arg(long)]
    csv: Option<PathBuf>,
}

#[derive(Serialize)]
struct HistoryOutput<'a> {
    gates: &'a [HistoryRow],
    accepted: usize,
    sums: Vec<AcceptedSum>,
    unread: &'a [UnreadGate],
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut files = CommandFiles::recording(&arguments.records);
    let json = Json::prepare(arguments.json.as_ref(), &mut files)?;
    let markdown = json_output::prepare("markdown", arguments.markdown.as_deref(), &mut files)?;
    let csv = json_output::prepare("csv", arguments.csv.as_deref(), &mut files)?;
    let mut rows: Vec<HistoryRow> = Vec::new();
    let mut unread = Vec::new();
    for record in &arguments.records {
        if let Err(error) = read_gates(record, &mut rows, &mut unread) {
            unread.push(unread_gate(record, None, &error));
            failure::report(&error);
        }
    }
    HistoryRow::in_order(&mut rows);
    let taken = json.is_printed() || is_printed(markdown.as_ref()) || is_printed(csv.as_ref());
    if !taken && (unread.is_empty() || !rows.is_empty()) {
        print(&history_text(&rows, room()))?;
    }
    let answer = HistoryOutput {
        gates: &rows,
        accepted: rows.iter().filter(|row| row.is_accepted()).count(),
        sums: HistoryRow::sums(&rows),
        unread: &unread,
    };
    let markdown = markdown.map_or(Ok(()), |file| {
        write_output(file, &history_markdown(&rows, &unread))
    });
    let csv = csv.map_or(Ok(()), |file| write_output(file, &history_csv(&rows)));
    all([json.write(&answer), markdown, csv])?;
    Ok(Exit::Usage.unless(unread.is_empty()))
}

/// Adds the candidates of a record's gates, and the gates that cannot be read.
fn read_gates(
    record: &Path,
    rows: &mut Vec<HistoryRow>,
    unread: &mut Vec<UnreadGate>,
) -> Result<(), Failure> {
    let store = open_to_read(record)?;
    for entry in store.runs()? {
        if kind_of(&entry.meta, games()) != Kind::Gate {
            continue;
        }
        match candidates(&store, &entry) {
            Ok(found) => rows.extend(found),
            Err(error) => {
                unread.push(unread_gate(record, Some(&entry), &error));
                report_unread_gate(&entry, record, error);
            }
        }
    }
    Ok(())
}

fn unread_gate(record: &Path, entry: Option<&RunEntry>, error: &Failure) -> UnreadGate {
    UnreadGate {
        record: shown_path(record).to_string(),
        run: entry.map(|entry| entry.meta.id.clone()),
        error: format!("{error:#}"),
    }
}

/// The candidates of a recorded gate.
fn candidates(store: &Store, entry: &RunEntry) -> Result<Vec<HistoryRow>, Failure> {
    let plan = recorded_plan(store, entry)?;
    let Some((trials, _)) = recorded_trials(&plan, store, &entry.handle)? else {
        return Ok(Vec::new());
    };
    let summary = GateSummary::new(&plan, &trials);
    let begun = utc(entry.created_at);
    let config = &plan.config;
    // Everything of a player except its name. The limits of the gate are excluded: a change that is
    // tested at a short and at a long time control is one change.
    let player = |name: &str| {
        let found = config.variants.iter().find(|it| it.name == name);
        found.map_or_else(String::new, |variant| {
            let name = String::new();
            let variant = Variant {
                name,
                ..variant.clone()
            };
            format!("{variant:?}")
        })
    };
    let row = |candidate: &Candidate| {
        let players = [&summary.base, &candidate.name].map(|it| player(it));
        let run = (&*entry.meta.id, begun.clone());
        let game = config.game.card.name();
        HistoryRow::new(run, game, (&summary.base, players), candidate)
    };
    Ok(summary.candidates.iter().map(row).collect())
}
