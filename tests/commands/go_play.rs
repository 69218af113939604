//! Block capture of Go as a user plays it: tournaments, gates, tunes, positions.

use std::fs;

use crate::common::{Sandbox, json, project, run, stderr, stdout};
use serde_json::Value;

/// A tournament of two solvers over the shipped problems.
fn solvers(pairs: u32) -> String {
    let problems = project("openings/go-capture/problems.json");
    let problems = problems.to_str().expect("UTF-8");
    format!(
        r#"
game = "go"
seed = 5
limits = {{ nodes = 60 }}
openings = {{ file = {problems:?}, order = "sequential" }}
tournament = {{ pairs = {pairs} }}

[[variant]]
name = "plus"
search = {{ solver = {{ kind = "df-pn+" }} }}

[[variant]]
name = "plain"
search = {{ solver = {{ kind = "df-pn", epsilon = 0 }} }}
"#
    )
}

fn told(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let all = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {all}");
    all
}

#[test]
fn solvers_meet_over_problems_and_every_reader_agrees() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("go.toml", &solvers(12));
    let play = |store: &str, threads: &str| {
        let arguments = ["run", &config, "--store", store, "--threads", threads];
        json(&[&arguments[..], &["--json", "--quiet"]].concat())
    };
    let store = sandbox.path("one.sqlite");
    let one = play(&store, "1");
    assert_eq!(one["games"], 24);
    let again = play(&store, "2");
    assert_eq!(
        again["variants"], one["variants"],
        "nothing is played twice"
    );
    let three = play(&sandbox.path("three.sqlite"), "3");
    assert_eq!(three["variants"], one["variants"]);
    let verified = told(&["verify", &store], 0);
    assert!(verified.contains("12 the same, 0 different"), "{verified}");

    let pgn = sandbox.path("games.pgn");
    told(&["report", &store, "--pgn", &pgn], 0);
    let text = fs::read_to_string(&pgn).unwrap();
    assert!(text.contains("[Game \"Go block capture\"]"), "{text}");
    assert!(text.contains("[Attacker \"plus\"]") && text.contains("[Defender \"plus\"]"));
    assert!(text.contains("[Opening \"ladder-1\"]"), "{text}");
    let games = told(&["convert", &pgn, "--to", "json"], 0);
    let games: Vec<Value> = games
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    assert_eq!(games.len(), 24);
    for game in &games {
        assert_eq!(game["agrees"], true, "{game}");
        let cause = game["verdict"]["cause"].as_str().unwrap();
        assert!(
            ["captured", "escaped", "alive", "repetition", "stalemate"].contains(&cause),
            "{game}"
        );
    }
    assert!(told(&["rate", &pgn], 0).contains("24 games"));
}

/// The first attacker of a pair defends in its other game: equal players share every problem, even
/// with a certain outcome.
#[test]
fn equal_players_share_every_problem() {
    let sandbox = Sandbox::new();
    let text = solvers(10).replace("\"df-pn\", epsilon = 0", "\"df-pn+\"");
    let config = sandbox.write("twins.toml", &text);
    let store = sandbox.path("twins.sqlite");
    let answer = json(&["run", &config, "--store", &store, "--json", "--quiet"]);
    for player in answer["variants"].as_array().unwrap() {
        assert_eq!(player["wins"], player["losses"], "{player}");
        assert_eq!(player["draws"], 0, "{player}");
    }
}

#[test]
fn a_position_is_analyzed_by_a_solver_and_by_a_search() {
    let sandbox = Sandbox::new();
    let text = solvers(1) + "[[variant]]\nname = \"search\"\n";
    let config = sandbox.write("go.toml", &text);
    let ladder = "........./........./...X...../..XO...../..X....../........./........./........./\
                  ......... X D6 -";
    let analyze = |more: &[&str]| {
        let arguments = ["analyze", "go", "-c", &config, "--fen", ladder, "--json"];
        json(&[&arguments[..], more].concat())
    };
    let solved = analyze(&["--nodes", "2000"]);
    assert_eq!(solved["best_move"], "E6", "{solved}");
    assert!(solved["score"].as_i64().unwrap() > 9000, "proved: {solved}");
    assert!(solved["nodes"].as_u64().unwrap() <= 2000);
    let after = analyze(&["--nodes", "2000", "--moves", "E6 pass"]);
    assert!(after["score"].as_i64().unwrap() > 9000, "{after}");
    let searched = analyze(&["--variant", "search", "--depth", "3"]);
    assert_eq!(searched["depth"], 3, "{searched}");
    let refused = [
        "analyze", "go", "-c", &config, "--fen", ladder, "--depth", "3",
    ];
    assert!(told(&refused, 2).contains("give --nodes"));
}

