//! Programs that think on their opponent's time.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::{
    all, assert_no_process_left, by_protocol, causes, config, dialogues, mock_program, words,
};
use crate::common;

const CLOCK: &str = "clock = \"5s+0.1s\", margin = \"5s\"";

/// A match of the mock in a mode that ponders against the mock in another one.
fn ponders(mode: &str, limits: &str, opponent: &str) -> String {
    let program = mock_program();
    let ours = format!(
        "name = \"ours\"\ncommand = [{:?}, \"play\"]\nprotocol = \"uci\"\nrank_base = 0\n\
         environment = {{ {} = {opponent:?}, {} = \"pids\" }}",
        program.to_str().expect("UTF-8"),
        words::MODE,
        words::PIDS,
    );
    let text = config(mode, limits, "ponder = true");
    // Longer games repeat positions.
    let text = text.replace("max_plies = 12", "max_plies = 8");
    text.replace("name = \"ours\"\nsearch = { table_mb = 1 }", &ours)
}

/// Runs a match on one thread; its warnings about processors are ignored.
fn run(folder: &Path, text: &str, more: &[&str]) -> Output {
    fs::write(folder.join("match.toml"), text).expect("a config");
    let mut command = common::leitai();
    command.current_dir(folder);
    command.args([
        "run",
        "match.toml",
        "--json",
        "--quiet",
        "--force",
        "--threads",
        "1",
    ]);
    let output = command.args(more).output().expect("leitai");
    assert_no_process_left(folder);
    output
}

/// The causes of the ends of four games.
fn ends(text: &str) -> Vec<(String, u64)> {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), text, &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    causes(&answer)
}

/// The dialogues of the pondering mock with Leitai, game by game, and the games as PGN.
fn played(folder: &Path, text: &str) -> (Vec<Vec<String>>, String) {
    let output = run(folder, text, &["--dialogue", "talk"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let mut command = common::leitai();
    let report = ["report", "match.sqlite", "--pgn", "games.pgn"];
    let output = command.current_dir(folder).args(report).output();
    assert!(output.expect("leitai").status.success());
    let games = dialogues(&folder.join("talk"), "-mock.log");
    let pgn = fs::read_to_string(folder.join("games.pgn")).expect("games");
    (games, pgn)
}

/// The lines of a dialogue that begin like this.
fn count(said: &[String], beginning: &str) -> usize {
    let lines = said.iter().filter(|line| line.starts_with(beginning));
    lines.count()
}

#[test]
fn an_expected_reply_is_a_hit_and_continues_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, pgn) = played(folder.path(), &ponders("ponder-hit", CLOCK, "good"));
    assert_eq!(games.len(), 4);
    let mut moves = Vec::new();
    for said in &games {
        moves.push(count(said, "> go ponder"));
        assert_eq!(count(said, "> ponderhit"), 3, "{said:#?}");
        // Only the first move needs a new search.
        assert_eq!(count(said, "> go wtime"), 1, "{said:#?}");
        let is_first_side = count(said, "> go ponder") == 4;
        assert_eq!(count(said, "> stop"), usize::from(is_first_side));
        let ponder = said.iter().position(|line| line.starts_with("> go ponder"));
        let ponder = ponder.expect("an order to ponder");
        let own = said[..ponder].iter().rev();
        let best = own.clone().find(|line| line.starts_with("< bestmove"));
        let reply = best
            .and_then(|line| line.rsplit(' ').next())
            .expect("a reply");
        assert!(said[ponder - 1].ends_with(reply), "{}", said[ponder - 1]);
        for word in ["wtime", "btime", "winc 100", "binc 100"] {
            assert!(said[ponder].contains(word), "{}", said[ponder]);
        }
    }
    moves.sort_unstable();
    assert_eq!(moves, [3, 3, 4, 4]);
    // The search lines before a hit count for the move.
    assert!(pgn.contains("+5.00/77"), "{pgn}");
}

