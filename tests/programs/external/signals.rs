//! Signals at any moment leave no process behind.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use leitai_players::player::{Probe, adopt_orphans, end_programs};
use rustix::process::{Pid, Signal, kill_process};

use super::{NODES, assert_no_process_left, config, has_process_left};
use crate::common;
use crate::programs::{mock_program, words};

/// Longer than any step here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Less than the duration of a command that stops by itself.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Starts a run in its own folder.
pub(crate) fn start(folder: &Path, config: &str) -> Child {
    start_on("2", folder, config)
}

/// Does the same on this number of threads.
pub(crate) fn start_on(threads: &str, folder: &Path, config: &str) -> Child {
    fs::write(folder.join("match.toml"), config).expect("a config");
    let mut command = common::leitai();
    command
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.args(["run", "match.toml", "--json", "--quiet", "--force"]);
    command
        .args(["--threads", threads])
        .spawn()
        .expect("leitai")
}

pub(crate) fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(child.id() as i32).expect("a process");
    kill_process(pid, signal).expect("a signal");
}

/// Waits until this number of programs has been started.
pub(crate) fn await_programs(folder: &Path, count: usize) {
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

/// Waits for the end of a run; returns its exit code and its output.
pub(crate) fn end(mut child: Child) -> (Option<i32>, String, String) {
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

const SIGNALS: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::QUIT, Signal::HUP];

#[test]
fn every_signal_ends_a_run_with_its_programs_in_the_midst_of_a_move() {
    for signal in SIGNALS {
        let folder = tempfile::tempdir().expect("a folder");
        let child = start(folder.path(), &config("stall", NODES, "stall = \"60s\""));
        await_programs(folder.path(), 2);
        sleep(Duration::from_millis(100));
        send(&child, signal);
        let (code, _, told) = end(child);
        assert_eq!(code, Some(130), "{signal:?}: {told}");
        assert!(told.contains("resume with"), "{signal:?}: {told}");
        assert_no_process_left(folder.path());
    }
}

#[test]
fn a_signal_while_a_program_greets_is_an_interruption_too() {
    for signal in SIGNALS {
        let folder = tempfile::tempdir().expect("a folder");
        let child = start(folder.path(), &config("silent", NODES, "startup = \"60s\""));
        await_programs(folder.path(), 1);
        send(&child, signal);
        let (code, out, told) = end(child);
        assert_eq!((code, out.as_str()), (Some(130), ""), "{signal:?}: {told}");
        assert!(told.contains("stopped before the first game"), "{told}");
        assert!(!folder.path().join("match.sqlite").exists());
        assert_no_process_left(folder.path());
    }
}

#[test]
fn signals_ignored_by_the_parent_stay_ignored() {
    let cases: [(&[&str], &[Signal]); 2] = [
        (&["nohup"], &[Signal::HUP]),
        // As a shell without job control does for commands started with `&`.
        (
            &["sh", "-c", "trap '' INT QUIT; exec \"$@\"", "sh"],
            &[Signal::INT, Signal::QUIT],
        ),
    ];
    thread::scope(|scope| {
        for (words, signals) in cases {
            scope.spawn(move || a_run_goes_on(words, signals));
        }
    });
}

/// Checks that a run started by these words ignores the signals.
fn a_run_goes_on(words: &[&str], signals: &[Signal]) {
    let folder = tempfile::tempdir().expect("a folder");
    let slow = config("slow", NODES, "stall = \"60s\"");
    fs::write(folder.path().join("match.toml"), slow).expect("a config");
    let leitai = common::leitai();
    let mut command = Command::new(words[0]);
    command
        .current_dir(folder.path())
        .args(&words[1..])
        .arg(leitai.get_program())
        .args(["run", "match.toml", "--json", "--quiet", "--threads", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("a command");
    await_programs(folder.path(), 2);
    for &signal in signals {
        send(&child, signal);
    }
    let (code, _, told) = end(child);
    assert_eq!(code, Some(0), "{words:?}: {told}");
}

/// Long commands: they compute, read the pipe `in` without a writer, or wait for a reader of `out`.
const LONG: &str = "\
run in
gate in
gate gate.toml --junit out
tune in
tune --simulate --parameters 30 --games 1000000
report run.sqlite --pgn out
rate in
convert in -o games.json
check in
check-proof in
doctor in
study in
analyze xiangqi --config run.toml --depth 60
engine
openings check xiangqi in
openings generate xiangqi --count 9 -o out --force
openings go --count 9 -o out --force
calc sprt --elo0 0 --elo1 5 --stream in
calc plan --elo0 0 --elo1 1 --draw-rate 0.5 --max-pairs 1000
calc simulate --elo0 0 --elo1 1 --elo 0 --draw-rate 0.5 --runs 1000000
perft xiangqi --depth 12
bench --depth 60
solve go --problem in
solve othello --fen ---------------------------OX------XO---------------------------X";

#[test]
fn every_signal_ends_every_command_with_130_whatever_it_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let made = Command::new("mkfifo").args([at("in"), at("out")]).status();
    assert!(made.expect("mkfifo").success());
    let run = common::small_tournament(2, 1);
    let gate = "[gate]\nbase = \"full\"\ncandidate = \"piece-order\"";
    let gate = run.replace("[tournament]\nformat = \"round-robin\"\npairs = 2", gate);
    fs::write(at("run.toml"), run).expect("a config");
    fs::write(at("gate.toml"), gate).expect("a config");
    let give = |words: &str| {
        let mut command = common::leitai();
        command.current_dir(folder.path()).args(words.split(' '));
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let played = give("run run.toml").output().expect("leitai");
    assert!(played.status.success());
    let before = names(folder.path());
    thread::scope(|scope| {
        for (turn, signal) in SIGNALS.into_iter().enumerate() {
            let give = &give;
            scope.spawn(move || {
                for (number, words) in LONG.lines().enumerate() {
                    let child = give(words).spawn().expect("leitai");
                    await_handler(&child);
                    sleep(Duration::from_millis(60) * ((number + turn) % 4) as u32);
                    send(&child, signal);
                    let sent = Instant::now();
                    let (code, out, told) = end(child);
                    assert_eq!(code, Some(130), "`{words}` at {signal:?}: {told}{out}");
                    assert!(sent.elapsed() < AT_ONCE, "`{words}` at {signal:?}: {told}");
                }
            });
        }
    });
    let report = give("report run.sqlite --json").output().expect("leitai");
    assert!(report.status.success());
    assert_eq!(names(folder.path()), before);
}

fn names(folder: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("a name").file_name())
        .collect()
}

/// Waits until the process has a thread that waits for signals. A caught signal is not enough: the
/// handler is installed some microseconds before its action is set.
fn await_handler(child: &Child) {
    let begun = Instant::now();
    loop {
        let threads = fs::read_dir(format!("/proc/{}/task", child.id()));
        let names = threads.into_iter().flatten().flatten();
        let mut names = names.flat_map(|it| fs::read_to_string(it.path().join("comm")));
        if names.any(|name| name.trim() == "signals") {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "no signal is waited for");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn programs_of_a_leitai_that_a_program_has_started_are_ended_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = config("ignores-quit", NODES, "").replace("pairs = 2", "pairs = 100000");
    fs::write(folder.path().join("inner.toml"), inner).expect("a config");
    // The mock starts after some of the inner games.
    let script = format!(
        "{:?} run inner.toml --store inner.$$.sqlite -q -t1 >/dev/null 2>&1 </dev/null & \
         while [ ! -e pids ]; do sleep 0.01; done; exec \"$0\" \"$@\"",
        common::leitai().get_program()
    );
    let program = mock_program();
    let program = program.to_str().expect("UTF-8");
    let outer = config("good", NODES, "").replace(
        &format!("command = [{program:?}"),
        &format!("command = [\"sh\", \"-c\", {script:?}, {program:?}"),
    );
    let (code, _, told) = end(start(folder.path(), &outer));
    assert_eq!(code, Some(0), "{told}");
    let pids = fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
    assert!(pids.lines().count() > 2, "no inner program was started");
    assert_no_process_left(folder.path());
}

/// Not a test: a process that ends without closing its programs.
#[test]
#[expect(clippy::exit, reason = "the end without a farewell is what is tested")]
fn in_haste() {
    let Ok(folder) = std::env::var("LEITAI_IN_HASTE") else {
        return;
    };
    std::env::set_current_dir(&folder).expect("a folder");
    adopt_orphans();
    let text = config("runaway", NODES, "");
    let parsed = leitai_config::parse(&text, "match.toml", &leitai_games::all()).expect("a config");
    let program = parsed.config.variants[1]
        .program
        .clone()
        .expect("a program");
    let _probe = Probe::start(&program, &AtomicBool::new(false)).expect("a start");
    await_programs(Path::new(&folder), 3);
    assert!(has_process_left(Path::new(&folder)).is_some());
    end_programs();
    std::process::exit(0);
}

#[test]
fn a_second_interrupt_leaves_no_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args([
        "programs::external::signals::in_haste",
        "--exact",
        "--nocapture",
    ]);
    command.env("LEITAI_IN_HASTE", folder.path());
    let output = command.output().expect("this test");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert_no_process_left(folder.path());
}

#[test]
fn floods_of_a_greeting_are_refused_before_they_fill_the_memory() {
    let modes = [
        (
            "uci",
            "endless-options",
            "it printed more than 1000 options",
        ),
        ("uci", "endless-talk", "more than 10000 lines"),
        ("uci", "endless-bytes", "more than 4 MiB"),
        ("uci", "never-ready", "more than 10000 lines"),
        (
            "ucci",
            "endless-options",
            "it printed more than 1000 options",
        ),
        (
            "cecp",
            "endless-options",
            "it printed more than 1000 options",
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
                    words::PROTOCOL
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
        assert_no_process_left(folder.path());
    }
}
