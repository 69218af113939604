use std::time::Duration;

use super::*;
use crate::budget::{Budget, ClockTimes, TimeBudget};
use leitai_base::side::Side;

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn ask<'a>(
    before: &'a [String],
    moves: &'a [String],
    side: Side,
    budget: &'a Budget,
) -> MoveRequest<'a> {
    MoveRequest {
        game: "Othello",
        fen: "",
        usual: before.is_empty(),
        before: Some(before),
        moves,
        banned: &[],
        has_san: false,
        side,
        budget,
    }
}

/// An engine that has listed its commands.
fn greeted(passes: Passing, commands: &[&str]) -> Gtp {
    let mut gtp = Gtp::new(passes);
    let sent = gtp.hello();
    assert_eq!(sent[0], "101 protocol_version");
    let mut introduction = Introduction::default();
    for line in ["=101 2", "=102 GRhino", "=103 0.16.1", "=104 play"] {
        assert!(!gtp.read_greeting(line, &mut introduction));
    }
    assert_eq!(introduction.name, "GRhino 0.16.1");
    for line in commands {
        assert!(!gtp.read_greeting(line, &mut introduction));
    }
    assert!(gtp.read_greeting("", &mut introduction));
    let options = commands.iter().filter(|name| !name.contains('_'));
    let offers = options.map(|name| Offer::command(name));
    assert_eq!(introduction.offers, offers.collect::<Vec<_>>());
    gtp
}

/// The commands without their numbers.
fn bare(lines: &[String]) -> Vec<&str> {
    let bare = lines.iter().map(|line| line.split_once(' '));
    bare.map(|parts| parts.expect("a number").1).collect()
}

const ALL: [&str; 4] = ["set_game", "time_settings", "time_left", "level"];

#[test]
fn an_opening_is_sent_as_moves_and_then_new_moves() {
    let mut gtp = greeted(Passing::Send, &ALL);
    let (before, budget) = (texts(&["f5", "d6", "c3"]), Budget::default());
    let lines = gtp.new_game(&ask(&before, &[], Side::Second, &budget));
    assert_eq!(
        bare(&lines),
        [
            "set_game Othello",
            "boardsize 8",
            "clear_board",
            "play black f5",
            "play white d6",
            "play black c3"
        ]
    );
    let lines = gtp.go(&ask(&before, &[], Side::Second, &budget));
    assert_eq!(bare(&lines), ["genmove white"]);
    // The engine has made its move itself.
    gtp.note_own_move("D3");
    let moves = texts(&["d3", "c4"]);
    let lines = gtp.go(&ask(&before, &moves, Side::Second, &budget));
    assert_eq!(bare(&lines), ["play black c4", "genmove white"]);
    // The engine's move differs from the game: everything is sent again.
    let other = texts(&["f4"]);
    let lines = gtp.go(&ask(&before, &other, Side::First, &budget));
    assert_eq!(bare(&lines)[1..3], ["boardsize 8", "clear_board"]);
    assert_eq!(bare(&lines)[6..], ["play white f4", "genmove black"]);
}

#[test]
fn a_program_that_rejects_a_pass_gets_no_more_passes() {
    let mut gtp = greeted(Passing::Send, &[]);
    let budget = Budget::default();
    let moves = texts(&["f5", "pass", "d6", "pass"]);
    let lines = gtp.go(&ask(&[], &moves[..3], Side::Second, &budget));
    assert_eq!(
        bare(&lines)[2..],
        [
            "play black f5",
            "play white pass",
            "play black d6",
            "genmove white"
        ]
    );
    let number = |line: &str| {
        line.split_once(' ')
            .map_or("", |(number, _)| number)
            .to_owned()
    };
    let rejects = format!("?{} syntax error", number(&lines[3]));
    assert_eq!(gtp.parse_search_line(&rejects), Message::Nothing);
    let plays = format!("={} PASS", number(&lines[5]));
    assert_eq!(
        gtp.parse_search_line(&plays),
        Message::Move("PASS".to_owned(), Info::default())
    );
    gtp.note_own_move("PASS");
    let more = [&moves[..], &texts(&["c3", "pass"])].concat();
    let lines = gtp.go(&ask(&[], &more, Side::First, &budget));
    assert_eq!(bare(&lines), ["play black c3", "genmove black"]);
    // A refused move is an error.
    let rejects = format!("?{} illegal move", number(&lines[0]));
    assert_eq!(gtp.parse_search_line(&rejects), Message::Malformed);
    let mut silent = greeted(Passing::Omit, &[]);
    let lines = silent.go(&ask(&[], &moves, Side::First, &budget));
    assert_eq!(
        bare(&lines)[2..],
        ["play black f5", "play black d6", "genmove black"]
    );
}

