//! Timed games: the number of processors that they need, and the speed that scales clocks.

use std::fs;
use std::process::Output;

use leitai_runs::store::{Mode, Speed, Store};
use serde_json::Value;

use super::{NODES, config, dialogues};
use crate::common;

#[test]
fn more_games_by_the_clock_than_processors_are_refused() {
    let there = std::thread::available_parallelism().map_or(1, usize::from);
    let folder = tempfile::tempdir().expect("a folder");
    let run = |limits: &str, threads: usize, options: &str, more: &[&str]| {
        let text = config("good", limits, options);
        fs::write(folder.path().join("match.toml"), text).expect("a config");
        let mut command = common::leitai();
        command
            .current_dir(folder.path())
            .args(["run", "match.toml", "--quiet", "--threads"]);
        let output = command
            .arg(threads.to_string())
            .args(more)
            .output()
            .expect("leitai");
        (
            output.status.code(),
            String::from_utf8(output.stderr).expect("text"),
        )
    };
    let clock = "movetime = \"20ms\", margin = \"5s\"";
    let (code, told) = run(clock, 2 * there, "", &[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(
        told.contains("by the clock, on 1 processor each, need"),
        "{told}"
    );
    assert!(told.contains("--force"), "{told}");
    assert!(told.contains(&format!("`--threads {there}`")), "{told}");
    assert!(!folder.path().join("match.sqlite").exists());
    // Programs that use several processors each.
    let cores = format!("options = {{ Threads = {} }}", 2 * there);
    let (code, told) = run(clock, 1, &cores, &[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains(&format!("`Threads = {there}`")), "{told}");
    let (code, told) = run(clock, there + 1, "", &["--force"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("warning: ") && told.contains("by the clock"),
        "{told}"
    );
    let (code, told) = run(NODES, 2 * there, "", &[]);
    assert_eq!(
        (code, told.contains("by the clock")),
        (Some(0), false),
        "{told}"
    );
}

/// Runs `leitai` with these arguments in a folder.
fn leitai(folder: &std::path::Path, words: &[&str]) -> Output {
    let mut command = common::leitai();
    command
        .current_dir(folder)
        .args(words)
        .output()
        .expect("leitai")
}

#[test]
fn the_reference_speed_is_recorded_and_changes_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config(
        "good",
        "movetime = \"10ms\", margin = \"5s\", reference_nps = 1_000",
        "",
    );
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let run = ["run", "match.toml", "--json", "--quiet", "--threads", "1"];
    let first = leitai(folder.path(), &run);
    let told = String::from_utf8_lossy(&first.stderr).into_owned();
    assert!(first.status.success(), "{told}");
    assert!(
        told.contains("clocks: ") && !told.contains("between starts of this run"),
        "{told}"
    );
    let answer: Value = serde_json::from_slice(&first.stdout).expect("JSON");
    let clocks = answer["clocks"].as_array().expect("clocks");
    let [nps, factor] = ["nps", "factor"].map(|key| clocks[0][key].as_f64().expect("a number"));
    assert!((factor - 1_000.0 / nps).abs() < 1e-9, "{answer}");
    assert_eq!((clocks.len(), &clocks[0]["threads"]), (1, &Value::from(1)));
    let report = |words: &[&str]| {
        let output = leitai(
            folder.path(),
            &[&["report", "match.sqlite"], words].concat(),
        );
        String::from_utf8(output.stdout).expect("text")
    };
    let again: Value = serde_json::from_str(&report(&["--json"])).expect("JSON");
    assert_eq!(again["clocks"], answer["clocks"]);
    assert!(report(&[]).contains("where the config means 1000: times are multiplied by"));
    // An earlier start on a machine of another speed.
    let store = Store::open(folder.path().join("match.sqlite"), Mode::Write).expect("a record");
    let handle = store.run("latest").expect("a run").handle;
    let speed = Speed {
        nps: 20 * nps as u64,
        threads: 1,
    };
    store.add_speed(&handle, speed).expect("recorded");
    assert_eq!(store.speeds(&handle).expect("speeds")[1], speed);
    drop(store);
    assert!(report(&[]).contains("nodes per second between starts of this run"));
    let told = leitai(folder.path(), &run).stderr;
    let told = String::from_utf8_lossy(&told);
    assert!(
        told.contains("warning: this machine's speed ranged"),
        "{told}"
    );
}

/// The numbers after these words in a line.
fn numbers<const N: usize>(line: &str, names: [&str; N]) -> [u64; N] {
    let words: Vec<&str> = line.split_whitespace().collect();
    names.map(|name| {
        let at = words.iter().position(|word| *word == name);
        let number = at.and_then(|at| words.get(at + 1)?.parse().ok());
        number.unwrap_or_else(|| panic!("no number `{name}` in `{line}`"))
    })
}

/// A program receives the number of moves until its next period, and then the time; the built-in
/// search has separate periods.
#[test]
fn periods_are_sent_and_add_their_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = "clock = \"2/1+0.1\", first_increment = true, margin = \"5s\"";
    let ours = "table_mb = 1 }\nlimits = { clock = \"3/60ms+5ms\", margin = \"5s\" }";
    let text = config("good", limits, "").replace("table_mb = 1 }", ours);
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let run = ["run", "match.toml", "--json", "--quiet", "--threads", "1"];
    let output = leitai(folder.path(), &[&run[..], &["--dialogue", "talk"]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        answer["causes"][0]["cause"], "length-adjudication",
        "{answer}"
    );
    assert_eq!(answer["causes"][0]["games"], 4, "{answer}");
    let games = dialogues(&folder.path().join("talk"), "-mock.log");
    assert_eq!(games.len(), 4);
    let mut times = Vec::new();
    for said in &games {
        let orders: Vec<&String> = said.iter().filter(|it| it.starts_with("> go ")).collect();
        assert_eq!(orders.len(), 6, "{said:?}");
        let first = numbers(orders[0], ["wtime", "btime"]);
        let own = usize::from(first[1] > first[0]);
        assert_eq!(first[own], 1_100, "time and increment: {}", orders[0]);
        for (number, order) in orders.iter().enumerate() {
            let number = number as u64;
            let [white, black, more, other, to_go] =
                numbers(order, ["wtime", "btime", "winc", "binc", "movestogo"]);
            // The built-in player has another clock.
            let [more, other] = [[more, other][own], [more, other][1 - own]];
            assert_eq!([more, other, to_go], [100, 5, 2 - number % 2], "{order}");
            let [shown, theirs] = [[white, black][own], [white, black][1 - own]];
            let most = |number: u64| 1_100 + 100 * number + 1_000 * (number / 2);
            assert!(shown <= most(number), "move {number}: {order}");
            times.push((number, shown));
            // The built-in player had at most two periods and four increments.
            assert!(theirs <= 2 * 60 + 6 * 5, "{order}");
        }
    }
    // A machine may be slow, but not always: some move shows the time of a new period.
    let richest = |number| {
        times
            .iter()
            .filter(|it| it.0 == number)
            .map(|it| it.1)
            .max()
    };
    for number in [2, 4] {
        let without = 1_100 + 100 * number + 1_000 * (number / 2 - 1);
        assert!(richest(number) > Some(without), "{times:?}");
    }
    let report = leitai(
        folder.path(),
        &["report", "match.sqlite", "--pgn", "games.pgn"],
    );
    assert!(report.status.success());
    let pgn = fs::read_to_string(folder.path().join("games.pgn")).expect("games");
    assert!(pgn.contains("TimeControl \"2/1+0.1\"]"), "{pgn}");
    assert!(pgn.contains("TimeControl \"3/0.06+0.005\"]"), "{pgn}");
}

/// The orders to search in the games of the mock under this clock, against one with the same.
fn orders(clock: &str, more: &str) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = format!("clock = {clock:?}, margin = \"5s\"{more}");
    let text = config("good", &limits, "").replace("max_plies = 12", "max_plies = 8");
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let words = [
        "run",
        "match.toml",
        "--quiet",
        "--threads",
        "1",
        "--dialogue",
        "talk",
    ];
    let output = leitai(folder.path(), &words);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let games = dialogues(&folder.path().join("talk"), "-mock.log");
    assert_eq!(games.len(), 4);
    let orders = games.into_iter().map(|said| {
        let orders = said.into_iter().filter(|line| line.starts_with("> go "));
        orders.collect::<Vec<_>>()
    });
    orders.collect()
}

#[test]
fn each_stage_is_sent_with_its_moves_and_increment() {
    let games = orders("2/0.2+0.01, 1/0.1, 0.3+0.02", ", first_increment = true");
    for (game, orders) in games.into_iter().enumerate() {
        // The mock has the second side in the first game of a pair.
        let own = (game + 1) % 2;
        let told = orders.iter().map(|order| {
            let words: Vec<&str> = order.split_whitespace().collect();
            let to_go = words.iter().position(|word| *word == "movestogo");
            let to_go = to_go.map(|at| words[at + 1].to_owned());
            let [white, black, winc, binc] = numbers(order, ["wtime", "btime", "winc", "binc"]);
            (to_go, [white, black], [winc, binc])
        });
        let told: Vec<_> = told.collect();
        let to_go: Vec<_> = told.iter().map(|(to_go, ..)| to_go.as_deref()).collect();
        assert_eq!(to_go, [Some("2"), Some("1"), Some("1"), None], "{orders:?}");
        assert_eq!(told[0].1[own], 210, "time and increment");
        let increments: Vec<_> = told.iter().map(|(_, _, both)| both[own]).collect();
        assert_eq!(increments, [10, 10, 0, 20], "{orders:?}");
    }
}

/// A player gets the time that the other one uses, so that the sum stays the same.
#[test]
fn an_hourglass_keeps_the_sum_of_both_clocks() {
    for orders in orders("hourglass 2s", "") {
        assert_eq!(orders.len(), 4);
        for order in &orders {
            let [white, black, winc, binc] = numbers(order, ["wtime", "btime", "winc", "binc"]);
            // Each is cut down to whole milliseconds.
            assert!((3_999..=4_000).contains(&(white + black)), "{order}");
            assert_eq!([winc, binc], [0, 0]);
            assert!(!order.contains("movestogo"), "{order}");
        }
    }
}
