//! Tunes as a user runs them: played, killed, continued and verified.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Sandbox, json, leitai, project, run, stderr, stdout};
use rusqlite::Connection;
use serde_json::Value;

/// Othello starting from disc counts: tunes the values of squares at two plies.
fn config(games: u32) -> String {
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    format!(
        r#"# From counting discs.
game = "othello"
seed = 3
limits = {{ depth = 2 }}
openings = {{ file = {book:?} }}

[tune]
games = {games}
no_effect = "move"
proof = {{ elo0 = 0, elo1 = 50 }}

[[tune.parameter]]
path = "eval.squares[*]"
min = -100
max = 200
step = 20

[[variant]]
name = "discs"  # ten classes
eval = {{ preset = "discs" }}
"#
    )
}

/// The answer of a tune, and its output file.
fn tune(config: &str, store: &str, threads: &str) -> (Value, String) {
    let arguments = ["tune", config, "--store", store, "--threads", threads];
    let output = run(&[&arguments[..], &["--json", "--quiet", "--no-proof"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let mut answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    answer["store"] = Value::Null;
    let tuned = answer["tuned"].as_str().expect("a file").to_owned();
    (answer, fs::read_to_string(tuned).expect("a config"))
}

#[test]
fn a_tune_is_the_same_on_any_threads_and_killed_at_any_moment() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("discs.toml", &config(400));
    let whole = tune(&file, &sandbox.path("whole.sqlite"), "1");
    assert_eq!(whole.0["games"], 400);
    assert_eq!(tune(&file, &sandbox.path("four.sqlite"), "4"), whole);
    let store = sandbox.path("killed.sqlite");
    for number in 0..5 {
        let mut child = leitai();
        child.args([
            "tune",
            &file,
            "--store",
            &store,
            "--threads",
            "2",
            "--quiet",
        ]);
        child.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().expect("the binary");
        sleep(Duration::from_millis(30 + 25 * number));
        child.kill().expect("killed");
        child.wait().expect("a status");
    }
    assert_eq!(tune(&file, &store, "2"), whole);
}

/// Values of pieces in the order of captures, tuned from all alike by nodes of searches.
#[test]
fn an_order_is_tuned_by_nodes_alike_on_any_threads_and_killed_at_any_moment() {
    let sandbox = Sandbox::new();
    let book = project("openings/xiangqi-midgame20.epd");
    let file = sandbox.write(
        "order.toml",
        &format!(
            r#"
game = "xiangqi"
limits = {{ nodes = 200 }}
openings = {{ file = {:?} }}
[tune]
algorithm = "spsa"
objective = "nodes"
depth = 2
games = 160
batch = 4
[[tune.parameter]]
path = "search.capture_values.*"
min = 0
max = 60
step = 10
[[variant]]
name = "flat"
search = {{ ordering = ["good-captures", "static-quiets"], capture_values = {{ rook = 20, cannon = 20, horse = 20, advisor = 20, elephant = 20, pawn = 20, crossed_pawn = 20 }} }}
"#,
            book.to_str().expect("UTF-8")
        ),
    );
    let store = sandbox.path("whole.sqlite");
    let whole = tune(&file, &store, "1");
    assert_eq!(whole.0["games"], 160);
    let values = |place: usize| whole.0["dimensions"][place]["value"].as_i64();
    assert!(values(0) > values(5), "a rook is worth more than a pawn");
    assert!(
        whole.0["notes"][0]
            .as_str()
            .expect("a note")
            .contains("to depth 2")
    );
    let nodes = &whole.0["nodes"];
    assert_eq!(
        [&nodes["depth"], &nodes["openings"], &nodes["other_scores"]],
        [2, 20, 0]
    );
    let ratio = nodes["ratio"]["value"].as_f64();
    assert!(
        ratio <= nodes["ratio"]["high"].as_f64() && ratio < Some(1.0),
        "{nodes}"
    );
    assert_eq!(tune(&file, &sandbox.path("four.sqlite"), "4"), whole);
    let killed = sandbox.path("killed.sqlite");
    for number in 0..4 {
        let mut child = leitai();
        child.args(["tune", &file, "--store", &killed, "--quiet", "--no-proof"]);
        child.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().expect("the binary");
        sleep(Duration::from_millis(30 + 40 * number));
        child.kill().expect("killed");
        child.wait().expect("a status");
    }
    assert_eq!(tune(&file, &killed, "2"), whole);
    let verified = json(&["verify", &store, "--json"]);
    assert_eq!(verified["batches"], verified["followed"]);
    assert_eq!(
        (&verified["replayed"], &verified["differences"]),
        (&80.into(), &Value::Array(Vec::new()))
    );
    // Each game is one search: its move, with fewer nodes where it won.
    let conn = Connection::open(&store).expect("a record");
    let others = "SELECT count(*) FROM game WHERE cause <> 'node-count' OR length(moves) <> 2";
    let others: u32 = conn
        .query_row(others, [], |row| row.get(0))
        .expect("a count");
    assert_eq!(others, 0);
}

#[test]
fn tuned_variants_are_proven_and_readable() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("discs.toml", &config(2400));
    let store = sandbox.path("tune.sqlite");
    let output = run(&["tune", &file, "--store", &store, "--quiet"]);
    let told = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(
        told.contains("`discs-tuned` is stronger than `discs`"),
        "{told}"
    );
    let tuned = fs::read_to_string(sandbox.path("discs.tuned.toml")).expect("a config");
    for kept in [
        "# From counting discs.",
        "name = \"discs\"  # ten classes",
        "base = \"discs\"",
        "candidate = \"discs-tuned\"",
        "seed = 4",
    ] {
        assert!(tuned.contains(kept), "{kept} in {tuned}");
    }
    assert!(!tuned.contains("[tune]"), "{tuned}");
    let page = fs::read_to_string(sandbox.path("discs.report.html")).expect("a page");
    let proven = page
        .find("is stronger than <code>discs</code>")
        .expect("the proof");
    let strength = &page[proven..];
    assert!(strength.contains(". Elo +") && strength.contains("median-unbiased"));
    // As is well known, the corner is worth most and the square next to it least.
    let answer = tune(&file, &store, "2").0;
    let values: Vec<i64> = answer["dimensions"]
        .as_array()
        .expect("dimensions")
        .iter()
        .map(|row| row["value"].as_i64().expect("a number"))
        .collect();
    assert!(values[0] > 50 && values[4] < 0, "{values:?}");
}

#[test]
fn a_tune_without_a_tune_is_a_usage_error() {
    let sandbox = Sandbox::new();
    let text = config(100);
    let (from, to) = (text.find("[tune]"), text.find("[[variant]]"));
    let text = format!(
        "{}{}",
        &text[..from.expect("a tune")],
        &text[to.expect("a variant")..]
    );
    let file = sandbox.write("none.toml", &text);
    let output = run(&["tune", &file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("[tune]") || stderr(&output).contains("tournament"));
}

/// Plays a tune that may be too short to learn anything; returns its answer.
fn play(config: &str, store: &str) -> Value {
    let usual = ["--threads", "2", "--json", "--quiet", "--no-proof"];
    let output = run(&[&["tune", config, "--store", store][..], &usual].concat());
    let told = stderr(&output);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{told}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A tune in a record, and its config.
fn recorded() -> (Sandbox, String, String) {
    let sandbox = Sandbox::new();
    let file = sandbox.write("discs.toml", &config(200));
    let store = sandbox.path("tune.sqlite");
    play(&file, &store);
    (sandbox, file, store)
}

#[test]
fn a_recorded_tune_is_distinguished_from_a_tournament() {
    let (_sandbox, file, store) = recorded();
    let listed = stdout(&run(&["report", &store, "--list"]));
    assert!(listed.contains("100/100 pairs"), "{listed}");
    let listed = json(&["report", &store, "--list", "--json"]);
    assert_eq!(listed[0]["recorded"], 100);
    let told = stdout(&run(&["report", &store]));
    let head = "othello: a tune of `discs` by regression, 10 dimensions, 100 of 100 pairs in ";
    assert!(told.starts_with(head), "{told}");
    let again = format!("leitai tune {file} --store {store}");
    assert!(told.contains(&again), "{told}");
    let report = json(&["report", &store, "--json"]);
    assert_eq!(
        (&report["kind"], &report["recorded"]),
        (&"tune".into(), &100.into())
    );
    let output = run(&["report", &store, "--junit", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is a tune"), "{}", stderr(&output));
}

#[test]
fn the_games_of_a_tune_are_recorded_and_written() {
    let (sandbox, _, store) = recorded();
    let output = run(&["report", &store, "--pgn", "-"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let games = stdout(&output);
    assert_eq!(stdout(&run(&["convert", &store])), games);
    let file = sandbox.write("tune.pgn", &games);
    assert_eq!(stdout(&run(&["convert", &file])), games);
    let checked = stdout(&run(&["convert", &file, "--check"]));
    assert!(checked.contains("200 games read"), "{checked}");
    assert!(
        checked.contains("200 confirmed by the referee"),
        "{checked}"
    );
    for (tag, count) in [
        ("[Black \"discs+\"]", 100),
        ("[White \"discs+\"]", 100),
        ("[Round \"1.1\"]", 1),
        ("[Batch \"0\"]", 2 * batch_of_a_tune(&store)),
    ] {
        assert_eq!(games.matches(tag).count(), count, "{tag}");
    }
    // A record without games is reported.
    let conn = Connection::open(&store).expect("a record");
    conn.execute_batch("DELETE FROM game; DELETE FROM timing; DELETE FROM pair")
        .expect("removed");
    drop(conn);
    for command in [&["report", &store, "--pgn", "-"][..], &["convert", &store]] {
        let output = run(command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let said = stderr(&output);
        assert!(said.contains("no recorded games"), "{command:?}: {said}");
    }
    let verified = json(&["verify", &store, "--json"]);
    assert_eq!(verified["replayed"], 0);
}

/// The number of pairs in the first batch of a recorded tune.
fn batch_of_a_tune(store: &str) -> usize {
    let conn = Connection::open(store).expect("a record");
    let sum = "SELECT ll + ld + even + wd + ww FROM batch WHERE number = 0";
    let pairs: u32 = conn.query_row(sum, [], |row| row.get(0)).expect("a batch");
    pairs as usize
}

#[test]
fn a_recorded_tune_is_verified() {
    let (sandbox, _, store) = recorded();
    let verified = json(&["verify", &store, "--json"]);
    assert_eq!(verified["batches"], verified["followed"]);
    assert_eq!(
        (&verified["pairs"], &verified["replayed"]),
        (&100.into(), &100.into())
    );
    let output = run(&["verify", &store]);
    assert_eq!(output.status.code(), Some(0));
    let told = stdout(&output);
    assert!(told.contains("100 pairs replayed"), "{told}");

    // A changed result in the middle is reported as damage; a missing batch is a gap.
    let damage = |file: &str, change: &str| {
        let other = sandbox.path(file);
        fs::copy(&store, &other).expect("a copy");
        let conn = Connection::open(&other).expect("a record");
        assert!(conn.execute(change, []).expect("changed") > 0);
        drop(conn);
        run(&["verify", &other])
    };
    let forged = "UPDATE batch SET ll = ll + 1, ww = ww - 1 WHERE number = 20 AND ww > 0 \
                  OR number = 21";
    let output = damage("forged.sqlite", forged);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("is not what was recorded"), "{told}");
    let output = damage("gap.sqlite", "DELETE FROM batch WHERE number = 20");
    assert_eq!(output.status.code(), Some(0));
    let told = stdout(&output);
    assert!(told.contains("the first 20 follow"), "{told}");
    assert!(
        stderr(&output).contains("note: batch 20 is not recorded"),
        "{}",
        stderr(&output)
    );
}

/// Missing batches are reported, and the same command plays them again.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn batches_beyond_a_gap_are_reported_and_missing_ones_replayed() {
    let (_sandbox, file, store) = recorded();
    let whole = play(&file, &store);
    let batches = json(&["verify", &store, "--json"])["batches"]
        .as_u64()
        .expect("a number");
    for (remove, missing, gone) in [("number IN (3, 7, 8)", 3, 3), ("number = 0", 0, 1)] {
        let conn = Connection::open(&store).expect("a record");
        let remove = format!("DELETE FROM batch WHERE {remove}");
        assert_eq!(conn.execute(&remove, []).expect("removed"), gone as usize);
        drop(conn);
        let beyond = batches - missing - gone;
        let gap = format!(
            "note: batch {missing} is not recorded, and {beyond} batches beyond it are left out \
             until it is: the command that played the run plays the missing part"
        );
        let report = run(&["report", &store]);
        assert!(report.status.success());
        assert!(stderr(&report).contains(&gap), "{}", stderr(&report));
        for answer in [
            json(&["report", &store, "--json"]),
            json(&["verify", &store, "--json"]),
        ] {
            let expected = serde_json::json!({"missing": missing, "beyond": beyond});
            assert_eq!(answer["gap"], expected);
        }
        assert_eq!(play(&file, &store), whole);
        let report = run(&["report", &store]);
        assert_eq!(stderr(&report), "");
    }
}

#[test]
fn the_config_of_a_tune_is_checked() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("discs.toml", &config(200));
    let output = run(&["check", &file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = stdout(&output);
    let plan = "tune      `discs` by regression: 10 dimensions, 100 pairs, 200 games";
    assert!(told.contains(plan), "{told}");
    let checked = json(&["check", &file, "--json"]);
    assert_eq!(
        (&checked["pairs"], &checked["dimensions"]),
        (&100.into(), &10.into())
    );
    let store = sandbox.path("t.sqlite");
    assert_eq!(play(&file, &store)["run"], checked["run"]);
    let gone = config(200).replace("othello.txt", "gone.epd");
    let file = sandbox.write("gone.toml", &gone);
    let output = run(&["check", &file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("gone.epd"));
}

#[test]
fn every_config_of_the_project_is_fine() {
    let mut studies = 0;
    for entry in fs::read_dir(project("configs")).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.to_str().expect("UTF-8");
        if path.extension() != Some("toml".as_ref()) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a config");
        // The identity of external programs is not checked.
        let output = run(&["check", name]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(!said.contains("inconclusive"), "{name}: {said}");
        let told = stdout(&output);
        assert!(told.contains(": fine\n"), "{name}: {told}");
        if text.contains("\n[study]\n") {
            assert!(told.contains("\nstudy     "), "{name}: {told}");
            studies += 1;
        } else {
            let plan = ["\nplan      ", "\ntune      "];
            assert!(plan.iter().any(|it| told.contains(it)), "{name}: {told}");
        }
    }
    assert!(studies >= 9, "{studies}");
}
