//! Helpers for the tests of gates.

use serde_json::Value;

use super::{json, project, run, stderr};

/// A gate between plain alpha-beta and all search features, with few nodes per move.
pub(crate) fn gate(table: &str) -> String {
    let book = project("openings/xiangqi.epd");
    let book = book.to_str().expect("UTF-8");
    format!(
        r#"
game = "xiangqi"
seed = 7

[limits]
nodes = 80

[openings]
file = {book:?}

[adjudication]
resign = {{ score = 600, plies = 4 }}
draw = {{ score = 20, plies = 10, after_ply = 60 }}
max_plies = 100

[gate]
{table}

[[variant]]
name = "plain"

[[variant]]
name = "full"
search = {{ preset = "full" }}

[[variant]]
name = "no-quiescence"
search = {{ quiescence = false }}
"#
    )
}

pub(crate) const UP: &str = "base = \"plain\"\ncandidate = \"full\"\nelo1 = 40";
pub(crate) const DOWN: &str = "base = \"full\"\ncandidate = \"plain\"\nelo1 = 40";

/// Runs the gate into `store` and returns the exit code and the JSON.
pub(crate) fn play(config: &str, store: &str, threads: &str) -> (i32, Value) {
    let output = run(&[
        "gate",
        config,
        "--store",
        store,
        "--threads",
        threads,
        "--json",
        "--quiet",
    ]);
    let answer = serde_json::from_slice(&output.stdout);
    (
        output.status.code().expect("not killed"),
        answer.unwrap_or_else(|_| panic!("{}", stderr(&output))),
    )
}

pub(crate) fn recorded(store: &str) -> u64 {
    let listed = json(&["report", store, "--list", "--json"]);
    listed[0]["recorded"].as_u64().expect("a number")
}