#[test]
fn perft_judge_doctor_and_openings_know_the_game() {
    let counted = json(&["perft", "go", "--depth", "2", "--json"]);
    // 46 points, and the defender's pass in addition to the 45 points left.
    assert_eq!(counted["nodes"], 46 * 46);
    let judged = json(&["judge", "go", "--moves", "D5 C4 D3 E4 F4", "--json"]);
    assert_eq!(judged["result"], "ongoing", "{judged}");
    let taken = "....X/...XO/....X/...../..... X E4 -";
    let taken = taken.replace("X/...XO/....X", "./....O/....X");
    let judged = json(&[
        "judge",
        "go",
        "--fen",
        &taken,
        "--moves",
        "E5 pass D4",
        "--json",
    ]);
    assert_eq!(
        (&judged["winner"], &judged["cause"]),
        (&"attacker".into(), &"captured".into())
    );

    let sandbox = Sandbox::new();
    let config = sandbox.write("go.toml", &solvers(2));
    let health = json(&["doctor", &config, "--quick", "--json"]);
    assert_eq!(health["fit"], true, "{health}");
    told(&["check", &config], 0);
    let problems = project("openings/go-capture/problems.sgf");
    let problems = problems.to_str().unwrap();
    let checked = json(&["openings", "check", "go", problems, "--json"]);
    assert_eq!(
        (&checked["openings"], &checked["duplicates"]),
        (&74.into(), &0.into())
    );
    let made = told(
        &[
            "openings",
            "generate",
            "go",
            "--count",
            "3",
            "--plies",
            "2..4",
            "--nodes",
            "50",
            "--window=-900..900",
        ],
        0,
    );
    assert_eq!(
        made.lines()
            .filter(|line| line.contains("id \"gen-"))
            .count(),
        3
    );
    let bench = json(&["bench", "go", "--depth", "2", "--json"]);
    assert!(bench["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn numbers_of_the_knowledge_are_tuned_by_games() {
    let sandbox = Sandbox::new();
    let problems = project("openings/go-capture/problems.json");
    let tune = |algorithm: &str| {
        format!(
            r#"
game = "go"
seed = 3
limits = {{ nodes = 40 }}
openings = {{ file = {problems:?} }}

[tune]
algorithm = "{algorithm}"
games = 160
proof = {{ elo0 = 0, elo1 = 50 }}

[[tune.parameter]]
path = "eval.eval_first"
min = 0
max = 60
step = 4

[[tune.parameter]]
path = "eval.eval_ladder"
min = -50
max = 200
step = 12

[[variant]]
name = "search"
search = {{ algorithm = "pvs" }}
eval = {{ eval_first = 16, eval_second = 4, eval_divisor = 4 }}
"#
        )
    };
    for algorithm in ["spsa", "hill-climb"] {
        let file = sandbox.write(&format!("{algorithm}.toml"), &tune(algorithm));
        let store = sandbox.path(&format!("{algorithm}.sqlite"));
        let arguments = [
            "tune",
            &file,
            "--store",
            &store,
            "--json",
            "--quiet",
            "--no-proof",
        ];
        let output = run(&arguments);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["games"], 160, "{answer}");
        // The hill climber may stay at its start, and then there is nothing to verify.
        if algorithm == "spsa" || output.status.success() {
            assert!(output.status.success(), "{}", stderr(&output));
            let tuned = answer["tuned"].as_str().unwrap();
            let text = fs::read_to_string(tuned).unwrap();
            assert!(
                text.contains("[gate]") && text.contains("eval_first"),
                "{text}"
            );
            told(&["check", tuned], 0);
        }
    }
    let fit = "[tune.texel]\ngames = 100\n[[variant]]";
    let texel = sandbox.write("texel.toml", &tune("spsa").replace("[[variant]]", fit));
    assert!(told(&["check", &texel], 2).contains("cannot be fitted to results"));
}

#[test]
fn a_gate_decides_between_solvers() {
    let sandbox = Sandbox::new();
    let text = solvers(1).replace(
        "tournament = { pairs = 1 }",
        "[gate]\nbase = \"plain\"\nelo0 = 0\nelo1 = 200\nmax_pairs = 30\n",
    );
    let text = text.replace(
        "name = \"plain\"",
        "name = \"plain\"\nlimits = { nodes = 1 }",
    );
    let config = sandbox.write("gate.toml", &text);
    let store = sandbox.path("gate.sqlite");
    let output = run(&["gate", &config, "--store", &store, "--json", "--quiet"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(
        answer["verdict"].is_string() || answer["candidates"].is_array(),
        "{answer}"
    );
}

#[test]
fn unplayable_settings_are_refused_with_help() {
    let sandbox = Sandbox::new();
    let base = solvers(2);
    let check = |text: &str| {
        let config = sandbox.write("bad.toml", text);
        told(&["check", &config], 2)
    };
    let program = "[[variant]]\nname = \"gnugo\"\ncommand = [\"gnugo\"]\nprotocol = \"gtp\"\n";
    let said = check(&(base.clone() + program));
    assert!(
        said.contains(
            "the protocol `gtp` is for Othello, and the config is about Go block capture"
        ),
        "{said}"
    );
    assert!(said.contains("[study]"), "{said}");
    let said = check(&base.replace("{ nodes = 60 }", "{ depth = 6 }"));
    assert!(said.contains("`depth` does not limit a solver"), "{said}");
    let said = check(&base.replace("game = \"go\"", "game = \"othello\""));
    assert!(said.contains("`search.solver`"), "{said}");
    let said = check(&base.replace("seed = 5", "rules = { escape_liberties = 1 }"));
    assert!(said.contains("every block has a liberty"), "{said}");
    let said = check(&base.replace("seed = 5", "rules = { empties = \"winner\" }"));
    assert!(said.contains("a rule of Othello"), "{said}");
    let ucci = ["engine", "--game", "go", "--protocol", "ucci"];
    assert!(told(&ucci, 2).contains("the protocol `ucci` does not support Go block capture"));

    // One problem is faulty and the rest is played; one is over before it begins.
    let set = r#"[
{"id": "hole", "rows": [".....","..X..",".....",".....","....."], "target": "A1", "to_move": "X"},
{"id": "open", "rows": [".....","..X..",".XO..","..X..","....."], "target": "C3", "to_move": "O"},
{"id": "free", "rows": [".....",".OOO.",".....",".....","....."], "target": "C4", "to_move": "X"}
]"#;
    let set = sandbox.write("set.json", set);
    let problems = project("openings/go-capture/problems.json");
    let config = base
        .replace(problems.to_str().unwrap(), &set)
        .replace("pairs = 2", "pairs = 1");
    let config = sandbox.write("set.toml", &config);
    let store = sandbox.path("set.sqlite");
    let said = told(&["run", &config, "--store", &store, "--quiet"], 0);
    assert!(said.contains("problem 1 (`hole`)"), "{said}");
    assert!(
        said.contains("`free` is left out: the defender has won"),
        "{said}"
    );
    let lines = "..... ".trim();
    let book = format!(
        "{lines}/..X../.XO../..X../{lines} O C3 -; id \"one\";\n\
         # a comment\n{lines}/..X../.XO../...../{lines} X C3 -\n"
    );
    let book = sandbox.write("book.epd", &book);
    let checked = json(&["openings", "check", "go", &book, "--json"]);
    assert_eq!(checked["openings"], 2);
}
