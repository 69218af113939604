//! `leitai convert` as a user runs it.

use std::io::Write as _;
use std::process::Stdio;

use crate::common::{Sandbox, leitai, project, run, small_tournament, stderr, stdout};
use serde_json::{Value, json as value};

/// A recorded run and its export.
fn played(sandbox: &Sandbox) -> (String, String) {
    let config = sandbox.write("t.toml", &small_tournament(4, 60));
    let (store, pgn) = (sandbox.path("t.sqlite"), sandbox.path("t.pgn"));
    let output = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let output = run(&["report", &store, "--pgn", &pgn]);
    assert!(output.status.success(), "{}", stderr(&output));
    (store, pgn)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect(path)
}

/// Converts and returns the standard output.
fn convert(arguments: &[&str]) -> String {
    let output = run(&[&["convert"], arguments].concat());
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    stdout(&output)
}

#[test]
fn a_run_goes_through_every_notation_and_back() {
    let sandbox = Sandbox::new();
    let (store, pgn) = played(&sandbox);
    let export = read(&pgn);
    assert_eq!(convert(&[&store]), export, "the record is its export");
    assert_eq!(convert(&[&pgn]), export);
    let direct = convert(&[&store, "--to", "json"]);
    for notation in ["iccs", "wxf", "chinese", "uci"] {
        let there = convert(&[&pgn, "--notation", notation]);
        let there = sandbox.write("there.pgn", &there);
        assert_eq!(convert(&[&there]), export, "{notation}");
        let rated = |file: &str| stdout(&run(&["rate", file, "--json"]));
        assert_eq!(rated(&there), rated(&pgn), "{notation}");
    }
    let game = |line: &str| -> Value { serde_json::from_str(line).expect("JSON") };
    let from_pgn = convert(&[&pgn, "--to", "json"]);
    for (one, other) in direct.lines().zip(from_pgn.lines()) {
        let (one, other) = (game(one), game(other));
        for field in [
            "game",
            "variant",
            "tags",
            "fen",
            "moves",
            "result",
            "final_fen",
        ] {
            let (mut one, mut other) = (one[field].clone(), other[field].clone());
            if field == "tags" {
                // Removes tags about the notation.
                for tags in [&mut one, &mut other] {
                    let tags = tags.as_object_mut().unwrap();
                    tags.retain(|name, value| {
                        !["Format", "FEN"].contains(&name.as_str())
                            && !value.as_str().is_some_and(|value| value.starts_with('?'))
                    });
                }
            }
            assert_eq!(one, other, "{field}");
        }
    }
    assert_eq!(direct.lines().count(), 24);
    let csv = convert(&[&pgn, "--to", "csv"]);
    assert_eq!(csv.lines().count(), 25);
    assert!(csv.starts_with("file,game,line,variant,event,"), "{csv}");
}

#[test]
fn a_book_of_openings_is_one() {
    let sandbox = Sandbox::new();
    let (_, pgn) = played(&sandbox);
    let book = sandbox.path("book.epd");
    convert(&[&pgn, "--ply", "6", "-o", &book]);
    let checked = run(&["openings", "check", "xiangqi", &book]);
    assert!(checked.status.success(), "{}", stderr(&checked));
    // Games from the usual start are written as moves; mirror images are dropped.
    let games = sandbox.write(
        "games.pgn",
        "[Red \"a \\\"x\\\"\"]\n[Black \"b\"]\n\n1. h2e2 h9g7 *\n\n[Event \"2\"]\n1. b2e2 b9c7 *\n\n\
         [Event \"3\"]\n1. h2e2 *\n",
    );
    let start =
        "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - hmvc 2; fmvn 2;";
    let text = convert(&[&games, "--ply", "2"]);
    let expected = format!(
        "{start} id \"games-1\"; c0 \"h2e2 h9g7\"; c1 \"{games}, game 1, a 'x' - b, after ply 2\";\n"
    );
    assert_eq!(text, expected);
    let all = convert(&[&games, "--every"]);
    assert_eq!(all.lines().count(), 3 + 3 + 2);
    let once = convert(&[&games, "--every", "--unique"]);
    assert_eq!(once.lines().count(), 3);
    let last = convert(&[&games, "--to", "epd"]);
    assert_eq!(last.lines().count(), 3);
    assert!(
        last.contains("c1 \"") && last.contains(", game 3, *\";"),
        "{last}"
    );
}

