//! Matches against third-party engines, as installed from packages: fairy-stockfish and hoichess,
//! for Othello grhino, and for capture problems gnugo.
//!
//! Without them the tests pass with a note, or fail with `LEITAI_ENGINES=required`, which the test
//! command sets.

#![expect(clippy::print_stderr, reason = "a test that tests nothing must say so")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Sandbox, json, leitai, project, run, stderr, stdout};
use serde_json::Value;

/// Returns whether a program is installed.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let games = ["/usr/local/games", "/usr/games"].map(Into::into);
    let mut folders = std::env::split_paths(&path).chain(games);
    let found = folders.any(|folder| folder.join(program).is_file());
    let required = std::env::var("LEITAI_ENGINES").is_ok_and(|value| value == "required");
    assert!(found || !required, "{program} is not installed");
    if !found {
        eprintln!("{program} is not installed: nothing is tested");
    }
    found
}

/// A Xiangqi config with these limits, this number of pairs and these opponents.
fn config(limits: &str, pairs: u32, more: &str, opponents: &str) -> String {
    let book = project("tests/data/xiangqi-64.epd");
    let book = book.to_str().expect("UTF-8");
    format!(
        r#"
game = "xiangqi"
seed = 5
limits = {{ {limits} }}
openings = {{ file = {book:?} }}
adjudication = {{ max_plies = 160 }}
{more}
tournament = {{ pairs = {pairs}, format = "gauntlet" }}

[[variant]]
name = "ours"
search = {{ preset = "full", table_mb = 1 }}

{opponents}
"#
    )
}

const FAIRY: &str = r#"
[[variant]]
name = "fairy"
command = ["fairy-stockfish"]
preset = "fairy-stockfish"
options = { Hash = 1 }
"#;

const HOI: &str = r#"
[[variant]]
name = "hoi"
command = ["hoixiangqi"]
preset = "hoixiangqi"
"#;

/// Causes that a correct match does not have.
const FAULTS: [&str; 8] = [
    "crash",
    "disconnect",
    "stall",
    "malformed-output",
    "illegal-move",
    "node-overrun",
    "time-forfeit",
    "resignation",
];

/// Checks that the match has this number of games, and that none ended by a fault.
fn assert_sound(answer: &Value, games: u64) {
    let causes = answer["causes"].as_array().expect("causes");
    let count = |cause: &Value| cause["games"].as_u64().expect("a count");
    assert_eq!(causes.iter().map(count).sum::<u64>(), games, "{causes:?}");
    for cause in causes {
        let name = cause["cause"].as_str().expect("a name");
        assert!(!FAULTS.contains(&name), "{causes:?}");
    }
    assert_eq!(answer["complete"], true);
}

/// Repeatedly kills the command as soon as its record has content.
fn kill_in_the_middle(arguments: &[&str], store: &str, times: u32) {
    for _ in 0..times {
        let mut child = leitai();
        child
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = child.spawn().expect("the binary");
        let before = recorded(store);
        let patience = Instant::now() + Duration::from_mins(1);
        while recorded(store) <= before && Instant::now() < patience {
            assert!(
                child.try_wait().expect("a child").is_none(),
                "it ended early"
            );
            sleep(Duration::from_millis(20));
        }
        child.kill().expect("killed");
        child.wait().expect("a status");
        assert!(recorded(store) > before, "it made progress");
    }
}

