//! Damaged and unusual PGN through the command: every move is read, or a message says which are
//! not.

use crate::common::{Sandbox, run, stderr, stdout};

/// The moves of the games that `convert` writes, and its messages.
fn converted(text: &str) -> (Vec<String>, String) {
    let sandbox = Sandbox::new();
    let file = sandbox.write("a.pgn", text);
    let output = run(&[
        "convert",
        &file,
        "--game",
        "chess",
        "--to",
        "pgn",
        "--notation",
        "uci",
    ]);
    let said = stdout(&output);
    let movetext = said.lines().filter(|line| !line.starts_with('['));
    let paragraphs = movetext.collect::<Vec<_>>().join("\n");
    let games = paragraphs.split("\n\n").map(|game| {
        let words = game.split_whitespace();
        let moves = words.filter(|word| !word.ends_with('.') && !word.contains('{'));
        moves.collect::<Vec<_>>().join(" ")
    });
    let games = games.filter(|game| !game.is_empty()).collect();
    (games, stderr(&output))
}

#[test]
fn a_comment_that_is_not_closed_hides_no_game() {
    // The games behind the comment, and a part of the message.
    for (text, games, message) in [
        // Two tags on the first line of the next game.
        (
            "[Event \"a\"]\n\n1. e4 {x\n\n[Event \"b\"][Site \"c\"]\n\n1. d4 d5 {y} 1-0\n",
            &["d2d4 d7d5 1-0"][..],
            "line 1, game 1: a comment, opened by `{`, is never closed",
        ),
        // No blank line, and unusual first tags.
        (
            "[Event \"a\"]\n\n1. e4 {oops e5\n[Event \"b\"]\n\n1. d4 d5 {x} 1-0\n",
            &["d2d4 d7d5 1-0"],
            "is never closed",
        ),
        (
            "[Event \"a\"]\n\n1. e4 {oops e5\n\n[Result \"1-0\"]\n\n1. d4 d5 {x} 1-0\n",
            &["d2d4 d7d5 1-0"],
            "is never closed",
        ),
        (
            "[Event \"a\"]\n\n1. e4 {oops e5\n\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR \
             w KQkq - 0 1\"]\n\n1. d4 d5 1-0\n",
            &["d2d4 d7d5 1-0"],
            "is never closed",
        ),
        // Nothing says where the comment ends: a note says so.
        (
            "[Event \"a\"]\n\n1. e4 {x e5 2. Nf3 {y} 1-0\n",
            &["e2e4 1-0"],
            "1 comment contains `{` (the first in line 3)",
        ),
        (
            "1. e4 {x e5 1-0\n\n1. d4 d5 {y} 1-0\n",
            &["e2e4 1-0"],
            "1 comment contains `{`",
        ),
        // Brackets in a comment are text.
        (
            "[Event \"a\"]\n\n1. e4 {see\n[1] and\n[Smith \"1999\"]} e5 1-0\n",
            &["e2e4 e7e5 1-0"],
            "",
        ),
    ] {
        let (read, said) = converted(text);
        assert_eq!(read, games, "{text}\n{said}");
        assert!(said.contains(message), "{text}\n{said}");
    }
}

#[test]
fn digits_alone_are_moves_unless_they_number_them() {
    for moves in [
        "1. 5254 5755 2. 7163 2836",
        "1. e4 e5 2. 00 Nf6",
        "1. e4 0000 2. d4",
        "5254 5755",
        "1. e4 e5 5254 5755",
    ] {
        let (read, said) = converted(&format!("[Event \"a\"]\n\n{moves} 1-0\n"));
        assert!(read.is_empty() && said.contains("ply"), "{moves}: {said}");
    }
    for moves in [
        "1 e4 e5 2 Nf3",
        "1.e4 e5 2.Nf3",
        "1. e4 1. .. e5 2. Nf3",
        "117 e4 e5 118 Nf3",
    ] {
        let (read, said) = converted(&format!("[Event \"a\"]\n\n{moves} 1-0\n"));
        assert_eq!(read, ["e2e4 e7e5 g1f3 1-0"], "{moves}: {said}");
    }
}

