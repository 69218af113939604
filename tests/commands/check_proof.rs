//! `leitai check-proof` as a user runs it.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Sandbox, json, leitai, run, stderr, stdout};
use serde_json::Value;

const ATARI: &str = "\
leitai proof 1
id atari
claim captured
master defender
target C3
to-move white
board 5
.....
..O..
.OXO.
.....
.....
nodes 1
0 C2
end
";

/// The target escapes with five liberties.
const EXTENDS: &str = "\
leitai proof 1
id extends
claim escapes
master attacker
target C3
to-move black
liberties 5
board 5
.....
..O..
..X..
.....
.....
nodes 1
0 C2
end
";

fn code(arguments: &[&str]) -> i32 {
    run(arguments).status.code().expect("a code")
}

#[test]
fn a_valid_certificate_is_reported_with_its_claim() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("atari.proof", ATARI);
    let output = run(&["check-proof", &file]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        stdout(&output),
        format!(
            "{file}:1: atari: valid: C3 is captured, white to move, even if the defender takes \
             every ko; nodes 1, positions 1, depth 1\n"
        )
    );
    let answer = json(&["check-proof", &file, "--json", "--exhaustive"]);
    for (key, value) in [
        ("valid", Value::Bool(true)),
        ("id", "atari".into()),
        ("claim", "captured".into()),
        ("master", "defender".into()),
        ("target", "C3".into()),
        ("to_move", "white".into()),
        ("escape_liberties", Value::Null),
        ("nodes", 1.into()),
        ("positions", 1.into()),
        ("refusal", Value::Null),
        ("exhaustive", Value::Bool(true)),
    ] {
        assert_eq!(answer[key], value, "{key}");
    }
}

#[test]
fn several_files_and_certificates_are_counted() {
    let sandbox = Sandbox::new();
    let forged = ATARI.replace("0 C2", "0 B2");
    let both = sandbox.write("both.proof", &format!("{EXTENDS}{forged}"));
    let broken = sandbox.write("broken.proof", &ATARI.replace("nodes 1", "nodes 2"));
    let output = run(&["check-proof", &both]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].contains("C3 escapes (5 liberties are an escape), black to move"),
        "{text}"
    );
    assert!(
        lines[1].ends_with(
            "both.proof:17: atari: refused: line 30, node 0: the claim is not reached, and a pass \
             is not answered (`*`)"
        ),
        "{text}"
    );
    assert_eq!(
        lines[2],
        "2 certificates: 1 valid, 1 refused, 0 undecided, 0 unreadable"
    );

    let output = run(&["check-proof", &both, &broken, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stdout(&output);
    let answers: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let valid: Vec<&Value> = answers.iter().map(|answer| &answer["valid"]).collect();
    assert_eq!(
        valid,
        [&Value::Bool(true), &Value::Bool(false), &Value::Null]
    );
    assert_eq!(answers[1]["refusal"]["node"], 0);
    assert_eq!(answers[1]["refusal"]["line"], 30);
    assert_eq!(answers[2]["line"], 15);
    let error = answers[2]["error"].as_str().expect("an error");
    assert!(error.contains("expected node 1 of 2"), "{error}");
}

#[test]
fn exit_codes_are_documented() {
    let sandbox = Sandbox::new();
    let valid = sandbox.write("valid.proof", ATARI);
    let wrong = sandbox.write(
        "wrong.proof",
        &ATARI.replace("master defender", "claim captured"),
    );
    let prose = sandbox.write("prose.txt", "no certificate\n");
    let nothing = sandbox.write("nothing.proof", "# nothing\n");
    let net = sandbox.write("ladder.proof", LADDER);
    assert_eq!(code(&["check-proof", &valid]), 0);
    assert_eq!(code(&["check-proof", &valid, &wrong]), 2);
    assert_eq!(code(&["check-proof", &prose]), 2);
    assert_eq!(code(&["check-proof", &sandbox.path("absent.proof")]), 2);
    assert_eq!(code(&["check-proof", &net, "--positions", "10"]), 3);
    let output = run(&["check-proof", &nothing]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("holds no certificate"),
        "{}",
        stderr(&output)
    );
    let output = run(&["check-proof", &wrong]);
    let told = stderr(&output);
    assert!(
        told.contains("wrong.proof:4: `claim` is given twice"),
        "{told}"
    );
}

const LADDER: &str = "\
leitai proof 1
claim captured
master defender
target C5
to-move black
board 7
.......
..X....
.XO....
.X.....
.......
.......
.......
nodes 15
0 D5: C4 1, * 14
1 C3: D4 2, * 13
2 E4: D3 3, * 12
3 D2: E3 4, * 11
4 F3: E2 5, * 10
5 E1: F2 6, * 9
6 G2: F1 7, * 8
7 G1
8 F1
9 F2
10 E2
11 E3
12 D3
13 D4
14 C4
end
";

#[test]
fn standard_input_is_read_and_a_tree_is_written() {
    let sandbox = Sandbox::new();
    let tree = sandbox.path("ladder.sgf");
    let mut command = leitai();
    command.args(["check-proof", "-", "--sgf", &tree]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the binary");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(LADDER.as_bytes()).expect("written");
    drop(input);
    let output = child.wait_with_output().expect("output");
    assert!(output.status.success());
    assert!(
        stdout(&output).starts_with("-:1: valid: C5 is captured"),
        "{}",
        stdout(&output)
    );
    let text = std::fs::read_to_string(&tree).expect("a tree");
    let trees = sgf_parse::go::parse(&text).expect("SGF");
    assert_eq!(trees.len(), 1);
    // The main line: the ladder runs to the edge.
    let plays = trees[0].main_variation().skip(1).count();
    assert_eq!(plays, 15, "{text}");
}
