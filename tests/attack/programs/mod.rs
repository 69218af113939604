//! Players that misbehave: in every case the run continues or does not begin, the reported cause is
//! correct, the opponent is unharmed, and no process is left.

pub(crate) mod mock;
mod speaker;
mod table;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::scale::Scale;
use super::watched::{Watched, is_harmful, watch};
use crate::common::{leitai, project};
use table::{Cell, Expected, cells};

/// Number of cells at once: most of them wait.
const AT_ONCE: usize = 4;
/// Time limit of a cell, which waits for a program several times, as long as its config requires.
const PATIENCE: Duration = Duration::from_mins(2);
/// Memory limit of Leitai, in kB.
const MEMORY: u64 = 256 << 10;
/// Time limit for the disappearance of a killed process.
const GONE: Duration = Duration::from_secs(10);

const PROBLEMS: &str = r#"[{"id": "atari", "rows": [".....", ".....", "X....", "OX...", "....."],
"target": "A2", "to_move": "B", "verdict": "captured"},
{"id": "far", "rows": [".......", ".......", "...X...", "...O...", ".......", ".......", "......."],
 "target": "D4", "to_move": "B", "verdict": "escapes"}]"#;

/// Tries the cells; returns a summary.
pub(crate) fn attack(scale: &Scale) -> String {
    let all = cells();
    let mut dice = scale.dice("programs");
    let first = dice.below(scale.every);
    let chosen: Vec<&Cell> = all.iter().skip(first).step_by(scale.every).collect();
    let next = Mutex::new(chosen.iter());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(cell) = next.lock().unwrap().next() else {
                        break;
                    };
                    if let Err(what) = try_out(cell) {
                        let Cell {
                            protocol,
                            moment,
                            behaviour,
                            expected,
                        } = cell;
                        let line =
                            format!("{protocol} {moment} {behaviour}: not {expected:?}: {what}");
                        failures.lock().unwrap().push(line);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    let tried = chosen.len();
    assert!(
        failures.is_empty(),
        "{} of {tried} cells:\n{}",
        failures.len(),
        failures.join("\n")
    );
    format!(
        "{tried} of {} cells of bad behaviour, {} harmless",
        all.len(),
        tried
    )
}

/// The config of a cell: a match of a pair, or a study of solvers.
fn config(cell: &Cell) -> String {
    let Cell {
        protocol,
        moment,
        behaviour,
        expected,
    } = cell;
    let program = std::env::current_exe().unwrap();
    let program = program.to_str().unwrap();
    let waits = matches!(expected, Expected::Loses(_) | Expected::Harmless);
    let startup = match (expected, *moment) {
        // Long enough to fill memory.
        _ if behaviour.starts_with("endless") => "4s",
        (Expected::Refused, _) => "1s",
        (_, "again") if waits => "1500ms",
        _ => "30s",
    };
    let stall = if waits { "700ms" } else { "30s" };
    let spoken = if *protocol == "solver" {
        "gtp"
    } else {
        protocol
    };
    let player = format!(
        "[[variant]]\nname = \"mock\"\ncommand = [{program:?}, \"attack::mock_player\", \"--exact\", \
         \"--nocapture\", \"--test-threads=1\"]\nprotocol = {spoken:?}\nstartup = \"{startup}\"\n\
         environment = {{ {} = \"{protocol} {moment} {behaviour}\", {} = \"pids\" }}\n",
        mock::MOCK,
        mock::PIDS
    );
    let game = |game: &str, book: &str, more: &str| {
        format!(
            "game = {game:?}\nlimits = {{ depth = 1 }}\nopenings = {{ file = {book:?} }}\n\
             tournament = {{ pairs = 1 }}\n{more}\n[[variant]]\nname = \"ours\"\n\
             search = {{ table_mb = 1 }}\nlimits = {{ nodes = 50 }}\n{player}stall = \"{stall}\"\n"
        )
    };
    match *protocol {
        "solver" => format!(
            "game = \"go\"\n[study]\nsuite = \"problems.json\"\nnodes = 2000\nmode = \"fast\"\n\
             resamples = 100\nmovetime = \"{stall}\"\n[[variant]]\nname = \"ours\"\n\
             search = {{ solver = {{ kind = \"pn\", table = 10 }} }}\n{player}"
        ),
        "gtp" => game("othello", "book.txt", "") + "limits = \"own\"\n",
        "nboard" => game("othello", "book.txt", ""),
        _ => {
            let book = project("tests/data/xiangqi-64.epd");
            let text = game(
                "xiangqi",
                book.to_str().unwrap(),
                "adjudication = { max_plies = 12 }",
            );
            if *protocol == "cecp" {
                text + "usermove = true\n"
            } else {
                text
            }
        }
    }
}

/// Tries a cell; returns deviations from the expectation.
fn try_out(cell: &Cell) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("match.toml"), config(cell)).unwrap();
    fs::write(at("book.txt"), "f5d6c3d3c4f4c5b3\n").unwrap();
    fs::write(at("problems.json"), PROBLEMS).unwrap();
    let mut command = leitai();
    command.current_dir(folder.path());
    match cell.protocol {
        "solver" => command.args([
            "study",
            "match.toml",
            "--json",
            "--quiet",
            "--no-times",
            "-t1",
        ]),
        _ => command.args(["run", "match.toml", "--json", "--quiet", "-t1"]),
    };
    let Watched {
        output,
        peak,
        timely,
    } = watch(&mut command, PATIENCE);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    let check = |holds: bool, what: &str| {
        if holds {
            Ok(())
        } else {
            Err(format!("{what}: {said}{answer}"))
        }
    };
    let left = left(folder.path());
    check(timely, "it takes too long")?;
    check(left.is_none(), &format!("a process is left: {left:?}"))?;
    check(peak < MEMORY, &format!("it takes {peak} kB"))?;
    check(!said.contains("panicked"), "it panics")?;
    let raw = said.chars().chain(answer.chars()).find(|&c| is_harmful(c));
    check(raw.is_none(), &format!("{raw:?} is shown as it is"))?;
    let code = output.status.code();
    if code == Some(2) {
        let may = matches!(cell.expected, Expected::Refused | Expected::Harmless);
        check(may, "it is refused")?;
        check(said.contains("mock"), "nobody knows whom")?;
        return check(answer.is_empty(), "there is an answer all the same");
    }
    let answer: Value = serde_json::from_str(&answer).map_err(|_| format!("{code:?}: {said}"))?;
    if cell.protocol == "solver" {
        return judge_study(cell.expected, code, &answer, &said);
    }
    check(cell.expected != Expected::Refused, "it is not refused")?;
    check(code == Some(0), &format!("it ends with {code:?}"))?;
    check(answer["complete"] == true, "it is not complete")?;
    judge_match(cell.expected, &answer)
}

