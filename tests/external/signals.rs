//! Signals at any moment, and pauses: nobody is left, and nobody is charged.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

use leitai::player::{Probe, adopt_orphans, end_programs};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{NODES, assert_nobody_left, binary, config, mock, somebody_left};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A run that goes on in a folder of its own.
fn start(folder: &Path, config: &str) -> Child {
    fs::write(folder.join("match.toml"), config).expect("a config");
    let mut command = binary::leitai();
    command
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.args(["run", "match.toml", "--json", "--quiet", "--threads", "2"]);
    command.spawn().expect("leitai")
}

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(child.id() as i32).expect("a process");
    kill_process(pid, signal).expect("a signal");
}

/// Waits until so many programs have been started.
fn await_programs(folder: &Path, count: usize) {
    let begun = Instant::now();
    loop {
        let pids = fs::read_to_string(folder.join("pids")).unwrap_or_default();
        if pids.lines().count() >= count {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "no program was started");
        sleep(Duration::from_millis(5));
    }
}

/// How the run ended: its exit code, and what it wrote.
fn end(mut child: Child) -> (Option<i32>, String, String) {
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a status") {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().expect("killed");
            panic!("it goes on");
        }
        sleep(Duration::from_millis(5));
    };
    let (mut out, mut told) = (String::new(), String::new());
    child
        .stdout
        .take()
        .expect("a pipe")
        .read_to_string(&mut out)
        .expect("text");
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut told)
        .expect("text");
    (status.code(), out, told)
}

/// The signals that end a run; not SIGHUP where whoever runs the tests has it ignored.
fn signals() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:\t"));
    let ignored = ignored
        .and_then(|mask| u64::from_str_radix(mask, 16).ok())
        .unwrap_or(0);
    let mut signals = vec![Signal::INT, Signal::TERM, Signal::QUIT];
    if ignored & 1 == 0 {
        signals.push(Signal::HUP);
    }
    signals
}

#[test]
fn every_signal_ends_a_run_with_its_programs_in_the_midst_of_a_move() {
    for signal in signals() {
        let folder = tempfile::tempdir().expect("a folder");
        let child = start(folder.path(), &config("stall", NODES, "stall = \"60s\""));
        // One is greeted before the run, two play.
        await_programs(folder.path(), 3);
        sleep(Duration::from_millis(100));
        send(&child, signal);
        let (code, _, told) = end(child);
        assert_eq!(code, Some(130), "{signal:?}: {told}");
        assert!(told.contains("carry on with"), "{signal:?}: {told}");
        assert_nobody_left(folder.path());
    }
}

#[test]
fn a_signal_while_a_program_greets_is_an_interruption_too() {
    for signal in signals() {
        let folder = tempfile::tempdir().expect("a folder");
        let child = start(folder.path(), &config("silent", NODES, "startup = \"60s\""));
        await_programs(folder.path(), 1);
        send(&child, signal);
        let (code, out, told) = end(child);
        assert_eq!((code, out.as_str()), (Some(130), ""), "{signal:?}: {told}");
        assert!(told.contains("stopped before the first game"), "{told}");
        assert!(!folder.path().join("match.sqlite").exists());
        assert_nobody_left(folder.path());
    }
}

#[test]
fn nohup_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("match.toml"), config("good", NODES, "")).expect("a config");
    let mut command = std::process::Command::new("nohup");
    command
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.arg(binary::leitai().get_program());
    let slow = config("slow", NODES, "stall = \"60s\"");
    fs::write(folder.path().join("match.toml"), slow).expect("a config");
    command.args(["run", "match.toml", "--json", "--quiet", "--threads", "2"]);
    let child = command.spawn().expect("nohup");
    await_programs(folder.path(), 3);
    send(&child, Signal::HUP);
    let (code, _, told) = end(child);
    assert_eq!(code, Some(0), "{told}");
}

