//! `leitai backup`, and `leitai check` of a record.

use std::fs;
use std::process::{Child, Stdio};

use rusqlite::Connection;
use serde_json::Value;

use crate::attack::stop;
use crate::common::{Sandbox, json, leitai, run, small_tournament, stderr, stdout, wait_for};

/// The record of a finished run.
fn finished(sandbox: &Sandbox, pairs: u32) -> String {
    let config = sandbox.write("run.toml", &small_tournament(pairs, 60));
    let store = sandbox.path("run.sqlite");
    let played = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(played.status.success(), "{}", stderr(&played));
    store
}

/// Starts a run on one thread.
fn start(config: &str, store: &str, events: &str) -> Child {
    let mut command = leitai();
    command.args(["run", config, "--store", store, "--quiet", "--threads", "1"]);
    command.arg(format!("--events={events}"));
    let child = command.stdout(Stdio::null()).spawn();
    child.expect("it runs")
}

/// The exit code of a check, and its JSON.
fn checked(store: &str) -> (Option<i32>, Value) {
    let output = run(&["check", store, "--json"]);
    let content = serde_json::from_slice(&output.stdout).expect("JSON");
    (output.status.code(), content)
}

#[test]
fn a_record_is_checked_against_all_its_digests() {
    let sandbox = Sandbox::new();
    let store = finished(&sandbox, 3);
    let (code, whole) = checked(&store);
    assert_eq!(code, Some(0));
    assert_eq!(whole["whole"], true);
    assert_eq!(
        [&whole["runs"][0]["pairs"], &whole["runs"][0]["whole"]],
        [9, 9]
    );
    let text = run(&["check", &store]);
    assert!(stdout(&text).contains("is whole"), "{}", stdout(&text));
    for (change, whole_pairs, named) in [
        (
            "UPDATE game SET moves = x'00' WHERE id = (SELECT 2 * key FROM pair WHERE idx = 8)",
            8,
            "pair 8",
        ),
        (
            "UPDATE timing SET elapsed_us = 1 WHERE pair = (SELECT key FROM pair WHERE idx = 0)",
            8,
            "pair 0",
        ),
        (
            "DELETE FROM game WHERE id = (SELECT 2 * key FROM pair WHERE idx = 0)",
            8,
            "pair 0",
        ),
        ("DELETE FROM pair WHERE idx = 4", 8, "pair 4 of run"),
        (
            "DELETE FROM timing WHERE pair = (SELECT key FROM pair WHERE idx = 4)",
            8,
            "pair 4",
        ),
        ("UPDATE opening SET fen = 'x'", 9, "openings"),
        ("UPDATE run SET config = '{}'", 0, "not as it was begun"),
    ] {
        let damaged = sandbox.path("damaged.sqlite");
        fs::copy(&store, &damaged).expect("copied");
        let conn = Connection::open(&damaged).expect("a record");
        conn.pragma_update(None, "foreign_keys", "OFF")
            .expect("set");
        assert!(conn.execute(change, []).expect("changed") > 0, "{change}");
        drop(conn);
        let (code, content) = checked(&damaged);
        assert_eq!(code, Some(1), "{change}");
        let sum = content["runs"].as_array().expect("runs").iter();
        let sum: u64 = sum.filter_map(|run| run["whole"].as_u64()).sum();
        assert_eq!(sum, whole_pairs, "{change}: {content}");
        let said = content["damages"][0].as_str().expect("a damage");
        assert!(said.contains(named), "{change}: {said}");
        let refused = run(&["backup", &damaged]);
        assert_eq!(refused.status.code(), Some(2), "{change}");
        assert!(
            stderr(&refused).contains("damaged.sqlite"),
            "{}",
            stderr(&refused)
        );
    }
    assert_eq!(
        sandbox.files(),
        ["damaged.sqlite", "run.sqlite", "run.toml"]
    );
}

#[test]
fn a_removed_run_leaves_pairs_that_are_noticed() {
    let sandbox = Sandbox::new();
    let store = finished(&sandbox, 2);
    let conn = Connection::open(&store).expect("a record");
    conn.execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM run;")
        .expect("changed");
    drop(conn);
    let (code, content) = checked(&store);
    assert_eq!(code, Some(1));
    let said = content["damages"].to_string();
    assert!(
        said.contains("6 rows of `pair` have lost their rows of `run`"),
        "{said}"
    );
}

