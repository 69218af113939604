//! Commands on a record that was changed by another program: each reports the damage.

use std::fs;

use rusqlite::Connection;

use crate::common::gates::{self, UP};
use crate::common::records::{book, contents, meta, openings, place, recorded, sample};
use crate::common::{Sandbox, run, small_tournament, stderr, stdout};
use leitai_runs::store::{Mode, Store};

/// Flips a bit of the first value of a query in the file.
fn turn(record: &str, query: &str) {
    let conn = Connection::open(record).expect("a record");
    // Removes earlier versions of the pages.
    conn.execute_batch("VACUUM").expect("a record");
    let value: Vec<u8> = conn
        .query_row(query, [], |row| row.get(0))
        .expect("a value");
    drop(conn);
    let mut bytes = fs::read(record).expect("a record");
    let mut places = bytes
        .windows(value.len())
        .enumerate()
        .filter(|(_, it)| *it == value);
    let (at, _) = places.next().expect("the value in the file");
    assert_eq!(places.count(), 0, "the only one");
    bytes[at + 2] ^= 0x40;
    fs::write(record, bytes).expect("a record");
}

/// The command exits with 2 and reports the damage on standard error.
fn refuses(command: &[&str], words: &[&str]) -> String {
    let output = run(command);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{command:?}: {word}: {said}");
    }
    stdout(&output)
}

#[test]
fn a_damaged_byte_of_a_time_is_reported_with_times() {
    let sandbox = Sandbox::new();
    let [store, page, out] = ["run.sqlite", "page.html", "all.sqlite"].map(|it| sandbox.path(it));
    let config = sandbox.write("run.toml", &small_tournament(2, 60));
    let played = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(played.status.success(), "{}", stderr(&played));
    let timed = run(&["report", &store, "--times"]);
    assert!(stdout(&timed).contains("the slowest"), "{}", stdout(&timed));
    turn(&store, "SELECT first FROM move_time ORDER BY pair LIMIT 1");
    for command in [
        &["report", &store, "--times"][..],
        &["report", &store, "--times", "--json"],
        &["report", &store, &format!("--html={page}")],
        &["report", &store, "--pgn", "-", "--times"],
        &["verify", &store],
        &["merge", &store, "--out", &out],
    ] {
        let printed = refuses(command, &[&store, "is damaged: pair ", "a time"]);
        assert_eq!(printed, "", "{command:?}");
    }
    assert!(!fs::exists(&out).expect("a folder"), "nothing was joined");
    // Under a clock, times are always reported.
    let text = small_tournament(1, 60).replace("nodes = 60", "movetime = \"1ms\"\nmargin = \"9s\"");
    let config = sandbox.write("clock.toml", &text);
    let store = sandbox.path("clock.sqlite");
    let played = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(played.status.success(), "{}", stderr(&played));
    turn(&store, "SELECT second FROM move_time ORDER BY pair LIMIT 1");
    refuses(&["report", &store], &["is damaged: pair ", "a time"]);
}

/// A gate with a changed game has no verdict to report.
#[test]
fn a_damaged_gate_is_named_by_every_list() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("gate.toml", &gates::gate(UP));
    let [whole, store] = ["whole.sqlite", "gate.sqlite"].map(|it| sandbox.path(it));
    let (code, _) = gates::play(&config, &whole, "2");
    assert_eq!(code, 0);
    fs::copy(&whole, &store).expect("a copy");
    let listed = run(&["report", &store, "--list"]);
    assert!(stdout(&listed).contains("accepted"), "{}", stdout(&listed));
    let first = "UPDATE game SET cause = 'repetition' WHERE id = 2 * (SELECT min(key) FROM pair)";
    let conn = Connection::open(&store).expect("a record");
    assert_eq!(conn.execute(first, []).expect("changed"), 1);
    drop(conn);

    let told = [
        "error: gate ",
        &store,
        "cannot be read",
        "is damaged: pair ",
        "help: ",
    ];
    let printed = refuses(&["report", &store, "--list"], &told);
    let is_listed = printed.contains("unreadable") && !printed.contains("finished");
    assert!(is_listed, "{printed}");
    let printed = refuses(&["report", &store, "--list", "--json"], &told);
    let runs: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert!(runs[0]["verdict"].is_null(), "{runs}");
    let why = runs[0]["error"].as_str().expect("why");
    assert!(why.contains("is damaged: pair "), "{why}");

    assert_eq!(refuses(&["history", &store], &told), "", "not `no gates`");
    let printed = refuses(&["history", &store, &whole, "--json"], &told);
    let history: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(history["accepted"], 1, "of the whole record");
    let unread = history["unread"].as_array().expect("a list");
    assert_eq!(unread.len(), 1, "{history}");
    assert_eq!(unread[0]["record"], store.as_str());
    assert_eq!(unread[0]["run"], runs[0]["run"]);
    assert_eq!(unread[0]["error"], why);
    let markdown = refuses(&["history", &store, &whole, "--markdown"], &told);
    assert!(
        markdown.contains("⚠️ Not in this table: gate"),
        "{markdown}"
    );
    // A file that is no longer a record is named too, and the other records are listed.
    let mut bytes = fs::read(&store).expect("a record");
    bytes.truncate(bytes.len() / 2);
    fs::write(&store, bytes).expect("a record");
    let told = ["error: ", &store, "is damaged", "help: "];
    let printed = refuses(&["history", &store, &whole, "--json"], &told);
    let history: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(history["accepted"], 1, "of the whole record");
    assert_eq!(history["unread"][0]["record"], store.as_str());
    assert!(history["unread"][0]["run"].is_null(), "{history}");
    let json = run(&["history", &whole, "--json"]);
    assert_eq!(json.status.code(), Some(0), "{}", stderr(&json));
    assert!(stdout(&json).contains("\"unread\":[]"), "{}", stdout(&json));
}

#[test]
fn nothing_is_joined_to_a_damaged_record_or_of_one() {
    let damages = [
        (
            "UPDATE opening SET fen = 'elsewhere' WHERE idx = 4",
            "openings of run",
        ),
        // A run that only this record has.
        (
            "UPDATE game SET cause = 'resignation' WHERE id = 2 * 5",
            "pair 4 of run `def456`",
        ),
        (
            "UPDATE timing SET elapsed_us = 1 WHERE pair = 4",
            "pair 3 of run `def456`",
        ),
    ];
    for (damage, words) in damages {
        let (_sources, source) = place();
        drop(recorded(&source, 3));
        let (folder, output) = place();
        let store = Store::open(&output, Mode::Write).expect("a record");
        let own = store
            .begin_run(&meta("def456"), &book(openings()))
            .expect("a run");
        for index in 0..6 {
            store.append(&own, &sample(index)).expect("recorded");
        }
        store.close().expect("closed");
        let conn = Connection::open(&output).expect("a record");
        assert_eq!(conn.execute(damage, []).expect("changed"), 1, "{damage}");
        drop(conn);
        let before = contents(folder.path());
        let [source, output] = [&source, &output].map(|it| it.to_str().expect("UTF-8"));
        let printed = refuses(&["merge", source, "--out", output], &[output, words]);
        assert_eq!(printed, "", "{damage}");
        assert!(contents(folder.path()) == before, "{damage}: unchanged");
        // A damaged record is not merged into a whole one either.
        refuses(&["merge", output, "--out", source], &[output, words]);
        let whole = Store::open(source, Mode::Read).expect("a record");
        assert_eq!(whole.runs().expect("runs").len(), 1, "{damage}");
    }
}
