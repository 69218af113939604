//! A run that a browser follows while it is played.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::Source;
use crate::snapshots::{Publisher, Snapshots, Trouble};
use leitai_config::{config_words, path_word};
use leitai_report::gate::GateSummary;
use leitai_report::page::{Course, GamesShown, RunPage, commands, viewer};
use leitai_report::tune::parts;
use leitai_report::{Latency, Summary, WorkersSummary};
use leitai_runs::gate::{Trials, recorded_standings};
use leitai_runs::store::{RunEntry, Store};
use leitai_runs::tournament::{Fold, Goal, Plan, Standings, TunePlan};
use leitai_session::recorded::{open_to_read, recorded_plan, recorded_tune};
use leitai_session::tune::recorded_report;
use leitai_session::{Deaf, Reader};

/// A run, its snapshots, and the games requested last.
pub(super) struct Followed {
    source: Source,
    record: PathBuf,
    pub(super) id: String,
    pub(super) state: Snapshots,
    games: Mutex<Option<(GamesShown, i64, Arc<str>)>>,
}

/// The state of a run, for its page.
#[derive(Serialize)]
struct Moment<'a> {
    title: &'a str,
    /// `playing`, `finished` or `stopped`.
    state: &'static str,
    /// Counted games.
    games: u64,
    pairs: u64,
    /// The number of pairs that will count, if known.
    all_pairs: Option<u64>,
    /// True if the games can be shown.
    has_games: bool,
    /// The parts of the page as HTML, by name.
    parts: Vec<(&'static str, String)>,
}

fn told(error: impl Into<anyhow::Error>) -> Trouble {
    format!("{:#}", error.into())
}

impl Followed {
    pub(super) fn new(source: &Source, record: &Path, id: &str) -> Self {
        let followed = (source.clone(), record.to_owned(), id.to_owned());
        let (source, record, id) = followed.clone();
        let state = Snapshots::new("web-run", move |publisher| {
            let (source, record, id) = &followed;
            follow(source, record, id, publisher)
        });
        Self {
            source,
            record,
            id,
            state,
            games: Mutex::default(),
        }
    }

    /// The run's games for the viewer, as JSON. Requests are handled one at a time.
    pub(super) fn games(&self, which: GamesShown) -> Result<Arc<str>, Trouble> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let (store, entry, plan) = open(&self.source, &self.record, &self.id)?;
        let pairs = entry.recorded as i64;
        if let Some((known, of, json)) = &*games
            && (*known, *of) == (which, pairs)
        {
            return Ok(Arc::clone(json));
        }
        let (standings, reach) = recorded_standings(&plan, &store, &entry.handle).map_err(told)?;
        let viewer = viewer(&plan, &store, &entry, (&standings, &reach), which).map_err(told)?;
        let json: Arc<str> = serde_json::to_string(&viewer).map_err(told)?.into();
        *games = Some((which, pairs, Arc::clone(&json)));
        Ok(json)
    }
}

impl Source {
    fn reader(&self) -> Reader<'_> {
        Reader {
            games: self.games,
            listener: &Deaf,
        }
    }
}

/// Opens a run from the record alone.
fn open(source: &Source, record: &Path, id: &str) -> Result<(Store, RunEntry, Plan), Trouble> {
    let store = open_to_read(record).map_err(told)?;
    let entry = store.run(id).map_err(told)?;
    let plan = recorded_plan(&store, &entry, source.reader()).map_err(told)?;
    Ok((store, entry, plan))
}