fn judge_match(expected: Expected, answer: &Value) -> Result<(), String> {
    let none = Vec::new();
    let causes = answer["causes"].as_array().unwrap_or(&none);
    let causes: Vec<&str> = causes
        .iter()
        .filter_map(|cause| cause["cause"].as_str())
        .collect();
    let is = |causes: &[&str], allowed: &[&str]| causes.iter().all(|cause| allowed.contains(cause));
    let ends = ["length-adjudication", "counted", "checkmate"];
    let faults = [
        "crash",
        "disconnect",
        "stall",
        "malformed-output",
        "illegal-move",
        "resignation",
    ];
    let fine = is(&causes, &ends);
    let row = |name: &str| {
        let rows = answer["variants"].as_array().unwrap_or(&none);
        rows.iter()
            .find(|row| row["name"] == name)
            .cloned()
            .unwrap_or_default()
    };
    let unharmed = row("ours")["wins"] == 2 && row("mock")["losses"] == 2;
    match expected {
        Expected::Fine if fine => Ok(()),
        Expected::Loses(allowed) if is(&causes, allowed) && unharmed => Ok(()),
        Expected::Harmless if is(&causes, &[&ends[..], &faults].concat()) => Ok(()),
        _ => Err(format!("{causes:?}, {}", row("ours"))),
    }
}

fn judge_study(
    expected: Expected,
    code: Option<i32>,
    answer: &Value,
    said: &str,
) -> Result<(), String> {
    let none = Vec::new();
    let rows = answer["solvers"]
        .as_array()
        .or(answer["variants"].as_array())
        .unwrap_or(&none);
    let row = |name: &str| {
        rows.iter()
            .find(|row| row["name"] == name)
            .cloned()
            .unwrap_or_default()
    };
    let faults = row("mock")["faults"].as_u64();
    let ours = row("ours")["faults"].as_u64();
    let is_absent = answer["absent"] == serde_json::json!(["mock"]);
    let has_failed = (is_absent || faults > Some(0)) && code == Some(4);
    let ok = match expected {
        Expected::Fine => faults == Some(0) && code == Some(0),
        Expected::Refused => has_failed,
        Expected::Loses(_) => has_failed && !is_absent,
        Expected::Harmless => has_failed || faults == Some(0) && code == Some(0),
    };
    if ok && ours == Some(0) {
        Ok(())
    } else {
        Err(format!("{code:?}, {faults:?} faults: {said}{answer}"))
    }
}

/// A process that remains, among all processes of a folder's mocks.
pub(crate) fn left(folder: &Path) -> Option<String> {
    let deadline = Instant::now() + GONE;
    loop {
        let pids = fs::read_to_string(folder.join("pids")).unwrap_or_default();
        let alive = pids.lines().find_map(|pid| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            // An orphan remains a zombie until its new parent waits for it.
            let gone = status.is_empty() || status.contains("State:\tZ");
            (!gone).then(|| pid.to_owned())
        });
        alive.as_ref()?;
        if Instant::now() > deadline {
            // Cleans up after the failure.
            for pid in pids.lines() {
                let _ = std::process::Command::new("kill")
                    .args(["-KILL", pid])
                    .status();
            }
            return alive;
        }
        thread::sleep(Duration::from_millis(10));
    }
}
