//! Tests of the protocols as text, without an engine.

use std::time::Duration;

use proptest::prelude::*;

use super::cecp::Cecp;
use super::codec::{Codec, Info, Introduction, Message, MoveRequest, ReadyMessage, Span};
use super::gtp::Gtp;
use super::nboard::Nboard;
use super::offer::{Offer, OptionKind};
use super::protocol::{CodecSettings, Passing};
use super::uci::{Form, Uci};
use super::usi::USI;
use crate::budget::{Budget, ClockTimes, Period, TimeBudget};
use leitai_base::score::{MATE, MAX_EVAL};
use leitai_base::side::Side;

fn uci() -> Uci {
    Uci::new(Form::Uci, true)
}

fn plays(mv: &str) -> Message {
    Message::Move(mv.to_owned(), Info::default())
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn ask<'a>(moves: &'a [String], side: Side, budget: &'a Budget) -> MoveRequest<'a> {
    MoveRequest {
        game: "xiangqi",
        fen: START,
        usual: true,
        before: Some(&[]),
        moves,
        banned: &[],
        has_san: false,
        side,
        budget,
    }
}

fn clock() -> Budget {
    Budget {
        time: Some(TimeBudget::Clock(ClockTimes {
            remaining: Duration::from_secs(61),
            opponent: Duration::from_millis(59_500),
            increment: Duration::from_secs(2),
            opponent_increment: Duration::from_secs(3),
            ..ClockTimes::default()
        })),
        ..Budget::default()
    }
}

/// A clock with periods of 40 moves.
fn clock_of_periods(increment: u64) -> Budget {
    let period = Period {
        moves: 40,
        time: Duration::from_secs(90),
        next: Duration::from_secs(90),
        to_go: 7,
        opponent_to_go: Some(8),
    };
    Budget {
        time: Some(TimeBudget::Clock(ClockTimes {
            remaining: Duration::from_secs(61),
            opponent: Duration::from_millis(59_500),
            increment: Duration::from_secs(increment),
            opponent_increment: Duration::from_secs(increment),
            period: Some(period),
            ..ClockTimes::default()
        })),
        ..Budget::default()
    }
}

fn per_move(seconds: u64) -> Budget {
    Budget::of_time(Duration::from_secs(seconds))
}

fn nodes(nodes: u64) -> Budget {
    Budget::of_nodes(nodes)
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn info(depth: u32, score: i32, nodes: u64) -> Message {
    Message::Info(Info {
        depth: Some(depth),
        score: Some(score),
        nodes: Some(nodes),
        ..Info::default()
    })
}

/// Parses a line, and clears `mate` and `pv`, which have their own tests.
fn search_data(codec: &mut Uci, line: &str) -> Message {
    match codec.parse_search_line(line) {
        Message::Info(info) => Message::Info(Info {
            mate: None,
            pv: Span::default(),
            ..info
        }),
        other => other,
    }
}

/// Adds a reported time to the data.
fn timed(heard: Message, millis: u32) -> Message {
    match heard {
        Message::Info(info) => Message::Info(Info {
            millis: Some(millis),
            ..info
        }),
        other => other,
    }
}

#[test]
fn ucci_excludes_moves_between_the_position_and_the_search() {
    let budget = Budget::of_depth(3);
    let banned = ["h2e2", "a0a1"].map(str::to_owned);
    let ask = MoveRequest {
        banned: &banned,
        ..ask(&[], Side::First, &budget)
    };
    let position = format!("position fen {START}");
    let lines = Uci::new(Form::Ucci, true).go(&ask);
    assert_eq!(lines, [&position, "banmoves h2e2 a0a1", "go depth 3"]);
    let lines = Uci::new(Form::Ucci, true).ponder(&ask);
    assert_eq!(
        lines,
        [&position, "banmoves h2e2 a0a1", "go ponder depth 3"]
    );
    assert_eq!(uci().go(&ask), [&position, "go depth 3"]);
}

#[test]
fn uci_asks_for_a_move() {
    let moves = texts(&["h3e3", "h10g8"]);
    let both = Budget {
        depth: Some(6),
        ..nodes(5_000)
    };
    assert_eq!(
        Uci::new(Form::Uci, true).go(&ask(&moves, Side::First, &both)),
        [
            &format!("position fen {START} moves h3e3 h10g8"),
            "go nodes 5000 depth 6"
        ]
    );
    let [_, go] = &Uci::new(Form::Uci, true).go(&ask(&[], Side::Second, &clock()))[..] else {
        panic!("two lines");
    };
    assert_eq!(go, "go wtime 59500 btime 61000 winc 3000 binc 2000");
    let lines = Uci::new(Form::Uci, true).go(&ask(&[], Side::First, &per_move(3)));
    assert_eq!(
        lines,
        [&format!("position fen {START}"), "go movetime 3000"]
    );
}

#[test]
fn every_protocol_sends_the_moves_until_the_next_period() {
    let both = clock_of_periods(2);
    let lines = uci().go(&ask(&[], Side::Second, &both));
    let go = "go wtime 59500 btime 61000 winc 2000 binc 2000 movestogo 7";
    assert_eq!(lines[1], go);
    let lines = Cecp::new(false).new_game(&ask(&[], Side::First, &both));
    assert!(lines.contains(&"level 40 1:30 2".to_owned()), "{lines:?}");
    let mut cecp = Cecp::new(false);
    let lines = cecp.go(&ask(&[], Side::First, &both));
    assert!(lines.contains(&"time 6100".to_owned()), "{lines:?}");
    let periods = clock_of_periods(0);
    let lines = Uci::new(Form::Ucci, true).go(&ask(&[], Side::First, &periods));
    let go = "go time 61000 movestogo 7 opptime 59500 oppmovestogo 8";
    assert_eq!(lines[1], go);
    let lines = Uci::new(Form::Ucci, false).go(&ask(&[], Side::First, &periods));
    assert_eq!(lines[1], "go time 61 movestogo 7 opptime 59 oppmovestogo 8");
    let lines = Gtp::new(Passing::Send).go(&ask(&[], Side::Second, &periods));
    for told in [
        "time_settings 0 90 40",
        "time_left black 59 8",
        "time_left white 61 7",
    ] {
        assert!(lines.iter().any(|line| line.ends_with(told)), "{lines:?}");
    }
}

#[test]
fn uci_and_ucci_ponder_on_the_reply_that_they_name() {
    let moves = texts(&["h2e2", "h9g7"]);
    for (mut codec, go) in [
        (
            uci(),
            "go ponder wtime 61000 btime 59500 winc 2000 binc 3000",
        ),
        (
            Uci::new(Form::Ucci, true),
            "go ponder time 61000 increment 2000 opptime 59500 oppincrement 3000",
        ),
    ] {
        let lines = codec.ponder(&ask(&moves, Side::First, &clock()));
        let position = format!("position fen {START} moves h2e2 h9g7");
        assert_eq!(lines, [position.as_str(), go]);
        for (line, reply) in [
            ("bestmove h2e2 ponder h9g7", Some("h9g7")),
            ("bestmove h2e2 ponder", None),
            ("bestmove h2e2", None),
        ] {
            assert_eq!(codec.expected_reply(line), reply, "{line}");
        }
        assert_eq!(codec.rest(), None);
    }
    let mut ucci = Uci::new(Form::Ucci, true);
    assert_eq!(ucci.required_options(), [("usemillisec", "true")]);
    ucci.enable_pondering();
    assert!(ucci.required_options().contains(&("ponder", "true")));
}

#[test]
fn cecp_ponders_by_itself_until_the_reply_or_the_end() {
    let mut cecp = Cecp::new(true);
    cecp.enable_pondering();
    let clock = clock();
    let lines = cecp.new_game(&ask(&[], Side::First, &clock));
    assert!(lines.contains(&"hard".to_owned()) && !lines.contains(&"easy".to_owned()));
    assert_eq!(
        cecp.go(&ask(&[], Side::First, &clock)),
        ["force", "time 6100", "otim 5950", "go"]
    );
    cecp.note_own_move("h2e2");
    let moves = texts(&["h2e2", "h9g7"]);
    assert_eq!(
        cecp.go(&ask(&moves, Side::First, &clock)),
        ["time 6100", "otim 5950", "usermove h9g7"]
    );
    assert_eq!(cecp.rest(), Some("force"));
    // The engine does not play now, and is asked to.
    cecp.note_own_move("h0g2");
    let moves = texts(&["h2e2", "h9g7", "h0g2", "i9h9"]);
    assert_eq!(
        cecp.go(&ask(&moves, Side::First, &clock)),
        ["force", "usermove i9h9", "time 6100", "otim 5950", "go"]
    );
    assert_eq!(Cecp::new(true).rest(), None);
}

/// The contents of one greeting line, and whether it ends the greeting.
pub(super) fn greeting(codec: &mut dyn Codec, line: &str) -> (Introduction, bool) {
    let mut introduction = Introduction::default();
    let is_done = codec.read_greeting(line, &mut introduction);
    (introduction, is_done)
}

/// A greeting line without contents.
pub(super) fn nothing() -> (Introduction, bool) {
    (Introduction::default(), false)
}

/// A greeting line with a name.
pub(super) fn named(name: &str) -> (Introduction, bool) {
    let name = name.to_owned();
    let introduction = Introduction {
        name,
        ..Introduction::default()
    };
    (introduction, false)
}

/// A greeting line with these options.
fn offering(offers: Vec<Offer>) -> (Introduction, bool) {
    let introduction = Introduction {
        offers,
        ..Introduction::default()
    };
    (introduction, false)
}

#[test]
fn uci_is_understood() {
    let mut uci = uci();
    let name = named("Fairy-Stockfish 11.1");
    assert_eq!(greeting(&mut uci, "id name Fairy-Stockfish 11.1 "), name);
    let option = "Skill Level type spin default 20 min -20 max 20";
    assert_eq!(
        greeting(&mut uci, &format!("option name {option}")),
        offering(vec![Offer::uci(option)])
    );
    assert_eq!(greeting(&mut uci, "uciok"), (Introduction::default(), true));
    assert_eq!(
        greeting(&mut uci, "Fairy-Stockfish by Fabian Fichter"),
        nothing()
    );
    let line =
        "info depth 6 seldepth 6 multipv 1 score cp 27 nodes 5836 nps 9 tbhits 0 time 4 pv g7g6";
    assert_eq!(search_data(&mut uci, line), timed(info(6, 27, 5836), 4));
    assert_eq!(
        search_data(&mut uci, "info depth 9 score mate 3 nodes 7"),
        info(9, MATE - 6, 7)
    );
    assert_eq!(
        search_data(&mut uci, "info depth 9 score mate -2 nodes 7"),
        info(9, 4 - MATE, 7)
    );
    let bound = Info {
        depth: Some(9),
        score: Some(99),
        is_bound: true,
        nodes: Some(7),
        ..Info::default()
    };
    assert_eq!(
        search_data(&mut uci, "info depth 9 score cp 99 lowerbound nodes 7"),
        Message::Info(bound)
    );
    assert_eq!(
        search_data(&mut uci, "info multipv 2 depth 9 score cp 99 nodes 7"),
        Message::Info(Info::default())
    );
    assert_eq!(
        search_data(&mut uci, "info string depth 9"),
        Message::Nothing
    );
    assert_eq!(
        uci.parse_search_line("bestmove g7g6 ponder h1g3"),
        plays("g7g6")
    );
    assert_eq!(uci.parse_search_line("bestmove"), Message::Malformed);
    assert_eq!(uci.parse_search_line("running 1 test"), Message::Nothing);
}

#[test]
fn ucci_asks_and_is_understood() {
    let go = |milliseconds, budget: &Budget| {
        Uci::new(Form::Ucci, milliseconds)
            .go(&ask(&[], Side::Second, budget))
            .remove(1)
    };
    assert_eq!(go(true, &nodes(9)), "go nodes 9");
    assert_eq!(go(true, &per_move(3)), "go time 3000 movestogo 1");
    assert_eq!(
        go(false, &clock()),
        "go time 61 increment 2 opptime 59 oppincrement 3"
    );
    let mut ucci = Uci::new(Form::Ucci, true);
    let option = "usemillisec type check default false";
    assert_eq!(
        greeting(&mut ucci, &format!("option {option}")),
        offering(vec![Offer::ucci(option)])
    );
    assert_eq!(
        ucci.option(OptionKind::Check, "usebook", "false"),
        "setoption usebook false"
    );
    let score = |depth, score| {
        Message::Info(Info {
            depth: Some(depth),
            score: Some(score),
            ..Info::default()
        })
    };
    assert_eq!(
        search_data(&mut ucci, "info depth 8 score 6 pv g3g6"),
        score(8, 6)
    );
    assert_eq!(
        search_data(&mut ucci, "info depth 8 score cp -6 pv g3g6"),
        score(8, -6)
    );
    assert_eq!(
        ucci.parse_search_line("bestmove b0c2 ponder d9e8"),
        plays("b0c2")
    );
    assert_eq!(
        ucci.parse_search_line("bestmove b0c2 resign"),
        Message::Resigns
    );
    assert_eq!(ucci.parse_search_line("nobestmove"), Message::Refuses);
}

#[test]
fn options_are_set_in_the_way_of_the_protocol() {
    let said = |kind, value| {
        let speeches: [&mut dyn Codec; 3] = [
            &mut uci(),
            &mut Uci::new(Form::Ucci, true),
            &mut Cecp::new(true),
        ];
        speeches.map(|codec| codec.option(kind, "Own Book", value))
    };
    assert_eq!(
        said(OptionKind::Check, "true"),
        [
            "setoption name Own Book value true",
            "setoption Own Book true",
            "option Own Book=1"
        ]
    );
    assert_eq!(
        said(OptionKind::Button, ""),
        [
            "setoption name Own Book",
            "setoption Own Book",
            "option Own Book"
        ]
    );
}

#[test]
fn cyclone_leaves_a_word_out() {
    let moves = texts(&["h2e2"]);
    let lines = Uci::new(Form::Cyclone, true).go(&ask(&moves, Side::Second, &nodes(7)));
    assert_eq!(lines, [&format!("fen {START} moves h2e2"), "go nodes 7"]);
}

#[test]
fn ucci_sends_seconds_to_programs_without_milliseconds() {
    let mut ucci = Uci::new(Form::Ucci, true);
    ucci.note_options(&[Offer::ucci("usebook type check default true")]);
    assert!(ucci.sends_seconds());
    let lines = ucci.go(&ask(&[], Side::First, &per_move(3)));
    assert_eq!(lines[1], "go time 3 movestogo 1");
    let mut ucci = Uci::new(Form::Ucci, true);
    ucci.note_options(&[Offer::ucci("usemillisec type check default false")]);
    assert!(!ucci.sends_seconds());
}

#[test]
fn cecp_sends_new_moves_only() {
    let mut cecp = Cecp::new(true);
    let depth = Budget::of_depth(5);
    let mut moves = texts(&["h2e2"]);
    assert_eq!(
        cecp.go(&ask(&moves, Side::Second, &depth)),
        [
            "new",
            "variant xiangqi",
            "force",
            "easy",
            "post",
            "level 0 1000 0",
            "sd 5",
            "usermove h2e2",
            "go"
        ]
    );
    cecp.note_own_move("h9g7");
    moves.extend(texts(&["h9g7", "h0g2"]));
    assert_eq!(
        cecp.go(&ask(&moves, Side::Second, &depth)),
        ["force", "usermove h0g2", "go"]
    );
    // The next game begins elsewhere: the whole setup is sent before any clock runs.
    let elsewhere = MoveRequest {
        game: "xiangqi",
        usual: false,
        ..ask(&[], Side::First, &depth)
    };
    let lines = cecp.new_game(&elsewhere);
    assert_eq!(lines[7], format!("setboard {START}"));
    assert_eq!(cecp.go(&elsewhere), ["force", "go"]);
    // Another limit needs a new setup.
    let deeper = Budget::of_depth(6);
    let other = MoveRequest {
        game: "xiangqi",
        budget: &deeper,
        ..elsewhere
    };
    assert!(cecp.go(&other).contains(&"sd 6".to_owned()));
    let mut bare = Cecp::new(false);
    let lines = bare.go(&ask(&moves, Side::Second, &clock()));
    assert_eq!(lines[5], "level 0 1:01 2");
    assert_eq!(&lines[6..9], ["h2e2", "h9g7", "h0g2"]);
    assert_eq!(&lines[9..], ["time 6100", "otim 5950", "go"]);
}

#[test]
fn cecp_is_understood() {
    let mut cecp = Cecp::new(true);
    let line = "feature myname=\"Hoi 0.22\" ping=1 option=\"verbose level -spin 0 1 2\" done=1";
    let (introduction, is_done) = greeting(&mut cecp, line);
    assert!(is_done);
    assert_eq!(introduction.name, "Hoi 0.22");
    assert_eq!(
        introduction.offers,
        [Offer::cecp("verbose level -spin 0 1 2")]
    );
    assert_eq!(greeting(&mut cecp, "feature done=0"), nothing());
    let thought = |depth, score, nodes| timed(info(depth, score, nodes), 1_520);
    assert_eq!(
        cecp.parse_search_line("5 58 152 47747 2. Ce2-c2"),
        thought(5, 58, 47747)
    );
    assert_eq!(
        cecp.parse_search_line("5 100003 152 7 2. Ce2-c2"),
        thought(5, MATE - 6, 7)
    );
    assert_eq!(
        cecp.parse_search_line("5 -100000 152 7"),
        thought(5, 2 - MATE, 7)
    );
    assert_eq!(cecp.parse_search_line("move e2c2"), plays("e2c2"));
    assert_eq!(cecp.parse_search_line("resign"), Message::Resigns);
    for (result, winner) in [
        ("1-0 {Black is mated}", Some(Side::First)),
        ("0-1 {White resigns}", Some(Side::Second)),
        ("1/2-1/2 {3 repetitions}", None),
    ] {
        assert_eq!(cecp.parse_search_line(result), Message::Claims(winner));
    }
    assert_eq!(cecp.parse_search_line("offer draw"), Message::Nothing);
    assert_eq!(cecp.parse_search_line("tellics draw"), Message::Nothing);
    for refusal in [
        "Illegal move: a0a5",
        "Illegal move (in check): a0a5",
        "Illegal position",
    ] {
        assert_eq!(
            cecp.parse_search_line(refusal),
            Message::Malformed,
            "{refusal}"
        );
    }
    // Only a rejected move is an error.
    assert_eq!(
        cecp.parse_search_line("Error (unknown command): easy"),
        Message::Nothing
    );
    let moves = texts(&["a0a1"]);
    let mut told = Cecp::new(false);
    told.go(&ask(&moves, Side::Second, &Budget::default()));
    assert_eq!(
        told.parse_search_line("Error (unknown command): a0a1"),
        Message::Malformed
    );
    assert_eq!(
        cecp.parse_search_line("tellusererror Illegal position"),
        Message::Malformed
    );
    assert_eq!(
        cecp.parse_search_line("Search depth limited to 4 ply."),
        Message::Nothing
    );
}

#[test]
fn cecp_sets_memory_and_cores_where_they_are_features() {
    let mut cecp = Cecp::new(false);
    let line = "feature memory=1 smp=1 usermove=1 option=\"Depth -spin 1 1 9\" done=1";
    let (Introduction { offers, .. }, _) = greeting(&mut cecp, line);
    let names: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    assert_eq!(names, ["memory", "cores", "Depth"]);
    assert!(offers[0].accept("0").is_err() && offers[1].accept("many").is_err());
    assert!(offers[0].accept("64").is_ok());
    let mut set = |name, value| cecp.option(OptionKind::Spin, name, value);
    assert_eq!(set("Memory", "64"), "memory 64");
    assert_eq!(set("cores", "2"), "cores 2");
    assert_eq!(set("Depth", "3"), "option Depth=3");
    // A command without a feature is an ordinary option.
    assert_eq!(greeting(&mut cecp, "feature memory=1"), nothing(), "once");
    let mut plain = Cecp::new(false);
    assert_eq!(
        greeting(&mut plain, "feature memory=0 smp=0 analyze=0"),
        nothing()
    );
    assert_eq!(
        plain.option(OptionKind::Spin, "memory", "64"),
        "option memory=64"
    );
    // The feature also determines the form of moves.
    let moves = texts(&["h2e2"]);
    let depth = Budget::of_depth(1);
    let lines = cecp.go(&ask(&moves, Side::Second, &depth));
    assert!(lines.contains(&"usermove h2e2".to_owned()), "{lines:?}");
}

#[test]
fn cecp_has_moves_in_algebraic_notation_where_the_game_has_it() {
    let depth = Budget::of_depth(1);
    for (has_san, word) in [(true, "accepted san"), (false, "rejected san")] {
        let mut cecp = Cecp::new(true);
        assert!(!cecp.wants_san());
        greeting(&mut cecp, "feature san=1 done=1");
        let asked = MoveRequest {
            has_san,
            ..ask(&[], Side::First, &depth)
        };
        let lines = cecp.new_game(&asked);
        assert_eq!(lines[..2], [word, "new"]);
        assert_eq!(cecp.wants_san(), has_san);
        assert_eq!(cecp.new_game(&asked)[0], "new", "it is told once");
    }
    let mut other = Cecp::new(true);
    greeting(&mut other, "feature san=0 done=1");
    assert_eq!(other.new_game(&ask(&[], Side::First, &depth))[0], "new");
}

/// An engine may write its move in another form than the one for sending it.
#[test]
fn cecp_knows_its_own_moves_whatever_it_calls_them() {
    let mut cecp = Cecp::new(false);
    let depth = Budget::of_depth(1);
    cecp.new_game(&ask(&[], Side::First, &depth));
    cecp.go(&ask(&[], Side::First, &depth));
    assert_eq!(cecp.parse_search_line("move C2=5"), plays("C2=5"));
    cecp.note_own_move("C2=5");
    let moves = texts(&["h2e2", "h9g7"]);
    let lines = cecp.go(&ask(&moves, Side::First, &depth));
    assert_eq!(lines, ["force", "h9g7", "go"]);
    // A different last move makes it a different game.
    let other = texts(&["h2e2", "b9c7", "b2e2", "i9h9"]);
    let lines = cecp.go(&ask(&other, Side::First, &depth));
    assert_eq!(lines[0], "new");
}

#[test]
fn cecp_comments_and_refused_commands_are_no_moves() {
    let mut cecp = Cecp::new(true);
    for line in [
        "# move h2e2",
        "  # resign",
        "#1 2 3 4",
        "Illegal move: sd 3",
        "Illegal move (unknown command): level 0 5 0",
        "telluser hello",
        "Hint: h2e2",
    ] {
        assert_eq!(cecp.parse_search_line(line), Message::Nothing, "{line}");
    }
    assert_eq!(cecp.parse_ready_line("# loading"), ReadyMessage::Nothing);
    assert_eq!(greeting(&mut cecp, "# feature done=1"), nothing());
    assert_eq!(
        cecp.parse_search_line("Illegal move: e2e9"),
        Message::Malformed
    );
    assert_eq!(cecp.parse_search_line("Illegal move"), Message::Malformed);
    assert_eq!(cecp.parse_search_line("offer draw"), Message::Nothing);
}

#[test]
fn cecp_of_version_1_has_no_ping_and_other_moves() {
    let mut old = Cecp::new(false);
    assert!(old.unfinished_greeting().unwrap().contains("version 1"));
    assert_eq!((old.ping(), old.sync_command()), (None, None));
    let moves = texts(&["e2e4"]);
    let depth = Budget::of_depth(1);
    old.go(&ask(&moves, Side::Second, &depth));
    // The echo of the opponent's move, then a move in two forms.
    assert_eq!(old.parse_search_line("e2e4"), Message::Nothing);
    assert_eq!(old.parse_search_line("1. e2e4"), Message::Nothing);
    assert_eq!(old.parse_search_line("1. ... e7e5"), plays("e7e5"));
    old.note_own_move("e7e5");
    assert_eq!(old.parse_search_line("My move is: e7e5"), Message::Nothing);
    assert_eq!(old.parse_search_line("g8f6"), plays("g8f6"));
    let refusal = "Error (unknown command): setboard 8/8/4k3/8/8/4K3/8/8 w - - 0 1";
    assert_eq!(old.parse_search_line(refusal), Message::Malformed);
    old.new_game(&ask(&[], Side::First, &depth));
    assert_eq!(old.parse_search_line("My move is: e7e5"), plays("e7e5"));

    old.parse_search_line("feature usermove=1 ping=1");
    assert_eq!(old.ping().as_deref(), Some("ping 3"));

    let mut new = Cecp::new(false);
    greeting(&mut new, "feature ping=1 myname=\"New\"");
    assert!(
        new.unfinished_greeting()
            .unwrap()
            .contains("`feature done=1`")
    );
    assert_eq!(new.ping().as_deref(), Some("ping 1"));
    assert_eq!(new.parse_search_line("e7e5"), Message::Nothing);
    greeting(&mut new, "feature done=0");
    assert_eq!(new.unfinished_greeting(), None);
}

#[test]
fn usi_sends_the_start_and_both_clocks() {
    let moves = texts(&["b3b2", "b1b2"]);
    let mut usi = (USI.codec)(&CodecSettings::default());
    assert_eq!(usi.hello(), ["usi"]);
    assert_eq!(
        usi.new_game(&ask(&[], Side::First, &clock())),
        ["usinewgame"]
    );
    let lines = usi.go(&ask(&moves, Side::First, &clock()));
    let times = "go btime 61000 wtime 59500 binc 2000 winc 3000";
    assert_eq!(lines, ["position startpos moves b3b2 b1b2", times]);
    let budget = clock();
    let other = MoveRequest {
        usual: false,
        ..ask(&[], Side::Second, &budget)
    };
    let times = "btime 59500 wtime 61000 binc 3000 winc 2000";
    let lines = usi.ponder(&other);
    let expected = [
        format!("position sfen {START}"),
        format!("go ponder {times}"),
    ];
    assert_eq!(lines, expected);
    let byoyomi = Budget {
        time: Some(TimeBudget::Clock(ClockTimes {
            remaining: Duration::from_secs(61),
            byoyomi: Duration::from_secs(2),
            ..ClockTimes::default()
        })),
        ..Budget::default()
    };
    for (budget, words) in [
        (byoyomi, "go btime 61000 wtime 0 byoyomi 2000"),
        (per_move(2), "go btime 0 wtime 0 byoyomi 2000 movetime 2000"),
        (nodes(7), "go nodes 7"),
        (Budget::of_depth(3), "go depth 3"),
        (Budget::default(), "go infinite"),
    ] {
        assert_eq!(usi.go(&ask(&[], Side::First, &budget))[1], words);
    }
}

#[test]
fn usi_is_understood() {
    let mut usi = (USI.codec)(&CodecSettings::default());
    assert_eq!(
        greeting(&mut *usi, "id name Lesser 1.5"),
        named("Lesser 1.5")
    );
    let offer = Offer::uci("USI_Hash type spin default 16 min 1 max 64");
    assert_eq!(
        greeting(
            &mut *usi,
            "option name USI_Hash type spin default 16 min 1 max 64"
        ),
        offering(vec![offer])
    );
    let (_, ends) = greeting(&mut *usi, "usiok");
    assert!(ends);
    assert_eq!(usi.parse_ready_line("readyok"), ReadyMessage::Ready);
    assert_eq!(
        usi.parse_ready_line("info string net"),
        ReadyMessage::Nothing
    );
    assert_eq!(
        usi.option(OptionKind::Spin, "USI_Hash", "32"),
        "setoption name USI_Hash value 32"
    );
    assert_eq!(
        usi.parse_search_line("bestmove 7g7f ponder 3c3d"),
        plays("7g7f")
    );
    assert_eq!(
        usi.expected_reply("bestmove 7g7f ponder 3c3d"),
        Some("3c3d")
    );
    let results = [0, 1, 2].map(|it| usi.game_over(it).expect("a command"));
    assert_eq!(results, ["gameover lose", "gameover draw", "gameover win"]);
    assert_eq!(usi.parse_search_line("bestmove resign"), Message::Resigns);
    assert_eq!(usi.parse_search_line("bestmove"), Message::Malformed);
    let budget = nodes(1);
    usi.go(&ask(&[], Side::Second, &budget));
    let claim = Message::Claims(Some(Side::Second));
    assert_eq!(usi.parse_search_line("bestmove win"), claim);
    // A mate in five plies is one in three moves of the winner, and one of the loser in two.
    for (plies, score) in [
        ("5", MATE - 6),
        ("-4", 4 - MATE),
        ("1", MATE - 2),
        ("5 lowerbound", MATE - 6),
        ("+", MAX_EVAL),
        ("-", -MAX_EVAL),
    ] {
        let Message::Info(info) =
            usi.parse_search_line(&format!("info depth 9 score mate {plies}"))
        else {
            panic!("no data");
        };
        assert_eq!(info.score, Some(score), "{plies}");
    }
}

#[test]
fn buttons_are_pressed_by_true_and_take_nothing_else() {
    let button = Offer::uci("Clear Hash type button");
    for fine in ["true", "True"] {
        assert_eq!(button.accept(fine).unwrap(), "true");
    }
    for wrong in ["false", "", "1", "now"] {
        let refused = button.accept(wrong).expect_err(wrong);
        assert_eq!(refused.right.as_deref(), Some("true"));
        assert!(refused.text.contains("`Clear Hash` is a button"));
    }
    assert_eq!(Offer::cecp("Clear Hash -button").kind, OptionKind::Button);
    let line = uci().option(button.kind, &button.name, "true");
    assert_eq!(line, "setoption name Clear Hash");
}

proptest! {
    #[test]
    fn no_line_panics(
        line in "(info |bestmove |feature |option |move |id name |=|\\?|=== |search |set )?.{0,60}",
        numbers in "(info|[0-9]{1,30}) ((score|mate|cp|depth|nodes|pv|-?[0-9]{1,30}) ){0,8}",
    ) {
        let mut usi = (USI.codec)(&CodecSettings::default());
        let speeches: [&mut dyn Codec; 6] = [
            &mut *usi,
            &mut uci(),
            &mut Uci::new(Form::Ucci, true),
            &mut Cecp::new(true),
            &mut Gtp::new(Passing::Send),
            &mut Nboard::new(Passing::Send),
        ];
        for codec in speeches {
            for line in [&line, &numbers] {
                let _ = (codec.hello(), greeting(codec, line), codec.parse_ready_line(line));
                if let Message::Info(Info { score: Some(score), .. }) = codec.parse_search_line(line) {
                    prop_assert!(score.abs() <= MATE);
                }
            }
        }
    }
}