/// A game of Othello that ends after nine plies because one side has no disc left.
#[test]
fn positions_at_which_the_game_is_over_are_no_openings() {
    let sandbox = Sandbox::new();
    let games = sandbox.write("games.txt", "e6f4e3f6g5d6e7f5c5\n");
    let every = |more: &[&str]| {
        let arguments = ["convert", &games, "--game", "othello", "--every"];
        run(&[&arguments[..], more].concat())
    };
    let all = every(&[]);
    assert_eq!(stdout(&all).lines().count(), 9);
    let said = stderr(&all);
    assert!(said.contains("1 position is not an opening"), "{said}");
    let book = sandbox.write("book.epd", &stdout(&all));
    let checked = run(&["openings", "check", "othello", &book]);
    assert!(checked.status.success(), "{}", stderr(&checked));
    let ids = |plies: &str| {
        let lines = stdout(&every(&["--plies", plies]));
        let ids = lines.lines().map(|line| line.split('"').nth(1).unwrap());
        ids.map(|id| id.rsplit('-').next().unwrap().parse().unwrap())
            .collect::<Vec<u32>>()
    };
    assert_eq!(ids("3..5"), [3, 4, 5]);
    assert_eq!(ids("7"), [7]);
    assert_eq!(ids("8..400"), [8]);
    for wrong in [&["--plies", "5..3"][..], &["--plies", "x"]] {
        assert_eq!(every(wrong).status.code(), Some(2));
    }
    let alone = run(&["convert", &games, "--game", "othello", "--plies", "3"]);
    assert_eq!(alone.status.code(), Some(2));
}

