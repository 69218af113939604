//! `[failures]`: the handling of pairs in which a program fails.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use super::{NODES, assert_no_process_left, config};
use crate::common;
use crate::programs::words;

const PAIRS: u64 = 8;
const REPLAY: &str = "[failures]\notherwise = \"replay\"\nreplays = 2";
const STOP: &str = "[failures]\ncrash = \"stop\"";

/// A folder with a match of eight pairs.
fn folder(mode: &str, failures: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config(mode, NODES, failures);
    let text = text.replace("pairs = 2", &format!("pairs = {PAIRS}"));
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    folder
}

fn leitai(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = common::leitai();
    let output = command.current_dir(folder).args(arguments).output();
    assert_no_process_left(folder);
    output.expect("leitai")
}

fn run(folder: &Path, threads: &str) -> Output {
    let quiet = ["run", "match.toml", "--json", "--quiet", "--threads"];
    leitai(folder, &[&quiet[..], &[threads]].concat())
}

/// The JSON of a run that ended with that code.
fn answer(output: &Output, code: i32) -> Value {
    assert_eq!(output.status.code(), Some(code), "{}", told(output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// The games of a record, without the run's identity.
fn games(folder: &Path) -> Vec<String> {
    let pgn = ["report", "match.sqlite", "--pgn", "-"];
    let text = String::from_utf8(leitai(folder, &pgn).stdout).expect("text");
    let lines = text.lines().filter(|line| !line.starts_with("[Event "));
    lines.map(str::to_owned).collect()
}

/// The failed attempts of a record: pair, attempt, game, variant.
fn attempts(folder: &Path) -> Vec<[i64; 4]> {
    let file = Connection::open(folder.join("match.sqlite")).expect("a record");
    let mut query = file
        .prepare(
            "SELECT idx, attempt, game, variant FROM failure JOIN pair ON pair = key \
             WHERE cause = 'crash' ORDER BY idx, attempt, game",
        )
        .expect("the table");
    let rows = query.query_map([], |row| {
        Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
    });
    rows.expect("rows").collect::<Result<_, _>>().expect("rows")
}

#[test]
fn a_program_that_crashes_once_plays_like_a_good_one() {
    for threads in ["1", "2"] {
        let (good, once) = (folder("good", REPLAY), folder("crash-once", REPLAY));
        let [good, once] = [good.path(), once.path()];
        let sound = answer(&run(good, threads), 0);
        let again = answer(&run(once, threads), 0);
        assert_eq!(games(good), games(once));
        for same in ["variants", "pairings", "causes", "games"] {
            assert_eq!(sound[same], again[same], "{same}");
        }
        assert!(sound.get("failures").is_none(), "nothing is said of none");
        let failures = &again["failures"];
        assert_eq!(failures["pairs_replayed"], 1);
        assert_eq!(
            (&failures["replays"], &failures["spoilt_pairs"]),
            (&1.into(), &0.into())
        );
        let mock = &failures["variants"][0];
        assert_eq!(
            (&mock["name"], &mock["restarts"]),
            (&"mock".into(), &1.into())
        );
        let crash = &mock["causes"][0];
        assert_eq!(
            (&crash["cause"], &crash["lost"], &crash["replayed"]),
            (&"crash".into(), &0.into(), &1.into())
        );
        assert_eq!(attempts(once).len(), 1);
        assert!(attempts(good).is_empty());
        let text = leitai(once, &["report", "match.sqlite"]);
        let text = String::from_utf8(text.stdout).expect("text");
        assert!(
            text.contains("Failures:\n  `mock` failed in 1 game: crash (1 played again)"),
            "{text}"
        );
    }
}

#[test]
fn a_program_that_always_crashes_loses_in_the_end_whatever_the_threads() {
    let reports = ["1", "2"].map(|threads| {
        let folder = folder("crash-until-fixed", REPLAY);
        let answer = answer(&run(folder.path(), threads), 0);
        (answer, games(folder.path()), attempts(folder.path()))
    });
    assert_eq!(reports[0], reports[1]);
    let [(answer, _, attempts), _] = reports;
    let failures = &answer["failures"];
    let spoilt = failures["first_spoilt_pairs"].as_array().expect("a list");
    let hard = spoilt.len() as u64;
    assert!((1..PAIRS).contains(&hard), "some openings are hard: {hard}");
    assert_eq!(failures["spoilt_pairs"], hard);
    assert_eq!(failures["replays"], 2 * hard);
    let crash = &failures["variants"][0]["causes"][0];
    assert_eq!(
        (&crash["lost"], &crash["replayed"]),
        (&(2 * hard).into(), &(2 * hard).into())
    );
    let wanted: Vec<[i64; 4]> = spoilt
        .iter()
        .filter_map(Value::as_i64)
        .flat_map(|pair| [[pair, 1, 0, 1], [pair, 2, 0, 1]])
        .collect();
    assert_eq!(attempts, wanted);
}

/// Sixty such games were once counted, and the report named the stronger player.
#[test]
fn a_player_that_only_fails_ends_the_run_after_ten_games_whatever_the_threads() {
    let said = ["1", "3"].map(|threads| {
        let folder = folder("illegal", "");
        let path = folder.path();
        let answers = [(); 2].map(|()| {
            let output = run(path, threads);
            let help = "`leitai doctor CONFIG --variant mock` reports the cause";
            assert!(told(&output).contains(help), "{}", told(&output));
            answer(&output, 4)
        });
        assert_eq!(answers[0], answers[1], "the record says the same");
        let [answer, _] = answers;
        assert_eq!(answer["failing"], "mock");
        assert_eq!(
            (&answer["pairs_played"], &answer["games"]),
            (&5.into(), &10.into())
        );
        assert_eq!(answer["complete"], false);
        assert_eq!(answer["pairings"][0]["undecided_by"], "mock");
        for row in [&answer["pairings"][0], &answer["variants"][0]] {
            assert!(row["estimate"]["elo"]["value"].is_null(), "{row:#}");
            assert!(row["estimate"]["los"].is_null(), "{row:#}");
            assert_eq!(row["estimate"]["games"], 10);
        }
        let report = leitai(path, &["report", "match.sqlite"]);
        assert!(report.status.success(), "{}", told(&report));
        let text = String::from_utf8(report.stdout).expect("text");
        assert!(
            text.contains("no result, because failures ended all games of `mock`"),
            "{text}"
        );
        for claim in ["stronger", "identical games"] {
            assert!(!text.contains(claim), "{claim}: {text}");
        }
        games(path)
    });
    assert_eq!(said[0], said[1]);
}

#[test]
fn a_run_that_stopped_carries_on_when_the_program_is_mended() {
    let whole = folder("crash-until-fixed", STOP);
    fs::write(whole.path().join(words::FIXED), "").expect("written");
    let wanted = answer(&run(whole.path(), "2"), 0);
    let said = ["1", "2", "3"].map(|threads| {
        let folder = folder("crash-until-fixed", STOP);
        let path = folder.path();
        let output = run(path, threads);
        let stopped = answer(&output, 4);
        assert_eq!(stopped["complete"], false);
        assert_eq!(stopped["stopped"]["variant"], "mock");
        assert_eq!(stopped["stopped"]["pair"], stopped["pairs_played"]);
        assert!(attempts(path).is_empty());
        let text = told(&output);
        assert!(
            text.contains("the variant `mock` failed: crash in game 1 of pair"),
            "{text}"
        );
        assert!(
            text.contains("resumes with that pair:\n  leitai run match.toml --json"),
            "{text}"
        );
        // Not fixed yet: the same result again.
        let again = run(path, threads);
        assert_eq!(answer(&again, 4), stopped);
        assert_eq!(told(&again), text);
        fs::write(path.join(words::FIXED), "").expect("written");
        assert_eq!(answer(&run(path, threads), 0), wanted);
        assert_eq!(games(path), games(whole.path()));
        let line = text.lines().next().unwrap_or_default().to_owned();
        (line, stopped["pairs_played"].as_u64().expect("a count"))
    });
    assert_eq!(said[0], said[1], "whatever the threads");
    assert_eq!(said[0], said[2]);
    let (line, played) = &said[0];
    assert!(
        line.contains(&format!("of pair {played}, from the opening")),
        "{line}"
    );
}

#[test]
fn a_killed_run_keeps_failed_attempts_with_their_pairs() {
    let whole = folder("crash-until-fixed", REPLAY);
    let wanted = answer(&run(whole.path(), "2"), 0);
    let killed = folder("crash-until-fixed", REPLAY);
    let path = killed.path();
    for patience in [60, 120, 240, 480] {
        let mut child = common::leitai()
            .current_dir(path)
            .args(["run", "match.toml", "--quiet", "--threads", "2"])
            .stdout(Stdio::null())
            .spawn()
            .expect("leitai");
        std::thread::sleep(Duration::from_millis(patience));
        child.kill().expect("killed");
        child.wait().expect("ended");
        // The programs of a killed leitai see the end of their input, and exit.
        let deadline = Instant::now() + Duration::from_secs(10);
        while super::has_process_left(path).is_some() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        let file = path.join("match.sqlite");
        if !file.exists() || fs::metadata(&file).is_ok_and(|file| file.len() == 0) {
            continue;
        }
        // Every attempt has its pair, and every pair its attempts.
        let file = Connection::open(file).expect("a record");
        let counts = file.query_row(
            "SELECT (SELECT count(*) FROM failure), (SELECT count(*) FROM failure \
             JOIN game ON id = 2 * failure.pair AND game.cause = 'crash'), \
             (SELECT 2 * count(*) FROM game WHERE cause = 'crash' AND number = 0)",
            [],
            |row| Ok([row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?]),
        );
        // The tables may not be there yet.
        if let Ok([all, with_pairs, wanted]) = counts {
            assert_eq!([all, with_pairs], [wanted; 2]);
        }
    }
    assert_eq!(answer(&run(path, "2"), 0), wanted);
    assert_eq!(attempts(path), attempts(whole.path()));
    assert_eq!(games(path), games(whole.path()));
}

#[test]
fn a_gate_replays_and_stops_like_a_run() {
    let gate = |mode, failures: &str| {
        let folder = folder(mode, failures);
        let file = folder.path().join("match.toml");
        let text = fs::read_to_string(&file).expect("a config");
        let text = text.replace(
            &format!("tournament = {{ pairs = {PAIRS} }}"),
            "gate = { base = \"ours\", max_pairs = 6 }",
        );
        fs::write(file, text).expect("a config");
        let output = leitai(
            folder.path(),
            &["gate", "match.toml", "--json", "--quiet", "-t2"],
        );
        (folder, output)
    };
    let (_folder, once) = gate("crash-once", REPLAY);
    let once = answer(&once, 3);
    assert_eq!(once["verdict"], "inconclusive");
    assert_eq!(once["failures"]["pairs_replayed"], 1);
    // Stopped: there is no verdict, and the gate continues when the program is fixed.
    let (folder, stopped) = gate("crash-until-fixed", STOP);
    let answered = answer(&stopped, 4);
    assert_eq!(answered["verdict"], Value::Null);
    assert_eq!(answered["exit_code"], 4);
    assert_eq!(answered["stopped"]["cause"], "crash");
    assert!(
        told(&stopped).contains("leitai gate match.toml"),
        "{}",
        told(&stopped)
    );
    fs::write(folder.path().join(words::FIXED), "").expect("written");
    let again = leitai(folder.path(), &["gate", "match.toml", "--json", "--quiet"]);
    assert_eq!(answer(&again, 3)["verdict"], "inconclusive");
    // Without a policy, failures are lost games, and too many for a verdict.
    let (_folder, failed) = gate("crash-until-fixed", "");
    let failed = answer(&failed, 4);
    assert_eq!(failed["verdict"], "failed");
    assert_eq!(failed["candidates"][0]["pairs"], 6);
    let spoilt = failed["failures"]["spoilt_pairs"].as_u64();
    assert!(spoilt > Some(0), "{failed:#}");
}

/// A gate between the mock and a short built-in search; `more` is appended to the mock's table.
fn gate_folder(mode: &str, limits: &str, gate: &str, more: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config(mode, limits, more)
        .replace("table_mb = 1 }", "table_mb = 1 }\nlimits = { nodes = 50 }")
        .replace("tournament = { pairs = 2 }", &format!("[gate]\n{gate}\n"));
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    folder
}

fn play_gate(folder: &Path, more: &[&str]) -> Output {
    leitai(folder, &[&["gate", "match.toml", "--json"], more].concat())
}

fn verdict(answer: &Value) -> (&str, &str) {
    let sentence = &answer["candidates"][0]["sentence"];
    let verdict = answer["verdict"].as_str().unwrap_or("none");
    (verdict, sentence.as_str().expect("a sentence"))
}

/// A base that never moved was once beaten in 38 of 38 games, and the change was accepted.
#[test]
fn a_gate_decides_nothing_by_a_player_that_always_fails() {
    for (mode, limits, more) in [
        ("no-move", NODES, ""),
        ("crash", NODES, "[failures]\ntolerate = \"100 %\""),
        ("stall", NODES, super::STALL),
        ("slow", "movetime = \"10ms\", margin = \"1ms\"", ""),
        (
            "crash",
            NODES,
            "[failures]\notherwise = \"replay\"\nreplays = 1",
        ),
    ] {
        for base in ["mock", "ours"] {
            let gate = format!("base = {base:?}\nelo1 = 60\ntest = \"strict\"");
            let folder = gate_folder(mode, limits, &gate, more);
            let path = folder.path();
            let output = play_gate(path, &["-q", "-t2"]);
            let failed = answer(&output, 4);
            let (verdict, sentence) = verdict(&failed);
            assert_eq!(verdict, "failed", "{mode}");
            let said = "`mock` lost each of its first 10 games by its own failure (";
            assert!(sentence.starts_with(said), "{sentence}");
            let candidate = &failed["candidates"][0];
            assert_eq!(candidate["pairs"], 5, "{mode}: {sentence}");
            for claim in ["los", "los_cautious"] {
                assert!(candidate["estimate"][claim].is_null(), "{candidate:#}");
            }
            assert!(
                candidate["estimate"]["elo"]["high"].is_null(),
                "{candidate:#}"
            );
            assert!(candidate["any_time"]["low"].is_null(), "{candidate:#}");
            let again = answer(&play_gate(path, &["-q", "-t1"]), 4);
            assert_eq!(again, failed, "the record says the same");
            let report = leitai(path, &["report", "match.sqlite", "--junit", "-"]);
            let report = String::from_utf8(report.stdout).expect("text");
            assert!(report.contains("<error type=\"failed\""), "{report}");
        }
    }
}

/// A dead candidate ends its own trial; the others are tested.
#[test]
fn a_dead_candidate_fails_alone() {
    let gate = "base = \"ours\"\nelo0 = 0\nelo1 = 200\ntest = \"strict\"\nmax_pairs = 8";
    let weak = "[[variant]]\nname = \"weak\"\nsearch = { table_mb = 1 }";
    let folder = gate_folder("crash", NODES, gate, weak);
    let output = play_gate(folder.path(), &["-q", "-t2"]);
    let gate = answer(&output, 4);
    let [mock, weak] = [0, 1].map(|at| &gate["candidates"][at]);
    assert_eq!(
        (&mock["name"], &mock["verdict"]),
        (&"mock".into(), &"failed".into())
    );
    // The test would reject it after eight games, all of them lost by failures.
    assert!(mock["failure"]["games"].as_u64() <= Some(10), "{mock:#}");
    assert_eq!(mock["failure"]["games"], mock["failure"]["failed"]);
    assert_eq!(weak["name"], "weak");
    assert_ne!(weak["verdict"], "failed");
    let last = |it: &Value| it["last_pair"].as_u64();
    assert!(last(weak) > last(mock), "it goes on: {weak:#}");
}

/// One crash, or one late move, once ended a night's gate.
#[test]
fn a_failure_in_many_games_is_a_lost_game_and_shown() {
    let end = "base = \"ours\"\nelo1 = 2\nmax_pairs = 30\nalike_pairs = 0";
    let timed = "movetime = \"100ms\", margin = \"50ms\"";
    for (mode, limits, said) in [
        (
            "crash-once",
            NODES,
            "`mock` failed in 1 of 60 games (1.7 %)",
        ),
        (
            "late-once",
            timed,
            "`mock` lost 1 of 60 games on time (1.7 %)",
        ),
    ] {
        let folder = gate_folder(mode, limits, end, "");
        let gate = answer(&play_gate(folder.path(), &["-q", "-t2"]), 3);
        let (verdict, sentence) = verdict(&gate);
        assert_eq!(verdict, "inconclusive", "{mode}");
        assert!(sentence.ends_with(said), "{sentence}");
        assert_eq!(gate["candidates"][0]["pairs"], 30);
        for to in ["--markdown=out", "--junit=out", "--html=out"] {
            let report = leitai(folder.path(), &["report", "match.sqlite", to]);
            assert!(report.status.success(), "{to}: {}", told(&report));
            let text = fs::read_to_string(folder.path().join("out")).expect("a report");
            assert!(text.contains("of 60 games"), "{to}: {text}");
        }
    }
}

#[test]
fn another_tolerance_judges_the_games_on_record() {
    let end = "base = \"ours\"\nelo1 = 2\nmax_pairs = 40\nalike_pairs = 0";
    let folder = gate_folder("crash-until-fixed", NODES, end, "");
    let path = folder.path();
    let failed = answer(&play_gate(path, &["-q", "-t2"]), 4);
    let (_, sentence) = verdict(&failed);
    assert!(sentence.contains("and `tolerate` is 1 %"), "{sentence}");
    assert!(sentence.contains("last: crash in game"), "{sentence}");
    assert_eq!(
        failed["candidates"][0]["pairs"], 25,
        "fifty games: {sentence}"
    );
    let recorded = |path: &Path| {
        let file = Connection::open(path.join("match.sqlite")).expect("a record");
        let count = |table: &str| -> i64 {
            let query = format!("SELECT count(*) FROM {table}");
            file.query_row(&query, [], |row| row.get(0))
                .expect("a count")
        };
        [count("run"), count("pair")]
    };
    let all = ["-q", "--set", "failures.tolerate=\"100 %\""];
    let whole = answer(&play_gate(path, &all), 3);
    let (_, sentence) = verdict(&whole);
    assert!(sentence.contains("`mock` failed in"), "{sentence}");
    assert_eq!(
        recorded(path),
        [1, 40],
        "one run, and no pair was played again"
    );
    let report = || {
        let report = leitai(path, &["report", "match.sqlite", "--json"]);
        serde_json::from_slice::<Value>(&report.stdout).expect("JSON")["verdict"].clone()
    };
    assert_eq!(report(), "inconclusive");
    // With the former setting again: pairs beyond the verdict are recorded, and do not count.
    let again = answer(&play_gate(path, &["-q"]), 4);
    assert_eq!(verdict(&again), verdict(&failed));
    assert_eq!(report(), "failed");
    assert_eq!(recorded(path), [1, 40]);
}

/// With a clock too: the handling of failures changes no other game.
#[test]
fn another_policy_goes_on_with_the_pairs_that_come_out_the_same() {
    let end = "base = \"ours\"\nelo1 = 2\nmax_pairs = 12\nalike_pairs = 0";
    let timed = "movetime = \"200ms\", margin = \"1s\"";
    let more = "[failures]\ntolerate = \"100 %\"\nstall = \"stop\"";
    let folder = gate_folder("crash-until-fixed", timed, end, more);
    let path = folder.path();
    let first = answer(&play_gate(path, &["-q", "-t1"]), 3);
    let failed = first["failures"]["spoilt_pairs"].as_i64().expect("a count");
    assert!(
        (1..12).contains(&failed),
        "some openings are hard: {failed}"
    );
    // The pairs that this number of runs share with the same time: they were not played again.
    let shared = |runs: i64| -> i64 {
        let file = Connection::open(path.join("match.sqlite")).expect("a record");
        let query = "SELECT count(*) FROM (SELECT idx FROM pair JOIN timing ON timing.pair = \
                     pair.key GROUP BY idx, elapsed_us HAVING count(*) = ?1)";
        let count = file.query_row(query, [runs], |row| row.get(0));
        count.expect("a count")
    };
    for (policy, runs, same) in [
        // No stall occurred.
        ("failures.stall=\"lose\"", 2, 12),
        // The pairs with a crash would have been played again.
        ("failures.crash=\"replay\"", 3, 12 - failed),
    ] {
        let output = play_gate(path, &["-t1", "--set", policy]);
        let whole = answer(&output, 3);
        let said = "the gate continues run";
        assert!(told(&output).contains(said), "{}", told(&output));
        assert_eq!(whole["candidates"][0]["pairs"], 12);
        assert_eq!(shared(runs), same, "{policy}: taken over as they were");
    }
}

#[test]
fn a_run_with_many_failures_ends_and_warns() {
    let folder = folder("crash-until-fixed", "");
    let table = answer(&run(folder.path(), "2"), 0);
    let mock = &table["failures"]["variants"][0];
    let failed = mock["failed"].as_u64().expect("a count");
    assert_eq!(mock["games"], 2 * PAIRS);
    let share = failed as f64 / 16.0;
    assert_eq!(mock["failed_share"].as_f64(), Some(share));
    let warnings = table["warnings"].to_string();
    let said = format!("`mock` failed in {failed} of 16 games");
    assert!(
        warnings.contains(&said) && warnings.contains("more than `tolerate` = 1 %"),
        "{warnings}"
    );
}

#[test]
fn a_check_shows_unusual_settings() {
    let shown = |failures| {
        let folder = folder("good", failures);
        let output = leitai(folder.path(), &["check", "match.toml"]);
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(!shown("").contains("failures"));
    assert!(!shown("[failures]\nstall = \"lose\"").contains("failures"));
    let text = shown("[failures]\nstall = \"replay\"\ncrash = \"stop\"");
    let wanted = "failures  stop: crash; replay (at most 3 times): stall; lose: disconnect, \
                  malformed-output, illegal-move, node-overrun, time-forfeit";
    assert!(text.contains(wanted), "{text}");
}
