//! Sessions as library users run them.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};

use leitai_config::Loaded;
use leitai_report::Summary;
use leitai_session::{
    Cancel, Ending, Event, Halt, KnownGames, Listener, PairEnded, Session, StageOutcome, Storage,
    StudyEnding, TuneTask, parse,
};
use tempfile::TempDir;

use crate::common::project;

fn games() -> KnownGames {
    KnownGames::new(leitai_games::all())
}

/// A config of two Othello variants with `table`.
fn config(table: &str, games: &KnownGames) -> Loaded {
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    let text = format!(
        "game = \"othello\"\nseed = 5\nlimits = {{ nodes = 30 }}\nopenings = {{ file = {book:?} }}\n\
         {table}\n[[variant]]\nname = \"plain\"\n\
         [[variant]]\nname = \"full\"\nsearch = {{ preset = \"full\" }}\n"
    );
    parse(&text, "small.toml", &games.cards).expect("a config")
}

/// Keeps all events, and ends the session after a number of pairs.
struct Keeper {
    heard: Mutex<Vec<Event>>,
    cancel: Arc<Cancel>,
    most: usize,
}

impl Keeper {
    fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            heard: Mutex::default(),
            cancel: Arc::default(),
            most,
        })
    }

    fn pairs(&self) -> Vec<PairEnded> {
        let heard = self.heard.lock().expect("a lock");
        let pairs = heard.iter().filter_map(|event| match event {
            Event::Pair(pair) => Some(pair.clone()),
            _ => None,
        });
        pairs.collect()
    }
}

impl Listener for Keeper {
    fn notify(&self, event: &Event) {
        self.heard.lock().expect("a lock").push(event.clone());
        if self.pairs().len() >= self.most {
            self.cancel.set();
        }
    }
}

/// A session on this number of threads with `keeper` as its listener.
fn session<'a>(
    games: &'a KnownGames,
    store: &Path,
    threads: usize,
    keeper: &'a Arc<Keeper>,
) -> Session<'a> {
    Session {
        threads: NonZeroUsize::new(threads).expect("a number"),
        ..Session::new(games, store, &keeper.cancel, Arc::clone(keeper) as _)
    }
}

#[test]
fn a_cancelled_run_resumes_and_reports_each_pair_once() {
    let (folder, games) = (TempDir::new().unwrap(), games());
    // More than are in play before the second is reported.
    let config = || config("tournament = { pairs = 100 }", &games);
    let store = |name: &str| folder.path().join(name);
    let keeper = Keeper::new(usize::MAX);
    let whole = session(&games, &store("whole.sqlite"), 3, &keeper);
    let whole = whole.run(config()).unwrap();
    assert!(whole.is_complete());
    let expected = keeper.pairs();
    assert_eq!(expected.len(), 100);

    let (first, second) = (Keeper::new(2), Keeper::new(usize::MAX));
    let begun = session(&games, &store("cut.sqlite"), 1, &first);
    let begun = begun.run(config()).unwrap();
    assert_eq!(begun.ending, Ending::Cancelled);
    let ended = session(&games, &store("cut.sqlite"), 2, &second);
    let ended = ended.run(config()).unwrap();
    assert!(ended.is_complete());
    let told = [first.pairs(), second.pairs()].concat();
    assert_eq!(told, expected);
    let [ended, whole] = [ended, whole].map(|played| {
        let summary = Summary::new(&played.plan, &played.so_far);
        serde_json::to_string(&summary).unwrap()
    });
    assert_eq!(ended, whole);
}

#[test]
fn a_gate_gives_its_verdict() {
    let (folder, games) = (TempDir::new().unwrap(), games());
    let table = "gate = { base = \"plain\", candidate = \"full\", elo1 = 40, max_pairs = 4 }";
    let keeper = Keeper::new(usize::MAX);
    let session = session(&games, &folder.path().join("gate.sqlite"), 2, &keeper);
    let played = session.gate(config(table, &games)).unwrap();
    assert!(played.is_complete());
    assert!(played.so_far.verdict().is_some());
    assert_eq!(keeper.pairs().len() as u64, played.so_far.standings.played);
    let refused = session.gate(config("tournament = { pairs = 1 }", &games));
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("has no `[gate]`"), "{refused}");
    let refused = session.run(config(table, &games)).unwrap_err().to_string();
    assert!(refused.contains("`leitai gate`"), "{refused}");
}

