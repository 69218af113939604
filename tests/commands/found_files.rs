//! Files of games and positions as people have them, through the commands.

use std::fs;

use serde_json::Value;

use crate::common::{Sandbox, json, run, stderr, stdout};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const KINGS: [&str; 3] = [
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "4k3/3r4/8/8/8/8/8/4K3 b - - 0 1",
    "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1",
];

/// The number of openings of a book.
fn openings(game: &str, file: &str) -> u64 {
    json(&["openings", "check", game, file, "--json"])["openings"]
        .as_u64()
        .expect("a number")
}

/// The lines of JSON of a conversion.
fn converted(file: &str, arguments: &[&str]) -> Vec<Value> {
    let output = run(&[&["convert", file, "--to", "json"], arguments].concat());
    let told = stderr(&output);
    assert!(output.status.success(), "{file}: {told}");
    let lines = stdout(&output);
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn records_of_tags_alone_are_games_of_their_own() {
    let sandbox = Sandbox::new();
    let all = |record: &dyn Fn(usize, &str) -> String, between: &str| {
        let records = KINGS
            .iter()
            .enumerate()
            .map(|(place, fen)| record(place, fen));
        records.collect::<Vec<_>>().join(between)
    };
    let fen = |fen: &str| format!("[FEN \"{fen}\"]\n");
    for (text, what) in [
        (all(&|_, it| fen(it), "\n"), "FEN"),
        (all(&|_, it| fen(it), ""), "FEN without blank lines"),
        (
            all(&|_, it| format!("[SetUp \"1\"]\n{}", fen(it)), "\n"),
            "SetUp",
        ),
        (
            all(
                &|it, fen_| format!("[Site \"{it}\"]\n{}", fen(fen_)),
                "\n\n",
            ),
            "Site",
        ),
        (
            all(
                &|it, fen_| format!("[Round \"{it}\"]\n{}", fen(fen_)),
                "\n{a comment}\n",
            ),
            "Round",
        ),
        (
            all(
                &|it, fen_| format!("{}[Annotator \"{it}\"]\n", fen(fen_)),
                "\n; more\n\n",
            ),
            "Annotator",
        ),
        (
            all(
                &|_, it| format!("[Variant \"Standard\"]\n{}", fen(it)),
                "\n% x\n",
            ),
            "Variant",
        ),
        (
            all(
                &|it, fen_| format!("[Event \"{it}\"]\n{}\n*\n", fen(fen_)),
                "\n",
            ),
            "results",
        ),
    ] {
        let file = sandbox.write("f.pgn", &text);
        assert_eq!(openings("chess", &file), 3, "{what}:\n{text}");
        let games = converted(&file, &["--game", "chess"]);
        let fens: Vec<_> = games
            .iter()
            .map(|game| game["fen"].as_str().unwrap())
            .collect();
        assert_eq!(fens, KINGS, "{what}");
    }
    // Blank lines within a header, and between it and the moves, are no ends.
    let file = sandbox.write(
        "g.pgn",
        "[White \"a\"]\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\n1. e4 *\n",
    );
    let games = converted(&file, &["--game", "chess"]);
    assert_eq!(games.len(), 1);
    assert_eq!(games[0]["tags"]["White"], "a");
    assert_eq!(games[0]["moves"][0], "e2e4");
}

#[test]
fn moves_may_follow_a_position() {
    let sandbox = Sandbox::new();
    let xiangqi = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for (game, lines) in [
        (
            "chess",
            format!("{START} 0 1 moves e2e4 e7e5\n{START} moves d2d4 d7d5\n"),
        ),
        (
            "chess",
            format!("fen {START} 0 1 moves e2e4\nposition startpos moves d2d4\n"),
        ),
        (
            "chess",
            format!("{START} moves e4 c5; id \"a\";\n{START} id \"b\"; moves Nf3\n"),
        ),
        (
            "xiangqi",
            format!("{xiangqi} moves h2e2 h9g7\n{xiangqi} moves c3c4\n"),
        ),
        (
            "xiangqi",
            format!("position fen {xiangqi} moves h2e2\nstartpos moves c3c4\n"),
        ),
    ] {
        let file = sandbox.write("b.epd", &lines);
        assert_eq!(openings(game, &file), 2, "{lines}");
        let positions = converted(&file, &["--game", game]);
        assert_eq!(positions.len(), 2, "{lines}");
        let usual = if game == "chess" {
            "KQkq - 0 1"
        } else {
            "RNBAKABNR w"
        };
        for position in &positions {
            let fen = position["fen"].as_str().unwrap();
            assert!(
                !(fen.contains(usual) && fen.contains("RNBQKBNR w")),
                "{fen}"
            );
        }
    }
    for (line, told) in [
        (format!("{START} moves e2e5"), "e2e5"),
        (format!("{START} move e2e4 e7e5"), "write `moves`"),
        (format!("{START} 0 1 line e2e4"), "write `moves`"),
    ] {
        let file = sandbox.write("b.epd", &line);
        let output = run(&["openings", "check", "chess", &file]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains(told),
            "{line}: {}",
            stderr(&output)
        );
    }
    // The same form is read where a position is given.
    let fen = format!("{START} 0 1 moves f2f3 e7e5");
    let judged = json(&[
        "judge",
        "chess",
        "--fen",
        &fen,
        "--moves",
        "2. g4?? {a comment} Qh4# 0-1",
        "--json",
    ]);
    assert_eq!(judged["cause"], "checkmate");
}

#[test]
fn books_may_have_any_encoding_and_end() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("b.epd");
    let line = format!("{START} id \"Er\u{f6}ffnung\";\n");
    let western: Vec<u8> = line.chars().map(|letter| letter as u8).collect();
    let wide: Vec<u8> = line.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let xiangqi =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - id \"炮二平五\";";
    for (game, bytes, count, encoding) in [
        ("chess", western.clone(), 1, "Latin-1"),
        ("chess", wide, 1, ""),
        ("chess", [line.as_bytes(), b"\x1a"].concat(), 1, ""),
        (
            "chess",
            [line.replace('\n', "\r").as_bytes(), b"\x1a\x1a"].concat(),
            1,
            "",
        ),
        ("chess", [b"\xEF\xBB\xBF", line.as_bytes()].concat(), 1, ""),
        (
            "chess",
            b"1. e4 e5 R\xe9ti\n1. d4 d5\n".to_vec(),
            2,
            "Latin-1",
        ),
        (
            "othello",
            b"f5d6c3 Rosen\xe9\nf5f6e6f4\n".to_vec(),
            2,
            "Latin-1",
        ),
        (
            "xiangqi",
            encoding_rs::GB18030.encode(xiangqi).0.into_owned(),
            1,
            "GB18030",
        ),
        (
            "xiangqi",
            encoding_rs::BIG5.encode(xiangqi).0.into_owned(),
            1,
            "Big5",
        ),
    ] {
        fs::write(&file, &bytes).unwrap();
        let output = run(&["openings", "check", game, &file]);
        let (said, warned) = (stdout(&output), stderr(&output));
        assert!(
            said.contains(&format!(": {count} opening")),
            "{said}{warned}"
        );
        assert!(warned.contains(encoding), "{warned}");
        assert_eq!(warned.is_empty(), encoding.is_empty(), "{warned}");
    }
}

