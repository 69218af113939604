//! Handicap recovery: an evaluation is spoilt on purpose, tuned by games, and measured against a
//! pool of players other than the spoilt, the tuned and the original one.
//!
//! Limits are in nodes, so that every game and number here is the same on every machine: a test
//! that passes once always passes.

use crate::common::{Sandbox, json, project};
use serde_json::Value;

/// The preset `tutorial` includes the values of pieces in its square tables; this shifts the mean
/// of each table to that of a piece worth 60.
const EQUAL: &str =
    "advisor = 40, elephant = 40, horse = -35, rook = -149, cannon = -37, pawn = 45";

/// The frozen pool: other evaluations, and two distortions of the reference from which the tuner
/// does not start.
const POOL: [(&str, &str); 4] = [
    ("fixed", r#"preset = "teaching-2018-corrected""#),
    ("student", r#"preset = "teaching-2018""#),
    (
        "cheap-rook",
        r#"preset = "tutorial", material = { rook = -80 }"#,
    ),
    (
        "dear-pawns",
        r#"preset = "tutorial", material = { pawn = 60 }"#,
    ),
];

const GAMES: u32 = 1200;
const PAIRS: u32 = 50;

fn head(seed: u32) -> String {
    let book = project("openings/xiangqi.epd");
    let book = book.to_str().expect("UTF-8");
    format!(
        r#"
game = "xiangqi"
seed = {seed}
limits = {{ nodes = 100 }}
openings = {{ file = {book:?} }}
adjudication = {{ max_plies = 200 }}
"#
    )
}

fn variant(name: &str, evaluation: &str) -> String {
    format!(
        "\n[[variant]]\nname = {name:?}\nsearch = {{ table_mb = 1 }}\neval = {{ {evaluation} }}\n"
    )
}

/// An evaluation that differs from the reference in the values of pieces.
fn pieces(material: &str) -> String {
    format!(r#"preset = "tutorial", material = {{ {material} }}"#)
}

/// Tunes the spoilt evaluation and returns its piece values.
fn tuned(sandbox: &Sandbox) -> String {
    let text = format!(
        r#"{}
[tune]
games = {GAMES}
handicap = "off"
no_effect = "move"

[[tune.parameter]]
path = "eval.material.*"
except = ["eval.material.king"]
range = 200
step = 20
{}"#,
        head(1),
        variant("start", &pieces(EQUAL))
    );
    let config = sandbox.write("tune.toml", &text);
    let store = sandbox.path("tune.sqlite");
    let answer = json(&[
        "tune",
        &config,
        "--store",
        &store,
        "--threads",
        "2",
        "--no-proof",
        "--quiet",
        "--json",
    ]);
    assert_eq!(answer["games"], GAMES);
    let rows = answer["dimensions"].as_array().expect("dimensions");
    let numbers: Vec<String> = rows
        .iter()
        .map(|row| {
            let path = row["name"].as_str().expect("a path");
            let kind = path.rsplit('.').next().expect("a name");
            format!("{kind} = {}", row["value"].as_i64().expect("a number"))
        })
        .collect();
    numbers.join(", ")
}

/// Plays a player against the pool, with the same order of openings for every player, and returns
/// the record.
fn gauntlet(sandbox: &Sandbox, name: &str, evaluation: &str) -> String {
    let tournament = format!("tournament = {{ format = \"gauntlet\", pairs = {PAIRS} }}\n");
    let mut text = head(2) + &tournament + &variant(name, evaluation);
    for (name, evaluation) in POOL {
        text += &variant(name, evaluation);
    }
    let config = sandbox.write(&format!("{name}.toml"), &text);
    let store = sandbox.path(&format!("{name}.sqlite"));
    json(&[
        "run",
        &config,
        "--store",
        &store,
        "--threads",
        "2",
        "--quiet",
        "--json",
    ]);
    store
}

/// A player's rating, and its index in the covariances.
fn rating(answer: &Value, name: &str) -> (f64, usize) {
    let rows = answer["ratings"].as_array().expect("ratings");
    let row = rows.iter().find(|row| row["name"] == name);
    let order = answer["covariance_order"].as_array().expect("names");
    let place = order.iter().position(|other| other == name);
    (
        row.expect("rated")["elo"].as_f64().expect("finite"),
        place.expect("a place"),
    )
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn equal_pieces_learn_their_values() {
    let sandbox = Sandbox::new();
    let material = tuned(&sandbox);
    let stores = [
        gauntlet(&sandbox, "reference", r#"preset = "tutorial""#),
        gauntlet(&sandbox, "start", &pieces(EQUAL)),
        gauntlet(&sandbox, "tuned", &pieces(&material)),
    ];
    let mut arguments = vec!["rate"];
    arguments.extend(stores.iter().map(String::as_str));
    arguments.extend(["--cluster", "opening", "--anchor", "reference=0", "--json"]);
    let answer = json(&arguments);
    let (start, start_place) = rating(&answer, "start");
    let (tuned, tuned_place) = rating(&answer, "tuned");
    let covariance = |i: usize, j: usize| answer["covariance"][i][j].as_f64().expect("finite");

    // With the reference at 0 the recovered part is 1 - tuned/start; its error is by the delta
    // method, from the covariances of both.
    let error_of_start = covariance(start_place, start_place).sqrt();
    assert!(
        start + 2.0 * error_of_start < -200.0,
        "a handicap that hardly costs anything shows nothing: {start} ± {error_of_start}"
    );
    let regained = 1.0 - tuned / start;
    let (by_tuned, by_start) = (-1.0 / start, tuned / (start * start));
    let variance = by_tuned * by_tuned * covariance(tuned_place, tuned_place)
        + by_start * by_start * covariance(start_place, start_place)
        + 2.0 * by_tuned * by_start * covariance(tuned_place, start_place);
    let error = variance.sqrt();
    assert!(
        regained - 2.0 * error >= 0.9,
        "{regained:.3} ± {error:.3} of {:.0} Elo regained with {material}",
        -start
    );
}
