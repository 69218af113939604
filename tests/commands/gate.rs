//! The gate as CI runs it: the verdict, the deciding pair and the exit code depend only on the
//! config, not on threads and interruptions.

use std::num::NonZeroUsize;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::common::gates::{DOWN, UP, gate, play, recorded};
use crate::common::{self, Sandbox, json, leitai, project, run, stderr, stdout, wait_for};
use leitai_config::parse;
use leitai_game::{Cause, Side, Verdict};
use leitai_players::play::{GameRecord, PairRecord};
use leitai_players::schedule::Book;
use leitai_runs::store::{Mode, PairRow, Store};
use leitai_runs::tournament::{self, Plan, Source};
use serde_json::Value;

#[test]
fn the_verdict_and_its_pair_do_not_depend_on_threads() {
    let sandbox = Sandbox::new();
    for (name, table, code, verdict) in [("up", UP, 0, "accepted"), ("down", DOWN, 1, "rejected")] {
        let config = sandbox.write(&format!("{name}.toml"), &gate(table));
        let mut answers = Vec::new();
        for threads in ["1", "4"] {
            let store = sandbox.path(&format!("{name}-{threads}.sqlite"));
            let (exit, answer) = play(&config, &store, threads);
            assert_eq!((exit, answer["verdict"].as_str()), (code, Some(verdict)));
            assert_eq!(answer["exit_code"], code);
            let candidate = &answer["candidates"][0];
            let pairs = candidate["pairs"].as_u64().unwrap();
            assert_eq!(candidate["last_pair"], pairs - 1);
            assert!(recorded(&store) >= pairs);
            answers.push(answer);
        }
        assert!(answers.iter().all(|answer| answer == &answers[0]));
    }
}

/// Regression test for attack D9: the PGN and ratings contained unmarked games beyond the verdict,
/// whose number depended on the threads.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn exports_of_a_gate_do_not_depend_on_threads() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("up.toml", &gate(UP));
    let mut exports = Vec::new();
    let mut beyond = 0;
    for threads in ["1", "2", "7"] {
        let store = sandbox.path(&format!("up-{threads}.sqlite"));
        let (_, answer) = play(&config, &store, threads);
        let counted = answer["candidates"][0]["pairs"].as_u64().unwrap();
        let told = |line: &[&str]| {
            let output = run(&[line, &[&store]].concat());
            assert!(output.status.success(), "{line:?}: {}", stderr(&output));
            assert_eq!(stderr(&output), "", "{line:?}");
            stdout(&output).replace(&store, "")
        };
        let games = told(&["report", "--pgn", "-"]);
        let file = sandbox.write("games.pgn", &games);
        exports.push([
            games,
            told(&["report", "--json"]),
            told(&["rate", "--json"]),
            told(&["rate"]),
            stdout(&run(&["rate", "--json", &file])),
        ]);
        let count = |text: &str, what: &str| text.matches(what).count() as u64;
        assert!(
            count(&exports[0][0], "[Result ") >= 2 * counted,
            "repeated pairs count too"
        );
        let all = run(&["report", &store, "--pgn", "-", "--beyond"]);
        let marked = count(&stdout(&all), "[Beyond \"verdict\"]");
        assert_eq!(count(&stdout(&all), "[Result "), 2 * recorded(&store));
        assert_eq!(
            count(&exports[0][0], "[Result ") + marked,
            2 * recorded(&store)
        );
        let said = format!(
            "{} beyond the verdict; included, as requested",
            pairs(marked / 2)
        );
        assert_eq!(stderr(&all).contains(&said), marked > 0, "{}", stderr(&all));
        beyond += marked;
    }
    assert!(exports.iter().all(|export| export == &exports[0]));
    assert!(beyond > 0, "seven threads play beyond the verdict");
}

fn pairs(count: u64) -> String {
    if count == 1 {
        "1 uncounted pair".to_owned()
    } else {
        format!("{count} uncounted pairs")
    }
}

