//! A series of tunes, each from the winner of the one before.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::common::{Sandbox, leitai, project, run, stderr, stdout};

/// Othello from disc counts at one ply, as a series.
const SERIES: &str = r#"
game = "othello"
seed = 3
limits = { depth = 1 }
openings = { file = "book.epd" }

[tune]
algorithm = "hill-climb"
games = 300
proof = { elo0 = 0, elo1 = 60 }
generations = { max = 3, rejections = 1 }

[[tune.parameter]]
path = "eval.squares[*]"
min = -100
max = 200
step = 20

[tune.pool]
variants = ["other"]
pairs = 60

[[variant]]
name = "discs"
eval = { preset = "discs" }

[[variant]]
name = "other"
eval = { preset = "squares", squares = [50, -10, 0, 0, -20, 0, 0, 0, 0, 0] }
"#;

fn folder(config: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("series.toml", config);
    let book = fs::read_to_string(project("openings/othello.txt")).expect("a book");
    sandbox.write("book.epd", &book);
    sandbox
}

/// Exit code, answer and messages.
fn tune(sandbox: &Sandbox, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = leitai();
    command.current_dir(sandbox.path("."));
    let command = command.args(["tune", "series.toml", "--json"]);
    let output = command.args(arguments).output().expect("the binary runs");
    (output.status.code(), stdout(&output), stderr(&output))
}

/// All files except the record.
fn files(sandbox: &Sandbox) -> BTreeMap<String, String> {
    let files = sandbox.files().into_iter();
    let files = files.filter(|name| !name.contains("sqlite"));
    let read = |name: &String| fs::read_to_string(sandbox.path(name)).expect("readable");
    files.map(|name| (name.clone(), read(&name))).collect()
}

#[test]
fn a_series_that_pauses_ends_as_one_that_does_not() {
    let whole = folder(SERIES);
    let (code, answer, messages) = tune(&whole, &["--threads", "1", "--quiet"]);
    assert_eq!(code, Some(0), "{messages}");
    let said: Value = serde_json::from_str(&answer).expect("one document");
    let generations = said["generations"].as_array().expect("generations");
    assert!(
        !generations.is_empty() && said["complete"] == true,
        "{said:#}"
    );
    let first = &generations[0];
    assert_eq!(first["parent"], "discs");
    assert_eq!(first["winner"], "discs-generation-1");
    assert_eq!(
        first["results"]["proof"]["verdict"], "accepted",
        "{first:#}"
    );
    // Each begins from the last winner; a rejection ends the series.
    let mut parent = "discs".to_owned();
    for (number, generation) in (1..).zip(generations) {
        assert_eq!(generation["number"], number);
        assert_eq!(generation["parent"], parent.as_str());
        match generation["winner"].as_str() {
            Some(winner) => winner.clone_into(&mut parent),
            None => assert_eq!(number, generations.len()),
        }
    }
    let challengers = said["pool"]["challengers"].as_array().expect("a list");
    let elo = |row: &Value| row["elo"]["value"].as_f64().expect("an estimate");
    assert_eq!(challengers[0]["name"], "discs");
    let last = challengers.last().expect("a winner");
    assert_eq!(last["name"], parent.as_str());
    assert!(elo(last) > elo(&challengers[0]), "{said:#}");
    let page = &files(&whole)["series.report.html"];
    assert!(page.contains("generation 1: proof") && page.contains("Elo over games"));

    // The time limit pauses the series: it takes nothing from the games of a generation.
    let paused = folder(SERIES);
    let mut pauses = 0;
    let again = loop {
        let threads = if pauses % 2 == 0 { "2" } else { "1" };
        // Longer each time, so that it ends on a slow machine too.
        let time = format!("{}ms", 150 * (pauses + 1));
        let arguments = ["--threads", threads, "--quiet", "--for", &time];
        let (code, answer, messages) = tune(&paused, &arguments);
        if code == Some(0) {
            break answer;
        }
        assert_eq!(code, Some(3), "{messages}");
        pauses += 1;
        assert!(pauses < 100, "no progress");
    };
    assert_eq!(again, answer);
    assert_eq!(files(&paused), files(&whole));
}

