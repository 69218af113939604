//! Studies and the bench as a user runs them.

mod binary;

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

use binary::{Sandbox, json, leitai, project, run, stderr, stdout};
use leitai::config::{GameChoice, OpeningOrder, default_variant, load, parse};
use leitai::game::Line;
use leitai::game::othello::{Othello, OthelloRules};
use leitai::player::Playable;
use leitai::schedule::Book;
use leitai::search::{Search, SearchLimits};
use leitai::study::{Cell, Cells, Task, search, tournaments};
use rusqlite::{Connection, OpenFlags};

/// A study of three orders on the 20 middlegames.
fn small_study(depth: u32, more: &str) -> String {
    let suite = project("openings/xiangqi-midgame20.epd");
    let suite = suite.to_str().expect("UTF-8");
    format!(
        r#"
game = "xiangqi"
seed = 5

[study]
suite = {suite:?}
depth = {depth}
resamples = 200
{more}

[[variant]]
name = "by-piece"
search = {{ ordering = ["by-piece"], quiescence = false, rules = false, table_mb = 0 }}

[[variant]]
name = "captures"
base = "by-piece"
search = {{ ordering = ["good-captures", "by-piece"] }}

[[variant]]
name = "figure-2"
base = "by-piece"
search = {{ ordering = ["good-captures", "killers", "history"] }}
"#
    )
}

#[test]
fn a_study_is_the_same_for_any_number_of_threads() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(3, "nodes = 9_000"));
    let study = |threads: &str| {
        let file = |name: &str| sandbox.path(&format!("{name}-{threads}"));
        let files = ["cells.csv", "summary.csv", "svg"].map(file);
        let [cells, summary, svg] = &files;
        let output = run(&[
            "study",
            "--no-resume",
            &config,
            "--threads",
            threads,
            "--no-times",
            "--csv",
            cells,
            "--summary-csv",
            summary,
            "--svg",
            svg,
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let svg = ["nodes.svg", "ratio.svg"].map(|name| read(&Path::new(svg).join(name)));
        let json = run(&[
            "study",
            "--no-resume",
            &config,
            "--threads",
            threads,
            "--no-times",
            "--json",
        ]);
        let written = [read(Path::new(cells)), read(Path::new(summary))];
        (stdout(&output), written, svg, stdout(&json))
    };
    let (text, written, svg, json) = study("1");
    assert_eq!((text.clone(), written, svg, json.clone()), study("3"));
    assert!(!text.contains("ms") && !json.contains("seconds"));
    assert!(
        text.contains("Given up beyond 9 000 nodes in one search"),
        "{text}"
    );
}

#[test]
fn orders_differ_in_nodes_and_not_in_scores() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(3, ""));
    let figures = json(&["study", "--no-resume", &config, "--json"]);
    assert_eq!(figures["positions"], 20);
    for (index, variant) in figures["variants"].as_array().unwrap().iter().enumerate() {
        let depths = variant["depths"].as_array().unwrap();
        assert_eq!(depths.len(), 3);
        for (depth, at) in depths.iter().enumerate() {
            assert_eq!(at["differs"]["scores"], 0);
            let versus = &at["nodes"]["versus_first"]["ratio"];
            assert_eq!(versus.is_null(), index == 0);
            let high = versus["high"].as_f64().unwrap_or(0.0);
            assert!(
                depth == 0 || high < 1.0,
                "{} at {depth}: {high}",
                variant["name"]
            );
            let seconds = at["total_seconds"]["mean"].as_f64().unwrap();
            assert!(seconds > 0.0 && seconds < 10.0);
        }
        // At depth 1 every move is made, and no other.
        let mean = depths[0]["nodes"]["mean"].as_f64();
        assert_eq!(mean, figures["mean_moves"].as_f64());
    }
}

