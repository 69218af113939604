//! Studies of solvers as a user runs them.

use std::fs;

use crate::common::{Sandbox, json, project, run, stderr, stdout};
use leitai_config::load;
use rusqlite::Connection;

/// Four problems: a stone in atari, the same with the defender to move, a ladder, and a stone
/// without a liberty to spare whose attacker cannot capture it.
const SUITE: &str = r#"[
{"id": "atari", "rows": [".....", ".....", "X....", "OX...", "....."],
 "target": "A2", "to_move": "B", "verdict": "captured", "solutions": ["A1"]},
{"id": "twin", "rows": [".....", ".....", "X....", "OX...", "....."],
 "target": "A2", "to_move": "W", "verdict": "captured"},
{"id": "ladder", "rows": [".........", ".........", "...X.....", "..XO.....", "..X......",
  ".........", ".........", ".........", "........."],
 "target": "D6", "to_move": "B", "verdict": "captured", "solutions": ["E6"]},
{"id": "free", "rows": [".......", ".......", "...X...", "...O...", ".......", ".......", "......."],
 "target": "D4", "to_move": "W", "verdict": "escapes"}
]"#;

/// A study of three solvers on these problems.
fn study(sandbox: &Sandbox, more: &str) -> String {
    sandbox.write("problems.json", SUITE);
    let text = format!(
        r#"game = "go"
seed = 5

[study]
suite = "problems.json"
nodes = 20_000
mode = "fast"
resamples = 200
{more}

[[variant]]
name = "alpha-beta"
search = {{ solver = {{ kind = "alpha-beta", table = 12 }} }}

[[variant]]
name = "pn"
search = {{ solver = {{ kind = "pn", table = 16 }} }}

[[variant]]
name = "df-pn+"
search = {{ solver = {{ kind = "df-pn+", table = 12 }} }}
"#
    );
    sandbox.write("study.toml", &text)
}

