//! Helpers of all tests: the binary as a user runs it, gates, records.

pub(crate) mod gates;
pub(crate) mod records;
pub(crate) mod syzygy;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Once};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use tempfile::TempDir;

/// Installs handlers without effect for signals that the parent of the tests ignores, as a shell
/// does with SIGINT for commands started with `&`. Child processes inherit ignored signals, but not
/// handlers.
fn inherit_no_ignored_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:\t"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask, 16).ok());
        let is_ignored = |signal: &i32| mask.unwrap_or_default() >> (signal - 1) & 1 == 1;
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
            .into_iter()
            .filter(is_ignored)
        {
            signal_hook::flag::register(signal, Arc::default()).expect("caught");
        }
    });
}

pub(crate) fn leitai() -> Command {
    inherit_no_ignored_signals();
    let mut command = Command::new(env!("CARGO_BIN_EXE_leitai"));
    command.env("CI", "1").env_remove("RUST_BACKTRACE");
    command
}

/// Runs the binary and returns its output.
pub(crate) fn run(arguments: &[&str]) -> Output {
    leitai().args(arguments).output().expect("the binary runs")
}

/// Runs the binary, expects success, and reads its JSON.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    serde_json::from_slice(&output.stdout).expect("one JSON value on standard output")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Waits until `count` occurrences of `what` are in a file of events.
pub(crate) fn wait_for(events: &str, what: &str, count: usize) {
    let begun = Instant::now();
    let found = || std::fs::read_to_string(events).map_or(0, |text| text.matches(what).count());
    while found() < count {
        assert!(begun.elapsed() < Duration::from_mins(1), "no {what}");
        sleep(Duration::from_millis(2));
    }
}

/// A file of the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The first openings of the Xiangqi book.
pub(crate) fn openings(count: usize) -> String {
    let book = std::fs::read_to_string(project("openings/xiangqi.epd")).expect("a book");
    let lines = book.lines().filter(|line| !line.starts_with('#'));
    lines.take(count).flat_map(|line| [line, "\n"]).collect()
}

/// A temporary folder of a test.
pub(crate) struct Sandbox(TempDir);

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("written");
        path
    }

    /// The names of the files in the folder.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("readable");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("entry")
                    .file_name()
                    .into_string()
                    .expect("UTF-8")
            })
            .collect();
        names.sort();
        names
    }
}

/// A small Xiangqi tournament of three variants.
pub(crate) fn small_tournament(pairs: u32, nodes: u32) -> String {
    let book = project("tests/data/xiangqi-64.epd");
    let book = book.to_str().expect("UTF-8");
    format!(
        r#"
game = "xiangqi"
seed = 7

[limits]
nodes = {nodes}

[openings]
file = {book:?}

[adjudication]
resign = {{ score = 900, plies = 4 }}
draw = {{ score = 20, plies = 10, after_ply = 60 }}
max_plies = 120

[tournament]
format = "round-robin"
pairs = {pairs}

[[variant]]
name = "piece-order"
search = {{ ordering = ["by-piece"] }}

[[variant]]
name = "full"
search = {{ ordering = ["tt", "good-captures", "killers", "history"] }}

[[variant]]
name = "no-quiescence"
base = "full"
search = {{ quiescence = false }}
"#
    )
}
