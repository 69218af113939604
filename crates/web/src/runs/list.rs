//! All runs of the records.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Source;
use crate::snapshots::{Publisher, REST, Trouble};
use leitai_base::foreign::shown_path;
use leitai_report::page::Course;
use leitai_report::utc;
use leitai_runs::store::{Mode, RunEntry, Store, StoreError};
use leitai_session::recorded::Kind;
use leitai_session::{ListedRun, RunFigures};

/// The time for reading figures before the list is published without those of other runs.
const SLICE: Duration = Duration::from_secs(1);
/// The most points of a curve.
const POINTS: usize = 40;

/// The list, as served to clients.
#[derive(Serialize)]
struct Listed<'a> {
    /// The last begun run first.
    runs: Vec<&'a Row>,
    /// The records that cannot be read, with reasons.
    troubles: Vec<String>,
}

/// A run with its figures, kept between updates.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    run: ListedRun,
    record: String,
    /// Elo of the first pairing: numbers of pairs with values.
    curve: Vec<(u64, f64)>,
    /// True before the figures have been read.
    pending: bool,
    /// The number of pairs that the figures include.
    #[serde(skip)]
    read: Option<u64>,
    /// The reason for missing figures.
    #[serde(skip)]
    trouble: Option<String>,
    /// The earliest time of the next update of the figures.
    #[serde(skip)]
    due: Instant,
}

/// Lists all runs while clients request the list.
pub(super) fn list(source: &Source, publisher: &mut Publisher) -> Result<(), Trouble> {
    let mut open: HashMap<&Path, Store> = HashMap::new();
    let mut rows: HashMap<(&Path, String), Row> = HashMap::new();
    loop {
        let (mut listed, mut troubles) = (Vec::new(), Vec::new());
        let begun = Instant::now();
        let mut reading = Duration::ZERO;
        for record in &source.records {
            let record = record.as_path();
            let known = open.remove(record).filter(Store::is_at_path);
            let store = known.map_or_else(
                || {
                    rows.retain(|(of, _), _| *of != record);
                    Store::open(record, Mode::Read)
                },
                Ok,
            );
            let updated = store.and_then(|store| {
                for entry in store.runs()? {
                    let key = (record, entry.meta.id.clone());
                    let row = rows.entry(key.clone());
                    let row = row.or_insert_with(|| Row::new(source, record, &entry));
                    row.run.update(&store, &entry)?;
                    if row.is_due() && begun.elapsed() < SLICE {
                        reading += row.read_figures(source, &store, &entry)?;
                    }
                    troubles.extend(row.trouble.clone());
                    listed.push((entry.created_at, key));
                }
                Ok(store)
            });
            match updated {
                Ok(store) => drop(open.insert(record, store)),
                Err(error) => troubles.push(error.to_string()),
            }
        }
        listed.sort_by_key(|(begun, _)| std::cmp::Reverse(*begun));
        let runs: Vec<&Row> = listed.iter().filter_map(|(_, key)| rows.get(key)).collect();
        let is_pending = runs.iter().any(|row| row.pending);
        let json = serde_json::to_string(&Listed { runs, troubles });
        publisher.publish(json.map_err(|it| it.to_string())?);
        publisher.exclude(reading);
        if !is_pending && !publisher.rest() {
            return Ok(());
        }
    }
}

impl Row {
    fn new(source: &Source, record: &Path, entry: &RunEntry) -> Self {
        let begun = utc(entry.created_at);
        let run = ListedRun::new(&entry.meta, begun, &source.games.cards);
        Self {
            pending: run.kind != Kind::Tune,
            run,
            record: shown_path(record).to_string(),
            curve: Vec::new(),
            read: None,
            trouble: None,
            due: Instant::now(),
        }
    }

    fn is_due(&self) -> bool {
        let is_changed = self.read != Some(self.run.recorded);
        self.run.kind != Kind::Tune && is_changed && self.due <= Instant::now()
    }

    /// Reads the figures; returns the time that it took.
    fn read_figures(
        &mut self,
        source: &Source,
        store: &Store,
        entry: &RunEntry,
    ) -> Result<Duration, StoreError> {
        let began = Instant::now();
        let mut course = None;
        let figures = RunFigures::read(store, entry, source.reader(), |plan, standings, pair| {
            let course = course.get_or_insert_with(|| Course::new(plan));
            course.take(plan, standings, pair);
        });
        let error = figures.as_ref().err().map(|error| format!("{error:#}"));
        self.trouble.clone_from(&error);
        self.run.error = error.filter(|_| self.run.kind == Kind::Gate);
        self.run.figures = figures.unwrap_or_default();
        let points = course.iter().flat_map(|course| &course.points);
        let points = points.filter_map(|(pairs, elo)| Some((*pairs, elo.first()?.value?)));
        let points: Vec<_> = points.collect();
        let every = points.len().div_ceil(POINTS).max(1);
        self.curve = points.into_iter().rev().step_by(every).collect();
        self.curve.reverse();
        self.pending = false;
        self.read = Some(self.run.recorded);
        let took = began.elapsed();
        self.due = Instant::now() + took * REST;
        // A verdict decides the state.
        self.run.update(store, entry)?;
        Ok(took)
    }
}
