//! Tests of the whole game.

use leitai_game::card::conformance::conforms_with_mirrors;
use leitai_game::conformance::in_random_games;
use leitai_game::search::Tactics as _;
use leitai_game::{Cause, Line, Move, Position, Scope, Side, Verdict, legal_moves, perft};

use super::board::Shogi;
use super::notation;
use super::rules::ShogiRules;
use super::square::Square;

fn mirrored(position: &Shogi) -> Shogi {
    let pieces = Square::all().filter_map(|at| Some((at.mirrored(), position.piece_on(at)?)));
    let hands = Side::BOTH.map(|it| position.hand(it));
    Shogi::of(pieces, hands, position.turn(), position.number())
}

fn at(text: &str) -> Shogi {
    Shogi::from_fen(text).unwrap_or_else(|error| panic!("{error}"))
}

fn played(start: &str, moves: &str) -> Line<Shogi> {
    let mut line = Line::new(at(start));
    for text in moves.split_whitespace() {
        let mv = line.position().parse_move(text);
        line.play(mv.unwrap_or_else(|error| panic!("{error}: {}", line.position().to_fen())));
    }
    line
}

fn moves_of(position: &Shogi) -> Vec<String> {
    let moves = legal_moves(position).into_iter();
    moves.map(Shogi::move_text).collect()
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn the_game_keeps_its_promises() {
    conforms_with_mirrors::<Shogi>(1, 3, 150, &[mirrored]);
}

/// The counts that other programs publish for the start, for a position with five kinds in hand, and
/// for the one with most moves.
#[test]
fn leaves_are_those_of_other_programs() {
    let middle = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
    let most = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    for (fen, counts) in [
        (START, &[30, 900, 25_470, 719_731][..]),
        (middle, &[207, 28_684, 4_809_015]),
        (most, &[593, 105_677]),
    ] {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&mut at(fen), depth), *count, "{fen}");
        }
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn leaves_of_larger_trees_are_those_of_other_programs() {
    let middle = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
    let most = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    for (fen, depth, count) in [
        (START, 6, 547_581_517),
        (middle, 4, 516_925_165),
        (most, 3, 53_393_368),
    ] {
        assert_eq!(perft(&mut at(fen), depth), count, "{fen}");
    }
}

#[test]
fn wrong_positions_are_refused_with_the_reason() {
    let rest = "9/9/9/9/9/9/9/9";
    for (text, reason) in [
        ("", "fields"),
        ("8k b - 1", "1 ranks instead of 9"),
        ("8k/9/9/9/9/9/9/9/K9 b - 1", "rank 9 has 10 squares"),
        (
            "8x/9/9/9/9/9/9/9/K8 b - 1",
            "rank 1 has a letter of no piece",
        ),
        (
            "+g7k/9/9/9/9/9/9/9/K8 b - 1",
            "rank 1 has a letter of no piece",
        ),
        ("8k/9/9/9/9/9/9/9/K8 x - 1", "`b` or `w`"),
        ("8k/9/9/9/9/9/9/9/K8 b K 1", "letter of no piece"),
        ("8k/9/9/9/9/9/9/9/K8 b 2 1", "do not end with a piece"),
        ("8k/9/9/9/9/9/9/9/K8 b PP 1", "twice"),
        ("8k/9/9/9/9/9/9/9/K8 b - 0", "move number"),
        ("8k/9/9/9/9/9/9/9/9 b - 1", "one king"),
        (
            "8k/9/9/9/9/9/9/9/K8 b 3R 1",
            "3 of the pieces `R`, and a set has 2",
        ),
        ("P7k/9/9/9/9/9/9/9/K8 b - 1", "a `P` can never move"),
        ("8k/N8/9/9/9/9/9/9/K8 b - 1", "a `N` can never move"),
        ("8k/9/P8/P8/9/9/9/9/K8 b - 1", "two pawns"),
        ("8k/9/9/9/9/9/9/9/K7R w - 1", "no error"),
        ("8k/9/9/9/9/9/9/9/K7R b - 1", "not to move is in check"),
    ] {
        let read = Shogi::from_fen(text);
        let reason_of = read.map_or_else(|error| error.reason, |_| "no error".to_owned());
        assert!(reason_of.contains(reason), "{text}: {reason_of}");
    }
    assert!(Shogi::from_fen(&format!("4k4/{rest} b - 1")).is_err());
}

#[test]
fn pawns_are_dropped_once_on_a_file_and_never_mate() {
    let moves = moves_of(&at("4k4/9/9/9/4P4/9/9/9/4K4 b P 1"));
    assert!(moves.contains(&"P*1b".to_owned()));
    assert!(
        !moves
            .iter()
            .any(|mv| mv.starts_with("P*5") || mv.ends_with('a') && mv.starts_with('P'))
    );
    // The knight protects the pawn, and the king has 2b.
    let open = at("7nk/9/9/7N1/9/9/9/9/4K4 b P 1");
    assert!(moves_of(&open).contains(&"P*1b".to_owned()));
    let mated = at("6Gnk/6G2/7G1/9/9/9/9/9/4K4 b P 1");
    assert!(!moves_of(&mated).contains(&"P*1b".to_owned()), "打ち歩詰め");
    // A pawn on the board may mate.
    let pushed = played("6Gnk/6G2/7GP/9/9/9/9/9/4K4 b - 1", "1c1b");
    assert_eq!(
        pushed.verdict(ShogiRules::default()),
        Some(Verdict::win(Side::First, Cause::Checkmate))
    );
}