#[test]
fn comments_in_any_letters_end_where_they_end() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("c.pgn");
    let (cyrillic, central) = (encoding_rs::WINDOWS_1251, encoding_rs::WINDOWS_1250);
    let western = encoding_rs::WINDOWS_1252;
    for (encoding, one, other, note) in [
        (western, "él está", "fin", "Latin-1"),
        (western, "±", "x", "Latin-1"),
        (western, "coup forcé", "à", "Latin-1"),
        (cyrillic, "плохо", "хорошо", "windows-1251"),
        (encoding_rs::KOI8_R, "плохо", "хорошо", "KOI8-U"),
        (central, "zły ruch ę", "lepší", "windows-1250"),
        (
            encoding_rs::WINDOWS_1253,
            "κακό",
            "καλύτερο",
            "windows-1253",
        ),
        (encoding_rs::GB18030, "好棋", "红方胜", "GB18030"),
        (encoding_rs::BIG5, "四功", "許功蓋", "Big5"),
    ] {
        let text = format!(
            "[White \"{other}\"]\n[Black \"B\"]\n\n\
             1. e4 {{{one}}} e5 2. Nf3\nNc6 {{{other}}} 3. Bb5 {{{one}\n{other}}} a6 1-0\n"
        );
        fs::write(&file, encoding.encode(&text).0).unwrap();
        let games = converted(&file, &["--game", "chess"]);
        assert_eq!(games[0]["plies"], 6, "{text}");
        assert_eq!(games[0]["tags"]["White"], other, "{text}");
        let said = stderr(&run(&["convert", &file, "--game", "chess", "--check"]));
        assert!(said.contains(&format!("read as {note}")), "{said}");
    }
}

