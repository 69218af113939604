//! Tests of searches in every game: each `go` has one answer.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use leitai_game::search::proof::SolverParams;
use leitai_go::Capture;
use leitai_othello::Othello;

/// Commands for games other than the usual one.
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

    /// The same property in games with passes, a target and a solver.
    #[test]
    fn every_go_is_answered_once_in_every_game(
        lines in prop::collection::vec(prop::sample::select(&LINES), 0..12),
        game in 0..3,
    ) {
        let mut player = if game == 0 { player_of::<Othello>() } else { player_of::<Capture>() };
        player.search.solver = (game == 2).then(SolverParams::default);
        let mut talk = Conversation::with(Protocol::Uci, player);
        for line in &lines {
            talk.session.handle_line(line);
        }
        talk.session.end();
        let said = talk.said.lock().unwrap();
        let answers = said.iter().filter(|line| line.starts_with("bestmove "));
        let asked = lines.iter().filter(|line| line.starts_with("go"));
        prop_assert_eq!(answers.count(), asked.count());
    }

    /// The number of answers equals that of the questions, regardless of other commands.
    #[test]
    fn every_go_is_answered_once(
        lines in prop::collection::vec(
            prop::collection::vec(prop::sample::select(&WORDS), 1..7), 0..12),
        protocol in prop::sample::select(Protocol::ALL),
    ) {
        let mut talk = Conversation::new(protocol);
        let mut asked = 0;
        for words in lines {
            let line = words.join(" ");
            if let Command::Go(_) = protocol.parse(&line, false) {
                asked += 1;
            }
            talk.session.handle_line(&line);
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
fn a_game_that_is_over_has_no_move() {
    let mut uci = Conversation::new(Protocol::Uci);
    let mate = "position fen 4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 0 1 moves a7a9";
    uci.send(&[mate, "go depth 3"]);
    let said = uci.until("bestmove ");
    assert_eq!(said, ["info depth 0 score mate 0", "bestmove (none)"]);
    let mut ucci = Conversation::new(Protocol::Ucci);
    ucci.send(&[mate, "go depth 3"]);
    let said = ucci.until("nobestmove");
    assert_eq!(said, ["info depth 0 score -10000", "nobestmove"]);
    // No move is available, but the game is not lost.
    let banned = "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    ucci.send(&[banned, "banmoves e0f0 e0e1", "go depth 3"]);
    assert_eq!(ucci.until("nobestmove"), ["nobestmove"]);
}

#[test]
fn banned_moves_are_not_played_until_the_next_position() {
    let mut talk = Conversation::new(Protocol::Ucci);
    let best = |talk: &mut Conversation, before: &[&str]| {
        talk.send(before);
        talk.send(&["go depth 3"]);
        let said = talk.until("bestmove ");
        said.last().unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    let free = best(&mut talk, &["position startpos moves h2e2 h9g7"]);
    let ban = format!("banmoves {free}");
    let other = best(&mut talk, &["setoption newgame", &ban]);
    assert_ne!(free, other);
    let position = "position startpos moves h2e2 h9g7";
    assert_eq!(best(&mut talk, &["setoption newgame", position]), free);
    let said = talk.replies_to(&["banmoves a0a0 e9e9"]);
    assert_eq!(said.len(), 2, "{said:?}");
}

#[test]
fn lines_come_best_first_and_only_those_asked_for() {
    let mut talk = Conversation::new(Protocol::Uci);
    talk.send(&[
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
    // Illegal moves are ignored; if none is left, all moves are searched.
    talk.send(&["setoption name MultiPV value 128"]);
    for (moves, left) in [("a0a9 b0c2 zz h2e2", 2), ("a0a9", 44)] {
        talk.send(&[&format!("go depth 2 searchmoves {moves}")]);
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
    let mut talk = Conversation::new(Protocol::Uci);
    for end in ["ponderhit", "stop"] {
        talk.send(&["go ponder depth 1"]);
        talk.until("info depth 1 ");
        std::thread::sleep(Duration::from_millis(20));
        let said = talk.replies_to(&["isready"]);
        assert!(said.contains(&"readyok".to_owned()));
        assert!(
            !said.iter().any(|line| line.starts_with("bestmove")),
            "{said:?}"
        );
        talk.send(&[end]);
        talk.until("bestmove ");
    }
    // The clock starts at `ponderhit`.
    talk.send(&["go ponder movetime 50"]);
    std::thread::sleep(Duration::from_millis(100));
    let said = talk.replies_to(&["ponderhit"]);
    assert!(
        !said.iter().any(|line| line.starts_with("bestmove")),
        "{said:?}"
    );
    talk.until("bestmove ");
    // Without a search, neither has an effect.
    assert_eq!(
        talk.replies_to(&["stop", "ponderhit"]),
        Vec::<String>::new()
    );
}

#[test]
fn a_stop_takes_effect_at_once() {
    let mut talk = Conversation::new(Protocol::Uci);
    talk.send(&["go infinite"]);
    talk.until("info depth 3 ");
    let began = Instant::now();
    talk.send(&["stop"]);
    talk.until("bestmove ");
    // About ten milliseconds on an idle machine.
    assert!(began.elapsed() < Duration::from_millis(500));
}

#[test]
fn the_first_iteration_ignores_the_clock() {
    let mut talk = Conversation::new(Protocol::Uci);
    let mate = "position fen 3k5/R8/9/1R7/9/9/9/9/9/4K4 w - - 0 1";
    for go in [
        "go movetime 0",
        "go movetime 10",
        "go wtime 10 btime 10",
        "go wtime -5 btime 10",
    ] {
        talk.send(&["ucinewgame", mate, go]);
        let said = talk.until("bestmove ");
        assert!(said[said.len() - 2].contains(" score mate 1 "), "{said:?}");
    }
    // Without iterative deepening, the first iteration is the last one.
    talk.send(&[
        "setoption name deepening value false",
        "setoption name MultiPV value 128",
        "position startpos",
        "isready",
    ]);
    talk.until("readyok");
    talk.send(&["go depth 20 movetime 0"]);
    let said = talk.until("bestmove ");
    assert_eq!(said.len(), 45, "{said:?}");
    assert!(said[..44].iter().all(|line| line.contains(" depth 1 ")));
    // The node limit is never exceeded.
    talk.send(&["go nodes 1"]);
    let said = talk.until("bestmove ");
    assert!(said[said.len() - 2].contains(" nodes 1 "), "{said:?}");
}

#[test]
fn lines_of_a_cut_iteration_stand_before_those_of_the_last() {
    let mut talk = Conversation::new(Protocol::Uci);
    talk.send(&["setoption name MultiPV value 5"]);
    let mut mixed = 0;
    for nodes in (2_000..40_000).step_by(1_777) {
        talk.send(&["ucinewgame", &format!("go nodes {nodes}")]);
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
fn a_game_beyond_the_move_limit_is_played_on() {
    let mut talk = Conversation::new(Protocol::Uci);
    // A rook ahead: no draw, although the rule would make every move except a capture a draw.
    let board = "3ak4/4a4/9/9/9/9/9/9/4A4/R2AK4 w - -";
    let score = |talk: &mut Conversation, clock: &str| {
        talk.send(&[&format!("position fen {board} {clock}"), "go depth 3"]);
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
    let said = talk.replies_to(&[&format!("position fen {board} -1 80")]);
    assert!(said[0].contains("half-move clock"), "{said:?}");
}

/// A full Othello board with this number of black discs.
fn full_board(black: usize) -> String {
    format!("{}{} X", "X".repeat(black), "O".repeat(64 - black))
}

#[test]
fn othello_is_served_in_its_own_words() {
    let mut talk = Conversation::with(Protocol::Uci, player_of::<Othello>());
    let hello = talk.replies_to(&["uci"]);
    let variant = "option name UCI_Variant type combo default othello var othello";
    assert!(hello.contains(&variant.to_owned()), "{hello:#?}");
    let said = talk.replies_to(&["setoption name UCI_Variant value xiangqi"]);
    let refused = "info string `UCI_Variant` takes othello, not `xiangqi`: unchanged";
    assert_eq!(said, [refused]);
    // White must pass, and writes the pass in the notation that it reads.
    let moves = "position startpos moves c4 c3 f5 b4 a4 a5 c2 a3";
    talk.send(&[moves, "go depth 3"]);
    let said = talk.until("bestmove ");
    let answer = said.last().unwrap();
    assert!(answer.starts_with("bestmove pass ponder "), "{answer}");
    talk.send(&[&format!("{moves} PASS"), "go depth 2"]);
    let said = talk.until("bestmove ");
    assert!(
        said.iter().any(|line| line.contains(" depth 2 ")),
        "{said:?}"
    );
    let said = talk.replies_to(&["position startpos moves f5 pass", "go depth 2"]);
    assert!(said[0].contains("position refused: ply 2"), "{said:?}");
    assert_eq!(said.last().unwrap(), "bestmove (none)");
    // A full board is won, lost or drawn.
    for (black, score) in [(33, "cp 10000"), (31, "mate 0"), (32, "cp 0")] {
        let position = format!("position fen {}", full_board(black));
        talk.send(&[&position, "go depth 3"]);
        let said = talk.until("bestmove ");
        let over = format!("info depth 0 score {score}");
        assert_eq!(said, [&*over, "bestmove (none)"], "{black}");
    }
    let mut talk = Conversation::with(Protocol::Usi, player_of::<Othello>());
    for (black, answer) in [(33, "bestmove win"), (31, "bestmove resign")] {
        talk.send(&[
            &format!("position sfen {}", full_board(black)),
            "go depth 3",
        ]);
        assert_eq!(talk.until("bestmove ").last().unwrap(), answer);
    }
}

#[test]
fn block_capture_is_served_by_searches_and_by_solvers() {
    let ladder = "position fen ......./......./..X..../.XO..../.X...../......./....... X C4 -";
    let mut player = player_of::<Capture>();
    let mut search = Conversation::with(Protocol::Uci, player.clone());
    search.send(&[ladder, "setoption name MultiPV value 3", "go depth 3"]);
    let said = search.until("bestmove ");
    let last: Vec<_> = said
        .iter()
        .filter(|line| line.contains(" depth 3 "))
        .collect();
    assert_eq!(last.len(), 3, "{said:?}");
    let said = search.replies_to(&[&format!("{ladder} moves dd"), "stop"]);
    assert!(said[0].contains("`dd` is not written as `D4`"), "{said:?}");

    player.search.solver = Some(SolverParams::default());
    let mut solver = Conversation::with(Protocol::Uci, player);
    solver.send(&[ladder, "go nodes 5000"]);
    let said = solver.until("bestmove ");
    assert!(said[0].contains(" score cp 9500 "), "proved: {said:?}");
    assert!(!said.iter().any(|line| line.contains("string")), "{said:?}");
    // Limits without effect are reported and ignored.
    solver.send(&["go depth 1 movetime 20 searchmoves A1"]);
    let said = solver.until("bestmove ");
    assert_eq!(
        said[..2],
        [
            "info string a depth does not limit a solver: give it nodes or a time",
            "info string a solver searches all moves: none is excluded",
        ]
    );
    assert_ne!(said.last().unwrap(), "bestmove A1");
    // A move is found even without time.
    let open = "position startpos moves D5 pass D3";
    solver.send(&["ucinewgame", open, "go movetime 0"]);
    let said = solver.until("bestmove ");
    assert!(!said.last().unwrap().contains("none"), "{said:?}");
    // After the capture of the target there is no move.
    solver.send(&[&format!("{ladder} moves D4 pass C3"), "go nodes 100"]);
    let said = solver.until("bestmove ");
    assert_eq!(said, ["info depth 0 score mate 0", "bestmove (none)"]);
    solver.send(&[open]);
    // Only `stop` ends an infinite search.
    solver.send(&["go infinite"]);
    std::thread::sleep(Duration::from_millis(20));
    let said = solver.replies_to(&["isready"]);
    assert!(
        !said.iter().any(|line| line.starts_with("bestmove")),
        "{said:?}"
    );
    solver.send(&["stop"]);
    solver.until("bestmove ");
}

#[test]
fn a_solver_is_not_offered_where_nothing_can_be_proved() {
    let mut talk = Conversation::new(Protocol::Uci);
    talk.send(&["setoption name solver value true", "go depth 2"]);
    let said = talk.until("bestmove ");
    assert_eq!(said[0], "info string no option `solver`");
    assert!(
        said.iter().any(|line| line.contains(" depth 2 ")),
        "{said:?}"
    );
    let mut talk = Conversation::with(Protocol::Uci, player_of::<Capture>());
    talk.send(&["setoption name solver value true", "go nodes 100"]);
    let said = talk.until("bestmove ");
    assert!(said[0].starts_with("info depth "), "{said:?}");
}

#[test]
fn a_game_is_served_by_its_own_protocols() {
    let served = |card| Protocol::of(card);
    assert_eq!(
        served(leitai_xiangqi::card()),
        [Protocol::Uci, Protocol::Ucci]
    );
    assert_eq!(served(leitai_othello::card()), [Protocol::Uci]);
    assert_eq!(served(leitai_go::card()), [Protocol::Uci]);
}

/// The table cuts mating lines short; only a line to its mate is announced as one.
#[test]
fn an_announced_mate_has_its_line() {
    let game = GameChoice::usual(leitai_chess::card());
    let player = Player {
        search: search_preset(Some(game.card), "full").unwrap(),
        ..player_of::<leitai_chess::Chess>()
    };
    let mut uci = Conversation::with(Protocol::Uci, player);
    let mut mates = 0;
    for fen in [
        "5k2/4p3/2Kn4/4bp2/8/8/3r2p1/8 w - - 0 51",
        "3K1QQ1/1k6/3R4/8/8/5P2/8/8 w - - 0 61",
        "2R5/8/6K1/8/2Qk4/8/8/8 b - - 2 87",
        "8/8/p7/Qp6/1P6/1k2P1q1/5K1b/8 w - - 16 62",
    ] {
        let position = format!("position fen {fen}");
        uci.send(&[&position, "go nodes 20000"]);
        for line in uci.until("bestmove") {
            let Some((_, mate)) = line.split_once(" score mate ") else {
                continue;
            };
            mates += 1;
            let moves: i32 = mate.split(' ').next().unwrap().parse().unwrap();
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            let (_, pv) = line.split_once(" pv ").unwrap();
            let mut end = game.card.read(fen).unwrap();
            for word in pv.split(' ') {
                end.play(end.parse_move(word).unwrap());
            }
            assert_eq!(pv.split(' ').count() as i32, plies, "{line}");
            assert_eq!(end.count_legal_moves(), 0, "{line}");
        }
    }
    assert!(mates > 10, "{mates}");
}
