//! Tests of parsing and options.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn go(line: &str) -> Go {
    match Protocol::Uci.parse(line, false) {
        Command::Go(go) => *go,
        other => panic!("{other:?}"),
    }
}

#[test]
fn uci_is_read() {
    let ms = Duration::from_millis;
    let parse = |line: &str| Protocol::Uci.parse(line, false);
    assert_eq!(parse("  uci \r"), Command::Hello);
    assert_eq!(parse(""), Command::Nothing);
    assert_eq!(
        parse("setoption name Move Overhead value 7"),
        Command::SetOption {
            name: "Move Overhead".to_owned(),
            value: "7".to_owned()
        }
    );
    let position = PositionText {
        fen: Some("9/x w - - 0 1".to_owned()),
        moves: vec!["h2e2".to_owned()],
    };
    assert_eq!(
        parse("position fen 9/x w - - 0 1 moves h2e2"),
        Command::Position(position.clone())
    );
    assert_eq!(
        parse("fen 9/x w - - 0 1 moves h2e2"),
        Command::Position(position)
    );
    assert_eq!(
        parse("startpos"),
        Command::Position(PositionText::default())
    );
    for wrong in ["setoption x", "xyzzy", "xyzzy startpos"] {
        assert!(matches!(parse(wrong), Command::Wrong(_)), "{wrong}");
    }
    for wrong in [
        "position",
        "position fen",
        "position fen moves h2e2",
        "position moves h2e2",
        "position e2",
        "position startpos h2e2 h9g7",
        "startpos h2e2",
    ] {
        assert!(matches!(parse(wrong), Command::NoPosition(_)), "{wrong}");
    }
    // Unknown words before a known one are skipped.
    assert_eq!(parse("joho isready"), Command::IsReady);
    assert_eq!(parse("\u{0} joho debug on go"), Command::Nothing);
    assert_eq!(
        parse("joho position startpos"),
        Command::Position(PositionText::default())
    );
    let timed = go("go wtime 1000 btime -5 winc 10 movestogo 0 searchmoves h2e2 b0c2 ponder");
    assert_eq!(
        timed.thinking,
        Thinking::Clock {
            remaining: [Some(ms(1000)), Some(ms(0))],
            increment: [ms(10), ms(0)],
            moves_to_go: Some(1),
            byoyomi: Duration::ZERO,
        }
    );
    assert_eq!(timed.only, ["h2e2", "b0c2"]);
    assert!(timed.ponder && timed.problems.is_empty());
    let limited = go("go depth 5 nodes 99999999999999999999 mate 3 movetime 20");
    assert_eq!(limited.thinking, Thinking::Move(ms(20)));
    assert_eq!(
        (limited.depth, limited.nodes, limited.mate),
        (Some(5), Some(u64::MAX), Some(3))
    );
    let problems = go("go depth x wtime 1e9 fast nodes").problems;
    assert_eq!(problems.len(), 4, "{problems:?}");
}

#[test]
fn ucci_is_read() {
    let thinking = |line: &str, milliseconds| match Protocol::Ucci.parse(line, milliseconds) {
        Command::Go(go) => go.thinking,
        other => panic!("{other:?}"),
    };
    let seconds = Duration::from_secs;
    let last = Thinking::Move(seconds(5));
    assert_eq!(thinking("go time 5", false), last);
    assert_eq!(thinking("go time 5000", true), last);
    assert_eq!(thinking("go time 5 movestogo 1", false), last);
    let period = Thinking::Clock {
        remaining: [Some(seconds(5)); 2],
        increment: [Duration::ZERO; 2],
        moves_to_go: Some(2),
        byoyomi: Duration::ZERO,
    };
    let line = "go time 5 movestogo 2 opptime 9 oppmovestogo 3";
    assert_eq!(thinking(line, false), period);
    let clock = Thinking::Clock {
        remaining: [Some(seconds(60)); 2],
        increment: [seconds(2); 2],
        moves_to_go: None,
        byoyomi: Duration::ZERO,
    };
    let line = "go draw time 60 increment 2 opptime 9 oppincrement 1";
    assert_eq!(thinking(line, false), clock);
    assert_eq!(thinking("go depth infinite", false), Thinking::Unlimited);
    assert_eq!(
        Protocol::Ucci.parse("banmoves h2e2 a0a1", false),
        Command::Ban(vec!["h2e2".to_owned(), "a0a1".to_owned()])
    );
    assert_eq!(Protocol::Ucci.parse("probe fen x", false), Command::Nothing);
}