/// The number of pairs in the record.
fn recorded(store: &str) -> u64 {
    if !Path::new(store).exists() {
        return 0;
    }
    let output = run(&["report", store, "--list", "--json"]);
    let listed: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    listed.map_or(0, |listed| {
        listed[0]["recorded"].as_u64().unwrap_or_default()
    })
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn fairy_stockfish_plays_16_games_and_being_killed_loses_nothing() {
    if !is_installed("fairy-stockfish") {
        return;
    }
    let sandbox = Sandbox::new();
    let file = sandbox.write("fairy.toml", &config("nodes = 100", 8, "", FAIRY));
    let [killed, whole] = ["killed.sqlite", "whole.sqlite"].map(|name| sandbox.path(name));
    let play = |store: &str, threads: &str| {
        let arguments = ["run", &file, "--store", store, "--threads", threads];
        json(&[&arguments[..], &["--json", "--quiet"]].concat())
    };
    let arguments = [
        "run",
        &file,
        "--store",
        &killed,
        "--threads",
        "2",
        "--quiet",
    ];
    kill_in_the_middle(&arguments, &killed, 2);
    let mut resumed = play(&killed, "2");
    assert_sound(&resumed, 16);

    // Under a node limit this engine repeats its games.
    let mut uninterrupted = play(&whole, "1");
    for answer in [&mut resumed, &mut uninterrupted] {
        answer["store"] = Value::Null;
    }
    assert_eq!(resumed, uninterrupted);
    let games = |store: &str| {
        let output = run(&["report", store, "--pgn", "-"]);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let pgn = games(&killed);
    assert_eq!(pgn.matches("[Result ").count(), 16);
    assert_eq!(pgn.matches("\"fairy\"").count(), 16);
    assert_eq!(pgn, games(&whole), "the same games, move by move");
    let table = stdout(&run(&["report", &killed]));
    assert!(table.contains("16 games in 8 pairs"), "{table}");
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn hoixiangqi_and_fairy_stockfish_play_to_a_depth() {
    if !is_installed("hoixiangqi") || !is_installed("fairy-stockfish") {
        return;
    }
    let sandbox = Sandbox::new();
    let opponents = format!("{HOI}\n{FAIRY}");
    let file = sandbox.write("depth.toml", &config("depth = 2", 3, "", &opponents));
    let store = sandbox.path("depth.sqlite");
    let answer = json(&["run", &file, "--store", &store, "--json", "--quiet"]);
    assert_sound(&answer, 12);
}

#[test]
fn both_play_by_the_clock() {
    if !is_installed("hoixiangqi") || !is_installed("fairy-stockfish") {
        return;
    }
    let sandbox = Sandbox::new();
    // Test machines are busy: this tests that clocks are passed and kept, not that they are short.
    let limits = "clock = \"60s+1s\", margin = \"2s\"";
    let deeper = "limits = { depth = 2 }";
    let opponents = format!("{HOI}\n{deeper}\n{FAIRY}\n{deeper}");
    let text = config(limits, 1, "", &opponents).replace("max_plies = 160", "max_plies = 30");
    let text = text.replace(
        deeper,
        "limits = { depth = 2, clock = \"60s+1s\", margin = \"2s\" }",
    );
    let file = sandbox.write("clock.toml", &text);
    let store = sandbox.path("clock.sqlite");
    let depth = "variant.ours.limits.depth=3";
    let clock = "variant.ours.limits.clock=60s+1s";
    let arguments = [
        "run", &file, "--store", &store, "--set", depth, "--set", clock,
    ];
    let answer = json(&[&arguments[..], &["--json", "--quiet"]].concat());
    assert_sound(&answer, 4);
}

/// Tunes an option of an external program, and verifies the result.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn an_option_of_an_engine_is_tuned() {
    if !is_installed("fairy-stockfish") {
        return;
    }
    let sandbox = Sandbox::new();
    let text = config(
        "nodes = 100",
        1,
        "",
        &FAIRY.replace("Hash = 1", "Hash = 1, \"Skill Level\" = -10"),
    );
    let text = text.replace("max_plies = 160", "max_plies = 80").replace(
        "tournament = { pairs = 1, format = \"gauntlet\" }",
        "[tune]\nvariant = \"fairy\"\ngames = 50\nhandicap = \"off\"\nno_effect = \"move\"\n\
         proof = { elo0 = 0, elo1 = 400, max_pairs = 40 }\n\
         [[tune.parameter]]\npath = \"options.Skill Level\"\nmin = -20\nmax = 20\nstep = 8",
    );
    let file = sandbox.write("skill.toml", &text);
    let store = sandbox.path("skill.sqlite");
    let output = run(&["tune", &file, "--store", &store, "--quiet"]);
    let told = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(
        told.contains("`fairy-tuned` is stronger than `fairy`"),
        "{told}"
    );
}

/// Distinguishes two settings of one program: its options are numbers of the config like any other.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn an_option_of_an_engine_is_gated() {
    if !is_installed("fairy-stockfish") {
        return;
    }
    let sandbox = Sandbox::new();
    let weak = "[[variant]]\nname = \"weak\"\nbase = \"fairy\"\n";
    let opponents = format!("{FAIRY}\n{weak}");
    let text = config("nodes = 100", 1, "", &opponents).replace(
        "tournament = { pairs = 1, format = \"gauntlet\" }",
        "gate = { base = \"weak\", candidate = \"fairy\", elo0 = 0, elo1 = 400, max_pairs = 40 }",
    );
    let file = sandbox.write("gate.toml", &text);
    let store = sandbox.path("gate.sqlite");
    let gate = |path: &str| {
        let mut command: Command = leitai();
        let option = format!("{path}=-20");
        command.args([
            "gate", &file, "--store", &store, "--quiet", "--set", &option,
        ]);
        let output = command.output().expect("the binary");
        let told = format!("{}{}", stdout(&output), stderr(&output));
        (output.status.code(), told)
    };
    let (code, told) = gate("variant.weak.options.Skill Level");
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = gate("variant.fairy.options.Skill Level");
    assert_ne!(code, Some(0), "both are weak then: {told}");
    let (code, told) = gate("variant.weak.options.Skil Level");
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("no option `Skil Level`"), "{told}");
}

