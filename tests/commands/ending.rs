//! The end of sessions, and the number of pairs at once.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::attack::stop;
use crate::common::{Sandbox, leitai, run, small_tournament, stderr, stdout, wait_for};

fn begin(arguments: &[&str]) -> Child {
    leitai()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("leitai starts")
}

fn signal(process: &Child, name: &str) {
    let id = process.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status();
    assert!(sent.expect("kill").success());
}

fn pgn(store: &str) -> String {
    let output = run(&["report", store, "--pgn", "-"]);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_run_ends_and_reports_when_its_time_is_up() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("run.toml", &small_tournament(4, 400));
    let (store, whole) = (sandbox.path("run.sqlite"), sandbox.path("whole.sqlite"));
    let (done, events) = (sandbox.path("done"), sandbox.path("events.jsonl"));
    let end = format!("echo $LEITAI_EXIT_CODE > '{done}'");
    let usual = ["run", &config, "--quiet", "--json"];
    let output = run(&[
        &usual[..],
        &["--store", &store, "--for", "120ms", "--on-end", &end],
        &["--events", &events],
    ]
    .concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["limited_by_time"], true);
    assert_eq!(answer["complete"], false);
    assert!(
        stderr(&output).contains("the time is up after"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_to_string(&done).expect("a file").trim(), "0");
    let told = fs::read_to_string(&events).expect("events");
    assert!(told.contains("\"ending\":\"time-up\""), "{told}");
    // The remaining pairs are played as usual.
    let output = run(&[&usual[..], &["--store", &store]].concat());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["complete"], true);
    assert!(answer.get("limited_by_time").is_none());
    assert!(
        run(&[&usual[..], &["--store", &whole]].concat())
            .status
            .success()
    );
    assert_eq!(pgn(&store), pgn(&whole));
    for (option, value) in [
        ("--for", "8"),
        ("--for", "0s"),
        ("--until", "7"),
        ("--until", "24:00"),
        ("--until", "07:60"),
        ("--until", "+7:00"),
        ("--until", "07:00:00"),
        ("--until", ":"),
        ("--until", "a:b"),
    ] {
        let refused = run(&["run", &config, option, value]);
        assert_eq!(refused.status.code(), Some(2), "{option} {value}");
    }
}

/// A time of day that is over comes tomorrow. The record has the name of its config.
#[test]
fn a_run_goes_on_until_the_time_of_tomorrow() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("configs")).expect("a folder");
    sandbox.write("configs/foo.v1.toml", &small_tournament(1, 50));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("now");
    let minute = now.as_secs() / 60 - 1;
    let until = format!("{:02}:{:02}", minute / 60 % 24, minute % 60);
    let output = leitai()
        .args([
            "run",
            "configs/foo.v1.toml",
            "--quiet",
            "--json",
            "--until",
            &until,
        ])
        .env("TZ", "UTC")
        .current_dir(sandbox.path(""))
        .output()
        .expect("the binary runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["complete"], true, "{until}");
    assert!(fs::exists(sandbox.path("foo.v1.sqlite")).expect("known"));
}

/// A tune at its time limit still verifies the values learnt so far.
#[test]
fn a_tune_keeps_time_for_its_proof() {
    let sandbox = Sandbox::new();
    let book = crate::common::project("openings/othello.txt");
    let config = sandbox.write(
        "tune.toml",
        &format!(
            "game = \"othello\"\nlimits = {{ nodes = 200 }}\nopenings = {{ file = {book:?} }}\n\
             [tune]\nvariant = \"mine\"\ngames = 200000\nproof = {{ max_pairs = 4, elo1 = 40 }}\n\
             [[tune.parameter]]\npath = \"eval.corners\"\nrange = 400\n\
             [[variant]]\nname = \"mine\"\n"
        ),
    );
    let store = sandbox.path("tune.sqlite");
    // A busy machine may finish no game in this time, and then the tune cannot continue.
    let answer = ["2s", "5s", "20s"].iter().find_map(|time| {
        let output = run(&[
            "tune", &config, "--store", &store, "--for", time, "--json", "--quiet",
        ]);
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 1 | 3)), "{}", stderr(&output));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (answer["games"].as_u64() > Some(0)).then_some(answer)
    });
    let answer = answer.expect("some games are played");
    assert_eq!(answer["limited_by_time"], true, "{answer}");
    assert!(
        answer["games"]
            .as_u64()
            .is_some_and(|games| games < 200_000)
    );
    if !answer["tuned"].is_null() {
        assert!(answer["proof"].is_object(), "{answer}");
    }
}

#[test]
fn begun_units_are_finished() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("run.toml", &small_tournament(60, 300));
    let (store, events) = (sandbox.path("run.sqlite"), sandbox.path("events.jsonl"));
    let arguments = [
        "run",
        &config,
        "--store",
        &store,
        "--quiet",
        "--threads",
        "2",
    ];
    let process = begin(&[&arguments[..], &["--drain", "--events", &events, "--moves"]].concat());
    wait_for(&events, "\"game-begun\"", 3);
    signal(&process, "-INT");
    let ended = process.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130), "{}", stderr(&ended));
    assert!(stderr(&ended).contains("--drain"), "{}", stderr(&ended));
    let text = fs::read_to_string(&events).expect("events");
    let games = text.matches("\"game-begun\"").count();
    let recorded = pgn(&store).matches("[Event ").count();
    let pairs = text.matches("\"event\":\"pair\"").count();
    assert_eq!(
        (games, recorded),
        (2 * pairs, 2 * pairs),
        "none was cut short"
    );
}

#[test]
fn threads_come_and_go_by_signals_and_change_nothing() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("run.toml", &small_tournament(6, 500));
    let (store, events) = (sandbox.path("run.sqlite"), sandbox.path("events.jsonl"));
    let arguments = ["run", &config, "--quiet", "--threads", "1"];
    let watched = ["--store", &store, "--events", &events, "--moves"];
    let process = begin(&[&arguments[..], &watched].concat());
    wait_for(&events, "\"game-begun\"", 1);
    signal(&process, "-USR1");
    wait_for(&events, "\"event\":\"pair\"", 6);
    signal(&process, "-USR2");
    let ended = process.wait_with_output().expect("it ends");
    assert!(ended.status.success(), "{}", stderr(&ended));
    // Another pair began while one was in progress.
    let text = fs::read_to_string(&events).expect("events");
    let events = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let moves = events.filter(|event: &serde_json::Value| event["event"] == "move");
    let pairs: Vec<u64> = moves
        .map(|it| it["pair"].as_u64().expect("a number"))
        .collect();
    let mut changes = pairs.windows(2).filter(|two| two[0] > two[1]);
    assert!(changes.next().is_some(), "one pair at a time");
    let whole = sandbox.path("whole.sqlite");
    assert!(
        run(&[&arguments[..], &["--store", &whole]].concat())
            .status
            .success()
    );
    assert_eq!(pgn(&store), pgn(&whole));
}

/// A command that waits for its user does not wait for the limit of an orderly end.
#[test]
fn a_game_in_the_terminal_ends_at_once() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("play.toml", &small_tournament(1, 50));
    let mut command = leitai();
    command.args([
        "play",
        &config,
        "--terminal",
        "--store",
        &sandbox.path("p.sqlite"),
    ]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut playing = command.spawn().expect("it runs");
    let mut output = BufReader::new(playing.stdout.take().expect("piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    assert!(line.starts_with("you are"), "{line}");
    let begun = Instant::now();
    assert_eq!(stop(&mut playing, "INT"), Some(130));
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
}
