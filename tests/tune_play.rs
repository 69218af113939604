//! Tunes as a user runs them: played, killed, carried on, proven.

mod binary;

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use binary::{Sandbox, leitai, project, run, stderr, stdout};
use serde_json::Value;

/// Othello from counting discs: what a square is worth, at two plies.
fn config(games: u32) -> String {
    let book = project("openings/othello.epd");
    let book = book.to_str().expect("UTF-8");
    format!(
        r#"# From counting discs.
game = "othello"
seed = 3
limits = {{ depth = 2 }}
openings = {{ file = {book:?} }}

[tune]
games = {games}
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

/// What a tune answers, and the file that it leaves.
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
    let file = sandbox.write("discs.toml", &config(4000));
    let whole = tune(&file, &sandbox.path("whole.sqlite"), "1");
    assert_eq!(whole.0["games"], 4000);
    assert_eq!(tune(&file, &sandbox.path("four.sqlite"), "4"), whole);
    let store = sandbox.path("killed.sqlite");
    for number in 0..8 {
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
        sleep(Duration::from_millis(30 + 17 * number));
        child.kill().expect("killed");
        child.wait().expect("a status");
    }
    assert_eq!(tune(&file, &store, "2"), whole);
}

#[test]
fn what_is_tuned_is_proven_and_can_be_read() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("discs.toml", &config(4000));
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
    // The corner is worth most, the square beside it least: what everybody knows.
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