/// With a few looks before `max_pairs`, the gate decides by `max_pairs` at the latest, at the same
/// pair on any number of threads and from the record.
#[test]
fn a_group_sequential_gate_decides_by_its_last_look() {
    let sandbox = Sandbox::new();
    let looks = "\ntest = \"group-sequential\"\nmax_pairs = 40\nlooks = 4";
    let same = "base = \"plain\"\ncandidate = \"no-quiescence\"\nelo0 = 100\nelo1 = 110";
    for (name, table, code, verdict) in [("up", UP, 0, "accepted"), ("same", same, 1, "rejected")] {
        let config = sandbox.write(&format!("{name}.toml"), &gate(&format!("{table}{looks}")));
        let answers = ["1", "3"].map(|threads| {
            let store = sandbox.path(&format!("{name}-{threads}.sqlite"));
            let (exit, answer) = play(&config, &store, threads);
            assert_eq!((exit, answer["verdict"].as_str()), (code, Some(verdict)));
            let (again, report) = play(&config, &store, threads);
            assert_eq!((again, &report), (code, &answer));
            answer
        });
        assert_eq!(answers[0], answers[1]);
        let candidate = &answers[0]["candidates"][0];
        let pairs = candidate["pairs"].as_u64().expect("pairs");
        assert!(pairs.is_multiple_of(10) && pairs <= 40, "{candidate}");
        let looked = candidate["looks"].as_array().expect("looks").len() as u64;
        assert_eq!(looked, pairs / 10);
        assert_eq!(answers[0]["test"]["kind"], "group-sequential");
        assert_eq!(answers[0]["test"]["looks"], 4);
        let progress = &candidate["progress"];
        assert_eq!(
            (&progress["looks"], &progress["of"], &progress["next_in"]),
            (&looked.into(), &4.into(), &Value::Null)
        );
        let sentence = candidate["sentence"].as_str().expect("a sentence");
        let look = format!("look {looked} of 4");
        assert!(sentence.contains(&look), "{sentence}");
        // No futility bound at the last look.
        assert_eq!(sentence.contains(" .. "), pairs < 40, "{sentence}");
        let after = &candidate["after_stop"];
        assert!(
            after["ci_low"].as_f64() < after["ci_high"].as_f64(),
            "{after}"
        );
    }
}

#[test]
fn a_gate_that_is_run_again_reads_its_verdict_from_the_record() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("up.toml", &gate(UP));
    let store = sandbox.path("up.sqlite");
    let first = play(&config, &store, "2");
    let before = recorded(&store);
    let again = play(&config, &store, "1");
    assert_eq!((again, recorded(&store)), (first.clone(), before));
    // A report from the record alone gives the same result.
    let reported = json(&["report", &store, "--json"]);
    assert_eq!(reported, first.1);
    let run = |arguments: &[&str]| stdout(&run(arguments));
    assert_eq!(
        run(&["report", &store]),
        run(&["gate", &config, "--store", &store, "--quiet"])
    );
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn killed_again_and_again_the_gate_ends_the_same() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("up.toml", &gate(&UP.replace("40", "10")));
    let expected = play(&config, &sandbox.path("whole.sqlite"), "2");
    let store = sandbox.path("killed.sqlite");
    let mut last = 0;
    for round in 0..6_u64 {
        let mut child = leitai()
            .args(["gate", &config, "--store", &store, "--threads", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(20 + 53 * round * round % 290));
        child.kill().unwrap();
        child.wait().unwrap();
        let listed = run(&["report", &store, "--list", "--json"]);
        if listed.status.success() {
            let runs: Value = serde_json::from_slice(&listed.stdout).unwrap();
            let now = runs[0]["recorded"].as_u64().unwrap_or(0);
            assert!(now >= last, "{now} pairs recorded after {last}");
            last = now;
        }
    }
    assert_eq!(play(&config, &store, "1"), expected);
}

