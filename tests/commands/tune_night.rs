//! All stages of a tune as a user runs them: killed at any moment, and refused in time.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{self, Sandbox, leitai, project, stderr};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

/// Othello starting from disc counts: a fit, games, verification matches and a pool, at one and two
/// plies.
const NIGHT: &str = r#"# A night in a second.
game = "othello"
seed = 3
limits = { depth = 1 }
openings = { file = "book.epd" }

[tune]
games = 800
handicap = "off"
no_effect = "move"
proof = { elo0 = 0, elo1 = 50 }

[[tune.parameter]]
path = "eval.squares[*]"
min = -100
max = 200
step = 20

[tune.texel]
games = 800
epochs = 250
gate = { elo0 = 0, elo1 = 50 }

[[tune.texel.parameter]]
path = "eval.squares[*]"
range = 200

[tune.second]
limits = { depth = 2 }
elo1 = 50

[tune.pool]
variants = ["other"]
references = ["usual"]
pairs = 40
checkpoints = 2

[[variant]]
name = "discs"  # ten classes
eval = { preset = "discs" }

[[variant]]
name = "usual"
eval = { preset = "squares" }

[[variant]]
name = "other"
eval = { preset = "squares", squares = [50, -10, 0, 0, -20, 0, 0, 0, 0, 0] }
"#;

/// A folder with a config and a book.
fn folder(config: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("night.toml", config);
    let book = fs::read_to_string(project("openings/othello.txt")).expect("a book");
    sandbox.write("book.epd", &book);
    sandbox
}

fn tune(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = leitai();
    command.current_dir(sandbox.path("."));
    command
        .args(["tune", "night.toml", "--quiet"])
        .args(arguments);
    command
}

/// The answer of a finished tune, and all its files except the record.
fn outcome(sandbox: &Sandbox, threads: &str) -> (String, BTreeMap<String, Vec<u8>>) {
    let output = tune(sandbox, &["--json", "--threads", threads]).output();
    let output = output.expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let files = sandbox.files().into_iter();
    let files = files.filter(|name| !name.contains("sqlite"));
    let files = files.map(|name| {
        let text = fs::read(sandbox.path(&name)).expect("readable");
        (name, text)
    });
    (common::stdout(&output), files.collect())
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_night_that_is_killed_again_and_again_leaves_the_same_bytes() {
    let (answer, files) = outcome(&folder(NIGHT), "1");
    let said: Value = serde_json::from_str(&answer).expect("one document");
    assert_eq!(said["complete"], true, "{said:#}");
    assert_eq!(said["games"], 800);
    for stage in ["gate", "proof", "second"] {
        assert_eq!(said[stage]["verdict"], "accepted", "{stage}: {said:#}");
    }
    let challengers = said["pool"]["challengers"].as_array().expect("a list");
    let names: Vec<&str> = challengers
        .iter()
        .filter_map(|row| row["name"].as_str())
        .collect();
    let expected = [
        "discs",
        "discs-fitted",
        "discs-checkpoint-1",
        "discs-checkpoint-2",
        "discs-tuned",
        "usual",
    ];
    assert_eq!(names, expected);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        "book.epd",
        "night.baseline.epd",
        "night.baseline.toml",
        "night.fitted.toml",
        "night.polish.toml",
        "night.pool.toml",
        "night.report.html",
        "night.second.toml",
        "night.toml",
        "night.trajectory.csv",
        "night.tuned.toml",
    ];
    assert_eq!(names, expected);

    let sandbox = folder(NIGHT);
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let mut unfinished = 0;
    for number in 0..4 {
        let threads = ["1", "2", "3"][number % 3];
        let mut command = tune(&sandbox, &["--threads", threads]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary");
        sleep(Duration::from_millis(20 + random.next_u64() % 400));
        unfinished += u32::from(child.try_wait().expect("a status").is_none());
        child.kill().expect("killed");
        child.wait().expect("a status");
    }
    assert!(unfinished > 0, "all were whole before they were killed");
    let (again, left) = outcome(&sandbox, "2");
    assert_eq!(again, answer);
    for (name, text) in &files {
        assert_eq!(left.get(name), Some(text), "{name}");
    }
    assert_eq!(left.len(), files.len(), "{:?}", left.keys());
}

#[test]
fn later_failures_are_refused_at_the_start() {
    let cases: [(&str, &str, &[&str], &str); 4] = [
        (
            "name = \"usual\"",
            "name = \"discs-tuned\"",
            &[],
            "discs-tuned",
        ),
        ("pairs = 40", "pairs = 400", &[], "too few openings"),
        ("", "", &["--out", "night.toml"], "this command reads it"),
        (
            "",
            "",
            &["--out", "nowhere/x.toml"],
            "its folder does not exist",
        ),
    ];
    for (from, to, arguments, expected) in cases {
        let text = NIGHT.replacen(from, to, 1);
        let text = text.replace("references = [\"discs-tuned\"]", "references = []");
        let text = text.replace("references = [\"usual\"]", "");
        let sandbox = folder(&text);
        let output = tune(&sandbox, arguments).output().expect("it runs");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{expected}: {said}");
        assert_eq!(sandbox.files(), ["book.epd", "night.toml"], "{said}");
        assert_eq!(
            fs::read_to_string(sandbox.path("night.toml")).unwrap(),
            text
        );
    }
}

#[test]
fn a_too_small_budget_is_reported_before_games() {
    let text = NIGHT.replacen("games = 800", "games = 8", 1);
    let text = format!(
        "{}{}",
        &text[..text.find("[tune.texel]").expect("a fit")],
        &text[text.find("[[variant]]").expect("variants")..]
    );
    let sandbox = folder(&text);
    let output = tune(&sandbox, &["--no-proof"]).output().expect("it runs");
    let said = stderr(&output);
    assert!(
        said.contains("8 games are too few to tune 10 numbers"),
        "{said}"
    );
    assert!(said.contains("suffice"), "{said}");
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_fit_alone_is_proven_too() {
    let (tune, texel) = (NIGHT.find("[tune]"), NIGHT.find("[tune.texel]"));
    let pool = NIGHT.find("[tune.second]").expect("a proof");
    let text = format!(
        "{}{}{}",
        &NIGHT[..tune.expect("a tune")],
        &NIGHT[texel.expect("a fit")..pool],
        &NIGHT[NIGHT.find("[[variant]]").expect("variants")..]
    );
    let (answer, files) = outcome(&folder(&text), "2");
    let said: Value = serde_json::from_str(&answer).expect("one document");
    assert_eq!(said["proof"]["verdict"], "accepted", "{said:#}");
    assert!(
        said.get("gate").is_none() && said["complete"] == true,
        "{said:#}"
    );
    assert!(files.contains_key("night.tuned.toml"), "{:?}", files.keys());
    assert!(files.contains_key("night.report.html") && said["trajectory"].is_null());
}
