//! The promises: same config, same seed, same games, whatever the threads and
//! interruptions; nothing lost, nothing twice; evidence counted once.

mod binary;

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use binary::{Sandbox, json, leitai, run, small_tournament, stderr, stdout};

/// All games of a record, in schedule order.
fn pgn(store: &str) -> String {
    let output = run(&["report", "--store", store, "--pgn", "-"]);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

fn play(config: &str, store: &str, threads: &str) -> serde_json::Value {
    json(&[
        "run",
        config,
        "--store",
        store,
        "--threads",
        threads,
        "--json",
    ])
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(4, 150));
    let mut exports = Vec::new();
    for threads in ["1", "2", "8"] {
        let store = sandbox.path(&format!("{threads}.sqlite"));
        let mut results = play(&config, &store, threads);
        results.as_object_mut().unwrap().remove("store");
        exports.push((pgn(&store), results));
    }
    assert_eq!(
        exports[0].0.matches("[Result ").count(),
        24,
        "3 pairings, 4 pairs, 2 games"
    );
    assert!(exports.iter().all(|export| export == &exports[0]));
}

#[test]
fn another_seed_plays_other_games() {
    let sandbox = Sandbox::new();
    let text = small_tournament(2, 100);
    let one = sandbox.write("one.toml", &text);
    let two = sandbox.write("two.toml", &text.replace("seed = 7", "seed = 8"));
    let (a, b) = (sandbox.path("a.sqlite"), sandbox.path("b.sqlite"));
    play(&one, &a, "2");
    play(&two, &b, "2");
    assert_ne!(pgn(&a), pgn(&b));
}

#[test]
fn killed_again_and_again_the_run_ends_the_same() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(6, 200));
    let whole = sandbox.path("whole.sqlite");
    let expected = play(&config, &whole, "2");

    let store = sandbox.path("killed.sqlite");
    let mut recorded = 0;
    for round in 0..8_u64 {
        let mut child = leitai()
            .args([
                "run",
                &config,
                "--store",
                &store,
                "--threads",
                "2",
                "--quiet",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Some are killed while they open the record, some in play.
        sleep(Duration::from_millis(5 + 37 * round * round % 400));
        child.kill().unwrap();
        child.wait().unwrap();
        // Nothing that was recorded is ever lost.
        let listed = run(&["report", "--store", &store, "--list", "--json"]);
        if listed.status.success() {
            let runs: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
            let now = runs[0]["recorded"].as_u64().unwrap_or(0);
            assert!(now >= recorded, "{now} pairs recorded after {recorded}");
            recorded = now;
        }
    }
    let resumed = play(&config, &store, "1");
    assert_eq!(resumed["variants"], expected["variants"]);
    assert_eq!(pgn(&store), pgn(&whole));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_carry_on_and_does() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("long.toml", &small_tournament(100, 2000));
    for signal in ["INT", "TERM"] {
        let store = sandbox.path(&format!("{signal}.sqlite"));
        let child = leitai()
            .args(["run", &config, "--store", &store, "--threads", "2"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(1500));
        let pid = child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-s", signal, &pid])
            .status()
            .unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        let told = stderr(&output);
        let resume = format!("leitai run {config} --store {store}");
        assert!(told.contains(&resume), "{told}");
        let listed = json(&["report", "--store", &store, "--list", "--json"]);
        assert_eq!(listed[0]["pairs"], 300);
    }
}

#[test]
fn a_small_book_is_refused_unless_repeats_are_asked_for() {
    let sandbox = Sandbox::new();
    let book: String = std::fs::read_to_string(binary::project("openings/xiangqi.epd"))
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .take(3)
        .flat_map(|line| [line, "\n"])
        .collect();
    let book = sandbox.write("three.epd", &book);
    let full = small_tournament(7, 100);
    let text = full.replace(
        &format!("file = {:?}", binary::project("openings/xiangqi.epd")),
        &format!("file = {book:?}"),
    );
    let config = sandbox.write("small-book.toml", &text);
    let before = sandbox.files();
    let refused = run(&["run", &config, "--store", &sandbox.path("refused.sqlite")]);
    assert_eq!(refused.status.code(), Some(2));
    let told = stderr(&refused);
    assert!(told.contains('3') && told.contains('7'), "{told}");
    assert!(told.contains("repeat"), "the mend is named: {told}");
    assert_eq!(sandbox.files(), before, "nothing is written");

    let text = text.replace("[openings]", "[openings]\nexhausted = \"repeat\"");
    let config = sandbox.write("repeat.toml", &text);
    let store = sandbox.path("repeat.sqlite");
    let results = play(&config, &store, "2");
    // 3 pairings of 7 pairs, 3 openings: 4 of 7 pairs repeat.
    assert_eq!(results["pairs_played"], 21);
    assert_eq!(results["duplicate_pairs"], 12);
    assert_eq!(results["games"], 18);
    assert_eq!(results["distinct_openings"], 3);
    let table = stdout(&run(&["report", "--store", &store]));
    assert!(table.contains("12"), "{table}");
}

#[test]
fn recorded_pairs_verify_and_a_forged_record_is_noticed() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(2, 100));
    let store = sandbox.path("small.sqlite");
    play(&config, &store, "2");
    let verified = json(&["verify", "--store", &store, "--json"]);
    assert_eq!(verified["replayed"], 6);
    assert_eq!(verified["differences"].as_array().unwrap().len(), 0);

    let connection = rusqlite::Connection::open(&store).unwrap();
    let forged = connection
        .execute("UPDATE game SET winner = CASE winner WHEN 0 THEN 1 ELSE 0 END WHERE id = (SELECT min(id) FROM game)", [])
        .unwrap();
    assert_eq!(forged, 1);
    drop(connection);
    let output = run(&["verify", "--store", &store]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("small.sqlite"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn every_game_in_the_export_is_whole_and_legal() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(2, 100));
    let store = sandbox.path("small.sqlite");
    play(&config, &store, "2");
    let export = pgn(&store);
    let mut games = 0;
    for game in export.split("[Game ").skip(1) {
        let fen = game
            .split("[FEN \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap();
        let result = game
            .split("[Result \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let moves = game.rsplit("]\n").next().unwrap();
        let words: Vec<&str> = moves
            .split_whitespace()
            .filter(|word| word.len() == 5 && word.as_bytes()[2] == b'-')
            .collect();
        assert!(!words.is_empty(), "{game}");
        assert!(moves.trim_end().ends_with(result.unwrap()), "{game}");
        let judged = json(&[
            "judge",
            "xiangqi",
            "--fen",
            fen,
            "--moves",
            &words.join(" "),
            "--json",
        ]);
        assert_eq!(judged["plies"], words.len(), "legal to the end: {game}");
        games += 1;
    }
    assert_eq!(games, 12);
}
