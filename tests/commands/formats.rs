//! The same files of other programs through every command that reads games.

use std::collections::BTreeSet;
use std::env;
use std::process::Command;

use crate::common::{Sandbox, project, run, stderr, stdout};
use leitai_game::Position as _;
use leitai_games::chess::Chess;
use serde_json::Value;

/// A file of the corpus, its game, its first moves, and its players with the result if it has any.
struct Case {
    file: &'static str,
    game: &'static str,
    games: usize,
    moves: &'static [&'static str],
    players: Option<(&'static str, &'static str, &'static str)>,
    note: &'static str,
}

const XIANGQI: &[&str] = &["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"];

const CASES: [Case; 7] = [
    Case {
        file: "xqf/open.xqf",
        game: "xiangqi",
        games: 1,
        moves: XIANGQI,
        players: Some(("许银川", "吕钦", "1-0")),
        note: "left out: 2 variations and 2 comments",
    },
    Case {
        file: "xqf/keyed.xqf",
        game: "xiangqi",
        games: 1,
        moves: XIANGQI,
        players: Some(("许银川", "吕钦", "1-0")),
        note: "left out: 2 variations and 3 comments",
    },
    Case {
        file: "dhtmlxq/post.txt",
        game: "xiangqi",
        games: 2,
        moves: XIANGQI,
        players: Some(("许银川", "吕钦", "1-0")),
        note: "left out: 2 variations and 2 comments",
    },
    Case {
        file: "dhtmlxq/page.html",
        game: "xiangqi",
        games: 1,
        moves: XIANGQI,
        players: Some(("许银川", "吕钦", "1-0")),
        note: "left out: 1 variation and 1 comment",
    },
    Case {
        file: "wthor/year.wtb",
        game: "othello",
        games: 2,
        moves: &["f5", "d6", "c3", "d3", "c4", "f4", "f6"],
        players: Some(("player 2", "player 3", "1-0")),
        note: "",
    },
    Case {
        file: "sgf/variations.sgf",
        game: "othello",
        games: 2,
        moves: &["f5", "d6", "c3"],
        players: Some(("Ann", "Bob", "1-0")),
        note: "left out: 1 variation and 1 comment",
    },
    Case {
        file: "polyglot/small.bin",
        game: "chess",
        games: 3,
        moves: &[],
        players: None,
        note: "1 entry of positions that no line from the usual start reaches",
    },
];

fn corpus(file: &str) -> String {
    let path = project("tests/attack/corpus").join(file);
    path.to_str().expect("UTF-8").to_owned()
}

fn rows(file: &str) -> (Vec<Value>, String) {
    let output = run(&["convert", file, "--to", "json"]);
    let said = stderr(&output);
    assert!(output.status.success(), "{file}: {said}");
    let row = |line| serde_json::from_str(line).expect("JSON");
    (stdout(&output).lines().map(row).collect(), said)
}

#[test]
fn every_command_reads_the_same_games() {
    for case in &CASES {
        let file = corpus(case.file);
        let (games, said) = rows(&file);
        assert_eq!(games.len(), case.games, "{}", case.file);
        assert!(said.contains(case.note), "{}: {said}", case.file);
        let first = &games[0];
        let moves = first["moves"].as_array().expect("moves");
        assert!(
            moves
                .iter()
                .zip(case.moves)
                .all(|(one, other)| one == other),
            "{first}"
        );
        assert!(moves.len() >= case.moves.len(), "{first}");
        let book = [
            "openings", "check", case.game, &file, "--plies", "2", "--json",
        ];
        let output = run(&book);
        // Games may share an opening.
        assert_ne!(
            output.status.code(),
            Some(2),
            "{}: {}",
            case.file,
            stderr(&output)
        );
        let said = stderr(&output);
        assert!(said.contains(case.note), "{}: {said}", case.file);
        let rated = run(&["rate", &file, "--json"]);
        let Some((one, other, result)) = case.players else {
            assert!(
                stderr(&rated).contains("no game with players"),
                "{}",
                stderr(&rated)
            );
            continue;
        };
        assert_eq!(first["result"], result);
        assert!(rated.status.success(), "{}: {}", case.file, stderr(&rated));
        let rated = stdout(&rated);
        assert!(rated.contains(one) && rated.contains(other), "{rated}");
    }
}

#[test]
fn what_is_read_is_written_as_pgn_and_read_back() {
    let sandbox = Sandbox::new();
    for case in &CASES {
        let file = corpus(case.file);
        let copy = sandbox.path("copy.pgn");
        let output = run(&["convert", &file, "-o", &copy]);
        assert!(output.status.success(), "{}", stderr(&output));
        let (one, other) = (rows(&file).0, rows(&copy).0);
        for (one, other) in one.iter().zip(&other) {
            for field in ["moves", "fen", "result", "final_fen", "variant"] {
                assert_eq!(one[field], other[field], "{}", case.file);
            }
        }
        assert_eq!(one.len(), other.len());
    }
}

