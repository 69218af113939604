//! Reported lines of play are checked, counted and recorded, and `--strict` ends a run at a faulty
//! one; buttons, features and notations of programs.

use std::fs;
use std::path::Path;
use std::process::Output;

use leitai_game::Position as _;
use leitai_games::xiangqi::Xiangqi;
use serde_json::Value;

use super::{DEPTH, NODES, all, causes, config, endings, endings_by, refusal, run};
use crate::common;

/// The JSON of a whole run in its own folder.
fn answer(folder: &Path, mode: &str, more: &str) -> Value {
    let output = run(folder, &config(mode, NODES, more));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn leitai(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = common::leitai();
    let output = command.current_dir(folder).args(arguments).output();
    output.expect("leitai")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn every_line_with_something_wrong_is_counted() {
    for (mode, fault, word, lines) in [
        ("illegal-pv", "illegal-move", "a0a9", 24),
        ("short-mate", "short-mate", "", 24),
        ("other-pv", "other-move", "", 23),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let answer = answer(folder.path(), mode, "");
        let warnings = answer["pv_warnings"].as_array().expect("a list");
        assert_eq!(warnings.len(), 1, "{answer:#}");
        let of = |key: &str| &warnings[0][key];
        assert_eq!((of("name"), of("fault")), (&"mock".into(), &fault.into()));
        // Six moves in each of four games; once the replaced move happens to be the same.
        assert_eq!(
            (of("lines"), of("games")),
            (&lines.into(), &4.into()),
            "{mode}"
        );
        assert_eq!((of("pair"), of("game")), (&0.into(), &1.into()), "{mode}");
        let line = of("line").as_str().expect("a line");
        assert!(line.starts_with("info depth 2 nodes 40"), "{line}");
        let position = of("position").as_str().expect("a position");
        assert!(Xiangqi::from_fen(position).is_ok(), "{position}");
        if fault != "other-move" {
            assert_eq!(of("move"), word);
        }
        // The record has all warnings: the report starts no program.
        let report = leitai(folder.path(), &["report", "match.sqlite"]);
        let text = String::from_utf8(report.stdout).expect("UTF-8");
        let warning = format!("examples):\n  `mock` reported {lines} lines");
        assert!(text.contains(&warning), "{text}");
        let report = leitai(folder.path(), &["report", "match.sqlite", "--markdown"]);
        let text = String::from_utf8(report.stdout).expect("UTF-8");
        let example = format!("\n{position}\n{line}\n```");
        assert!(text.contains(&example), "{text}");
        assert!(text.contains("\nfirst in pair 0, game 1, after "), "{text}");
    }
}

#[test]
fn valid_and_unchecked_lines_are_not_reported() {
    for (mode, more) in [
        ("good", ""),
        ("illegal-pv", "[checks]\npv = false"),
        ("short-mate", "[checks]\nmate = false"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let answer = answer(folder.path(), mode, more);
        assert_eq!(answer["pv_warnings"], Value::Null, "{mode}");
    }
}

/// The checks are not part of the identity: earlier records can be continued.
#[test]
fn checks_are_no_part_of_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = answer(folder.path(), "illegal-pv", "[checks]\npv = false");
    let second = answer(folder.path(), "illegal-pv", "");
    assert_eq!(first, second, "it is the same run, complete already");
    let told = refusal(&config("good", NODES, "[checks]\npvs = true"));
    assert!(told.contains("pvs"), "{told}");
}

#[test]
fn a_strict_run_ends_at_the_first_warning_and_goes_on_without() {
    let whole = {
        let folder = tempfile::tempdir().expect("a folder");
        answer(folder.path(), "illegal-pv", "")
    };
    for threads in ["1", "2"] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(
            folder.path().join("match.toml"),
            config("illegal-pv", NODES, ""),
        )
        .expect("a config");
        let go = |more: &[&str]| {
            let quiet = [
                "run",
                "match.toml",
                "--json",
                "--quiet",
                "--threads",
                threads,
            ];
            leitai(folder.path(), &[&quiet[..], more].concat())
        };
        for _ in 0..2 {
            let strict = go(&["--strict"]);
            let told = String::from_utf8_lossy(&strict.stderr).into_owned();
            assert_eq!(strict.status.code(), Some(4), "{told}");
            assert!(
                told.contains(
                    "the variant `mock` reported a line with an illegal move in game 1 of pair 0"
                ),
                "{told}"
            );
            assert!(told.contains("help: `--strict` ends here"), "{told}");
            let answer = json(&strict);
            assert_eq!(answer["complete"], false);
            assert_eq!(answer["ended_by"]["fault"], "illegal-move");
            assert_eq!(answer["pairs_played"], 1, "one pair counts: {answer:#}");
            assert_eq!(answer["pv_warnings"][0]["lines"], 12);
        }
        let rest = go(&[]);
        assert!(rest.status.success());
        assert_eq!(json(&rest), whole, "as if it had never been stopped");
    }
}

#[test]
fn a_strict_run_stops_at_a_failure_and_ends_like_any_other_without_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let go = |mode: &str| {
        fs::write(folder.path().join("match.toml"), config(mode, NODES, "")).expect("a config");
        let quiet = ["run", "match.toml", "--json", "--quiet", "--strict"];
        leitai(folder.path(), &quiet)
    };
    assert_eq!(go("good").status.code(), Some(0));
    let failed = go("crash-later");
    let told = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert_eq!(failed.status.code(), Some(4), "{told}");
    assert!(
        told.contains("help: `--strict` stops at every failure"),
        "{told}"
    );
    let answer = json(&failed);
    assert_eq!(answer["stopped"]["cause"], "crash");
    assert_eq!(answer["pairs_played"], 0, "the pair is not recorded");
}

