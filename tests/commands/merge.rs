//! Merging of records.

use std::fs;
use std::path::Path;

use leitai_players::play::Fault;
use leitai_runs::store::{Mode, PlayedBy, Store, WorkerName};
use rusqlite::Connection;

use crate::common::records::{place, recorded, sample};
use crate::common::{Sandbox, run, small_tournament, stderr, stdout};

fn pgn(store: &str) -> String {
    let output = run(&["report", store, "--pgn", "-", "--times"]);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// A copy of a record without some of its pairs.
fn without(sandbox: &Sandbox, whole: &str, name: &str, gone: &str) -> String {
    let path = sandbox.path(name);
    fs::copy(whole, &path).expect("a copy");
    let conn = Connection::open(&path).expect("a record");
    let pairs = format!("(SELECT key FROM pair WHERE {gone})");
    conn.execute_batch(&format!(
        "DELETE FROM move_time WHERE pair IN {pairs}; DELETE FROM timing WHERE pair IN {pairs};
         DELETE FROM game WHERE id >> 1 IN {pairs}; DELETE FROM pair WHERE {gone};"
    ))
    .expect("removed");
    path
}

#[test]
fn parts_of_a_run_become_the_whole() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("run.toml", &small_tournament(4, 100));
    let whole = sandbox.path("run.sqlite");
    let played = run(&["run", &config, "--store", &whole, "--quiet"]);
    assert!(played.status.success(), "{}", stderr(&played));
    let a = without(&sandbox, &whole, "a.sqlite", "idx > 6");
    let b = without(&sandbox, &whole, "b.sqlite", "idx < 4");
    let before = [&a, &b].map(|file| fs::read(file).expect("a record"));
    let output = sandbox.path("all.sqlite");
    let merged = run(&["merge", &a, &b, "-o", &output, "--quiet"]);
    assert!(merged.status.success(), "{}", stderr(&merged));
    assert!(
        stdout(&merged).contains("12 pairs of 1 run added, 3 there already"),
        "{}",
        stdout(&merged)
    );
    assert_eq!(pgn(&output), pgn(&whole));
    let report = |store: &str| stdout(&run(&["report", store, "--json"]));
    assert_eq!(report(&output), report(&whole));
    assert_eq!(
        [&a, &b].map(|file| fs::read(file).expect("a record")),
        before
    );
    // A repetition adds nothing, and the run continues from there.
    let again = run(&["merge", &a, &b, "-o", &output, "--quiet", "--json"]);
    let again: serde_json::Value = serde_json::from_str(&stdout(&again)).expect("JSON");
    assert_eq!([&again["new"], &again["known"]], [0, 15]);
    let resumed = run(&["run", &config, "--store", &output, "--quiet"]);
    assert_eq!(stdout(&resumed), stdout(&played));
    // A record is not merged into itself.
    let own = run(&["merge", &a, &b, "-o", &a]);
    assert_eq!(own.status.code(), Some(2));
    assert!(
        stderr(&own).contains("this command reads it"),
        "{}",
        stderr(&own)
    );
}

#[test]
fn the_same_pair_with_other_games_is_an_error_that_names_both() {
    let (_one, a) = place();
    let (_two, b) = place();
    drop(recorded(&a, 5));
    let (store, handle) = recorded(&b, 3);
    let mut other = sample(3);
    other.record.spoilt.push(Fault {
        attempt: 1,
        game: 0,
        variant: 1,
        cause: leitai_game::Cause::Stall,
    });
    other.record.games[0].plies.pop();
    store.append(&handle, &other).expect("recorded");
    drop(store);
    let (folder, output) = place();
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let merged = run(&["merge", &text(&a), &text(&b), "-o", &text(&output)]);
    let said = stderr(&merged);
    assert_eq!(merged.status.code(), Some(2), "{said}");
    assert!(said.contains("pair 3 of run"), "{said}");
    assert!(
        said.contains(&text(&a)) && said.contains(&text(&b)),
        "{said}"
    );
    if output.exists() {
        let store = Store::open(&output, Mode::Read).expect("a record");
        assert!(store.runs().expect("read").is_empty(), "nothing was added");
    }
    drop(folder);
}

/// A pair that exists already keeps its worker.
#[test]
fn workers_come_with_their_pairs() {
    let (_one, a) = place();
    let (_two, b) = place();
    for (path, name, pairs) in [(&a, "left", 0..3), (&b, "right", 2..5)] {
        let (store, handle) = recorded(path, 0);
        for index in pairs {
            let mut row = sample(index);
            row.worker = PlayedBy(WorkerName::new(name));
            store.append(&handle, &row).expect("recorded");
        }
    }
    let (_folder, output) = place();
    let paths = [&a, &b, &output].map(|path| path.to_str().expect("UTF-8"));
    let merged = run(&["merge", paths[0], paths[1], "-o", paths[2]]);
    assert!(merged.status.success(), "{}", stderr(&merged));
    let store = Store::open(&output, Mode::Read).expect("a record");
    let handle = store.run("latest").expect("a run").handle;
    let of = |name| store.pairs_of_worker(&handle, name).expect("read");
    assert_eq!([of("left"), of("right")], [vec![0, 1, 2], vec![3, 4]]);
}