#[test]
fn files_without_games_have_a_remedy() {
    let sandbox = Sandbox::new();
    let empty = sandbox.write("e.pgn", "");
    let folder = sandbox.path("");
    for (file, told) in [(&empty, "it is empty"), (&folder, "it is a folder")] {
        for command in [
            &["convert", file][..],
            &["openings", "check", "chess", file],
        ] {
            let output = run(command);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains(told) && said.contains("help: "), "{said}");
        }
    }
    for table in [
        "first\tsecond\twins\nA\tB\t1\n",
        "first;second;wins\nA;B;1\n",
    ] {
        let output = run(&["rate", &sandbox.write("t.txt", table)]);
        assert!(stderr(&output).contains("separate the columns with commas"));
    }
    for text in [
        "{\"Immortal game\"} 1. e4 e5 1-0",
        "1. e4\n\0 e5 1-0",
        "\0\n1. e4 e5 1-0",
    ] {
        let games = converted(&sandbox.write("z.pgn", text), &["--game", "chess"]);
        assert_eq!(games[0]["plies"], 2, "{text:?}");
    }
}

#[test]
fn scores_of_other_programs_are_positions_for_training() {
    let sandbox = Sandbox::new();
    let text = "[Event \"x\"]\n\n1. e4 { [%eval 0.17] } e5 { [%eval -0.5] } 2. Qh5 { [%eval #-3] } \
                Nc6 {d=9, mt=80, n=77, wv=0.23,} 3. Bc4 {+0.09 17/32 272 690731} \
                Nf6 {(h5f7) +0,30/12 3} 4. d3 {+1.5 or so} Nd4 {nothing} 1-0\n";
    let file = sandbox.write("a.pgn", text);
    let output = run(&["convert", &file, "--to", "positions"]);
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    let scores: Vec<_> = lines.iter().map(|line| line["score"].clone()).collect();
    let expected = [
        Some(17),
        Some(50),
        None,
        Some(-23),
        Some(9),
        Some(30),
        Some(150),
        None,
    ];
    for (place, (score, expected)) in scores.iter().zip(expected).enumerate() {
        match expected {
            Some(value) => assert_eq!(*score, value, "ply {place}"),
            None if place == 2 => assert_eq!(lines[2]["mate"], -6),
            None => assert!(score.is_null(), "ply {place}"),
        }
    }
    assert_eq!(lines[3]["nodes"], 77);
    assert_eq!(
        (&lines[4]["depth"], &lines[4]["nodes"]),
        (&17.into(), &690_731.into())
    );
    // Scores of an unknown form are counted.
    let file = sandbox.write(
        "b.pgn",
        "1. e4 {eval: +0.30 (d 9)} e5 {Rybka 0.31} 2. d4 {fine} *\n",
    );
    let output = run(&["convert", &file, "--game", "chess", "--check"]);
    let said = stdout(&output);
    assert!(
        said.contains("2 comments seem to have a score, in a form that is not read"),
        "{said}"
    );
}

