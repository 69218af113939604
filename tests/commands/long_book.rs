//! Runs from books of more lines than are checked when a book is read.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use leitai_players::schedule::{MOST_CHECKED, Stream, below, generator};
use leitai_runs::store::{Mode, Store, StoredBook};

use crate::common::{Sandbox, json, run, stderr, stdout};

/// The position of Othello after 14 random plies, a line each.
fn lines() -> &'static [String] {
    static LINES: OnceLock<Vec<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let mut random = generator(1, Stream::Openings);
        let position = || {
            let mut position = leitai_games::othello::card().initial();
            for _ in 0..14 {
                let moves = position.moves();
                let chosen = below(&mut random, moves.len() as u64) as usize;
                position.play(*moves.get(chosen)?);
            }
            (position.count_legal_moves() > 0).then(|| position.to_fen())
        };
        let lines = std::iter::repeat_with(position).flatten();
        let lines = (1..=MOST_CHECKED + 2_000).zip(lines);
        let named = |(number, fen)| format!("{fen}; id \"line {number}\";");
        lines.map(named).collect()
    })
}

/// A board that is full, so that no game can begin there.
fn full() -> String {
    format!("{} X", "X".repeat(64))
}

fn config(sandbox: &Sandbox, openings: &str, pairs: usize) -> String {
    let text = format!(
        "game = \"othello\"\nseed = 5\nlimits = {{ depth = 1 }}\nadjudication = {{ max_plies = 2 }}\n\
         openings = {{ file = \"long.txt\", {openings} }}\n\
         tournament = {{ format = \"duel\", pairs = {pairs} }}\n\
         [[variant]]\nname = \"a\"\nsearch = {{ table_mb = 0 }}\n\
         [[variant]]\nname = \"b\"\nbase = \"a\"\neval = {{ mobility = 20 }}\n"
    );
    sandbox.write("run.toml", &text)
}

fn book_of(record: &str) -> StoredBook {
    let store = Store::open(Path::new(record), Mode::Read).expect("a record");
    let run = store.run("latest").expect("a run").handle;
    store.openings(&run).expect("a book")
}

#[test]
fn a_record_has_the_openings_that_were_played_and_is_read_without_the_book() {
    let sandbox = Sandbox::new();
    let book = sandbox.write("long.txt", &lines().join("\n"));
    let config = config(&sandbox, "order = \"random\"", 5);
    let record = sandbox.path("run.sqlite");
    let arguments = ["run", &config, "--store", &record, "--quiet"];
    let played = run(&arguments);
    assert!(played.status.success(), "{}", stderr(&played));
    let recorded = book_of(&record);
    assert!(recorded.len > MOST_CHECKED && recorded.len < lines().len());
    let drawn: Vec<usize> = recorded.held.iter().map(|(index, _)| *index).collect();
    assert_eq!(drawn, DRAWN);
    for (index, opening) in &recorded.held {
        let is_line = |line: &&String| line.starts_with(&opening.fen);
        let line = lines().iter().find(is_line).expect("a line of the book");
        assert!(
            line.ends_with(&format!("id \"{}\";", opening.id)),
            "{index}"
        );
    }
    assert!(fs::metadata(&record).expect("a record").len() < 300_000);

    let again = run(&arguments);
    assert_eq!(stdout(&again), stdout(&played));
    fs::remove_file(&book).expect("removed");
    let gone = run(&arguments);
    assert_eq!(gone.status.code(), Some(2));
    assert!(stderr(&gone).contains("long.txt"), "{}", stderr(&gone));
    let report = json(&["report", &record, "--json"]);
    assert_eq!(report["pairs_played"], 5);
    let other = sandbox.path("copy.sqlite");
    let merged = run(&["merge", &record, "-o", &other]);
    assert!(merged.status.success(), "{}", stderr(&merged));
    assert_eq!(book_of(&other), recorded);
    for store in [&record, &other] {
        let verified = run(&["verify", store]);
        assert!(verified.status.success(), "{}", stderr(&verified));
        let games = sandbox.path("games.pgn");
        let written = run(&["report", store, "--pgn", &games]);
        assert!(written.status.success(), "{}", stderr(&written));
        let games = fs::read_to_string(&games).expect("games");
        assert_eq!(games.matches("[FEN ").count(), 10);
    }
}

/// The openings that the first five rounds draw with that seed from a book of that length.
const DRAWN: [usize; 5] = [2_430, 2_922, 11_979, 13_137, 14_022];

#[test]
fn another_book_is_another_run_that_takes_over_the_same_pairs() {
    let sandbox = Sandbox::new();
    sandbox.write("long.txt", &lines().join("\n"));
    let config = config(&sandbox, "order = \"sequential\"", 4);
    let record = sandbox.path("run.sqlite");
    let arguments = ["run", &config, "--store", &record];
    assert!(run(&arguments).status.success());
    // Neither comments nor blanks nor line ends make another book.
    sandbox.write("long.txt", &format!("# one\n\n{}", lines().join("  \r\n")));
    let same = run(&arguments);
    assert!(!stderr(&same).contains("taken over"), "{}", stderr(&same));
    let changed = lines().join("\n").replacen("line 16000", "other", 1);
    sandbox.write("long.txt", &changed);
    let other = run(&arguments);
    let said = stderr(&other);
    assert!(said.contains("4 pairs are taken over"), "{said}");
    let store = Store::open(Path::new(&record), Mode::Read).expect("a record");
    let runs = store.runs().expect("runs");
    let books = runs.iter().map(|entry| store.openings(&entry.handle));
    let books: Vec<_> = books.map(|book| book.expect("a book")).collect();
    assert_eq!(books.len(), 2);
    assert_ne!(books[0].digest, books[1].digest);
    assert_eq!(books[0].held, books[1].held);
}

#[test]
fn a_bad_line_ends_a_run_when_it_is_drawn() {
    let sandbox = Sandbox::new();
    // The first rounds are checked before the first game.
    for (place, recorded) in [(2, None), (1_009, Some(1_009))] {
        let mut text = String::new();
        for (index, line) in lines().iter().enumerate() {
            if index == place {
                writeln!(text, "{}", full()).expect("written");
            }
            writeln!(text, "{line}").expect("written");
        }
        sandbox.write("long.txt", &text);
        let config = config(&sandbox, "order = \"sequential\"", 1_050);
        let record = sandbox.path(&format!("{place}.sqlite"));
        for _ in 0..2 {
            let arguments = [
                "run",
                &config,
                "--store",
                &record,
                "--quiet",
                "--threads",
                "2",
            ];
            let ended = run(&arguments);
            let said = stderr(&ended);
            assert_eq!(ended.status.code(), Some(2), "{said}");
            let expected = format!("long.txt:{}: the game is over there", place + 1);
            assert!(said.contains(&expected), "{said}");
            let count = recorded.map(|_| {
                let store = Store::open(Path::new(&record), Mode::Read).expect("a record");
                store.run("latest").expect("a run").recorded
            });
            assert_eq!(count, recorded);
        }
    }
}
