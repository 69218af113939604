//! Tests of the failure that stops a run, and of failures in pairs that are not needed.

use std::time::Duration;

use super::*;
use crate::store::{Holder, Lease, Mode};
use crate::tournament::{DescribedBook, Replay, RunDescription, recorded_book};
use leitai_config::parse;
use leitai_game::Cause;
use leitai_games as games;
use leitai_players::play::PairRecord;
use leitai_players::schedule::{Book, MOST_CHECKED, PairSpec, Stream, below, generator};

/// Two built-in searches, and a program that exits after its greeting when it has to move.
const CONFIG: &str = r#"
game = "xiangqi"
limits = { nodes = 300 }
openings = { file = "b.epd" }
adjudication = { max_plies = 20 }
tournament = { pairs = 3 }
failures = { crash = "stop" }

[[variant]]
name = "one"
search = { table_mb = 0 }

[[variant]]
name = "other"
search = { table_mb = 0 }
eval = { preset = "tutorial" }

[[variant]]
name = "frail"
protocol = "uci"
command = [
    "sh", "-c",
    "while read -r a b; do case $a in uci) echo uciok;; isready) echo readyok;; go) exit 3; esac; done",
]
"#;

/// Wants all pairs of the first pairing, and the others until `enough` pairs are seen.
#[derive(Clone, Debug, PartialEq)]
struct Until {
    enough: u64,
    seen: Vec<u64>,
}

impl Goal for Until {
    fn wants(&self, pairing: usize) -> bool {
        pairing == 0 || (self.seen.len() as u64) < self.enough
    }

    fn take(&mut self, spec: &PairSpec, _: &PairRecord, _: &Replay) -> bool {
        self.seen.push(spec.index);
        true
    }
}

fn planned() -> (Plan, tempfile::TempDir, Store) {
    let config = parse(CONFIG, "test.toml", &games::all()).unwrap().config;
    let book = include_str!("../../../../../openings/xiangqi.epd");
    let book = Book::parse(config.game.card, book, "book").unwrap();
    let plan = Plan::new(config, book).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("games.sqlite"), Mode::Write).unwrap();
    (plan, folder, store)
}

/// The end of a run on this number of threads, and the pairs that it recorded.
fn played(enough: u64, threads: usize) -> (Ending, Vec<u64>, Vec<u64>) {
    let (plan, _folder, store) = planned();
    let goal = Until {
        enough,
        seen: Vec::new(),
    };
    let threads = NonZeroUsize::new(threads).unwrap();
    let calm = Cancel::new();
    let (ending, goal) = play_for(&goal, &plan, &store, threads, &calm, &mut ()).unwrap();
    let run = store.run("latest").unwrap().handle;
    let recorded = store.recorded_indices(&run).unwrap();
    let recorded = recorded.numbers().collect();
    (ending, goal.seen, recorded)
}

#[test]
fn the_first_failure_stops_a_run_whatever_the_threads() {
    for threads in 1..=4 {
        let (ending, seen, recorded) = played(99, threads);
        let Ending::Stopped(stop) = ending else {
            panic!("{threads} threads: {ending:?}");
        };
        assert_eq!((stop.pair, stop.fault.variant), (1, 2), "{threads} threads");
        assert_eq!((stop.fault.cause, stop.fault.game), (Cause::Crash, 0));
        assert_eq!(seen, [0]);
        // Pairs begun by other threads are kept; the failed pairs are not.
        assert!(recorded.iter().all(|index| index % 3 == 0), "{recorded:?}");
    }
}

#[test]
fn a_failure_of_a_retracted_unit_stops_nothing() {
    for threads in 1..=4 {
        let (ending, seen, recorded) = played(1, threads);
        assert_eq!(ending, Ending::Complete, "{threads} threads");
        assert_eq!([seen, recorded], [[0, 3, 6]; 2]);
    }
}

/// The plan of the config, its record, and its run there, with one pair leased by another process.
fn held(pair: u64) -> (Plan, tempfile::TempDir, Store, RunHandle, Holder) {
    let (plan, folder, store) = planned();
    let run = begin(&plan, &store).unwrap();
    let other = Holder::default();
    let leases = store.lease(&run, &other, 0, [pair]).unwrap();
    assert_eq!(leases, [Lease::Granted]);
    (plan, folder, store, run, other)
}

