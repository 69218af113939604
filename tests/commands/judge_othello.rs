//! `leitai judge othello` as a user runs it.

use crate::common::{json, run, stderr, stdout};
use serde_json::{Value, json as value};

fn data() -> Value {
    serde_json::from_str(include_str!("../data/othello-legal.json")).expect("the data")
}

fn judge(moves: &str) -> Value {
    json(&["judge", "othello", "--moves", moves, "--json"])
}

/// The moves without passes, in capitals, with spaces.
fn rewritten(moves: &str) -> String {
    let words = (0..moves.len())
        .step_by(2)
        .map(|at| moves[at..at + 2].to_uppercase());
    words
        .filter(|word| word != "PS")
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn legal_moves_equal_the_reference() {
    for reached in data()["positions"].as_array().unwrap() {
        let moves = reached["moves"].as_str().unwrap();
        let judged = judge(moves);
        assert_eq!(judged["legal"], true, "{moves}");
        assert_eq!(judged["error"], Value::Null);
        assert_eq!(judged["over"], reached["terminal"]);
        let mut legal: Vec<&str> = judged["legal_moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| mv.as_str().unwrap())
            .collect();
        legal.sort_unstable();
        assert_eq!(value!(legal), reached["legal"], "{moves}");
        let fen = judged["fen"].as_str().unwrap();
        assert_eq!(fen[..64], *reached["board"].as_str().unwrap());
    }
}

#[test]
fn finished_games_are_counted_by_either_rule() {
    let data = data();
    let games = data["games"].as_array().unwrap();
    let mut differ = 0;
    for game in games {
        let moves = game["moves"].as_str().unwrap();
        let judged = judge(moves);
        assert_eq!(
            (&judged["legal"], &judged["over"]),
            (&value!(true), &value!(true))
        );
        for key in ["black", "white", "empty", "passes"] {
            assert_eq!(judged[key], game[key], "{key} of {moves}");
        }
        let score = &judged["final_score"];
        assert_eq!(score, &game["score_black_winner_takes_empties"]);
        let result = match game["returns_black"].as_i64() {
            Some(1) => ("1-0", "black"),
            Some(-1) => ("0-1", "white"),
            _ => ("1/2-1/2", "draw"),
        };
        assert_eq!(
            (&judged["result"], &judged["winner"]),
            (&value!(result.0), &value!(result.1))
        );
        assert_eq!(judged["legal_moves"], value!([]));

        let nobody = json(&[
            "judge",
            "othello",
            "--empties",
            "nobody",
            "--moves",
            moves,
            "--json",
        ]);
        let discs = game["black"].as_i64().unwrap() - game["white"].as_i64().unwrap();
        assert_eq!(nobody["final_score"], discs);
        assert_eq!(nobody["disc_difference"], discs);
        differ += usize::from(nobody["final_score"] != *score);

        let again = judge(&rewritten(moves));
        let mut written = judged.clone();
        for pass in written["passed"].as_array_mut().unwrap() {
            assert_eq!(pass["written"], true);
            pass["written"] = value!(false);
        }
        assert_eq!(again, written, "passes left out");
    }
    assert!(differ > 0, "the rules differ where squares stay empty");
}

#[test]
fn an_illegal_move_is_reported_with_its_ply_and_reason() {
    for (moves, ply, text, fault) in [
        ("f5d6c3d9", 4, "d9", "no-move"),
        ("F5 D6 F5", 3, "F5", "occupied"),
        ("f5a1", 2, "a1", "turns-nothing"),
        ("f5ps", 2, "ps", "may-not-pass"),
    ] {
        let run = run(&["judge", "othello", "--moves", moves, "--json"]);
        assert_eq!(run.status.code(), Some(1), "{moves}");
        let told: Value = serde_json::from_str(&stdout(&run)).unwrap();
        assert_eq!(told["legal"], false);
        assert_eq!(told["plies"], ply - 1);
        let error = &told["error"];
        assert_eq!(
            (&error["ply"], &error["move"]),
            (&value!(ply), &value!(text))
        );
        assert_eq!(error["fault"], fault);
        let said = stderr(&run);
        assert!(
            said.contains(&format!("ply {ply}")) && said.contains(text),
            "{said}"
        );
    }
}

#[test]
fn a_transcript_that_goes_on_after_the_end_is_refused() {
    let moves = "c4c5f6e3b5f4e2b6g5b4a5a6a4b3a2a3a7b2b1";
    let over = judge(moves);
    assert_eq!(
        (&over["final_score"], &over["plies"]),
        (&value!(64), &value!(19))
    );
    let run = run(&[
        "judge",
        "othello",
        "--moves",
        &format!("{moves}h8h7"),
        "--json",
    ]);
    assert_eq!(run.status.code(), Some(1));
    let told: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(
        (&told["legal"], &told["final_score"]),
        (&value!(false), &value!(64))
    );
    assert_eq!(
        (&told["error"]["ply"], &told["error"]["left_over"]),
        (&value!(20), &value!(2))
    );
    let said = stderr(&run);
    assert!(
        said.contains("ended with ply 19, and 2 moves are left over"),
        "{said}"
    );
}

#[test]
fn boards_are_read_and_bad_ones_refused() {
    let board = "------XO--------------------------------------------------------";
    let fen = format!("{board} X");
    let judged = json(&["judge", "othello", "--fen", &fen, "--json"]);
    assert_eq!(judged["legal_moves"], value!(["pass"]));
    assert_eq!(
        (&judged["passes"], &judged["over"]),
        (&value!(0), &value!(false))
    );
    for (fen, what) in [
        (format!("{} X", &board[1..]), "63 squares instead of 64"),
        (format!("{board}- X"), "65 squares instead of 64"),
        (board.to_owned(), "side to move is missing"),
    ] {
        let run = run(&["judge", "othello", "--fen", &fen]);
        assert_eq!(run.status.code(), Some(2), "{fen}");
        assert!(stderr(&run).contains(what), "{}", stderr(&run));
    }
}

#[test]
fn the_answer_reads_as_a_sentence() {
    let told = stdout(&run(&["judge", "othello", "--moves", "f5"]));
    assert!(
        told.starts_with("ongoing after 1 ply: white to move\n"),
        "{told}"
    );
    let moves = "c4c5f6e3b5f4e2b6g5b4a5a6a4b3a2a3a7b2b1";
    let told = stdout(&run(&["judge", "othello", "--moves", moves]));
    assert!(
        told.starts_with(
            "black wins, +64 for black (41 empty squares for winner), after 19 plies\n"
        ),
        "{told}"
    );
}

#[test]
fn rules_of_the_other_game_are_refused() {
    for arguments in [
        ["judge", "othello", "--rule", "check"],
        ["judge", "xiangqi", "--empties", "nobody"],
    ] {
        let run = run(&arguments);
        assert_eq!(run.status.code(), Some(2));
        assert!(stderr(&run).contains(arguments[2]), "{}", stderr(&run));
    }
}
