//! The Texel start of a tune as a user runs it: played, killed, continued and gated.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Sandbox, leitai, project, run, stderr, stdout};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

/// Othello starting from disc counts at two plies, with a fit only.
fn config(games: u32) -> String {
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    format!(
        r#"# From counting discs.
game = "othello"
seed = 3
limits = {{ depth = 2 }}
openings = {{ file = {book:?} }}

[tune]
[tune.texel]
games = {games}
gate = {{ elo0 = 0, elo1 = 50 }}

[[tune.texel.parameter]]
path = "eval.squares[*]"
min = -100
max = 200
step = 20

[[variant]]
name = "discs"  # ten classes
eval = {{ preset = "discs" }}
"#
    )
}

/// The answer of a fit, and its output files.
fn fit(sandbox: &Sandbox, config: &str, store: &str, threads: &str) -> (Value, Vec<String>) {
    let arguments = ["tune", config, "--store", store, "--threads", threads];
    let output = run(&[&arguments[..], &["--json", "--quiet", "--no-proof"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let mut answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    answer["store"] = Value::Null;
    let files = ["tuned.toml", "baseline.toml", "baseline.epd"];
    let read = |end| fs::read_to_string(sandbox.path(&format!("discs.{end}")));
    let files = files.map(|end| read(end).expect(end));
    (answer, files.to_vec())
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_fit_is_the_same_on_any_threads_and_killed_at_any_moment() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("discs.toml", &config(400));
    let whole = fit(&sandbox, &file, &sandbox.path("whole.sqlite"), "1");
    let again = fit(&sandbox, &file, &sandbox.path("two.sqlite"), "2");
    assert_eq!(again, whole);
    fs::remove_file(sandbox.path("discs.baseline.epd")).expect("the openings");
    let store = sandbox.path("killed.sqlite");
    for number in 0..5 {
        let mut child = leitai();
        let arguments = ["tune", &file, "--store", &store, "--threads", "2"];
        child.args(arguments).args(["--quiet", "--no-proof"]);
        child.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().expect("the binary");
        sleep(Duration::from_millis(20 + 25 * number));
        child.kill().expect("killed");
        child.wait().expect("a status");
    }
    assert_eq!(fit(&sandbox, &file, &store, "2"), whole);
}

#[test]
fn fitted_variants_are_gated_in_ordinary_runs() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("discs.toml", &config(500));
    let store = sandbox.path("fit.sqlite");
    let output = run(&["tune", &file, "--store", &store, "--quiet"]);
    let told = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(
        told.contains("`discs-tuned` is stronger than `discs`"),
        "{told}"
    );
    assert!(told.contains("positions of"), "{told}");
    let (answer, files) = fit(&sandbox, &file, &store, "1");
    // As is well known, the corner is worth most and the square next to it least.
    let figures = &answer["texel"];
    let rows = figures["dimensions"].as_array().expect("dimensions");
    let values: Vec<i64> = rows
        .iter()
        .map(|row| row["value"].as_i64().expect("a number"))
        .collect();
    assert!(values[0] > 20 && values[0] > values[4] + 20, "{values:?}");
    let (before, after) = (&figures["before"], &figures["after"]);
    for part in ["training", "validation"] {
        assert!(after[part].as_f64() < before[part].as_f64(), "{answer}");
    }
    for kept in [
        "# From counting discs.",
        "# ten classes",
        "base = \"discs\"",
    ] {
        assert!(files[0].contains(kept), "{kept} in {}", files[0]);
        assert!(files[1].contains(kept), "{kept} in {}", files[1]);
    }
    assert_eq!(files[2].lines().count(), 251);
    // The games are recorded already: nothing is played.
    let baseline = sandbox.path("discs.baseline.toml");
    let output = run(&["run", &baseline, "--store", &store, "--json", "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let run: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(run["run"], figures["run"]);
    assert_eq!(run["complete"], true);
}

#[test]
fn too_few_games_are_reported() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("discs.toml", &config(2));
    let output = run(&[
        "tune",
        &file,
        "--quiet",
        "--store",
        &sandbox.path("s.sqlite"),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("use at least 100 games"),
        "{}",
        stderr(&output)
    );
}

/// Games of two players of Othello.
const PLAYED: &str = r#"
[tournament]
pairs = 150
[[variant]]
name = "discs"
eval = { preset = "discs" }
[[variant]]
name = "short"
base = "discs"
limits = { depth = 1 }
"#;

/// From a record over `convert` to positions, a fit and its gate.
#[test]
fn positions_of_files_are_fitted_and_gated() {
    let sandbox = Sandbox::new();
    let whole = config(2);
    let head = whole.split("[tune]").next().expect("a head");
    let games = sandbox.write("games.toml", &format!("{head}{PLAYED}"));
    let (record, table) = (sandbox.path("games.sqlite"), sandbox.path("p.csv"));
    let output = run(&["run", &games, "--store", &record, "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let output = run(&["convert", &record, "--to", "positions", "-o", &table]);
    assert!(output.status.success(), "{}", stderr(&output));

    let of = |positions: &str| whole.replace("games = 2", &format!("positions = [{positions}]"));
    let file = sandbox.write("discs.toml", &of("\"p.csv\""));
    let output = run(&["check", &file]);
    let told = stdout(&output);
    assert!(told.contains("fitted to the positions in"), "{told}");
    let store = sandbox.path("fit.sqlite");
    let output = run(&["tune", &file, "--store", &store, "--quiet"]);
    let told = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(
        told.contains("`discs-tuned` is stronger than `discs`"),
        "{told}"
    );
    assert!(told.contains(", SHA-256"), "{told}");
    assert!(!Path::new(&sandbox.path("discs.baseline.toml")).exists());

    // The same values on one thread and on two, and from the packed file.
    let fit = |file: &str, threads: &str| {
        let store = sandbox.path("other.sqlite");
        let arguments = ["tune", file, "--store", &store, "--threads", threads];
        let output = run(&[&arguments[..], &["--json", "--quiet", "--no-proof"]].concat());
        let warnings = stderr(&output);
        let answer: Value = serde_json::from_slice(&output.stdout).expect(&warnings);
        (answer["texel"].clone(), warnings)
    };
    let (one, warnings) = fit(&file, "1");
    assert_eq!(warnings, "");
    assert_eq!(fit(&file, "2").0, one);
    let text = fs::read_to_string(&table).expect("the table");
    let packed = File::create(sandbox.path("p.csv.gz")).expect("a file");
    let mut packed = GzEncoder::new(packed, Compression::fast());
    packed.write_all(text.as_bytes()).expect("written");
    packed.finish().expect("finished");
    let file = sandbox.write("discs.toml", &of("\"p.csv.gz\""));
    let (again, _) = fit(&file, "2");
    assert_eq!(again["dimensions"], one["dimensions"]);
    assert_ne!(again["run"], one["run"]);
    assert_ne!(again["files"][0]["sha256"], one["files"][0]["sha256"]);

    // A few unreadable lines are named; many are refused, and so is half a file.
    let file = sandbox.write("discs.toml", &of("\"p.csv\""));
    let damaged = text.replacen("\n0,0,9,", "\n0,0,9,,", 1);
    fs::write(&table, damaged).expect("written");
    let (third, warnings) = fit(&file, "2");
    assert!(warnings.contains("p.csv:11: "), "{warnings}");
    assert_eq!(third["files"][0]["unreadable"], 1);
    let lines = text.lines().skip(1).map(|line| format!("0,{line}\n"));
    let shifted: String = lines.collect();
    fs::write(&table, format!("fen,result\n{shifted}")).expect("written");
    let refused = run(&["tune", &file, "--store", &store, "--quiet"]);
    let told = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("are not positions with results"), "{told}");
    assert!(told.contains("p.csv:2: "), "{told}");
    let packed = fs::read(sandbox.path("p.csv.gz")).expect("the file");
    fs::write(sandbox.path("p.csv.gz"), &packed[..packed.len() / 2]).expect("written");
    let file = sandbox.write("discs.toml", &of("\"p.csv.gz\""));
    let refused = run(&["tune", &file, "--store", &store, "--quiet"]);
    let told = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("ends early"), "{told}");
}
