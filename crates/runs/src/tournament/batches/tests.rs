use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::store::{BatchFailure, Mode};
use crate::tournament::Plan;
use leitai_config::{Variant, parse};
use leitai_game::Cause;
use leitai_game::card::{AnyLine, AnyPosition};
use leitai_games as games;
use leitai_players::player::{Budget, Choice, Failure, GameId, Player};
use leitai_players::schedule::Book;

static CALM: Cancel = Cancel::new();

const OTHELLO: &str = r#"
game = "othello"
seed = 3
limits = { depth = 1 }
openings = { file = "b.epd" }
[tune]
games = 60
batch = 1
window = 8
handicap = "off"
[[tune.parameter]]
path = "eval.squares[*]"
range = 100
step = 20
[[variant]]
name = "discs"
eval = { preset = "discs" }
"#;

/// A tune of numbers of the search, among them table-driven terms.
const XIANGQI: &str = r#"
game = "xiangqi"
seed = 3
limits = { nodes = 300 }
openings = { file = "b.epd" }
adjudication = { max_plies = 16 }
[tune]
games = 12
window = 3
[[tune.parameter]]
path = "eval.material.*"
range = 200
[[tune.parameter]]
path = "eval.mobility.*"
range = 20
[[tune.parameter]]
path = "search.null_move.reduction"
[[variant]]
name = "mine"
search = { preset = "full", table_mb = 1 }
eval = { preset = "leitai" }
"#;

fn plan(text: &str) -> Plan {
    let config = parse(text, "t.toml", &games::all()).unwrap().config;
    let book = match config.game.name() {
        "othello" => include_str!("../../../../../openings/othello.txt"),
        _ => include_str!("../../../../../openings/xiangqi.epd"),
    };
    let book = Book::parse(config.game.card, book, "b.epd").unwrap();
    Plan::new(config, book).unwrap()
}

/// An empty record in a temporary folder.
fn place() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("t.sqlite"), Mode::Write).unwrap();
    (folder, store)
}

/// A player with injected faults.
struct Faulty {
    inner: Box<dyn Player>,
    faults: &'static (dyn Fn(GameId) -> Option<Failure> + Sync),
    game: GameId,
    adopts: bool,
}

impl Player for Faulty {
    fn new_game(&mut self, game: GameId, start: &dyn AnyPosition, cancel: &AtomicBool) {
        self.game = game;
        self.inner.new_game(game, start, cancel);
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        budget: &Budget,
        cancel: &AtomicBool,
    ) -> Result<Choice, Failure> {
        match (self.faults)(self.game) {
            Some(failure) => Err(failure),
            None => self.inner.choose(line, budget, cancel),
        }
    }

    fn adopt(&mut self, variant: &Variant) -> bool {
        self.adopts && self.inner.adopt(variant)
    }
}

type Faults = &'static (dyn Fn(GameId) -> Option<Failure> + Sync);

const SOUND: Faults = &|_| None;

/// Continues the tune; the second player of a batch has these faults.
fn go_on(
    plan: &Plan,
    store: &Store,
    threads: usize,
    faults: Faults,
    adopts: bool,
) -> (Ending, Tuner, Vec<BatchRow>) {
    let (played, rows) = play_on(plan, store, threads, faults, adopts);
    assert_eq!(played.failing, None);
    (played.ending, played.tuner, rows)
}

fn play_on(
    plan: &Plan,
    store: &Store,
    threads: usize,
    faults: Faults,
    adopts: bool,
) -> (PlayedBatches, Vec<BatchRow>) {
    let plan = plan.tune().unwrap();
    let sound = plan.factory();
    let faulty = move |index: usize, variant: &Variant| -> Box<dyn Player> {
        Box::new(Faulty {
            inner: sound(index, variant),
            faults: if index == 1 { faults } else { SOUND },
            game: GameId::default(),
            adopts,
        })
    };
    let runner = BatchRunner {
        plan,
        factory: Box::new(faulty),
    };
    let threads = NonZeroUsize::new(threads).unwrap();
    let played = play_batches(&runner, store, threads, &CALM, &mut ());
    let run = store.run("latest").unwrap().handle;
    let mut rows = store.batches(&run).unwrap();
    for row in &mut rows {
        row.elapsed_us = 0;
    }
    (played.unwrap(), rows)
}

/// The player that fails too often in a tune with those faults of its second player, at whichever
/// values, and the number of games so far.
fn failing(plan: &Plan, store: &Store, faults: Faults) -> (Option<Failing>, u64) {
    let (played, _) = play_on(plan, store, 2, faults, true);
    let failing = played.failing.map(|(failing, value)| {
        assert_eq!(value, None);
        failing
    });
    (failing, 2 * played.tuner.pairs_seen())
}

