//! Endgame tables in a run: they end games, and records can be verified without them.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::common::syzygy::{DRAW, constant, write, write_all};
use crate::common::{Sandbox, leitai, stderr, stdout};

/// White, to move, captures a rook, and then has a queen against a bare king.
const START: &str = "7k/8/8/8/8/8/r5Q1/K7 w - - 0 1\n";

fn config(adjudication: &str) -> String {
    format!(
        "game = \"chess\"\nlimits = {{ depth = 2 }}\nopenings = {{ file = \"start.epd\" }}\n\
         {adjudication}\ntournament = {{ pairs = 1 }}\n\
         [[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\nsearch = {{ table_mb = 1 }}\n"
    )
}

/// A folder with tables in `syzygy`, an opening and a config.
fn folder(adjudication: &str) -> Sandbox {
    let folder = Sandbox::new();
    let tables = folder.path("syzygy");
    fs::create_dir(&tables).expect("made");
    write_all(Path::new(&tables));
    fs::write(folder.path("start.epd"), START).expect("written");
    fs::write(folder.path("t.toml"), config(adjudication)).expect("written");
    folder
}

fn run_in(folder: &Sandbox, arguments: &[&str]) -> Output {
    let mut command = leitai();
    command.current_dir(folder.path(""));
    command.args(arguments).output().expect("the binary runs")
}

fn endings(folder: &Sandbox) -> Value {
    let output = run_in(
        folder,
        &["run", "t.toml", "--json", "--quiet", "--store", "s.sqlite"],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    report["causes"].clone()
}

const PATH: &str = "adjudication = { max_plies = 40, syzygy = { path = \"syzygy\" } }";

#[test]
fn tables_end_games_and_records_are_verified_with_and_without_them() {
    let folder = folder(PATH);
    let all = endings(&folder);
    assert_eq!(
        all.to_string().matches("tablebase-adjudication").count(),
        1,
        "{all}"
    );
    assert!(!all.to_string().contains("length-adjudication"), "{all}");
    let verify = || run_in(&folder, &["verify", "s.sqlite"]);
    let verified = verify();
    assert!(verified.status.success(), "{}", stderr(&verified));
    assert_eq!(
        stdout(&verified),
        "1 pair replayed, 1 the same, 0 different\n"
    );
    // Other tables cannot confirm the games.
    let tables = folder.path("syzygy");
    write(
        Path::new(&tables),
        "KNvK",
        &constant(*b"KNvK", [DRAW, DRAW + 1]),
    );
    let verified = verify();
    assert!(verified.status.success(), "{}", stderr(&verified));
    let message = stderr(&verified);
    assert!(
        message.contains("differ from those with which the run was played"),
        "{message}"
    );
    assert_eq!(
        stdout(&verified),
        "0 pairs replayed, 0 the same, 0 different\n"
    );
    fs::remove_dir_all(&tables).expect("removed");
    let verified = verify();
    assert!(verified.status.success(), "{}", stderr(&verified));
    let message = stderr(&verified);
    assert!(
        message.contains("syzygy") && message.contains("1 pair with games"),
        "{message}"
    );
    // The record can be read without tables, too.
    let report = run_in(&folder, &["report", "s.sqlite"]);
    assert!(report.status.success(), "{}", stderr(&report));
    assert_eq!(stderr(&report), "");
}

#[test]
fn games_without_table_ends_are_replayed_without_tables() {
    let rule =
        "adjudication = { max_plies = 6, syzygy = { path = \"syzygy\", results = \"draws\" } }";
    let folder = folder(rule);
    let all = endings(&folder);
    assert!(!all.to_string().contains("tablebase"), "{all}");
    fs::remove_dir_all(folder.path("syzygy")).expect("removed");
    let verified = run_in(&folder, &["verify", "s.sqlite"]);
    assert!(verified.status.success(), "{}", stderr(&verified));
    assert_eq!(
        stdout(&verified),
        "1 pair replayed, 1 the same, 0 different\n"
    );
}

#[test]
fn missing_or_damaged_tables_are_reported_before_a_game() {
    let folder = folder(PATH);
    let check = || run_in(&folder, &["check", "t.toml"]);
    let checked = check();
    assert!(checked.status.success(), "{}", stderr(&checked));
    let file = folder.path("syzygy/KQvK.rtbw");
    let bytes = fs::read(&file).expect("a table");
    fs::write(&file, &bytes[..bytes.len() - 32]).expect("written");
    for output in [
        check(),
        run_in(&folder, &["run", "t.toml", "--store", "s.sqlite"]),
    ] {
        let message = stderr(&output);
        assert!(!output.status.success());
        assert!(
            message.contains("KQvK.rtbw") && message.contains("damaged"),
            "{message}"
        );
    }
    for file in fs::read_dir(folder.path("syzygy")).expect("read") {
        fs::remove_file(file.expect("a file").path()).expect("removed");
    }
    let message = stderr(&check());
    assert!(message.contains("no Syzygy tables in"), "{message}");
    fs::remove_dir(folder.path("syzygy")).expect("removed");
    let message = stderr(&check());
    assert!(
        message.contains("t.toml:4") && message.contains("no such folder: `syzygy`"),
        "{message}"
    );
}

#[test]
fn damage_that_a_game_finds_is_a_warning() {
    let folder = folder(PATH);
    let file = folder.path("syzygy/KQvK.rtbw");
    let mut bytes = fs::read(&file).expect("a table");
    // The list of blocks, with the last position in each.
    let list = [255, 1].repeat(8);
    let list = bytes.windows(16).position(|part| part == list);
    for pair in bytes[list.expect("the list")..].chunks_mut(2) {
        if pair != [255, 1] {
            break;
        }
        pair.fill(0);
    }
    fs::write(&file, bytes).expect("written");
    let output = run_in(&folder, &["run", "t.toml", "--json", "--store", "s.sqlite"]);
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    assert!(
        message.contains("KQvK.rtbw` is no longer used: it is damaged")
            && message.contains("help: fetch the file again"),
        "{message}"
    );
    assert!(!stdout(&output).contains("tablebase-adjudication"));
}

#[test]
fn the_tables_are_part_of_the_run_and_their_place_is_not() {
    let one = folder(PATH);
    let run_id = |folder: &Sandbox| {
        let checked = run_in(folder, &["check", "t.toml", "--json"]);
        let checked: Value = serde_json::from_slice(&checked.stdout).expect("JSON");
        (
            checked["run"].clone(),
            checked["config"]["adjudication"]["syzygy"].clone(),
        )
    };
    let (id, shown) = run_id(&one);
    assert_eq!(shown["fifty"], true);
    assert_eq!(shown["results"], "all");
    assert_eq!(shown["found"].as_str().map(str::len), Some(64));
    assert_eq!(run_id(&folder(PATH)).0, id, "in another folder");
    let other = folder(PATH);
    write(
        Path::new(&other.path("syzygy")),
        "KNvK",
        &constant(*b"KNvK", [DRAW, DRAW + 1]),
    );
    assert_ne!(run_id(&other).0, id);
}