#[cfg(unix)]
#[test]
fn an_interrupted_gate_has_no_verdict_and_can_resume() {
    let sandbox = Sandbox::new();
    let text = gate(&UP.replace("40", "1")).replace("nodes = 80", "nodes = 3000");
    let config = sandbox.write("long.toml", &text);
    let (store, events) = (sandbox.path("long.sqlite"), sandbox.path("events.jsonl"));
    let child = leitai()
        .args(["gate", &config, "--store", &store, "--threads", "2"])
        .args(["--json", "--events", &events])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&events, "\"event\":\"pair\"", 1);
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-s", "INT", &pid])
        .status()
        .unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let resume = format!("leitai gate {config} --store {store}");
    assert!(stderr(&output).contains(&resume), "{}", stderr(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], Value::Null);
    assert_eq!(answer["exit_code"], Value::Null);
}

#[test]
fn without_enough_pairs_the_gate_is_inconclusive() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("cap.toml", &gate(&format!("{UP}\nmax_pairs = 4")));
    let (exit, answer) = play(&config, &sandbox.path("cap.sqlite"), "2");
    assert_eq!(
        (exit, answer["verdict"].as_str()),
        (3, Some("inconclusive"))
    );
    assert_eq!(answer["candidates"][0]["shortage"], "cap");

    // Three openings and more pairs: refused unless the config permits repetition, which gives no
    // new evidence under a node limit.
    let book = sandbox.write("three.epd", &common::openings(3));
    let text = gate(&format!("{UP}\nmax_pairs = 9")).replace(
        &format!("file = {:?}", project("openings/xiangqi.epd")),
        &format!("file = {book:?}"),
    );
    let strict = text.replace("[openings]", "[openings]\nexhausted = \"error\"");
    let config = sandbox.write("small-book.toml", &strict);
    let refused = run(&["gate", &config, "--store", &sandbox.path("no.sqlite")]);
    assert_eq!(refused.status.code(), Some(2));
    let told = stderr(&refused);
    assert!(told.contains("`gate.max_pairs`"), "{told}");
    let text = text.replace("[openings]", "[openings]\nexhausted = \"repeat\"");
    let config = sandbox.write("repeat.toml", &text);
    let store = sandbox.path("repeat.sqlite");
    let (exit, answer) = play(&config, &store, "2");
    assert_eq!(exit, 3);
    let candidate = &answer["candidates"][0];
    assert_eq!(
        (&candidate["shortage"], &candidate["pairs"]),
        (&"openings".into(), &3.into())
    );
    let text = stdout(&run(&["report", &store]));
    assert!(text.contains("`openings generate`"), "the help: {text}");
}

/// A gate whose pairs cannot be enough reports that at the start, with the number that would be.
#[test]
fn a_gate_that_cannot_decide_warns() {
    let sandbox = Sandbox::new();
    let short = sandbox.write(
        "short.toml",
        &gate("base = \"plain\"\ncandidate = \"full\"\nmax_pairs = 4"),
    );
    let checked = run(&["check", &short]);
    assert_eq!(checked.status.code(), Some(0));
    let told = stderr(&checked);
    assert!(told.contains("most likely end inconclusive"), "{told}");
    assert!(told.contains("would suffice"), "{told}");
    // If a few more pairs would be enough, the search for their number ends as well.
    let few = ["2", "5", "20"].map(|pairs| {
        let cap = format!("gate.max_pairs={pairs}");
        let checked = run(&["check", &short, "--set", "gate.elo1=100", "--set", &cap]);
        assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
        stderr(&checked).contains("would suffice")
    });
    assert!(few.contains(&true), "{few:?}");
    let played = run(&["gate", &short, "--store", &sandbox.path("short.sqlite")]);
    assert!(stderr(&played).contains("most likely end inconclusive"));
    let usual = sandbox.write(
        "usual.toml",
        &gate("base = \"plain\"\ncandidate = \"full\""),
    );
    let told = stderr(&run(&["check", &usual]));
    assert!(!told.contains("inconclusive"), "{told}");
}

