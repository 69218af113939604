//! The parsers are total, the session answers once to everything.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::config::{search_preset, xiangqi_preset};
use crate::game::xiangqi::XiangqiRules;

/// A session, and what it has said.
struct Talk {
    session: Session,
    said: Arc<Mutex<Vec<String>>>,
}

fn player(preset: &str) -> Player {
    let mut search = search_preset(preset).unwrap();
    search.table_mb = 1;
    Player {
        name: preset.to_owned(),
        search,
        eval: xiangqi_preset("leitai").unwrap(),
        rules: XiangqiRules::default(),
    }
}

fn refuses(megabytes: u32) -> Option<String> {
    (megabytes > 100).then(|| "no memory".to_owned())
}

impl Talk {
    fn new(protocol: Protocol) -> Self {
        let said = Arc::new(Mutex::new(Vec::new()));
        let log = said.clone();
        let voice: Voice = Arc::new(move |text: &str| {
            log.lock().unwrap().extend(text.lines().map(str::to_owned));
        });
        Self {
            session: Session::new(protocol, player("plain"), voice, refuses),
            said,
        }
    }

    /// Says the lines.
    fn tell(&mut self, lines: &[&str]) {
        for line in lines {
            assert!(self.session.hear(line), "{line}");
        }
    }

    /// Says the lines and returns what came back until now.
    fn say(&mut self, lines: &[&str]) -> Vec<String> {
        self.tell(lines);
        self.said.lock().unwrap().drain(..).collect()
    }

