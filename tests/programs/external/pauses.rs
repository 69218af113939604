//! Pauses of Leitai itself: no player is charged for them, and no player is excused by them.

use std::process::Child;
use std::thread::{self, sleep};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use super::signals::{await_programs, end, send, start, start_on};
use super::{NODES, assert_no_process_left, config};

/// Limits of the mock alone: its opponent has no clock.
fn clocked(mode: &str, limits: &str) -> String {
    config(mode, NODES, &format!("limits = {{ {limits} }}"))
}

/// Stops the process and resumes it, with times in milliseconds.
fn pause(child: &Child, stopped: u64, goes_on: u64) {
    send(child, Signal::STOP);
    sleep(Duration::from_millis(stopped));
    send(child, Signal::CONT);
    sleep(Duration::from_millis(goes_on));
}

/// The results of a run, and its messages on standard error.
fn outcome(child: Child) -> (Value, String) {
    let (code, out, told) = end(child);
    assert_eq!(code, Some(0), "{told}");
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["complete"], true);
    (answer, told)
}

/// Checks that all games ended by this cause.
fn assert_all(answer: &Value, cause: &str) {
    let causes = answer["causes"].as_array().expect("causes");
    let [only] = causes.as_slice() else {
        panic!("{causes:?}");
    };
    assert_eq!(only["cause"], cause, "{causes:?}");
}

/// The result of a run that was stopped for a second during a move.
fn stopped_for_a_second(text: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let child = start(folder.path(), text);
    await_programs(folder.path(), 2);
    sleep(Duration::from_millis(400));
    pause(&child, 1_000, 0);
    let (answer, _) = outcome(child);
    answer
}

#[test]
fn a_pause_under_a_clock_charges_no_player() {
    // More than a busy machine takes, and less than the pause.
    let text = config("good", "movetime = \"50ms\", margin = \"400ms\"", "");
    let answer = stopped_for_a_second(&text);
    // With a clock a game may also end by mate.
    let causes = answer["causes"].to_string();
    assert!(
        !causes.contains("time-forfeit") && !causes.contains("stall"),
        "{causes}"
    );
    let failures = &answer["failures"];
    assert!(failures["pauses"].as_u64() >= Some(1), "{failures}");
    assert_eq!(failures["variants"].as_array().map(Vec::len), Some(0));
    assert_eq!(failures["replays"], 0);
}

#[test]
fn a_pause_without_a_clock_changes_nothing() {
    let answer = stopped_for_a_second(&config("slow", NODES, "stall = \"700ms\""));
    assert_all(&answer, "length-adjudication");
    assert_eq!(answer["failures"], Value::Null);
}

#[test]
fn a_pause_of_more_games_than_are_played_again_is_charged_to_none_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = clocked("slow", "movetime = \"2s\"")
        .replace("pairs = 2", "pairs = 16")
        .replace("max_plies = 12", "max_plies = 6");
    let child = start_on("16", folder.path(), &text);
    await_programs(folder.path(), 16);
    sleep(Duration::from_millis(300));
    pause(&child, 2_300, 0);
    let (answer, told) = outcome(child);
    let failed = answer["failures"]["variants"].as_array();
    assert_eq!(failed.map(Vec::len), Some(0), "{failed:?}");
    assert_eq!(answer["failures"]["pauses"], 5, "{told}");
    assert!(told.contains("without the pause in their time"), "{told}");
}

#[test]
fn a_program_that_hangs_is_not_excused_by_pauses() {
    let hangs = |text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let child = start(folder.path(), text);
        await_programs(folder.path(), 2);
        for _ in 0..6 {
            pause(&child, 300, 100);
        }
        let (answer, told) = outcome(child);
        assert_all(&answer, "stall");
        assert_eq!(answer["failures"]["pauses"], 0, "{told}");
        assert_no_process_left(folder.path());
    };
    thread::scope(|scope| {
        scope.spawn(|| hangs(&clocked("stall", "movetime = \"200ms\"")));
        scope.spawn(|| hangs(&config("stall", NODES, "stall = \"300ms\"")));
    });
}

#[test]
fn a_program_that_is_late_anyway_is_not_excused_by_a_pause() {
    let folder = tempfile::tempdir().expect("a folder");
    // The move takes 2.2 s, half a second of it in a pause. The limit is 1.2 s, and the wait 2.7 s.
    let text = clocked("very-slow", "movetime = \"200ms\", margin = \"1s\"");
    let text = text.replace("pairs = 2", "pairs = 1");
    let child = start(folder.path(), &text);
    await_programs(folder.path(), 1);
    sleep(Duration::from_millis(300));
    pause(&child, 500, 0);
    let (answer, told) = outcome(child);
    assert_all(&answer, "time-forfeit");
    assert_eq!(answer["failures"]["pauses"], 0, "{told}");
}