#[test]
fn words_and_results_have_many_forms() {
    let sandbox = Sandbox::new();
    for (moves, count, result) in [
        ("1. e4 c5 2. e5 d5 3. exd6 e.p. exd6 1/2-1/2", 6, "1/2-1/2"),
        ("1. e4 c5 2. e5 d5 3. exd6 ep 1-0", 5, "1-0"),
        ("1. f3 e5 2. g4 N Qh4 mate 0–1", 4, "0-1"),
        ("1. e4 e5 ½–½", 2, "1/2-1/2"),
        ("1. e4 e5 1 - 0", 2, "1-0"),
        ("1. f3 e5 2. g4 Qh4#0-1", 4, "0-1"),
        ("1. e4 d5 2. e×d5 Q×d5* ", 4, "*"),
        ("1. e4 e5 2. ♘f3 ♞c6 1-0 ff", 4, "1-0"),
        ("1. e4 e5 2. N\u{200b}f3\u{200e} 1—0", 3, "1-0"),
        (
            "1. e4 d5 2. exd5 c6 3. dxc6 e5 4. cxb7 e4 5. bxa8(Q) *",
            9,
            "*",
        ),
        (
            "1. e4 d5 2. exd5 c6 3. dxc6 e5 4. cxb7 e4 5. bxa8/N *",
            9,
            "*",
        ),
        ("1.e2–e4 e7–e5 0:1", 2, "0-1"),
        (
            "1. e4! e5?! 2. Bc4 Bc5 3. Qh5 Nf6?? 4. Qxf7++ 1-0 {mate}",
            7,
            "1-0",
        ),
    ] {
        let file = sandbox.write("w.pgn", &format!("[White \"A\"]\n\n{moves}\n"));
        let games = converted(&file, &["--game", "chess"]);
        assert_eq!(games.len(), 1, "{moves}");
        assert_eq!(games[0]["plies"], count, "{moves}");
        assert_eq!(games[0]["result"], result, "{moves}");
    }
    // A word that could be a move is none of these.
    for moves in [
        "1. e4 exd",
        "1. e4 e5 2. Nf33 Nc6",
        "1. e4 PxP",
        "1. e4 -- 2. d4",
    ] {
        let file = sandbox.write("w.pgn", &format!("[White \"A\"]\n\n{moves} *\n"));
        let output = run(&["convert", &file, "--game", "chess"]);
        assert_eq!(output.status.code(), Some(1), "{moves}");
    }
    let file = sandbox.write("w.pgn", "1. f3 e5 2. g4 Qh4 mate 0-1\n");
    let output = run(&["convert", &file, "--game", "chess", "--check"]);
    assert!(stdout(&output).contains("1 word between moves (such as `mate`) passed over"));
}

#[test]
fn move_numbers_continue_those_of_the_position() {
    let sandbox = Sandbox::new();
    for (game, fen, moves, text) in [
        (
            "chess",
            "3r2k1/2rP1pp1/2q4p/2N5/7Q/4P2P/6P1/3R2K1 b - - 5 38",
            "38. .. g5 39. Qe4 Qxc5",
            "38... g5 39. Qe4 Qxc5 *",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 12",
            "e4 Kd7",
            "12. e4 Kd7 *",
        ),
        (
            "xiangqi",
            "3k5/9/9/9/9/9/9/4p4/9/5K3 b - - 3 40",
            "e2d2 f0f1",
            "40... E2-D2 41. F0-F1 *",
        ),
        (
            "othello",
            "---------------------------OX------XO--------------------------- X",
            "f5 d6",
            "1. f5 d6 *",
        ),
    ] {
        let file = sandbox.write("n.pgn", &format!("[FEN \"{fen}\"]\n\n{moves} *\n"));
        let output = run(&["convert", &file, "--game", game]);
        assert!(
            stdout(&output).contains(&format!("\n{text}\n")),
            "{}{}",
            stdout(&output),
            stderr(&output)
        );
    }
}

#[test]
fn books_are_known_by_their_contents() {
    let sandbox = Sandbox::new();
    let epd = format!("{START} id \"a\";\n");
    let pgn = "[Event \"x\"]\n\n1. e4 e5 *\n\n[Event \"y\"]\n\n1. d4 *\n";
    for (name, text, count) in [
        ("a.pgn", epd.as_str(), 1),
        ("a.txt", pgn, 2),
        ("a.epd", "e4 e5\nd4 d5\n", 2),
        (
            "b.pgn",
            "[FEN \"nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w GBgb - 0 1;\"]\n\n*\n",
            1,
        ),
        ("c.pgns", pgn, 2),
    ] {
        let file = sandbox.write(name, text);
        assert_eq!(openings("chess", &file), count, "{name}");
    }
    // Both forms of output say which line an opening has.
    let file = sandbox.write(
        "l.epd",
        &format!("# a comment\n{START} moves e2e4\n{START} moves e2e4\n{START} moves e2e4 e7e5\n"),
    );
    let output = run(&["openings", "check", "chess", &file]);
    assert!(
        stderr(&output).contains("`opening 1` (line 2) leads to `opening 2` (line 4)"),
        "{}",
        stderr(&output)
    );
    let leads = &json_of(&["openings", "check", "chess", &file, "--json"])["leads"];
    assert_eq!(leads[0], serde_json::json!([2, 4]));
}

/// The JSON of a command that finds something.
fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&run(arguments))).expect("JSON")
}

