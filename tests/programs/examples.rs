//! The examples as a user would run them: a game and a player from outside the crate.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};

use leitai::card::{Card, Games};
use leitai::config::Config;
use leitai::conformance::conforms_with_mirrors;
use leitai::engine::{Engine, EngineCommand, EngineErrorKind};
use leitai::protocol::{Budget, USI};
use leitai::session::{End, ErrorKind, Event, Session};
use leitai_game::{Cause, Line, Position, Side, Verdict, perft};
use serde_json::Value;

use crate::common::{Sandbox, project, stderr, stdout};

#[path = "../../examples/connect_four/game.rs"]
mod connect_four;
use connect_four::ConnectFour;

#[path = "../../examples/dobutsu/game.rs"]
mod dobutsu;
use dobutsu::Dobutsu;

#[path = "../../examples/gomoku/game.rs"]
mod game;
#[path = "../../examples/gomoku/gomocup.rs"]
mod gomocup;
use game::Gomoku;

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

fn at(moves: &str) -> Line<ConnectFour> {
    let mut line = Line::new(ConnectFour::initial());
    for word in moves.split_whitespace() {
        line.play(line.position().parse_move(word).expect("a legal move"));
    }
    line
}

/// The mirror image, computed from the text alone.
fn mirrored(position: &ConnectFour) -> ConnectFour {
    let fen = position.to_fen();
    let (board, side) = fen.split_once(' ').expect("a side");
    let turned = board.split('/').map(|row| row.chars().rev().collect());
    let rows: Vec<String> = turned.collect();
    let text = format!("{} {side}", rows.join("/"));
    ConnectFour::from_fen(&text).expect("the mirror image")
}

#[test]
fn connect_four_keeps_its_promises() {
    conforms_with_mirrors::<ConnectFour>(4, 6, 42, &[mirrored]);
    leitai_game::card::conformance::conforms::<ConnectFour>(4, 2, 42);
}

#[test]
fn dobutsu_keeps_its_promises() {
    leitai_game::card::conformance::conforms::<Dobutsu>(2, 10, 60);
}

#[test]
fn the_moves_of_dobutsu_are_those_of_another_program() {
    let games = std::fs::read_to_string(project("tests/data/dobutsu-moves.txt")).expect("a file");
    for game in games.lines().filter(|line| !line.starts_with('#')) {
        let (moves, counts) = game.split_once(" ; ").expect("moves and counts");
        let mut line = Line::new(Dobutsu::initial());
        let mut moves = moves.split(' ');
        for count in counts.split(' ') {
            let position = line.position();
            let place = format!("{} in {game}", position.to_fen());
            assert_eq!(position.count_legal_moves().to_string(), count, "{place}");
            if let Some(word) = moves.next() {
                let mv = position.parse_move(word).expect("a legal move");
                line.play(mv);
            }
        }
    }
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
}

fn mock_path() -> String {
    built("mock").to_str().expect("UTF-8").to_owned()
}

/// A config of an example for a program with this protocol, which plays against a search.
fn against_a_mock(game: &str, protocol: &str, limits: &str, options: &str) -> String {
    let mock = mock_path();
    format!(
        "game = \"{game}\"\n\
         limits = {{ {limits} }}\n\
         openings = {{ file = \"{game}.epd\" }}\n\
         tournament.pairs = 3\n\
         [[variant]]\n\
         name = \"search\"\n\
         search = {{ preset = \"full\" }}\n\
         [[variant]]\n\
         name = \"mock\"\n\
         command = [{mock:?}, \"{protocol}\"]\n\
         protocol = \"{protocol}\"\n\
         options = {{ {options} }}\n"
    )
}

/// A program with the game's own protocol is found, examined and played against.
#[test]
fn a_game_brings_its_protocol() {
    conforms_with_mirrors::<Gomoku>(2, 2, 225, &[]);
    leitai_game::card::conformance::conforms::<Gomoku>(2, 1, 60);
    let sandbox = Sandbox::new();
    let said = |arguments: &[&str], code: i32| said_in(&sandbox, "gomoku", arguments, code);
    let mock = format!("{} gomocup", mock_path());
    said(&["init", "--engine", &mock, "-o", "first.toml"], 0);
    let first = std::fs::read_to_string(sandbox.path("first.toml")).expect("a config");
    assert!(first.contains("protocol = \"gomocup\""), "{first}");
    sandbox.write(
        "duel.toml",
        &against_a_mock("gomoku", "gomocup", "movetime = \"20ms\"", ""),
    );
    let told = said(&["doctor", "duel.toml", "--quick"], 0);
    assert!(
        told.contains("greets after") && told.contains("after `END`"),
        "{told}"
    );
    let told = said(&["run", "duel.toml", "-q"], 0);
    assert!(told.contains("Endings: 6 five-in-a-row."), "{told}");
    said(&["report", "duel.sqlite", "--pgn", "games.pgn"], 0);
    let games = std::fs::read_to_string(sandbox.path("games.pgn")).expect("games");
    assert_eq!(games.matches("[Termination \"five-in-a-row\"]").count(), 6);
    let told = said(&["rate", "games.pgn"], 0);
    assert!(told.contains("6 games"), "{told}");

    sandbox.write(
        "nodes.toml",
        &against_a_mock("gomoku", "gomocup", "nodes = 100", ""),
    );
    let told = said(&["check", "nodes.toml"], 2);
    let problem = "the protocol `gomocup` has no node limit";
    assert!(
        told.contains(problem) && told.contains("by `movetime` or `clock`"),
        "{told}"
    );
    sandbox.write(
        "unknown.toml",
        &against_a_mock("gomoku", "cecp", "depth = 1", ""),
    );
    let told = said(&["check", "unknown.toml"], 2);
    assert!(told.contains("unknown protocol `cecp`"), "{told}");
}