#[test]
fn a_lease_of_this_machine_shows_that_a_run_is_played_here() {
    let (_plan, _folder, store, run, other) = held(0);
    assert!(store.is_played(&run).unwrap() && store.is_played_here(&run).unwrap());
    // A process of another machine may have ended.
    let change = "UPDATE lease SET holder = 'elsewhere/1/1/0'";
    let file = rusqlite::Connection::open(store.path()).unwrap();
    assert_eq!(file.execute(change, []).unwrap(), 1);
    assert!(store.is_played(&run).unwrap() && !store.is_played_here(&run).unwrap());
    let back = "UPDATE lease SET until = 0";
    assert_eq!(file.execute(back, []).unwrap(), 1);
    assert!(!store.is_played(&run).unwrap());
    store.return_leases(&run, &other).unwrap();
}

/// Plays the remaining pairs on one thread while another runs `act`.
fn meanwhile(
    plan: &Plan,
    store: &Store,
    calm: &Cancel,
    other: impl FnOnce(&dyn Fn() -> bool),
) -> Ending {
    let path = store.path();
    std::thread::scope(|scope| {
        let playing = scope.spawn(move || {
            let store = Store::open(path, Mode::Write).unwrap();
            let played = play(plan, &store, NonZeroUsize::MIN, calm, &mut ());
            played.unwrap().0
        });
        other(&|| playing.is_finished());
        playing.join().unwrap()
    })
}

/// Waits until the condition holds; fails after some time.
fn until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never is");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A failure becomes the first one only after other processes have finished the pairs before it.
#[test]
fn a_failure_waits_for_the_pairs_before_it_that_others_hold() {
    let (plan, _folder, store, run, other) = held(1);
    let is_recorded = |pair| store.pair(&run, pair).unwrap().is_some();
    let ending = meanwhile(&plan, &store, &Cancel::new(), |is_over| {
        // Pair 2 stops the run, and pair 1 may do so before it.
        until(|| is_recorded(0));
        std::thread::sleep(Duration::from_millis(500));
        assert!(!is_over(), "pair 1 is held by somebody");
        store.return_leases(&run, &other).unwrap();
    });
    assert!(
        matches!(ending, Ending::Stopped(StoppingFailure { pair: 1, .. })),
        "{ending:?}"
    );
    assert!(![1, 2].into_iter().any(is_recorded));
}

/// While draining, a pair that another process gives up is not begun.
#[test]
fn a_pair_that_comes_free_is_not_begun_while_draining() {
    let (plan, _folder, store, run, other) = held(0);
    let calm = Cancel::new();
    let ending = meanwhile(&plan, &store, &calm, |is_over| {
        std::thread::sleep(Duration::from_millis(300));
        assert!(!is_over(), "pair 0 is held by somebody");
        calm.drain();
        store.return_leases(&run, &other).unwrap();
        until(is_over);
    });
    assert_eq!(store.pair(&run, 0).unwrap(), None);
    assert_eq!(ending, Ending::Cancelled);
}

