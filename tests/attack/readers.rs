//! Readers that stall: games go on without them.

use std::io::{PipeReader, Read, pipe};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use rustix::pipe::fcntl_setpipe_size;
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Sandbox, leitai, small_tournament};

/// Longer than any step here takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// Starts a run with much output for a reader that does not read.
fn start(sandbox: &Sandbox, pairs: u32) -> (Child, PipeReader) {
    let config = sandbox.write("run.toml", &small_tournament(pairs, 1));
    let (reader, writer) = pipe().unwrap();
    fcntl_setpipe_size(&writer, 4096).unwrap();
    let mut command = leitai();
    command.current_dir(sandbox.path(""));
    command.args(["run", &config, "--threads", "2", "--log-games"]);
    command.args(["--events", "-", "--moves"]);
    command.stdin(Stdio::null());
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    (command.spawn().unwrap(), reader)
}

/// The number of recorded pairs.
fn recorded(record: &str) -> u32 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let file = Connection::open_with_flags(record, flags);
    let count = |file: Connection| {
        let count = "SELECT count(*) FROM pair";
        file.query_row(count, [], |row| row.get(0))
    };
    file.and_then(count).unwrap_or(0)
}

fn await_pairs(sandbox: &Sandbox, pairs: u32) {
    await_pairs_in(&sandbox.path("run.sqlite"), pairs);
}

fn await_pairs_in(record: &str, pairs: u32) {
    let begun = Instant::now();
    while recorded(record) < pairs {
        assert!(begun.elapsed() < PATIENCE, "the games wait for the reader");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn games_go_on_while_nobody_reads_and_nothing_is_left_out() {
    let sandbox = Sandbox::new();
    let (mut child, mut reader) = start(&sandbox, 60);
    // Three pairings.
    await_pairs(&sandbox, 180);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success(), "{text}");
    let count = |what: &str| text.matches(what).count();
    assert_eq!(count("{\"event\":\"pair\""), 180);
    assert_eq!(count("{\"event\":\"session-ended\""), 1);
}

/// A match for a client of fastchess that does not read.
#[test]
fn a_match_goes_on_while_nobody_reads() {
    let sandbox = Sandbox::new();
    let (mut reader, writer) = pipe().unwrap();
    fcntl_setpipe_size(&writer, 4096).unwrap();
    let binary = leitai();
    let engine = |name: &str| {
        let program = binary.get_program().to_str().unwrap();
        format!("name={name} cmd={program} args=\"engine --game chess\"")
    };
    let mut command = leitai();
    command.current_dir(sandbox.path("")).arg("fastchess");
    for name in ["a", "b"] {
        command.arg("-engine");
        let words = engine(name);
        let words = words.split(" args=").collect::<Vec<_>>();
        command
            .args(words[0].split(' '))
            .arg(format!("args={}", words[1].replace('"', "")));
    }
    command.args([
        "-each",
        "nodes=5",
        "tc=inf",
        "-rounds",
        "30",
        "-maxmoves",
        "5",
    ]);
    command.args(["-concurrency", "2", "-debug", "-ratinginterval", "1"]);
    command.args(["--store", "match.sqlite"]);
    command.stdin(Stdio::null());
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    drop(command);
    await_pairs_in(&sandbox.path("match.sqlite"), 30);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success(), "{text:.3000}");
    assert_eq!(text.matches("Finished game").count(), 60);
}

#[test]
fn a_run_with_a_stalled_reader_ends_when_it_is_asked_to() {
    let sandbox = Sandbox::new();
    let (mut child, _reader) = start(&sandbox, 60);
    await_pairs(&sandbox, 20);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "it goes on");
        sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(130));
}