/// A log with a damaged frame: SQLite would leave out the rest and remove the log.
#[test]
fn a_damaged_log_is_noticed_and_stays() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("run.toml", &small_tournament(64, 60));
    let [store, events, log] =
        ["run.sqlite", "events", "run.sqlite-wal"].map(|it| sandbox.path(it));
    let mut playing = start(&config, &store, &events);
    wait_for(&events, "\"event\":\"pair\"", 30);
    playing.kill().expect("killed");
    playing.wait().expect("ended");
    let [record, whole] = [&store, &log].map(|it| fs::read(it).expect("a file"));
    // In the head of the log, in the head of its third frame, and in a page.
    for place in [17, 32 + 2 * 4120 + 9, 32 + 2 * 4120 + 500] {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        fs::write(&log, &bytes).expect("written");
        let (code, content) = checked(&store);
        assert_eq!(code, Some(1), "{place}: {content}");
        for command in ["report", "backup"] {
            let refused = run(&[command, &store]);
            assert_eq!(refused.status.code(), Some(2), "{place}: {command}");
            assert!(
                stderr(&refused).contains("`-wal` file is damaged"),
                "{}",
                stderr(&refused)
            );
        }
        assert_eq!(fs::read(&log).expect("the log"), bytes, "{place}");
        assert_eq!(fs::read(&store).expect("the record"), record, "{place}");
    }
    // The whole log stays too.
    fs::write(&log, &whole).expect("written");
    assert_eq!(checked(&store).0, Some(0));
    assert_eq!(fs::read(&log).expect("the log"), whole);
    let mut bytes = whole;
    bytes[32 + 2 * 4120 + 500] ^= 1;
    fs::write(&log, &bytes).expect("written");
    let again = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(again.status.success(), "{}", stderr(&again));
    let (code, content) = checked(&store);
    assert_eq!(
        (code, content["runs"][0]["whole"].as_u64()),
        (Some(0), Some(192))
    );
}

#[test]
fn a_file_with_lost_pages_still_has_whole_pairs() {
    let sandbox = Sandbox::new();
    let store = finished(&sandbox, 30);
    let mut bytes = fs::read(&store).expect("a record");
    let conn = Connection::open(&store).expect("a record");
    let select = "SELECT nodes FROM game ORDER BY id DESC LIMIT 1";
    let nodes: Vec<u8> = conn
        .query_row(select, [], |row| row.get(0))
        .expect("a game");
    drop(conn);
    // The page of a game.
    let place = bytes.windows(nodes.len()).rposition(|it| it == nodes);
    let page = place.expect("in the file") / 4096 * 4096;
    bytes[page..page + 4096].fill(0xa5);
    fs::write(&store, &bytes).expect("written");
    let (code, content) = checked(&store);
    assert_eq!(code, Some(1));
    let [pairs, whole] = ["pairs", "whole"].map(|key| content["runs"][0][key].as_u64());
    assert_eq!(pairs, Some(90), "{content}");
    assert!(whole > Some(40) && whole < pairs, "{content}");
    assert_eq!(
        fs::read(&store).expect("a record"),
        bytes,
        "it is unchanged"
    );
}

#[test]
fn a_running_record_is_copied_and_the_copy_carries_on() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("run.toml", &small_tournament(8, 400));
    let [store, events, copy, pgn] =
        ["run.sqlite", "events", "copy.sqlite", "copy.pgn"].map(|it| sandbox.path(it));
    let mut playing = start(&config, &store, &events);
    wait_for(&events, "\"pair\"", 4);
    let copied = json(&["backup", &store, "--out", &copy, "--json"]);
    assert_eq!(copied["whole"], true);
    let pairs = copied["runs"][0]["whole"].as_u64().expect("pairs");
    assert!(pairs > 0, "{copied}");
    assert_eq!(checked(&copy).0, Some(0));
    // The process that plays pairs of the record holds no leases in the copy.
    let conn = Connection::open(&copy).expect("a record");
    let leases: i64 = conn
        .query_row("SELECT count(*) FROM lease", [], |row| row.get(0))
        .expect("a count");
    assert_eq!(leases, 0);
    drop(conn);
    // It is not written over.
    let again = run(&["backup", &store, "--out", &copy]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("copy.sqlite"), "{}", stderr(&again));
    // An old log next to the name would become a part of the copy.
    let beside = sandbox.write("other.sqlite-wal", "a log");
    let refused = run(&["backup", &store, "--out", &sandbox.path("other.sqlite")]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains(&beside), "{}", stderr(&refused));
    stop(&mut playing, "INT");
    let finish = |store: &str, pgn: &str| {
        let output = run(&["run", &config, "--store", store, "--quiet", "--pgn", pgn]);
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read_to_string(pgn).expect("games")
    };
    assert_eq!(
        finish(&copy, &pgn),
        finish(&store, &sandbox.path("run.pgn"))
    );
    for name in ["run.sqlite.saved", "run.sqlite.saved-2"] {
        assert!(run(&["backup", &store]).status.success());
        assert_eq!(checked(&sandbox.path(name)).0, Some(0), "{name}");
    }
}
