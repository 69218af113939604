//! Tunes of a program's options: processes kept from batch to batch, and the handling of failures.

use std::fs;
use std::path::Path;
use std::process::Output;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use super::{NODES, assert_no_process_left, config, dialogues};
use crate::common;
use crate::programs::words;

/// A folder with a tune of the mock's option.
fn folder(mode: &str, more: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let text = config(mode, NODES, "options = { Hash = 16 }");
    let text = text.replace(
        "max_plies = 12",
        "max_plies = 6, resign = { score = 100, plies = 2 }",
    );
    let tune = format!(
        "[tune]\nvariant = \"mock\"\ngames = 60\nwindow = 4\nhandicap = \"off\"\n\
         [[tune.parameter]]\npath = \"options.Hash\"\nmin = 1\nmax = 64\nstep = 6\n{more}"
    );
    let text = text.replace("tournament = { pairs = 2 }", &tune);
    fs::write(folder.path().join("tune.toml"), text).expect("a config");
    folder
}

fn leitai(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = common::leitai();
    let output = command.current_dir(folder).args(arguments).output();
    assert_no_process_left(folder);
    output.expect("leitai")
}

/// The JSON of a tune that ended with that code, and its messages.
fn tune(folder: &Path, code: i32, more: &[&str]) -> (Value, String) {
    let usual = ["tune", "tune.toml", "--json", "--quiet", "--no-proof"];
    let output = leitai(folder, &[&usual, more].concat());
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(code), "{told}");
    let answer = serde_json::from_slice(&output.stdout).expect("JSON");
    (answer, told)
}

/// The number of processes of the mock.
fn processes(folder: &Path) -> usize {
    let pids = fs::read_to_string(folder.join("pids")).expect("a list");
    pids.lines().count()
}

#[test]
fn a_program_is_kept_and_plays_with_the_values_of_its_batch() {
    let (kept, fresh) = (folder("by-hash", ""), folder("by-hash", ""));
    let file = fresh.path().join("tune.toml");
    let text = fs::read_to_string(&file).expect("a config");
    let text = text.replace("protocol = \"uci\"", "protocol = \"uci\"\nrestart = true");
    fs::write(&file, text).expect("a config");
    let one = ["--threads", "1", "--dialogue", "talk"];
    let [(learnt, _), (other, _)] = [&kept, &fresh].map(|it| tune(it.path(), 0, &one));
    assert_eq!(learnt["games"], 60);
    assert_eq!(learnt["dimensions"], other["dimensions"]);
    assert!(learnt.get("failures").is_none(), "nothing is said of none");
    let value = learnt["dimensions"][0]["value"].as_i64().expect("a value");
    assert!(value > 20, "more is better: {value}");
    // One process for the identity; then two that play.
    assert_eq!(processes(kept.path()), 3);
    assert_eq!(processes(fresh.path()), 1 + 2 * 60);

    let talk = kept.path().join("talk");
    for seat in ["+", "-"] {
        let games = dialogues(&talk, &format!("-mock{seat}.log"));
        assert_eq!(games.len(), 60, "{seat}");
        let mut values: Vec<&str> = games
            .iter()
            .map(|lines| {
                lines[1]
                    .strip_prefix("# options: Hash = ")
                    .expect("an option")
            })
            .collect();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > 5, "{values:?}");
    }
    assert_eq!(dialogues(&talk, "").len(), 120, "no name is said twice");
}

/// Of any spelling: the program compares exactly.
#[test]
fn an_option_is_tuned_in_the_spelling_of_the_program() {
    let folder = folder("by-hash", "");
    let file = folder.path().join("tune.toml");
    let text = fs::read_to_string(&file).expect("a config");
    let text = text.replace("{ Hash = 16 }", "{ HASH = 16 }");
    fs::write(&file, text.replace("options.Hash", "options.HASH")).expect("a config");
    let (learnt, _) = tune(folder.path(), 0, &["--dialogue", "talk"]);
    assert!(
        learnt["dimensions"][0]["value"].as_i64() > Some(20),
        "{learnt}"
    );
    let games = dialogues(&folder.path().join("talk"), "-mock+.log");
    let lines = games.iter().flatten();
    let set: Vec<&String> = lines.filter(|line| line.contains("setoption")).collect();
    assert!(
        !set.is_empty() && set.iter().all(|line| line.contains("name Hash value")),
        "{set:?}"
    );
    let written = fs::read_to_string(folder.path().join("tune.tuned.toml")).expect("a config");
    assert!(
        written.contains("HASH = ") && !written.contains("Hash = "),
        "{written}"
    );
}

