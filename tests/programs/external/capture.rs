//! External programs that solve capture problems by GTP.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use leitai_config::{Profile, Program};
use leitai_game::protocol::GTP;
use leitai_games::go::{Board, CaptureVerdict, Colour, Play, Point, Problem};
use leitai_go_problems::study::{ExternalSolver, SolveFault};
use leitai_players::player::Fault;
use serde_json::Value;

use super::assert_no_process_left;
use crate::common;
use crate::programs::{mock_program, words};

const PATIENCE: Duration = Duration::from_secs(20);
/// Long enough for a query on a busy machine, short enough for a test.
const SHORT: Duration = Duration::from_millis(400);

fn program(mode: &str, folder: &Path) -> Program {
    let executable = mock_program();
    let command = [executable.to_str().expect("UTF-8"), "play"];
    let command = command.map(str::to_owned).into();
    let mut profile = Profile::of(GTP);
    profile.environment = [
        (words::MODE, mode),
        (words::PIDS, "pids"),
        (words::PROTOCOL, "gtp-capture"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    Program {
        command,
        executable,
        folder: None,
        working_folder: Some(folder.to_owned()),
        profile,
        unspecified: leitai_config::UnspecifiedProfile::default(),
        ponder: false,
        startup: PATIENCE,
        stall: PATIENCE,
        ping: None,
        new_game: None,
        found: None,
    }
}

fn problem(rows: [&str; 5], target: &str, to_move: Colour, ko: Option<&str>) -> Problem {
    let mut board = Board::from_rows(&rows).expect("a board");
    let point = |name| Point::from_name(name, 5).expect("a point");
    board.set_ko(ko.map(point));
    Problem::new(board, point(target), to_move).expect("a problem")
}

fn atari(to_move: Colour) -> Problem {
    problem(
        [".....", "..O..", ".OXO.", ".....", "....."],
        "C3",
        to_move,
        None,
    )
}

fn with_solver<T>(mode: &str, work: impl FnOnce(&mut ExternalSolver) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder");
    let cancel = AtomicBool::new(false);
    let started = ExternalSolver::start(&program(mode, folder.path()), &cancel);
    let mut solver = started.unwrap_or_else(|refusal| panic!("{mode}: {refusal:?}"));
    let done = work(&mut solver);
    drop(solver);
    assert_no_process_left(folder.path());
    done
}

fn fault(mode: &str, patience: Duration) -> SolveFault {
    let cancel = AtomicBool::new(false);
    with_solver(mode, |solver| {
        let answer = solver.solve(&atari(Colour::White), patience, &cancel);
        answer.expect_err("no answer")
    })
}

#[test]
fn it_solves_one_problem_after_another() {
    let cancel = AtomicBool::new(false);
    let ko = [".XO..", "XO.O.", ".XO..", ".....", "....."];
    for mode in ["well", "babbles", "no-numbers"] {
        with_solver(mode, |solver| {
            assert_eq!(solver.name(), "Mock 3");
            for (problem, code, verdict, play) in [
                (atari(Colour::White), 1, CaptureVerdict::Captured, "C2"),
                (atari(Colour::Black), 1, CaptureVerdict::Escapes, "C2"),
                (
                    problem(ko, "B4", Colour::Black, Some("C4")),
                    3,
                    CaptureVerdict::Ko,
                    "C4",
                ),
                (
                    problem(ko, "B4", Colour::Black, None),
                    1,
                    CaptureVerdict::Captured,
                    "C4",
                ),
            ] {
                let answer = solver
                    .solve(&problem, PATIENCE, &cancel)
                    .expect("an answer");
                assert_eq!((answer.code, answer.verdict), (code, verdict), "{mode}");
                assert_eq!(answer.play, Play::from_name(play, 5));
                assert_eq!(answer.nodes, Some(7), "counted anew for each problem");
                assert!(answer.time < PATIENCE);
            }
        });
    }
}

#[test]
fn nodes_that_are_not_counted_are_not_made_up() {
    let cancel = AtomicBool::new(false);
    with_solver("uncounted", |solver| {
        let answer = solver.solve(&atari(Colour::White), PATIENCE, &cancel);
        assert_eq!(answer.expect("an answer").nodes, None);
        assert!(!solver.counts_nodes());
    });
}

#[test]
fn whatever_goes_wrong_is_a_fault() {
    let crash = SolveFault::Crash(vec!["stepped on a bug".to_owned()]);
    assert_eq!(fault("crash", PATIENCE), crash);
    assert_eq!(fault("hangs", SHORT), SolveFault::Stall(SHORT));
    let flood = fault("flood", PATIENCE).to_string();
    assert!(flood.contains("more than 10000 lines"), "{flood}");
    assert_eq!(fault("bytes", PATIENCE), SolveFault::Binary);
    let rubbish = SolveFault::Malformed("7 Z9 perhaps".to_owned());
    assert_eq!(fault("rubbish", PATIENCE), rubbish);
    let refused = SolveFault::Refused {
        told: "play white C4".to_owned(),
        answer: "illegal move".to_owned(),
    };
    assert!(refused.is_harmless());
    assert_eq!(fault("refuses-white", PATIENCE), refused);
}

#[test]
fn after_a_fault_it_is_started_again() {
    let cancel = AtomicBool::new(false);
    with_solver("crash-once", |solver| {
        let mut solve = || solver.solve(&atari(Colour::White), PATIENCE, &cancel);
        assert!(matches!(solve(), Err(SolveFault::Crash(_))));
        assert_eq!(solve().expect("an answer").code, 1);
    });
}

#[test]
fn no_thread_waits_after_cancellation() {
    let cancel = AtomicBool::new(false);
    with_solver("hangs", |solver| {
        let begun = Instant::now();
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        let answer = solver.solve(&atari(Colour::White), PATIENCE, &cancel);
        assert_eq!(answer, Err(SolveFault::Cancelled));
        assert!(begun.elapsed() < PATIENCE);
    });
}

#[test]
fn a_program_that_cannot_attack_is_not_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let cancel = AtomicBool::new(false);
    let start = |program: &Program| {
        let started = ExternalSolver::start(program, &cancel);
        started.err().expect("refused")
    };
    let refusal = start(&program("plays-only", folder.path()));
    assert_eq!(refusal.fault, Fault::Unready);
    assert!(refusal.reason.contains("`attack`"), "{refusal:?}");
    let refusal = start(&program("endless-commands", folder.path()));
    assert!(
        refusal.reason.contains("more than 10000 lines"),
        "{refusal:?}"
    );
    let mut absent = program("well", folder.path());
    absent.executable = "no-such-solver".into();
    assert_eq!(start(&absent).fault, Fault::Absent);
    let mut set = program("well", folder.path());
    set.profile.init = vec!["level 10".to_owned(), "level 99".to_owned()];
    let refusal = start(&set);
    assert!(refusal.reason.contains("level 99"), "{refusal:?}");
    assert_no_process_left(folder.path());
}

/// A study of a problem by the mock alone: its exit code, and its figures.
fn studied(mode: &str, budget: &str) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = mock_program();
    let program = program.to_str().expect("UTF-8");
    let suite = r#"[{"id": "atari", "rows": [".....", "..O..", ".OXO.", ".....", "....."],
        "target": "C3", "to_move": "W", "verdict": "captured"}]"#;
    fs::write(folder.path().join("problems.json"), suite).expect("a suite");
    let text = format!(
        r#"game = "go"
[study]
suite = "problems.json"
{budget}
[[variant]]
name = "ours"
search = {{ solver = {{ kind = "pn", table = 12 }} }}
[[variant]]
name = "mock"
command = [{program:?}, "play"]
protocol = "gtp"
stall = "400ms"
environment = {{ {} = "{mode}", {} = "gtp-capture", {} = "pids" }}
"#,
        words::MODE,
        words::PROTOCOL,
        words::PIDS,
    );
    fs::write(folder.path().join("study.toml"), text).expect("a config");
    let mut command = common::leitai();
    command.current_dir(folder.path());
    command.args(["study", "study.toml", "--no-resume", "--quiet", "--json"]);
    let output = command.output().expect("leitai");
    assert_no_process_left(folder.path());
    let told = String::from_utf8_lossy(&output.stderr);
    let figures = serde_json::from_slice(&output.stdout);
    let figures: Value = figures.unwrap_or_else(|error| panic!("{error}: {told}"));
    (output.status.code(), figures["solvers"][1].clone())
}

#[test]
fn a_solver_that_hangs_is_counted_like_one_that_crashes() {
    assert_eq!(studied("well", "nodes = 1_000").0, Some(0));
    for budget in ["nodes = 1_000", "movetime = \"300ms\""] {
        let (code, mock) = studied("hangs", budget);
        assert_eq!(
            (code, &mock["faults"]),
            (Some(4), &Value::from(1)),
            "{mock}"
        );
        let why = mock["fault"].as_str().unwrap_or_default();
        assert!(why.contains("it did not answer within"), "{why}");
    }
    assert_eq!(studied("crash", "nodes = 1_000").0, Some(4));
}