#[test]
fn usi_is_read() {
    let parse = |line: &str| Protocol::Usi.parse(line, true);
    let thinking = |line: &str| match parse(line) {
        Command::Go(go) => {
            assert!(go.problems.is_empty(), "{:?}", go.problems);
            go.thinking
        }
        other => panic!("{other:?}"),
    };
    let ms = Duration::from_millis;
    let clock = |remaining: [u64; 2], increment: [u64; 2], byoyomi| Thinking::Clock {
        remaining: remaining.map(|it| Some(ms(it))),
        increment: increment.map(ms),
        moves_to_go: None,
        byoyomi: ms(byoyomi),
    };
    // Black begins.
    assert_eq!(
        thinking("go btime 5000 wtime 6000 byoyomi 300"),
        clock([5000, 6000], [0, 0], 300)
    );
    assert_eq!(
        thinking("go btime 5000 wtime 6000 binc 10 winc 20"),
        clock([5000, 6000], [10, 20], 0)
    );
    assert_eq!(thinking("go infinite"), Thinking::Unlimited);
    assert_eq!(
        parse("position sfen 9/9/9 b - 1 moves 7g7f"),
        Command::Position(PositionText {
            fen: Some("9/9/9 b - 1".to_owned()),
            moves: vec!["7g7f".to_owned()],
        })
    );
    assert_eq!(parse("usinewgame"), Command::NewGame);
    assert_eq!(parse("gameover win"), Command::Stop);
    let none = "checkmate notimplemented";
    assert_eq!(parse("go mate infinite"), Command::Answer(none));
}

proptest! {
    #[test]
    fn whatever_comes_is_read(line: String, milliseconds: bool) {
        for protocol in [Protocol::Uci, Protocol::Ucci] {
            let _ = protocol.parse(&line, milliseconds);
        }
    }

    #[test]
    fn whatever_words_come_are_read(words in prop::collection::vec(prop::sample::select(&WORDS), 0..12)) {
        let line = words.join(" ");
        for protocol in [Protocol::Uci, Protocol::Ucci] {
            let _ = protocol.parse(&line, true);
        }
    }

    #[test]
    fn a_remark_is_one_line(text: String) {
        let remark = Protocol::Uci.remark(&text);
        prop_assert!(remark.starts_with("info string "));
        prop_assert!(!remark.chars().any(char::is_control));
    }
}

#[test]
fn a_wrong_position_is_never_searched() {
    let mut talk = Conversation::new(Protocol::Uci);
    for (position, reason) in [
        (
            "position startpos moves h2e2 h2e2",
            "ply 2: `h2e2` is not legal here",
        ),
        (
            "position startpos moves C2=5",
            "ply 1: `C2=5` is not written as `h2e2`",
        ),
        ("position startpos moves h3e3 h10g8", "ply 1"),
        ("position startpos moves 0000", "ply 1"),
        ("position fen 9/9 w", "2 ranks instead of 10"),
        (
            "position startpos h2e2 h9g7",
            "`startpos`, `fen F` or `sfen F`",
        ),
        ("position fen", "`startpos`, `fen F` or `sfen F`"),
        ("position", "`startpos`, `fen F` or `sfen F`"),
    ] {
        let said = talk.replies_to(&["position startpos moves h2e2", position, "go depth 2"]);
        assert!(
            said[0].starts_with("info string position refused"),
            "{said:?}"
        );
        assert!(said[0].contains(reason), "{said:?}");
        assert_eq!(said.last().unwrap(), "bestmove (none)");
    }
    talk.send(&["position startpos moves h2e2", "go depth 2"]);
    let said = talk.until("bestmove ");
    assert!(!said.last().unwrap().contains("none"));
}