#[test]
fn a_budget_and_rejections_end_a_series() {
    let spent = SERIES.replace("rejections = 1", "games = 400");
    let spent = spent.replace("[tune.pool]\nvariants = [\"other\"]\npairs = 60\n", "");
    let (code, answer, messages) = tune(&folder(&spent), &["--quiet"]);
    assert_eq!(code, Some(0), "{messages}");
    let said: Value = serde_json::from_str(&answer).expect("one document");
    assert_eq!(
        said["generations"].as_array().map(Vec::len),
        Some(1),
        "{said:#}"
    );

    // Nothing is gained near the best values: both generations are rejected.
    let idle = spent.replace("preset = \"discs\"", "preset = \"squares\"");
    let idle = idle
        .replace("games = 400", "rejections = 2")
        .replace("games = 300", "games = 2");
    let idle = idle.replace("elo0 = 0, elo1 = 60", "elo0 = 300, elo1 = 600");
    let (code, answer, messages) = tune(&folder(&idle), &["--quiet"]);
    let said: Value = serde_json::from_str(&answer).expect("one document");
    let generations = said["generations"].as_array().expect("generations");
    assert_eq!(generations.len(), 2, "{said:#}");
    assert!(
        generations.iter().all(|it| it["winner"].is_null()),
        "{said:#}"
    );
    assert!(matches!(code, Some(1 | 3)), "{code:?} {messages}");
}

/// Proofs with many errors select winners without a gain; the gate at the end decides.
#[test]
fn the_last_gate_decides_about_a_series() {
    let lax = SERIES
        .replace("preset = \"discs\"", "preset = \"squares\"")
        .replace("games = 300", "games = 20")
        .replace(
            "elo0 = 0, elo1 = 60",
            "elo0 = -60, elo1 = 60, alpha = 0.3, beta = 0.3",
        )
        .replace("rejections = 1", "rejections = 3");
    let lax = lax.replace("[tune.pool]\nvariants = [\"other\"]\npairs = 60\n", "");
    let mut seen = Vec::new();
    for seed in 1..40 {
        let config = lax.replace("seed = 3", &format!("seed = {seed}"));
        let (code, answer, messages) = tune(&folder(&config), &["--quiet"]);
        let said: Value = serde_json::from_str(&answer).expect("one document");
        let generations = said["generations"].as_array().expect("generations");
        let wins = generations.iter().filter(|it| it["winner"].is_string());
        let verdict = said["proof"]["verdict"].as_str();
        let expected = match (wins.count(), verdict) {
            (1.., Some("accepted")) => 0,
            (1.., Some("rejected")) => 1,
            (0, None) | (1.., Some("inconclusive")) => 3,
            other => panic!("{other:?} {said:#}"),
        };
        assert_eq!(code, Some(expected), "{messages}");
        seen.push((verdict.map(str::to_owned), generations.len()));
        let refused = |(verdict, _): &(Option<String>, usize)| {
            verdict.as_deref().is_some_and(|it| it != "accepted")
        };
        if seen.iter().any(refused) {
            return;
        }
    }
    panic!("every last gate accepts: {seen:?}");
}