#[test]
fn the_fourth_occurrence_is_a_draw_or_lost_by_the_checking_side() {
    let around = "7g7f 3c3d 2h3h 8b7b 3h2h 7b8b ";
    let shuffle = "2h3h 8b7b 3h2h 7b8b ".repeat(2);
    let line = played(START, &(around.to_owned() + &shuffle));
    assert_eq!(
        line.verdict(ShogiRules::default()),
        Some(Verdict::draw(Cause::Repetition))
    );
    let mut line = line;
    line.undo();
    assert_eq!(line.verdict(ShogiRules::default()), None);
    // Black checks with every move.
    let checks = "5a4a 5i4i 4a5a 4i5i ".repeat(3);
    let mut line = played(
        "4k4/9/9/9/9/9/9/9/K5R2 b - 1",
        &("3i5i ".to_owned() + &checks),
    );
    let lost = Verdict::win(Side::Second, Cause::PerpetualCheck);
    assert_eq!(line.verdict(ShogiRules::default()), Some(lost));
    assert_eq!(
        Shogi::judge(&line, ShogiRules::default(), Scope::Search { root: 8 }),
        Some(lost)
    );
    line.undo();
    assert_eq!(line.verdict(ShogiRules::default()), None);
}

#[test]
fn a_king_that_has_entered_with_enough_points_wins_by_impasse() {
    // A king with ten pieces, and 28 points with a rook and two bishops.
    let entered = "K+P+P+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/k8 b R2B3P 1";
    for (fen, rules, wins) in [
        (entered.to_owned(), true, true),
        (entered.to_owned(), false, false),
        (entered.replace("3P 1", "2P 1"), true, false),
        (entered.replace("/+P+P7/", "/+P8/"), true, false),
    ] {
        let rules = ShogiRules { impasse: rules };
        let verdict = Line::new(at(&fen)).verdict(rules);
        assert_eq!(verdict.is_some(), wins, "{fen}");
    }
}

#[test]
fn moves_are_read_in_usi_and_in_japanese() {
    for (start, text, usi) in [
        (START, "7g7f", "7g7f"),
        (START, "▲７六歩", "7g7f"),
        (START, "７六歩(77)", "7g7f"),
        (START, "7六歩(77)", "7g7f"),
        ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "５五歩打", "P*5e"),
        ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "５五歩", "P*5e"),
        ("8k/9/2B6/9/9/9/9/9/4K4 b - 1", "２二角成", "no move"),
        ("4k4/9/4B4/9/9/9/9/9/4K4 b - 1", "３一角成(53)", "5c3a+"),
        ("4k4/9/4B4/9/9/9/9/9/4K4 b - 1", "３一角不成", "5c3a"),
        ("4k4/9/4+B4/9/9/9/9/9/4K4 b - 1", "３一馬(53)", "5c3a"),
    ] {
        let read = at(start).parse_move(text);
        let read = read.map_or_else(|_| "no move".to_owned(), Shogi::move_text);
        assert_eq!(read, usi, "{text}");
    }
    in_random_games::<Shogi>((5, 3, 80), |line| {
        let position = line.position();
        for mv in legal_moves(position) {
            let text = notation::japanese(position, mv);
            assert_eq!(
                position.parse_move(&text),
                Ok(mv),
                "{text}: {}",
                position.to_fen()
            );
        }
    });
}

#[test]
fn exchanges_count_the_hand() {
    let order = Shogi::USUAL_ORDER;
    let exchange = |fen: &str, mv: &str| {
        let position = at(fen);
        let mv = position.parse_move(mv).unwrap_or(Move::NULL);
        position.exchange(mv, &order)
    };
    // A pawn that nothing protects: its value on the board and in hand.
    assert_eq!(exchange("4k4/9/9/9/2p6/9/9/9/2R1K4 b - 1", "7i7e"), 2);
    // Protected by a gold, the rook is lost.
    assert_eq!(
        exchange("4k4/9/9/2g6/2p6/9/9/9/2R1K4 b - 1", "7i7e"),
        2 - 20
    );
    // A drop where it is captured.
    assert_eq!(exchange("4k4/9/9/2g6/9/9/9/9/4K4 b P 1", "P*7e"), -2);
}

#[test]
fn openings_are_lines_of_moves() {
    let read = |text: &str| {
        let read = Shogi::from_opening(text)?;
        Some(read.map(|(line, name)| (line.len(), name)))
    };
    let named = |name: &str| Some(Ok((2, name.to_owned())));
    assert_eq!(read("7g7f 3c3d"), named("7g7f 3c3d"));
    assert_eq!(read("startpos moves 7g7f 3c3d # open"), named("open"));
    assert_eq!(read(START), None);
    assert_eq!(read(""), None);
    let error = read("7g7f 7g7f").and_then(Result::err).unwrap_or_default();
    assert!(error.ends_with("at ply 2"), "{error}");
    let error = read("startpos moves 7g7e").and_then(Result::err);
    assert!(error.is_some_and(|error| error.ends_with("at ply 1")));
}