#[test]
fn programs_of_dobutsu_play_by_usi() {
    let sandbox = Sandbox::new();
    let said = |arguments: &[&str], code: i32| said_in(&sandbox, "dobutsu", arguments, code);
    said(&["init", "-o", "first.toml"], 0);
    let config = against_a_mock("dobutsu", "usi", "nodes = 200", "usi_hash = 8");
    sandbox.write("duel.toml", &config);
    let told = said(&["doctor", "duel.toml", "--quick"], 0);
    assert!(
        told.contains("greets after") && told.contains("as Mock of USI"),
        "{told}"
    );
    let told = said(&["run", "duel.toml", "-q"], 0);
    assert!(told.contains("6 games in 3 pairs"), "{told}");
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
}

/// A book that could not be read again is not written.
#[test]
fn a_book_of_moves_is_refused_where_none_is_read() {
    let generate = [
        "openings",
        "generate",
        "connect-four",
        "--count",
        "5",
        "--moves",
    ];
    let output = run("connect_four", &generate);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("Connect Four has no openings as lines of moves"),
        "{said}"
    );
}

/// Counts leaves with the simplest rules: a grid of discs, and a check of all directions from the
/// last disc.
fn leaves(columns: &mut [Vec<bool>; 7], red: bool, depth: u32) -> u64 {
    let mut sum = 0;
    for at in 0..7 {
        if columns[at].len() == 6 {
            continue;
        }
        columns[at].push(red);
        sum += match depth {
            1 => 1,
            _ if wins(columns, at) => 0,
            _ => leaves(columns, !red, depth - 1),
        };
        columns[at].pop();
    }
    sum
}

fn wins(columns: &[Vec<bool>; 7], at: usize) -> bool {
    let (column, row) = (at as i32, columns[at].len() as i32 - 1);
    let disc = |column: i32, row: i32| {
        let column = columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    };
    let own = disc(column, row);
    let run = |x: i32, y: i32| {
        let same = (1..4).take_while(|step| disc(column + step * x, row + step * y) == own);
        same.count()
    };
    [(1, 0), (0, 1), (1, 1), (1, -1)]
        .iter()
        .any(|&(x, y)| run(x, y) + run(-x, -y) >= 3)
}

#[test]
fn its_leaves_are_counted_as_by_the_plainest_rules() {
    // Published numbers, and the output of the binary.
    let published = [7, 49, 343, 2_401, 16_807, 117_649, 823_536];
    let counted = (1..=7).map(|depth| perft(&mut ConnectFour::initial(), depth));
    assert!(counted.eq(published));
    let told = printed("connect_four", &["perft", "connect-four", "-d", "7"], 0);
    assert!(told.starts_with("823536 leaves"), "{told}");
    for moves in [
        "",
        "d d d d d e c",
        "a b a b a c g g f",
        "d e c c e b d e e d e c b",
    ] {
        let mut columns: [Vec<bool>; 7] = Default::default();
        for (ply, word) in moves.split_whitespace().enumerate() {
            columns[usize::from(word.as_bytes()[0] - b'a')].push(ply % 2 == 0);
        }
        let red = moves.split_whitespace().count() % 2 == 0;
        let plain = (1..=5).map(|depth| leaves(&mut columns, red, depth));
        let plain: Vec<u64> = plain.collect();
        let mut position = at(moves).position().clone();
        let counted = (1..=5).map(|depth| perft(&mut position, depth));
        assert!(counted.eq(plain.iter().copied()), "{moves}: {plain:?}");
    }
}