#[test]
fn options_are_kept_in_range() {
    let mut talk = Conversation::new(Protocol::Uci);
    let hello = talk.replies_to(&["uci"]);
    assert_eq!(hello.last().unwrap(), "uciok");
    for line in [
        "option name Hash type spin default 1 min 0 max 4096",
        "option name null_move type check default false",
        "option name null_move.reduction type spin default 2 min 1 max 16",
        "option name history.index type combo default piece-to var piece-to var from-to",
        "option name UCI_Variant type combo default xiangqi var xiangqi",
        "option name Clear Hash type button",
    ] {
        assert!(
            hello.iter().any(|other| other == line),
            "{line} not in {hello:#?}"
        );
    }
    for (option, reason) in [
        (
            "name Hash value 5000",
            "`Hash` takes a whole number from 0 to 4096, not `5000`",
        ),
        ("name Threads value 2", "from 1 to 1"),
        ("name null_move value maybe", "true or false"),
        ("name algorithm value magic", "takes minimax, negamax"),
        ("name x y value 3", "no option `x y`"),
    ] {
        let said = talk.replies_to(&[&format!("setoption {option}")]);
        assert!(said.len() == 1 && said[0].contains(reason), "{said:?}");
    }
    talk.send(&[
        "setoption name uci_variant value Xiangqi",
        "setoption name hash value 2",
        "setoption name Null_Move.Reduction value 3",
        "isready",
    ]);
    assert_eq!(talk.until("readyok"), ["readyok"]);
    // A value that does not fit changes nothing.
    let said = talk.replies_to(&["setoption name Hash value 4000"]);
    assert_eq!(said, ["info string `Hash` stays 2: no memory"]);
    talk.send(&["isready"]);
    talk.until("readyok");
}

#[test]
fn only_incompatible_batches_wait() {
    let mut talk = Conversation::new(Protocol::Uci);
    // Shows a larger table by its slower filling.
    let full = |talk: &mut Conversation| {
        talk.send(&["ucinewgame", "go nodes 100000"]);
        let said = talk.until("bestmove ");
        let info = &said[said.len() - 2];
        let after = info.split(" hashfull ").nth(1).unwrap();
        after.split(' ').next().unwrap().parse::<u32>().unwrap()
    };
    let small = full(&mut talk);
    let said = talk.replies_to(&[
        "setoption name null_move value true",
        "setoption name algorithm value minimax",
        "setoption name Hash value 8",
    ]);
    assert_eq!(said, Vec::<String>::new());
    talk.send(&["isready"]);
    let said = talk.until("readyok");
    assert_eq!(said.len(), 2, "{said:?}");
    let held = "info string options without effect: `algorithm`: the algorithm `minimax`";
    assert!(said[0].starts_with(held), "{said:?}");
    let large = full(&mut talk);
    assert!(large > 0 && large < small / 4, "{large} and {small}");
    // The message appears only once.
    let more = [
        "setoption name null_move.reduction value 3",
        "isready",
        "go depth 1",
    ];
    talk.send(&more);
    let mut said = talk.until("bestmove ");
    if !said.iter().any(|line| line == "readyok") {
        // Two threads answer: on a busy machine the search may be first.
        said.extend(talk.until("readyok"));
    }
    assert!(!said.iter().any(|line| line.contains("string")), "{said:?}");
    // Applied as soon as the options are consistent: minimax has no table.
    talk.send(&["setoption name null_move value false", "isready"]);
    assert_eq!(talk.until("readyok"), ["readyok"]);
    assert_eq!(full(&mut talk), 0);
}

#[test]
fn every_option_can_be_set_to_its_default() {
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Usi] {
        let mut talk = Conversation::new(protocol);
        let hello = talk.replies_to(&[protocol.name()]);
        for line in hello {
            let Some(rest) = line.strip_prefix("option ") else {
                continue;
            };
            let (name, kind) = rest.split_once(" type ").unwrap();
            let name = name.strip_prefix("name ").unwrap_or(name);
            let Some((_, default)) = kind.split_once(" default ") else {
                continue;
            };
            let default = default.split(' ').next().unwrap();
            let set = match protocol {
                Protocol::Uci | Protocol::Usi => format!("setoption name {name} value {default}"),
                Protocol::Ucci => format!("setoption {name} {default}"),
            };
            assert_eq!(talk.replies_to(&[&set]), Vec::<String>::new(), "{set}");
        }
        talk.send(&["isready"]);
        assert_eq!(talk.until("readyok"), ["readyok"], "the search is the same");
    }
}