#[test]
fn a_tune_that_is_cancelled_carries_on_to_the_same_results() {
    let (folder, games) = (TempDir::new().unwrap(), games());
    let table = "[tune]\nvariant = \"plain\"\ngames = 400\nproof = { elo1 = 40, max_pairs = 4 }\n\
                 [[tune.parameter]]\npath = \"eval.corners\"\nrange = 400\n[tune.pool]\nvariants = \
                 [\"full\"]\npairs = 2\ncheckpoints = 1";
    let config = config(table, &games);
    let at = |name: &str| folder.path().join(name);
    let tune = |name: &str, threads, keeper: &Arc<Keeper>| {
        let task = TuneTask {
            render: Some(leitai_report::tune::render_tune),
            ..TuneTask::of(&at(name).with_extension("toml"))
        };
        let session = session(&games, &at(name), threads, keeper);
        let ended = session.tune(&config, &task).unwrap();
        let results = serde_json::to_string(&ended.results).unwrap();
        (
            ended,
            results.replace(name.trim_end_matches(".sqlite"), "NAME"),
        )
    };
    let keeper = Keeper::new(usize::MAX);
    let (ended, whole) = tune("whole.sqlite", 3, &keeper);
    assert!(ended.halt.is_none());
    assert!(ended.results.complete);
    let results = ended.results;
    let judgement = results.proof.unwrap();
    assert!(judgement.verdict.is_some());
    assert!(results.tuned.is_some_and(|file| file.is_file()));
    assert!(results.report.is_some_and(|file| file.is_file()));
    let heard = keeper.heard.lock().unwrap();
    let outcomes = heard.iter().filter_map(|event| match event {
        Event::Outcome(outcome) => Some(outcome),
        _ => None,
    });
    let kinds = outcomes.map(|outcome| match outcome {
        StageOutcome::Games(learnt) => format!("{} games", learnt.games),
        StageOutcome::Gate { what, .. } => what.clone(),
        StageOutcome::Pool(pool) => format!("{} meet the pool", pool.challengers.len()),
        other => serde_json::to_value(other).unwrap()["of"].to_string(),
    });
    let expected = [
        "400 games",
        "\"tuned\"",
        "proof",
        "3 meet the pool",
        "\"page\"",
    ];
    assert_eq!(kinds.collect::<Vec<_>>(), expected);

    let (ended, _) = tune("cut.sqlite", 2, &Keeper::new(2));
    assert!(matches!(ended.halt, Some(Halt::Cancelled(_))));
    assert!(!ended.results.complete);
    let (ended, again) = tune("cut.sqlite", 1, &Keeper::new(usize::MAX));
    assert!(ended.halt.is_none());
    assert_eq!(again, whole);
}

#[test]
fn a_study_finds_its_searches_again() {
    let (folder, games) = (TempDir::new().unwrap(), games());
    let suite = project("openings/othello-study40.epd");
    let suite = suite.to_str().unwrap();
    let config = config(
        &format!("study = {{ suite = {suite:?}, depth = 2, resamples = 100 }}"),
        &games,
    );
    let keeper = Keeper::new(usize::MAX);
    let session = session(&games, &folder.path().join("study.sqlite"), 2, &keeper);
    let figures = [Storage::Usual, Storage::Usual, Storage::Nothing].map(|keep| {
        let studied = session.study(&config, keep, false).unwrap();
        assert!(matches!(studied.ending, Ok(StudyEnding::Complete)));
        format!("{:?}", studied.figures.unwrap())
    });
    assert_eq!(figures[0], figures[1]);
    assert_eq!(figures[0], figures[2]);
    let heard = keeper.heard.lock().unwrap();
    let known = heard.iter().filter_map(|event| match event {
        Event::WorkBegun { done, total, .. } => Some([*done, *total]),
        _ => None,
    });
    assert_eq!(known.collect::<Vec<_>>(), [[0, 80], [80, 80], [0, 80]]);
}
