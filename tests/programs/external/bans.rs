//! Programs that speak UCCI receive the moves that lose at once by repetition.

use std::fs;

use serde_json::Value;

use super::{DEPTH, causes, config, mock_program, run, words};

/// A red rook checks with every move; Black moves first.
const CHECKS: (&str, &str) = ("3k5/9/9/9/3R5/9/9/9/9/5K3 b - - 0 1", "cycle d9e9 d5e5");
/// A red rook chases an unprotected horse with every move; Black moves first.
const CHASE: (&str, &str) = ("5k3/9/9/R1n6/9/9/9/9/9/4K4 b - - 0 1", "cycle c6d8 a6a8");
/// Both move to and fro.
const IDLE: (&str, &str) = ("2bk4r/9/9/9/9/9/9/9/9/R1B2K3 b - - 0 1", "cycle c9e7 c0e2");

/// The ban commands of two games between mocks, in order, and the causes of the games' ends.
fn bans(case: (&str, &str), protocol: &str, rule: &str) -> (Vec<String>, Vec<(String, u64)>) {
    let (fen, mode) = case;
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("start.epd"), format!("{fen}\n")).expect("an opening");
    let program = mock_program();
    let ours = format!(
        "name = \"ours\"\ncommand = [{:?}, \"play\"]\nprotocol = {protocol:?}\n\
         environment = {{ {} = {mode:?}, {} = \"pids\" }}",
        program.to_str().expect("UTF-8"),
        words::MODE,
        words::PIDS,
    );
    let text = config(mode, DEPTH, "");
    let book = text
        .lines()
        .find(|line| line.starts_with("openings"))
        .expect("openings");
    let text = text
        .replace(book, "openings = { file = \"start.epd\" }")
        .replace(
            "protocol = \"uci\"\nrank_base = 0",
            &format!("protocol = {protocol:?}"),
        )
        .replace("name = \"ours\"\nsearch = { table_mb = 1 }", &ours)
        .replace("pairs = 2", "pairs = 1");
    let text = format!("{text}\n[rules]\nrepetition = {rule:?}\n");
    let output = run(folder.path(), &text);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let commands = fs::read_to_string(folder.path().join("commands")).expect("commands");
    let mut before = "";
    let mut bans = Vec::new();
    for command in commands.lines() {
        if command.starts_with("banmoves") {
            assert!(before.starts_with("position"), "{before}");
            bans.push(command.to_owned());
        }
        before = command;
    }
    (bans, causes(&answer))
}

/// The same in each of two games, and their end.
fn twice(ban: &str, cause: &str) -> (Vec<String>, Vec<(String, u64)>) {
    let bans = [ban; 2].into_iter().filter(|ban| !ban.is_empty());
    (
        bans.map(str::to_owned).collect(),
        vec![(cause.to_owned(), 2)],
    )
}

#[test]
fn no_move_is_banned_where_none_loses() {
    assert_eq!(bans(IDLE, "ucci", "computer"), twice("", "repetition"));
    // Without a rule against chases nothing is forbidden.
    assert_eq!(bans(CHASE, "ucci", "check"), twice("", "repetition"));
}

#[test]
fn the_move_that_completes_a_perpetual_check_is_banned() {
    for rule in ["check", "computer", "asian", "chinese"] {
        let expected = twice("banmoves e5d5", "repetition");
        assert_eq!(bans(CHECKS, "ucci", rule), expected, "{rule}");
    }
}

#[test]
fn the_move_that_completes_a_chase_is_banned() {
    for rule in ["computer", "asian", "chinese"] {
        let expected = twice("banmoves a8a6", "repetition");
        assert_eq!(bans(CHASE, "ucci", rule), expected, "{rule}");
    }
}

#[test]
fn other_protocols_cannot_exclude_moves() {
    assert_eq!(
        bans(CHECKS, "uci", "computer"),
        twice("", "perpetual-check")
    );
}
