//! The commands as a user runs them.

mod boards;
mod foreign;
mod openings;

use crate::common::{self, Sandbox, json, project, run, small_tournament, stderr, stdout};

#[test]
fn help_teaches_and_a_wrong_command_line_exits_with_2() {
    let help = run(&["--help"]);
    assert!(help.status.success());
    for command in [
        "run", "report", "rate", "verify", "check", "study", "perft", "bench", "judge", "analyze",
        "openings", "calc", "tune", "solve", "show",
    ] {
        assert!(stdout(&help).contains(command), "{command} is listed");
        let help = run(&[command, "--help"]);
        assert!(
            help.status.success() && stdout(&help).len() > 300,
            "{command} --help"
        );
    }
    for wrong in [
        &["fly"][..],
        &["perft"],
        &["perft", "checkers", "-d", "1"],
        &["run"],
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}

#[test]
fn perft_counts_and_divides() {
    assert_eq!(
        json(&["perft", "xiangqi", "--depth", "3", "--json"])["nodes"],
        79_666
    );
    let divided = json(&["perft", "xiangqi", "--depth", "2", "--divide", "--json"]);
    let moves = divided["divide"].as_object().unwrap();
    assert_eq!(moves.len(), 44);
    assert_eq!(moves["h2e2"], 45);
    assert_eq!(
        moves
            .values()
            .map(|nodes| nodes.as_u64().unwrap())
            .sum::<u64>(),
        1920
    );
    let start = "---------------------------OX------XO--------------------------- X";
    assert_eq!(
        json(&["perft", "othello", "--fen", start, "--depth", "5", "--json"])["nodes"],
        1396
    );
    assert_eq!(
        json(&["perft", "othello", "--depth", "6", "--json"])["nodes"],
        8200
    );
    let fen = "9/9/4k1N2/9/9/9/9/4p4/9/2B1K4 b";
    assert_eq!(
        json(&["perft", "xiangqi", "--fen", fen, "-d", "3", "--json"])["nodes"],
        95
    );
    assert_eq!(
        json(&["perft", "xiangqi", "-d", "0", "--divide", "--json"])["nodes"],
        1
    );
    let wrong = run(&["perft", "xiangqi", "--fen", "9/9 w", "--depth", "1"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        stderr(&wrong).contains("2 ranks instead of 10"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn judge_reads_positions_and_moves_of_shogi() {
    let fen = "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2 moves 3c3d";
    let answer = json(&["judge", "shogi", "--fen", fen, "--json"]);
    let expected = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    assert_eq!(answer["fen"], expected);
    for (words, usi) in [
        ("５八金(49)", ["4i5h"].as_slice()),
        (
            "1 ５八金(69) 2 ３四歩(33) 3.７六歩",
            &["6i5h", "3c3d", "7g7f"],
        ),
        ("７六歩(3.３四歩(33)) ８四歩(83)", &["7g7f", "8c8d"]),
    ] {
        let answer = json(&["judge", "shogi", "--moves", words, "--json"]);
        assert_eq!(answer["usi"], serde_json::json!(usi), "{words}");
    }
    // Elsewhere such digits are seconds.
    for (game, words, plies) in [
        ("chess", "1. e4(12) e5(10) 2. Nf3(25)", 3),
        ("xiangqi", "炮二平五(25) h9g7(31)", 2),
    ] {
        let answer = json(&["judge", game, "--moves", words, "--json"]);
        assert_eq!(answer["plies"], plies, "{words}");
    }
}

#[test]
fn judge_prints_the_result_and_the_cause() {
    let judge = |fen: &str, moves: &str, rule: &str| {
        let answer = json(&[
            "judge", "xiangqi", "--fen", fen, "--moves", moves, "--rule", rule, "--json",
        ]);
        (
            answer["result"].as_str().unwrap().to_owned(),
            answer["cause"].as_str().map(str::to_owned),
        )
    };
    let cause = |text: &str| Some(text.to_owned());
    let checks = "e5d5 d9e9 d5e5 e9d9 ";
    let fen = "3k5/9/9/9/4R4/9/9/9/9/5K3 w";
    let lost = ("0-1".to_owned(), cause("perpetual-check"));
    assert_eq!(judge(fen, checks, "computer"), ("ongoing".to_owned(), None));
    assert_eq!(judge(fen, &checks.repeat(2), "computer"), lost);
    assert_eq!(judge(fen, &checks.repeat(2), "check"), lost);
    let (fen, chase) = (
        "5k3/R8/9/2n6/9/9/9/9/9/4K4 w",
        "a8a6 c6d8 a6a8 d8c6 ".repeat(2),
    );
    assert_eq!(
        judge(fen, &chase, "computer"),
        ("0-1".to_owned(), cause("perpetual-chase"))
    );
    assert_eq!(
        judge(fen, &chase, "check"),
        ("1/2-1/2".to_owned(), cause("repetition"))
    );
    let (fen, threats) = (
        "4k4/8R/R8/9/9/9/9/7n1/9/3K5 w",
        "a7a6 h2g4 a6a7 g4h2 ".repeat(2),
    );
    assert_eq!(
        judge(fen, &threats, "asian"),
        ("1/2-1/2".to_owned(), cause("repetition"))
    );
    assert_eq!(
        judge(fen, &threats, "chinese"),
        ("0-1".to_owned(), cause("perpetual-attack"))
    );
    let mate = "4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 119 60";
    assert_eq!(
        judge(mate, "a7a9", "computer"),
        ("1-0".to_owned(), cause("checkmate"))
    );

    let illegal = run(&["judge", "xiangqi", "--moves", "h2e2 h2e2", "--json"]);
    assert_eq!(illegal.status.code(), Some(2));
    assert!(stderr(&illegal).contains("ply 2"), "{}", stderr(&illegal));
}

#[test]
fn moves_may_be_numbered() {
    let fen = |moves: &str| json(&["show", "chess", "--moves", moves, "--json"])["fen"].clone();
    let plain = fen("e4 e5 Nf3");
    for moves in ["1. e4 e5 2. Nf3", "1.e4 1...e5 2.g1f3"] {
        assert_eq!(fen(moves), plain, "{moves}");
    }
}

#[test]
fn analyze_searches_with_a_variant_of_a_config() {
    let config = project("configs/xiangqi-programs.toml");
    let config = config.to_str().unwrap();
    let fen = "4k4/8R/R8/9/9/9/9/9/9/3K5 w";
    let arguments = |depth| {
        [
            "analyze",
            "xiangqi",
            "--fen",
            fen,
            "--config",
            config,
            "--variant",
            "tutorial",
            "--depth",
            depth,
            "--json",
        ]
    };
    let found = json(&arguments("2"));
    assert_eq!(found["score"], 9999, "mate = 10000 - ply");
    assert_eq!(found["depth"], 2);
    assert_eq!(found["pv"][0], found["best_move"]);
    let best = found["best_move"].as_str().unwrap();
    let end = json(&["judge", "xiangqi", "--fen", fen, "--moves", best, "--json"]);
    assert_eq!(
        end["result"], "1-0",
        "the first of the moves that win at once"
    );
    let missing = run(&[
        "analyze",
        "xiangqi",
        "--config",
        config,
        "--variant",
        "nobody",
    ]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        stderr(&missing).contains("tutorial"),
        "the variants are listed"
    );
}

#[test]
fn a_wrong_config_is_refused_with_its_place_and_nothing_is_written() {
    let good = small_tournament(2, 100);
    let cases = [
        ("nodes = 100", "nods = 100", "nods"),
        ("nodes = 100", "nodes = \"many\"", "nodes"),
        ("\"history\"", "\"histroy\"", "history"),
        ("name = \"full\"", "name = \"piece-order\"", "piece-order"),
        ("pairs = 2", "pairs = 0", "pairs"),
        ("base = \"full\"", "base = \"fool\"", "full"),
        ("xiangqi-64.epd", "nowhere.epd", "nowhere.epd"),
        ("game = \"xiangqi\"", "game = \"checkers\"", "xiangqi"),
    ];
    for (from, to, mentioned) in cases {
        let sandbox = Sandbox::new();
        let config = sandbox.write("wrong.toml", &good.replacen(from, to, 1));
        let output = run(&["run", &config, "--store", &sandbox.path("run.sqlite")]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{to}: {told}");
        assert!(told.contains("wrong.toml:"), "file and line: {told}");
        assert!(told.contains(mentioned), "{told}");
        assert!(!told.contains("panicked"), "{told}");
        assert_eq!(sandbox.files(), ["wrong.toml"], "nothing is written");
    }
}

#[test]
fn a_store_that_is_not_ours_is_left_alone() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("config.toml", &small_tournament(1, 50));
    let text = "this is a shopping list\n".repeat(100);
    let store = sandbox.write("list.txt", &text);
    let output = run(&["run", &config, "--store", &store]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("list.txt"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&store).unwrap(), text);
    assert_eq!(sandbox.files(), ["config.toml", "list.txt"]);
}

#[test]
fn check_shows_the_plan() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("config.toml", &small_tournament(5, 100));
    let plan = json(&["check", &config, "--json"]);
    assert_eq!(
        (plan["pairs"].as_u64(), plan["games"].as_u64()),
        (Some(15), Some(30))
    );
    assert_eq!(plan["openings"], 64);
    assert_eq!(
        plan["pairings"][0],
        serde_json::json!(["piece-order", "full"])
    );
    assert!(stdout(&run(&["check", &config])).contains("30 games"));
    // Defaults are listed, too.
    let effective = &plan["config"];
    let book = effective["openings"]["file"].as_str().unwrap();
    assert!(book.ends_with("xiangqi-64.epd"), "{book}");
    assert_eq!(effective["failures"]["crash"], "lose");
    assert_eq!(effective["failures"]["tolerate"], "1 %");
    assert!(
        effective["limits"]
            .as_object()
            .unwrap()
            .contains_key("margin")
    );
    let gate = common::gates::gate(common::gates::UP);
    for (test, overshoot, looks) in [
        ("gsprt", Some(true), None),
        ("strict", None, None),
        ("group-sequential", None, Some(6)),
    ] {
        let text = gate.replace(
            "[gate]",
            &format!("[gate]\ntest = {test:?}\nmax_pairs = 40"),
        );
        let config = sandbox.write("gate.toml", &text);
        let expected = serde_json::json!({"kind": test, "overshoot": overshoot, "looks": looks});
        let checked = json(&["check", &config, "--json"]);
        let of_gate = &checked["config"]["gate"];
        assert_eq!(
            (&of_gate["test"], &of_gate["alike_pairs"]),
            (&expected, &30.into())
        );
        let store = sandbox.path("plan.sqlite");
        let plan = json(&["gate", &config, "--plan", "--json", "-q", "--store", &store]);
        for key in ["kind", "overshoot", "looks"] {
            assert_eq!(plan["test"][key], expected[key], "{plan}");
        }
    }
    let told = stdout(&run(&[
        "check",
        &config,
        "--set",
        "variant.full.limits.nodes=70",
    ]));
    assert!(
        told.contains("limits    nodes 100\n          full: nodes 70\n"),
        "{told}"
    );
}

#[test]
fn othello_tournaments_run_too() {
    let sandbox = Sandbox::new();
    let config = project("configs/othello.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let pairs = text.lines().find(|line| line.starts_with("pairs")).unwrap();
    let text = text
        .replace(pairs, "pairs = 2")
        .replace("../openings", project("openings").to_str().unwrap());
    let config = sandbox.write("othello.toml", &text);
    let store = sandbox.path("othello.sqlite");
    let results = json(&["run", &config, "--store", &store, "--json"]);
    assert!(results["games"].as_u64().unwrap() >= 4);
    let pgn = stdout(&run(&["report", &store, "--pgn", "-"]));
    assert!(pgn.contains("[Game \"Othello\"]"), "{pgn}");
}

#[test]
fn tables_that_do_not_fit_are_refused_before_anything_starts() {
    let sandbox = Sandbox::new();
    // Enough pairs for every thread to create its own players.
    let text = small_tournament(64, 50).replace(
        "search = { ordering = [\"by-piece\"] }",
        "search = { table_mb = 4096 }",
    );
    let config = sandbox.write("config.toml", &text);
    let store = sandbox.path("run.sqlite");
    let output = run(&["run", &config, "--store", &store, "--threads", "1024"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("table_mb"), "{}", stderr(&output));
    assert_eq!(sandbox.files(), ["config.toml"]);
}

/// The elements of a list of tables can be addressed like those of any list.
#[test]
fn a_value_in_a_list_of_tables_is_changed_from_outside() {
    let config = project("configs/tune-games.toml");
    let config = config.to_str().expect("UTF-8");
    let set = "tune.parameter[1].step=7.25";
    let told = stdout(&run(&["check", config, "--set", set, "--json"]));
    assert!(told.contains("\"step\":7.25"), "{told}");
    let refused = run(&["check", config, "--set", "tune.parameter[99].range=77"]);
    assert!(
        stderr(&refused).contains("beyond a list of"),
        "{}",
        stderr(&refused)
    );
}