/// Not a test: a process that ends without a farewell to its programs.
#[test]
#[expect(clippy::exit, reason = "the end without a farewell is what is tested")]
fn in_haste() {
    let Ok(folder) = std::env::var("LEITAI_IN_HASTE") else {
        return;
    };
    std::env::set_current_dir(&folder).expect("a folder");
    adopt_orphans();
    let text = config("runaway", NODES, "");
    let parsed = leitai::config::parse(&text, "match.toml").expect("a config");
    let program = parsed.config.variants[1]
        .program
        .clone()
        .expect("a program");
    let _probe = Probe::start(&program, &AtomicBool::new(false)).expect("a start");
    await_programs(Path::new(&folder), 3);
    assert!(somebody_left(Path::new(&folder)).is_some());
    end_programs();
    std::process::exit(0);
}

#[test]
fn a_process_in_haste_leaves_nobody_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = std::process::Command::new(std::env::current_exe().expect("this test"));
    command.args(["signals::in_haste", "--exact", "--nocapture"]);
    command.env("LEITAI_IN_HASTE", folder.path());
    let output = command.output().expect("this test");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert_nobody_left(folder.path());
}

/// The failures of a run that was stopped for a second in the midst of a move.
fn stopped_for_a_second(text: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let child = start(folder.path(), text);
    await_programs(folder.path(), 3);
    sleep(Duration::from_millis(400));
    send(&child, Signal::STOP);
    sleep(Duration::from_secs(1));
    send(&child, Signal::CONT);
    let (code, out, told) = end(child);
    assert_eq!(code, Some(0), "{told}");
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["complete"], true);
    let causes = answer["causes"].to_string();
    for lost in ["time-forfeit", "stall", "crash"] {
        assert!(!causes.contains(lost), "{causes}: {told}");
    }
    answer["failures"].clone()
}

#[test]
fn a_pause_under_a_clock_is_charged_to_nobody() {
    let text = config("good", "movetime = \"200ms\"", "");
    let failures = stopped_for_a_second(&text);
    assert!(failures["pauses"].as_u64() >= Some(1), "{failures}");
    assert_eq!(failures["variants"].as_array().map(Vec::len), Some(0));
    assert_eq!(failures["replays"], 0);
}

#[test]
fn a_pause_without_a_clock_changes_nothing() {
    let failures = stopped_for_a_second(&config("slow", NODES, "stall = \"700ms\""));
    assert_eq!(failures, Value::Null);
}

#[test]
fn floods_of_a_greeting_are_refused_before_they_fill_the_memory() {
    let modes = [
        (
            "uci",
            "endless-options",
            "that it has more than 1000 options",
        ),
        ("uci", "endless-talk", "more than 10000 lines"),
        ("uci", "endless-bytes", "more than 4 MiB"),
        ("uci", "never-ready", "more than 10000 lines"),
        (
            "ucci",
            "endless-options",
            "that it has more than 1000 options",
        ),
        (
            "cecp",
            "endless-options",
            "that it has more than 1000 options",
        ),
        ("gtp", "endless-options", "more than 10000 lines"),
        ("nboard", "endless-talk", "more than 10000 lines"),
    ];
    for (protocol, mode, said) in modes {
        let folder = tempfile::tempdir().expect("a folder");
        let text = match protocol {
            "gtp" | "nboard" => super::othello::config(protocol, mode, ""),
            _ => config(mode, "depth = 1", "").replace(
                "protocol = \"uci\"\nenvironment = {",
                &format!(
                    "protocol = {protocol:?}\nenvironment = {{ {} = {protocol:?},",
                    mock::PROTOCOL
                ),
            ),
        };
        fs::write(folder.path().join("passes.txt"), super::othello::PASSES).expect("openings");
        let begun = Instant::now();
        let (code, _, told) = end(start(folder.path(), &text));
        assert_eq!(code, Some(2), "{protocol} {mode}: {told}");
        assert!(told.contains(said), "{protocol} {mode}: {told}");
        assert!(told.contains("the variant `mock` cannot play"), "{told}");
        assert!(begun.elapsed() < PATIENCE);
        assert_nobody_left(folder.path());
    }
}