#[test]
fn files_that_are_not_read_are_named() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("a.x");
    for (bytes, name) in [
        (&b"CCBridge Record\0\x01\x02"[..], "CBR"),
        (b"CCBridgeLibrary\0\x01", "CBL"),
        (b"7z\xbc\xaf\x27\x1c\0", "7z x"),
        (b"\xfd7zXZ\0\0", "unxz"),
        (b"Rar!\x1a\x07\x00", "unrar"),
        (b"BINP\x10\0\0\0", "binpack"),
        (b"Scid.si\0", "SCID"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"\xef\xbb\xbf<html></html>", "web page"),
        (b"<!-- saved from url=(0014)about:internet -->", "web page"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "git lfs pull",
        ),
        (b"\0\0\x2c\0\x2e\x01\0\0", "ChessBase"),
        (b"\x03ABK\0\0\0", "Arena"),
        (b"GIF89a\x01\0\x01", "picture"),
        (b"%PDF-1.7", "PDF"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0", "not text"),
    ] {
        fs::write(&file, bytes).unwrap();
        for command in [
            &["convert", &file][..],
            &["openings", "check", "xiangqi", &file],
            &["rate", &file],
        ] {
            let output = run(command);
            assert_eq!(
                output.status.code(),
                Some(2),
                "{command:?}: {}",
                stderr(&output)
            );
            assert!(
                stderr(&output).contains(name),
                "{command:?}: {}",
                stderr(&output)
            );
            assert!(
                stderr(&output).contains("help: "),
                "{command:?}: {}",
                stderr(&output)
            );
        }
    }
}

#[test]
fn packed_files_are_read_everywhere() {
    let sandbox = Sandbox::new();
    let pgn = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
               [Event \"x\"]\n[White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n";
    let file = sandbox.path("a");
    for bytes in crate::library::dialects::packed_in_every_way(pgn.as_bytes()) {
        fs::write(&file, &bytes).unwrap();
        assert_eq!(converted(&file, &[]).len(), 2);
        assert_eq!(openings("chess", &file), 2);
        let rated = json(&["rate", &file, "--json"]);
        assert_eq!(rated["ratings"].as_array().unwrap().len(), 2);
        // A part of a packed file is refused.
        fs::write(&file, &bytes[..bytes.len() * 2 / 3]).unwrap();
        let output = run(&["convert", &file]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("ends early"),
            "{}",
            stderr(&output)
        );
    }
}

/// The exit code of a command, and all that it prints.
fn said(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments);
    (output.status.code(), stdout(&output) + &stderr(&output))
}

