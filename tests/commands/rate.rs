//! Ratings as a user runs them.

use std::io::Write as _;
use std::process::Stdio;

use crate::common::{self, Sandbox, json, leitai, run, small_tournament, stderr, stdout};
use serde_json::{Value, json as value};

const GAMES: &str = "first,second,wins,draws,losses\n\
                     a,b,30,20,10\nb,a,20,25,15\na,c,40,10,5\nc,a,12,18,25\n\
                     b,c,22,30,8\nc,b,9,14,7\nd,a,6,9,30\nc,d,25,10,11\n";

fn near(got: &Value, expected: f64, tolerance: f64) {
    let number = got.as_f64().unwrap_or(f64::NAN);
    assert!((number - expected).abs() < tolerance, "{got} {expected}");
}

fn column<'v>(answer: &'v Value, field: &str) -> Vec<&'v Value> {
    let rows = answer["ratings"].as_array().expect("a list");
    rows.iter().map(|row| &row[field]).collect()
}

/// Expected values from scipy 1.17; `stats::ratings` documents their computation.
#[test]
fn a_table_of_games_as_json() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("games.csv", GAMES);
    let answer = json(&["rate", &file, "--json"]);
    assert_eq!(column(&answer, "name"), ["a", "b", "c", "d"]);
    let elo = [
        111.307_379_192,
        36.161_269_793,
        -32.175_712_411,
        -115.292_936_574,
    ];
    let se = [
        14.518_888_052,
        16.718_350_733,
        14.992_645_638,
        26.269_854_064,
    ];
    for (row, (elo, se)) in elo.into_iter().zip(se).enumerate() {
        near(&answer["ratings"][row]["elo"], elo, 1e-6);
        near(&answer["ratings"][row]["se"], se, 1e-6);
        near(&answer["covariance"][row][row], se * se, 1e-4);
    }
    near(&answer["covariance"][0][3], -195.421_807_177, 1e-5);
    near(&answer["first_advantage"], 59.047_753_950, 1e-6);
    near(&answer["first_advantage_se"], 14.677_552_423, 1e-6);
    assert_eq!(column(&answer, "games"), [275, 210, 246, 91]);
    near(&answer["ratings"][0]["score"], 181.0 / 275.0, 1e-12);
    assert_eq!(answer["covariance_order"], value!(["a", "b", "c", "d"]));
    assert_eq!(answer["components"], value!([["a", "b", "c", "d"]]));
    assert_eq!(answer["games"], 411);
}