/// A test that always decides lacks power if it has too few pairs.
#[test]
fn a_group_sequential_gate_without_power_is_warned_of() {
    let sandbox = Sandbox::new();
    let table = "base = \"plain\"\ncandidate = \"full\"\ntest = \"group-sequential\"";
    let at = |elo1: u32, pairs: u32| {
        let more = format!("elo1 = {elo1}\nmax_pairs = {pairs}\nlooks = 6");
        sandbox.write("looks.toml", &gate(&format!("{table}\n{more}")))
    };
    let store = sandbox.path("looks.sqlite");
    for (elo1, pairs, is_short) in [
        (5, 300, true),
        (30, 3, true),
        (30, 400, false),
        (200, 40, false),
    ] {
        let config = at(elo1, pairs);
        let planned = ["gate", &config, "--store", &store, "--plan", "-t", "2"];
        let checked = ["check", &config];
        // Both commands print the same sentence: in a case with a warning, and in one without.
        let asked: &[&[&str]] = match elo1 {
            30 => &[&checked, &planned],
            _ => &[&checked],
        };
        for asked in asked {
            let output = run(asked);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            let warned = stderr(&output).contains("will most likely reject every candidate");
            assert_eq!(warned, is_short, "{elo1}, {pairs}: {}", stderr(&output));
            assert_eq!(stderr(&output).contains("`max_pairs` of about"), is_short);
        }
    }
    let config = at(30, 3);
    let played = stderr(&run(&["gate", &config, "--store", &store]));
    assert!(played.contains("will most likely reject"), "{played}");
}

/// The number up to the cap is computed with the configured test.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn gains_from_ideas_follow_the_configured_test() {
    let sandbox = Sandbox::new();
    let rows = ["gsprt", "group-sequential"].map(|test| {
        let table = format!(
            "base = \"plain\"\ncandidate = \"full\"\nelo1 = 40\nmax_pairs = 20\ntest = {test:?}"
        );
        let config = sandbox.write("ideas.toml", &gate(&table));
        let store = sandbox.path("ideas.sqlite");
        let asked = [
            "gate", &config, "--store", &store, "--plan", "--prior", "N(0,40)",
        ];
        let told = json(&[&asked[..], &["--json", "-t", "2"]].concat());
        let ideas = &told["ideas"];
        assert_eq!(ideas["max_pairs"], 20);
        for row in ["yours", "usual"] {
            let games = ideas[row]["games"].as_f64().expect("games");
            assert!(games <= 40.0, "{told}");
        }
        assert_eq!(ideas["yours"]["test"], test);
        let best = ideas["best"]["choice"]["elo_per_game"].as_f64();
        assert!(best > ideas["usual"]["elo_per_game"].as_f64(), "{told}");
        ideas["yours"]["accepted"].as_f64().expect("a share")
    });
    // Within 20 pairs only the group-sequential test decides.
    assert!(rows[1] > rows[0] + 0.02, "{rows:?}");
}

#[cfg(unix)]
#[test]
fn a_plan_ends_at_the_first_signal() {
    let sandbox = Sandbox::new();
    let table = "base = \"plain\"\ncandidate = \"full\"\ntest = \"strict\"\nelo1 = 1";
    let config = sandbox.write("long.toml", &gate(table));
    let store = sandbox.path("long.sqlite");
    let asked = [
        "gate", &config, "--store", &store, "--plan", "-t", "1", "--prior", "N(0,1)",
    ];
    let long = [
        "calc", "plan", "--test", "strict", "--elo0", "0", "--elo1", "0.2",
    ];
    let long = [&long[..], &["--draw-rate", "0.2"]].concat();
    for (arguments, signal) in [
        (&asked[..], "INT"),
        (&asked[..], "TERM"),
        (&long[..], "TERM"),
    ] {
        let mut child = leitai()
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(400));
        assert!(
            child.try_wait().unwrap().is_none(),
            "{arguments:?} was done"
        );
        let pid = child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-s", signal, &pid])
            .status();
        assert!(sent.unwrap().success());
        let began = std::time::Instant::now();
        let status = child.wait().unwrap();
        assert!(began.elapsed() < Duration::from_millis(1500), "{signal}");
        assert_eq!(status.code(), Some(130), "{arguments:?}");
    }
}