/// Without deepening each depth is a search of its own: no total, and a limit of
/// nodes for each.
#[test]
fn depths_that_are_searched_afresh_do_not_add_up() {
    let sandbox = Sandbox::new();
    let text = small_study(3, "nodes = 9_000").replace(
        "name = \"figure-2\"\nbase = \"by-piece\"\nsearch = {",
        "name = \"afresh\"\nbase = \"by-piece\"\nsearch = { deepening = false,",
    );
    let config = sandbox.write("study.toml", &text);
    let cells = sandbox.path("cells.csv");
    let figures = json(&[
        "study",
        "--no-resume",
        &config,
        "--json",
        "--no-times",
        "--csv",
        &cells,
    ]);
    let flags = figures["variants"].as_array().unwrap().iter();
    let flags = flags.map(|variant| variant["deepening"].as_bool());
    assert_eq!(
        flags.collect::<Vec<_>>(),
        [Some(true), Some(true), Some(false)]
    );
    let cells = std::fs::read_to_string(cells).unwrap();
    let rows = cells
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect::<Vec<_>>());
    for row in rows {
        let [depth, nodes, total]: [u64; 3] = [2, 3, 4].map(|at| row[at].parse().unwrap());
        assert!(total <= 9_000);
        assert_eq!(nodes == total, row[0] == "afresh" || depth == 1, "{row:?}");
    }
    let text = stdout(&run(&["study", "--no-resume", &config, "--total"]));
    assert!(text.contains("Nodes of the whole search to each depth"));
    assert!(
        text.contains("without the iterations before it, by `afresh`"),
        "{text}"
    );
}

#[test]
fn a_cell_is_what_a_search_of_its_own_finds() {
    let text = include_str!("../src/cli/bench/othello.epd");
    let suite = Book::<Othello>::parse(text, "suite").unwrap();
    let variant = default_variant(GameChoice::Othello(OthelloRules::default())).unwrap();
    let variants = [variant.clone(), variant.clone()];
    let task = Task {
        rules: OthelloRules::default(),
        variants: &variants,
        suite: &suite,
        depth: 4,
        nodes: None,
    };
    let (calm, threads) = (AtomicBool::new(false), NonZeroUsize::new(2).unwrap());
    let clock = || Duration::ZERO;
    let mut cells = Cells::empty(&task);
    let mut heard = 0;
    let hear = |_, _: &Cell| -> Result<(), ()> {
        heard += 1;
        Ok(())
    };
    search(&task, &mut cells, threads, &calm, &clock, hear).unwrap();
    assert_eq!(heard, 2 * suite.len());
    for (index, opening) in suite.openings.iter().enumerate() {
        let cell = cells.cell(1, index);
        assert_eq!(cell, cells.cell(0, index));
        for (depth, iteration) in (1..).zip(cell) {
            let evaluation = Othello::evaluation(&variant.eval, OthelloRules::default()).unwrap();
            let mut alone = Search::new(variant.search.clone(), evaluation);
            let limits = SearchLimits {
                nodes: None,
                depth: Some(depth),
            };
            let line = Line::new(opening.position);
            let report = alone.run(&line, OthelloRules::default(), &limits, &|| false, None);
            assert_eq!(report.nodes, iteration.total_nodes);
            assert_eq!(
                (report.score, report.best),
                (iteration.score, iteration.best)
            );
        }
        let probes = |it: &leitai::study::Iteration| it.counters.table_probes;
        assert!(cell.iter().map(probes).sum::<u64>() > 0);
        let sum: u64 = cell.iter().map(|iteration| iteration.nodes).sum();
        assert_eq!(sum, cell[3].total_nodes);
    }
    let mut cancelled = Cells::empty(&task);
    let ignore = |_, _: &Cell| Ok::<(), ()>(());
    search(
        &task,
        &mut cancelled,
        threads,
        &AtomicBool::new(true),
        &clock,
        ignore,
    )
    .unwrap();
    assert_eq!(cancelled.progress(), (2 * suite.len(), 0));
}

/// The finished searches of a record; none if there is no record yet.
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
    // All is taken from the record, the times too.
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
    // Cells of another depth are others. The option has its former name, too.
    let deeper = sandbox.write("study.toml", &small_study(3, ""));
    assert_eq!(deeper, config);
    assert_eq!(timeless(&["--resume", &record]), timeless(&["--no-resume"]));
    assert_eq!(searches(&record), 120);
}