#[test]
fn lines_of_moves_are_not_cut_short() {
    let sandbox = Sandbox::new();
    for (line, word) in [
        ("f5 d6 c3 @@ d3 c4", "`@@`"),
        ("f5 d6 c3 d3 c4 z9 f4 b4", "`z9`"),
        ("f5 d6 O4", "`O4`"),
        ("f5 F-4", "`F-4`"),
        (
            "---------------------------OX------XO--------------------------- X f5 d6 q9 c3",
            "`q9`",
        ),
    ] {
        let file = sandbox.write("a.txt", &format!("f5d6c3\n{line}\n"));
        let (code, text) = said(&["convert", &file, "--to", "txt"]);
        assert_eq!(code, Some(1), "{line}: {text}");
        assert!(
            text.contains(word) && text.contains("line 2, game 2"),
            "{text}"
        );
    }
    let file = sandbox.write("a.txt", "f5d6c3 Tiger -0.5\nf5f6 34-30\n");
    let (code, text) = said(&["convert", &file, "--to", "txt"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("left out: columns behind the moves of 2 games"),
        "{text}"
    );
    for (game, line) in [
        ("xiangqi", "h2e2 h9g7 hOg2 i9h9"),
        ("chess", "1. e4 e5 2. Nf3 zz9 Nc6"),
        ("chess", "1. e4 -- e5"),
        ("chess", "e4 e5 Nf3 @@ Nc6"),
        ("othello", "f5 d6 z9"),
    ] {
        let file = sandbox.write("b.txt", line);
        let (code, text) = said(&["openings", "check", game, &file]);
        assert_eq!(code, Some(2), "{line}: {text}");
    }
}

#[test]
fn operations_are_not_lost() {
    let sandbox = Sandbox::new();
    for (line, told) in [
        (format!("{START} 0 1 e2e4 e7e5"), "write `moves`"),
        ("startpos moves e2e4; e7e5".to_owned(), "write `moves`"),
        (
            format!("{START} hmvc 3; hmvc 5;"),
            "duplicate operation `hmvc`",
        ),
        (format!("{START} 0 1 hmvc 30;"), "same counter"),
        (
            format!("{START} id \"WAC.001\" bm e4;"),
            "a `;` is missing before `bm`",
        ),
    ] {
        let file = sandbox.write("b.epd", &line);
        for command in [
            &["openings", "check", "chess", &file][..],
            &["convert", &file, "--to", "epd", "--game", "chess"],
        ] {
            let (code, text) = said(command);
            assert_ne!(code, Some(0), "{line}: {text}");
            assert!(text.contains(told), "{line}: {text}");
        }
    }
    // Lines of a long book differ by their moves.
    let line = |moves: &str| format!("startpos moves {moves}\n{START} moves {moves} e7e5\n");
    let file = sandbox.write("c.epd", &(line("e2e4") + &line("d2d4")));
    assert_eq!(openings("chess", &file), 4);
}

#[test]
fn lists_of_moves_are_judged_completely() {
    for (game, moves) in [
        ("chess", "e4 e5 {x Nf3"),
        ("chess", "e4 (d4 e5"),
        ("chess", "5254 5755"),
        ("chess", "e4 e5 00 00 Nf3"),
        ("xiangqi", "h2e2 h9g7 7967 h0g2"),
    ] {
        let (code, text) = said(&["judge", game, "--moves", moves]);
        assert_eq!(code, Some(2), "{moves}: {text}");
        assert!(text.contains("error: "), "{moves}: {text}");
    }
    let (code, text) = said(&["judge", "chess", "e4", "null", "e5", "mate"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("2 words between moves passed over: `null`, `mate`"),
        "{text}"
    );
    let (code, text) = said(&["judge", "chess", "--moves", "e4", "e5"]);
    assert_eq!(code, Some(2), "{text}");
    let output = fed(&["judge", "othello", "--moves", "-", "--json"], "f5 d6\n");
    assert!(
        output.contains("\"plies\": 2") || output.contains("\"plies\":2"),
        "{output}"
    );
    let output = fed(&["judge", "chess", "--moves", "-"], "1. e4 e5 2. Nf3\n");
    assert!(output.contains("ongoing after 3 plies"), "{output}");
}

/// The output of a command with this input.
fn fed(arguments: &[&str], input: &str) -> String {
    use std::io::Write as _;
    let mut child = crate::common::leitai()
        .args(arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("input");
    drop(pipe);
    stdout(&child.wait_with_output().expect("the program ends"))
}

#[test]
fn games_that_nothing_names_are_of_the_kind_before_them() {
    let sandbox = Sandbox::new();
    let game = |moves: &str| format!("[Event \"x\"]\n\n{moves} *\n\n");
    let file = sandbox.write("a.pgn", &game("1. Sf3 d5"));
    let (code, text) = said(&["convert", &file, "--check"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("nothing in the file names its game, and Xiangqi is assumed"),
        "{text}"
    );
    assert!(text.contains("`--game chess`"), "{text}");
    for first in ["1. e4 e5", "1. d4 Sf6"] {
        let file = sandbox.write("a.pgn", &(game(first) + &game("1. Sf3 d5") + &game("")));
        let (_, text) = said(&["convert", &file, "--check"]);
        assert!(
            text.contains("game 2, ply 1: `Sf3` is a move in no notation of Chess"),
            "{text}"
        );
    }
    let file = sandbox.write("a.pgn", &(game("1. e4 e5") + &game("")));
    let variants = converted(&file, &[]);
    assert!(
        variants.iter().all(|game| game["variant"] == "chess"),
        "{variants:?}"
    );
}

#[test]
fn notations_are_those_of_the_game() {
    let sandbox = Sandbox::new();
    let chess = sandbox.write("c.pgn", "[Event \"x\"]\n\n1. e4 e5 *\n");
    let xiangqi = sandbox.write("x.pgn", "[Game \"Chinese Chess\"]\n\n1. h2e2 h9g7 *\n");
    let othello = sandbox.write("o.txt", "f5d6c3\n");
    for (file, notation, known) in [
        (&xiangqi, "san", "`iccs`, `wxf`, `chinese`, `uci`"),
        (&xiangqi, "lan", "`iccs`, `wxf`, `chinese`, `uci`"),
        (&chess, "wxf", "`san`, `uci`, `lan`"),
        (&chess, "iccs", "`san`, `uci`, `lan`"),
        (&othello, "uci", "leave out --notation"),
    ] {
        let (code, text) = said(&["convert", file, "--notation", notation]);
        assert_eq!(code, Some(2), "{text}");
        assert!(
            text.contains("has no notation") && text.contains(known),
            "{text}"
        );
    }
    for (file, moves) in [(&xiangqi, "H2-E2"), (&chess, "1. e4"), (&othello, "1. f5")] {
        let (code, text) = said(&["convert", file]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(moves), "{text}");
    }
}

#[test]
fn a_tag_is_written_once() {
    let sandbox = Sandbox::new();
    let fen = "nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w GBgb - 0 1";
    for tags in [
        format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]"),
        format!("[variant \"fischerandom\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]"),
        "[Game \"Chinese Chess\"]\n[Red \"?\"]\n[White \"A\"]\n[Black \"B\"]".to_owned(),
    ] {
        let file = sandbox.write("a.pgn", &format!("{tags}\n\n*\n"));
        let (code, text) = said(&["convert", &file]);
        assert_eq!(code, Some(0), "{text}");
        let names = text
            .lines()
            .filter_map(|line| line.strip_prefix('[')?.split(' ').next());
        let names: Vec<String> = names.map(str::to_lowercase).collect();
        for (place, name) in names.iter().enumerate() {
            assert!(!names[..place].contains(name), "{name}: {text}");
        }
    }
}

#[test]
fn files_are_not_taken_for_those_of_others() {
    let sandbox = Sandbox::new();
    let pgn = "[Event \"x\"]\n[Variant \"Xiangqi\"]\n\n1. h2e2 {see [DhtmlXQ]} h9g7 *\n";
    for text in [
        pgn.to_owned(),
        pgn.replace("[DhtmlXQ]", "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"),
        format!("{}\n{pgn}", "-".repeat(64)),
        format!("{}\n\n{pgn}", "*".repeat(80)),
        format!("{}\n{pgn}", "- ".repeat(40)),
    ] {
        let file = sandbox.write("a.pgn", &text);
        let games = converted(&file, &[]);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(games[0]["plies"], 2, "{text}");
    }
    for variant in [
        "Minixiangqi",
        "antireversi",
        "Othello 10x10",
        "Mini Xiangqi",
        "Anti-Chess",
    ] {
        let text = format!("[Event \"x\"]\n[Variant \"{variant}\"]\n\n1. e4 e5 *\n");
        let file = sandbox.write("a.pgn", &text);
        let (code, text) = said(&["convert", &file]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(&format!("a game of `{variant}`")), "{text}");
    }
}

#[test]
fn files_that_are_cut_short_are_damaged() {
    let sandbox = Sandbox::new();
    let corpus = |file: &str| {
        fs::read(crate::common::project("tests/attack/corpus").join(file)).expect("a file")
    };
    let (wthor, xqf) = (corpus("wthor/year.wtb"), corpus("xqf/open.xqf"));
    let mut square = wthor.clone();
    square[16 + 8] = 99;
    let mut book = corpus("polyglot/small.bin");
    book.rotate_left(16);
    let longer = [&xqf[..], &[0; 8]].concat();
    for (name, bytes, code, told) in [
        ("a.wtb", &wthor[..wthor.len() - 1], 1, "1 game is missing"),
        ("a.wtb", &wthor[..16], 2, "games are missing"),
        ("a.wtb", &wthor[..15], 2, "within the header of WTHOR"),
        ("a.wtb", &square, 1, "a.wtb, game 1, ply 1"),
        ("a.xqf", &xqf[..1024], 1, "a.xqf, game 1"),
        ("a.xqf", &longer, 0, "8 bytes behind the last move"),
        ("a.bin", &book, 2, "not sorted"),
    ] {
        let file = sandbox.path(name);
        fs::write(&file, bytes).expect("a file");
        let (exit, text) = said(&["convert", &file, "--check"]);
        assert_eq!(exit, Some(code), "{name}: {text}");
        assert!(text.contains(told), "{name}: {text}");
    }
    // Entries of a binary book have numbers.
    let book = crate::common::project("tests/attack/corpus/polyglot/small.bin");
    let book = book.to_str().expect("UTF-8");
    let (_, text) = said(&["openings", "check", "chess", book, "--plies", "1"]);
    assert!(
        !text.contains("line 0") && text.contains("game 3 is dropped"),
        "{text}"
    );
}