#[test]
fn another_reply_is_a_miss_and_nothing_of_its_search_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, pgn) = played(folder.path(), &ponders("ponder-miss", CLOCK, "good"));
    for said in &games {
        assert_eq!(count(said, "> ponderhit"), 0, "{said:#?}");
        assert_eq!(count(said, "> go wtime"), 4, "{said:#?}");
        assert_eq!(count(said, "> stop"), count(said, "> go ponder"));
        let searches = count(said, "> go");
        assert_eq!(count(said, "< bestmove"), searches, "{said:#?}");
    }
    assert!(!pgn.contains("/77") && !pgn.contains("/88"), "{pgn}");
}

#[test]
fn pondering_is_not_charged_and_time_after_a_hit_is() {
    // The opponent takes longer for its moves than the clock has.
    let clock = "clock = \"1s\", margin = \"500ms\"";
    let slow = ponders("ponder-hit", clock, "slow").replace(
        "rank_base = 0\nenvironment = { LEITAI_MOCK_MODE = \"slow\"",
        "rank_base = 0\nlimits = { movetime = \"10s\" }\n\
         environment = { LEITAI_MOCK_MODE = \"slow\"",
    );
    assert_eq!(ends(&slow), all("length-adjudication"));
    let late = "movetime = \"50ms\", margin = \"40ms\"";
    let ours = ponders("ponder-slow", late, "good");
    assert_eq!(ends(&ours), all("time-forfeit"));
}

#[test]
fn faults_of_pondering_programs_are_theirs() {
    let stall = ponders("ponder-deaf", CLOCK, "good")
        .replace("ponder = true", "ponder = true\nstall = \"100ms\"");
    assert_eq!(ends(&stall), all("stall"));
    for (mode, cause) in [
        ("ponder-crash", "crash"),
        ("ponder-early", "length-adjudication"),
    ] {
        assert_eq!(ends(&ponders(mode, CLOCK, "good")), all(cause), "{mode}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), &ponders("ponder-crash", CLOCK, "good"), &[]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let variants = &answer["failures"]["variants"];
    assert_eq!(variants[0]["name"], "mock", "{answer:#}");
    assert_eq!(variants.as_array().map(Vec::len), Some(1));
}

#[test]
fn a_program_that_offers_no_pondering_is_refused_or_plays_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = ponders("ponder-unoffered", CLOCK, "good");
    let output = run(folder.path(), &text, &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("it offers no option `Ponder`"), "{told}");
    let skips = text.replace("ponder = true", "ponder = true\nunknown_options = \"skip\"");
    let (games, _) = played(folder.path(), &skips);
    assert!(games.iter().all(|said| count(said, "> go ponder") == 0));
    assert_eq!(games.len(), 4);
}

#[test]
fn a_cecp_program_ponders_by_itself() {
    let limits = "clock = \"5s+1s\", margin = \"5s\"";
    let text = by_protocol("cecp", &config("good", limits, "ponder = true"));
    let folder = tempfile::tempdir().expect("a folder");
    let (games, _) = played(folder.path(), &text);
    assert_eq!(games.len(), 4);
    for said in &games {
        assert_eq!(count(said, "> hard"), 1, "{said:#?}");
        assert_eq!(count(said, "> go"), 1, "{said:#?}");
        assert_eq!(count(said, "< move"), 6, "{said:#?}");
        // At the setup, before the first move, and at the end of the game.
        assert_eq!(count(said, "> force"), 3, "{said:#?}");
    }
}

#[test]
fn a_game_with_pondering_needs_the_processors_of_both_players() {
    let there = std::thread::available_parallelism().map_or(1, usize::from);
    let folder = tempfile::tempdir().expect("a folder");
    let text = ponders("ponder-hit", CLOCK, "good");
    fs::write(folder.path().join("match.toml"), text).expect("a config");
    let threads = there.to_string();
    let mut command = common::leitai();
    let output = command
        .current_dir(folder.path())
        .args(["run", "match.toml", "--quiet", "--threads", &threads])
        .output()
        .expect("leitai");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("by the clock, on 2 processors each"),
        "{told}"
    );
}