/// Records a pair with an illegal move of the candidate on the first side. Built-in players never
/// make one.
fn record_a_failure(text: &str, store: &str) {
    let config = parse(text, "fails.toml", &leitai_games::all())
        .expect("a good config")
        .config;
    let book = std::fs::read_to_string(project("openings/xiangqi.epd")).expect("a book");
    let book = Book::parse(leitai_games::xiangqi::card(), &book, "book").expect("a good book");
    let mut plan = Plan::new(config, book).expect("enough");
    plan.source = Source {
        name: "fails.toml".to_owned(),
        text: text.to_owned(),
    };
    let opened = Store::open(store, Mode::Write).expect("a store");
    // Begins the run and stops at once.
    let stop = leitai_players::play::Cancel::new();
    stop.set();
    tournament::play(&plan, &opened, NonZeroUsize::MIN, &stop, &mut ()).expect("begun");
    let spec = plan.schedule.pair(0);
    let [a, b] = spec.variants;
    let game = |first, second, cause| GameRecord {
        first,
        second,
        plies: Vec::new(),
        verdict: Verdict {
            winner: Some(Side::Second),
            cause,
        },
        drawn_by: None,
        times: leitai_players::play::MoveTimes::default(),
        pv_warnings: Vec::new(),
    };
    let row = PairRow {
        record: PairRecord {
            index: 0,
            games: [game(a, b, Cause::IllegalMove), game(b, a, Cause::Checkmate)].into(),
            hashes: [1, 2].into(),
            spoilt: Vec::new(),
            evidence: leitai_players::play::EvidenceList::default(),
        },
        pairing: spec.pairing,
        variants: spec.variants,
        opening: spec.opening,
        elapsed_us: 1,
        finished: leitai_runs::store::FinishedAt::default(),
        worker: leitai_runs::store::PlayedBy::default(),
    };
    let run = opened.run("latest").expect("the run").handle;
    let opening = |index| plan.stored_opening(index);
    let appended = opened.append_all(&run, &[(&row, &[])], opening);
    appended.expect("recorded");
}

#[test]
fn a_failure_is_a_lost_game_unless_none_is_tolerated() {
    let sandbox = Sandbox::new();
    let text = gate(UP);
    let config = sandbox.write("fails.toml", &text);
    let store = sandbox.path("fails.sqlite");
    record_a_failure(&text, &store);
    let (exit, answer) = play(&config, &store, "2");
    assert_eq!((exit, answer["verdict"].as_str()), (0, Some("accepted")));
    let pairs = answer["candidates"][0]["pairs"].as_u64().expect("a number");
    let share = format!("; `full` failed in 1 of {} games", 2 * pairs);
    let sentence = answer["candidates"][0]["sentence"].as_str().expect("one");
    assert!(sentence.contains(&share), "{sentence}");
    let before = recorded(&store);
    let none = [
        "gate",
        &config,
        "--store",
        &store,
        "--set",
        "failures.tolerate=\"0 %\"",
    ];
    let failed = run(&[&none[..], &["--json", "-q"]].concat());
    assert_eq!(failed.status.code(), Some(4), "{}", stderr(&failed));
    let answer: Value = serde_json::from_str(&stdout(&failed)).expect("JSON");
    assert_eq!(answer["verdict"], "failed");
    let failure = &answer["candidates"][0]["failure"];
    assert_eq!(failure["cause"], "illegal-move");
    assert_eq!(failure["variant"], 1);
    assert_eq!([&failure["pair"], &failure["failed"]], [0, 1]);
    assert_eq!(recorded(&store), before, "nothing is played");
    let told = stdout(&run(&["report", &store]));
    assert!(told.contains("`tolerate` is 0 %"), "{told}");
    assert!(
        told.contains("last: illegal-move in game 1 of pair 0"),
        "{told}"
    );
    let xml = stdout(&run(&["report", &store, "--junit", "-"]));
    well_formed(&xml);
    assert!(xml.contains("<error type=\"failed\""), "{xml}");
}

