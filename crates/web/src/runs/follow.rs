//! A run that a browser follows while it is played.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use axum::body::Bytes;
use serde::Serialize;

use super::Source;
use crate::snapshots::{Publisher, Snapshots};
use leitai_base::foreign::shown_path;
use leitai_base::threads::lock;
use leitai_config::{config_words, path_word, run_name};
use leitai_players::schedule::PairSpec;
use leitai_report::gate::GateSummary;
use leitai_report::page::{Course, RunPage, commands, viewer};
use leitai_report::tune::parts;
use leitai_report::{GameFilter, GameSelection, Summary};
use leitai_runs::gate::{Trials, recorded_standings};
use leitai_runs::store::{RunEntry, RunHandle, Store};
use leitai_runs::tournament::{Fold, Plan, Standings, TunePlan};
use leitai_session::recorded::{open_to_read, recorded_plan, restored_plan};
use leitai_session::tune::recorded_report;
use leitai_session::{Failure, NullListener, Reader, StageResults};

/// A run, its snapshots, and the games requested last.
pub(super) struct Followed {
    source: Source,
    record: PathBuf,
    pub(super) id: String,
    pub(super) state: Snapshots,
    games: Mutex<Option<(GameSelection, i64, Bytes)>>,
}

/// The state of a run, for its page.
#[derive(Serialize)]
struct RunSnapshot {
    title: String,
    /// The heading of the page.
    name: String,
    /// The verdict of a gate in a word.
    verdict: Option<&'static str>,
    /// The next pairs that no process has recorded, those in progress included.
    next: Vec<NextPair>,
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

/// A pair to play.
#[derive(Serialize)]
struct NextPair {
    /// Number of the pair, from 0.
    pair: u64,
    /// The first mover of its first game, and the other player.
    players: [String; 2],
    opening: String,
}

impl NextPair {
    fn of(plan: &Plan, pair: &PairSpec) -> Self {
        Self {
            pair: pair.index,
            players: pair
                .variants
                .map(|it| plan.config.variants[it].name.clone()),
            opening: plan.book.id(pair.opening),
        }
    }
}

/// The most pairs to play in a snapshot.
const NEXT: usize = 40;

impl Followed {
    pub(super) fn new(source: &Source, record: &Path, id: &str) -> Self {
        let followed = (source.clone(), record.to_owned(), id.to_owned());
        let (source, record, id) = followed.clone();
        let state = Snapshots::new("web-run", move |publisher| {
            let (source, record, id) = &followed;
            follow(source, record, id, publisher).map_err(|error| format!("{error:#}"))
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
    pub(super) fn games(&self, which: GameSelection) -> Result<Bytes, Failure> {
        let mut games = lock(&self.games);
        let store = open_to_read(&self.record)?;
        let entry = store.run(&self.id)?;
        let plan = recorded_plan(&store, &entry, self.source.reader())?;
        let pairs = entry.recorded as i64;
        if let Some((known, of, json)) = &*games
            && (*known, *of) == (which, pairs)
        {
            return Ok(json.clone());
        }
        let (standings, reach) = recorded_standings(&plan, &store, &entry.handle)?;
        let filter = GameFilter::new(&plan, which, [None; 2])?;
        let viewer = viewer(&plan, &store, &entry, (&standings, &reach), filter)?;
        let json = Bytes::from(serde_json::to_vec(&viewer)?);
        *games = Some((which, pairs, json.clone()));
        Ok(json)
    }
}

impl Source {
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader {
            games: self.games,
            listener: &NullListener,
        }
    }
}

/// Follows a run while clients request it.
fn follow(
    source: &Source,
    record: &Path,
    id: &str,
    publisher: &mut Publisher,
) -> Result<(), Failure> {
    let store = open_to_read(record)?;
    let entry = store.run(id)?;
    let plan = restored_plan(&store, &entry, source.reader())?;
    if let Some(tune) = plan.tune() {
        return follow_tune(tune, &store, &entry, source, record, publisher);
    }
    let commands = commands(source.program, &plan, &entry, record);
    let followed = (&plan, &store, &entry, commands.as_slice());
    match &plan.config.gate {
        Some(gate) => follow_goal(Trials::of(gate, &plan)?, followed, publisher),
        None => follow_goal(Standings::of(&plan), followed, publisher),
    }
}

/// Publishes the moments of a run after changes of its record, while clients request them.
/// `moment` gets true if a process plays the run.
fn publish_changes(
    store: &Store,
    run: &RunHandle,
    publisher: &mut Publisher,
    mut moment: impl FnMut(bool) -> Result<RunSnapshot, Failure>,
) -> Result<(), Failure> {
    let mut seen = None;
    loop {
        if !store.is_at_path() {
            let path = shown_path(store.path());
            return Err(Failure::msg(format!("{path} was removed or replaced")));
        }
        let now = (store.version()?, store.is_played(run)?);
        if seen != Some(now) {
            publisher.publish(serde_json::to_string(&moment(now.1)?)?);
            seen = Some(now);
        }
        if !publisher.rest() {
            return Ok(());
        }
    }
}

fn state_name(is_complete: bool, is_played: bool) -> &'static str {
    match (is_complete, is_played) {
        (true, _) => "finished",
        (false, true) => "playing",
        (false, false) => "stopped",
    }
}

fn follow_goal<G: StageResults>(
    goal: G,
    (plan, store, entry, commands): (&Plan, &Store, &RunEntry, &[String]),
    publisher: &mut Publisher,
) -> Result<(), Failure> {
    let run = &entry.handle;
    let mut course = Course::new(plan);
    let mut fold = Fold::of_record(goal, plan, store, run, |goal, pair| {
        course.take(plan, goal.standings(), pair);
    })?;
    publish_changes(store, run, publisher, |is_played| {
        fold.catch_up(store, run, |goal, pair| {
            course.take(plan, goal.standings(), pair);
        })?;
        let standings = fold.goal().standings();
        let gate = fold.goal().trials();
        let gate = gate.map(|trials| GateSummary::new(plan, trials));
        let mut summary = Summary::new(plan, standings);
        summary.play.add_times(plan, standings);
        let page = RunPage {
            name: &run_name(&entry.meta.source_name, &entry.meta.variants),
            source: &entry.meta.source_name,
            summary: &summary,
            gate: gate.as_ref(),
            course: &course.to(standings),
            has_viewer: true,
            run: &entry.meta.id,
            config: &entry.meta.source_text,
            commands,
        };
        let mut parts = page.results();
        parts.push(("origin", page.origin()));
        let next = fold.next_pairs(NEXT);
        Ok(RunSnapshot {
            title: page.title(),
            name: page.name.to_owned(),
            verdict: gate.as_ref().and_then(|gate| Some(gate.verdict?.name())),
            next: next.iter().map(|pair| NextPair::of(plan, pair)).collect(),
            state: state_name(fold.is_complete(), is_played),
            games: summary.games,
            pairs: summary.pairs_played,
            all_pairs: gate.is_none().then_some(summary.pairs),
            has_games: true,
            parts,
        })
    })
}

/// Follows a tune: its values so far, from complete batches.
fn follow_tune(
    plan: TunePlan<'_>,
    store: &Store,
    entry: &RunEntry,
    source: &Source,
    record: &Path,
    publisher: &mut Publisher,
) -> Result<(), Failure> {
    let config = config_words(&entry.meta.source_name);
    let name = run_name(&entry.meta.source_name, &entry.meta.variants);
    let record = path_word(record);
    let command = format!("{} tune {config} --store {record}", source.program);
    publish_changes(store, &entry.handle, publisher, |is_played| {
        let report = recorded_report(plan, store, entry, &command, source.reader())?;
        Ok(RunSnapshot {
            title: format!("{name} · {}", plan.config.game.name()),
            name: name.clone(),
            verdict: None,
            next: Vec::new(),
            state: state_name(report.games >= report.budget, is_played),
            games: report.games,
            pairs: report.games / 2,
            all_pairs: Some(report.budget / 2),
            has_games: false,
            parts: parts(&report),
        })
    })
}
