//! Chess compared with python-chess: it plays against `leitai engine` and reads Leitai's PGN, and
//! Leitai reads its PGN.
//!
//! Set `LEITAI_PYTHON` to a Python with the package `chess`; without it these tests are skipped.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::process::{Command, Output};

use crate::common::{Sandbox, project, run, stderr, stdout};

const SKIPPED: &str = "skipped: LEITAI_PYTHON names no Python with the package chess";

fn python() -> Option<OsString> {
    env::var_os("LEITAI_PYTHON").filter(|python| !python.is_empty())
}

fn script(python: &OsString, name: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(python);
    command.arg(project("tests/referee").join(name));
    let output = command.args(arguments).output();
    output.expect("the Python of LEITAI_PYTHON runs")
}

#[test]
fn python_chess_plays_against_our_engine() {
    let Some(python) = python() else {
        eprintln!("{SKIPPED}");
        return;
    };
    let arguments = [env!("CARGO_BIN_EXE_leitai"), "engine", "--game", "chess"];
    let output = script(&python, "chess_client.py", &arguments);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    assert!(text.ends_with("done\n"), "{text}");
}

/// Games from the usual start, from Chess960 and from a book.
fn games(sandbox: &Sandbox, pairs: u32, chess960: bool) -> String {
    let name = if chess960 { "fischer" } else { "usual" };
    let mut config = format!(
        "game = \"chess\"\nseed = 3\n[limits]\ndepth = 1\n[tournament]\nformat = \"duel\"\n\
         pairs = {pairs}\n[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n\
         eval = {{ preset = \"plain\" }}\n"
    );
    if chess960 {
        config.push_str("[rules]\nchess960 = true\n");
    } else {
        let book = project("openings/chess-12000.txt");
        let _ = write!(
            config,
            "[openings]\nfile = {:?}\n",
            book.to_str().expect("UTF-8")
        );
    }
    let config = sandbox.write(&format!("{name}.toml"), &config);
    let (store, pgn) = (
        sandbox.path(&format!("{name}.sqlite")),
        sandbox.path(&format!("{name}.pgn")),
    );
    let played = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(played.status.success(), "{}", stderr(&played));
    let written = run(&["report", &store, "--pgn", &pgn]);
    assert!(written.status.success(), "{}", stderr(&written));
    pgn
}

#[test]
fn python_chess_reads_our_games() {
    let Some(python) = python() else {
        eprintln!("{SKIPPED}");
        return;
    };
    let sandbox = Sandbox::new();
    for chess960 in [false, true] {
        let pgn = games(&sandbox, 10, chess960);
        let output = script(&python, "chess_pgn.py", &["read", &pgn]);
        let text = stdout(&output);
        assert!(output.status.success(), "{text}{}", stderr(&output));
        assert!(text.starts_with("20 games, "), "{text}");
        let checked = run(&["convert", "--game", "chess", "--check", &pgn]);
        assert!(checked.status.success(), "{}", stderr(&checked));
    }
}

#[test]
fn we_read_the_games_of_python_chess() {
    let Some(python) = python() else {
        eprintln!("{SKIPPED}");
        return;
    };
    let sandbox = Sandbox::new();
    let output = script(&python, "chess_pgn.py", &["write", "4", "20"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let pgn = sandbox.write("theirs.pgn", &stdout(&output));
    // Half of the games name their game in tags, the others are recognised by their moves.
    let checked = run(&["convert", "--check", &pgn, "--json"]);
    let text = stdout(&checked);
    assert!(checked.status.success(), "{text}{}", stderr(&checked));
    let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(summary["games"], 20, "{text}");
    assert_eq!(summary["damaged_games"], 0, "{text}");
}