#[test]
fn a_strict_gate_has_no_verdict_but_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config("illegal-pv", NODES, "");
    let gate = "gate = { base = \"ours\", candidate = \"mock\", elo0 = 0, elo1 = 5 }";
    let text = text.replace("tournament = { pairs = 2 }", gate);
    fs::write(folder.path().join("gate.toml"), text).expect("a config");
    let quiet = ["gate", "gate.toml", "--json", "--quiet", "--strict"];
    let output = leitai(
        folder.path(),
        &[&quiet[..], &["--markdown=gate.md"]].concat(),
    );
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{told}");
    assert!(
        told.contains("reported a line with an illegal move"),
        "{told}"
    );
    assert_eq!(json(&output)["pv_warnings"][0]["fault"], "illegal-move");
    assert_eq!(json(&output)["ended_by"]["variant"], "mock");
    assert_eq!(json(&output)["exit_code"], 4);
    let page = fs::read_to_string(folder.path().join("gate.md")).expect("a page");
    assert!(
        page.contains("`mock` reported 12 lines with an illegal move in 2 games"),
        "{page}"
    );
}

#[test]
fn events_have_warnings_and_times_of_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config("illegal-pv", NODES, "");
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let output = leitai(
        folder.path(),
        &[
            "run",
            "match.toml",
            "--events",
            "-",
            "--moves",
            "--threads",
            "1",
        ],
    );
    let text = String::from_utf8(output.stdout).expect("text");
    let events: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("an event"))
        .collect();
    let of =
        |kind: &str| -> Vec<&Value> { events.iter().filter(|it| it["event"] == kind).collect() };
    let pairs = of("pair");
    let warned = pairs[0]["pv_warnings"].as_array().expect("a list");
    assert_eq!(warned.len(), 2, "each game: {}", pairs[0]);
    assert_eq!(
        (
            &warned[1]["game"],
            &warned[1]["variant"],
            &warned[1]["lines"]
        ),
        (&2.into(), &"mock".into(), &6.into())
    );
    let moves = of("move");
    let mocks: Vec<_> = moves.iter().filter(|it| it["player"] == "mock").collect();
    assert!(!mocks.is_empty());
    assert!(
        mocks.iter().all(|it| it["reported_seconds"] == 0.003),
        "{}",
        mocks[0]
    );
    let ours = moves
        .iter()
        .find(|it| it["player"] == "ours")
        .expect("a move");
    assert_eq!(ours["reported_seconds"], Value::Null);
}