#[test]
fn positions_keep_their_operations() {
    let sandbox = Sandbox::new();
    let suite = project("tests/data/xiangqi-midgame20.epd");
    let suite = suite.to_str().unwrap();
    let there = sandbox.write("there.epd", &convert(&[suite, "--to", "epd"]));
    assert_eq!(convert(&[&there, "--to", "epd"]), read(&there));
    let lines = read(suite);
    let lines: Vec<_> = lines
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let written = read(&there);
    for (line, written) in lines.iter().zip(written.lines()) {
        for operation in line.split("; ").filter(|part| part.starts_with("id ")) {
            assert!(written.contains(operation), "{written}");
        }
    }
    assert_eq!(written.lines().count(), lines.len());

    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -";
    let epd = format!(
        "# a suite\n{start} bm C2=5 炮八平五; id \"a; b\"; ce 12;\n\n{start} bm h2h8;\n{start} ce x;\n"
    );
    let epd = sandbox.write("suite.epd", &epd);
    let output = run(&["convert", &epd, "--to", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let row: Value = serde_json::from_slice(&output.stdout).expect("one line");
    assert_eq!(
        row["operations"],
        value!({"bm": ["C2=5", "炮八平五"], "ce": ["12"], "id": ["a; b"]})
    );
    assert_eq!(
        (&row["line"], &row["legal_moves"]),
        (&value!(2), &value!(44))
    );
    let told = stderr(&output);
    for words in [
        "suite.epd, line 4: `bm`: `h2h8` is not legal here",
        "suite.epd, line 5: `ce` is followed by `x`",
        "1 position read",
        "2 lines are not positions",
    ] {
        assert!(told.contains(words), "{told}");
    }
    let broken = sandbox.write("broken.epd", &format!("rnbakabnr/9 w\n{start}\n"));
    let output = run(&["convert", &broken, "--to", "epd"]);
    assert_eq!(stdout(&output), format!("{start} hmvc 0; fmvn 1;\n"));
    assert!(
        stderr(&output).contains("line 1: 2 ranks instead of 10"),
        "{}",
        stderr(&output)
    );
    let refused = run(&["convert", &epd, "--to", "pgn"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("--to epd"),
        "{}",
        stderr(&refused)
    );
}

const MIXED: &str = "\
[Event \"1\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 1-0\n\n\
[Event \"2\"]\n\n1. h2e2 h9h1 *\n\n\
[Event \"3\"]\n[FEN \"3k5/9/9/9/9/9/9/1R7/R8/5K3 w\"]\n[Result \"0-1\"]\n\n1. b2b8 d9e9 2. a1a9 0-1\n";

#[test]
fn the_check_counts_and_refuses() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("mixed.pgn", MIXED);
    let output = run(&["convert", &file, "--check"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stdout(&output),
        "2 games read, 5 plies, all legal; 1 game damaged and left out\n\
         results: 1 against the referee, 1 where no rule ends the game\n"
    );
    let told = stderr(&output);
    for words in [
        "mixed.pgn, line 8, game 2, ply 2: `h9h1` is not legal here",
        "help: black is to move at",
        "mixed.pgn, line 10, game 3: the recorded result is not the referee's, 1-0 by checkmate",
    ] {
        assert!(told.contains(words), "{told}");
    }
    let output = run(&["convert", &file, "--check", "--json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for (field, count) in [
        ("games", 2),
        ("damaged_games", 1),
        ("contradicted", 1),
        ("undecided", 1),
    ] {
        assert_eq!(summary[field], count, "{field}");
    }
    // The conversion skips damaged games and writes the others.
    let output = run(&["convert", &file, "--to", "json"]);
    assert_eq!(
        (output.status.code(), stdout(&output).lines().count()),
        (Some(1), 2)
    );
    // A game that is only known to belong to another game.
    let janggi = sandbox.write("janggi.pgn", "[Game \"Janggi\"]\n[Result \"*\"]\n\n*\n");
    let output = run(&["convert", &janggi, "--check"]);
    assert_eq!(output.status.code(), Some(1));
    let words = "janggi.pgn, line 1, game 1: its tags say that it is a game of `Janggi`";
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
    let output = run(&["convert", &janggi, "--check", "--game", "xiangqi"]);
    assert_eq!(output.status.code(), Some(0));
    let fine = sandbox.write("fine.pgn", "1. h2e2 h9g7 *\n");
    assert_eq!(run(&["convert", &fine, "--check"]).status.code(), Some(0));
}

#[test]
fn impossible_requests_are_refused_with_help() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("games.pgn", MIXED);
    let json = sandbox.write("games.jsonl", "{\"file\":\"x\"}\n");
    let epd = project("openings/xiangqi.epd");
    let epd = epd.to_str().unwrap();
    let nothing = sandbox.write("nothing.pgn", "\n");
    for (arguments, words) in [
        (vec!["convert", &file, "-o", &file], "name another file"),
        (
            vec!["convert", &file, "--ply", "3", "--to", "pgn"],
            "--to epd",
        ),
        (vec!["convert", &file, "--unique"], "--to epd"),
        (vec!["convert", &json], "written but not read"),
        (vec!["convert", &nothing], "it has no game"),
        (vec!["convert", "nowhere.pgn"], "cannot read nowhere.pgn"),
        (vec!["convert", &file, "--json"], "--check"),
        (vec!["rate", epd], "these are positions"),
        (vec!["rate", &json], "--to pgn"),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains(words),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
    assert_eq!(read(&file), MIXED, "nothing was overwritten");
    let help = stdout(&run(&["convert", "--help"]));
    assert!(
        help.contains("leitai convert masters.pgn --ply 12"),
        "{help}"
    );
}

#[test]
fn othello_and_files_of_several_games() {
    let sandbox = Sandbox::new();
    let file = sandbox.write(
        "both.pgn",
        "[Game \"Othello\"]\n[White \"w\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. f5 d6 1-0\n\n\
         [White \"r\"]\n[Black \"b\"]\n[WhiteElo \"2100\"]\n[BlackElo \"?\"]\n[ECO \"x\"]\n\n1. C2=5 *\n",
    );
    let text = convert(&[&file]);
    for words in [
        "[Black \"b\"]\n[White \"w\"]\n[Result \"0-1\"]",
        "1. f5 d6 0-1",
        "[Red \"r\"]\n[RedElo \"2100\"]\n[Black \"b\"]\n[Result \"*\"]",
        "[BlackElo \"?\"]\n[ECO \"x\"]",
        "1. H2-E2 *",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let mut child = leitai();
    let child = child.args(["convert", "-", "--game", "othello"]);
    let mut child = child
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"f5d6c3").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        stdout(&output).contains("1. f5 d6 2. c3 *"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_conversion_that_fails_leaves_the_file_as_it_was() {
    let sandbox = Sandbox::new();
    let games = sandbox.write("games.pgn", "1. h2e2 *\n");
    let kept = sandbox.write("keep.epd", "precious\n");
    let nothing = sandbox.write("nothing.pgn", "\n");
    for arguments in [
        &["nowhere.pgn", "-o", &kept][..],
        &[&nothing, "-o", &kept],
        &[&games, &nothing, "-o", &kept],
    ] {
        let output = run(&[&["convert"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(read(&kept), "precious\n", "{arguments:?}");
    }
    convert(&[&games, "-o", &kept]);
    assert!(
        read(&kept).starts_with("rnbakabnr/9/1c5c1"),
        "{}",
        read(&kept)
    );
    assert_eq!(sandbox.files(), ["games.pgn", "keep.epd", "nothing.pgn"]);
}

#[cfg(unix)]
#[test]
fn a_hard_link_to_the_input_is_the_input() {
    let sandbox = Sandbox::new();
    let games = sandbox.write("games.pgn", "1. C2=5 *\n");
    let link = sandbox.path("link.pgn");
    std::fs::hard_link(&games, &link).unwrap();
    let output = run(&["convert", &games, "-o", &link]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("which this command reads"));
    assert_eq!(read(&games), "1. C2=5 *\n");
    // A device is written directly.
    let text = convert(&[&games, "-o", "/dev/stdout", "--to", "json"]);
    assert!(text.contains("h2e2"), "{text}");
}

#[test]
fn results_are_read_in_chinese_and_doubted_where_they_contradict() {
    let sandbox = Sandbox::new();
    let file = sandbox.write(
        "games.pgn",
        "[Result \"红胜\"]\n\n1. h2e2 1-0\n\n[Result \"0-1\"]\n\n1. h2e2 1-0\n\n\
         [Result \"good\"]\n\n1. h2e2 1/2-1/2\n\n[Event \"x\"]\n\n1. h2e2 黑胜\n",
    );
    let output = run(&["convert", &file, "--check"]);
    assert_eq!(output.status.code(), Some(1));
    let (counts, told) = (stdout(&output), stderr(&output));
    for words in [
        "4 games read, 4 plies, all legal\n",
        "1 tag Result says another result than the end of the moves",
        "1 tag Result is invalid",
    ] {
        assert!(counts.contains(words), "{words}\n{counts}");
    }
    for words in [
        "line 5, game 2: the tag Result `0-1` contradicts the end of its moves",
        "line 9, game 3: the tag Result `good` is not a result",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
    let lines = convert(&[&file, "--to", "json"]);
    let results: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["result"].to_string())
        .collect();
    assert_eq!(results, ["\"1-0\"", "\"0-1\"", "\"1/2-1/2\"", "\"0-1\""]);
    let alone = sandbox.write("alone.pgn", "1. h2e2 1-0\n");
    let text = convert(&[&alone, "--check"]);
    assert!(text.starts_with("1 game read, 1 ply, all legal"), "{text}");
}

#[test]
fn a_record_is_reported_by_its_place_too() {
    let sandbox = Sandbox::new();
    let (store, _) = played(&sandbox);
    let report = |arguments: &[&str]| stdout(&run(&[&["report"], arguments].concat()));
    let told = report(&[&store]);
    assert!(told.contains("games in"), "{told}");
    assert_eq!(run(&["report"]).status.code(), Some(2));
}

/// A book may be expensive to create, so it is not overwritten.
#[test]
fn a_book_is_neither_overwritten_nor_made_of_nothing() {
    let sandbox = Sandbox::new();
    let games = sandbox.write("games.pgn", "1. h2e2 h9g7 *\n");
    let kept = sandbox.write("keep.epd", "precious\n");
    for choice in [
        &["--ply", "1"][..],
        &["--every"],
        &["--every", "--plies", "0..1"],
    ] {
        let output = run(&[&["convert", &games, "-o", &kept], choice].concat());
        assert_eq!(output.status.code(), Some(2), "{choice:?}");
        assert!(stderr(&output).contains("--force"), "{}", stderr(&output));
        assert_eq!(read(&kept), "precious\n");
    }
    for choice in [&["--ply", "9"][..], &["--every", "--plies", "50..60"]] {
        let output = run(&[&["convert", &games, "-o", &kept, "--force"], choice].concat());
        assert_eq!(output.status.code(), Some(2), "{choice:?}");
        assert!(
            stderr(&output).contains("nothing is written"),
            "{}",
            stderr(&output)
        );
        assert_eq!(read(&kept), "precious\n");
    }
    convert(&[&games, "--ply", "1", "-o", &kept, "--force"]);
    assert_ne!(read(&kept), "precious\n");
}
