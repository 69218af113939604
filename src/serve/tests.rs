//! The parsers are total, the session answers once to everything.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::card::{Card, Game, GameChoice};
use crate::config::{default_variant, eval_preset, search_preset};
use crate::games::go::Capture;
use crate::games::othello::Othello;
use crate::games::xiangqi::Xiangqi;
use crate::search::proof::SolverParams;

/// A session, and what it has said.
struct Talk {
    session: Session,
    said: Arc<Mutex<Vec<String>>>,
}

fn player(preset: &str) -> Player {
    let game = GameChoice::usual(Card::<Xiangqi>::get());
    let mut search = search_preset(preset).unwrap();
    search.table_mb = 1;
    Player {
        name: preset.to_owned(),
        search,
        eval: eval_preset(game.card.numbers(), "leitai").unwrap(),
        announces_squares: false,
        game,
    }
}

/// A player of another game.
fn player_of<G: Game>() -> Player {
    let game = GameChoice::usual(Card::<G>::get());
    Player {
        eval: default_variant(game).unwrap().eval,
        game,
        ..player("plain")
    }
}

fn refuses(megabytes: u32) -> Option<String> {
    (megabytes > 100).then(|| "no memory".to_owned())
}

impl Talk {
    fn new(protocol: Protocol) -> Self {
        Self::with(protocol, player("plain"))
    }