#[test]
fn options_of_the_scale_and_the_first_move() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("games.csv", GAMES);
    let rate = |more: &[&str]| json(&[&["rate", &file, "--json"], more].concat());
    let anchored = rate(&["--anchor", "b=2500"]);
    assert_eq!(anchored["ratings"][1]["elo"], 2500.0);
    assert_eq!(anchored["ratings"][1]["se"], 0.0);
    near(&anchored["ratings"][0]["se"], 21.828_929_843, 1e-6);
    let off = rate(&["--first-advantage", "off"]);
    near(&off["ratings"][0]["elo"], 105.330_970_816, 1e-6);
    assert_eq!(
        (&off["first_advantage"], &off["first_advantage_se"]),
        (&value!(0.0), &Value::Null)
    );
    let fixed = rate(&["--first-advantage", "50"]);
    near(&fixed["ratings"][3]["elo"], -115.909_536_467, 1e-6);
    assert_eq!(rate(&["--first-advantage=-10"])["first_advantage"], -10.0);

    for (wrong, words) in [
        (
            &["--anchor", "x=1"][..],
            "the players are `a`, `b`, `c`, `d`",
        ),
        (&["--anchor", "a"], "baseline=2500"),
        (&["--anchor", "a=inf"], "is not a rating"),
        (&["--first-advantage", "some"], "`estimate`, `off`"),
        (&["--cluster", "x"], "opening"),
        (&["--bootstrap", "99999999"], "100000"),
    ] {
        let output = run(&[&["rate", &file], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

/// Expected values from mpmath; `stats::ratings` documents their computation.
#[test]
fn a_table_of_pairs_lacks_the_first_move() {
    let sandbox = Sandbox::new();
    let file = sandbox.write(
        "pairs.csv",
        "First,Second,LL,LD,Mid,WD,WW\r\na,b,3,20,45,40,12\r\na,c,1,10,30,50,29\r\n\
         a,d,0,5,20,30,65\r\nb,c,5,22,40,33,10\r\nc,d,8,15,30,28,9\r\n",
    );
    let answer = json(&["rate", &file, "--json"]);
    let elo = [
        113.446_596_759,
        28.611_941_566,
        -36.026_843_672,
        -106.031_694_653,
    ];
    let se = [7.864_269_925, 9.675_649_805, 8.137_249_607, 11.608_067_327];
    for (row, (elo, se)) in elo.into_iter().zip(se).enumerate() {
        near(&answer["ratings"][row]["elo"], elo, 1e-6);
        near(&answer["ratings"][row]["se"], se, 1e-6);
        assert_eq!(answer["ratings"][row]["draws"], Value::Null);
    }
    assert_eq!(answer["first_advantage"], Value::Null);
    assert_eq!(answer["first_advantage_basis"], "unknown");
    let notes = answer["notes"].to_string();
    assert!(notes.contains("not estimable"), "{notes}");
}

#[test]
fn players_that_nothing_connects_are_not_compared() {
    let sandbox = Sandbox::new();
    let file = sandbox.write(
        "apart.csv",
        "first,second,wins,draws,losses\na,b,6,3,5\nb,a,5,3,5\nc,d,6,2,4\nd,c,3,3,3\n\
         top,a,9,0,0\nb,low,8,0,0\nbest,worst,4,0,0\n",
    );
    let answer = json(&["rate", &file, "--json"]);
    let names = column(&answer, "name");
    assert_eq!(names.len(), 8, "nobody is dropped");
    assert_eq!(answer["components"][0], value!(["a", "b"]));
    assert_eq!(answer["components"].as_array().unwrap().len(), 6);
    let row = |name: &str| {
        let at = names.iter().position(|n| **n == *name).unwrap();
        (at, &answer["ratings"][at])
    };
    for (name, limit, none) in [
        ("top", "elo_low", "elo_high"),
        ("low", "elo_high", "elo_low"),
    ] {
        let (_, row) = row(name);
        assert_eq!((&row["elo"], &row["se"]), (&Value::Null, &Value::Null));
        assert!(row[limit].is_f64() && row[none].is_null(), "{row}");
        assert!(
            row["note"].as_str().unwrap().contains("every game"),
            "{row}"
        );
    }
    let (a, c) = (row("a").0, row("c").0);
    assert_eq!(answer["covariance"][a][c], Value::Null);
    assert_eq!(answer["los"][a][c], Value::Null);
    let sided = answer["one_sided"].as_array().unwrap();
    assert_eq!(sided.len(), 3);
    // 0.025^(1/4) in four games, less the advantage of the first move.
    let h = answer["first_advantage"].as_f64().unwrap();
    let last = sided.iter().find(|s| s["above"] == "best").unwrap();
    let score = libm::pow(0.025, 0.25);
    let limit = 400.0 * libm::log10(score / (1.0 - score)) - h;
    near(&last["elo_at_least"], limit, 1e-6);

    let text = stdout(&run(&["rate", &file]));
    for words in [
        "Component 1:",
        "In no component:",
        "at least",
        "`best` won all 4 games",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let anchored = json(&["rate", &file, "--anchor", "c=100", "--json"]);
    let notes = anchored["notes"].to_string();
    assert!(
        notes.contains("no anchor is in the component of `a`"),
        "{notes}"
    );
    let refused = run(&["rate", &file, "--anchor", "top=0"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("cannot be an anchor"));
}

#[test]
fn the_bootstrap_goes_by_its_seed() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("games.csv", GAMES);
    let boot = |seed, threads| {
        json(&[
            "rate",
            &file,
            "--json",
            "--bootstrap",
            "300",
            "--seed",
            seed,
            "--threads",
            threads,
        ])
    };
    let answer = boot("5", "1");
    for threads in ["1", "2", "5"] {
        assert_eq!(answer, boot("5", threads), "{threads} threads");
    }
    assert_ne!(answer["ratings"], boot("6", "1")["ratings"]);
    let first: f64 = column(&answer, "first_probability")
        .iter()
        .map(|p| p.as_f64().unwrap())
        .sum();
    assert!((first - 1.0).abs() < 1e-9);
    for row in answer["ratings"].as_array().unwrap() {
        let ratio = row["bootstrap_se"].as_f64().unwrap() / row["se"].as_f64().unwrap();
        assert!((0.8..1.2).contains(&ratio), "{row}");
    }
    let text = stdout(&run(&["rate", &file, "--bootstrap", "50", "--markdown"]));
    assert!(
        text.contains("| # | name | rating |") && text.contains("bootstrap 95 %"),
        "{text}"
    );
    // Few, skewed results: the two errors differ, and the output says so.
    let few = "first,second,wins,draws,losses\na,b,22,6,0\nb,a,0,6,20\n";
    let few = sandbox.write("few.csv", few);
    let answer = json(&["rate", &few, "--json", "--bootstrap", "400"]);
    let notes = answer["notes"].to_string();
    for words in [
        "resamples have no finite ratings",
        "differ by more than 15 %",
    ] {
        assert!(notes.contains(words), "{notes}");
    }
}

#[test]
fn a_run_and_its_export_rate_alike() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("t.toml", &small_tournament(4, 60));
    let (store, pgn) = (sandbox.path("t.sqlite"), sandbox.path("t.pgn"));
    assert!(
        run(&["run", &config, "--store", &store, "--quiet"])
            .status
            .success()
    );
    assert!(run(&["report", &store, "--pgn", &pgn]).status.success());
    let (record, export) = (
        json(&["rate", &store, "--json"]),
        json(&["rate", &pgn, "--json"]),
    );
    assert_eq!(
        (&record["pairs"], &record["unpaired_games"]),
        (&value!(12), &value!(0))
    );
    for field in [
        "ratings",
        "covariance",
        "first_advantage",
        "los",
        "openings",
        "pairs",
    ] {
        assert_eq!(record[field], export[field], "{field}");
    }
    let text = stdout(&run(&["rate", &store]));
    assert!(
        text.starts_with("3 players, 24 games, 12 pairs, 4 different openings"),
        "{text}"
    );
}

/// One name, but different players.
#[test]
fn settings_that_differ_between_records_are_noted() {
    let sandbox = Sandbox::new();
    let record = |name: &str, nodes: u32, seed: &str| {
        let text = small_tournament(1, nodes).replace("seed = 7", seed);
        let config = sandbox.write(&format!("{name}.toml"), &text);
        let store = sandbox.path(&format!("{name}.sqlite"));
        let played = run(&["run", &config, "--store", &store, "--quiet"]);
        assert!(played.status.success());
        store
    };
    let a = record("a", 60, "seed = 7");
    let (fewer_nodes, other_seed) = (record("b", 59, "seed = 7"), record("c", 60, "seed = 8"));
    let notes = |other: &str| {
        let notes = json(&["rate", &a, other, "--json"])["notes"].clone();
        let notes = notes.as_array().unwrap().iter();
        let notes = notes.filter(|it| it.as_str().unwrap().contains("other settings"));
        notes.count()
    };
    assert_eq!((notes(&fewer_nodes), notes(&other_seed)), (3, 0));
}

#[test]
fn files_are_merged_and_standard_input_is_one() {
    let sandbox = Sandbox::new();
    let pgn = sandbox.write(
        "more.pgn",
        "[White \"a\"]\n[Black \"e\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
         [White \"e\"]\n[Black \"a\"]\n[Result \"1/2-1/2\"]\n\n1. d4 1/2-1/2\n",
    );
    let mut child = leitai();
    let child = child
        .args(["rate", "--json", &pgn, "-"])
        .stdin(Stdio::piped());
    let mut child = child.stdout(Stdio::piped()).spawn().unwrap();
    let more = b"[White \"e\"]\n[Black \"f\"]\n[Result \"0-1\"]\n\n0-1\n";
    child.stdin.take().unwrap().write_all(more).unwrap();
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["games"], 3);
    assert_eq!(answer["ratings"].as_array().unwrap().len(), 3);

    let wrong = sandbox.write(
        "wrong.csv",
        "first,second,wins,draws,losses\na,b,1,2,three\n",
    );
    let output = run(&["rate", &wrong]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    for words in [
        "wrong.csv, line 2",
        "`three` is not a count",
        "a,b,1,2,three",
        "help:",
    ] {
        assert!(message.contains(words), "{message}");
    }
    assert_eq!(run(&["rate", "nowhere.pgn"]).status.code(), Some(2));
    assert_eq!(
        run(&["rate", &sandbox.write("x.pgn", "words")])
            .status
            .code(),
        Some(2)
    );
}

/// A weak and a strong player against three with the same games, and against each other.
fn players_that_play_alike(pairs: u32) -> String {
    let book = common::project("openings/xiangqi.epd");
    let book = book.to_str().expect("UTF-8");
    let mut config = format!(
        "game = \"xiangqi\"\nseed = 3\n[limits]\nnodes = 60\n[openings]\nfile = \"{book}\"\n\
         [adjudication]\nresign = {{ score = 900, plies = 4 }}\n\
         draw = {{ score = 20, plies = 10, after_ply = 60 }}\nmax_plies = 120\n\
         [tournament]\nformat = \"round-robin\"\npairs = {pairs}\n"
    );
    for (name, numbers) in [
        ("a", "search.preset = \"full\""),
        (
            "copy",
            "search.preset = \"full\"\neval.material.king = 5000",
        ),
        (
            "twice",
            "search.preset = \"full\"\neval.material.king = 4000",
        ),
        (
            "weak",
            "search.preset = \"full\"\neval.preset = \"tutorial\"",
        ),
        ("b", "search.preset = \"full\"\neval.material.rook = 930"),
    ] {
        let variant = ["[[variant]]\nname = \"", name, "\"\n", numbers, "\n"];
        config.extend(variant);
    }
    config
}

fn recorded(sandbox: &Sandbox, config: &str) -> String {
    let (config, store) = (
        sandbox.write("run.toml", config),
        sandbox.path("run.sqlite"),
    );
    let output = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    store
}

/// A row once left out pairs equal to those against another opponent, so that its score was not
/// that of its games.
#[test]
fn run_report_and_rate_show_the_same_numbers() {
    let sandbox = Sandbox::new();
    let store = recorded(&sandbox, &players_that_play_alike(8));
    let report = json(&["report", &store, "--json"]);
    let rated = json(&["rate", &store, "--json"]);
    assert!(
        report["warnings"].to_string().contains("each counts"),
        "{}",
        report["warnings"]
    );
    let by_name = |name: &Value| {
        let rows = rated["ratings"].as_array().unwrap();
        rows.iter()
            .find(|row| row["name"] == *name)
            .unwrap()
            .clone()
    };
    for row in report["variants"].as_array().unwrap() {
        let name = &row["name"];
        let (mut points, mut pairs) = (0.0, 0.0);
        for versus in report["pairings"].as_array().unwrap() {
            let cells = versus["pentanomial"].as_array().unwrap();
            let counts = cells.iter().map(|cell| cell.as_f64().unwrap());
            for (cell, count) in counts.enumerate() {
                let score = cell as f64 / 4.0;
                if versus["first"] == *name {
                    points += score * count;
                    pairs += count;
                } else if versus["second"] == *name {
                    points += (1.0 - score) * count;
                    pairs += count;
                }
            }
        }
        let estimate = &row["estimate"];
        assert_eq!(estimate["units"].as_f64(), Some(pairs), "{name}");
        near(&estimate["score"]["value"], points / pairs, 1e-12);
        let effect = row["design_effect"].as_f64().unwrap();
        near(&row["effective_pairs"], pairs / effect, 1e-9);
        let same = by_name(name);
        assert_eq!(same["games"], estimate["games"], "{name}");
        near(&same["score"], points / pairs, 1e-12);
        for (performance, elo) in [
            ("performance", "value"),
            ("performance_low", "low"),
            ("performance_high", "high"),
        ] {
            match estimate["elo"][elo].as_f64() {
                Some(elo) => near(&same[performance], elo, 1e-6),
                None => assert!(same[performance].is_null(), "{name}"),
            }
        }
        for number in ["elo", "se", "elo_low", "elo_high"] {
            near(&same[number], row["rating"][number].as_f64().unwrap(), 1e-6);
        }
    }
    let text = stdout(&run(&["report", &store]));
    assert!(text.contains("rating"), "{text}");
    // Eight openings: copies count once, and no row counts more than its pairs.
    let pairs = report["pairs_played"].as_u64().unwrap();
    assert!(report["effective_pairs"].as_u64() < Some(pairs), "{report}");
    assert_eq!(report["error_rates_hold"], false);
    let reason = report["error_rates_reason"].as_str().unwrap();
    assert!(reason.contains("8 clusters"), "{reason}");
    for row in report["variants"].as_array().unwrap() {
        let pairs = row["estimate"]["units"].as_f64().unwrap();
        assert!(row["effective_pairs"].as_f64().unwrap() <= pairs, "{row}");
    }
}

/// Below 30 openings the errors of a rating once came from pairs, and were too small.
#[test]
fn errors_come_from_openings_however_few() {
    let sandbox = Sandbox::new();
    let store = recorded(&sandbox, &players_that_play_alike(8));
    let rated = |by: &str| json(&["rate", &store, "--json", "--cluster", by]);
    let (auto, opening) = (rated("auto"), rated("opening"));
    assert_eq!(auto["cluster"], "opening");
    assert_eq!(auto["difference_se"], opening["difference_se"]);
    assert_eq!(auto["clusters"], auto["openings"]);
    assert!(
        auto["notes"]
            .to_string()
            .contains("unrelated openings: errors from so few")
    );
}

#[test]
fn a_game_in_two_files_counts_once() {
    let sandbox = Sandbox::new();
    let store = recorded(&sandbox, &small_tournament(3, 60));
    let pgn = sandbox.path("export.pgn");
    let output = run(&["report", &store, "--pgn", &pgn]);
    assert!(output.status.success(), "{}", stderr(&output));
    let alone = json(&["rate", &store, "--json"]);
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("[Event ").count(), 18);
    let half = text.find("[Round \"2.1\"]").unwrap();
    let first = sandbox.write("first.pgn", &text[..text[..half].rfind("[Event").unwrap()]);
    let again = sandbox.write("again.pgn", &text);
    let copy = sandbox.path("copy.sqlite");
    std::fs::copy(&store, &copy).unwrap();
    for (files, repeated) in [
        (&[&store, &pgn][..], "18 games are in an earlier file"),
        (&[&pgn, &store], "18 games are in an earlier file"),
        (&[&pgn, &again], "its 18 games are counted once"),
        (&[&store, &copy], "its 18 games are counted once"),
        (&[&first, &pgn], "2 games are in an earlier file"),
        (&[&pgn, &first, &store], "2 games are in an earlier file"),
    ] {
        let files: Vec<&str> = files.iter().map(|file| file.as_str()).collect();
        let answer = json(&[&["rate", "--json"], &files[..]].concat());
        let notes = answer["notes"].to_string();
        assert!(notes.contains(repeated), "{files:?}: {notes}");
        for field in [
            "games",
            "pairs",
            "unpaired_games",
            "ratings",
            "difference_se",
        ] {
            assert_eq!(answer[field], alone[field], "{files:?}: {field}");
        }
    }
}

/// Games of other programs are identified by tags and moves.
#[test]
fn overlapping_files_of_other_programs_are_merged() {
    let sandbox = Sandbox::new();
    let game = |white: &str, black: &str, round: u32, moves: &str| {
        format!(
            "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"1-0\"]\n\n{moves} 1-0\n\n"
        )
    };
    let list = [
        game("a", "b", 1, "1. e4 e5"),
        game("b", "a", 1, "1. d4 d5"),
        // The same moves in another round are a separate game.
        game("a", "b", 2, "1. e4 e5"),
        game("b", "a", 2, ""),
        game("a", "b", 3, ""),
    ];
    let one = sandbox.write("one.pgn", &list[..4].concat());
    let two = sandbox.write("two.pgn", &list[1..].concat());
    let answer = json(&["rate", "--json", &one, &two]);
    assert_eq!(answer["games"], 5);
    assert!(
        answer["notes"]
            .to_string()
            .contains("3 games are in an earlier file")
    );
    // Without moves and rounds, games can only be distinguished by the whole file.
    let bare = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n\n";
    let bare_two = format!("{bare}\n");
    let (one, two) = (
        sandbox.write("b1.pgn", bare),
        sandbox.write("b2.pgn", &bare_two),
    );
    assert_eq!(json(&["rate", "--json", &one, &two])["games"], 2);
    let table = sandbox.write("t.csv", GAMES);
    let same = sandbox.write("u.csv", GAMES);
    let answer = json(&["rate", "--json", &table, &same]);
    assert_eq!(answer["games"], 411);
    assert!(
        answer["notes"].to_string().contains("its 411 games"),
        "{}",
        answer["notes"]
    );
}

/// Three Othello players on a book, with a few nodes per move.
fn othello(book: &str, pairs: usize, exhausted: &str) -> String {
    format!(
        "game = \"othello\"\nseed = 1\nlimits = {{ nodes = 30 }}\n\
         openings = {{ file = {book:?}, exhausted = {exhausted:?} }}\n\
         tournament = {{ pairs = {pairs} }}\n\
         [[variant]]\nname = \"a\"\n\
         [[variant]]\nname = \"b\"\nlimits = {{ nodes = 80 }}\n\
         [[variant]]\nname = \"c\"\neval = {{ preset = \"discs\" }}\n"
    )
}

/// A book with the position after every ply of one line.
fn line(sandbox: &Sandbox, plies: &str) -> (String, usize) {
    let games = sandbox.write(
        "line.pgn",
        "[Game \"Othello\"]\n[Black \"x\"]\n[White \"y\"]\n[Result \"1-0\"]\n\
         [FEN \"----------X-------XX-X-----OOX-----OOOO----O-------------------- X\"]\n\n\
         1. h6 f2 2. e3 g4 3. g6 e6 4. c4 c5 5. e2 c1 6. h4 f1 1-0\n",
    );
    let book = sandbox.path("line.epd");
    let arguments = ["convert", &games, "--every", "--plies", plies, "--to"];
    let written = run(&[&arguments[..], &["epd", "-o", &book]].concat());
    assert!(written.status.success(), "{}", stderr(&written));
    let openings = std::fs::read_to_string(&book)
        .expect("a book")
        .lines()
        .count();
    (book, openings)
}

/// The record and its export, rated.
fn rated_twice(sandbox: &Sandbox, store: &str) -> [Value; 2] {
    let pgn = sandbox.path("export.pgn");
    assert!(run(&["report", store, "--pgn", &pgn]).status.success());
    [store, &pgn].map(|file| json(&["rate", file, "--json"]))
}

/// Such reports once had intervals of independent pairs, and "is stronger".
#[test]
fn openings_of_one_cluster_give_no_error() {
    let sandbox = Sandbox::new();
    let (book, openings) = line(&sandbox, "0..12");
    let store = recorded(&sandbox, &othello(&book, openings, "error"));
    let report = json(&["report", &store, "--json"]);
    assert_eq!(report["related_openings"], openings);
    assert_eq!(report["error_rates_hold"], false);
    let text = stdout(&run(&["report", &store]));
    assert!(
        text.contains("1 cluster, and no error can be estimated"),
        "{text}"
    );
    assert!(!text.contains("is stronger"), "{text}");
    let rows = report["variants"].as_array().unwrap().iter();
    for row in rows.chain(report["pairings"].as_array().unwrap()) {
        let estimate = &row["estimate"];
        assert_eq!(estimate["basis"], "one-cluster");
        for range in [&estimate["score"], &estimate["elo"], &row["any_time"]] {
            assert_eq!(range["bound"], "nothing", "{row}");
        }
        for unknown in ["los", "los_cautious", "customary"] {
            assert!(estimate[unknown].is_null(), "{row}");
        }
        assert!(row["effective_pairs"].is_null(), "{row}");
        assert!(row["margin"]["discs"]["low"].is_null(), "{row}");
        assert!(row["rating"]["se"].is_null(), "{row}");
    }
    let [record, export] = rated_twice(&sandbox, &store);
    assert_eq!(record["ratings"], export["ratings"]);
    assert!(column(&record, "se").iter().all(|se| se.is_null()));
    assert!(record["los"][0][1].is_null() && record["covariance"][0][1].is_null());
    assert_eq!(record["openings"], openings);
    assert_eq!(record["clusters"], 1);
    let note = record["notes"].to_string();
    assert!(note.contains("no error can be estimated"), "{note}");
}

/// An export once had no clusters, so that its errors were those of pairs.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_record_and_its_export_have_the_same_errors() {
    let sandbox = Sandbox::new();
    let shipped = common::project("openings/othello.txt");
    let shipped = std::fs::read_to_string(shipped).unwrap();
    let lines = shipped.lines().filter(|line| !line.starts_with('#'));
    let book = |count: usize| {
        let lines = lines.clone().take(count);
        sandbox.write(
            &format!("{count}.txt"),
            &lines.flat_map(|line| [line, "\n"]).collect::<String>(),
        )
    };
    let (related, plies) = line(&sandbox, "0..12");
    for (config, hangs) in [
        (othello(&book(24), 24, "error"), false),
        (othello(&book(6), 18, "vary"), true),
        (othello(&book(1), 18, "vary"), false),
        (othello(&related, plies, "error"), true),
        // The game from one opening reaches another of the book: the same start, drawn twice.
        (othello(&related, 8 * plies, "vary"), true),
    ] {
        let store = sandbox.path("run.sqlite");
        let _ = std::fs::remove_file(&store);
        assert_eq!(store, recorded(&sandbox, &config));
        let [record, export] = rated_twice(&sandbox, &store);
        let keys = [
            "games",
            "pairs",
            "ratings",
            "covariance",
            "difference_se",
            "los",
            "cluster",
            "clusters",
            "openings",
        ];
        for key in keys {
            assert_eq!(record[key], export[key], "{key}: {config}");
        }
        let path = sandbox.path("export.pgn");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.contains("[Cluster "), hangs);
        // A copy without the tags neither hides them nor adds games.
        let lines = text.lines().filter(|line| !line.starts_with("[Cluster"));
        let bare = sandbox.write("bare.pgn", &lines.collect::<Vec<_>>().join("\n"));
        for files in [[&path, &bare], [&bare, &path]] {
            let both = json(&["rate", files[0], files[1], "--json"]);
            for key in keys {
                assert_eq!(both[key], export[key], "{key} of {files:?}: {config}");
            }
        }
    }
}

/// For a single opening the interval applies to games from it: pairs from the same position are
/// dependent, as are those of a player's opponents.
#[test]
fn pairs_of_one_opening_hang_together_by_where_they_began() {
    let sandbox = Sandbox::new();
    let book = sandbox.write("one.txt", "f5d6c3d3\n");
    let store = recorded(&sandbox, &othello(&book, 40, "vary"));
    let report = json(&["report", &store, "--json"]);
    for row in report["variants"].as_array().unwrap() {
        assert_eq!(row["estimate"]["basis"], "clustered", "{row}");
    }
    let text = stdout(&run(&["report", &store]));
    assert!(text.contains("from this one opening"), "{text}");
    let reason = report["error_rates_reason"].as_str().unwrap();
    assert!(reason.contains("hold for that opening only"), "{reason}");
    assert!(!text.contains("1 openings"), "{text}");
}

#[test]
fn pairs_of_a_gate_are_reported_in_the_export_too() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("gate.toml", &common::gates::gate(common::gates::UP));
    let store = sandbox.path("gate.sqlite");
    common::gates::play(&config, &store, "2");
    for rated in rated_twice(&sandbox, &store) {
        let notes = rated["notes"].to_string();
        assert!(notes.contains("biased"), "{notes}");
        assert!(!notes.contains("when its result was clear"), "{notes}");
    }
}

