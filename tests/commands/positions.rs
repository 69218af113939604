//! `leitai convert --to positions` as a user runs it.

use std::collections::HashMap;

use serde_json::Value;

use crate::common::{Sandbox, run, small_tournament, stderr, stdout};
use leitai_game::Position as _;
use leitai_games::xiangqi::Xiangqi;

/// Converts to a file and returns its content.
fn positions(sandbox: &Sandbox, arguments: &[&str], out: &str) -> Vec<u8> {
    let out = sandbox.path(out);
    let all = [&["convert", "--to", "positions", "-o", &out], arguments].concat();
    let output = run(&all);
    assert!(output.status.success(), "{all:?}: {}", stderr(&output));
    std::fs::read(out).expect("positions")
}

fn rows(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let text = String::from_utf8(positions(sandbox, arguments, "rows.jsonl")).expect("text");
    let rows = text.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().expect("lines of JSON")
}

/// A recorded run, and its games as written by `--to json`.
fn played(sandbox: &Sandbox) -> (String, Vec<Value>) {
    let config = sandbox.write("t.toml", &small_tournament(4, 60));
    let store = sandbox.path("t.sqlite");
    let output = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let games = stdout(&run(&["convert", &store, "--to", "json"]));
    let games = games.lines().map(serde_json::from_str);
    (store, games.collect::<Result<_, _>>().expect("games"))
}

#[test]
fn every_position_in_which_a_move_was_played_is_written_once() {
    let sandbox = Sandbox::new();
    let (store, games) = played(&sandbox);
    let rows = rows(&sandbox, &[&store]);
    let mut left = rows.iter();
    for (number, game) in games.iter().enumerate() {
        let first_moves = game["fen"].as_str().is_some_and(|fen| fen.contains(" w "));
        for (ply, mv) in game["moves"].as_array().expect("moves").iter().enumerate() {
            let row = left.next().expect("a row for each move");
            assert_eq!(row["pair"], number / 2);
            assert_eq!(row["game"], number % 2);
            assert_eq!(row["ply"], ply);
            assert_eq!(&row["move"], mv);
            if ply == 0 {
                assert_eq!(row["fen"], game["fen"]);
            }
            let of_first = match game["result"].as_str() {
                Some("1-0") => Some(2),
                Some("0-1") => Some(0),
                Some("1/2-1/2") => Some(1),
                _ => None,
            };
            let is_first = first_moves == (ply % 2 == 0);
            let wanted = of_first.map(|points| if is_first { points } else { 2 - points });
            assert_eq!(row["half_points"].as_u64(), wanted);
            assert!(row["nodes"].as_u64().is_some_and(|nodes| nodes <= 60));
            assert!(row["score"].is_i64(), "{row}");
        }
    }
    assert!(left.next().is_none());
    // Games written and read again have the same data for every move.
    let pgn = sandbox.write("t.pgn", &stdout(&run(&["convert", &store])));
    let mut of_text = self::rows(&sandbox, &[&pgn]);
    let mut of_record = rows;
    for row in of_text.iter_mut().chain(&mut of_record) {
        // PGN does not name the opening.
        row["opening"] = Value::Null;
    }
    assert_eq!(of_text.len(), of_record.len());
    for (text, record) in of_text.iter().zip(&of_record) {
        assert_eq!(text, record);
    }
}