/// A book of positions that games of the first opening come to, so that these openings are recorded
/// too.
#[test]
fn a_record_that_grows_is_followed_by_the_plan_that_it_gives() {
    let text = "game = \"othello\"\nlimits = { depth = 1 }\nopenings = { file = \"b.epd\", order = \
                \"sequential\" }\ntournament = { pairs = 12 }\nvariant = [{ name = \"a\" }, { name = \
                \"b\", eval = { mobility = 30 } }]";
    let config = || parse(text, "test.toml", &games::all()).unwrap().config;
    let card = config().game.card;
    let lines = include_str!("../../../../../openings/othello.txt");
    let plan = |text: &str| Plan::new(config(), Book::parse(card, text, "book").unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = |name: &str| Store::open(folder.path().join(name), Mode::Write).unwrap();
    let play = |plan: &Plan, store: &Store| {
        let played = play(plan, store, NonZeroUsize::MIN, &Cancel::new(), &mut ());
        let run = store.run("latest").unwrap().handle;
        let rows: Vec<PairRow> = store.pairs(&run).map(Result::unwrap).collect();
        (played.unwrap().1, run, rows)
    };
    let (_, _, rows) = play(&plan(lines), &store("short.sqlite"));
    // Late positions of these games become openings of the book.
    let mut longer = lines.to_owned();
    for row in &rows {
        let mut position = plan(lines).book.get(row.opening).unwrap().position();
        for ply in &row.record.games[0].plies[..40] {
            position.play(ply.mv);
        }
        longer.extend([&*position.to_fen(), "\n"]);
    }
    let plan = plan(&longer);
    let whole = store("whole.sqlite");
    let (standings, run, rows) = play(&plan, &whole);
    let held = whole.openings(&run).unwrap().held;
    let drawn: Vec<usize> = rows.iter().map(|row| row.opening).collect();
    let passed = held.iter().filter(|(index, _)| !drawn.contains(index));
    assert!(passed.count() > 6, "{drawn:?}");

    let growing = store("growing.sqlite");
    let meta = whole.run(run.id()).unwrap().meta;
    let begun = growing.begin_run(&meta, &plan.stored_book()).unwrap();
    let recorded = recorded_book(&growing, &begun, card).unwrap();
    let restored = Plan::new(config(), recorded).unwrap();
    assert_eq!(
        (restored.id(), restored.book.recalled()),
        (plan.id(), Some(0))
    );
    let goal = Standings::of(&restored);
    let mut fold = Fold::of_record(goal, &restored, &growing, &begun, |_, _| {}).unwrap();
    for row in &rows {
        let passed = Replays::new(&plan).of(row).unwrap().openings;
        let opening = |index| plan.stored_opening(index);
        let new = [(row, &*passed)];
        growing.append_all(&begun, &new, opening).unwrap();
        fold.catch_up(&growing, &begun, |_, _| {}).unwrap();
    }
    assert_eq!(restored.book.recalled(), Some(held.len()));
    assert_eq!(fold.goal().games(), standings.games());
    for row in &rows {
        let passed = [&plan, &restored].map(|plan| Replays::new(plan).of(row).unwrap().passed);
        assert_eq!(passed[0], passed[1]);
    }
}

/// A worker makes the book of a coordinator from its lines.
#[test]
fn the_description_of_a_run_has_a_long_book() {
    let mut random = generator(1, Stream::Openings);
    let mut text = String::new();
    for number in 0..MOST_CHECKED + 2_000 {
        let mut position = leitai_othello::card().initial();
        for _ in 0..14 {
            let moves = position.moves();
            let chosen = below(&mut random, moves.len() as u64) as usize;
            moves.get(chosen).iter().for_each(|&&mv| position.play(mv));
        }
        let name = format!("; id \"{number}\";\n# comment\n");
        text.extend([&*position.to_fen(), &name]);
    }
    let config = "game = \"othello\"\nlimits = { depth = 1 }\nopenings = { file = \"b.epd\" }\n\
                  tournament = { pairs = 2 }\nvariant = [{ name = \"a\" }, { name = \"b\" }]";
    let config = || parse(config, "test.toml", &games::all()).unwrap().config;
    let card = config().game.card;
    let plan = Plan::new(config(), Book::parse(card, &text, "book").unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("games.sqlite"), Mode::Write).unwrap();
    let run = begin(&plan, &store).unwrap();
    let context = RunContext {
        plan: &plan,
        store: &store,
        run: &run,
        threads: NonZeroUsize::MIN,
        cancel: &Cancel::new(),
    };
    let sent = serde_json::to_string(&RunDescription::of(&context).unwrap()).unwrap();
    let received: RunDescription = serde_json::from_str(&sent).unwrap();
    let DescribedBook::Lines(lines, plies) = received.book else {
        panic!("a book of openings");
    };
    let book = Book::parse_to(card, lines, "book", plies).unwrap();
    let there = Plan::new(config(), book).unwrap();
    assert!(!there.book.is_checked());
    assert_eq!(there.id(), plan.id());
    assert!(
        there
            .book
            .iter()
            .map(|it| it.fen().to_owned())
            .eq(plan.book.iter().map(|it| it.fen().to_owned()))
    );
}
