//! Programs that play the games of the examples.

use leitai::conformance::conforms_with_mirrors;

use super::game::Gomoku;
use super::{mock_path, said_in};
use crate::common::Sandbox;

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