/// They were once rated together without a warning.
#[test]
fn games_of_two_kinds_are_not_rated_together() {
    let sandbox = Sandbox::new();
    let game =
        |tag: &str| format!("{tag}[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n\n");
    let othello = sandbox.write("othello.pgn", &game("[Game \"Othello\"]\n"));
    let atomic = sandbox.write("atomic.pgn", &game("[Variant \"atomic\"]\n"));
    let chess = sandbox.write("chess.pgn", &game("[Variant \"Standard\"]\n"));
    let silent = sandbox.write("silent.pgn", &game(""));
    for [one, other] in [[&othello, &atomic], [&atomic, &chess], [&chess, &othello]] {
        let refused = run(&["rate", one, other]);
        assert_eq!(refused.status.code(), Some(2));
        let said = stderr(&refused);
        assert!(said.contains(one) && said.contains(other), "{said}");
    }
    let both = game("[Game \"Othello\"]\n") + &game("[Variant \"atomic\"]\n");
    let both = sandbox.write("both.pgn", &both);
    assert_eq!(run(&["rate", &both]).status.code(), Some(2));
    let notes = json(&["rate", &atomic, &silent, "--json"])["notes"].to_string();
    assert!(notes.contains("silent.pgn: it names no game"), "{notes}");
    assert!(
        !json(&["rate", &silent, "--json"])["notes"]
            .to_string()
            .contains("named")
    );
}

