//! Every report of a failure includes its cause.

use std::fs;
use std::path::Path;
use std::process::Output;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use super::{NODES, STALL, assert_no_process_left, config};
use crate::common;

/// A folder with a match.
fn folder(mode: &str, limits: &str, more: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("match.toml"), config(mode, limits, more)).expect("a config");
    folder
}

fn leitai(folder: &Path, words: &str) -> Output {
    let mut command = common::leitai();
    let output = command.current_dir(folder).args(words.split(' ')).output();
    assert_no_process_left(folder);
    output.expect("leitai")
}

/// The output of a successful command.
fn said(folder: &Path, words: &str) -> String {
    let output = leitai(folder, words);
    assert!(output.status.success(), "{words}: {}", told(&output));
    String::from_utf8(output.stdout).expect("text")
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// The first failure in a JSON report.
fn first(folder: &Path, words: &str) -> Value {
    let report: Value = serde_json::from_str(&said(folder, words)).expect("JSON");
    report["failures"]["variants"][0]["causes"][0]["first"].clone()
}

const REPORT: &str = "report match.sqlite --json";
const PGN: &str = "report match.sqlite --pgn -";

#[test]
fn a_crash_is_shown_with_its_exit_status_and_its_last_words() {
    let folder = folder("crash-aloud", NODES, "");
    let path = folder.path();
    let played = leitai(path, "run match.toml --threads 1 --events events");
    let live = told(&played);
    let plies = first(path, REPORT)["plies"].as_u64().expect("a number");
    let crash = format!("exit status 139 after {plies} plies, in `");
    let words = format!("`mock` failed in game 1 of pair 0: crash: {crash}");
    assert!(live.contains(&words), "{live}");
    let last = "`</script> } \\u{1b}[31mred` / `Segmentation fault`";
    assert!(live.contains(last), "{live}");
    assert!(!live.contains("leitai doctor"), "{live}");

    let text = said(path, "report match.sqlite");
    let words = format!("  first crash in game 1 of pair 0: {crash}");
    assert!(text.contains(&words) && text.contains(last), "{text}");

    let data = first(path, REPORT);
    assert_eq!(
        (
            &data["pair"],
            &data["game"],
            &data["attempt"],
            data["legal_moves"].is_u64()
        ),
        (&0.into(), &1.into(), &1.into(), true)
    );
    let position = data["position"].as_str().expect("a position").to_owned();
    assert!(
        data.get("exit").is_none() && data.get("errors").is_none(),
        "{data}"
    );
    let data = first(path, "report match.sqlite --json --times");
    assert_eq!(data["exit"], "exit status 139");
    let errors = data["errors"].as_array().expect("lines");
    assert_eq!(errors.len(), 3, "{data}");
    assert_eq!(errors[1], "</script> } \\u{1b}[31mred");
    assert_eq!(errors[2], "Segmentation fault");

    let pgn = said(path, PGN);
    let tag = "[Failure \"its program ended after ";
    assert_eq!(pgn.matches(tag).count(), 4, "{pgn}");
    let pgn = said(path, "report match.sqlite --pgn games.pgn --times");
    assert!(pgn.contains("Failures:"));
    let pgn = fs::read_to_string(path.join("games.pgn")).expect("games");
    let tag = format!("[Failure \"exit status 139 after {plies} plies; its error output");
    assert!(pgn.contains(&tag), "{pgn}");
    assert!(!pgn.contains('\u{1b}'));
    let games = said(path, "convert games.pgn --to json");
    assert_eq!(
        games
            .lines()
            .filter(|line| line.contains("\"moves\""))
            .count(),
        4,
        "{games}"
    );

    let page = said(path, "report match.sqlite --html=-");
    let words = format!("exit status 139 after {plies} plies");
    assert!(page.contains(&words), "{page}");
    assert!(page.contains("&lt;/script&gt; }"), "{page}");

    let events = fs::read_to_string(path.join("events")).expect("events");
    let pair = events
        .lines()
        .find(|line| line.contains("\"event\":\"pair\""));
    let pair: Value = serde_json::from_str(pair.expect("a pair")).expect("JSON");
    let failure = &pair["failures"][0];
    assert_eq!(
        (&failure["exit"], &failure["game"]),
        (&"exit status 139".into(), &1.into())
    );
    assert_eq!(failure["position"], position.as_str());
}

/// The last words of this mock contain its process ID.
#[test]
fn error_output_is_not_compared() {
    let all = ["1", "2"].map(|threads| {
        let folder = folder("crash-aloud", NODES, "");
        let path = folder.path();
        said(path, &format!("run match.toml --quiet --threads {threads}"));
        ([REPORT, PGN].map(|words| said(path, words)), folder)
    });
    let [(one, first), (two, second)] = all;
    assert_eq!(one, two);
    let records = [&first, &second].map(|folder| folder.path().join("match.sqlite"));
    let [ours, theirs] = records.each_ref().map(|path| path.to_str().expect("UTF-8"));
    // The merge takes the first of the two.
    let joined = said(
        first.path(),
        &format!("merge {ours} {theirs} --out both.sqlite"),
    );
    assert!(joined.contains("2 pairs"), "{joined}");
    let text = said(first.path(), "report both.sqlite");
    assert!(text.contains("`Segmentation fault`"), "{text}");
    assert_eq!(said(first.path(), "report both.sqlite --json"), one[0]);
}

#[test]
fn a_signal_is_named() {
    let folder = folder("aborts", NODES, "");
    said(folder.path(), "run match.toml --quiet");
    let text = said(folder.path(), "report match.sqlite");
    let words = "killed by signal 6 (SIGABRT) after ";
    assert!(text.contains(words), "{text}");
}

#[test]
fn an_answer_that_is_no_legal_move_is_quoted() {
    let folder = folder("no-move-later", NODES, "");
    let path = folder.path();
    let live = told(&leitai(path, "run match.toml"));
    let words = "it replied `bestmove (none)` in a position with ";
    assert!(live.contains(words), "{live}");
    let data = first(path, REPORT);
    assert_eq!(data["answer"], "bestmove (none)");
    let [plies, moves] = ["plies", "legal_moves"].map(|key| data[key].as_u64().expect("a number"));
    assert!((4..=5).contains(&plies), "{data}");
    let words = format!("{moves} legal moves after {plies} plies, in `");
    assert!(live.contains(&words), "{live}");
    let pgn = said(path, PGN);
    assert!(
        pgn.contains("[Failure \"it replied `bestmove (none)` in a position with "),
        "{pgn}"
    );
}

/// The text does not depend on the clock: no answer came, and the near miss is quoted.
#[test]
fn lines_that_are_nearly_an_answer_are_quoted() {
    for (mode, line) in [
        ("prompt", "mock> bestmove h2e2"),
        ("nul", "bestmove h2e2\\u{0}"),
        ("half-a-line", "bestmove h2 (without the end of the line)"),
    ] {
        let folder = folder(mode, "movetime = \"30ms\"", "");
        let path = folder.path();
        // The built-in search may be late on a busy machine.
        let file = path.join("match.toml");
        let text = fs::read_to_string(&file).expect("a config");
        let ours = "table_mb = 1 }\nlimits = { nodes = 50 }";
        fs::write(&file, text.replace("table_mb = 1 }", ours)).expect("a config");
        said(path, "run match.toml --quiet --json --force");
        let data = first(path, REPORT);
        assert_eq!(data["unread"], serde_json::json!([line]), "{mode}: {data}");
        let text = said(path, "report match.sqlite");
        let words = format!("it printed `{line}`, which Leitai cannot read as an answer");
        assert!(
            text.contains("it gave no move within the limit after "),
            "{text}"
        );
        assert!(text.contains(&words), "{text}");
    }
}

#[test]
fn a_flood_of_last_words_is_bounded() {
    let folder = folder("crash-in-a-flood", NODES, "");
    let path = folder.path();
    said(path, "run match.toml --quiet");
    let file = Connection::open(path.join("match.sqlite")).expect("a record");
    let query = "SELECT count(*), max(length(detail)) FROM evidence";
    let [rows, longest] = file
        .query_row(query, [], |row| Ok([row.get::<_, i64>(0)?, row.get(1)?]))
        .expect("evidence");
    assert_eq!(rows, 4);
    assert!((500..2_048).contains(&longest), "{longest}");
    let text = said(path, "report match.sqlite");
    assert!(
        text.contains("`2999 \\u{1b}") && !text.contains("`2990 "),
        "{text}"
    );
}

#[test]
fn attempts_that_were_played_again_and_those_that_stop_a_run_have_their_cause() {
    let replay = "[failures]\notherwise = \"replay\"\nreplays = 1";
    let replayed = folder("crash-aloud", NODES, replay);
    said(replayed.path(), "run match.toml --quiet");
    let data = first(replayed.path(), REPORT);
    assert_eq!((&data["attempt"], &data["game"]), (&1.into(), &1.into()));
    let text = said(replayed.path(), "report match.sqlite");
    assert!(
        text.contains("first crash in game 1 of pair 0: exit status 139"),
        "{text}"
    );

    let stopped = folder("crash-aloud", NODES, "[failures]\ncrash = \"stop\"");
    let output = leitai(stopped.path(), "run match.toml --quiet --json --threads 1");
    assert_eq!(output.status.code(), Some(4));
    let text = told(&output);
    assert!(text.contains(": exit status 139 after "), "{text}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(answer["stopped"]["plies"].is_u64(), "{answer}");
    assert!(answer["stopped"].get("exit").is_none(), "{answer}");
}

#[test]
fn a_program_that_does_not_start_again_has_its_cause() {
    let folder = folder("never-ready-again", NODES, STALL);
    let path = folder.path();
    let text = fs::read_to_string(path.join("match.toml")).expect("a config");
    let text = text.replace(STALL, "stall = \"150ms\"\nstartup = \"150ms\"");
    fs::write(path.join("match.toml"), text).expect("a config");
    let output = leitai(path, "run match.toml --quiet");
    let text = said(path, "report match.sqlite");
    if text.contains("Failures:") {
        assert!(text.contains("first "), "{}{text}", told(&output));
    }
}

#[test]
fn failures_in_batches_of_a_tune_have_their_cause() {
    let folder = folder("crash-aloud", NODES, "options = { Hash = 16 }");
    let path = folder.path();
    let text = fs::read_to_string(path.join("match.toml")).expect("a config");
    let tune = "[tune]\nvariant = \"mock\"\ngames = 8\nwindow = 4\nhandicap = \"off\"\n\
                [[tune.parameter]]\npath = \"options.Hash\"\nmin = 1\nmax = 64\nstep = 6\n";
    let text = text.replace("tournament = { pairs = 2 }", tune);
    fs::write(path.join("match.toml"), text).expect("a config");
    let output = leitai(path, "tune match.toml --quiet --no-proof");
    let text = said(path, "report match.sqlite");
    let words = "first crash in game 1 of pair 0: exit status 139 after ";
    assert!(text.contains(words), "{}{text}", told(&output));
    let data = first(path, "report match.sqlite --json --times");
    assert_eq!(data["exit"], "exit status 139", "{data}");
}