#[test]
fn first_moves_begin_games() {
    for text in [
        "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 e5\n\n1. d4 d5 *\n",
        "1) e4 e5\n\n1) d4 d5\n",
        "1 e4 e5\n1 d4 d5\n",
        "01. e4 e5\n01. d4 d5\n",
        "１．e4 e5\n１．d4 d5\n",
        "1、e4 e5\n1、d4 d5\n",
    ] {
        let (read, said) = converted(text);
        assert_eq!(read, ["e2e4 e7e5 *", "d2d4 d7d5 *"], "{text}\n{said}");
    }
    for text in [
        "1. e4 e5 2. Nf3\n1 - 0\n",
        "1. e4\n1... e5 2. Nf3 1-0\n",
        "1. e4 1. ... e5\n2. Nf3 1-0\n",
        "1. e4 e5\n2. Nf3 (2. d4\n1. d4) 1-0\n",
        // A result or a tag that is there twice is one.
        "[Event \"a\"]\n[Result \"1-0\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n",
        "1. e4 e5 2. Nf3 1-0 1-0\n",
    ] {
        let (read, said) = converted(text);
        assert_eq!(read, ["e2e4 e7e5 g1f3 1-0"], "{text}\n{said}");
    }
}

#[test]
fn torn_moves_are_no_remarks() {
    for moves in ["1. e4 e5 2. N f3", "1. e4 e5 2. B c4", "1. e4 e5 2. Q h5"] {
        let (read, said) = converted(&format!("[Event \"a\"]\n\n{moves} 1-0\n"));
        assert!(read.is_empty() && said.contains("ply 3"), "{moves}: {said}");
    }
    let castling = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. ooo d6";
    let (read, said) = converted(&format!("[Event \"a\"]\n\n{castling} 1-0\n"));
    assert!(read.is_empty() && said.contains("ply 7"), "{said}");
    let (read, _) = converted("[Event \"a\"]\n\n1. e4 N e5 2. Nf3 N 1-0\n");
    assert_eq!(read, ["e2e4 e7e5 g1f3 1-0"]);
}

#[test]
fn every_comment_on_a_move_may_have_its_score() {
    let sandbox = Sandbox::new();
    for (comments, score) in [
        (
            "{ (0.28 → -0.56) Inaccuracy. Ne4 was best. } { [%eval -0.56] [%clk 0:00:55] }",
            "-0.56",
        ),
        ("{ [%eval -0.5] } { Mistake. }", "-0.50"),
        ("{good} {+0.35/12 5}", "+0.35/12 5.000s"),
        ("{[%clk 1:00:00]} {[%eval 0.30,20]}", "+0.30/20"),
        ("{+0.35/12 500ms 1,234n}", "+0.35/12 0.500s 1234n"),
        ("{0.00 17/32 272 690731}", "+0.00/17 0.272s 690731n"),
        ("{d=30, pv=e4, wv=M0}", "+M1/30"),
        ("{[%eval #0]}", "+M1"),
        ("{+152.34/30 1s}", "+98.72/30 1.000s"),
    ] {
        let file = sandbox.write("a.pgn", &format!("1. e4 {comments} 1-0\n"));
        let output = run(&["convert", &file, "--game", "chess"]);
        let said = stdout(&output);
        assert!(said.contains(&format!("{{{score}}}")), "{comments}: {said}");
        assert!(!stderr(&output).contains("seem"), "{}", stderr(&output));
    }
    let long = format!("{{d=30, pv={}, wv=0.35}}", "Nf3 ".repeat(2_000));
    let file = sandbox.write("a.pgn", &format!("1. e4 {long} 1-0\n"));
    assert!(stdout(&run(&["convert", &file, "--game", "chess"])).contains("{+0.35/30}"));
    for comment in [
        "{+Mate5/12}",
        "{+0.35|12|1.0s}",
        "{depth 12 score cp 35}",
        "{[%eval 0,25,12]}",
        "{+inf/30 1s}",
        "{(0.25)}",
        "{[%eval 32766,0]}",
    ] {
        let file = sandbox.write("a.pgn", &format!("1. e4 {comment} 1-0\n"));
        let said = stdout(&run(&["convert", &file, "--game", "chess", "--check"]));
        assert!(
            said.contains("1 comment seems to have a score"),
            "{comment}: {said}"
        );
    }
}

#[test]
fn words_without_end_are_read_in_linear_time() {
    let sandbox = Sandbox::new();
    // With quadratic time each would take minutes.
    for (word, code) in [
        ("1 - ", 0),
        ("0 ", 1),
        ("1 ", 0),
        ("[", 0),
        ("[a ", 1),
        ("[a \"", 0),
        ("{ ", 1),
        ("1/2 ", 0),
    ] {
        let words = word.repeat(200_000);
        let text = format!("[Event \"a\"]\n[Variant \"chess\"]\n\n1. e4 {words}\n");
        let file = sandbox.write("a.pgn", &text);
        let output = run(&["convert", "--check", &file]);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{word}: {}",
            stderr(&output)
        );
    }
}
