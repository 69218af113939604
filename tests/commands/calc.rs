//! `leitai calc` as a user runs it.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Sandbox, json, leitai, run, stderr, stdout};
use serde_json::Value;

fn close(value: &Value, want: f64) {
    let got = value.as_f64().expect("a number");
    assert!(
        (got - want).abs() <= 1e-9 * want.abs().max(1.0),
        "{got} is not {want}"
    );
}

/// Expected values: mpmath with 40 digits, from the formulas of docs/statistics.md, which are those
/// of fishtest and fastchess.
#[test]
fn elo_of_ordinary_pairs_and_games() {
    let pairs = json(&["calc", "elo", "--pentanomial", "10,40,100,60,15", "--json"]);
    for (field, want) in [
        ("score", 0.533_333_333_333_333_3),
        ("elo", 23.196_778_791_074_702),
        ("elo_low", 1.976_933_072_430_213_2),
        ("elo_high", 44.591_065_623_833_46),
        ("nelo", 35.096_294_078_364_31),
        ("nelo_low", 35.096_294_078_364_31 - 32.100_820_446_062_86),
        ("nelo_high", 35.096_294_078_364_31 + 32.100_820_446_062_86),
        ("los", 0.983_937_714_396_171_7),
        ("level_ratio", 100.0 / 225.0),
        ("pair_ratio", 1.5),
    ] {
        close(&pairs[field], want);
    }
    assert_eq!(
        (&pairs["games"], &pairs["pairs"]),
        (&450.into(), &225.into())
    );
    assert_eq!(
        (&pairs["basis"], &pairs["note"]),
        (&"customary".into(), &Value::Null)
    );

    let games = json(&["calc", "elo", "--trinomial", "310,520,402", "--json"]);
    close(&games["elo"], 25.993_253_506_883_414);
    close(&games["nelo"], 34.294_321_551_206_64);
    close(&games["los"], 0.999_734_491_004_540_2);
    close(&games["draw_ratio"], 520.0 / 1232.0);
    assert_eq!(
        (&games["games"], &games["pairs"]),
        (&1232.into(), &Value::Null)
    );
    assert!(
        games["note"]
            .as_str()
            .expect("a note")
            .contains("pair counts")
    );
}

#[test]
fn elo_of_degenerate_counts_is_null_with_a_note() {
    for (counts, missing, present) in [
        (
            "0,0,0,0,0",
            &["score", "elo", "elo_low", "nelo", "los"][..],
            &["games"][..],
        ),
        (
            "0,0,0,0,9",
            &["elo", "elo_high", "nelo", "nelo_high"],
            &["elo_low", "nelo_low", "los"],
        ),
        (
            "9,0,0,0,0",
            &["elo", "elo_low", "nelo", "nelo_low"],
            &["elo_high", "nelo_high", "los"],
        ),
        (
            "0,0,0,9,0",
            &["nelo", "nelo_high"],
            &["elo", "elo_low", "elo_high"],
        ),
        (
            "0,0,9,0,0",
            &["pair_ratio"],
            &["elo", "elo_low", "elo_high", "nelo", "los"],
        ),
    ] {
        let got = json(&["calc", "elo", "--pentanomial", counts, "--json"]);
        assert!(
            missing.iter().all(|&field| got[field].is_null()),
            "{counts}: {got}"
        );
        assert!(
            present.iter().all(|&field| got[field].is_number()),
            "{counts}: {got}"
        );
        assert!(!got["note"].as_str().expect("a note").is_empty());
        let text = stdout(&run(&["calc", "elo", "--pentanomial", counts]));
        assert!(
            !text.contains("NaN") && !text.contains("inf") && text.contains("note:"),
            "{text}"
        );
    }
}

/// Expected values from statistics.md and fishtest's own tests.
#[test]
fn sprt_of_counts() {
    let test = |counts, elo0, elo1, model| {
        json(&[
            "calc",
            "sprt",
            "--pentanomial",
            counts,
            "--elo0",
            elo0,
            "--elo1",
            elo1,
            "--alpha",
            "0.05",
            "--beta",
            "0.05",
            "--model",
            model,
            "--json",
        ])
    };
    let got = test("10,40,100,60,15", "0", "5", "logistic");
    assert!((got["llr"].as_f64().expect("a number") - 0.860_539_0).abs() < 5e-8);
    close(&got["upper"], 2.944_438_979_166_440_3);
    close(&got["lower"], -2.944_438_979_166_440_3);
    assert_eq!(got["verdict"], "continue");
    let got = test("10,40,100,60,15", "0", "5", "normalized");
    assert!((got["llr"].as_f64().expect("a number") - 0.597_679_0).abs() < 5e-8);
    let got = test("1187,7410,13475,7378,1164", "-3", "1", "logistic");
    assert!((got["llr"].as_f64().expect("a number") - 2.86).abs() < 5e-3);
    assert_eq!(
        test("0,0,0,0,900", "0", "5", "normalized")["verdict"],
        "accepted"
    );
    assert_eq!(
        test("900,0,0,0,0", "0", "5", "normalized")["verdict"],
        "rejected"
    );
    assert_eq!(test("0,0,0,0,0", "0", "5", "normalized")["llr"], 0.0);
}