#[test]
fn the_three_forms_are_equivalent() {
    let sandbox = Sandbox::new();
    let (store, _) = played(&sandbox);
    let rows = rows(&sandbox, &[&store]);
    let table = positions(&sandbox, &[&store], "t.csv");
    let table = String::from_utf8(table).expect("text");
    let mut lines = table.lines();
    let header: Vec<_> = lines.next().expect("a header").split(',').collect();
    let binary = positions(&sandbox, &[&store], "t.bin");
    assert_eq!(&binary[..8], b"LEITAIP1");
    let number = |at: usize| u32::from_le_bytes(binary[at..at + 4].try_into().expect("four"));
    let (size, squares) = (number(8) as usize, number(12) as usize);
    assert_eq!(squares, 90);
    assert_eq!(
        binary[16..32].split(|&byte| byte == 0).next(),
        Some(&b"xiangqi"[..])
    );
    assert_eq!(binary.len(), 32 + rows.len() * size);
    assert_eq!(table.lines().count(), 1 + rows.len());
    for ((row, line), at) in rows.iter().zip(lines).zip((32..).step_by(size)) {
        let cells: HashMap<_, _> = header.iter().zip(line.split(',')).collect();
        for (name, cell) in cells {
            let wanted = match &row[*name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(cell, wanted, "{name}: {line}");
        }
        assert_eq!(number(at), row["pair"]);
        assert_eq!(binary[at + 6], row["game"]);
        assert_eq!(number(at + 8) as i32, row["score"]);
        assert_eq!(number(at + 12), row["nodes"]);
        assert_eq!(binary[at + 16], row["depth"]);
        let half_points = Some(binary[at + 17]).filter(|&it| it < 3).map(u64::from);
        assert_eq!(half_points, row["half_points"].as_u64());
        let fen = row["fen"].as_str().expect("a position");
        assert_eq!(binary[at + 7] == 1, fen.contains(" b "));
        let mv = row["move"].as_str().expect("a move").as_bytes();
        assert_eq!(&binary[at + 20..at + 20 + mv.len()], mv);
        // Rebuilds the FEN from the board.
        let board = &binary[at + 32..at + 32 + squares];
        let ranks = board.chunks(9).map(|rank| {
            let mut text = String::new();
            let mut empty = 0;
            for &square in rank.iter().chain(b"/") {
                if square == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(char::from(square));
            }
            text
        });
        let board: String = ranks.collect();
        assert_eq!(Some(board.trim_end_matches('/')), fen.split(' ').next());
    }
}

#[test]
fn filters_keep_matching_positions() {
    let sandbox = Sandbox::new();
    let (store, games) = played(&sandbox);
    let all = rows(&sandbox, &[&store]);
    let kept = |arguments: &[&str]| rows(&sandbox, &[&[store.as_str()], arguments].concat());
    let wanted = |keep: &dyn Fn(&Value) -> bool| -> Vec<_> {
        all.iter().filter(|row| keep(row)).cloned().collect()
    };
    let in_plies = |row: &Value| (3..=9).contains(&row["ply"].as_u64().unwrap_or(0));
    assert!(kept(&["--plies", "3..9"]) == wanted(&in_plies));
    let in_scores = |row: &Value| {
        row["mate"].is_null()
            && row["score"]
                .as_i64()
                .is_some_and(|it| (-90..=40).contains(&it))
    };
    assert!(kept(&["--scores=-90..40"]) == wanted(&in_scores));
    assert!(
        kept(&["--scores", "-90..40", "--plies=3..9"])
            == wanted(&|row| in_plies(row) && in_scores(row))
    );
    // No positions at all is an error, and writes no file without a header.
    for form in ["jsonl", "csv", "binary"] {
        let out = sandbox.path("none");
        let words = ["convert", "--to", "positions", "--as", form, "-o", &out];
        let none = run(&[&words[..], &[&store, "--scores", "90000..90001"]].concat());
        assert_eq!(none.status.code(), Some(2), "{form}");
        let told = stderr(&none);
        assert!(told.contains("no position meets the conditions"), "{told}");
        assert!(!std::path::Path::new(&out).exists(), "{form}");
    }
    assert!(positions(&sandbox, &[&store], "X.BIN").starts_with(b"LEITAIP1"));
    // Settled positions are a proper subset, and none of their moves captures.
    let settled = kept(&["--settled"]);
    assert!(!settled.is_empty() && settled.len() < all.len());
    let pieces = |row: &Value| {
        let fen = row["fen"].as_str().unwrap_or_default();
        let board = fen.split(' ').next().unwrap_or_default();
        board
            .chars()
            .filter(|letter| letter.is_alphabetic())
            .count()
    };
    for row in &settled {
        let position = Xiangqi::from_fen(row["fen"].as_str().expect("a position"));
        assert!(!position.expect("a position").in_check(), "{row}");
        assert!(row["mate"].is_null(), "{row}");
        let at = all
            .iter()
            .position(|other| other == row)
            .expect("one of all");
        let next = all
            .get(at + 1)
            .filter(|next| next["ply"].as_u64() > row["ply"].as_u64());
        assert!(next.is_none_or(|next| pieces(next) == pieces(row)), "{row}");
    }
    // One position of each game; the choice depends on the seed.
    let one = kept(&["--one-per-game", "--plies", "2..40"]);
    let game = |row: &Value| (row["pair"].clone(), row["game"].clone());
    assert_eq!(one.len(), games.len());
    assert!(one.windows(2).all(|pair| game(&pair[0]) != game(&pair[1])));
    assert!(one.iter().all(|row| all.contains(row)));
    assert!(one == kept(&["--one-per-game=0", "--plies=2..40"]));
    assert!(one != kept(&["--one-per-game=1", "--plies=2..40"]));
}

/// Rounds of foreign files are no pairs, and no two files share a number.
#[test]
fn every_game_has_a_number_of_its_own() {
    let sandbox = Sandbox::new();
    let (store, games) = played(&sandbox);
    let pairs = |arguments: &[&str]| -> Vec<(u64, u64)> {
        let rows = rows(&sandbox, &[&["--plies", "0..0"], arguments].concat());
        let number = |row: &Value, key: &str| row[key].as_u64().expect("a number");
        let pairs = rows
            .iter()
            .map(|row| (number(row, "pair"), number(row, "game")));
        pairs.collect()
    };
    let own: Vec<_> = (0..games.len() as u64).map(|it| (it / 2, it % 2)).collect();
    let behind = |pairs: &[(u64, u64)], first: u64| -> Vec<_> {
        pairs
            .iter()
            .map(|(pair, game)| (first + pair, *game))
            .collect()
    };
    let count = games.len() as u64 / 2;
    assert_eq!(pairs(&[&store]), own);
    assert_eq!(
        pairs(&[&store, &store]),
        [own.clone(), behind(&own, count)].concat()
    );
    let text = stdout(&run(&["convert", &store]));
    let ours = sandbox.write("ours.pgn", &text);
    assert_eq!(
        pairs(&[&ours, &store]),
        [own.clone(), behind(&own, count)].concat()
    );
    // Boards of a round in the numbering of other programs.
    let rounds = text.replace("[Event \"leitai ", "[Event \"Open ");
    let others = sandbox.write("others.pgn", &rounds);
    let counted: Vec<_> = (0..games.len() as u64).map(|game| (game, 0)).collect();
    assert_eq!(pairs(&[&others]), counted);
    assert_eq!(
        pairs(&[&store, &others]),
        [own, behind(&counted, count)].concat()
    );
}

#[test]
fn options_of_positions_are_refused_elsewhere() {
    let sandbox = Sandbox::new();
    let (store, _) = played(&sandbox);
    for option in [
        "--settled",
        "--scores=0..1",
        "--one-per-game",
        "--as=csv",
        "--plies=1..2",
    ] {
        let output = run(&["convert", &store, "--to", "json", option]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        let said = stderr(&output);
        assert!(said.contains("--to positions"), "{option}: {said}");
    }
}