/// The first player never fails.
#[test]
fn a_side_that_always_fails_ends_the_tune_however_often_it_was_stopped() {
    let wanted = Failing {
        variant: 1,
        cause: Cause::Crash,
        pair: 4,
        game: 1,
        failed: 10,
        games: 10,
        always: true,
    };
    let (_folder, store) = place();
    let always: Faults = &|_| Some(Failure::Crash);
    assert_eq!(failing(&plan(OTHELLO), &store, always), (Some(wanted), 10));
    // Another process reads the same from the record.
    assert_eq!(failing(&plan(OTHELLO), &store, SOUND), (Some(wanted), 10));
    // Three pairs of a stopped process count for the next one.
    let (_folder, store) = place();
    let stops: Faults = &|game| {
        Some(if game.pair < 3 {
            Failure::Crash
        } else {
            Failure::Disconnect
        })
    };
    let text = format!("{OTHELLO}\n[failures]\ndisconnect = \"stop\"\n");
    assert_eq!(failing(&plan(&text), &store, stops), (None, 6));
    assert_eq!(failing(&plan(&text), &store, always), (Some(wanted), 10));
}

#[test]
fn a_tune_ends_above_the_tolerated_share_and_goes_on_with_a_larger_one() {
    // From pair 10 on every fourth pair has a crash: 2 of 30 games are above the tolerated share,
    // and from 50 games on 4 are more than chance.
    let faults: Faults = &|game| {
        (game.pair >= 10 && game.pair.is_multiple_of(4))
            .then_some(Failure::Crash)
            .filter(|_| game.game == 1)
    };
    let (_folder, store) = place();
    let (failing_, games) = failing(&plan(OTHELLO), &store, faults);
    let of = |it: Failing| (it.variant, it.failed, it.games);
    assert_eq!((failing_.map(of), games), (Some((1, 4, 50)), 50));
    let more = |share| {
        plan(&format!(
            "{OTHELLO}\n[failures]\ntolerate = \"{share} %\"\n"
        ))
    };
    assert_eq!(more(1).id(), more(9).id());
    assert_eq!(failing(&more(9), &store, faults), (None, 60));
    assert_eq!(
        failing(&more(1), &store, faults).1,
        50,
        "judged by what is asked now"
    );
}

fn numbers(rows: &[BatchRow]) -> Vec<u64> {
    rows.iter().map(|row| row.number).collect()
}

fn stopping() -> Plan {
    plan(&format!("{OTHELLO}\n[failures]\ncrash = \"stop\"\n"))
}

/// Fails the game of pair `at` after some time.
fn crash(game: GameId, at: u64, after_ms: u64) -> Option<Failure> {
    (game.pair == at).then(|| {
        sleep(Duration::from_millis(after_ms));
        Failure::Crash
    })
}

#[test]
fn nothing_is_begun_after_a_failure_that_stops_the_run() {
    let (_folder, store) = place();
    let faults: Faults = &|game| crash(game, 2, 0);
    let (ending, tuner, rows) = go_on(&stopping(), &store, 1, faults, true);
    assert_eq!(numbers(&rows), [0, 1]);
    assert_eq!(tuner.results_seen(), 2);
    let Ending::Stopped(stop) = ending else {
        panic!("{ending:?}");
    };
    assert_eq!((stop.pair, stop.fault.variant), (2, 1));
    assert_eq!(stop.fault.cause, Cause::Crash);
}

#[test]
fn it_is_always_the_first_failure_that_stops_the_run() {
    // Batches 3 to 6 fail; later batches fail sooner.
    let faults: Faults = &|game| match game.pair {
        pair @ 3..=6 => crash(game, pair, 40 * (6 - pair)),
        _ => None,
    };
    for threads in [1, 2, 4] {
        let (_folder, store) = place();
        let (ending, _, rows) = go_on(&stopping(), &store, threads, faults, true);
        let Ending::Stopped(stop) = ending else {
            panic!("{ending:?}");
        };
        assert_eq!(stop.pair, 3, "{threads} threads");
        let numbers: BTreeSet<u64> = numbers(&rows).into_iter().collect();
        assert!((0..3).all(|number| numbers.contains(&number)));
        assert!((3..=6).all(|number| !numbers.contains(&number)));

        // With fixed players the tune continues to the same result as without failures.
        let (ending, tuner, rows) = go_on(&stopping(), &store, threads, SOUND, true);
        assert_eq!(ending, Ending::Complete);
        let (_folder, other) = place();
        let (_, whole, all) = go_on(&stopping(), &other, 1, SOUND, true);
        assert_eq!((tuner.estimate(), rows), (whole.estimate(), all));
    }
}