    /// Waits for a line that begins so; returns all up to it.
    fn until(&mut self, start: &str) -> Vec<String> {
        let began = Instant::now();
        let mut heard = Vec::new();
        while began.elapsed() < Duration::from_secs(30) {
            for line in self.said.lock().unwrap().drain(..) {
                heard.push(line);
            }
            if heard.iter().any(|line| line.starts_with(start)) {
                return heard;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("no `{start}` but {heard:?}");
    }
}

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
    for wrong in [
        "position",
        "position fen",
        "position e2",
        "setoption x",
        "xyzzy",
    ] {
        assert!(matches!(parse(wrong), Command::Wrong(_)), "{wrong}");
    }
    let timed = go("go wtime 1000 btime -5 winc 10 movestogo 0 searchmoves h2e2 b0c2 ponder");
    assert_eq!(
        timed.thinking,
        Thinking::Clock {
            remaining: [Some(ms(1000)), Some(ms(0))],
            increment: [ms(10), ms(0)],
            moves_to_go: Some(1)
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
    assert_eq!(thinking("go time 5", false), Thinking::Move(seconds(5)));
    assert_eq!(thinking("go time 5000", true), Thinking::Move(seconds(5)));
    let clock = Thinking::Clock {
        remaining: [Some(seconds(60)); 2],
        increment: [seconds(2); 2],
        moves_to_go: None,
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

const WORDS: [&str; 34] = [
    "uci",
    "ucci",
    "isready",
    "setoption",
    "name",
    "value",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "h2e2",
    "a9a9",
    "go",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "wtime",
    "btime",
    "movestogo",
    "searchmoves",
    "time",
    "increment",
    "-1",
    "3",
    "99999999999999999999",
    "stop",
    "ponderhit",
    "banmoves",
    "mate",
    "\u{0}",
    "Hash",
    "rnbakabnr/9/1c5c1 w",
];

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// As many answers as there were questions, whatever is said between them.
    #[test]
    fn every_go_is_answered_once(
        lines in prop::collection::vec(
            prop::collection::vec(prop::sample::select(&WORDS), 1..7), 0..12),
        ucci: bool,
    ) {
        let protocol = if ucci { Protocol::Ucci } else { Protocol::Uci };
        let mut talk = Talk::new(protocol);
        let mut asked = 0;
        for words in lines {
            let line = words.join(" ");
            if let Command::Go(_) = protocol.parse(&line, false) {
                asked += 1;
            }
            talk.session.hear(&line);
        }
        talk.session.end();
        let said = talk.said.lock().unwrap();
        let answers = said.iter().filter(|line| {
            line.starts_with("bestmove ") || *line == "nobestmove"
        });
        prop_assert_eq!(answers.count(), asked);
    }
}

#[test]
fn a_wrong_position_is_never_searched() {
    let mut talk = Talk::new(Protocol::Uci);
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
    ] {
        let said = talk.say(&[position, "go depth 2"]);
        assert!(
            said[0].starts_with("info string position refused"),
            "{said:?}"
        );
        assert!(said[0].contains(reason), "{said:?}");
        assert_eq!(said.last().unwrap(), "bestmove (none)");
    }
    talk.tell(&["position startpos moves h2e2", "go depth 2"]);
    let said = talk.until("bestmove ");
    assert!(!said.last().unwrap().contains("none"));
}

#[test]
fn options_are_kept_in_range() {
    let mut talk = Talk::new(Protocol::Uci);
    let hello = talk.say(&["uci"]);
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
        let said = talk.say(&[&format!("setoption {option}")]);
        assert!(said.len() == 1 && said[0].contains(reason), "{said:?}");
    }
    let said = talk.say(&[
        "setoption name uci_variant value Xiangqi",
        "setoption name hash value 2",
        "setoption name Null_Move.Reduction value 3",
        "isready",
    ]);
    assert_eq!(said, ["readyok"]);
    // What does not go together, and what does not fit, is not in force.
    for wrong in [
        [
            "setoption name algorithm value minimax",
            "setoption name null_move value true",
        ],
        [
            "setoption name algorithm value pvs",
            "setoption name Hash value 4000",
        ],
    ] {
        let said = talk.say(&[wrong[0], wrong[1], "isready"]);
        assert!(
            said[0].starts_with("info string options not in force"),
            "{said:?}"
        );
        assert_eq!(said[1], "readyok");
    }
}

#[test]
fn every_option_can_be_set_to_what_it_says() {
    for protocol in [Protocol::Uci, Protocol::Ucci] {
        let mut talk = Talk::new(protocol);
        let hello = talk.say(&[if protocol == Protocol::Uci {
            "uci"
        } else {
            "ucci"
        }]);
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
                Protocol::Uci => format!("setoption name {name} value {default}"),
                Protocol::Ucci => format!("setoption {name} {default}"),
            };
            assert_eq!(talk.say(&[&set]), Vec::<String>::new(), "{set}");
        }
        assert_eq!(
            talk.say(&["isready"]),
            ["readyok"],
            "the search is the same"
        );
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut uci = Talk::new(Protocol::Uci);
    let mate = "position fen 4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 0 1 moves a7a9";
    uci.tell(&[mate, "go depth 3"]);
    let said = uci.until("bestmove ");
    assert_eq!(said.last().unwrap(), "bestmove (none)", "{said:?}");
    let mut ucci = Talk::new(Protocol::Ucci);
    ucci.tell(&[mate, "go depth 3"]);
    assert_eq!(ucci.until("nobestmove").last().unwrap(), "nobestmove");
}

#[test]
fn banned_moves_are_not_played_until_the_next_position() {
    let mut talk = Talk::new(Protocol::Ucci);
    let best = |talk: &mut Talk, before: &[&str]| {
        talk.tell(before);
        talk.tell(&["go depth 3"]);
        let said = talk.until("bestmove ");
        said.last().unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    let free = best(&mut talk, &["position startpos moves h2e2 h9g7"]);
    let ban = format!("banmoves {free}");
    let other = best(&mut talk, &["setoption newgame", &ban]);
    assert_ne!(free, other);
    let position = "position startpos moves h2e2 h9g7";
    assert_eq!(best(&mut talk, &["setoption newgame", position]), free);
    let said = talk.say(&["banmoves a0a0 e9e9"]);
    assert_eq!(said.len(), 2, "{said:?}");
}

#[test]
fn lines_come_best_first_and_only_those_asked_for() {
    let mut talk = Talk::new(Protocol::Uci);
    talk.tell(&[
        "setoption name MultiPV value 3",
        "go depth 3 searchmoves b0c2 h2e2",
    ]);
    let said = talk.until("bestmove ");
    let last: Vec<_> = said
        .iter()
        .filter(|line| line.contains(" depth 3 "))
        .collect();
    assert_eq!(last.len(), 2, "{said:?}");
    assert!(last[0].contains(" multipv 1 ") && last[1].contains(" multipv 2 "));
    let moves = last
        .iter()
        .map(|line| line.split(" pv ").nth(1).unwrap()[..4].to_owned());
    let mut moves: Vec<_> = moves.collect();
    moves.sort();
    assert_eq!(moves, ["b0c2", "h2e2"]);
    let said = talk.say(&["go depth 2 searchmoves a0a9"]);
    assert_eq!(said.last().unwrap(), "bestmove (none)");
}

#[test]
fn pondering_waits_for_the_hit_or_the_stop() {
    let mut talk = Talk::new(Protocol::Uci);
    for end in ["ponderhit", "stop"] {
        talk.tell(&["go ponder depth 1"]);
        talk.until("info depth 1 ");
        std::thread::sleep(Duration::from_millis(20));
        let said = talk.say(&["isready"]);
        assert!(said.contains(&"readyok".to_owned()));
        assert!(
            !said.iter().any(|line| line.starts_with("bestmove")),
            "{said:?}"
        );
        talk.tell(&[end]);
        talk.until("bestmove ");
    }
    // The clock begins with the hit.
    talk.tell(&["go ponder movetime 50"]);
    std::thread::sleep(Duration::from_millis(100));
    let said = talk.say(&["ponderhit"]);
    assert!(
        !said.iter().any(|line| line.starts_with("bestmove")),
        "{said:?}"
    );
    talk.until("bestmove ");
    // Without a search neither means anything.
    assert_eq!(talk.say(&["stop", "ponderhit"]), Vec::<String>::new());
}

#[test]
fn a_stop_is_obeyed_at_once() {
    let mut talk = Talk::new(Protocol::Uci);
    talk.tell(&["go infinite"]);
    talk.until("info depth 3 ");
    let began = Instant::now();
    talk.tell(&["stop"]);
    talk.until("bestmove ");
    // Ten milliseconds on a machine with nothing else to do.
    assert!(began.elapsed() < Duration::from_millis(500));
}