#[test]
fn a_study_of_solvers_is_the_same_for_any_number_of_threads() {
    let sandbox = Sandbox::new();
    let config = study(&sandbox, "");
    let study = |threads: &str| {
        let names = ["cells.csv", "summary.csv", "traces.csv", "svg"];
        let files = names.map(|name| sandbox.path(&format!("{threads}-{name}")));
        let [cells, summary, traces, svg] = &files;
        let output = run(&[
            "study",
            "--no-resume",
            &config,
            "--threads",
            threads,
            "--no-times",
            &format!("--csv={cells}"),
            "--summary-csv",
            summary,
            "--trajectories",
            traces,
            &format!("--svg={svg}"),
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        let mut written: Vec<String> = [cells, summary, traces]
            .map(|path| fs::read_to_string(path).unwrap())
            .into();
        let mut plots: Vec<_> = fs::read_dir(svg)
            .unwrap()
            .map(|it| it.unwrap().path())
            .collect();
        plots.sort();
        assert!(plots.len() >= 3, "{plots:?}");
        written.extend(plots.iter().map(|path| fs::read_to_string(path).unwrap()));
        let json = run(&[
            "study",
            "--no-resume",
            &config,
            "--threads",
            threads,
            "--no-times",
            "--json",
        ]);
        (stdout(&output), written, stdout(&json))
    };
    let one = study("1");
    assert_eq!(one, study("3"));
    assert!(!one.2.contains("seconds"), "{}", one.2);
    assert_eq!(one.1[0].lines().count(), 1 + 3 * 4);
}

#[test]
fn simple_problems_are_solved_by_all() {
    let sandbox = Sandbox::new();
    let config = study(&sandbox, "repeats = 2\nwithin = [\"100ms\", \"10s\"]");
    let figures = json(&["study", "--no-resume", &config, "--json"]);
    assert_eq!(
        (&figures["problems"], &figures["positions"]),
        (&4.into(), &3.into())
    );
    assert_eq!(figures["common"], 4, "{figures}");
    for solver in figures["solvers"].as_array().unwrap() {
        assert_eq!(
            (&solver["solved"], &solver["wrong"]),
            (&4.into(), &0.into())
        );
        assert_eq!(solver["unsteady"], 0);
        assert_eq!(solver["within"][1]["solved"], 4);
        assert!(solver["own"]["seconds"].as_f64().unwrap() < 10.0);
        assert!(solver["own"]["cpu_seconds"].is_number());
    }
    assert_eq!(figures["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(figures["disputed"], serde_json::json!([]));
}

#[test]
fn a_study_of_solvers_that_was_stopped_carries_on() {
    let sandbox = Sandbox::new();
    let config = study(&sandbox, "");
    let record = sandbox.path("cells.sqlite");
    let study = |told: &str| {
        let output = run(&["study", &config, "--json", "--store", &record, "--quiet"]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        stdout(&output)
    };
    let whole = study("");
    // All figures come from the record, including times.
    assert_eq!(study(""), whole);
    let change = |sql: &str| Connection::open(&record).unwrap().execute(sql, []).unwrap();
    let some = "WHERE key IN (SELECT key FROM cell LIMIT 5)";
    assert_eq!(change(&format!("DELETE FROM cell {some}")), 5);
    study("");
    assert_eq!(study(""), study(""));
    let more = "SET content = replace(content, '\"visited\":', '\"visited\":1')";
    assert_eq!(change(&format!("UPDATE cell {more} {some}")), 5);
    study("5 damaged finished searches removed");
    assert_eq!(study(""), study(""));
    assert_eq!(change("DELETE FROM cell"), 12);
}

#[test]
fn a_problem_that_is_none_does_not_stop_the_others() {
    let sandbox = Sandbox::new();
    let config = study(&sandbox, "");
    let broken = SUITE.replace("\"target\": \"D6\"", "\"target\": \"E5\"");
    sandbox.write("problems.json", &broken);
    let output = run(&["study", "--no-resume", &config, "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("`ladder`"), "{}", stderr(&output));
    assert!(stdout(&output).contains("\"problems\":3"));
    sandbox.write("problems.json", "[]");
    let output = run(&["study", "--no-resume", &config]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no problem that could be read"));
    let race = SUITE.replace(
        "\"to_move\": \"W\", \"verdict\": \"captured\"",
        "\"goal\": \"semeai\", \"against\": \"B2\", \"to_move\": \"W\"",
    );
    assert_ne!(race, SUITE);
    sandbox.write("problems.json", &race);
    let output = run(&["study", "--no-resume", &config, "--json"]);
    let told = stderr(&output);
    assert!(told.contains("the goal of `twin` is `semeai`"), "{told}");
    assert!(stdout(&output).contains("\"problems\":3"));
}

#[test]
fn options_of_searches_are_refused() {
    let sandbox = Sandbox::new();
    let config = study(&sandbox, "");
    let output = run(&["study", "--no-resume", &config, "--total"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a study of solvers has none"));
}

#[test]
fn a_program_that_does_not_start_is_left_out_of_every_figure() {
    let sandbox = Sandbox::new();
    let config = study(&sandbox, "");
    let without = json(&["study", "--no-resume", &config, "--json", "--no-times"]);
    assert!(without.get("absent").is_none(), "{without}");
    let missing = "[[variant]]\nname = \"other\"\ncommand = [\"no-such-program\"]\n\
                   protocol = \"gtp\"";
    let text = fs::read_to_string(&config).unwrap();
    let variants = text.find("[[variant]]").unwrap();
    // At the end, and at the start, where the others are compared with it.
    for at in [text.len(), variants] {
        let (before, after) = text.split_at(at);
        fs::write(&config, format!("{before}{missing}\n{after}")).unwrap();
        let output = run(&["study", "--no-resume", &config, "--json", "--no-times"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{said}");
        let warning = "warning: `other`, no-such-program";
        assert!(
            said.contains(warning) && said.contains("leaves it out"),
            "{said}"
        );
        let mut figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let absent = figures.as_object_mut().unwrap().remove("absent");
        assert_eq!(absent, Some(serde_json::json!(["other"])));
        assert_eq!(figures, without, "common problems, Holm and all");
        let [csv, summary] = ["cells.csv", "summary.csv"].map(|name| sandbox.path(name));
        let output = run(&[
            "study",
            "--no-resume",
            &config,
            &format!("--csv={csv}"),
            "--summary-csv",
            &summary,
        ]);
        let text = stdout(&output);
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.join(" ");
        assert!(
            words.contains("Mean cost of the 4 problems that all solved"),
            "{text}"
        );
        assert!(
            words.contains("Left out, as not started: `other`."),
            "{text}"
        );
        let mut lines = text.lines().map(str::trim_start);
        assert!(!lines.any(|line| line.starts_with("other ")), "{text}");
        for file in [csv, summary] {
            let rows = fs::read_to_string(&file).unwrap();
            assert!(!rows.contains("other"), "{rows}");
        }
    }
}

/// If one judge does not start, the judges cannot agree on a verdict.
#[test]
fn a_judge_that_does_not_start_gives_no_verdicts() {
    let sandbox = Sandbox::new();
    let config = study(&sandbox, "judges = [\"pn\", \"other\"]");
    let unknown = SUITE.replace("\"verdict\": \"escapes\"", "\"verdict\": \"unknown\"");
    assert_ne!(unknown, SUITE);
    sandbox.write("problems.json", &unknown);
    let missing = "[[variant]]\nname = \"other\"\ncommand = [\"no-such-program\"]\n\
                   protocol = \"gtp\"";
    let text = fs::read_to_string(&config).unwrap() + missing;
    fs::write(&config, text).unwrap();
    let output = run(&["study", "--no-resume", &config, "--json"]);
    assert!(
        stderr(&output).contains("a judge does not start"),
        "{}",
        stderr(&output)
    );
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(figures["judged"], 0);
    assert_eq!(figures["judges"], serde_json::json!([]));
    assert_eq!(figures["solvers"][1]["name"], "pn");
}

#[test]
fn the_configs_of_the_paper_are_valid() {
    let loaded = load(
        &project("configs/go-zhang-chen-2007.toml"),
        &[],
        &leitai_games::all(),
    )
    .unwrap();
    assert!(loaded.warnings.problems.is_empty());
    let names: Vec<&str> = loaded
        .config
        .variants
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    let paper = [
        "without table",
        "with table",
        "pn",
        "pn+",
        "df-pn",
        "df-pn+",
    ];
    assert_eq!(names[..6], paper);
}
