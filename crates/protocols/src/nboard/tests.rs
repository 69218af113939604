use std::time::Duration;

use super::*;
use crate::budget::ClockTimes;
use crate::codec::Message;
use crate::tests::{greeting, named, nothing};

const START: &str = "---------------------------OX------XO--------------------------- X";

fn ask<'a>(moves: &'a [String], budget: &'a Budget) -> MoveRequest<'a> {
    MoveRequest {
        game: "Othello",
        fen: START,
        usual: true,
        before: Some(&[]),
        moves,
        banned: &[],
        has_san: false,
        side: Side::First,
        budget,
    }
}

fn depth(depth: u32) -> Budget {
    Budget::of_depth(depth)
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn a_game_is_sent_once_and_then_every_move() {
    let mut nboard = Nboard::new(Passing::Send);
    let three = depth(3);
    let game = "set game (;GM[Othello]PC[leitai]PB[black]PW[white]RE[?]TI[1000:00]TY[8]\
                BO[8 ---------------------------O*------*O--------------------------- *]";
    assert_eq!(
        nboard.new_game(&ask(&[], &three)),
        ["set depth 3", &format!("{game};)")]
    );
    assert_eq!(nboard.go(&ask(&[], &three)), ["go"]);
    let moves = texts(&["F5", "PA", "D6"]);
    assert_eq!(
        nboard.go(&ask(&moves, &three)),
        ["move F5", "move PA", "move D6", "go"]
    );
    // A different game or depth: everything is sent again.
    let other = texts(&["F5", "F6"]);
    assert_eq!(
        nboard.go(&ask(&other, &three)),
        [&format!("{game}B[F5]W[F6];)"), "go"]
    );
    let four = depth(4);
    assert_eq!(nboard.go(&ask(&other, &four))[0], "set depth 4");
    let mut silent = Nboard::new(Passing::Omit);
    silent.new_game(&ask(&[], &three));
    assert_eq!(
        silent.go(&ask(&moves, &three)),
        ["move F5", "move D6", "go"]
    );
}

#[test]
fn a_clock_is_sent_with_the_game() {
    let clock = |increment| Budget {
        time: Some(TimeBudget::Clock(ClockTimes {
            remaining: Duration::from_millis(61_900),
            opponent: Duration::from_secs(5),
            increment: Duration::from_secs(increment),
            opponent_increment: Duration::from_secs(increment),
            ..ClockTimes::default()
        })),
        ..Budget::default()
    };
    let mut nboard = Nboard::new(Passing::Send);
    let (plain, more) = (clock(0), clock(2));
    let lines = nboard.new_game(&ask(&[], &plain));
    assert_eq!(lines[0], "set depth 60");
    assert!(lines[1].contains("TI[01:01]"), "{lines:?}");
    let white = texts(&["F5"]);
    let lines = nboard.go(&ask(&white, &plain));
    assert!(lines[0].contains("TI[01:01]") && lines[0].contains("]B[F5];)"));
    assert_eq!(lines.len(), 2, "{lines:?}");
    let lines = nboard.go(&ask(&white, &more));
    assert!(lines[0].contains("TI[01:01/00:02]"), "{lines:?}");
}

#[test]
fn white_may_begin() {
    let fen = START.replace(" X", " O");
    let moves = texts(&["F4", "D3"]);
    let budget = depth(1);
    let ask = MoveRequest {
        game: "Othello",
        fen: &fen,
        usual: false,
        before: None,
        ..ask(&moves, &budget)
    };
    let lines = Nboard::new(Passing::Send).new_game(&ask);
    assert!(lines[1].ends_with("--- O]W[F4]B[D3];)"), "{lines:?}");
}

#[test]
fn it_is_understood() {
    let mut nboard = Nboard::new(Passing::Send);
    assert_eq!(nboard.hello(), ["nboard 2", "set depth 1", "ping 1"]);
    let mut read = |line| greeting(&mut nboard, line);
    assert_eq!(read("set myname Ntest1"), named("Ntest"));
    assert_eq!(read("set myname Edax 4.6"), named("Edax 4.6"));
    assert_eq!(read("Init fast flip...Done"), nothing());
    assert_eq!(read("pong 7"), nothing(), "of another ping");
    assert!(read("pong 1").1);
    assert_eq!(nboard.ping().as_deref(), Some("ping 2"));
    assert_eq!(nboard.parse_ready_line("pong 1"), ReadyMessage::Nothing);
    assert_eq!(nboard.parse_ready_line("pong 2"), ReadyMessage::Ready);
    assert_eq!(nboard.parse_ready_line("status"), ReadyMessage::Remark);
    let played = |mv: &str, score| {
        let info = Info {
            score,
            ..Info::default()
        };
        Message::Move(mv.to_owned(), info)
    };
    for (line, mv, score) in [
        ("=== E6/0.48/0.00", "E6", Some(48)),
        ("=== d6 -1.00 0.0", "d6", Some(-100)),
        ("=== F5", "F5", None),
        ("=== PA", "PA", None),
        ("=== F5//0.5", "F5", None),
        ("=== F5/1e9", "F5", Some(MAX_EVAL)),
        ("=== F5/nan", "F5", None),
    ] {
        assert_eq!(nboard.parse_search_line(line), played(mv, score), "{line}");
    }
    assert_eq!(nboard.parse_search_line("==="), Message::Malformed);
    let info = |depth, score, nodes| {
        Message::Info(Info {
            depth,
            score,
            nodes,
            ..Info::default()
        })
    };
    let search = nboard.parse_search_line("search G5       -3.54 0  11");
    assert_eq!(search, info(Some(11), Some(-354), None));
    let exact = nboard.parse_search_line("search h8g7 54.00 0 100% solved");
    assert_eq!(exact, info(None, Some(5400), None));
    let two = nboard.parse_search_line("search h8 1.5,2.5 0 9");
    assert_eq!(two, info(Some(9), Some(150), None));
    assert_eq!(
        nboard.parse_search_line("nodestats 35805 0.01"),
        info(None, None, Some(35_805))
    );
    for line in ["status Thinking", "", "pong 2", "set myname Ntest3"] {
        assert_eq!(nboard.parse_search_line(line), Message::Nothing, "{line}");
    }
}