/// The values, starts and bounds of an export are those of one generation; a record names the
/// command of the whole series.
#[test]
fn a_series_is_exported_and_reported() {
    let by_range = SERIES
        .replace("min = -100\nmax = 200\n", "range = 40\n")
        .replace("max = 3", "max = 2")
        .replace("[tune.pool]\nvariants = [\"other\"]\npairs = 60\n", "");
    let sandbox = folder(&by_range);
    let exports = ["--export", "csv=a.csv", "--export", "toml=a.toml"];
    let (code, answer, messages) = tune(&sandbox, &exports);
    let said: Value = serde_json::from_str(&answer).expect("one document");
    assert!(said["proof"]["verdict"].is_string(), "{code:?} {messages}");
    assert!(
        messages.contains("ends: 1 generation in a row without a winner"),
        "{messages}"
    );
    assert!(
        messages.contains("last gate") && !messages.contains("the all"),
        "{messages}"
    );
    assert_eq!(said["series_end"], "rejections");
    // The last gate begins after the openings of the proof between the same two.
    let proof = &said["generations"][0]["results"]["proof"]["candidates"][0];
    let count = |key: &str| proof[key].as_u64().expect("a number");
    let start = 1 + count("pairs") + count("duplicate_pairs");
    let written = files(&sandbox);
    assert!(written["a.toml"].contains("base = \"discs\""));
    let last = &written["series.tuned.toml"];
    assert!(last.contains(&format!("start = {start}")), "{last}");
    for line in written["a.csv"].lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<i64>().expect("a number");
        let [start, value, min, max] = [1, 2, 4, 5].map(number);
        assert!((min..=max).contains(&value) && max - start == 40, "{line}");
    }
    // A gate is the latest run.
    let record = sandbox.path("series.sqlite");
    let report = |more: &[&str]| run(&[&["report", &record], more].concat());
    assert!(report(&["--export", "csv"]).status.success());
    let runs = stdout(&report(&["--list", "--json"]));
    let runs: Value = serde_json::from_str(&runs).expect("runs");
    let runs = runs.as_array().expect("a list");
    let tuned = runs.iter().find(|entry| entry["kind"] == "tune");
    let id = tuned.expect("a tune")["run"].as_str().expect("an id");
    let told = stdout(&report(&["--run", id]));
    assert!(told.contains("leitai tune series.toml --store"), "{told}");

    // A fit alone, with its files in another folder.
    let table = sandbox.path("positions.csv");
    assert!(
        run(&["convert", &record, "--to", "positions", "-o", &table])
            .status
            .success()
    );
    let (head, rest) = SERIES.split_once("[tune]").expect("a tune");
    let (_, variants) = rest.split_once("pairs = 60\n").expect("a pool");
    let fit = format!(
        "{head}[tune]\ngenerations = {{ max = 1 }}\n[tune.texel]\npositions = [\"positions.csv\"]\n\
         [[tune.texel.parameter]]\npath = \"eval.squares[*]\"\nrange = 90\n{variants}"
    );
    sandbox.write("series.toml", &fit);
    fs::create_dir(sandbox.path("other")).expect("a folder");
    let elsewhere = [
        "--out",
        "other/fit.toml",
        "--store",
        "fit.sqlite",
        "--quiet",
    ];
    let (code, answer, messages) = tune(&sandbox, &elsewhere);
    assert!(matches!(code, Some(0 | 1 | 3)), "{messages}");
    assert!(answer.contains("positions.csv"), "{answer}");
    let none = run(&["report", &sandbox.path("fit.sqlite"), "--export", "csv"]);
    assert!(
        stderr(&none).contains("tune CONFIG --export"),
        "{}",
        stderr(&none)
    );
}

#[test]
fn a_page_keeps_recorded_proofs() {
    let single = SERIES
        .replace("generations = { max = 3, rejections = 1 }\n", "")
        .replace("[tune.pool]\nvariants = [\"other\"]\npairs = 60\n", "");
    let sandbox = folder(&single);
    for arguments in [&["--quiet"][..], &["--quiet", "--no-proof"]] {
        let (code, _, messages) = tune(&sandbox, arguments);
        assert_eq!(code, Some(0), "{messages}");
        assert!(files(&sandbox)["series.report.html"].contains("series.tuned.toml"));
    }
}

#[test]
fn files_and_budgets_of_a_series_are_checked_first() {
    let sandbox = folder(SERIES);
    fs::create_dir(sandbox.path("series.generation-3.report.html")).expect("a folder");
    let (code, _, messages) = tune(&sandbox, &[]);
    assert_eq!(code, Some(2));
    assert!(messages.contains("it is a folder"), "{messages}");
    let sandbox = folder(SERIES);
    for option in ["--export=csv=", "--events="] {
        let option = format!("{option}series.generation-2.tuned.toml");
        let (code, _, messages) = tune(&sandbox, &[&option]);
        assert_eq!(code, Some(2), "{messages}");
    }
    let (_, _, messages) = tune(&sandbox, &["--no-proof"]);
    assert!(
        !messages.contains("threads:"),
        "nothing is timed: {messages}"
    );
    assert!(!sandbox.files().contains(&"series.sqlite".to_owned()));
    let output = leitai()
        .current_dir(sandbox.path("."))
        .args(["tune", "series.toml", "--list"])
        .output();
    let list = stdout(&output.expect("the binary runs"));
    assert!(
        list.contains("at most 3 generations, ending after 1 in a row"),
        "{list}"
    );
    let small = SERIES.replace("rejections = 1", "games = 298");
    let (code, _, messages) = tune(&folder(&small), &[]);
    assert_eq!(code, Some(2));
    assert!(
        messages.contains("give at least `games = 300`"),
        "{messages}"
    );
}

#[test]
fn a_series_needs_its_proofs() {
    let (code, _, messages) = tune(&folder(SERIES), &["--no-proof"]);
    assert_eq!(code, Some(2));
    assert!(
        messages.contains("`[tune.generations]` without proofs"),
        "{messages}"
    );
    let wrong = SERIES.replace("max = 3", "max = 0");
    let (code, _, messages) = tune(&folder(&wrong), &[]);
    assert_eq!(code, Some(2));
    assert!(
        messages.contains("`tune.generations.max` is out of range"),
        "{messages}"
    );
}