/// Games in files of `key`, tags of each game's event, round and `FEN`.
fn tagged(games: &[(&str, [&str; 2], &str)]) -> String {
    let games = games.iter().enumerate();
    let games = games.map(|(number, (tags, [white, black], result))| {
        format!(
            "{tags}\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
             {{{number}}} {result}\n\n"
        )
    });
    games.collect()
}

/// Each file once had its own rounds: games of one event in two files were single games.
#[test]
fn pairs_are_found_across_files() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("d")).expect("made");
    let names = ["p", "q", "r", "s"];
    let (mut whites, mut blacks) = (Vec::new(), Vec::new());
    let results = ["1-0", "1/2-1/2", "0-1", "1-0", "1/2-1/2"];
    let tags: Vec<String> = (0..48)
        .map(|round| format!("[Event \"x\"]\n[Round \"{}.{}\"]", round + 1, round % 2))
        .collect();
    for (round, tags) in tags.iter().enumerate() {
        let [one, two] = [names[round % 4], names[(round + 1 + round / 4 % 3) % 4]];
        whites.push((&**tags, [one, two], results[round % 5]));
        blacks.push((&**tags, [two, one], results[round * 3 % 5]));
    }
    let files = [
        sandbox.write("d/b.pgn", &tagged(&whites[..20])),
        sandbox.write("d/a.PGN", &tagged(&blacks)),
        sandbox.write("d/c.pgn", &tagged(&whites[20..])),
    ];
    let [b, a, c] = files.each_ref().map(String::as_str);
    let all = [a, b, c].map(|file| std::fs::read_to_string(file).expect("written"));
    let all = json(&["rate", "--json", &sandbox.write("all.pgn", &all.concat())]);
    assert_eq!((&all["pairs"], &all["games"]), (&value!(48), &value!(96)));
    sandbox.write("d/notes.txt", "not a file of games");
    let folder = sandbox.path("d");
    for files in [&[a, b, c][..], &[c, b, a], &[b, c, a], &[&folder]] {
        assert_eq!(
            json(&[&["rate", "--json"], files].concat()),
            all,
            "{files:?}"
        );
    }
}

