//! Recording pairs, and reading them back.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use crate::common::records::{
    all, any_pair, book, contents, meta, openings, place, recorded, sample,
};
use leitai_game::{Cause, Move, Verdict};
use leitai_runs::store::{Appended, Mode, PairRow, Store, StoreError, StoreProblem};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn read_pairs_equal_written_pairs(
        pairs in (any_pair(0), any_pair(1), any_pair(900_000_000_000)),
    ) {
        let pairs = [pairs.0, pairs.1, pairs.2];
        let (_folder, path) = place();
        let (store, run) = recorded(&path, 0);
        for pair in pairs.iter().rev() {
            prop_assert_eq!(store.append(&run, pair).unwrap(), Appended::New);
        }
        prop_assert_eq!(&all(&store, &run).unwrap(), &pairs);
        drop(store);
        let store = Store::open(&path, Mode::Read).unwrap();
        let run = store.run("latest").unwrap().handle;
        prop_assert_eq!(&all(&store, &run).unwrap(), &pairs);
    }
}

#[test]
fn an_equal_pair_is_not_recorded_twice() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 3);
    let mut again = sample(1);
    again.elapsed_us += 17;
    assert_eq!(store.append(&run, &again).unwrap(), Appended::AlreadyThere);
    assert_eq!(store.run("latest").unwrap().recorded, 3);
    assert_eq!(store.pair(&run, 1).unwrap(), Some(sample(1)));
    assert_eq!(store.append(&run, &sample(3)).unwrap(), Appended::New);
}

/// A change of a pair, and a part of the expected message.
type Change = (fn(&mut PairRow), &'static str);

#[test]
fn another_pair_of_the_same_number_is_an_error_that_names_the_difference() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 3);
    let changes: [Change; 8] = [
        (|pair| pair.pairing = 4, "pairing 0, now 4"),
        (
            |pair| pair.variants = [1, 0],
            "variants 0 and 1, now 1 and 0",
        ),
        (|pair| pair.opening = 9, "opening 2, now 9"),
        (
            |pair| pair.record.games[1].plies[33].mv = Move(9),
            "game 2 has another move at ply 34",
        ),
        (
            |pair| pair.record.games[0].plies.truncate(40),
            "game 1 has 62 plies, now 40",
        ),
        (
            |pair| pair.record.games[0].plies[5].nodes += 1,
            "another score, depth or node count at ply 6",
        ),
        (
            |pair| pair.record.games[1].verdict = Verdict::draw(Cause::MoveLimit),
            "game 2 ended 1/2-1/2 by repetition, now 1/2-1/2 by move-limit",
        ),
        (|pair| pair.record.hashes[0] ^= 1, "other transcript hashes"),
    ];
    for (change, message) in changes {
        let mut pair = sample(2);
        change(&mut pair);
        let error = store.append(&run, &pair).unwrap_err();
        assert!(matches!(error.problem, StoreProblem::Conflict(2, ..)));
        assert!(error.to_string().contains(message), "{error}");
    }
    assert_eq!(store.pair(&run, 2).unwrap(), Some(sample(2)));
    assert_eq!(store.append(&run, &sample(3)).unwrap(), Appended::New);
}

#[test]
fn under_the_clock_the_first_games_of_a_pair_are_kept() {
    let (_folder, path) = place();
    let store = Store::open(&path, Mode::Write).unwrap();
    let mut meta = meta("c10c4");
    meta.reproducible = false;
    let run = store.begin_run(&meta, &book(openings())).unwrap();
    store.append(&run, &sample(0)).unwrap();
    let mut other = sample(0);
    other.record.games[0].plies.truncate(9);
    assert_eq!(store.append(&run, &other).unwrap(), Appended::AlreadyThere);
    assert_eq!(all(&store, &run).unwrap(), [sample(0)]);
    other.opening = 5;
    assert!(matches!(
        store.append(&run, &other),
        Err(StoreError {
            problem: StoreProblem::Conflict { .. },
            ..
        })
    ));
}

#[test]
fn unrecordable_pairs_are_refused() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 1);
    let changes: [Change; 5] = [
        (
            |pair| pair.record.index = u64::MAX,
            "a pair number above 2^63",
        ),
        (
            |pair| pair.record.games[0].plies[0].score = Some(i16::MIN),
            "a score of -32768",
        ),
        (
            |pair| pair.opening = 10,
            "a game from opening 10: the run has 10",
        ),
        (
            |pair| pair.variants[1] = 2,
            "a game of variant 2: the run has 2",
        ),
        (|pair| pair.record.games[1].first = 7, "a game of variant 7"),
    ];
    for (change, message) in changes {
        let mut pair = sample(1);
        change(&mut pair);
        let error = store.append(&run, &pair).unwrap_err();
        assert!(matches!(error.problem, StoreProblem::Unstorable { .. }));
        assert!(error.to_string().contains(message), "{error}");
    }
    assert_eq!(store.run("latest").unwrap().recorded, 1);
}