#[test]
fn bayes_elo_bounds_are_converted() {
    let got = json(&[
        "calc",
        "sprt",
        "--trinomial",
        "13624,34333,13543",
        "--elo0",
        "-3",
        "--elo1",
        "1",
        "--model",
        "bayeselo",
        "--json",
    ]);
    close(&got["drawelo"], 218.990_070_484_235_3);
    let logistic = |field: &str| got[field].as_f64().expect("a number").to_string();
    let (elo0, elo1) = (logistic("logistic_elo0"), logistic("logistic_elo1"));
    let same = json(&[
        "calc",
        "sprt",
        "--trinomial",
        "13624,34333,13543",
        "--elo0",
        &elo0,
        "--elo1",
        &elo1,
        "--json",
    ]);
    close(&got["llr"], same["llr"].as_f64().expect("a number"));
    let output = run(&[
        "calc",
        "sprt",
        "--pentanomial",
        "1,2,3,4,5",
        "--elo0",
        "0",
        "--elo1",
        "5",
        "--model",
        "bayeselo",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--drawelo"));
}

const BOUNDS: [&str; 4] = ["--elo0", "0", "--elo1", "50"];

fn stream(files: &[&str], more: &[&str]) -> Vec<Value> {
    let output = run(&[
        &["calc", "sprt", "--stream"],
        files,
        &BOUNDS,
        more,
        &["--json"],
    ]
    .concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let lines = stdout(&output);
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn results_in_their_order() {
    let folder = Sandbox::new();
    let long = folder.write("long.txt", &"3 2\n4 1 3\t2\n".repeat(60));
    let short = folder.write("short.txt", "01 2\t3\r\n\n4\n");
    let got = stream(&[&long, &short], &[]);
    let (long_one, short_one) = (&got[0], &got[1]);
    assert_eq!(
        (&long_one["file"], &long_one["pairs"]),
        (&long.as_str().into(), &360.into())
    );
    assert_eq!(long_one["verdict"], "accepted");
    let rows = long_one["checkpoints"].as_array().expect("rows");
    assert_eq!(rows.len(), 360);
    // The first row outside its bounds is the stop.
    let outside = |row: &Value| row["llr"].as_f64() > row["upper"].as_f64();
    let first = rows.iter().position(outside).expect("crosses") as u64 + 1;
    assert_eq!(long_one["stop"], first);
    assert_eq!(long_one["at"], rows[first as usize - 1]);
    for row in rows {
        let sum = row["upper"].as_f64().expect("a number") + row["o1"].as_f64().expect("o1");
        assert!((sum - 2.944_438_979_166_440_3).abs() < 1e-12, "{row}");
    }
    assert_eq!(short_one["stop"], Value::Null);
    assert_eq!(short_one["verdict"], "continue");
    assert_eq!(
        short_one["at"]["pentanomial"],
        serde_json::json!([1, 1, 1, 1, 1])
    );

    // Without overshoot correction; rows only at checkpoints, but every pair still decides.
    let plain = &stream(&[&long], &["--overshoot", "off", "--checkpoint", "100"])[0];
    let rows = plain["checkpoints"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["o0"] == 0.0 && row["o1"] == 0.0));
    assert!(plain["stop"].as_u64() > long_one["stop"].as_u64());
    let batches = &stream(&[&long], &["--batch", "50"])[0];
    assert_eq!(batches["stop"].as_u64().expect("stops") % 50, 0);
    // The LLR of all counts at once.
    let at_once = json(
        &[
            &["calc", "sprt", "--pentanomial", "1,1,1,1,1", "--json"][..],
            &BOUNDS,
        ]
        .concat(),
    );
    let (one, other) = (&at_once["llr"], &short_one["at"]["llr"]);
    close(one, other.as_f64().expect("a number"));
}

#[test]
fn standard_input_and_wrong_letters() {
    let mut child = leitai()
        .args(["calc", "sprt", "--stream", "-"])
        .args(BOUNDS)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"2222 4").expect("written");
    drop(input);
    let text = stdout(&child.wait_with_output().expect("ends"));
    assert!(
        text.contains("-: 5 pairs") && text.contains("the test goes on"),
        "{text}"
    );

    let folder = Sandbox::new();
    for (text, said) in [
        ("0123\n01 5\n", "wrong.txt, line 2, column 4: `5`"),
        ("0 W", "line 1, column 3: `W`"),
        ("01\n\u{0}", "line 2, column 1: `\\u{0}`"),
        ("0 炮1", "line 1, column 3: `炮`"),
    ] {
        let wrong = folder.write("wrong.txt", text);
        let output = run(&[&["calc", "sprt", "--stream", &wrong], &BOUNDS[..]].concat());
        assert_eq!(output.status.code(), Some(2));
        let message = stderr(&output);
        assert!(message.contains(said), "{message}");
        assert!(output.stdout.is_empty());
    }
    let empty = folder.write("empty.txt", "");
    assert_eq!(stream(&[&empty], &[])[0]["pairs"], 0);
}

#[test]
fn counts_are_read_or_refused_with_the_reason() {
    let got = json(&["calc", "elo", "--pentanomial", "1, 2,3,4,5", "--json"]);
    assert_eq!(got["pairs"], 15);
    close(&got["score"], 40.0 / 60.0);
    let got = json(&["calc", "elo", "--trinomial", "1,2,3", "--json"]);
    close(&got["score"], 4.0 / 6.0);
    for (text, said) in [
        ("1,2,3", "3 numbers where 5 belong: LL,LD,MID,WD,WW"),
        ("1,2,x,4,5", "`x` is not a count"),
        ("1,2,-3,4,5", "`-3` is not a count"),
        ("1,2,1000000000000001,4,5", "to 10^15"),
        ("", "1 numbers where 5"),
    ] {
        let output = run(&["calc", "elo", &format!("--pentanomial={text}")]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let message = stderr(&output);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn impossible_tests_are_refused() {
    for wrong in [
        &["calc", "elo"][..],
        &["calc", "elo", "--pentanomial", "1,2,3"],
        &[
            "calc",
            "elo",
            "--pentanomial",
            "1,2,3,4,5",
            "--trinomial",
            "1,2,3",
        ],
        &["calc", "sprt", "--pentanomial", "1,2,3,4,5"],
        &[
            "calc",
            "sprt",
            "--pentanomial",
            "1,2,3,4,5",
            "--elo0",
            "5",
            "--elo1",
            "0",
        ],
        &[
            "calc",
            "sprt",
            "--pentanomial",
            "1,2,3,4,5",
            "--elo0",
            "nan",
            "--elo1",
            "5",
        ],
        &[
            "calc",
            "sprt",
            "--pentanomial",
            "1,2,3,4,5",
            "--elo0",
            "0",
            "--elo1",
            "5",
            "--alpha",
            "1",
        ],
        &[
            "calc",
            "sprt",
            "--stream",
            "/no/such/file",
            "--elo0",
            "0",
            "--elo1",
            "5",
        ],
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{wrong:?}"
        );
    }
}

#[test]
fn words_for_a_person() {
    let shown = |name: &str, arguments: &[&str]| {
        insta::with_settings!({
            snapshot_path => "../data/calc",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, stdout(&run(arguments)));
        });
    };
    let counts = ["--pentanomial", "10,40,100,60,15"];
    shown("elo", &[&["calc", "elo"][..], &counts].concat());
    shown(
        "elo_one_sided",
        &["calc", "elo", "--pentanomial", "0,0,0,0,9"],
    );
    shown("elo_games", &["calc", "elo", "--trinomial", "310,520,402"]);
    let bounds = ["--elo0", "0", "--elo1", "5"];
    shown("sprt", &[&["calc", "sprt"][..], &counts, &bounds].concat());
    for command in ["elo", "sprt"] {
        let help = stdout(&run(&["calc", command, "--help"]));
        assert!(
            help.contains("leitai calc") && help.contains("xample"),
            "{help}"
        );
    }
}

/// 200 tournaments of four players: Monte Carlo errors are some 1.5 %. Errors from pairs cover 88 %
/// of the differences here, because openings suit players.
#[test]
fn intervals_of_ratings_hold_in_simulated_tournaments() {
    let simulate = |more: &[&str]| {
        let arguments = ["calc", "simulate", "ratings", "--runs", "200", "--json"];
        json(&[&arguments, more].concat())
    };
    let laws: [&[&str]; 3] = [
        &["--players", "4", "--openings", "20", "--suit", "200"],
        &[
            "--players",
            "5",
            "--openings",
            "20",
            "--law",
            "near-identical",
            "--share",
            "0.2",
        ],
        &[
            "--players",
            "3",
            "--openings",
            "40",
            "--spread",
            "100",
            "--played",
            "0.6",
        ],
    ];
    for law in laws {
        let answer = simulate(law);
        for of in ["differences", "rows"] {
            let share = answer["measured"][of]["share"].as_f64().unwrap();
            assert!((0.92..0.985).contains(&share), "{law:?}, {of}: {share}");
        }
    }
    let one = simulate(&[laws[1], &["--threads", "1"]].concat());
    assert_eq!(one, simulate(&[laws[1], &["--threads", "3"]].concat()));
    let text = stdout(&run(&["calc", "simulate", "ratings", "--runs", "5"]));
    assert!(text.contains("differences"), "{text}");
}