#[test]
fn games_end_with_four_in_a_row_or_a_full_board() {
    for (moves, winner) in [
        ("a b a b a b a", Side::First),
        ("a a b b c c d", Side::First),
        ("g a b b c d c c d d e d", Side::Second),
        ("d c c b b a b a a e a", Side::First),
    ] {
        let verdict = at(moves).verdict(());
        assert_eq!(verdict, Some(Verdict::win(winner, Cause::Goal)), "{moves}");
    }
    // Columns in twos, so that no line has a single colour.
    let full =
        "a b a b b a b a a b a b c d c d d c d c c d c d e f e f f e f e e f e f g g g g g g";
    assert_eq!(at(full).verdict(()), Some(Verdict::draw(Cause::BoardFull)));
    for wrong in [
        "",
        "......./......./......./......./......./.......",
        "......./......./......./......./......./....... x",
        "......./......./......./......./X....../....... X",
        "......./......./......./......./......./......Q X",
        "......./......./......./......./....... X",
        "......./......./......./......./......./......./....... X",
        "......./......./......./......./......./........ X",
    ] {
        assert!(ConnectFour::from_fen(wrong).is_err(), "{wrong}");
    }
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

#[test]
fn the_library_asks_an_engine_of_an_own_game() {
    let command = EngineCommand::new(mock_path(), USI).arg("usi");
    let good = command.clone().option("usi_hash", "8");
    let mut engine = Engine::start(&good, Card::<Dobutsu>::get()).expect("an engine");
    assert_eq!(engine.name(), "Mock of USI");
    assert_eq!(engine.options()[0].name, "USI_Hash");
    let first = engine.search(None, &[], &Budget::of_nodes(9));
    let first = first.expect("a move");
    assert_eq!((first.score, first.nodes), (Some(12), Some(2)));
    let second = engine.search(None, &[&first.mv], &Budget::of_nodes(9));
    assert_eq!(second.expect("a move").score, Some(0));
    let wrong = engine.search(None, &["a1a1"], &Budget::of_nodes(9));
    assert_eq!(wrong.unwrap_err().kind(), EngineErrorKind::Position);
    for (command, words) in [
        (command.option("Threads", "2"), "no option `Threads`"),
        (EngineCommand::new("no-such-engine", USI), "no-such-engine"),
    ] {
        let error = Engine::start(&command, Card::<Dobutsu>::get()).unwrap_err();
        assert_eq!(error.kind(), EngineErrorKind::Start);
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// The session of the library: a gate and a tune of an own game, its events, and its errors.
#[test]
fn the_library_gates_and_tunes_an_own_game() {
    let sandbox = Sandbox::new();
    let games = || [Card::<ConnectFour>::get()].into_iter().collect::<Games>();
    let book = config("connect_four/openings.epd");
    let head = format!(
        "game = 'connect-four'\nlimits = {{ depth = 1 }}\nopenings = {{ file = '{book}' }}\n"
    );
    let new = "[[variant]]\nname = 'new'\n";
    let gate = format!(
        "{head}gate = {{ candidate = 'new', base = 'old', elo0 = 0, elo1 = 50, max_pairs = 400 }}\n{new}\
         [[variant]]\nname = 'old'\neval = {{ threes = 0, twos = 0 }}\n"
    );
    let config = Config::parse(&gate, &games()).expect("a config");
    assert_eq!(
        (config.game(), config.variants()),
        ("connect-four", vec!["new", "old"])
    );
    let pairs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&pairs);
    let session = Session::new(games(), sandbox.path("gate.sqlite")).on_event(move |event| {
        if let Event::Pair(pair) = event {
            assert_eq!(pair.games.len(), 2);
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    let result = session.gate(&config).expect("a verdict");
    assert!(result.is_accepted(), "{result:?}");
    let [candidate] = &result.candidates[..] else {
        panic!("one candidate");
    };
    assert_eq!(candidate.pairs, pairs.load(Ordering::SeqCst));
    assert_eq!(candidate.pentanomial.iter().sum::<u64>(), candidate.pairs);
    let json: Value = serde_json::from_str(result.to_json()).expect("JSON");
    assert_eq!(json["verdict"], "accepted");

    let again = session.threads(1).gate(&config).expect("the same verdict");
    assert_eq!(again, result);
    let cancelled = Session::new(games(), sandbox.path("other.sqlite"));
    cancelled.canceller().cancel();
    let ended = cancelled.gate(&config).expect("no verdict");
    assert_eq!((ended.end, ended.verdict), (End::Cancelled, None));

    let tune = format!(
        "{head}tune = {{ variant = 'new', games = 200, parameter = [{{ path = 'eval.threes', \
         range = 100 }}] }}\n{new}"
    );
    let config = Config::parse(&tune, &games()).expect("a config");
    let session = Session::new(games(), sandbox.path("tune.sqlite"));
    let tuned = sandbox.path("tuned.toml");
    let result = session.tune(&config, &tuned).expect("a tune");
    assert_eq!(result.end, End::Complete);
    assert_eq!(result.values[0].name, "eval.threes");
    assert_eq!(result.tuned.is_some(), result.proof.is_some());

    let error = session.gate(&config).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Config);
    assert!(error.to_string().contains("has no `[gate]`"), "{error}");
    let gate_alone = Config::parse(&gate, &games()).expect("a config");
    for error in [
        session.study(&gate_alone).unwrap_err(),
        session.tune(&gate_alone, &tuned).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Config, "{error}");
    }
    let folder = Session::new(games(), sandbox.path(""));
    let gate = Config::parse(&gate, &games()).expect("a config");
    assert_eq!(folder.gate(&gate).unwrap_err().kind(), ErrorKind::Record);
    let error = Config::parse("game = 'chess'", &games()).unwrap_err();
    assert!(error.to_string().contains("unknown game"), "{error}");
}