#[test]
fn pairs_come_in_order_however_they_were_recorded() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 0);
    // 7 is coprime to 300: every number once, except the multiples of 50.
    let order = (0..300)
        .map(|step| step * 7 % 300)
        .filter(|index| index % 50 != 0);
    for index in order {
        store.append(&run, &sample(index)).unwrap();
    }
    let wanted: Vec<PairRow> = (0..300)
        .filter(|index| index % 50 != 0)
        .map(sample)
        .collect();
    assert_eq!(all(&store, &run).unwrap(), wanted);
    let late: Vec<PairRow> = store
        .pairs_from(&run, 250)
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(late, wanted[wanted.len() - 49..]);
    let recorded = store.recorded_indices(&run).unwrap();
    assert_eq!((recorded.count(), recorded.prefix()), (294, 0));
    assert_eq!(recorded.ranges().len(), 6);
    assert!(recorded.contains(1) && !recorded.contains(50));
    store.append(&run, &sample(0)).unwrap();
    assert_eq!(store.recorded_indices(&run).unwrap().prefix(), 50);
    assert_eq!(store.pair(&run, 100).unwrap(), None);
}

#[test]
fn the_iterator_holds_a_page_and_not_the_run() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 200);
    let mut pairs = store.pairs(&run);
    assert_eq!(pairs.next().unwrap().unwrap(), sample(0));
    // A run kept in memory, or an open read transaction, would hide this pair.
    let other = Store::open(&path, Mode::Write).unwrap();
    other.append(&run, &sample(200)).unwrap();
    assert_eq!(pairs.count(), 200);
}

#[test]
fn two_writers_share_a_run() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let store = Store::open(&path, Mode::Write).unwrap();
                for index in 0..100 {
                    store.append(&run, &sample(index)).unwrap();
                }
            });
        }
    });
    assert_eq!(
        all(&store, &run).unwrap(),
        (0..100).map(sample).collect::<Vec<_>>()
    );
}

#[test]
fn a_record_opened_for_reading_is_not_written() {
    let (folder, path) = place();
    drop(recorded(&path, 2));
    let before = contents(folder.path());
    let store = Store::open(&path, Mode::Read).unwrap();
    let run = store.run("latest").unwrap().handle;
    for error in [
        store.append(&run, &sample(2)).unwrap_err(),
        store
            .begin_run(&meta("def"), &book(openings()))
            .unwrap_err(),
    ] {
        assert!(matches!(error.problem, StoreProblem::Unwritable { .. }));
        assert!(
            error.to_string().ends_with("it was opened for reading"),
            "{error}"
        );
    }
    drop(store);
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn a_copy_of_file_and_log_has_every_committed_pair() {
    let (folder, path) = place();
    let (store, run) = recorded(&path, 0);
    for index in 0..400 {
        store.append(&run, &sample(index)).unwrap();
        if index % 50 != 7 {
            continue;
        }
        // The state after a killed process: the log is not folded in.
        let copy = folder.path().join(format!("copy-{index}.sqlite"));
        for suffix in ["", "-wal"] {
            let from = format!("{}{suffix}", path.to_str().unwrap());
            fs::copy(from, format!("{}{suffix}", copy.to_str().unwrap())).unwrap();
        }
        for mode in [Mode::Read, Mode::Write] {
            let copy = Store::open(&copy, mode).unwrap();
            let run = copy.run("latest").unwrap().handle;
            assert_eq!(
                all(&copy, &run).unwrap(),
                (0..=index).map(sample).collect::<Vec<_>>()
            );
        }
    }
}

/// The variable with the record for the child process of the next test.
const VICTIM: &str = "LEITAI_TEST_STORE";

#[test]
fn a_killed_writer_loses_nothing_that_it_had_recorded() {
    let (_folder, path) = place();
    for round in 1..=4_u64 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "library::store_append::the_writer_to_be_killed",
                "--nocapture",
            ])
            .env(VICTIM, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told = lines
            .map_while(Result::ok)
            .filter_map(|line| line.strip_prefix("recorded ")?.parse::<u64>().ok())
            .nth(60)
            .unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let store = Store::open(&path, Mode::Write).unwrap();
        let run = store.begin_run(&meta("abc123"), &book(openings())).unwrap();
        let pairs = all(&store, &run).unwrap();
        assert!(told >= round * 60, "it goes on where it was killed");
        assert!(pairs.len() as u64 > told);
        assert!(
            pairs.into_iter().eq((0..)
                .map(sample)
                .take(store.recorded_indices(&run).unwrap().count() as usize))
        );
    }
}

#[test]
#[ignore = "run by the test above, in a process to be killed"]
fn the_writer_to_be_killed() {
    let Some(path) = env::var_os(VICTIM) else {
        return;
    };
    let store = Store::open(path, Mode::Write).unwrap();
    let run = store.begin_run(&meta("abc123"), &book(openings())).unwrap();
    println!();
    for index in store.recorded_indices(&run).unwrap().prefix().. {
        store.append(&run, &sample(index)).unwrap();
        println!("recorded {index}");
    }
}
