//! `leitai solve` as a user runs it.

use crate::common::{Sandbox, json, project, run, stderr, stdout};

/// FFO number 1.
const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
/// FFO number 44.
const FFO_44: &str = "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O";

#[test]
fn the_score_and_a_best_move_are_printed() {
    let answer = json(&["solve", "othello", "--fen", FFO_1, "--json"]);
    assert_eq!(answer["score"], 18);
    assert_eq!(answer["best_move"], "g8");
    assert_eq!(
        (&answer["lower"], &answer["upper"]),
        (&18.into(), &18.into())
    );
    assert_eq!(answer["pv"][0], "g8");
    assert_eq!(answer["empties_to"], "winner");
    assert!(answer["nodes"].as_u64().unwrap() > 1000 && answer["ms"].as_f64().unwrap() > 0.0);
    assert!(answer.get("best_moves").is_none() && answer.get("note").is_none());

    let text = stdout(&run(&["solve", "othello", "--fen", FFO_1]));
    assert!(
        text.contains("+18 for black") && text.contains("best move  g8"),
        "{text}"
    );
}

#[test]
fn every_move_has_its_score_if_asked_for() {
    let answer = json(&["solve", "othello", "--fen", FFO_1, "--all", "--json"]);
    assert_eq!(answer["best_moves"], serde_json::json!(["g8"]));
    let expected = [
        ("g8", 18),
        ("h1", 12),
        ("h7", 6),
        ("a2", 6),
        ("a3", 4),
        ("b1", -4),
        ("a4", -22),
        ("g2", -24),
    ];
    let scores = answer["move_scores"].as_object().unwrap();
    assert_eq!(scores.len(), expected.len());
    for (mv, score) in expected {
        assert_eq!(scores[mv], score, "{mv}");
    }
}

#[test]
fn passes_ends_and_the_other_rule() {
    let pass = "-XOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X";
    let answer = json(&["solve", "othello", "--fen", pass, "--json"]);
    assert_eq!(
        (&answer["best_move"], &answer["score"]),
        (&"pass".into(), &(-64).into())
    );

    let over = format!("{}- O", "X".repeat(63));
    let answer = json(&["solve", "othello", "--fen", &over, "--json"]);
    assert!(answer["best_move"].is_null());
    assert_eq!(
        (&answer["score"], &answer["nodes"]),
        (&(-64).into(), &0.into())
    );
    let nobody = [
        "solve",
        "othello",
        "--fen",
        &over,
        "--empties",
        "nobody",
        "--json",
    ];
    assert_eq!(json(&nobody)["score"], -63);
}

#[test]
fn a_limit_returns_the_known_bounds() {
    let arguments = [
        "solve", "othello", "--fen", FFO_44, "--nodes", "100000", "--json",
    ];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(3));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answer["score"].is_null());
    let [lower, upper] = ["lower", "upper"].map(|key| answer[key].as_i64().unwrap());
    assert!((lower..=upper).contains(&-14));
    assert!(answer["nodes"].as_u64().unwrap() <= 100_000);
    assert!(answer["best_move"].is_string());
    assert!(answer["note"].as_str().unwrap().contains("--nodes"));
}

#[test]
fn files_are_solved_line_by_line_and_compared() {
    let file = project("tests/data/ffo.obf");
    let file = file.to_str().unwrap();
    let arguments = [
        "solve", "othello", "--file", file, "--first", "2", "--last", "4", "--json",
    ];
    let output = run(&arguments);
    assert!(output.status.success());
    let lines: Vec<serde_json::Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    for (line, (number, score)) in lines.iter().zip([(2, 10), (3, 2), (4, 0)]) {
        assert_eq!(line["number"], number);
        assert_eq!(line["score"], score);
        assert_eq!(line["expected"], score);
    }

    let sandbox = Sandbox::new();
    let wrong = sandbox.write(
        "wrong.obf",
        &format!("% one\n{FFO_1}; H1:+12; G8:+20; a2:6; % two\n{FFO_1}\n{FFO_1};\n"),
    );
    let output = run(&["solve", "othello", "--file", &wrong]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("the file says +20"), "{text}");
    assert!(text.contains("0 of 1 scores as expected"), "{text}");
}

#[test]
fn wrong_input_is_reported_with_position_and_reason() {
    for (arguments, told) in [
        (&["--fen", &FFO_1[1..]][..], "63 squares instead of 64"),
        (&["--fen", &FFO_1[..64]], "side to move"),
        (&[], "--fen"),
        (&["--file", "no/such/file"], "cannot read no/such/file"),
        (&["--fen", FFO_1, "--last", "2"], "--last"),
    ] {
        let output = run(&[&["solve", "othello"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = stderr(&output);
        assert!(text.contains(told), "{told}: {text}");
        assert!(output.stdout.is_empty());
    }
    let sandbox = Sandbox::new();
    let file = sandbox.write("bad.obf", &format!("{FFO_1}\n\n{}\n", &FFO_1[2..]));
    let output = run(&["solve", "othello", "--file", &file]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("bad.obf:3: the board has 62 squares"),
        "{text}"
    );
    assert!(
        output.stdout.is_empty(),
        "nothing is solved before all is read"
    );
    for (scores, told) in [
        ("g8", "`g8` is not `move:score`"),
        ("g8:65", "`65` is not a score"),
        ("a1:2", "`a1` is not legal here"),
    ] {
        let file = sandbox.write("bad.obf", &format!("{FFO_1}; {scores}\n"));
        let output = run(&["solve", "othello", "--file", &file]);
        assert_eq!(output.status.code(), Some(2), "{scores}");
        let text = stderr(&output);
        assert!(text.contains(told), "{scores}: {text}");
    }
    let output = run(&["solve", "othello", "--file", &file[..0]]);
    assert_eq!(output.status.code(), Some(2));
}