/// Games of another event, round or opening are no pair, nor two with the same colours.
#[test]
fn only_pairs_are_paired_across_files() {
    let sandbox = Sandbox::new();
    let [event, other] = ["x", "y"].map(|name| format!("[Event \"{name}\"]\n[Round \"1\"]"));
    let fen = |fen: &str| format!("[Event \"x\"]\n[Round \"1\"]\n[FEN \"{fen}\"]");
    let (f, g) = (fen("f"), fen("g"));
    let (ab, ba) = (["a", "b"], ["b", "a"]);
    let rated = |one: &[_], two: &[_]| {
        let one = sandbox.write("one.pgn", &tagged(one));
        let two = sandbox.write("two.pgn", &tagged(two));
        let rated = json(&["rate", "--json", &one, &two]);
        assert_eq!(rated, json(&["rate", "--json", &two, &one]));
        (rated["pairs"].clone(), rated["unpaired_games"].clone())
    };
    for (one, two) in [
        ((&*event, ab), (&*other, ba)),
        ((&event, ab), (&event, ab)),
        ((&event, ab), (&event, ["b", "c"])),
        ((&f, ab), (&g, ba)),
    ] {
        let games = [(one.0, one.1, "1-0"), (two.0, two.1, "1/2-1/2")];
        let (pairs, single) = rated(&games[..1], &games[1..]);
        assert_eq!((pairs, single), (value!(0), value!(2)), "{games:?}");
    }
    let (pairs, single) = rated(&[(&f, ab, "1-0")], &[(&f, ba, "1-0")]);
    assert_eq!((pairs, single), (value!(1), value!(0)));
}

