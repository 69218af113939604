//! The stream of events.

use std::fs;

use crate::common::gates::gate;
use crate::common::{Sandbox, json, project, run, small_tournament, stderr, stdout};
use serde_json::Value;

/// Parses events: a JSON object per line.
fn events(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.map(|event| event.expect("JSON")).collect()
}

/// The events of one kind.
fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    let is = |event: &&Value| event["event"] == kind;
    events.iter().filter(is).collect()
}

/// The kinds of the first and the last event.
fn ends(events: &[Value]) -> [&Value; 2] {
    [&events[0]["event"], &events[events.len() - 1]["event"]]
}

#[test]
fn the_events_of_a_run_rebuild_its_table() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(3, 50));
    let store = sandbox.path("small.sqlite");
    let arguments = ["run", &config, "--store", &store];
    let output = run(&[&arguments[..], &["--events", "-"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let told = events(&stdout(&output));
    assert_eq!(ends(&told), ["session-begun", "session-ended"]);
    assert_eq!(told[0]["version"], 1);
    assert_eq!(told[told.len() - 1]["complete"], true);
    // The last estimate equals the command's JSON.
    let whole = json(&[&arguments[..], &["--json"]].concat());
    let last = of_kind(&told, "estimate");
    let last = last.last().expect("an estimate").as_object().unwrap();
    assert_eq!(last["of"], "run");
    for (key, value) in last {
        if !["event", "of", "counted"].contains(&key.as_str()) {
            assert_eq!(*value, whole[key], "{key}");
        }
    }
    // The pairs alone are enough to compute the results.
    let pairs = of_kind(&told, "pair");
    assert_eq!(pairs.len() as u64, whole["pairs_played"].as_u64().unwrap());
    let name = whole["variants"][0]["name"].as_str().unwrap();
    let points = pairs
        .iter()
        .flat_map(|pair| pair["games"].as_array().unwrap());
    let points = points.map(|game| {
        let half_points = game["half_points"].as_u64().unwrap();
        match (game["first"] == name, game["second"] == name) {
            (true, _) => half_points,
            (_, true) => 2 - half_points,
            _ => 0,
        }
    });
    let results = &whole["variants"][0];
    let (wins, draws) = (results["wins"].as_u64(), results["draws"].as_u64());
    assert_eq!(points.sum::<u64>(), 2 * wins.unwrap() + draws.unwrap());
}

#[test]
fn events_do_not_depend_on_threads_and_a_file_of_them_is_continued() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(4, 50));
    let pairs = |threads: &str| {
        let store = sandbox.path(&format!("{threads}.sqlite"));
        let file = sandbox.path(&format!("{threads}.jsonl"));
        let arguments = ["run", &config, "--store", &store, "--events", &file];
        let more = ["--threads", threads, "--quiet", "--log-games"];
        let output = run(&[&arguments[..], &more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let games = stderr(&output).matches(", game ").count();
        let told = events(&fs::read_to_string(&file).unwrap());
        let pairs = of_kind(&told, "pair");
        assert_eq!(games, 2 * pairs.len(), "a line for each game");
        assert!(stdout(&output).contains("Elo"), "the table is told too");
        pairs.into_iter().cloned().collect::<Vec<_>>()
    };
    assert_eq!(pairs("1"), pairs("3"));
    // A later session without games appends to the file, even after an incomplete line.
    let (store, file) = (sandbox.path("1.sqlite"), sandbox.path("1.jsonl"));
    let text = fs::read_to_string(&file).unwrap();
    let cut = text.len() - 10;
    fs::write(&file, &text[..cut]).unwrap();
    let again = run(&["run", &config, "--store", &store, "--events", &file]);
    assert!(again.status.success(), "{}", stderr(&again));
    let text = fs::read_to_string(&file).unwrap();
    let (before, after) = text.split_at(cut);
    let whole = before.rsplit_once('\n').expect("lines").0;
    let told = events(&format!("{whole}{after}"));
    assert_eq!(of_kind(&told, "session-begun").len(), 2);
    assert_eq!(of_kind(&told, "stage-begun")[1]["counted"], 12);
}

#[test]
fn move_events_are_sent_on_request_and_change_nothing() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(2, 50));
    let (plain, told) = (sandbox.path("plain.sqlite"), sandbox.path("told.sqlite"));
    let events_of = |store: &str, more: &[&str]| {
        let arguments = ["run", &config, "--store", store, "--events", "-"];
        let output = run(&[&arguments[..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        events(&stdout(&output))
    };
    let without = events_of(&plain, &[]);
    let with = events_of(&told, &["--moves", "--threads", "2"]);
    assert!(of_kind(&without, "move").is_empty());
    assert_eq!(of_kind(&without, "pair"), of_kind(&with, "pair"));
    for pair in of_kind(&with, "pair") {
        for (game, number) in pair["games"].as_array().unwrap().iter().zip(1..) {
            let is = |event: &&&Value| event["pair"] == pair["pair"] && event["game"] == number;
            let moves = of_kind(&with, "move");
            let plies = moves
                .iter()
                .filter(is)
                .map(|it| it["ply"].as_u64().unwrap());
            let wanted = 1..=game["plies"].as_u64().unwrap();
            assert_eq!(plies.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
            let begun = of_kind(&with, "game-begun");
            let begun: Vec<_> = begun.iter().filter(is).collect();
            assert_eq!(begun.len(), 1);
            let players = [&game["first"], &game["second"]];
            assert!(players.contains(&&begun[0]["to_move"]));
        }
    }
    let of_search = of_kind(&with, "move")[0];
    assert!(of_search["nodes"].as_u64().unwrap() <= 50, "{of_search}");
    let refused = run(&["run", &config, "--moves"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn events_go_nowhere_else() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(1, 50));
    let store = sandbox.path("small.sqlite");
    let other = sandbox.write("other.txt", "mine\n");
    for (arguments, words) in [
        (
            vec!["--events", "-", "--json"],
            "already uses standard output",
        ),
        (vec!["--events", &other], "has other contents"),
        (vec!["--events", &config], "this command reads it"),
        (vec!["--events", &store], "this command reads it"),
    ] {
        let first = ["run", &config, "--store", &store];
        let output = run(&[&first[..], &arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine\n");
    assert!(!fs::exists(&store).unwrap());
}

#[test]
fn gates_report_their_tests_and_tunes_their_values() {
    let sandbox = Sandbox::new();
    let text = gate("base = \"plain\"\ncandidate = \"full\"\nelo1 = 40\nmax_pairs = 2");
    let config = sandbox.write("gate.toml", &text);
    let store = sandbox.path("gate.sqlite");
    let output = run(&["gate", &config, "--store", &store, "--events", "-"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let told = events(&stdout(&output));
    assert_eq!(ends(&told), ["session-begun", "session-ended"]);
    assert_eq!(told[0]["verb"], "gate");
    let last = of_kind(&told, "estimate");
    let last = last.last().expect("an estimate");
    assert_eq!(
        (&last["of"], &last["base"]),
        (&"gate".into(), &"plain".into())
    );

    let book = project("openings/othello.txt");
    let head = format!("game = \"othello\"\nseed = 3\nopenings = {{ file = {book:?} }}\n");
    let text = "limits = { nodes = 20 }\n\
                tune = { games = 40, proof = { elo1 = 50, max_pairs = 2 }, \
                parameter = [{ path = \"eval.squares[*]\", min = -100, max = 200 }] }\n\
                [[variant]]\nname = \"discs\"\neval = { preset = \"discs\" }\n";
    let config = sandbox.write("tune.toml", &(head + text));
    let store = sandbox.path("tune.sqlite");
    let output = run(&["tune", &config, "--store", &store, "--events", "-"]);
    let told = events(&stdout(&output));
    assert_eq!(ends(&told), ["session-begun", "session-ended"]);
    let purposes = of_kind(&told, "stage-begun");
    let purposes: Vec<_> = purposes.iter().map(|stage| &stage["purpose"]).collect();
    assert_eq!(purposes[0], "values");
    let of_tune = of_kind(&told, "estimate");
    let values = of_tune.iter().rfind(|it| it["of"] == "tune");
    let values = values.expect("values")["values"].as_array().unwrap();
    assert!(values.iter().all(|value| value["value"].is_i64()));
}

/// A study reports each search, also of solvers.
#[test]
fn a_study_reports_its_searches() {
    let sandbox = Sandbox::new();
    let suite = project("openings/go-capture/problems.json");
    let solvers = format!(
        "game = \"go\"\nstudy = {{ suite = {suite:?}, nodes = 20 }}\n\
         [[variant]]\nname = \"one\"\nsearch = {{ solver = {{ kind = \"df-pn\" }} }}\n\
         [[variant]]\nname = \"other\"\n\
         search = {{ solver = {{ kind = \"df-pn\", epsilon = 0 }} }}\n"
    );
    // A part of the book, with as many searches as a study has.
    let book = std::fs::read_to_string(project("openings/othello.txt")).expect("a book");
    let lines: Vec<&str> = book.lines().filter(|line| !line.starts_with('#')).collect();
    let suite = sandbox.write("book.txt", &lines[..60].join("\n"));
    let searches = format!(
        "game = \"othello\"\nstudy = {{ suite = {suite:?}, depth = 1 }}\n\
         [[variant]]\nname = \"one\"\n[[variant]]\nname = \"other\"\n"
    );
    for text in [solvers, searches] {
        let config = sandbox.write("study.toml", &text);
        let store = sandbox.path("study.sqlite");
        let output = run(&["study", &config, "--store", &store, "--events", "-"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let told = events(&stdout(&output));
        assert_eq!(ends(&told), ["session-begun", "session-ended"]);
        assert_eq!(told[0]["verb"], "study");
        let work = of_kind(&told, "work-begun");
        let total = work.first().expect("work")["total"]
            .as_u64()
            .expect("a number");
        let searched = of_kind(&told, "searched");
        assert!(total > 100);
        assert_eq!(searched.len() as u64, total);
        let of_one = searched.iter().filter(|it| it["variant"] == "one");
        assert_eq!(of_one.count() as u64, total / 2);
        assert!(
            searched
                .iter()
                .all(|it| it["position"].is_string() && it["nodes"].is_u64())
        );
    }
}
