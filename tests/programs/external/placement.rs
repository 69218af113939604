//! Processors and priority of worker threads and of the programs that they start.

use std::fs;
use std::process::Output;

use serde_json::Value;

use super::{NODES, config};
use crate::common::{self, stderr, stdout};

/// Runs `leitai` with these arguments on a match of a mock with `more` settings.
fn leitai(folder: &std::path::Path, limits: &str, more: &str, words: &[&str]) -> Output {
    fs::write(folder.join("match.toml"), config("good", limits, more)).expect("a config");
    let mut command = common::leitai();
    let output = command.current_dir(folder).args(words).output();
    output.expect("leitai")
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[test]
fn check_prints_the_place_of_each_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |limits: &str, more: &str, words: &[&str]| {
        leitai(
            folder.path(),
            limits,
            more,
            &[&["check", "match.toml"], words].concat(),
        )
    };
    let output = check(NODES, "", &["--pin", "--threads", "1"]);
    let message = stdout(&output);
    assert!(
        message.contains("threads   1: processors "),
        "{message}{}",
        stderr(&output)
    );
    let output = check(NODES, "", &["--pin", "--threads", "1", "--json"]);
    let plan: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let place = &plan["placement"][0];
    assert_eq!(
        (
            &place["thread"],
            place["processors"].as_array().map(Vec::len)
        ),
        (&1.into(), Some(1))
    );
    let output = check(NODES, "", &[]);
    assert!(
        !stdout(&output).contains("threads   "),
        "{}",
        stdout(&output)
    );
    // Players with several threads need as many processors each.
    let all = processors();
    let several = format!("options = {{ Threads = {all} }}");
    let output = check(NODES, &several, &["--pin", "--threads", "1", "--json"]);
    let plan: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let place = plan["placement"][0]["processors"]
        .as_array()
        .expect("processors");
    assert_eq!(place.len(), all);
    let output = check(NODES, &several, &["--pin", "--threads", "2"]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("2 threads cannot have") && message.contains("`--threads 1`"),
        "{message}"
    );
    let clock = "movetime = \"20ms\"";
    let more = (all + 1).to_string();
    let output = check(clock, "", &["--threads", &more]);
    assert!(
        stderr(&output).contains("timed games on"),
        "{}",
        stderr(&output)
    );
    let output = check(NODES, "", &["--pin=0", "--reserve", "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("leave out `--reserve`"),
        "{}",
        stderr(&output)
    );
    let output = check(NODES, "", &["--reserve", "1000"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_has_the_processors_and_the_priority_of_its_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = processors();
    let started =
        "grep Cpus_allowed_list /proc/self/status > processors; nice > priority; exec \"$@\"";
    let options = format!("options = {{ Threads = {all} }}");
    let text = config("good", NODES, &options);
    let text = text.replace(
        "command = [",
        &format!("command = [\"sh\", \"-c\", {started:?}, \"sh\", "),
    );
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let run = |more: &[&str]| {
        let mut command = common::leitai();
        let words = ["run", "match.toml", "--threads", "1"];
        let output = command
            .current_dir(folder.path())
            .args(words)
            .args(more)
            .output();
        output.expect("leitai")
    };
    let output = run(&["--pin", "--priority", "low"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("1 thread bound to"),
        "{}",
        stderr(&output)
    );
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let list = read("processors");
    let list: leitai_players::play::Processors = list
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse()
        .expect("a list");
    assert_eq!(list.numbers().len(), all);
    let own = common::stdout(&std::process::Command::new("nice").output().expect("nice"));
    let own: i32 = own.trim().parse().expect("a number");
    assert_eq!(read("priority").trim(), own.max(10).to_string());
}