#[test]
fn a_folder_without_results_is_refused() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("d")).expect("made");
    sandbox.write("d/words.txt", GAMES);
    let output = run(&["rate", &sandbox.path("d")]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("has no files `*.pgn`") && message.contains("help:"),
        "{message}"
    );
}

/// A folder may hold the ratings of an earlier command; a file that is named must have results.
#[test]
fn a_folder_is_read_without_other_tables() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("d")).expect("made");
    sandbox.write("d/games.csv", GAMES);
    let folder = sandbox.path("d");
    let ratings = sandbox.path("d/ratings.csv");
    let before = json(&["rate", &folder, "--json"]);
    assert!(
        run(&["rate", &folder, &format!("--csv={ratings}")])
            .status
            .success()
    );
    sandbox.write("d/other.csv", "name;first\na;3\n");
    let after = json(&["rate", &folder, "--json"]);
    assert_eq!(after["players"], before["players"]);
    let notes = after["notes"].to_string();
    for name in ["ratings.csv", "other.csv"] {
        assert!(
            notes.contains(&format!("{name} is no table of results")),
            "{notes}"
        );
    }
    let named = run(&["rate", &ratings]);
    assert_eq!(named.status.code(), Some(2));
    assert!(
        stderr(&named).contains("there is no column `first`"),
        "{}",
        stderr(&named)
    );
}