/// Neither command plays or records anything.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn the_cost_and_the_error_rates_are_reported_beforehand() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("up.toml", &gate(&UP.replace("40", "60")));
    let store = sandbox.path("up.sqlite");
    let plan = || {
        json(&[
            "gate",
            &config,
            "--store",
            &store,
            "--plan",
            "--json",
            "--threads",
            "2",
        ])
    };
    let told = plan();
    assert_eq!(told["pace"]["pilot"], 4);
    assert_eq!(told["spread"], "assumed");
    // Xiangqi defaults, simulated: a short gate.
    assert_eq!(told["assumed"]["draw_rate"], 0.22);
    assert!(told["points"][0]["gates"].as_u64() >= Some(400), "{told}");
    for (at, wanted) in [0.05, 0.5, 0.95].into_iter().enumerate() {
        let share = |name: &str| told["points"][at][name].as_f64().unwrap();
        let (pass, open) = (share("pass"), share("inconclusive"));
        // A candidate that is undecided at the cap might have passed.
        assert!(
            pass < wanted + 0.02 && pass + open > wanted - 0.02,
            "{told}"
        );
        assert!((pass + open + share("reject") - 1.0).abs() < 1e-9, "{told}");
    }
    assert!(told["points"][1]["pairs"].as_f64() > told["points"][0]["pairs"].as_f64());
    let ideas = |law: &str| run(&["gate", &config, "--store", &store, "--plan", "--prior", law]);
    let refused = ideas("record");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("no record"),
        "{}",
        stderr(&refused)
    );
    let simulate = |threads| {
        let arguments = [
            "gate",
            &config,
            "--store",
            &store,
            "--simulate",
            "60",
            "--json",
        ];
        json(&[&arguments[..], &["--threads", threads]].concat())
    };
    let dice = simulate("1");
    assert_eq!(dice, simulate("3"));
    let accepted = |at: usize| dice["at"][at]["accepted"].as_u64().unwrap();
    assert!(accepted(0) <= 9 && accepted(1) >= 51, "{dice}");
    assert!(
        sandbox.files().iter().all(|file| file == "up.toml"),
        "nothing is written"
    );
    // Both commands use the record as soon as it exists.
    play(&config, &store, "2");
    let told = plan();
    assert!(told["pace"]["recorded"].as_u64() > Some(5), "{told}");
}

#[test]
fn several_candidates_are_tested_and_dropped_one_by_one() {
    let sandbox = Sandbox::new();
    let table = "base = \"plain\"\ntest = \"strict\"\nelo1 = 60";
    let config = sandbox.write("two.toml", &gate(table));
    let mut answers = Vec::new();
    for threads in ["1", "4"] {
        let store = sandbox.path(&format!("two-{threads}.sqlite"));
        let (exit, answer) = play(&config, &store, threads);
        assert_eq!(exit, 1, "one of them is rejected");
        answers.push(answer);
    }
    assert_eq!(answers[0], answers[1]);
    let candidates = &answers[0]["candidates"];
    let of = |index: usize, key: &str| candidates[index][key].clone();
    assert_eq!(
        (of(0, "name"), of(0, "verdict")),
        ("full".into(), "accepted".into())
    );
    assert_eq!(
        (of(1, "name"), of(1, "verdict")),
        ("no-quiescence".into(), "rejected".into())
    );
    let [one, two] = [0, 1].map(|index| of(index, "pairs").as_u64().unwrap());
    assert_ne!(one, two, "whoever is decided plays no more");
}

