//! The examples as a user would run them: a game and a player from outside the crate.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use serde_json::Value;

use crate::common::{Sandbox, project, stderr, stdout};

mod library;
mod protocols;
mod rules;

#[path = "../../../examples/connect_four/game.rs"]
mod connect_four;
#[path = "../../../examples/dobutsu/game.rs"]
#[expect(dead_code, reason = "only the example uses the file format")]
mod dobutsu;
#[path = "../../../examples/gomoku/game.rs"]
mod game;
#[path = "../../../examples/gomoku/gomocup.rs"]
mod gomocup;

/// The binary of an example.
fn example(name: &str) -> Command {
    let mut command = Command::new(built(name));
    command.env("CI", "1").env_remove("RUST_BACKTRACE");
    command
}

/// The path of an example's binary, next to this one; built if it is not newer than the library and
/// its sources, as when only these tests run.
pub(super) fn built(name: &str) -> PathBuf {
    static BUILT: Once = Once::new();
    let own = std::env::current_exe().expect("a path");
    let profile = own.ancestors().nth(2).expect("deps in a profile's folder");
    BUILT.call_once(|| build(profile));
    profile.join("examples").join(name)
}

fn build(profile: &Path) {
    let age = |path: PathBuf| path.metadata().and_then(|it| it.modified()).ok();
    let mock = std::fs::read_dir(project("tests/mock")).expect("a folder");
    let mock = mock.map(|entry| entry.expect("an entry").path());
    let library = PathBuf::from(env!("CARGO_BIN_EXE_leitai"));
    let tested = mock.chain([library]).map(age).max().flatten();
    let names = ["connect_four", "dobutsu", "gomoku", "monte_carlo", "mock"];
    let is_new = |name| age(profile.join("examples").join(name)) >= tested;
    if names.into_iter().all(is_new) {
        return;
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--quiet"]);
    cargo.args(names.map(|name| ["--example", name]).as_flattened());
    if cfg!(feature = "fleet") {
        // Without the same features everything is rebuilt.
        cargo.arg("--all-features");
    }
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    // With variables of this package set, dependencies that read them would be rebuilt.
    let own = std::env::vars_os().map(|(name, _)| name);
    let of_package = ["CARGO_PKG_", "CARGO_MANIFEST_", "OUT_DIR"];
    for name in own.filter(|it| {
        of_package
            .iter()
            .any(|of| it.as_encoded_bytes().starts_with(of.as_bytes()))
    }) {
        cargo.env_remove(name);
    }
    cargo.env("CARGO_TARGET_DIR", profile.parent().expect("a folder"));
    cargo.current_dir(project(""));
    assert!(cargo.status().expect("cargo").success());
}

fn run(name: &str, arguments: &[&str]) -> Output {
    let output = example(name).args(arguments).output();
    output.expect("the example runs")
}

/// Runs an example, expects this exit code, and returns its output.
fn printed(name: &str, arguments: &[&str], code: i32) -> String {
    let output = run(name, arguments);
    let problem = format!("{arguments:?}: {}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(code), "{problem}");
    stdout(&output)
}

/// Runs an example in a folder, expects this exit code, and returns all that it says.
fn said_in(sandbox: &Sandbox, name: &str, arguments: &[&str], code: i32) -> String {
    let mut command = example(name);
    let output = command.current_dir(sandbox.path("")).args(arguments);
    let output = output.output().expect("the example runs");
    let said = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

fn json(name: &str, arguments: &[&str], code: i32) -> Value {
    serde_json::from_str(&printed(name, arguments, code)).expect("JSON")
}

fn config(path: &str) -> String {
    let path = project("examples").join(path);
    path.to_str().expect("UTF-8").to_owned()
}

/// The referee with a rule, and a first tournament.
#[test]
fn dobutsu_is_judged_and_played() {
    let sandbox = Sandbox::new();
    let run = |arguments: &[&str], code: i32| said_in(&sandbox, "dobutsu", arguments, code);
    // The lion reaches the far row, which ends the game only by the usual rules.
    let moves = "b1a2 b4c3 c1c2 c3c2 b2b3 c2c1";
    let judge = ["judge", "dobutsu", "--moves", moves];
    let said = run(&judge, 0);
    assert!(said.contains("0-1 by goal after 6 plies"), "{said}");
    let said = run(&[&judge[..], &["--reach", "false"]].concat(), 0);
    assert!(said.contains("ongoing after 6 plies"), "{said}");
    let there_and_back = "b1a2 b4c3 a2b1 c3b4 ".repeat(2);
    let said = run(&["judge", "dobutsu", "--moves", there_and_back.trim()], 0);
    assert!(said.contains("1/2-1/2 by repetition"), "{said}");
    run(&["init"], 0);
    let quick = ["--set", "limits={ nodes = 200 }", "-q"];
    let said = run(
        &[
            &["run", "leitai.toml", "--set", "tournament.pairs=4"],
            &quick[..],
        ]
        .concat(),
        0,
    );
    assert!(
        said.contains("goal") || said.contains("checkmate"),
        "{said}"
    );
    run(&["verify", "leitai.sqlite"], 0);
    // Its own file format, both ways.
    let line = "position startpos moves b1a2 b4c3 c1c2 c3c2 b2b3 c2c1";
    std::fs::write(sandbox.path("game.usi"), format!("{line}\n\n")).expect("a file");
    run(&["convert", "game.usi", "--out", "game.pgn"], 0);
    run(&["convert", "game.pgn", "--out", "again.usi"], 0);
    let again = std::fs::read_to_string(sandbox.path("again.usi")).expect("a file");
    assert_eq!(again.trim(), line);
    std::fs::write(
        sandbox.path("bad.usi"),
        "position startpos moves b1a2 b1a2\n",
    )
    .expect("a file");
    let said = run(&["convert", "bad.usi", "--out", "bad.pgn"], 1);
    assert!(said.contains("bad.usi, line 1, game 1, ply 2"), "{said}");
}

fn mock_path() -> String {
    built("mock").to_str().expect("UTF-8").to_owned()
}

/// The help has the program's own name, and does not mention unknown games.
#[test]
fn help_is_that_of_the_program() {
    for command in [
        "run", "gate", "tune", "study", "report", "rate", "convert", "verify", "check", "doctor",
        "analyze", "engine", "openings", "calc", "perft", "bench", "judge", "show",
    ] {
        let help = printed("connect_four", &[command, "--help"], 0);
        for word in [
            "leitai ",
            "xiangqi",
            "othello",
            "ICCS",
            "zhang-chen",
            "go\n",
        ] {
            assert!(!help.contains(word), "{command}: {word}: {help}");
        }
    }
    let help = printed("connect_four", &["study", "--help"], 0);
    assert!(help.contains("connect_four study study.toml"), "{help}");
    for page in [
        &["help", "fastchess", "--all"][..],
        &["help", "engine", "--all"],
        &["calc", "elo", "--help"],
        &["calc", "after-sprt", "--help"],
    ] {
        let help = printed("connect_four", page, 0);
        assert!(
            !help.contains("leitai ") && !help.contains("\"leitai\""),
            "{help}"
        );
    }
    let overview = stderr(&run("connect_four", &[]));
    assert!(overview.contains("Usage: connect_four "), "{overview}");
    assert!(
        overview.contains("connect_four init connect-four"),
        "{overview}"
    );
}

/// A game without a reader of its own reads the words of moves.
#[test]
fn a_book_of_moves_is_written_and_read() {
    let sandbox = Sandbox::new();
    let book = sandbox.path("book.txt");
    let generate = [
        "openings",
        "generate",
        "connect-four",
        "--count",
        "5",
        "--moves",
        "--out",
        &book,
    ];
    let output = run("connect_four", &generate);
    assert!(output.status.success(), "{}", stderr(&output));
    let output = run(
        "connect_four",
        &["openings", "check", "connect-four", &book],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("5 openings, 0 duplicates"), "{said}");
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_tournament_is_played_reported_replayed_and_exported() {
    let (sandbox, config) = (
        Sandbox::new(),
        config("connect_four/configs/tournament.toml"),
    );
    let mut told = Vec::new();
    for threads in ["1", "3"] {
        let store = sandbox.path(&format!("{threads}.sqlite"));
        let pairs = ["--set", "tournament.pairs=4", "--set", "limits.nodes=200"];
        let play = [
            "run",
            &config,
            "--store",
            &store,
            "--threads",
            threads,
            "-q",
            "--json",
        ];
        json("connect_four", &[&play[..], &pairs].concat(), 0);
        let report = json("connect_four", &["report", &store, "--json"], 0);
        let pgn = sandbox.path(&format!("{threads}.pgn"));
        printed("connect_four", &["report", &store, "--pgn", &pgn], 0);
        let games = std::fs::read_to_string(&pgn).expect("games");
        assert_eq!(games.matches("[Game \"Connect Four\"]").count(), 48);
        let verified = printed("connect_four", &["verify", &store], 0);
        assert!(verified.contains("24 the same, 0 different"), "{verified}");
        told.push((report, games));
    }
    assert_eq!(told[0], told[1], "threads");
}

#[test]
fn a_gate_finds_the_stronger_player() {
    let sandbox = Sandbox::new();
    let (config, store) = (
        config("connect_four/configs/gate.toml"),
        sandbox.path("g.sqlite"),
    );
    let gate = ["gate", &config, "--store", &store, "-q", "--json"];
    let easy = [
        "--set",
        "variant.threes.eval.threes=0",
        "--set",
        "limits.depth=2",
    ];
    let told = json("connect_four", &[&gate[..], &easy].concat(), 0);
    assert_eq!(told["candidates"][0]["verdict"], "accepted", "{told}");
}

#[test]
fn numbers_are_tuned_by_play_and_fitted_to_results() {
    let sandbox = Sandbox::new();
    let tuned = |name: &str, set: &[&str]| {
        let config = config(&format!("connect_four/configs/{name}.toml"));
        let [store, out] = ["sqlite", "toml"].map(|end| sandbox.path(&format!("{name}.{end}")));
        let tune = [
            "tune",
            &config,
            "--store",
            &store,
            "--out",
            &out,
            "--no-proof",
            "-q",
        ];
        printed("connect_four", &[&tune[..], set].concat(), 0);
        let written = std::fs::read_to_string(&out).expect("a config");
        printed("connect_four", &["check", &out], 0);
        let number = |name: &str| {
            let mut lines = written.lines().rev();
            let found = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            found.expect(name).parse::<i32>().expect("a number")
        };
        [number("threes"), number("twos")]
    };
    let [threes, twos] = tuned(
        "tune",
        &["--set", "tune.games=400", "--set", "limits.depth=1"],
    );
    assert!(threes > 0 && twos != 0, "{threes} {twos}");
    let [threes, twos] = tuned(
        "texel",
        &["--set", "tune.texel.games=300", "--set", "limits.depth=2"],
    );
    assert!(threes > twos && twos > 0, "{threes} {twos}");
}

#[test]
fn positions_are_studied_analysed_judged_and_shown() {
    let sandbox = Sandbox::new();
    let study = config("connect_four/configs/study.toml");
    let store = sandbox.path("s.sqlite");
    let all = std::fs::read_to_string(self::config("connect_four/openings.epd")).expect("a book");
    let few: Vec<&str> = all.lines().take(40).collect();
    let suite = format!(
        "study.suite={:?}",
        sandbox.write("few.epd", &few.join("\n"))
    );
    let few = [
        "--set",
        &suite,
        "--set",
        "study.depth=3",
        "--set",
        "study.resamples=200",
        "--store",
        &store,
        "--no-times",
        "-q",
    ];
    let told = printed("connect_four", &[&["study", &study][..], &few].concat(), 0);
    assert!(told.contains("from the centre"), "{told}");
    let game = "connect-four";
    let config = config("connect_four/configs/tournament.toml");
    let analyze = ["analyze", game, "--config", &config, "--moves", "d d c c"];
    let told = json(
        "connect_four",
        &[&analyze[..], &["--depth", "5", "--json"]].concat(),
        0,
    );
    // Two in a row with space on both sides: with one more, the opponent cannot stop both ends.
    assert!(
        ["b", "e"].contains(&told["best_move"].as_str().unwrap()),
        "{told}"
    );
    assert!(told["score"].as_i64() > Some(9_900), "{told}");
    let told = json(
        "connect_four",
        &["judge", game, "--moves", "a b a b a b a", "--json"],
        0,
    );
    assert_eq!(told["board"]["last_move"], "a", "{told}");
    let told = printed("connect_four", &["show", game, "--moves", "d"], 0);
    assert!(told.contains("1  . . .[X]. . ."), "{told}");
    printed("connect_four", &["bench", game, "--depth", "4"], 0);
    serves();
    printed(
        "connect_four",
        &[
            "openings",
            "check",
            game,
            &self::config("connect_four/openings.epd"),
        ],
        0,
    );
}

/// The example is an engine for other programs by UCI.
fn serves() {
    let mut engine = example("connect_four");
    engine.args(["engine", "--game", "connect-four"]);
    engine.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut engine = engine.spawn().expect("the example runs");
    let words = "uci\nposition startpos moves d d c c\ngo depth 5\nisready\nquit\n";
    let mut input = engine.stdin.take().expect("piped");
    input.write_all(words.as_bytes()).expect("it listens");
    let told = stdout(&engine.wait_with_output().expect("it ends"));
    let best = told.lines().find_map(|line| line.strip_prefix("bestmove "));
    assert!(
        best.is_some_and(|best| ["b", "e"].contains(&best)),
        "{told}"
    );
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_player_of_another_kind_plays_the_same_on_any_number_of_threads() {
    let (sandbox, config) = (Sandbox::new(), config("monte_carlo/tournament.toml"));
    let mut told = Vec::new();
    for threads in ["1", "3"] {
        let store = sandbox.path(&format!("{threads}.sqlite"));
        let run = [
            "run",
            &config,
            "--store",
            &store,
            "--threads",
            threads,
            "-q",
        ];
        let few = [
            "--set",
            "tournament.pairs=1",
            "--set",
            "limits.nodes=100",
            "--set",
            "variant.ucb, ten times as long.limits.nodes=400",
        ];
        printed("monte_carlo", &[&run[..], &few].concat(), 0);
        let pgn = sandbox.path(&format!("{threads}.pgn"));
        printed("monte_carlo", &["report", &store, "--pgn", &pgn], 0);
        let verified = printed("monte_carlo", &["verify", &store], 0);
        assert!(verified.contains("6 the same, 0 different"), "{verified}");
        let games = std::fs::read_to_string(&pgn).expect("games");
        told.push((json("monte_carlo", &["report", &store, "--json"], 0), games));
    }
    assert_eq!(told[0], told[1], "threads");
    let resolved = json("monte_carlo", &["check", &config, "--json"], 0);
    let players = &resolved["config"]["variants"];
    assert_eq!(
        players[0],
        serde_json::json!({"name": "ucb", "player": "monte-carlo"})
    );
    let doctor = printed("monte_carlo", &["doctor", &config], 0);
    assert!(doctor.contains("ucb: a player of its own kind"), "{doctor}");
}

/// The player answers in time with a clock, and also with a depth alone.
#[test]
fn it_stops_on_request() {
    let (sandbox, config) = (Sandbox::new(), config("monte_carlo/tournament.toml"));
    for limits in ["{ movetime = \"5ms\", margin = \"5s\" }", "{ depth = 1 }"] {
        let text = std::fs::read_to_string(&config).expect("a config");
        let book = self::config("connect_four/openings.epd");
        let text = text.replace("../connect_four/openings.epd", &book);
        let text = text.replace(
            "[limits]\nnodes = 2000",
            &format!(
                "[limits]\n{}",
                limits.trim_matches(['{', '}', ' ']).replace(", ", "\n")
            ),
        );
        let text = text.replace("pairs = 100", "pairs = 1");
        let text = text.replace("limits = { nodes = 20000 }", "");
        let (path, store) = (sandbox.write("c.toml", &text), sandbox.path("c.sqlite"));
        let _ = std::fs::remove_file(&store);
        let told = json(
            "monte_carlo",
            &["run", &path, "--store", &store, "-q", "--json", "--force"],
            0,
        );
        assert_eq!(told["games"], 12, "{told}");
    }
}

/// From an empty folder to a verdict, for a game without a shipped book.
#[test]
fn the_first_config_of_a_game_plays() {
    let sandbox = Sandbox::new();
    let run = |arguments: &[&str], code: i32| said_in(&sandbox, "connect_four", arguments, code);
    let said = run(&["init"], 0);
    assert!(
        said.contains("connect-four.epd is written: 100 openings"),
        "{said}"
    );
    run(&["run", "leitai.toml", "-q"], 0);
    // The same book is used, and another text of it stays.
    let book = sandbox.path("connect-four.epd");
    let text = std::fs::read_to_string(&book).expect("a book") + "# mine\n";
    std::fs::write(&book, &text).expect("written");
    let said = run(&["init", "--gate", "-o", "gate.toml"], 0);
    assert!(!said.contains("connect-four.epd"), "{said}");
    assert_eq!(std::fs::read_to_string(&book).expect("a book"), text);
    let quick = ["--set", "gate.elo0=-900", "--set", "gate.elo1=-800", "-q"];
    let said = run(&[&["gate", "gate.toml"], &quick[..]].concat(), 0);
    assert!(said.contains("accepted"), "{said}");
    run(&["doctor", "leitai.toml", "--quick"], 0);
    run(&["check", "gate.toml"], 0);
    // Leitai itself does not know the game.
    let record = sandbox.path("leitai.sqlite");
    let refused = crate::common::run(&["report", &record]);
    assert_eq!(refused.status.code(), Some(2));
    let said = stderr(&refused);
    assert!(
        said.contains("of the game `connect-four`, and this program has"),
        "{said}"
    );
}

#[test]
fn players_that_cannot_be_are_refused_with_the_reason() {
    let sandbox = Sandbox::new();
    let refused = |name: &str, variant: &str| {
        let text = format!(
            "game = \"connect-four\"\nlimits = {{ nodes = 9 }}\ntournament = {{ pairs = 1 }}\n\
             [[variant]]\nname = \"search\"\n[[variant]]\nname = \"other\"\n{variant}\n"
        );
        let path = sandbox.write("c.toml", &text);
        let output = run(name, &["check", &path]);
        assert_eq!(output.status.code(), Some(2), "{variant}");
        stderr(&output)
    };
    for (name, variant, words) in [
        (
            "monte_carlo",
            "player = \"monte-karlo\"",
            &[
                "unknown player `monte-karlo`",
                "did you mean `monte-carlo`?",
            ][..],
        ),
        (
            "connect_four",
            "player = \"monte-carlo\"",
            &[
                "unknown player `monte-carlo`",
                "no players of Connect Four except its own search",
            ],
        ),
        (
            "monte_carlo",
            "player = \"monte-carlo\"\nsearch = { preset = \"full\" }",
            &[
                "`search` of another player cannot be set",
                "remove `search`",
            ],
        ),
        (
            "monte_carlo",
            "player = \"monte-carlo\"\neval = { twos = 3 }",
            &["`eval` of another player cannot be set"],
        ),
        (
            "monte_carlo",
            "player = \"monte-carlo\"\nbase = \"search\"",
            &["a player inherits nothing from a search"],
        ),
        (
            "monte_carlo",
            "player = \"monte-carlo\"\ncommand = [\"x\"]",
            &["a variant has a `player` or a `command`, not both"],
        ),
        (
            "monte_carlo",
            "player = \"monte-carlo\"\nlimits = \"own\"",
            &["only another program can limit itself"],
        ),
        (
            "monte_carlo",
            "player = \"monte-carlo\"\nprotocol = \"uci\"",
            &["`protocol` belongs to a program"],
        ),
        ("monte_carlo", "player = 3", &["`variant.player`"]),
    ] {
        let told = refused(name, variant);
        assert!(
            words.iter().all(|word| told.contains(word)),
            "{variant}: {told}"
        );
    }
    let tune = "game = \"connect-four\"\nlimits = { nodes = 9 }\nopenings = { file = \"BOOK\" }\n\
                [tune]\nvariant = \"uct\"\ngames = 100\n[[tune.parameter]]\npath = \"eval.twos\"\n\
                range = 9\nstep = 1\n[[variant]]\nname = \"uct\"\nplayer = \"monte-carlo\"\n";
    let tune = tune.replace("BOOK", &config("connect_four/openings.epd"));
    let output = run("monte_carlo", &["check", &sandbox.write("t.toml", &tune)]);
    let told = stderr(&output);
    assert!(told.contains("`uct` has no number `eval.twos`"), "{told}");
    assert!(told.contains("it is the player `monte-carlo`"), "{told}");
}