/// Differences, their errors and LOS are those of a separate program: Newton's method and the
/// sandwich of single games in plain Python, with `math.erfc`.
#[test]
fn tables_of_two_players_each() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("games.csv", GAMES);
    let answer = json(&["rate", &file, "--json", "--head-to-head"]);
    let rows = answer["head_to_head"].as_array().expect("rows");
    assert_eq!(rows.len(), 10);
    for (at, names, difference, error, los) in [
        (
            0,
            ["a", "b"],
            75.146_109_400,
            21.828_929_843,
            0.999_711_818_966,
        ),
        (
            3,
            ["b", "a"],
            -75.146_109_400,
            21.828_929_843,
            0.000_288_181_034,
        ),
        (
            4,
            ["b", "c"],
            68.336_982_203,
            22.327_239_428,
            0.998_895_898_948,
        ),
        (
            7,
            ["c", "d"],
            83.117_224_164,
            36.409_734_502,
            0.988_779_799_823,
        ),
        (
            8,
            ["d", "a"],
            -226.600_315_767,
            35.940_881_419,
            0.000_000_000_144,
        ),
    ] {
        let row: &Value = &rows[at];
        assert_eq!([&row["name"], &row["against"]], names);
        near(&row["difference"], difference, 1e-6);
        near(
            &row["difference_low"],
            difference - 1.959_963_985 * error,
            1e-6,
        );
        near(&row["los"], los, 1e-9);
    }
    let counts = ["games", "wins", "draws", "losses", "points"].map(|key| &rows[0][key]);
    assert_eq!(
        counts.map(Value::as_f64),
        [120.0, 45.0, 45.0, 30.0, 67.5].map(Some)
    );

    let options = ["rate", &file, "--cross-table", "--head-to-head", "--los"];
    insta::with_settings!({
        snapshot_path => "../data/rate",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("tables", stdout(&run(&options)));
    });
    let markdown = stdout(&run(&[&options[..], &["--markdown"]].concat()));
    for line in [
        "| # | name | rating | 95 % | LOS next | score | games | W | D | L | draws | se | Elo |",
        "| 1 | a |  | 67.5/120 | 79/110 | 34.5/45 |",
        "| 3 | c | 0.0% | 0.1% |  | 98.9% |",
        "| c | d | +83.1 | +11.8 .. +154.5 | 98.9% | 65.2% | 46 | 25 | 10 | 11 |",
    ] {
        assert!(markdown.lines().any(|it| it == line), "{line}: {markdown}");
    }
    let csv = stdout(&run(&["rate", &file, "--head-to-head", "--csv"]));
    let mut lines = csv.lines();
    let header = "player,against,games,wins,draws,losses,score,difference,difference_low,difference_high,los";
    assert_eq!(lines.next(), Some(header));
    assert_eq!(
        lines.next(),
        Some("a,b,120,45,45,30,0.5625,75.15,32.36,117.93,0.9997")
    );

    // Of totals of pairs the points are known, not the draws.
    let totals = sandbox.write(
        "totals.csv",
        "first,second,ll,ld,mid,wd,ww\na,b,1,2,3,4,5\nb,a,2,2,2,2,2\n",
    );
    let rows = &json(&["rate", &totals, "--json", "--cross-table"])["head_to_head"];
    assert_eq!(
        (&rows[0]["points"], &rows[0]["wins"]),
        (&value!(30.0), &Value::Null)
    );
    assert_eq!(
        (&rows[1]["points"], &rows[1]["games"]),
        (&value!(20.0), &value!(50))
    );
}
