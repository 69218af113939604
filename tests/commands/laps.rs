//! Later laps through a book: the same ply, separate results for the first lap and the others, and
//! the valid statements about them.

use crate::common::{Sandbox, json, project, run, stderr, stdout};
use leitai_players::schedule::Book;
use serde_json::Value;

/// The first `count` lines of the shipped book of Othello, as lines of moves.
fn lines(count: usize) -> String {
    let book = std::fs::read_to_string(project("openings/othello-12000.txt")).expect("the book");
    let lines = book.lines().filter(|line| !line.starts_with('#'));
    lines.take(count).collect::<Vec<_>>().join("\n")
}

/// The same openings as positions without known moves.
fn positions(count: usize) -> String {
    let card = leitai_games::othello::card();
    let book = Book::parse(card, &lines(count), "lines").expect("a book");
    let openings = book.iter().map(|opening| opening.fen().to_owned());
    openings.collect::<Vec<_>>().join("\n")
}

fn config(sandbox: &Sandbox, name: &str, book: &str, table: &str) -> String {
    let book = sandbox.write(&format!("{name}.txt"), book);
    let text = format!(
        "game = \"othello\"\nseed = 5\nlimits = {{ nodes = 20 }}\n\
         openings = {{ file = {book:?}, exhausted = \"vary\" }}\n{table}\n\
         [[variant]]\nname = \"a\"\nsearch = {{ preset = \"full\", table_mb = 1 }}\n\
         [[variant]]\nname = \"b\"\nbase = \"a\"\neval = {{ mobility = 20 }}\n"
    );
    sandbox.write(&format!("{name}.toml"), &text)
}

fn duel(pairs: u32) -> String {
    format!("tournament = {{ format = \"duel\", pairs = {pairs} }}")
}

fn gate(max_pairs: u32) -> String {
    format!(
        "gate = {{ base = \"a\", candidate = \"b\", elo0 = -1, elo1 = 1, \
         max_pairs = {max_pairs} }}"
    )
}

fn played(sandbox: &Sandbox, verb: &str, name: &str, book: &str, table: &str) -> Value {
    let config = config(sandbox, name, book, table);
    let store = sandbox.path(&format!("{name}.sqlite"));
    let output = run(&[verb, &config, "-q", "-t", "2", "--json", "--store", &store]);
    let text = stdout(&output);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(&output)))
}

fn reason(answer: &Value) -> &str {
    answer["error_rates_reason"].as_str().unwrap_or_default()
}

#[test]
fn later_laps_of_lines_begin_at_the_ply_of_the_first() {
    let sandbox = Sandbox::new();
    let answer = played(&sandbox, "run", "lines", &lines(24), &duel(96));
    let ply = serde_json::json!({ "least": 10, "mean": 10.0, "most": 10 });
    assert_eq!(answer["start_ply"], ply);
    assert_eq!(answer["error_rates_hold"], true, "{answer}");
    let laps = &answer["pairings"][0]["laps"];
    let pairs = |lap: &str| laps[lap]["pairs"].as_u64().unwrap();
    let duplicates = answer["duplicate_pairs"].as_u64().unwrap();
    assert_eq!(pairs("first") + pairs("later") + duplicates, 96);
    assert!(pairs("later") > 60, "new games in every lap: {laps}");
    assert_eq!(laps["differ"], false, "{laps}");

    let store = sandbox.path("lines.sqlite");
    let table = stdout(&run(&["report", &store]));
    assert!(table.contains("(games begin at ply 10)"), "{table}");
    // The record contains the starts of later laps.
    let reported = json(&["report", &store, "--json"]);
    assert_eq!(reported["pairings"], answer["pairings"]);
    let verified = stdout(&run(&["verify", &store]));
    assert!(verified.contains("96 the same, 0 different"), "{verified}");
}

/// A statement that is wrong for a run is also wrong for a gate over the same pairs, and vice
/// versa.
#[test]
fn runs_and_gates_judge_the_same_pairs_by_the_same_rule() {
    let sandbox = Sandbox::new();
    for (name, book, says) in [
        ("lines", lines(24), None),
        ("positions", positions(24), Some("two plies deeper")),
        ("eight", lines(8), Some("8 clusters")),
    ] {
        let run = played(&sandbox, "run", &format!("run-{name}"), &book, &duel(60));
        let gate = played(&sandbox, "gate", &format!("gate-{name}"), &book, &gate(60));
        for answer in [&run, &gate["candidates"][0]] {
            assert_eq!(
                answer["error_rates_hold"],
                says.is_none(),
                "{name}: {answer}"
            );
            assert!(
                reason(answer).contains(says.unwrap_or_default()),
                "{answer}"
            );
        }
        assert_eq!(reason(&run), reason(&gate["candidates"][0]), "{name}");
        let sentence = gate["candidates"][0]["sentence"].as_str().unwrap();
        assert_eq!(sentence.contains("error rates not kept"), says.is_some());
    }
}

/// Only the pairs of the first lap are from the unchanged openings.
#[test]
fn a_bare_book_may_end_after_its_first_lap() {
    let sandbox = Sandbox::new();
    let gate = played(&sandbox, "gate", "once", &positions(24), &gate(24));
    let answer = &gate["candidates"][0];
    assert_eq!(
        (&answer["error_rates_hold"], &answer["pairs"]),
        (&true.into(), &24.into())
    );
    assert_eq!(answer["laps"], Value::Null);
}

#[test]
fn plans_have_the_laps_of_the_book() {
    let sandbox = Sandbox::new();
    let config = config(&sandbox, "plan", &lines(24), "gate = { base = \"a\" }");
    let store = sandbox.path("plan.sqlite");
    let plan = json(&["gate", &config, "--plan", "--json", "--store", &store]);
    let longest = |points: &Value| {
        let points = points.as_array().unwrap().iter();
        let pairs = points.map(|point| point["pairs"].as_f64().unwrap());
        pairs.fold(0.0, f64::max)
    };
    let laps = plan["together"]["laps"].as_f64().unwrap();
    assert!(
        (laps - longest(&plan["points"]) / 24.0).abs() < 1e-9,
        "{plan}"
    );
    let text = stdout(&run(&["gate", &config, "--plan", "--store", &store]));
    assert!(text.contains("laps through the book"), "{text}");
}