#[test]
fn reports_compare_times_with_those_of_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    // The built-in search need not think for seconds.
    let text = config("illegal-pv", "movetime = \"2s\"", "");
    let text = text.replace("table_mb = 1 }", "table_mb = 1 }\nlimits = { nodes = 50 }");
    let output = run(folder.path(), &text);
    let answer = json(&output);
    let latencies = answer["latencies"].as_array().expect("a list");
    assert_eq!(latencies[0]["beyond"], Value::Null, "ours says nothing");
    let beyond = &latencies[1]["beyond"];
    assert_eq!(beyond["moves"], 24, "{answer:#}");
    assert!(beyond["worst_ms"].as_f64() <= latencies[1]["worst_ms"].as_f64());
    let report = leitai(folder.path(), &["report", "match.sqlite"]);
    let told = String::from_utf8(report.stdout).expect("text");
    assert!(
        told.contains("; beyond its own reports half within "),
        "{told}"
    );
}

#[test]
fn buttons_are_pressed_once_all_else_is_set() {
    let options = "options = { \"Clear Hash\" = true, Hash = 4 }";
    let fine = all("length-adjudication");
    assert_eq!(endings("pressed", NODES, options), fine);
    let text = "options = { \"Clear Hash\" = \"true\", Hash = 4 }";
    assert_eq!(endings("pressed", NODES, text), fine);
    let unpressed = "options = { \"Clear Hash\" = false }";
    let told = refusal(&config("good", NODES, unpressed));
    let why = "`Clear Hash` is a button, which `true` presses: it takes no `false`";
    assert!(told.contains(why), "{told}");
}

/// Options of any spelling are sent, recorded and shown as the program spells them, and are one run.
#[test]
fn options_are_spelled_as_the_program_offers_them() {
    let fine = all("length-adjudication");
    let [first, second, third] = [
        "options = { hash = 4, threads = 1, style = \"risky play\", OWNBOOK = false }",
        "options = { Hash = \"04\", ThreadS = 1, Style = \"RISKY PLAY\", OwnBook = \"FALSE\" }",
        "options = { HASH = 4, Threads = 1, Style = \"Risky Play\", ownbook = \"0\" }",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let answers = [first, second, third].map(|options| answer(folder.path(), "exact", options));
    assert_eq!(causes(&answers[0]), fine);
    assert!(answers.iter().all(|it| it["run"] == answers[0]["run"]));
    let read = leitai(
        folder.path(),
        &["doctor", "match.toml", "--variant", "mock", "--quick"],
    );
    let said = String::from_utf8_lossy(&read.stdout);
    let set = "set: Hash = 4, OwnBook = false, Style = Risky Play, ThreadS = 1";
    assert!(said.contains(set), "{said}");
    let options = "options = { Memory = 64, CORES = 2, style = \"solid\", \"use tb\" = \"TRUE\" }";
    assert_eq!(endings_by("cecp", "features", DEPTH, options), fine);
    assert_eq!(
        endings_by("ucci", "exact", DEPTH, "options = { USEBOOK = \"False\" }"),
        fine
    );
}

#[test]
fn cecp_features_and_notations() {
    let fine = all("length-adjudication");
    assert_eq!(endings_by("cecp", "other-notation", DEPTH, ""), fine);
    assert_eq!(endings_by("cecp", "talks", DEPTH, ""), fine);
    let told = endings_by("cecp", "complains", DEPTH, "");
    assert_eq!(told, all("malformed-output"));
}