/// The attack D1: a digit of a count, counts of no search, bytes of the file. What was
/// recorded as text carried them into the table without a word.
#[test]
fn what_is_damaged_in_a_record_is_searched_again_and_told() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(2, ""));
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
            "1 finished search is not as it was written and is removed".to_owned()
        } else {
            format!("{damaged} finished searches are not as they were written and are removed")
        };
        assert!(
            stderr(&output).contains(&some),
            "{change}: {}",
            stderr(&output)
        );
        // Once: it has been searched again.
        let again = study();
        assert_eq!(
            (stdout(&again), stderr(&again)),
            (stdout(&whole), String::new())
        );
        assert_eq!(searches(&record), 60, "{change}");
    }
    // Single bytes anywhere: an error that names the file, or the same table.
    let mut told = 0;
    for at in (0..pristine.len()).step_by(pristine.len() / 60) {
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
    assert!(told >= 5, "{told}");
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

/// A study that is started in the folder, as its user would.
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

/// How many searches the record holds.
#[cfg(unix)]
fn kept(sandbox: &Sandbox) -> u64 {
    searches(&sandbox.path("study.sqlite"))
}

/// Waits until the record holds so many searches.
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

/// Without any option.
#[cfg(unix)]
#[test]
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
    // All of it is known now; a study that was changed is another, and `--fresh` searches
    // all of it anew.
    let known = |more: &[&str]| stderr(&started(&sandbox, more).wait_with_output().unwrap());
    assert!(known(&[]).contains("60 of 60 searches are known"));
    sandbox.write("study.toml", &small_study(2, ""));
    assert_eq!(known(&[]), "");
    assert_eq!(kept(&sandbox), 120);
    assert_eq!(known(&["--fresh"]), "");
    assert_eq!(kept(&sandbox), 120);
    // What an earlier version kept is left alone, and told.
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
fn an_interrupted_study_says_how_to_carry_on_and_does() {
    let sandbox = Sandbox::new();
    sandbox.write("study.toml", &small_study(4, ""));
    let child = started(&sandbox, &["--csv", "cells.csv"]);
    wait_for(&sandbox, 3);
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", "INT", &pid]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("kept in study.sqlite; carry on with\n  leitai study"),
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
fn the_plan_of_a_study_is_checked() {
    let sandbox = Sandbox::new();
    let book = project("openings/xiangqi.epd");
    let games =
        format!("nodes = 9_000\ngames = {{ pairs = 3, nodes = 100 }}\n[openings]\nfile = {book:?}");
    let config = sandbox.write("study.toml", &small_study(5, &games));
    let told = stdout(&run(&["check", &config]));
    assert!(
        told.contains(
            "study     3 variants on 20 positions to depth 5: 60 searches of at most 9000 nodes\n\
             games     at 100 nodes per move: 3 pairs of each other variant against `by-piece`: \
             6 pairs, 12 games, from 500 openings\n"
        ),
        "{told}"
    );
    let plan = json(&["check", &config, "--json"]);
    assert_eq!((&plan["pairs"], &plan["games"]), (&6.into(), &12.into()));
    assert_eq!(plan["study"]["searches"], 60);
    // What is wrong is said as the study says it, and nothing is begun.
    for more in [
        "games = { pairs = 2, nodes = 10 }",
        "games = { pairs = 1, nodes = 10 }\n[limits]\ndepth = 1",
        "suite = 5",
    ] {
        let config = sandbox.write("study.toml", &small_study(5, more));
        let said = |command: &str| {
            let output = run(&[command, &config]);
            assert_eq!(output.status.code(), Some(2), "{more}");
            stderr(&output)
        };
        assert_eq!(said("check"), said("study"), "{more}");
    }
    assert_eq!(sandbox.files(), ["study.toml"]);
}

#[test]
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
    // Even the games by the clock: they are read back, not played again.
    assert_eq!(first, study());
    let listed = json(&["report", "--store", &store, "--list", "--json"]);
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!(listed[0]["recorded"], 6);
    let id = runs[0]["run"].as_str().unwrap();
    let report = json(&["report", "--store", &store, "--run", id, "--json"]);
    assert_eq!(report["pairs_played"], 6);
    // The record says by itself what was played, and from where.
    let verified = run(&["verify", "--store", &store, "--run", id]);
    assert!(verified.status.success(), "{}", stderr(&verified));
    let loaded = load(Path::new(&config), &[]).unwrap();
    let games = loaded.study.as_ref().unwrap().games.as_ref().unwrap();
    let (text, name) = (&loaded.warnings.text, &loaded.warnings.name);
    for (_, tournament) in tournaments(&loaded.config, games, text, name).unwrap() {
        let text = &tournament.warnings.text;
        assert_eq!(parse(text, "x").unwrap().config, tournament.config);
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

/// What is wrong with the games is said before the long work: not one search
/// is recorded.
#[test]
fn bad_games_are_refused_before_anything_is_searched() {
    let sandbox = Sandbox::new();
    let refused = |more: &str, expected: &str| {
        let config = sandbox.write("study.toml", &small_study(2, more));
        let store = sandbox.path("games.sqlite");
        let output = run(&["study", &config, "--store", &store, "--quiet"]);
        assert_eq!(output.status.code(), Some(2));
        let text = stderr(&output);
        assert!(text.contains(expected), "{text}");
        assert_eq!(sandbox.files(), ["bad.epd", "study.toml"]);
    };
    let bad = sandbox.write("bad.epd", "no position at all\n");
    refused(
        &format!("games = {{ pairs = 1, nodes = 10 }}\n[openings]\nfile = {bad:?}"),
        "bad.epd",
    );
    refused("games = { pairs = 2, nodes = 10 }", "too few openings");
    refused(
        "games = { pairs = 1, nodes = 10 }\n[limits]\ndepth = 1",
        "remove `[limits]`",
    );
    // A folder cannot be the record.
    let config = small_study(2, "games = { pairs = 1, nodes = 10 }");
    let config = sandbox.write("study.toml", &config);
    let folder = sandbox.path("");
    let output = run(&["study", &config, "--store", &folder]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(sandbox.files(), ["bad.epd", "study.toml"]);
}

#[test]
fn what_is_no_study_is_refused_with_a_hint() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(2, ""));
    let output = run(&["run", &config]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("leitai study"),
        "{}",
        stderr(&output)
    );
    let ordering = project("configs/ordering.toml");
    let output = run(&["study", ordering.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("has no `[study]`"),
        "{}",
        stderr(&output)
    );
    let twice = small_study(2, "games = { pairs = 1, nodes = 10 }\n[limits]\ndepth = 1");
    let twice = sandbox.write("twice.toml", &twice);
    let output = run(&["study", &twice]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("remove `[limits]`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn problems_of_a_study_are_said_at_their_place() {
    let messages = |study: &str| -> Vec<String> {
        let text = format!("game = \"othello\"\n{study}\n[[variant]]\nname = \"a\"\n");
        match parse(&text, "study.toml") {
            Ok(_) => Vec::new(),
            Err(leitai::config::ConfigError::Invalid(found)) => found
                .problems
                .into_iter()
                .map(|problem| problem.message)
                .collect(),
            Err(other) => panic!("{other}"),
        }
    };
    let good = "[study]\nsuite = \"x.epd\"\ndepth = 5";
    assert_eq!(messages(good), [""; 0]);
    assert_eq!(
        messages("[study]"),
        ["a study without positions", "a study without a depth"]
    );
    assert_eq!(
        messages(&good.replace('5', "65")),
        ["`study.depth` is out of range"]
    );
    let more = |line: &str| messages(&format!("{good}\n{line}"));
    assert_eq!(more("resamples = 5"), ["`study.resamples` is out of range"]);
    assert_eq!(more("nods = 5"), ["unknown key `nods` in `[study]`"]);
    assert_eq!(
        more("games = {}"),
        [
            "games need an opponent: there is only one variant",
            "the number of games is missing",
            "no limits: a player must know when to move",
        ]
    );
    // One place for the openings, that of every other config.
    let good = format!("{good}\n[study.games]\npairs = 1\nnodes = 5\nopenings = \"a.epd\"");
    let second = "[[variant]]\nname = \"b\"\n";
    assert_eq!(
        messages(&format!("{good}\n{second}")),
        ["the openings of the games stand in the wrong place"]
    );
    assert_eq!(
        messages(&format!("{good}\n[openings]\nfile = \"b.epd\"\n{second}")),
        ["the openings of the games are given twice"]
    );
    // A tournament beside the study needs all that a tournament needs.
    assert_eq!(
        more("[tournament]\npairs = 1"),
        [
            "no limits: a player must know when to move",
            "there is only one variant: a tournament needs at least two",
        ]
    );
}

#[test]
fn the_ready_studies_are_sound() {
    for (file, variants) in [
        ("configs/study-table-1.toml", 4),
        ("configs/study-table-2.toml", 2),
        ("configs/study-table-3.toml", 3),
        ("configs/study-orderings.toml", 14),
        ("configs/study-algorithms.toml", 8),
        ("configs/study-heuristics.toml", 17),
    ] {
        let loaded = load(&project(file), &[]).unwrap_or_else(|error| panic!("{error}"));
        assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
        assert_eq!(loaded.config.variants.len(), variants);
        let suite = std::fs::read_to_string(loaded.study.unwrap().suite).unwrap();
        let suite = Book::<leitai::game::xiangqi::Xiangqi>::parse(&suite, file).unwrap();
        assert_eq!((suite.len(), suite.duplicates.len()), (20, 0));
    }
}

/// The same of Othello: its suite is read, and every order finds the same scores.
#[test]
fn orders_of_othello_differ_in_nodes_and_not_in_scores() {
    let config = project("configs/study-othello.toml");
    let loaded = load(&config, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    let suite = std::fs::read_to_string(loaded.study.as_ref().unwrap().suite.clone()).unwrap();
    let suite = Book::<Othello>::parse(&suite, "suite").unwrap();
    assert_eq!((suite.len(), suite.duplicates.len()), (40, 0));
    let task = Task::<Othello> {
        rules: leitai::game::othello::OthelloRules::default(),
        variants: &loaded.config.variants,
        suite: &suite,
        depth: 3,
        nodes: None,
    };
    let mut cells = Cells::empty(&task);
    let clock = || Duration::ZERO;
    let threads = NonZeroUsize::MIN;
    search::<Othello, ()>(
        &task,
        &mut cells,
        threads,
        &AtomicBool::new(false),
        &clock,
        |_, _| Ok(()),
    )
    .unwrap();
    let figures = leitai::study::Figures::new(&task, &cells, (1, 100), false);
    assert_eq!(figures.variants.len(), 15);
    let nodes = |name: &str| {
        let mut variants = figures.variants.iter();
        let variant = variants.find(|variant| variant.name == name).unwrap();
        for at in &variant.depths {
            assert_eq!((at.positions, at.differs.scores), (40, 0), "{name}");
        }
        variant.depths[2].nodes.mean.unwrap()
    };
    for variant in &figures.variants {
        let name = &variant.name;
        assert!(
            name == "shuffled" || (nodes(name) - nodes("shuffled")).abs() > 1e-9,
            "{name}"
        );
    }
    assert!(nodes("fastest-first") < nodes("shuffled"));
}

/// A position that is searched to the end of the game has no deeper iteration: it
/// is left out there, and the report says why.
#[test]
fn positions_near_the_end_are_left_out_beyond_it() {
    let sandbox = Sandbox::new();
    let late = "XXXXXXXXXOOOOOOXXOOXXOOXXOXOOXOXXOOXOOOXXOXOOXOXXOOOOOX-XXXXX--O X;";
    let suite = sandbox.write("late.epd", late);
    let config = format!(
        "game = \"othello\"\n[study]\nsuite = {suite:?}\ndepth = 9\n[[variant]]\nname = \"one\"\n"
    );
    let config = sandbox.write("study.toml", &config);
    let output = run(&["study", "--no-resume", &config, "--no-times"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains("Searched to the end of the game before: `one` 1 at depth 5,"),
        "{text}"
    );
    assert!(words.contains("`one` 1 at depth 9. Such a"), "{text}");
}

/// The signature of the search. Whoever changes what is searched changes these
/// numbers, and says so.
#[test]
fn the_bench_is_pinned() {
    for (game, positions, nodes) in [("xiangqi", 20, 1_213_505), ("othello", 8, 68_681)] {
        let bench = json(&["bench", game, "--json"]);
        let rows = bench["positions"].as_array().unwrap();
        assert_eq!(rows.len(), positions);
        let sum: u64 = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
        assert_eq!(
            (sum, bench["nodes"].as_u64()),
            (nodes, Some(nodes)),
            "{game}"
        );
    }
    let shallow = json(&["bench", "--depth", "1", "--json"]);
    assert_eq!(shallow["depth"], 1);
    assert!(stdout(&run(&["bench", "othello", "-d", "2"])).contains("nodes/second"));
}