#[test]
fn a_setting_is_about_the_next_search() {
    let mut talk = Conversation::new(Protocol::Uci);
    talk.send(&["go infinite"]);
    talk.until("info depth 1 ");
    for line in ["setoption name Clear Hash", "setoption name Hash value 2"] {
        talk.send(&[line]);
        std::thread::sleep(Duration::from_millis(20));
        let said = talk.replies_to(&["isready"]);
        assert!(said.contains(&"readyok".to_owned()), "{said:?}");
        let answered = said.iter().any(|line| line.starts_with("bestmove"));
        assert!(!answered, "{said:?}");
    }
    talk.send(&["stop"]);
    talk.until("bestmove ");
    // The options now have the same effect as if set at the beginning.
    let last = |talk: &mut Conversation| {
        talk.send(&["go nodes 5000"]);
        let said = talk.until("bestmove ");
        let info = said[said.len() - 2].clone();
        let (before, after) = info.split_once(" nps ").unwrap();
        let after = after.split_once(" pv ").unwrap().1;
        format!("{before} {after}")
    };
    let mut other = Conversation::new(Protocol::Uci);
    other.send(&["setoption name Hash value 2"]);
    assert_eq!(last(&mut talk), last(&mut other));
}

#[test]
fn a_large_table_delays_no_command() {
    fn never(_: u32) -> Option<String> {
        None
    }
    let mut talk = Conversation::new(Protocol::Uci);
    talk.session = Session::new(
        Protocol::Uci,
        player("plain"),
        {
            let log = talk.said.clone();
            Arc::new(move |text: &str| log.lock().unwrap().extend(text.lines().map(str::to_owned)))
        },
        never,
    );
    talk.send(&["setoption name Hash value 256", "go movetime 20"]);
    let first = talk.until("bestmove ");
    talk.send(&["go infinite", "stop"]);
    let second = talk.until("bestmove ");
    let helped = |said: &Vec<String>| said[0].contains("the table is not ready");
    assert!(helped(&first) || helped(&second), "{first:?} {second:?}");
    for said in [&first, &second] {
        assert!(said.iter().any(|line| line.contains(" depth 1 ")));
        assert!(!said.last().unwrap().contains("none"));
    }
    // The engine is ready afterwards, without earlier output.
    talk.send(&["isready"]);
    talk.until("readyok");
    talk.send(&["go depth 2"]);
    let said = talk.until("bestmove ");
    assert!(!said.iter().any(|line| line.contains("string")), "{said:?}");
}

#[test]
fn numbers_of_the_evaluation_are_options() {
    let score = |options: &[&str]| {
        let mut talk = Conversation::new(Protocol::Uci);
        talk.send(options);
        // Red is a rook ahead.
        let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        talk.send(&[&format!("position fen {fen}"), "go depth 1"]);
        let heard = talk.until("bestmove");
        let info = heard.iter().rfind(|line| line.contains(" score cp "));
        let info = info.unwrap_or_else(|| panic!("{heard:?}"));
        let words: Vec<&str> = info.split(' ').collect();
        let at = words.iter().position(|word| *word == "cp").unwrap();
        words[at + 1].parse::<i32>().unwrap()
    };
    let usual = score(&[]);
    let both = score(&[
        "setoption name eval.material.rook value 3000",
        "setoption name eval.end.material.rook value 3000",
    ]);
    assert!(both > usual + 1000, "{usual} {both}");
    let corner = score(&["setoption name eval.pst.rook[9][8] value -3000"]);
    assert_ne!(corner, usual, "square tables can be set unannounced");
    let mut talk = Conversation::new(Protocol::Uci);
    let told = talk.replies_to(&["uci"]);
    let tells = |name: &str| {
        told.iter()
            .any(|line| line.starts_with(&format!("option name {name} ")))
    };
    assert!(tells("eval.tempo") && tells("eval.end.material.rook") && tells("eval.mobility.horse"));
    assert!(!told.iter().any(|line| line.contains("pst")));
    let said = talk.replies_to(&["setoption name eval.material.rook value 9001"]);
    assert!(
        said.concat().contains("a whole number from -9000 to 9000"),
        "{said:?}"
    );
}
