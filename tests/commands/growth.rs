//! Runs that grow reuse the recorded pairs that do not change.

use crate::common::{Sandbox, project, run, small_tournament, stderr, stdout};
use serde_json::Value;

/// Runs a config into a record; returns its events and messages.
fn played(sandbox: &Sandbox, text: &str, store: &str, threads: &str) -> (Vec<Value>, String) {
    let config = sandbox.write("run.toml", text);
    let arguments = ["run", &config, "--store", store, "--threads", threads];
    let output = run(&[&arguments[..], &["--events", "-", "--moves"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stdout(&output);
    let events = told
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    (events.collect(), stderr(&output))
}

/// The number of pairs that were recorded before the first game, and of those played.
fn pairs(events: &[Value]) -> [u64; 2] {
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).count() as u64;
    let begun = events.iter().find(|event| event["event"] == "stage-begun");
    let recorded = begun.expect("a stage")["recorded"].as_u64();
    [recorded.expect("a number"), of("game-begun") / 2]
}

/// The games of the latest run of a record.
fn games(store: &str) -> String {
    stdout(&run(&["report", store, "--pgn", "-"]))
}

#[test]
fn a_longer_run_plays_new_pairs_and_equals_a_run_from_the_start() {
    let sandbox = Sandbox::new();
    let (grown, whole) = (sandbox.path("grown.sqlite"), sandbox.path("whole.sqlite"));
    let (events, _) = played(&sandbox, &small_tournament(3, 50), &grown, "2");
    assert_eq!(pairs(&events), [0, 9]);
    let (events, told) = played(&sandbox, &small_tournament(5, 50), &grown, "1");
    assert_eq!(pairs(&events), [9, 6]);
    assert!(
        told.contains("9 pairs are taken over from 1 other run"),
        "{told}"
    );
    let (events, _) = played(&sandbox, &small_tournament(5, 50), &whole, "2");
    assert_eq!(pairs(&events), [0, 15]);
    assert_eq!(games(&grown), games(&whole));
    let verified = run(&["verify", &grown]);
    assert!(verified.status.success(), "{}", stdout(&verified));
    // A shorter run has nothing to play.
    let (events, _) = played(&sandbox, &small_tournament(2, 50), &grown, "1");
    assert_eq!(pairs(&events), [6, 0]);
    // Reported only once: the run exists now.
    let (_, told) = played(&sandbox, &small_tournament(2, 50), &grown, "1");
    assert!(!told.contains("taken over"), "{told}");
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn names_and_other_players_do_not_matter_and_all_else_does() {
    let sandbox = Sandbox::new();
    let first = small_tournament(2, 50);
    let more = "\n[[variant]]\nname = \"fourth\"\nsearch = { null_move = {} }\n";
    for (number, (text, wanted)) in [
        (first.replace("\"full\"", "\"complete\""), [6, 0]),
        // The pairs of each of the three pairings, and three more.
        (format!("{first}{more}"), [6, 6]),
        (first.replace("nodes = 50", "nodes = 51"), [0, 6]),
        (first.replace("max_plies = 120", "max_plies = 119"), [0, 6]),
        // The third variant is based on the second.
        (first.replace("\"killers\"", "\"counter-move\""), [0, 6]),
        (
            first.replace("quiescence = false", "quiescence = true"),
            [2, 4],
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let store = sandbox.path(&format!("{number}.sqlite"));
        played(&sandbox, &first, &store, "2");
        let (events, told) = played(&sandbox, &text, &store, "2");
        assert_eq!(pairs(&events), wanted, "{text}\n{told}");
        let whole = sandbox.path(&format!("whole-{number}.sqlite"));
        played(&sandbox, &text, &whole, "2");
        assert_eq!(games(&store), games(&whole), "{text}");
    }
}

/// A record does not contain the moves of a book's openings.
#[test]
fn a_book_of_moves_is_a_book_too() {
    let sandbox = Sandbox::new();
    let book = project("openings/othello.txt");
    let config = |pairs: u32| {
        format!(
            "game = \"othello\"\nlimits = {{ nodes = 20 }}\ntournament = {{ pairs = {pairs} }}\n\
             openings = {{ file = {book:?} }}\n[[variant]]\nname = \"a\"\n\
             [[variant]]\nname = \"b\"\nsearch = {{ preset = \"full\" }}\n"
        )
    };
    let store = sandbox.path("othello.sqlite");
    assert_eq!(pairs(&played(&sandbox, &config(2), &store, "1").0), [0, 2]);
    assert_eq!(pairs(&played(&sandbox, &config(5), &store, "2").0), [2, 3]);
}