#[test]
fn answers_are_moves_resignations_or_faults() {
    let answer = |line: &str| {
        let mut gtp = Gtp::new(Passing::Send);
        let lines = gtp.go(&ask(&[], &[], Side::First, &Budget::default()));
        assert_eq!(
            lines,
            ["101 boardsize 8", "102 clear_board", "103 genmove black"]
        );
        gtp.parse_search_line(&line.replace('#', "103"))
    };
    let plays = |mv: &str| Message::Move(mv.to_owned(), Info::default());
    assert_eq!(answer("=# f5"), plays("f5"));
    assert_eq!(answer("= # F5 "), plays("F5"));
    assert_eq!(answer("=# resign"), Message::Resigns);
    assert_eq!(answer("=#"), Message::Malformed);
    assert_eq!(answer("?# cannot move"), Message::Malformed);
    for line in ["f5", "", "# a comment", "=102", "=101 f5", "= "] {
        assert_eq!(answer(line), Message::Nothing, "{line}");
    }
}

#[test]
fn refusals_before_play_are_reported() {
    let mut gtp = greeted(Passing::Send, &ALL);
    let option = gtp.option(OptionKind::Unknown, "level", "9");
    assert_eq!(
        (option.as_str(), gtp.plain("7 verbose 1").as_str()),
        ("105 level 9", "106 verbose 1")
    );
    let ping = gtp.ping();
    assert_eq!(ping.as_deref(), Some("107 protocol_version"));
    assert_eq!(
        gtp.parse_ready_line("?105 out of range"),
        ReadyMessage::Refused("level 9".to_owned(), "? out of range".to_owned())
    );
    assert_eq!(gtp.parse_ready_line(""), ReadyMessage::Nothing);
    assert_eq!(gtp.parse_ready_line("hello"), ReadyMessage::Remark);
    assert_eq!(gtp.parse_ready_line("=106"), ReadyMessage::Nothing);
    assert_eq!(gtp.parse_ready_line("=107 2"), ReadyMessage::Ready);
}

#[test]
fn times_are_sent_in_seconds_before_every_move() {
    let mut gtp = greeted(Passing::Send, &ALL);
    let per_move = Budget::of_time(Duration::from_secs(2));
    let lines = gtp.go(&ask(&[], &[], Side::First, &per_move));
    assert_eq!(
        bare(&lines)[3..],
        [
            "time_settings 0 2 1",
            "time_left black 2 1",
            "genmove black"
        ]
    );
    let clock = |seconds: u64| Budget {
        time: Some(TimeBudget::Clock(ClockTimes {
            remaining: Duration::from_millis(seconds * 1000 + 999),
            opponent: Duration::from_secs(9),
            increment: Duration::from_secs(1),
            opponent_increment: Duration::from_secs(1),
            ..ClockTimes::default()
        })),
        ..Budget::default()
    };
    let moves = texts(&["f5"]);
    let (first, later) = (clock(60), clock(30));
    let lines = gtp.go(&ask(&[], &moves, Side::Second, &first));
    assert_eq!(
        bare(&lines)[3..],
        [
            "time_settings 60 0 0",
            "play black f5",
            "time_left black 9 0",
            "time_left white 60 0",
            "genmove white"
        ]
    );
    gtp.note_own_move("d6");
    let moves = texts(&["f5", "d6", "c3"]);
    let lines = gtp.go(&ask(&[], &moves, Side::Second, &later));
    assert_eq!(
        bare(&lines),
        [
            "play black c3",
            "time_left black 9 0",
            "time_left white 30 0",
            "genmove white"
        ]
    );
    let byoyomi = |remaining| Budget {
        time: Some(TimeBudget::Clock(ClockTimes {
            remaining: Duration::from_secs(remaining),
            opponent: Duration::from_millis(500),
            byoyomi: Duration::from_secs(5),
            opponent_byoyomi: Duration::from_secs(7),
            ..ClockTimes::default()
        })),
        ..Budget::default()
    };
    let mut other = greeted(Passing::Send, &ALL);
    let (first, last) = (byoyomi(60), byoyomi(0));
    let lines = other.go(&ask(&[], &[], Side::First, &first));
    assert_eq!(
        bare(&lines)[3..],
        [
            "time_settings 60 5 1",
            "time_left white 7 1",
            "time_left black 60 0",
            "genmove black"
        ]
    );
    let lines = other.go(&ask(&[], &texts(&["f5", "d6"]), Side::First, &last));
    assert!(bare(&lines).contains(&"time_left black 5 1"), "{lines:?}");
    assert_eq!(gtp.lacks_for_times(), None);
    let timeless = greeted(Passing::Send, &["set_game"]);
    assert_eq!(timeless.lacks_for_times(), Some("time_settings"));
    assert_eq!(Gtp::new(Passing::Send).lacks_for_times(), None, "it may");
}
