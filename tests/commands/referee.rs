//! The referee compared with an independent one: `tests/referee/check.py` replays games with
//! Fairy-Stockfish's rules (pyffish).
//!
//! Set `LEITAI_PYTHON` to a Python that has pyffish; without it the comparison is skipped.

use std::env;
use std::ffi::OsString;
use std::process::{Command, Output};

use crate::common::{Sandbox, project, run, stderr, stdout};

/// The message of a skipped test.
const SKIPPED: &str = "skipped: LEITAI_PYTHON names no Python with pyffish";

/// The Python to use, if there is one.
fn python() -> Option<OsString> {
    env::var_os("LEITAI_PYTHON").filter(|python| !python.is_empty())
}

fn check(python: &OsString, games: &str) -> Output {
    let script = project("tests/referee/check.py");
    let mut command = Command::new(python);
    command.arg(script).arg(games);
    command.output().expect("the Python of LEITAI_PYTHON runs")
}

/// Games of two very shallow variants, so that most continue to a mate or a repetition.
fn play(sandbox: &Sandbox, pairs: u32) -> String {
    let book = project("openings/xiangqi.epd");
    let config = format!(
        "game = \"xiangqi\"\nseed = 11\n\n[limits]\nnodes = 50\n\n[openings]\nfile = {:?}\n\n\
         [tournament]\nformat = \"duel\"\npairs = {pairs}\n\n\
         [[variant]]\nname = \"full\"\nsearch = {{ preset = \"full\" }}\n\
         eval = {{ preset = \"tutorial\" }}\n\n\
         [[variant]]\nname = \"plain\"\n\
         search = {{ ordering = [\"tt\", \"good-captures\", \"killers\", \"history\"] }}\n",
        book.to_str().expect("UTF-8")
    );
    let config = sandbox.write("t.toml", &config);
    let (store, games) = (sandbox.path("t.sqlite"), sandbox.path("games.jsonl"));
    let played = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(played.status.success(), "{}", stderr(&played));
    let converted = run(&["convert", &store, "--to", "json", "-o", &games]);
    assert!(converted.status.success(), "{}", stderr(&converted));
    games
}

#[test]
fn sixty_games_are_judged_alike() {
    let Some(python) = python() else {
        eprintln!("{SKIPPED}");
        return;
    };
    let sandbox = Sandbox::new();
    let games = play(&sandbox, 30);
    let output = check(&python, &games);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    assert!(text.contains("60 games, "), "{text}");
    let count = |what: &str| -> u32 {
        let line = text.lines().find(|line| line.contains(what));
        let count = line.and_then(|line| line.split_whitespace().next());
        count.map_or(0, |count| count.parse().expect(what))
    };
    // Otherwise the comparison covers too little.
    assert!(count("checkmate, compared") > 18, "{text}");
    assert!(count("stalemate, compared") > 0, "{text}");
    assert!(
        count("repetition, not compared: the same there") > 2,
        "{text}"
    );
}

/// The check detects tampered games.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn games_that_were_tampered_with_are_found_out() {
    let Some(python) = python() else {
        eprintln!("{SKIPPED}");
        return;
    };
    let sandbox = Sandbox::new();
    let games = std::fs::read_to_string(play(&sandbox, 5)).expect("games");
    let mated = games
        .lines()
        .find(|line| line.contains("\"cause\":\"checkmate\""))
        .expect("a mate");
    let game: serde_json::Value = serde_json::from_str(mated).expect("JSON");
    let winner = game["verdict"]["result"].as_str().expect("a result");
    let loser = if winner == "1-0" { "0-1" } else { "1-0" };
    let mut cases = Vec::new();
    let mut case = |words: &'static str, change: &dyn Fn(&mut serde_json::Value)| {
        let mut changed = game.clone();
        change(&mut changed);
        cases.push((words, changed.to_string()));
    };
    case("is not legal at", &|game| game["moves"][2] = "a0i9".into());
    case("but the check is otherwise", &|game| {
        game["verdict"]["cause"] = "stalemate".into();
    });
    case("but no move is legal", &|game| {
        game["verdict"] = serde_json::Value::Null;
    });
    case(" here, ", &|game| game["final_fen"] = game["fen"].clone());
    case("checkmate at", &|game| {
        game["verdict"]["result"] = loser.into();
    });
    for (words, text) in cases {
        let output = check(&python, &sandbox.write("tampered.jsonl", &text));
        let told = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{words}: {told}");
        assert!(told.contains(words), "{words}: {told}");
    }
    let untouched = check(&python, &sandbox.write("untouched.jsonl", mated));
    assert!(untouched.status.success(), "{}", stdout(&untouched));
    let nothing = check(&python, &sandbox.write("none.jsonl", ""));
    assert_eq!(nothing.status.code(), Some(2));
}
