//! Processes that share a record share the work.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::common::{Sandbox, leitai, run, small_tournament, stderr, stdout};

fn begin(verb: &str, config: &str, store: &str, events: &str) -> Child {
    leitai()
        .args([verb, config, "--store", store, "--threads", "1", "--json"])
        .args(["--events", events, "--moves", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("leitai starts")
}

/// The pairs whose first game this process began, by its events.
fn begun(events: &str) -> Vec<u64> {
    let text = fs::read_to_string(events).expect("events");
    let events = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let games = events.filter(|event| event["event"] == "game-begun" && event["game"] == 1);
    games
        .map(|game| game["pair"].as_u64().expect("a number"))
        .collect()
}

fn pgn(store: &str) -> String {
    let output = run(&["report", store, "--pgn", "-"]);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

const GATE: &str = "gate = { base = \"plain\", candidate = \"full\", elo0 = 0, elo1 = 60, \
                    max_pairs = 20 }";

/// Two processes play no pair twice, and both end with the result of a single process.
#[test]
fn two_processes_play_no_pair_twice() {
    let sandbox = Sandbox::new();
    let tournament = small_tournament(6, 120);
    let gate = format!(
        "game = \"xiangqi\"\nseed = 3\nlimits = {{ nodes = 120 }}\nopenings = {{ file = {:?} }}\n\
         {GATE}\n[[variant]]\nname = \"plain\"\n\
         [[variant]]\nname = \"full\"\nsearch = {{ preset = \"full\" }}\n",
        crate::common::project("tests/data/xiangqi-64.epd")
    );
    let tune = format!(
        "game = \"othello\"\nseed = 3\nlimits = {{ nodes = 120 }}\nopenings = {{ file = {:?} }}\n\
         [tune]\ngames = 40\nbatch = 2\nproof = {{ max_pairs = 3 }}\n\
         [[tune.parameter]]\npath = \"eval.corners\"\nrange = 100\n[[variant]]\nname = \"mine\"\n",
        crate::common::project("openings/othello.txt")
    );
    for (verb, text) in [("run", &tournament), ("gate", &gate), ("tune", &tune)] {
        let config = sandbox.write(&format!("{verb}.toml"), text);
        let at = |name: &str| sandbox.path(&format!("{verb}-{name}"));
        let whole = begin(verb, &config, &at("whole.sqlite"), &at("whole.jsonl"));
        let whole = whole.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&whole.stderr).into_owned();
        assert!(
            whole.status.code().is_some_and(|it| it != 2),
            "{verb}: {said}"
        );

        let store = at("shared.sqlite");
        let events = ["a.jsonl", "b.jsonl"].map(at);
        let both = events
            .each_ref()
            .map(|events| begin(verb, &config, &store, events));
        for process in both {
            let ended = process.wait_with_output().expect("it ends");
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert_eq!(ended.status.code(), whole.status.code(), "{verb}: {said}");
            let [ours, theirs] = [&ended.stdout, &whole.stdout]
                .map(|out| String::from_utf8_lossy(out).replace("whole.sqlite", "shared.sqlite"));
            assert_eq!(ours, theirs, "{verb}");
        }
        assert_eq!(pgn(&store), pgn(&at("whole.sqlite")), "{verb}");
        if verb != "tune" {
            let [a, b] = events.each_ref().map(|events| begun(events));
            assert!(!a.is_empty() && !b.is_empty(), "{verb}: {a:?} {b:?}");
            assert!(
                a.iter().all(|pair| !b.contains(pair)),
                "{verb}: {a:?} {b:?}"
            );
        }
        let conn = Connection::open(&store).expect("a record");
        let leases: i64 = conn
            .query_row("SELECT count(*) FROM lease", [], |row| row.get(0))
            .expect("a number");
        assert_eq!(leases, 0, "{verb}: all are given back");
    }
}

/// The remaining processes play the pairs of a killed process at once.
#[test]
fn leases_of_a_killed_process_are_free() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("run.toml", &small_tournament(3, 2000));
    let store = sandbox.path("run.sqlite");
    let mut killed = begin("run", &config, &store, &sandbox.path("a.jsonl"));
    let begun = Instant::now();
    let held = || -> i64 {
        let conn = Connection::open(&store).expect("a record");
        let leases = conn.query_row("SELECT count(*) FROM lease", [], |row| row.get(0));
        leases.unwrap_or(0)
    };
    while held() == 0 && begun.elapsed() < Duration::from_secs(30) {
        sleep(Duration::from_millis(2));
    }
    killed.kill().expect("killed");
    killed.wait().expect("gone");
    let began = Instant::now();
    let next = begin("run", &config, &store, &sandbox.path("b.jsonl"));
    let ended = next.wait_with_output().expect("it ends");
    assert!(ended.status.success());
    assert!(
        began.elapsed() < Duration::from_secs(45),
        "it waited for a lease"
    );
    let summary: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    assert_eq!(summary["complete"], true);
    assert_eq!(held(), 0);
}