#[test]
fn a_panic_in_a_player_ends_waiting_threads_of_its_batch() {
    let (_folder, store) = place();
    let text = OTHELLO.replace("window = 8", "window = 1");
    let plan = plan(&text);
    let faults: Faults = &|game| {
        assert!(game.pair < 4, "a bug of a player");
        None
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| go_on(&plan, &store, 3, faults, true)));
    assert!(outcome.is_err());
    let run = store.run("latest").unwrap().handle;
    assert_eq!(numbers(&store.batches(&run).unwrap()), [0, 1, 2, 3]);
}

#[test]
fn failures_are_recorded_with_their_batches() {
    let text =
        format!("{OTHELLO}\n[failures]\nstall = \"replay\"\nreplays = 1\ntolerate = \"9 %\"\n");
    let plan = plan(&text);
    // Pair 4 crashes in its second game, pair 5 stalls once, pair 6 twice.
    let faults: Faults = &|game| match (game.pair, game.game, game.attempt) {
        (4, 2, _) => Some(Failure::Crash),
        (5, 1, 1) | (6, 1, _) => Some(Failure::Stall),
        _ => None,
    };
    let all = [1, 4].map(|threads| {
        let (_folder, store) = place();
        let (ending, _, rows) = go_on(&plan, &store, threads, faults, true);
        assert_eq!(ending, Ending::Complete);
        let faults = batch_faults(&rows, 0);
        (rows, faults)
    });
    assert_eq!(all[0], all[1]);
    let [(rows, faults), _] = all;
    let failures: Vec<(u64, u32, usize, Cause, bool)> = rows
        .iter()
        .flat_map(|row| &row.failures)
        .map(|it: &BatchFailure| {
            assert_eq!(it.fault.variant, 1);
            let fault = it.fault;
            (it.pair, fault.attempt, fault.game, fault.cause, it.counts)
        })
        .collect();
    assert_eq!(
        failures,
        [
            (4, 1, 1, Cause::Crash, true),
            (5, 1, 0, Cause::Stall, false),
            (6, 1, 0, Cause::Stall, false),
            (6, 2, 0, Cause::Stall, true),
        ]
    );
    assert_eq!((faults.spoilt_pairs, faults.replays), (2, 2));
    assert_eq!(faults.first_spoilt, [4, 6]);
}

/// Kept players play the same games as newly created ones.
#[test]
fn players_that_are_kept_play_like_new_ones() {
    fn both(text: &str) -> [Vec<BatchRow>; 2] {
        let plan = plan(text);
        [true, false].map(|adopts| {
            let (_folder, store) = place();
            go_on(&plan, &store, 2, SOUND, adopts).2
        })
    }
    let [kept, new] = both(OTHELLO);
    assert_eq!(kept, new);
    let [kept, new] = both(XIANGQI);
    assert_eq!(kept, new);
}

#[test]
fn a_record_is_checked_against_the_plan() {
    let (_folder, store) = place();
    let plan = plan(OTHELLO);
    let (_, _, rows) = go_on(&plan, &store, 2, SOUND, true);
    let run = store.run("latest").unwrap().handle;
    let tuner = || plan.tune().unwrap().tuner().unwrap();
    let whole = CheckedBatches {
        batches: 30,
        followed: 30,
        pairs: 30,
        gap: None,
    };
    assert_eq!(check_batches(tuner(), &store, &run).unwrap(), whole);

    // After a missing batch, later ones do not follow.
    let (_folder, other) = place();
    let run = begin(&plan, &other).unwrap();
    for row in rows.iter().filter(|row| row.number != 20) {
        other.append_batch(&run, row).unwrap();
    }
    let gap = CheckedBatches {
        batches: 29,
        followed: 20,
        pairs: 29,
        gap: Some(Gap {
            part: Part::Batch,
            missing: 20,
            beyond: 9,
        }),
    };
    assert_eq!(check_batches(tuner(), &other, &run).unwrap(), gap);
    let mut forged = rows[20].clone();
    forged.plus[0] += 1.0;
    other.append_batch(&run, &forged).unwrap();
    let refused = check_batches(tuner(), &other, &run).unwrap_err();
    assert!(matches!(refused, RunError::OtherBatch(20)), "{refused}");
}
