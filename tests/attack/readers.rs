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
fn recorded(sandbox: &Sandbox) -> u32 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let file = Connection::open_with_flags(sandbox.path("run.sqlite"), flags);
    let count = |file: Connection| {
        let count = "SELECT count(*) FROM pair";
        file.query_row(count, [], |row| row.get(0))
    };
    file.and_then(count).unwrap_or(0)
}

fn await_pairs(sandbox: &Sandbox, pairs: u32) {
    let begun = Instant::now();
    while recorded(sandbox) < pairs {
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
