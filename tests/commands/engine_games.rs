//! Built-in players of all games as external engines: in conversations, and in tournaments.

use std::fs;

use serde_json::Value;

use super::engine::Engine;
use crate::common::{Sandbox, json, project, run, stderr, stdout};

#[test]
fn othello_is_played_with_its_passes() {
    let mut engine = Engine::start(&["--game", "othello"]);
    engine.send_line("uci");
    let hello = engine.until("uciok");
    assert!(hello[0].ends_with("(full)"), "{hello:#?}");
    let variant = "option name UCI_Variant type combo default othello var othello";
    assert!(hello.contains(&variant.to_owned()), "{hello:#?}");
    let tables = |lines: &[String]| lines.iter().filter(|line| line.contains('[')).count();
    assert_eq!(tables(&hello), 0, "{hello:#?}");
    engine.send_line("position startpos moves c4 c3 f5 b4 a4 a5 c2 a3");
    engine.send_line("go nodes 2000");
    assert_eq!(engine.best(), "pass");
    engine.send_line("position startpos moves c4 c3 f5 b4 a4 a5 c2 a3 pass");
    engine.send_line("go movetime 20");
    assert_ne!(engine.best(), "pass");
    let start = "---------------------------OX------XO--------------------------- X";
    engine.send_line(&format!("position fen {start} moves f5 d6 a1"));
    let said = engine.until("info string position refused");
    let reason = "info string position refused: ply 3: `a1`";
    assert!(said[0].starts_with(reason), "{said:?}");
    engine.send_line("go depth 1");
    assert_eq!(engine.best(), "(none)");
    engine.send_line("quit");
    assert!(engine.ends());
    let mut engine = Engine::start(&["--game", "othello", "--all-options"]);
    engine.send_line("uci");
    assert!(tables(&engine.until("uciok")) > 60);
    assert!(engine.ends());
}

#[test]
fn block_capture_is_played_by_a_search_and_by_a_solver() {
    let sandbox = Sandbox::new();
    let players = sandbox.write("players.toml", &go_players());
    let ladder = "........./........./...X...../..XO...../..X....../........./........./........./\
                  ......... X D6 -";
    for name in ["search", "solver"] {
        let mut engine = Engine::start(&[&players, "--variant", name]);
        engine.send_line(&format!("position fen {ladder}"));
        engine.send_line("go nodes 3000");
        let best = engine.best();
        assert!(
            best == "E6" || name == "search" && best != "(none)",
            "{name}: {best}"
        );
        engine.send_line(&format!("position fen {ladder} moves {best} pass"));
        engine.send_line("go movetime 50");
        engine.until("bestmove ");
        engine.send_line("quit");
        assert!(engine.ends());
    }
}

/// Two built-in players.
fn othello_players() -> String {
    format!(
        r#"
game = "othello"
seed = 3
limits = {{ nodes = 700 }}
openings = {{ file = {:?} }}
tournament = {{ pairs = 5 }}

[[variant]]
name = "one"
search = {{ preset = "full", table_mb = 1 }}

[[variant]]
name = "two"
search = {{ preset = "full", table_mb = 2, endgame = true }}
eval = {{ preset = "squares" }}
"#,
        project("openings/othello.txt").to_str().expect("UTF-8")
    )
}

fn go_players() -> String {
    format!(
        r#"
game = "go"
seed = 5
rules = {{ escape_liberties = 4 }}
limits = {{ nodes = 90 }}
openings = {{ file = {:?}, order = "sequential" }}
tournament = {{ pairs = 12 }}

[[variant]]
name = "search"
search = {{ preset = "full", table_mb = 1 }}

[[variant]]
name = "solver"
search = {{ solver = {{ kind = "df-pn+" }} }}
"#,
        project("openings/go-capture/problems.json")
            .to_str()
            .expect("UTF-8")
    )
}