/// An Othello config: a built-in player against `gtp-rhino` with these protocol keys.
fn othello(openings: &Path, pairs: u32, rhino: &str) -> String {
    let openings = openings.to_str().expect("UTF-8");
    format!(
        r#"
game = "othello"
seed = 5
limits = {{ depth = 2 }}
openings = {{ file = {openings:?} }}
tournament = {{ pairs = {pairs} }}

[[variant]]
name = "ours"

[[variant]]
name = "rhino"
command = ["gtp-rhino", "-b", "0", "-l", "1"]
limits = "own"
{rhino}
"#
    )
}

/// The games of a record, without the run's identity.
fn games(store: &str) -> String {
    let output = run(&["report", store, "--pgn", "-"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let lines = text.lines().filter(|line| !line.starts_with("[Event "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn gtp_rhino_plays_20_games_and_being_killed_loses_nothing() {
    if !is_installed("gtp-rhino") {
        return;
    }
    let sandbox = Sandbox::new();
    let text = othello(
        &project("openings/othello.txt"),
        10,
        "preset = \"gtp-rhino\"",
    );
    let file = sandbox.write("rhino.toml", &text);
    let [killed, whole] = ["killed.sqlite", "whole.sqlite"].map(|name| sandbox.path(name));
    let arguments = [
        "run",
        &file,
        "--store",
        &killed,
        "--threads",
        "2",
        "--quiet",
    ];
    kill_in_the_middle(&arguments, &killed, 2);
    let play = |store: &str, threads: &str| {
        let arguments = ["run", &file, "--store", store, "--threads", threads];
        json(&[&arguments[..], &["--json", "--quiet"]].concat())
    };
    assert_sound(&play(&killed, "2"), 20);
    assert_sound(&play(&whole, "1"), 20);
    assert_eq!(
        games(&killed),
        games(&whole),
        "the same games, move by move"
    );
}

/// Both sides have to pass, with either player, and the game stays in step: both when passes are
/// sent to the program, which rejects them, and when they are not.
#[test]
fn gtp_rhino_stays_in_step_through_passes() {
    if !is_installed("gtp-rhino") {
        return;
    }
    let sandbox = Sandbox::new();
    // Black has to pass at once after the first line, White after the second.
    let lines = "c4c3f5b4a4a5c2a3\nf5d6c3g5g6g7h5e3h7b2g8\n";
    let openings = sandbox.write("passes.txt", lines);
    let played = ["preset = \"gtp-rhino\"", "protocol = \"gtp\""].map(|rhino| {
        let text = othello(Path::new(&openings), 2, rhino);
        let file = sandbox.write("passes.toml", &text);
        let store = sandbox.path(&format!("{}.sqlite", rhino.len()));
        let talk = sandbox.path(&format!("talk-{}", rhino.len()));
        let arguments = ["run", &file, "--store", &store, "--dialogue", &talk, "-t1"];
        let answer = json(&[&arguments[..], &["--json", "--quiet"]].concat());
        assert_sound(&answer, 4);
        let logs = std::fs::read_dir(&talk).expect("dialogues");
        let talk: String = logs
            .map(|log| std::fs::read_to_string(log.expect("a file").path()).expect("text"))
            .collect();
        (games(&store), talk)
    });
    let [(silent, unsaid), (told, said)] = &played;
    assert!(silent.matches("pass").count() >= 4, "{silent}");
    assert_eq!(silent, told);
    assert!(!unsaid.contains("pass\n"), "{unsaid}");
    // The program rejects the first pass sent to it, and plays its own.
    assert_eq!(said.matches("syntax error").count(), 1, "{said}");
    let answers = said.lines().filter(|line| line.contains("< ="));
    assert!(
        answers.filter(|line| line.ends_with(" pass")).count() >= 2,
        "{said}"
    );
}

#[test]
fn gtp_rhino_is_fit_to_play() {
    if !is_installed("gtp-rhino") {
        return;
    }
    let sandbox = Sandbox::new();
    for rhino in ["preset = \"gtp-rhino\"", "protocol = \"gtp\""] {
        let text = othello(&project("openings/othello.txt"), 1, rhino);
        let file = sandbox.write("doctor.toml", &text);
        let health = json(&["doctor", &file, "--variant", "rhino", "--json"]);
        assert_eq!(health["fit"], true, "{health}");
        let checks = health["players"][0]["checks"].as_array().expect("checks");
        let of = |id: &str| checks.iter().find(|check| check["id"] == id);
        let figure = |id: &str, name: &str| {
            let check = of(id).unwrap_or_else(|| panic!("no check {id}: {health}"));
            check["figures"][name].clone()
        };
        assert_eq!(figure("positions", "legal"), 5);
        assert_eq!(figure("start", "name"), "GTP GRhino 0.16.1");
        assert!(figure("game", "plies").as_u64() > Some(50), "a whole game");
        assert!(
            checks.iter().all(|check| check["status"] == "ok"),
            "{health}"
        );
    }
}

/// With `protocol = "uci"` alone the program would play another game, and count ranks from 1.
#[test]
fn a_program_that_is_known_gets_its_preset_by_itself() {
    if !is_installed("fairy-stockfish") {
        return;
    }
    let sandbox = Sandbox::new();
    let by_name = FAIRY.replace("preset = \"fairy-stockfish\"", "protocol = \"uci\"");
    let [named, met] = [FAIRY, &by_name].map(|fairy| {
        let file = sandbox.write("fairy.toml", &config("nodes = 100", 2, "", fairy));
        let store = sandbox.path(&format!("{}.sqlite", fairy.len()));
        let output = run(&["run", &file, "--store", &store]);
        assert!(output.status.success(), "{}", stderr(&output));
        let told = stderr(&output).contains("Leitai uses `preset = \"fairy-stockfish\"`");
        (told, stdout(&run(&["report", &store, "--pgn", "-"])))
    });
    assert_eq!((named.0, met.0), (false, true));
    assert_eq!(met.1, named.1, "the same run");
}

/// GNU Go as a solver of capture problems.
fn gnugo() -> leitai_go_problems::study::ExternalSolver {
    use leitai_config::{Profile, Program};
    use leitai_game::protocol::GTP;
    let program = Program {
        command: ["gnugo", "--mode", "gtp"].map(str::to_owned).into(),
        executable: "gnugo".into(),
        folder: None,
        working_folder: None,
        profile: Profile::of(GTP),
        unspecified: leitai_config::UnspecifiedProfile::default(),
        ponder: false,
        startup: Duration::from_mins(1),
        stall: Duration::from_mins(1),
        ping: None,
        new_game: None,
        found: None,
    };
    let started =
        leitai_go_problems::study::ExternalSolver::start(&program, &AtomicBool::new(false));
    started.unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

#[test]
fn gnugo_solves_our_capture_problems() {
    if !is_installed("gnugo") {
        return;
    }
    let mut solver = gnugo();
    assert!(solver.name().starts_with("GNU Go 3."), "{}", solver.name());
    assert!(solver.counts_nodes());
    let text = std::fs::read(project("openings/go-capture/problems.json")).expect("problems");
    let set = leitai_go_problems::formats::read_problems(&text);
    let cancel = AtomicBool::new(false);
    let (mut solved, mut agreed, mut counted) = (0, 0, 0);
    for problem in set.into_iter().map(|it| it.expect("a problem")) {
        let solve = |solver: &mut leitai_go_problems::study::ExternalSolver| {
            let answer = solver.solve(&problem, Duration::from_mins(1), &cancel);
            answer.unwrap_or_else(|fault| panic!("{}: {fault}", problem.id))
        };
        let answer = solve(&mut solver);
        let again = solve(&mut solver);
        let alike =
            |answer: &leitai_go_problems::study::ExternalAnswer| (answer.code, answer.nodes);
        assert_eq!(
            alike(&answer),
            alike(&again),
            "{}: depends on what was before",
            problem.id
        );
        solved += 1;
        agreed += u32::from(problem.expected == Some(answer.verdict));
        counted += answer.nodes.unwrap_or(0);
        if problem.expected != Some(answer.verdict) {
            eprintln!(
                "{}: {:?}, gnugo {} {:?}",
                problem.id, problem.expected, answer.code, answer.play
            );
        }
    }
    eprintln!("gnugo agrees on {agreed} of {solved}, {counted} nodes");
    assert!(
        solved >= 74 && agreed * 10 >= solved * 9,
        "{agreed} of {solved}"
    );
    assert!(counted > 10_000, "{counted} nodes");
}
