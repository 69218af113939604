//! Continuation of studies that were stopped, killed or damaged.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::small_study;
use crate::common::{Sandbox, json, leitai, project, run, stderr, stdout};
use leitai_config::{OpeningOrder, load, parse};
use leitai_runs::study::tournaments;
use rusqlite::{Connection, OpenFlags};

/// The number of finished searches in a record; 0 without a record.
fn searches(record: &str) -> u64 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let count = Connection::open_with_flags(record, flags)
        .and_then(|conn| conn.query_row("SELECT count(*) FROM cell", [], |row| row.get(0)));
    count.unwrap_or(0_i64) as u64
}

#[test]
fn a_study_that_was_stopped_carries_on() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(2, ""));
    let record = sandbox.path("cells.sqlite");
    let study = |more: &[&str]| {
        let output = run(&[&["study", &config, "--json"], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let resumed = || study(&["--store", &record]);
    let whole = resumed();
    // All figures come from the record, including times.
    assert_eq!(resumed(), whole);
    assert_eq!(searches(&record), 60);
    let half = "DELETE FROM cell WHERE key IN (SELECT key FROM cell LIMIT 30)";
    Connection::open(&record)
        .unwrap()
        .execute(half, [])
        .unwrap();
    let timeless = |more: &[&str]| study(&[&["--no-times"], more].concat());
    assert_eq!(timeless(&["--store", &record]), timeless(&["--no-resume"]));
    assert_eq!(resumed(), resumed());
    // Cells of another depth are not reused. The former name of the option works, too.
    let deeper = sandbox.write("study.toml", &small_study(3, ""));
    assert_eq!(deeper, config);
    assert_eq!(timeless(&["--resume", &record]), timeless(&["--no-resume"]));
    assert_eq!(searches(&record), 120);
}

/// Regression test for attack D1: a changed digit of a count, impossible counts, changed bytes of
/// the file. Records in text form carried them into the table without a warning.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn damaged_searches_of_a_record_are_repeated_and_reported() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(1, ""));
    let record = sandbox.path("cells.sqlite");
    let study = || {
        let line = [
            "study",
            &config,
            "--store",
            &record,
            "--no-times",
            "-q",
            "--json",
        ];
        run(&line)
    };
    let whole = study();
    let pristine = std::fs::read(&record).unwrap();
    for change in [
        "UPDATE cell SET content = replace(content, '1', '2') WHERE instr(content, '1')",
        "UPDATE cell SET content = replace(content, '[[', '[[-')",
        "UPDATE cell SET content = '[[9223372036854775807]]'",
        "UPDATE cell SET content = ''",
        "UPDATE cell SET digest = x'00'",
        "UPDATE cell SET key = randomblob(32) WHERE key = (SELECT key FROM cell LIMIT 1)",
        "UPDATE cell SET key = x'00' WHERE key = (SELECT key FROM cell LIMIT 1)",
    ] {
        std::fs::write(&record, &pristine).unwrap();
        let conn = Connection::open(&record).unwrap();
        let damaged = conn.execute(change, []).unwrap();
        drop(conn);
        let output = study();
        assert!(output.status.success(), "{change}: {}", stderr(&output));
        assert_eq!(stdout(&output), stdout(&whole), "{change}");
        let some = if damaged == 1 {
            "1 damaged finished search removed".to_owned()
        } else {
            format!("{damaged} damaged finished searches removed")
        };
        assert!(
            stderr(&output).contains(&some),
            "{change}: {}",
            stderr(&output)
        );
        // Reported once: the search has been repeated.
        let again = study();
        assert_eq!(
            (stdout(&again), stderr(&again)),
            (stdout(&whole), String::new())
        );
        assert_eq!(searches(&record), 60, "{change}");
    }
    // Single changed bytes anywhere: an error that names the file, or the same table.
    let mut told = 0;
    for at in (0..pristine.len()).step_by(pristine.len() / 7) {
        let mut bytes = pristine.clone();
        bytes[at] ^= 0x04;
        std::fs::write(&record, &bytes).unwrap();
        let output = study();
        if output.status.success() {
            assert_eq!(stdout(&output), stdout(&whole), "at {at}");
        } else {
            assert_eq!(output.status.code(), Some(2), "at {at}");
            assert!(stderr(&output).contains("cells.sqlite"), "at {at}");
        }
        told += usize::from(!stderr(&output).is_empty());
    }
    assert!(told >= 2, "{told}");
}

#[test]
fn two_processes_on_one_study_do_not_harm_each_other() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(3, ""));
    let record = sandbox.path("cells.sqlite");
    let start = || {
        let mut command = leitai();
        command.args(["study", &config, "--store", &record, "--no-times", "-q"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the binary runs")
    };
    let both = [start(), start()].map(|child| child.wait_with_output().unwrap());
    for output in &both {
        assert!(output.status.success(), "{}", stderr(output));
    }
    assert_eq!(stdout(&both[0]), stdout(&both[1]));
    assert_eq!(searches(&record), 60);
    let listed = run(&["report", "--list", &record]);
    assert!(listed.status.success(), "{}", stderr(&listed));
    let said = stderr(&listed);
    assert!(said.contains("no runs, but 60 finished searches"), "{said}");
    let listed = json(&["report", "--list", "--json", &record]);
    assert_eq!(listed, serde_json::json!([]));
    let reported = run(&["report", &record]);
    assert_eq!(reported.status.code(), Some(2));
    let said = stderr(&reported);
    assert!(said.contains("60 finished searches of studies"), "{said}");
}

/// Starts a study in the folder, as its user would.
#[cfg(unix)]
fn started(sandbox: &Sandbox, more: &[&str]) -> Child {
    let mut command = leitai();
    let command = command
        .current_dir(sandbox.path(""))
        .args(["study", "study.toml"]);
    let command = command
        .args(["--no-times", "--json", "--threads", "2"])
        .args(more);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary runs")
}

/// The number of searches in the record.
#[cfg(unix)]
fn kept(sandbox: &Sandbox) -> u64 {
    searches(&sandbox.path("study.sqlite"))
}

/// Waits until the record has this number of searches.
#[cfg(unix)]
fn wait_for(sandbox: &Sandbox, searches: u64) {
    let began = Instant::now();
    while kept(sandbox) < searches {
        assert!(
            began.elapsed() < Duration::from_mins(2),
            "no search is kept"
        );
        sleep(Duration::from_millis(5));
    }
}

/// Continues without any option.
#[cfg(unix)]
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_study_that_was_killed_carries_on_by_itself() {
    let sandbox = Sandbox::new();
    sandbox.write("study.toml", &small_study(4, ""));
    for searches in [1, 9, 25] {
        let mut child = started(&sandbox, &[]);
        wait_for(&sandbox, searches);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(kept(&sandbox) >= searches, "{}", kept(&sandbox));
    }
    assert!(kept(&sandbox) < 60, "it was over before it was killed");
    let resumed = started(&sandbox, &[]).wait_with_output().unwrap();
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    let said = stderr(&resumed);
    assert!(
        said.contains("searches are known from study.sqlite"),
        "{said}"
    );
    let whole = started(&sandbox, &["--no-resume"])
        .wait_with_output()
        .unwrap();
    assert_eq!(stdout(&resumed), stdout(&whole));
    assert_eq!(sandbox.files(), ["study.sqlite", "study.toml"]);
    // All searches are in the record now; a changed study is another one, and `--fresh` repeats all
    // searches.
    let known = |more: &[&str]| stderr(&started(&sandbox, more).wait_with_output().unwrap());
    assert!(known(&[]).contains("60 of 60 searches are known"));
    sandbox.write("study.toml", &small_study(2, ""));
    assert_eq!(known(&[]), "");
    assert_eq!(kept(&sandbox), 120);
    assert_eq!(known(&["--fresh"]), "");
    assert_eq!(kept(&sandbox), 120);
    // The file of an earlier version is left alone, and reported.
    sandbox.write("study.journal", "[\"key\",[]]\n");
    let refused = known(&["--resume", "study.journal"]);
    assert!(refused.contains("not an SQLite file"), "{refused}");
    assert!(
        refused.contains("`--store FILE` names another record"),
        "{refused}"
    );
    std::fs::remove_file(sandbox.path("study.sqlite")).unwrap();
    let said = known(&[]);
    assert!(
        said.contains("study.journal is of an earlier version"),
        "{said}"
    );
    assert_eq!(
        std::fs::read_to_string(sandbox.path("study.journal")).unwrap(),
        "[\"key\",[]]\n"
    );
}

#[cfg(unix)]
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn an_interrupted_study_prints_its_command_and_resumes() {
    let sandbox = Sandbox::new();
    sandbox.write("study.toml", &small_study(4, ""));
    let child = started(&sandbox, &["--csv=cells.csv"]);
    wait_for(&sandbox, 3);
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", "INT", &pid]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("kept in study.sqlite; resume with\n  leitai study"),
        "{said}"
    );
    assert_eq!(sandbox.files(), ["study.sqlite", "study.toml"]);
    let before = kept(&sandbox);
    let command = said.lines().last().unwrap().trim();
    let words = command.split(' ').skip(1);
    let mut again = leitai();
    let again = again
        .current_dir(sandbox.path(""))
        .args(words)
        .output()
        .unwrap();
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(stderr(&again).contains(&format!("{before} of 60 searches are known")));
    let whole = started(&sandbox, &["--no-resume"])
        .wait_with_output()
        .unwrap();
    assert_eq!(stdout(&again), stdout(&whole));
    assert_eq!(sandbox.files(), ["cells.csv", "study.sqlite", "study.toml"]);
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn the_games_of_a_study_are_recorded_and_carry_on() {
    let sandbox = Sandbox::new();
    let book = project("openings/xiangqi.epd");
    let book = book.to_str().expect("UTF-8");
    let games = format!(
        "[study.games]\npairs = 3\nnodes = 100\nmovetime = \"1ms\"\n[openings]\nfile = {book:?}\norder = \"sequential\""
    );
    let config = sandbox.write("study.toml", &small_study(1, &games));
    let store = sandbox.path("games.sqlite");
    let study = || {
        json(&[
            "study",
            "--no-resume",
            &config,
            "--no-times",
            "--json",
            "--store",
            &store,
        ])
    };
    let first = study();
    let runs = first["games"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["terms"]["nodes"], 100);
    assert_eq!(runs[1]["terms"]["milliseconds"], 1);
    for strengths in runs {
        let strengths = strengths["strengths"].as_array().unwrap();
        let names: Vec<_> = strengths
            .iter()
            .map(|s| s["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["captures", "figure-2"]);
    }
    // Even timed games are read back, not played again.
    assert_eq!(first, study());
    let listed = json(&["report", &store, "--list", "--json"]);
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!(listed[0]["recorded"], 6);
    let id = runs[0]["run"].as_str().unwrap();
    let report = json(&["report", &store, "--run", id, "--json"]);
    assert_eq!(report["pairs_played"], 6);
    // The record alone contains the games and their starts.
    let verified = run(&["verify", &store, "--run", id]);
    assert!(verified.status.success(), "{}", stderr(&verified));
    let loaded = load(Path::new(&config), &[], &leitai_games::all()).unwrap();
    let games = loaded.study.as_ref().unwrap().games.as_ref().unwrap();
    let (text, name) = (&loaded.warnings.text, &loaded.warnings.name);
    for (_, tournament) in tournaments(&loaded.config, games, text, name).unwrap() {
        let text = &tournament.warnings.text;
        assert_eq!(
            parse(text, "x", &leitai_games::all()).unwrap().config,
            tournament.config
        );
        assert_eq!(
            tournament.config.openings.file.as_deref(),
            Some(Path::new(book))
        );
        assert_eq!(tournament.config.openings.order, OpeningOrder::Sequential);
    }
    let pairing = &report["pairings"][1];
    let other = &runs[0]["strengths"][1];
    assert_eq!(pairing["second"], other["name"]);
    assert_eq!(pairing["losses"], other["wins"]);
}
