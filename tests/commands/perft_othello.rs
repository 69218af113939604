//! `leitai perft othello` and `leitai openings check othello` as a user runs them.

use crate::common::{Sandbox, json, project, run, stderr, stdout};
use serde_json::Value;

/// The most leaves to count here; the unit tests count more, once.
const QUICK: u64 = 1_000_000;

#[test]
fn both_conventions_equal_the_table() {
    let table = include_str!("../data/othello-perft.json");
    let table: Value = serde_json::from_str(table).expect("the table");
    let rows = table["positions"].as_array().expect("positions");
    assert_eq!(rows.len(), 10);
    let mut differ = 0;
    for row in rows {
        let text = |key: &str| row[key].as_str().expect("a text").to_owned();
        let fen = format!("{} {}", text("board"), text("side"));
        let leaves = row["leaves"].as_array().expect("leaves");
        let full = row["full_depth_only"].as_array().expect("leaves");
        let rows = (1..).zip(leaves.iter().zip(full));
        let quick = rows.filter(|(_, (leaves, _))| leaves.as_u64().expect("a number") < QUICK);
        let (depth, (leaves, full)) = quick.last().expect("a depth");
        let depth = depth.to_string();
        let count = |more: &[&str]| {
            let arguments = [
                "perft", "othello", "--fen", &fen, "--depth", &depth, "--json",
            ];
            json(&[&arguments[..], more].concat())["nodes"].clone()
        };
        assert_eq!(count(&[]), *leaves, "{fen} at {depth}");
        assert_eq!(count(&["--full-depth"]), *full, "{fen} at {depth}");
        assert_eq!(
            count(&["--full-depth", "--divide"]),
            *full,
            "{fen} at {depth}"
        );
        differ += usize::from(leaves != full);
    }
    assert!(differ > 0, "the conventions differ somewhere");
}

#[test]
fn threads_change_no_count_and_no_order() {
    for perft in [
        &["perft", "othello", "--depth", "6", "--divide"][..],
        &["perft", "xiangqi", "--depth", "3", "--divide"],
        &["perft", "go", "--depth", "1", "--divide"],
        &["perft", "othello", "--depth", "0", "--divide"],
    ] {
        let counts = ["1", "2", "5"].map(|threads| {
            let mut answer = json(&[perft, &["--json", "--threads", threads]].concat());
            let text = stdout(&run(&[perft, &["--threads", threads]].concat()));
            answer["lines"] = text.lines().filter(|line| line.contains(": ")).collect();
            answer
        });
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
        let whole = json(&[&perft[..4], &["--json"]].concat());
        assert_eq!(counts[0]["nodes"], whole["nodes"]);
    }
}

#[test]
fn a_wrong_board_is_refused() {
    let run = run(&["perft", "othello", "--depth", "1", "--fen", "---X X"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(
        stderr(&run).contains("4 squares instead of 64"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn shipped_openings_are_valid_and_bad_files_reported() {
    let ready = project("openings/othello.txt");
    let ready = ready.to_str().expect("UTF-8");
    let checked = json(&["openings", "check", "othello", ready, "--json"]);
    assert_eq!(checked["openings"], 300);
    assert_eq!(checked["left_out"], serde_json::json!([]));

    let sandbox = Sandbox::new();
    let twice = "\u{feff}F5D6C3D3C4F4F6F3\n# the same up to a reflection\ne6f4c3c4d3d6f6c6\n";
    let file = sandbox.write("xot.txt", twice);
    let told = run(&["openings", "check", "othello", &file, "--json"]);
    assert_eq!(told.status.code(), Some(1));
    assert!(
        stderr(&told).contains("line 3 is dropped"),
        "{}",
        stderr(&told)
    );
    let told: Value = serde_json::from_str(&stdout(&told)).expect("JSON");
    assert_eq!(told["left_out"], serde_json::json!([[3, 1]]));

    let file = sandbox.write("bad.txt", "f5d6\nf5d6a8\n");
    let told = run(&["openings", "check", "othello", &file]);
    assert_eq!(told.status.code(), Some(2));
    let said = stderr(&told);
    assert!(
        said.contains("bad.txt:2: black turns no disc there at ply 3: `a8`"),
        "{said}"
    );
}
