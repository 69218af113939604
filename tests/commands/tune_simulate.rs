//! `leitai tune --simulate`: the expected gain from a budget, without a game.

use crate::common::{Sandbox, json, run, stderr, stdout};
use serde_json::Value;

const CONFIG: &str = r#"
game = "othello"
seed = 5
limits = { depth = 1 }
openings = { file = "book.epd" }
[tune]
games = 2000
algorithm = "spsa"
handicap = 60
[[tune.parameter]]
path = "eval.squares[*]"
except = ["eval.squares[0]"]
min = -100
max = 200
step = 20
[[variant]]
name = "discs"
eval = { preset = "discs" }
"#;

fn config() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.write("book.epd", "");
    let config = sandbox.write("discs.toml", CONFIG);
    (sandbox, config)
}

fn row<'a>(answer: &'a Value, algorithm: &str) -> &'a Value {
    let rows = answer["algorithms"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["algorithm"] == algorithm);
    row.unwrap_or_else(|| panic!("no {algorithm} in {answer}"))
}

#[test]
fn a_config_is_rehearsed_by_every_algorithm() {
    let (sandbox, config) = config();
    let arguments = ["tune", &config, "--simulate", "--seeds", "4", "--json"];
    let answer = json(
        &[
            &arguments[..],
            &["--threads", "1", "--games-per-second", "10"],
        ]
        .concat(),
    );
    assert_eq!(answer["dimensions"], 9);
    assert_eq!(answer["games"], 2000);
    assert_eq!(answer["seed"], 5);
    assert_eq!(answer["configured"], "spsa");
    let spsa = row(&answer, "spsa");
    assert_eq!(spsa["is_configured"], true);
    // The algorithms are compared at the same distance of the players.
    for algorithm in ["spsa", "regression"] {
        let method = row(&answer, algorithm)["method"].to_string();
        assert!(
            method.contains(r#"{"measured":{"handicap":60.0}}"#),
            "{method}"
        );
    }
    let games: Vec<&Value> = spsa["at"]
        .as_array()
        .expect("budgets")
        .iter()
        .map(|at| &at["games"])
        .collect();
    assert_eq!(games, [500, 2000, 8000]);
    let left = |at: usize| spsa["at"][at]["left"]["mean"].as_f64().expect("a mean");
    assert!(
        left(0) > left(2) && left(2) > 0.0 && left(0) < 100.0,
        "{spsa}"
    );
    let hours = spsa["at"][1]["hours"].as_f64().expect("hours");
    assert!((hours - 2000.0 / 36_000.0).abs() < 1e-12);
    // No record, and no other file.
    assert_eq!(sandbox.files(), ["book.epd", "discs.toml"]);

    let again = json(
        &[
            &arguments[..],
            &["--threads", "4", "--games-per-second", "10"],
        ]
        .concat(),
    );
    assert_eq!(again, answer, "whatever the threads");
}

#[test]
fn no_config_is_needed() {
    let output = run(&[
        "tune",
        "--simulate",
        "--parameters",
        "40",
        "--games",
        "1000",
        "--seeds",
        "2",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stdout(&output);
    assert!(told.contains("40 dimensions."), "{told}");
    assert!(told.contains("\nhill-climb  "), "{told}");
    assert!(!told.contains("hours") && !told.contains('*'), "{told}");
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_too_small_budget_is_reported() {
    let arguments = [
        "tune",
        "--simulate",
        "--parameters",
        "30",
        "--games",
        "12",
        "--seeds",
        "3",
    ];
    let told = stdout(&run(&arguments));
    assert!(
        told.contains("note: regression: 12 games are too few to learn anything"),
        "{told}"
    );
    assert!(told.contains(" would halve it"), "{told}");
    let answer = json(&[&arguments[..], &["--json"]].concat());
    let needed = row(&answer, "regression")["at"][1]["too_small"]["games"].as_u64();
    assert!(
        (50..20_000).contains(&needed.expect("a number")),
        "{needed:?}"
    );
    let enough = json(&[
        "tune",
        "--simulate",
        "--parameters",
        "30",
        "--games",
        "4000",
        "--seeds",
        "3",
        "--json",
    ]);
    assert_eq!(
        row(&enough, "regression")["at"][1]["too_small"],
        Value::Null
    );
    assert_eq!(row(&enough, "regression")["at"][1]["hours"], Value::Null);
}

#[test]
fn configs_without_rehearsal_are_refused() {
    let (_sandbox, config) = config();
    for (arguments, message) in [
        (vec!["tune"], "<CONFIG>"),
        (vec!["tune", "--simulate"], "<CONFIG>"),
        (vec!["tune", &config, "--parameters", "3"], "--parameters"),
        (vec!["tune", &config, "--seeds", "3"], "--simulate"),
        (vec!["tune", &config, "--simulate", "--list"], "--list"),
        (
            vec!["tune", &config, "--simulate", "--start-loss", "0"],
            "loss at the start",
        ),
        (
            vec!["tune", &config, "--simulate", "--draws", "1.5"],
            "draw rate",
        ),
        (
            vec!["tune", &config, "--simulate", "--games-per-second", "0"],
            "above 0",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}

/// Before centres were shifted, 40 % of parameters without effect ended more than two errors from
/// their start.
#[test]
fn the_errors_of_a_tune_are_true() {
    let answer = json(&[
        "tune",
        "--simulate",
        "--errors",
        "--parameters",
        "3",
        "--flat",
        "2",
        "--games",
        "2000",
        "--seeds",
        "60",
        "--threads",
        "2",
        "--quiet",
        "--json",
    ]);
    let count = |name: &str| answer["coverage"][name].as_u64().expect("a count");
    assert_eq!((count("effects"), count("flats")), (60, 120));
    assert!(count("claimed") <= 9, "{answer}");
    assert!(count("within_errors") >= 52, "{answer}");
    let text = run(&[
        "tune",
        "--simulate",
        "--errors",
        "--parameters",
        "1",
        "--flat",
        "1",
        "--games",
        "200",
        "--seeds",
        "4",
        "--quiet",
    ]);
    assert!(
        stdout(&text).contains("more than two errors from the start"),
        "{}",
        stderr(&text)
    );
    let many = run(&[
        "tune",
        "--simulate",
        "--errors",
        "--parameters",
        "1",
        "--flat",
        "2",
        "--games",
        "200",
    ]);
    assert_eq!(many.status.code(), Some(2));
}
