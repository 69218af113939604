//! The library with the games of the examples.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use leitai::card::{Card, Games};
use leitai::config::{Config, search_preset};
use leitai::engine::{Engine, EngineCommand, EngineErrorKind};
use leitai::protocol::{Budget, USI};
use leitai::session::{End, ErrorKind, Event, Session};
use serde_json::Value;

use super::connect_four::ConnectFour;
use super::dobutsu::Dobutsu;
use super::game::Gomoku;
use super::{config, mock_path};
use crate::common::Sandbox;

#[test]
fn the_library_asks_an_engine_of_an_own_game() {
    let command = EngineCommand::new(mock_path(), USI).arg("usi");
    let forever = Duration::MAX;
    let good = command
        .clone()
        .startup_timeout(forever)
        .search_timeout(forever);
    let good = good.option("usi_hash", "8");
    let mut engine = Engine::start(&good, Card::<Dobutsu>::get()).expect("an engine");
    assert_eq!(engine.name(), "Mock of USI");
    assert_eq!(engine.options()[0].name, "USI_Hash");
    let first = engine.search(None, &[], &Budget::of_nodes(9));
    let first = first.expect("a move");
    let of_first = (first.score, first.nodes, first.depth);
    assert_eq!(of_first, (Some(12), Some(2), Some(1)));
    // The depth is the number of games.
    let moves = [first.mv.as_str()];
    let same = engine.continue_game(&moves, &Budget::of_nodes(9));
    let same = same.expect("a move in the same game");
    assert_eq!((same.score, same.depth), (Some(0), Some(1)));
    let other = engine.search(None, &moves, &Budget::of_nodes(9));
    assert_eq!(other.expect("a move in a new game").depth, Some(2));
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

/// Hundreds of moves: pruning late moves would leave out the best ones.
#[test]
fn a_game_of_many_moves_has_its_own_full_search() {
    let late_move_pruning = |card| {
        let full = search_preset("full", Some(card)).expect("a search of all games");
        full.late_move_pruning.is_some()
    };
    assert!(late_move_pruning(Card::<Dobutsu>::get()));
    assert!(!late_move_pruning(Card::<Gomoku>::get()));
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

    let dobutsu = [Card::<Dobutsu>::get()].into_iter().collect();
    let error = Session::new(dobutsu, sandbox.path("other-game.sqlite")).gate(&config);
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Config);
    assert!(
        error.to_string().contains("no game `connect-four`"),
        "{error}"
    );
    let error = session.gate(&config).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Config);
    assert!(error.to_string().contains("has no `[gate]`"), "{error}");
    let gate_alone = Config::parse(&gate, &games()).expect("a config");
    let study =
        format!("{head}study = {{ suite = '{book}', depth = 2 }}\n{new}[[variant]]\nname = 'x'\n");
    let study = Config::parse(&study, &games()).expect("a config");
    for error in [
        session.run(&study).unwrap_err(),
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