/// Follows a run while clients request it.
fn follow(
    source: &Source,
    record: &Path,
    id: &str,
    publisher: &mut Publisher,
) -> Result<(), Trouble> {
    let store = open_to_read(record).map_err(told)?;
    let entry = store.run(id).map_err(told)?;
    if let Some(plan) = recorded_tune(&store, &entry, source.reader()).map_err(told)? {
        return follow_tune(&plan, &store, &entry, source, record, publisher);
    }
    let plan = recorded_plan(&store, &entry, source.reader()).map_err(told)?;
    let commands = commands(source.program, &plan, &entry, record);
    let followed = (&plan, &store, &entry, commands.as_slice());
    let trials = plan.config.gate.as_ref();
    match trials.map(|gate| Trials::of(gate, &plan)) {
        Some(trials) => follow_goal(
            trials.map_err(told)?,
            |trials| &trials.standings,
            |trials| Some(GateSummary::new(&plan, trials)),
            followed,
            publisher,
        ),
        None => follow_goal(
            Standings::of(&plan),
            |standings| standings,
            |_| None,
            followed,
            publisher,
        ),
    }
}

fn follow_goal<G: Goal>(
    goal: G,
    standings: impl Fn(&G) -> &Standings,
    gate: impl Fn(&G) -> Option<GateSummary>,
    (plan, store, entry, commands): (&Plan, &Store, &RunEntry, &[String]),
    publisher: &mut Publisher,
) -> Result<(), Trouble> {
    let run = &entry.handle;
    let mut course = Course::new(plan);
    let mut seen = None;
    let mut fold = Fold::of_record(goal, plan, store, run, |goal, pair| {
        course.take(plan, standings(goal), pair);
    })
    .map_err(told)?;
    loop {
        let now = (
            store.version().map_err(told)?,
            store.is_played(run).map_err(told)?,
        );
        if seen != Some(now) {
            fold.catch_up(store, run, |goal, pair| {
                course.take(plan, standings(goal), pair);
            })
            .map_err(told)?;
            let so_far = standings(fold.goal());
            let gate = gate(fold.goal());
            let mut summary = Summary::new(plan, so_far);
            summary.latencies = Latency::all(&plan.config, so_far);
            summary.workers = WorkersSummary::all(&plan.config, so_far);
            let course = course.to(so_far);
            let page = RunPage {
                name: &entry.meta.source_name,
                summary: &summary,
                gate: gate.as_ref(),
                course: &course,
                has_viewer: true,
                run: &entry.meta.id,
                config: &entry.meta.source_text,
                commands,
            };
            let state = match (fold.is_complete(), now.1) {
                (true, _) => "finished",
                (false, true) => "playing",
                (false, false) => "stopped",
            };
            let mut parts = page.results();
            parts.push(("origin", page.origin()));
            let moment = Moment {
                title: &page.title(),
                state,
                games: summary.games,
                pairs: summary.pairs_played,
                all_pairs: gate.is_none().then_some(summary.pairs),
                has_games: true,
                parts,
            };
            publisher.publish(serde_json::to_string(&moment).map_err(told)?);
            seen = Some(now);
        }
        if !publisher.rest() {
            return Ok(());
        }
    }
}

/// Follows a tune: its values so far, from complete batches.
fn follow_tune(
    plan: &TunePlan,
    store: &Store,
    entry: &RunEntry,
    source: &Source,
    record: &Path,
    publisher: &mut Publisher,
) -> Result<(), Trouble> {
    let config = config_words(&entry.meta.source_name);
    let command = format!(
        "{} tune {config} --store {}",
        source.program,
        path_word(record)
    );
    let mut seen = None;
    loop {
        let is_played = store.is_played(&entry.handle).map_err(told)?;
        let now = (store.version().map_err(told)?, is_played);
        if seen != Some(now) {
            let report =
                recorded_report(plan, store, entry, &command, source.reader()).map_err(told)?;
            let state = match (report.games >= report.budget, is_played) {
                (true, _) => "finished",
                (false, true) => "playing",
                (false, false) => "stopped",
            };
            let moment = Moment {
                title: &format!("{} · {}", entry.meta.source_name, plan.config.game.name()),
                state,
                games: report.games,
                pairs: report.games / 2,
                all_pairs: Some(report.budget / 2),
                has_games: false,
                parts: parts(&report),
            };
            publisher.publish(serde_json::to_string(&moment).map_err(told)?);
            seen = Some(now);
        }
        if !publisher.rest() {
            return Ok(());
        }
    }
}
