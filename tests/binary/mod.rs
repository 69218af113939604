//! What the tests of the binary share.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// The binary under test.
pub fn leitai() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leitai"));
    command.env("CI", "1").env_remove("RUST_BACKTRACE");
    command
}

/// Runs the binary and returns what came out.
pub fn run(arguments: &[&str]) -> Output {
    leitai().args(arguments).output().expect("the binary runs")
}

/// Runs the binary, expects success, and reads its JSON.
pub fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    serde_json::from_slice(&output.stdout).expect("one JSON value on standard output")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// A file of the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A folder of a test's own.
pub struct Sandbox(TempDir);

impl Sandbox {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("written");
        path
    }

    /// Names of the files in the folder.
    pub fn files(&self) -> Vec<String> {
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
pub fn small_tournament(pairs: u32, nodes: u32) -> String {
    let book = project("openings/xiangqi.epd");
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