/// The moves of each game of a tournament, with its result.
fn games(sandbox: &Sandbox, config: &str) -> Vec<(Value, Value)> {
    let store = sandbox.path("games.sqlite");
    let pgn = sandbox.path("games.pgn");
    for path in [&store, &pgn] {
        let _ = fs::remove_file(path);
    }
    let output = run(&[
        "run",
        config,
        "--store",
        &store,
        "--quiet",
        "--threads",
        "2",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let output = run(&["report", &store, "--pgn", &pgn]);
    assert!(output.status.success(), "{}", stderr(&output));
    let output = run(&["convert", &pgn, "--to", "json"]);
    let text = stdout(&output);
    let games = text.lines().map(serde_json::from_str::<Value>);
    let games = games
        .filter_map(Result::ok)
        .filter(|game| game["moves"].is_array());
    games
        .map(|game| (game["moves"].clone(), game["verdict"].clone()))
        .collect()
}

/// The rest of a `[[variant]]` that runs in another process.
fn program(players: &str, name: &str) -> String {
    let binary = env!("CARGO_BIN_EXE_leitai");
    format!(
        "\nname = {name:?}\ncommand = [{binary:?}, \"engine\", {players:?}, \"--variant\", \
         {name:?}]\nprotocol = \"uci\"\n\n"
    )
}

/// A tournament with each variant in turn in a separate process.
fn serves_the_same_games(players: &str, names: [&str; 2]) {
    let sandbox = Sandbox::new();
    let path = sandbox.write("players.toml", players);
    let own = games(&sandbox, &path);
    assert!(own.len() >= 10, "{own:?}");
    assert!(own.iter().any(|game| game != &own[0]), "different games");
    for name in names {
        let head = format!("name = {name:?}");
        let blocks = players.split("[[variant]]").map(|block| {
            if block.contains(&head) {
                program(&path, name)
            } else {
                block.to_owned()
            }
        });
        let text = blocks.collect::<Vec<_>>().join("[[variant]]");
        let config = sandbox.write("served.toml", &text);
        assert_eq!(games(&sandbox, &config), own, "{name} is served");
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_served_variant_of_othello_plays_the_same_games() {
    serves_the_same_games(&othello_players(), ["one", "two"]);
}

#[test]
fn a_served_variant_of_go_plays_the_same_games() {
    serves_the_same_games(&go_players(), ["search", "solver"]);
}

#[test]
fn a_served_variant_passes_the_doctor() {
    let sandbox = Sandbox::new();
    for (players, name) in [(othello_players(), "two"), (go_players(), "search")] {
        let path = sandbox.write("players.toml", &players);
        let end = players.find("[[variant]]").expect("a variant");
        let program = program(&path, name).replacen(name, "served", 1);
        let program = format!("[[variant]]{program}[[variant]]\nname = \"other\"\n");
        let config = sandbox.write("served.toml", &(players[..end].to_owned() + &program));
        let health = json(&["doctor", &config, "--quick", "--json"]);
        assert_eq!(health["fit"], true, "{health:#}");
    }
}

#[test]
fn a_protocol_that_the_game_has_not_is_refused_with_those_that_it_has() {
    for game in ["othello", "go"] {
        let output = run(&["engine", "--game", game, "--protocol", "ucci"]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(
            said.contains("the protocol `ucci` does not support"),
            "{said}"
        );
        assert!(said.contains("--protocol uci"), "{said}");
    }
    let sandbox = Sandbox::new();
    let path = sandbox.write("players.toml", &othello_players());
    let output = run(&["engine", &path, "--protocol", "ucci"]);
    assert!(stderr(&output).contains("the protocol `ucci` does not support Othello"));
    // The same in a config.
    let program = "[[variant]]\nname = \"x\"\ncommand = [\"x\"]\nprotocol = ";
    for (players, protocol, help) in [
        (
            othello_players(),
            "ucci",
            "write `protocol = \"gtp\"`, `\"nboard\"` or `\"uci\"`",
        ),
        (go_players(), "nboard", "write `protocol = \"uci\"`"),
    ] {
        let text = format!("{players}{program}{protocol:?}\n");
        let path = sandbox.write("wrong.toml", &text);
        let output = run(&["check", &path]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(
            said.contains(&format!("the protocol `{protocol}` is for")),
            "{said}"
        );
        assert!(said.contains(help), "{said}");
    }
    // Keys for programs of another game have no use here.
    let text = format!(
        "{}{program}\"uci\"\nletters = \"EH\"\npasses = \"omit\"\n",
        othello_players()
    );
    let path = sandbox.write("idle.toml", &text);
    let said = stderr(&run(&["check", &path]));
    assert!(
        said.contains("`letters` belongs to the protocols of Xiangqi"),
        "{said}"
    );
    assert!(
        said.contains("`passes` belongs to the protocol `gtp` or `nboard`"),
        "{said}"
    );
}

#[test]
fn help_has_an_example_for_each_game() {
    let help = stdout(&run(&["engine", "--help"]));
    for game in ["xiangqi", "othello", "go"] {
        let example = format!("leitai engine --game {game}");
        assert!(help.contains(&example), "{help}");
    }
}