/// An option written as a text with decimals moves in hundredths, and leaves in every form.
#[test]
fn an_option_with_decimals_is_tuned_and_exported() {
    let folder = folder("by-rate", "");
    let file = folder.path().join("tune.toml");
    let text = fs::read_to_string(&file).expect("a config");
    let text = text
        .replace("options = { Hash = 16 }", "options = { Rate = \"1.25\" }")
        .replace("options.Hash", "options.Rate")
        .replace(
            "min = 1\nmax = 64\nstep = 6",
            "min = 0.5\nmax = 4\nstep = 0.5",
        );
    fs::write(&file, text).expect("a config");
    let list = leitai(folder.path(), &["tune", "tune.toml", "--list"]);
    let list = String::from_utf8(list.stdout).expect("text");
    let row = list.lines().find(|line| line.contains("options.Rate"));
    let cells: Vec<&str> = row.expect("a row").split_whitespace().collect();
    assert_eq!(cells, ["options.Rate", "1.25", "0.50", "4.00", "0.5", "1"]);

    let one = ["--threads", "1", "--dialogue", "talk"];
    let (learnt, _) = tune(folder.path(), 0, &one);
    let dimension = &learnt["dimensions"][0];
    assert_eq!(dimension["start"], 1.25);
    let value = dimension["value"].as_f64().expect("a value");
    assert!((1.3..=4.0).contains(&value), "more is better: {value}");
    assert!(dimension["error"].as_f64().expect("an error") < 2.0);
    let games = dialogues(&folder.path().join("talk"), "-mock+.log");
    let rates = games
        .iter()
        .filter_map(|lines| lines[1].strip_prefix("# options: Rate = "));
    let mut rates: Vec<&str> = rates.collect();
    rates.sort_unstable();
    rates.dedup();
    assert!(rates.len() > 5, "{rates:?}");

    let tuned = fs::read_to_string(folder.path().join("tune.tuned.toml")).expect("a config");
    let line = format!("\"Rate\" = \"{value:.2}\"");
    assert!(tuned.contains(&line), "{line} in {tuned}");
    let export = |words: &[&str]| {
        let output = leitai(folder.path(), words);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let again = [
        "tune",
        "tune.toml",
        "--quiet",
        "--no-proof",
        "--export",
        "uci",
    ];
    let option = format!("setoption name Rate value {value:.2}\n");
    assert_eq!(export(&again), option);
    let openbench = ["report", "tune.sqlite", "--export", "openbench"];
    let spsa = format!("Rate, float, {value:.2}, 0.50, 4.00, 0.1750, 0.002\n");
    assert_eq!(export(&openbench), spsa);
    export(&["report", "tune.sqlite", "--export", "c=rate.h"]);
    let written = fs::read_to_string(folder.path().join("rate.h")).expect("a file");
    assert!(
        written.starts_with(&format!("double options_Rate = {value:.2};")),
        "{written}"
    );
    let refused = leitai(
        folder.path(),
        &["report", "tune.sqlite", "--export", "pascal"],
    );
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn failures_of_players_are_recorded_and_reported() {
    let whole = ["1", "2"].map(|threads| {
        let folder = folder("crash-until-fixed", "[failures]\ntolerate = \"100 %\"\n");
        // Games are won only by failures, which affect both sides equally.
        let (answer, told) = tune(folder.path(), 3, &["--threads", threads]);
        let failures = &answer["failures"];
        let crash = &failures["variants"][0]["causes"][0];
        assert_eq!(crash["cause"], "crash");
        let lost = crash["lost"].as_u64().expect("a count");
        assert!((2..60).contains(&lost), "some openings are hard: {lost}");
        let pairs = failures["spoilt_pairs"].as_u64().expect("a count");
        assert_eq!(lost, 2 * pairs, "whoever moves first in such a pair");
        let warning = format!("warning: {lost} of 60 games");
        assert!(told.contains(&warning), "{told}");
        let file = Connection::open(folder.path().join("tune.sqlite")).expect("a record");
        let recorded = "SELECT count(*) FROM batch_failure WHERE cause = 'crash' AND counts = 1";
        let recorded: i64 = file
            .query_row(recorded, [], |row| row.get(0))
            .expect("the table");
        assert_eq!(u64::try_from(recorded), Ok(lost));
        let report = leitai(folder.path(), &["report", "tune.sqlite"]);
        let report = String::from_utf8(report.stdout).expect("text");
        assert!(
            report.contains("Failures:\n  `mock` failed in "),
            "{report}"
        );
        failures.clone()
    });
    assert_eq!(whole[0], whole[1]);
}

#[test]
fn a_failure_that_is_to_stop_the_tune_stops_it_and_is_named() {
    let stopped = ["1", "2"].map(|threads| {
        let folder = folder("crash-until-fixed", "[failures]\ncrash = \"stop\"\n");
        let (answer, told) = tune(folder.path(), 4, &["--threads", threads]);
        let stopped = answer["stopped"].clone();
        assert_eq!(stopped["variant"], "mock");
        assert_eq!(stopped["cause"], "crash");
        let (pair, opening) = (&stopped["pair"], stopped["opening"].as_str());
        let opening = opening.expect("an opening");
        let said = format!(
            "the variant `mock` failed: crash in game 1 of pair {pair}, from the opening \
             `{opening}`"
        );
        assert!(told.contains(&said), "{told}");
        assert!(told.contains("leitai tune tune.toml"), "{told}");
        // The pairs before the failure, and no more than were in progress with it.
        let played = answer["games"].as_u64().expect("games") / 2;
        assert_eq!(Some(played), pair.as_u64());
        let file = Connection::open(folder.path().join("tune.sqlite")).expect("a record");
        let batches: i64 = file
            .query_row("SELECT count(*) FROM batch", [], |row| row.get(0))
            .expect("the table");
        assert!(
            batches <= played as i64 + 1,
            "{batches} batches, {played} before"
        );

        fs::write(folder.path().join(words::FIXED), "").expect("written");
        let (answer, _) = tune(folder.path(), 3, &["--threads", threads]);
        assert_eq!(
            (&answer["games"], answer.get("stopped")),
            (&60.into(), None)
        );
        stopped
    });
    assert_eq!(stopped[0], stopped[1]);
}

/// Both players of a tune are one program: if it fails in all games, nothing is learnt.
#[test]
fn a_program_that_only_fails_ends_its_tune() {
    let folder = folder("crash", "");
    let (answer, told) = tune(folder.path(), 4, &[]);
    assert!(
        told.contains("`mock` on the plus side lost 5 of its first 10 games"),
        "{told}"
    );
    assert!(told.contains("leitai doctor"), "{told}");
    assert_eq!(answer["complete"], false);
    assert!(
        answer["dimensions"][0]["most_elo_per_step"].is_null(),
        "{answer:#}"
    );
    assert_eq!(answer["dimensions"][0]["value"], 16, "{answer:#}");
    let games = |answer: &Value| answer["games"].as_u64().expect("a number");
    assert!((10..20).contains(&games(&answer)), "{answer:#}");
    // The record gives the same result.
    let (again, _) = tune(folder.path(), 4, &[]);
    assert_eq!(again["games"], answer["games"]);
}

/// A value that crashes the program loses some games of both sides.
#[test]
fn a_tune_with_a_value_that_crashes_ends_and_shows_which() {
    let ended = ["1", "2"].map(|threads| {
        let folder = folder("crash-above", "");
        let (answer, told) = tune(folder.path(), 4, &["--threads", threads]);
        assert!(told.contains("error: `mock` on the "), "{told}");
        assert!(
            !folder.path().join("tune.tuned.toml").exists(),
            "nothing is learnt"
        );
        let report = leitai(folder.path(), &["report", "tune.sqlite"]);
        let report = String::from_utf8(report.stdout).expect("text");
        let said = "`options.Hash`: the higher value failed in ";
        assert!(report.contains(said), "{report}");
        let page = fs::read_to_string(folder.path().join("tune.report.html")).expect("a page");
        assert!(page.contains("the higher value failed in "), "{page}");
        assert!(page.contains("No value is adopted"), "{page}");
        assert!(answer["failing"]["cause"].is_string(), "{answer:#}");
        answer
    });
    assert_eq!(ended[0]["failures"], ended[1]["failures"]);
    let directions = &ended[0]["failures"]["directions"];
    let hash = &directions["parameters"][0];
    assert_eq!(hash["name"], "options.Hash");
    assert_eq!(hash["higher"]["failed_share"], 1.0);
    assert_eq!(hash["lower"]["failed"], 0);
    let games = ended[0]["games"].as_u64();
    assert_eq!(directions["plus"]["games"].as_u64(), games);
}

/// The same program verifies the learnt values, and breaks before the verification match.
#[test]
fn a_proof_of_a_tune_decides_nothing_by_dead_players() {
    let folder = folder("by-hash", "");
    tune(folder.path(), 0, &[]);
    fs::write(folder.path().join("broken"), "").expect("written");
    let output = leitai(folder.path(), &["tune", "tune.toml", "--json", "--quiet"]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(4), "{told}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["proof"]["verdict"], "failed", "{answer:#}");
    assert_eq!(answer["proof"]["candidates"][0]["pairs"], 5);
}

/// Both values of a batch play alike: the tuned program is the initial one, and no gate between the
/// two is played.
#[test]
fn a_tune_that_changes_nothing_proves_nothing() {
    let folder = folder("good", "");
    let output = leitai(folder.path(), &["tune", "tune.toml", "--quiet"]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("no value has changed"), "{told}");
    assert!(!folder.path().join("tune.tuned.toml").exists());
}