    fn with(protocol: Protocol, player: Player) -> Self {
        let said = Arc::new(Mutex::new(Vec::new()));
        let log = said.clone();
        let output: Output = Arc::new(move |text: &str| {
            log.lock().unwrap().extend(text.lines().map(str::to_owned));
        });
        Self {
            session: Session::new(protocol, player, output, refuses),
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
    let last = Thinking::Clock {
        remaining: [Some(seconds(5)); 2],
        increment: [Duration::ZERO; 2],
        moves_to_go: Some(1),
    };
    assert_eq!(thinking("go time 5", false), last);
    assert_eq!(thinking("go time 5000", true), last);
    assert_eq!(thinking("go time 5 movestogo 1", false), last);
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

/// What is said of games other than the usual one.
const LINES: [&str; 13] = [
    "ucinewgame",
    "position startpos moves f5",
    "position startpos moves D5 pass D3",
    "position startpos moves c4 c3 f5 b4 a4 a5 c2 a3 pass",
    "position fen XXXXXXX. w moves pass",
    "position fen .X.../XOX../...../...../..... X B4 -",
    "position fen .X.../XOX../...../...../..... X B4 - moves B3",
    "go nodes 300 depth 2",
    "go movetime 1",
    "go",
    "stop",
    "setoption name solver value true",
    "setoption name Hash value 1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The same in games with passes, a target and a solver.
    #[test]
    fn every_go_is_answered_once_in_every_game(
        lines in prop::collection::vec(prop::sample::select(&LINES), 0..12),
        game in 0..3,
    ) {
        let mut player = if game == 0 { player_of::<Othello>() } else { player_of::<Capture>() };
        player.search.solver = (game == 2).then(SolverParams::default);
        let mut talk = Talk::with(Protocol::Uci, player);
        for line in &lines {
            talk.session.hear(line);
        }
        talk.session.end();
        let said = talk.said.lock().unwrap();
        let answers = said.iter().filter(|line| line.starts_with("bestmove "));
        let asked = lines.iter().filter(|line| line.starts_with("go"));
        prop_assert_eq!(answers.count(), asked.count());
    }

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
        ("position startpos h2e2 h9g7", "`startpos` or `fen F`"),
        ("position fen", "`startpos` or `fen F`"),
        ("position", "`startpos` or `fen F`"),
    ] {
        let said = talk.say(&["position startpos moves h2e2", position, "go depth 2"]);
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
    talk.tell(&[
        "setoption name uci_variant value Xiangqi",
        "setoption name hash value 2",
        "setoption name Null_Move.Reduction value 3",
        "isready",
    ]);
    assert_eq!(talk.until("readyok"), ["readyok"]);
    // What does not fit stays what it was.
    let said = talk.say(&["setoption name Hash value 4000"]);
    assert_eq!(said, ["info string `Hash` stays 2: no memory"]);
    talk.tell(&["isready"]);
    talk.until("readyok");
}

#[test]
fn what_does_not_go_together_waits_and_the_rest_does_not() {
    let mut talk = Talk::new(Protocol::Uci);
    // A table that is in force fills more slowly: that is how it is seen.
    let full = |talk: &mut Talk| {
        talk.tell(&["ucinewgame", "go nodes 100000"]);
        let said = talk.until("bestmove ");
        let info = &said[said.len() - 2];
        let after = info.split(" hashfull ").nth(1).unwrap();
        after.split(' ').next().unwrap().parse::<u32>().unwrap()
    };
    let small = full(&mut talk);
    let said = talk.say(&[
        "setoption name null_move value true",
        "setoption name algorithm value minimax",
        "setoption name Hash value 8",
    ]);
    assert_eq!(said, Vec::<String>::new());
    talk.tell(&["isready"]);
    let said = talk.until("readyok");
    assert_eq!(said.len(), 2, "{said:?}");
    let held = "info string options not in force: `algorithm`: the algorithm `minimax`";
    assert!(said[0].starts_with(held), "{said:?}");
    let large = full(&mut talk);
    assert!(large > 0 && large < small / 4, "{large} and {small}");
    // Once is enough.
    let more = [
        "setoption name null_move.reduction value 3",
        "isready",
        "go depth 1",
    ];
    talk.tell(&more);
    let mut said = talk.until("bestmove ");
    if !said.iter().any(|line| line == "readyok") {
        // Two threads answer: on a busy machine the search may be the first.
        said.extend(talk.until("readyok"));
    }
    assert!(!said.iter().any(|line| line.contains("string")), "{said:?}");
    // As soon as it goes together, it is in force: minimax has no table.
    talk.tell(&["setoption name null_move value false", "isready"]);
    assert_eq!(talk.until("readyok"), ["readyok"]);
    assert_eq!(full(&mut talk), 0);
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
        talk.tell(&["isready"]);
        assert_eq!(talk.until("readyok"), ["readyok"], "the search is the same");
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut uci = Talk::new(Protocol::Uci);
    let mate = "position fen 4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 0 1 moves a7a9";
    uci.tell(&[mate, "go depth 3"]);
    let said = uci.until("bestmove ");
    assert_eq!(said, ["info depth 0 score mate 0", "bestmove (none)"]);
    let mut ucci = Talk::new(Protocol::Ucci);
    ucci.tell(&[mate, "go depth 3"]);
    let said = ucci.until("nobestmove");
    assert_eq!(said, ["info depth 0 score -10000", "nobestmove"]);
    // Without a move, but not lost.
    let banned = "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    ucci.tell(&[banned, "banmoves e0f0 e0e1", "go depth 3"]);
    assert_eq!(ucci.until("nobestmove"), ["nobestmove"]);
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
    // What is not legal is left out, and all are searched if none is left.
    talk.tell(&["setoption name MultiPV value 128"]);
    for (moves, left) in [("a0a9 b0c2 zz h2e2", 2), ("a0a9", 44)] {
        talk.tell(&[&format!("go depth 2 searchmoves {moves}")]);
        let said = talk.until("bestmove ");
        assert!(
            said[0].starts_with("info string `searchmoves`: `a0a9`"),
            "{said:?}"
        );
        let last = said.iter().filter(|line| line.contains(" depth 2 "));
        assert_eq!(last.count(), left, "{said:?}");
    }
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

#[test]
fn the_first_iteration_is_searched_whatever_the_clock_says() {
    let mut talk = Talk::new(Protocol::Uci);
    let mate = "position fen 3k5/R8/9/1R7/9/9/9/9/9/4K4 w - - 0 1";
    for go in [
        "go movetime 0",
        "go movetime 10",
        "go wtime 10 btime 10",
        "go wtime -5 btime 10",
    ] {
        talk.tell(&["ucinewgame", mate, go]);
        let said = talk.until("bestmove ");
        assert!(said[said.len() - 2].contains(" score mate 1 "), "{said:?}");
    }
    // Without deepening the first iteration is the last one.
    talk.tell(&[
        "setoption name deepening value false",
        "setoption name MultiPV value 128",
        "position startpos",
        "go depth 20 movetime 0",
    ]);
    let said = talk.until("bestmove ");
    assert_eq!(said.len(), 45, "{said:?}");
    assert!(said[..44].iter().all(|line| line.contains(" depth 1 ")));
    // But never one node more than asked for.
    talk.tell(&["go nodes 1"]);
    let said = talk.until("bestmove ");
    assert!(said[said.len() - 2].contains(" nodes 1 "), "{said:?}");
}

#[test]
fn lines_of_a_cut_iteration_stand_before_those_of_the_last() {
    let mut talk = Talk::new(Protocol::Uci);
    talk.tell(&["setoption name MultiPV value 5"]);
    let mut mixed = 0;
    for nodes in (2_000..40_000).step_by(1_777) {
        talk.tell(&["ucinewgame", &format!("go nodes {nodes}")]);
        let said = talk.until("bestmove ");
        let last = &said[said.len() - 6..];
        let depth = |line: &String| {
            let word = line.split(' ').nth(2).unwrap();
            word.parse::<u32>().unwrap()
        };
        let depths: Vec<u32> = last[..5].iter().map(depth).collect();
        assert!(depths.is_sorted_by(|one, other| one >= other), "{last:?}");
        assert!(depths[0] - depths[4] <= 1, "{last:?}");
        mixed += usize::from(depths[0] != depths[4]);
        let mv = |line: &String| line.split(" pv ").nth(1).unwrap()[..4].to_owned();
        let mut moves: Vec<String> = last[..5].iter().map(mv).collect();
        assert!(last[5].starts_with(&format!("bestmove {}", moves[0])));
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), 5, "{last:?}");
    }
    assert!(mixed > 5, "{mixed}");
}

#[test]
fn a_setting_is_about_the_next_search() {
    let mut talk = Talk::new(Protocol::Uci);
    talk.tell(&["go infinite"]);
    talk.until("info depth 1 ");
    for line in ["setoption name Clear Hash", "setoption name Hash value 2"] {
        talk.tell(&[line]);
        std::thread::sleep(Duration::from_millis(20));
        let said = talk.say(&["isready"]);
        assert!(said.contains(&"readyok".to_owned()), "{said:?}");
        let answered = said.iter().any(|line| line.starts_with("bestmove"));
        assert!(!answered, "{said:?}");
    }
    talk.tell(&["stop"]);
    talk.until("bestmove ");
    // Then they are in force: the same as from the beginning.
    let last = |talk: &mut Talk| {
        talk.tell(&["go nodes 5000"]);
        let said = talk.until("bestmove ");
        let info = said[said.len() - 2].clone();
        let (before, after) = info.split_once(" nps ").unwrap();
        let after = after.split_once(" pv ").unwrap().1;
        format!("{before} {after}")
    };
    let mut other = Talk::new(Protocol::Uci);
    other.tell(&["setoption name Hash value 2"]);
    assert_eq!(last(&mut talk), last(&mut other));
}

#[test]
fn a_large_table_keeps_nobody_waiting() {
    fn never(_: u32) -> Option<String> {
        None
    }
    let mut talk = Talk::new(Protocol::Uci);
    talk.session = Session::new(
        Protocol::Uci,
        player("plain"),
        {
            let log = talk.said.clone();
            Arc::new(move |text: &str| log.lock().unwrap().extend(text.lines().map(str::to_owned)))
        },
        never,
    );
    talk.tell(&["setoption name Hash value 256", "go movetime 20"]);
    let first = talk.until("bestmove ");
    talk.tell(&["go infinite", "stop"]);
    let second = talk.until("bestmove ");
    let helped = |said: &Vec<String>| said[0].contains("the table is not there yet");
    assert!(helped(&first) || helped(&second), "{first:?} {second:?}");
    for said in [&first, &second] {
        assert!(said.iter().any(|line| line.contains(" depth 1 ")));
        assert!(!said.last().unwrap().contains("none"));
    }
    // It is there in the end, and nothing is said before.
    talk.tell(&["isready"]);
    talk.until("readyok");
    talk.tell(&["go depth 2"]);
    let said = talk.until("bestmove ");
    assert!(!said.iter().any(|line| line.contains("string")), "{said:?}");
}

#[test]
fn a_game_beyond_the_move_limit_is_played_on() {
    let mut talk = Talk::new(Protocol::Uci);
    // A rook ahead: no draw, though every move but a capture would be one here.
    let board = "3ak4/4a4/9/9/9/9/9/9/4A4/R2AK4 w - -";
    let score = |talk: &mut Talk, clock: &str| {
        talk.tell(&[&format!("position fen {board} {clock}"), "go depth 3"]);
        let said = talk.until("bestmove ");
        assert!(!said.last().unwrap().contains("none"), "{said:?}");
        let info = &said[said.len() - 2];
        let after = info.split(" score cp ").nth(1).unwrap();
        after.split(' ').next().unwrap().parse::<i32>().unwrap()
    };
    assert_eq!(score(&mut talk, "119 80"), 0, "the rule");
    for clock in ["120 80", "500", "99999999999999999999 80"] {
        assert!(score(&mut talk, clock) > 200, "{clock}");
    }
    assert!(score(&mut talk, "118 80 moves a0a1 e9f9 a1a0 f9e9") > 200);
    let said = talk.say(&[&format!("position fen {board} -1 80")]);
    assert!(said[0].contains("half-move clock"), "{said:?}");
}

#[test]
fn numbers_of_the_evaluation_are_options() {
    let score = |options: &[&str]| {
        let mut talk = Talk::new(Protocol::Uci);
        talk.tell(options);
        // Red is a rook ahead.
        let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        talk.tell(&[&format!("position fen {fen}"), "go depth 1"]);
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
    let mut talk = Talk::new(Protocol::Uci);
    let told = talk.say(&["uci"]);
    let tells = |name: &str| {
        told.iter()
            .any(|line| line.starts_with(&format!("option name {name} ")))
    };
    assert!(tells("eval.tempo") && tells("eval.end.material.rook") && tells("eval.mobility.horse"));
    assert!(!told.iter().any(|line| line.contains("pst")));
    let said = talk.say(&["setoption name eval.material.rook value 9001"]);
    assert!(
        said.concat().contains("a whole number from -9000 to 9000"),
        "{said:?}"
    );
}

/// A position of Othello without an empty square: so many discs of Black's.
fn full_board(black: usize) -> String {
    format!("{}{} X", "X".repeat(black), "O".repeat(64 - black))
}

#[test]
fn othello_is_served_in_its_own_words() {
    let mut talk = Talk::with(Protocol::Uci, player_of::<Othello>());
    let hello = talk.say(&["uci"]);
    let variant = "option name UCI_Variant type combo default othello var othello";
    assert!(hello.contains(&variant.to_owned()), "{hello:#?}");
    let said = talk.say(&["setoption name UCI_Variant value xiangqi"]);
    let refused = "info string `UCI_Variant` takes othello, not `xiangqi`: unchanged";
    assert_eq!(said, [refused]);
    // White has no move but the pass, and says so in the word that it reads.
    let moves = "position startpos moves c4 c3 f5 b4 a4 a5 c2 a3";
    talk.tell(&[moves, "go depth 3"]);
    let said = talk.until("bestmove ");
    let answer = said.last().unwrap();
    assert!(answer.starts_with("bestmove pass ponder "), "{answer}");
    talk.tell(&[&format!("{moves} PASS"), "go depth 2"]);
    let said = talk.until("bestmove ");
    assert!(
        said.iter().any(|line| line.contains(" depth 2 ")),
        "{said:?}"
    );
    let said = talk.say(&["position startpos moves f5 pass", "go depth 2"]);
    assert!(said[0].contains("position refused: ply 2"), "{said:?}");
    assert_eq!(said.last().unwrap(), "bestmove (none)");
    // A full board is won, lost or drawn.
    for (black, score) in [(33, "cp 10000"), (31, "mate 0"), (32, "cp 0")] {
        let position = format!("position fen {}", full_board(black));
        talk.tell(&[&position, "go depth 3"]);
        let said = talk.until("bestmove ");
        let over = format!("info depth 0 score {score}");
        assert_eq!(said, [&*over, "bestmove (none)"], "{black}");
    }
}

#[test]
fn block_capture_is_served_by_searches_and_by_solvers() {
    let ladder = "position fen ......./......./..X..../.XO..../.X...../......./....... X C4 -";
    let mut player = player_of::<Capture>();
    let mut search = Talk::with(Protocol::Uci, player.clone());
    search.tell(&[ladder, "setoption name MultiPV value 3", "go depth 3"]);
    let said = search.until("bestmove ");
    let last: Vec<_> = said
        .iter()
        .filter(|line| line.contains(" depth 3 "))
        .collect();
    assert_eq!(last.len(), 3, "{said:?}");
    let said = search.say(&[&format!("{ladder} moves dd"), "stop"]);
    assert!(said[0].contains("`dd` is not written as `D4`"), "{said:?}");

    player.search.solver = Some(SolverParams::default());
    let mut solver = Talk::with(Protocol::Uci, player);
    solver.tell(&[ladder, "go nodes 5000"]);
    let said = solver.until("bestmove ");
    assert!(said[0].contains(" score cp 9500 "), "proved: {said:?}");
    assert!(!said.iter().any(|line| line.contains("string")), "{said:?}");
    // What does not limit it is said and left out.
    solver.tell(&["go depth 1 movetime 20 searchmoves A1"]);
    let said = solver.until("bestmove ");
    assert_eq!(
        said[..2],
        [
            "info string a depth does not limit a solver: give it nodes or a time",
            "info string a solver looks at all moves: none is left out",
        ]
    );
    assert_ne!(said.last().unwrap(), "bestmove A1");
    // However little time there is.
    let open = "position startpos moves D5 pass D3";
    solver.tell(&["ucinewgame", open, "go movetime 0"]);
    let said = solver.until("bestmove ");
    assert!(!said.last().unwrap().contains("none"), "{said:?}");
    // A target that is gone is asked about in vain.
    solver.tell(&[&format!("{ladder} moves D4 pass C3"), "go nodes 100"]);
    let said = solver.until("bestmove ");
    assert_eq!(said, ["info depth 0 score mate 0", "bestmove (none)"]);
    solver.tell(&[open]);
    // Nothing ends it but the word.
    solver.tell(&["go infinite"]);
    std::thread::sleep(Duration::from_millis(20));
    let said = solver.say(&["isready"]);
    assert!(
        !said.iter().any(|line| line.starts_with("bestmove")),
        "{said:?}"
    );
    solver.tell(&["stop"]);
    solver.until("bestmove ");
}

#[test]
fn a_solver_is_not_in_force_where_nothing_can_be_proved() {
    let mut talk = Talk::new(Protocol::Uci);
    talk.tell(&["setoption name solver value true", "go depth 2"]);
    let said = talk.until("bestmove ");
    let held = "info string options not in force: `solver`: xiangqi has no goal that a solver \
                could prove";
    assert_eq!(said[0], held);
    assert!(
        said.iter().any(|line| line.contains(" depth 2 ")),
        "{said:?}"
    );
    let mut talk = Talk::with(Protocol::Uci, player_of::<Capture>());
    talk.tell(&["setoption name solver value true", "go nodes 100"]);
    let said = talk.until("bestmove ");
    assert!(said[0].starts_with("info depth "), "{said:?}");
}

#[test]
fn a_game_is_served_by_its_own_protocols() {
    let served = |card| Protocol::of(card);
    assert_eq!(
        served(Card::<Xiangqi>::get()),
        [Protocol::Uci, Protocol::Ucci]
    );
    assert_eq!(served(Card::<Othello>::get()), [Protocol::Uci]);
    assert_eq!(served(Card::<Capture>::get()), [Protocol::Uci]);
}