#[test]
fn a_run_begins_from_a_book_of_polyglot() {
    let sandbox = Sandbox::new();
    let book = corpus("polyglot/small.bin");
    let config = format!(
        "game = \"chess\"\nlimits = {{ nodes = 20 }}\ntournament = {{ pairs = 2 }}\n\
         openings = {{ file = {book:?}, plies = 3 }}\n\
         variant = [{{ name = \"a\" }}, {{ name = \"b\", eval = {{ preset = \"plain\" }} }}]\n"
    );
    let config = sandbox.write("t.toml", &config);
    let store = sandbox.path("t.sqlite");
    let output = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn formats_that_are_not_read_are_named() {
    let sandbox = Sandbox::new();
    for (name, text, what, help) in [
        ("a.cbr", "CCBridge Record\0\u{1}", "(CBR)", "as PGN"),
        ("a.cbl", "CCBridgeLibrary\0", "(CBL)", "as PGN"),
        (
            "a.html",
            "<!DOCTYPE html>\n<p>1. e4</p>",
            "web page",
            "as PGN",
        ),
        ("a.sgf", "(;FF[4]GM[1];B[dd])", "SGF", "as PGN"),
    ] {
        let file = sandbox.write(name, text);
        for command in [&["convert", &file][..], &["rate", &file]] {
            let output = run(command);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains(what) && said.contains(help), "{said}");
        }
        let output = run(&["openings", "check", "xiangqi", &file]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }
}

/// Games with the names of other programs for the usual game, and with those of other games.
#[test]
fn tags_of_all_programs_name_their_game() {
    let sandbox = Sandbox::new();
    let game = |tags: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n{tags}\n\n");
    for variant in [
        "normal",
        "Normal",
        "-",
        "chess 960",
        "wild/fr",
        "Standard",
        "From Position",
        "fischerandom",
        "Fischer Random Chess",
        "Freestyle",
    ] {
        let text = game(&format!("[Variant \"{variant}\"]")) + "1. e4 e5 1-0\n";
        let file = sandbox.write("a.pgn", &text);
        let (games, _) = rows(&file);
        assert_eq!(games[0]["variant"], "chess", "{variant}");
        assert!(run(&["rate", &file]).status.success(), "{variant}");
    }
    for (tags, moves, name) in [
        ("[Variant \"xiangqi\"]", "1. h2e2 h9g7", "xiangqi"),
        ("[Game \"中国象棋\"]", "1. h2e2 h9g7", "xiangqi"),
        ("[Variant \"Reversi\"]", "1. f5 d6", "othello"),
        ("[Game \"国际象棋\"]", "1. e4 e5", "chess"),
    ] {
        let file = sandbox.write("a.pgn", &format!("{}{moves} 1-0\n", game(tags)));
        assert_eq!(rows(&file).0[0]["variant"], name, "{tags}");
    }
    for variant in ["3check", "Atomic", "crazyhouse", "antichess", "Horde"] {
        let text = game(&format!("[Variant \"{variant}\"]")) + "1. e4 e5 1-0\n";
        let file = sandbox.write("a.pgn", &text);
        let output = run(&["convert", &file]);
        assert_eq!(output.status.code(), Some(1), "{variant}");
        assert!(stderr(&output).contains(variant), "{}", stderr(&output));
    }
}

#[test]
fn moves_of_other_programs_are_read_everywhere() {
    let sandbox = Sandbox::new();
    let tags = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[Variant \"Xiangqi\"]\n\n";
    let own = "h2e2 h9g7 h0g2 i9h9";
    for words in [
        "1. Che2 {+0.38/19} Hg7 2. Hg2 Rh9",
        "1. Che3 Ng8 2. Ng3 Rh10",
        "1. h3e3 h10g8 2. h1g3 i10h10",
        "1. H3-E3 H10-G8 2. H1-G3 I10-H10",
        "1. Ch3-e3 Hh10-g8 2. Hh1-g3 Ri10-h10",
    ] {
        // Two games in a file of a site, with its ending.
        let games = format!("{tags}{words} *\n\n{tags}{words} *\n");
        let file = sandbox.write("a.pgns", &games);
        let (games, _) = rows(&file);
        assert_eq!(games.len(), 2, "{words}");
        let moves = games[1]["moves"].as_array().expect("moves");
        let moves: Vec<_> = moves.iter().filter_map(Value::as_str).collect();
        assert_eq!(moves.join(" "), own, "{words}");
        let output = run(&["openings", "check", "xiangqi", &file]);
        assert_ne!(
            output.status.code(),
            Some(2),
            "{words}: {}",
            stderr(&output)
        );
        let bare = words.replace("{+0.38/19} ", "");
        let fen = |moves: &str| {
            let output = run(&["judge", "xiangqi", "--moves", moves, "--json"]);
            let said = stderr(&output);
            let read: Value = serde_json::from_str(&stdout(&output)).expect(&said);
            read["fen"].clone()
        };
        assert_eq!(fen(&bare), fen(own), "{words}");
        let book = sandbox.write("a.txt", &format!("{bare}\n1. c3c4\n"));
        let output = run(&["openings", "check", "xiangqi", &book]);
        assert!(output.status.success(), "{words}: {}", stderr(&output));
    }
}

#[test]
fn boards_and_lines_of_othello_are_read_everywhere() {
    let sandbox = Sandbox::new();
    let rows_of = |board: &str| {
        let rows = (0..8).map(|row| board[8 * row..8 * row + 8].to_owned());
        rows.collect::<Vec<_>>().join(" ")
    };
    let board = "---------------------------OX------XO---------------------------";
    let discs = board.replace('X', "b").replace('O', "w");
    for line in [
        format!("[8 {} *]", rows_of(&board.replace('X', "*"))),
        format!("{discs} b"),
        format!("{} B", discs.to_uppercase()),
    ] {
        let file = sandbox.write("a.epd", &format!("{line}\n"));
        let output = run(&["convert", &file, "--to", "epd"]);
        let text = stdout(&output);
        assert_eq!(
            text.trim(),
            format!("{board} X;"),
            "{line}: {}",
            stderr(&output)
        );
        let output = run(&["openings", "check", "othello", &file]);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        let output = run(&["judge", "othello", "--fen", &line, "--moves", "1. F5 d6"]);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
    }
    let file = sandbox.write("b.txt", &format!("{discs}\n"));
    for command in [
        &["convert", &file, "--to", "epd"][..],
        &["openings", "check", "othello", &file],
    ] {
        let output = run(command);
        assert!(!output.status.success());
        let said = stderr(&output);
        assert!(
            said.contains("the side to move is missing: write `X`"),
            "{said}"
        );
    }
    let lines = "1. F5 f4 2. F3 g4 3. H3 f6 4. G5 g6\n1. F5 d6 2. C3 d3\n";
    let file = sandbox.write("lines.txt", lines);
    let (games, _) = rows(&file);
    assert_eq!((games.len(), &games[1]["plies"]), (2, &Value::from(4)));
    let output = run(&["openings", "check", "othello", &file, "--json"]);
    let said = stderr(&output);
    let read: Value = serde_json::from_str(&stdout(&output)).expect(&said);
    assert_eq!(read["openings"], 2, "{read}");
}

/// Games in Fairy-Stockfish's notations, and a book of python-chess. Set `LEITAI_PYTHON` to a Python
/// with the packages `pyffish` and `chess`; without it the test is skipped.
#[test]
fn games_and_books_of_other_programs_agree_with_them() {
    let Some(python) = env::var_os("LEITAI_PYTHON").filter(|python| !python.is_empty()) else {
        eprintln!("skipped: LEITAI_PYTHON names no Python");
        return;
    };
    let sandbox = Sandbox::new();
    let mut command = Command::new(python);
    command.arg(project("tests/referee/foreign_games.py"));
    let output = command.arg(sandbox.path("")).output();
    let output = output.expect("the Python of LEITAI_PYTHON runs");
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    let expected: Value = serde_json::from_str(&stdout(&output)).expect(&said);
    let games = expected["xiangqi"].as_array().expect("games");
    for file in ["san.pgn", "lan.pgn", "uci.pgn"] {
        let read = rows(&sandbox.path(file)).0;
        assert_eq!(read.len(), games.len());
        for (read, game) in read.iter().zip(games) {
            assert_eq!(&read["moves"], game, "{file}");
        }
    }
    let mut keys = BTreeSet::new();
    for game in rows(&sandbox.path("book.bin")).0 {
        let mut position = Chess::initial();
        keys.insert(format!("{:016x}", position.polyglot_key()));
        for word in game["moves"].as_array().expect("moves") {
            let word = word.as_str().expect("a move");
            let mv = position.parse_move(word).expect("a legal move");
            position.make(mv);
            keys.insert(format!("{:016x}", position.polyglot_key()));
        }
    }
    let keys: Vec<_> = keys.into_iter().map(Value::from).collect();
    assert_eq!(Value::from(keys), expected["book"]);
}