#[test]
fn wrong_input_is_reported_with_help() {
    let sandbox = Sandbox::new();
    let no_gate = sandbox.write("run.toml", &common::small_tournament(2, 100));
    let output = run(&["gate", &no_gate]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    for part in [
        "no `[gate]`",
        "[gate]\n",
        "base = \"full\"",
        "candidate = \"piece-order\"",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let config = sandbox.write("up.toml", &gate(UP));
    let output = run(&["run", &config]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("leitai gate"),
        "{}",
        stderr(&output)
    );
    let output = run(&["gate", &config, "--json", "--junit", "-"]);
    assert_eq!(output.status.code(), Some(2));
    let output = run(&[
        "gate",
        &config,
        "--junit",
        &sandbox.path("no/such/gate.xml"),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        sandbox
            .files()
            .iter()
            .all(|file| !file.ends_with(".sqlite"))
    );
}

/// Checks that elements nest and everything is escaped: enough of an XML parser to detect malformed
/// documents.
fn well_formed(xml: &str) {
    let body = xml
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        .expect("a declaration");
    let mut open: Vec<&str> = Vec::new();
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("tags are closed");
        for (at, _) in text.match_indices('&').chain(tag.match_indices('&')) {
            assert!(piece[at..].contains(';'), "{piece}");
        }
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a name"));
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_form_of_the_verdict() {
    let sandbox = Sandbox::new();
    let name = "a <b> & \\\"c\\\" | d";
    let text = gate(DOWN).replace("\"plain\"", &format!("\"{name}\""));
    std::fs::write(sandbox.path("gate.toml"), text).unwrap();
    let output = leitai()
        .current_dir(sandbox.path("."))
        .args(["gate", "gate.toml", "--quiet", "--junit", "gate.xml"])
        .args(["--markdown=gate.md"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let read = |name: &str| std::fs::read_to_string(sandbox.path(name)).unwrap();
    let xml = read("gate.xml");
    well_formed(&xml);
    // The run's identity depends on the version and the build's search.
    let markdown = read("gate.md");
    let run_id = markdown
        .split("Run `")
        .nth(1)
        .unwrap()
        .split('`')
        .next()
        .unwrap();
    let markdown = markdown.replace(run_id, "[run]");
    insta::with_settings!({
        snapshot_path => "../data/gate",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("terminal", stdout(&output));
        insta::assert_snapshot!("junit", xml);
        insta::assert_snapshot!("markdown", markdown);
    });
    let printed = run(&["report", &sandbox.path("gate.sqlite"), "--junit", "-"]);
    assert_eq!(stdout(&printed), xml);
}

/// The example of the docs is a real change and passes.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn the_ready_gate_accepts() {
    let sandbox = Sandbox::new();
    let config = project("configs/gate-full.toml");
    let store = sandbox.path("full.sqlite");
    // With fewer nodes: the same verdict, sooner.
    let fewer = ["--store", &store, "--set", "limits.nodes=200", "--quiet"];
    let output = run(&[&["gate", config.to_str().unwrap()][..], &fewer].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// Two builds of one program; here one build provides both variants.
#[test]
fn two_builds_of_one_program_meet() {
    let sandbox = Sandbox::new();
    let (program, book) = (
        env!("CARGO_BIN_EXE_leitai"),
        project("openings/xiangqi.epd"),
    );
    let build = |name: &str, variant: &str| {
        format!(
            "[[variant]]\nname = {name:?}\nprotocol = \"uci\"\n\
             command = [{program:?}, \"engine\", \"--variant\", {variant:?}]\n"
        )
    };
    let config = format!(
        "game = \"xiangqi\"\nlimits = {{ nodes = 50 }}\nadjudication = {{ max_plies = 20 }}\n\
         openings = {{ file = {book:?} }}\ngate = {{ elo1 = 20, max_pairs = 2 }}\n{}{}",
        build("old-build", "plain"),
        build("new-build", "full"),
    );
    let config = sandbox.write("builds.toml", &config);
    let store = sandbox.path("builds.sqlite");
    let (exit, answer) = play(&config, &store, "1");
    assert_eq!(exit, 3, "{answer}");
    let candidate = &answer["candidates"][0];
    assert_eq!(candidate["name"], "new-build");
    assert_eq!(candidate["pairs"], 2);
    assert_eq!(recorded(&store), 2);
}
