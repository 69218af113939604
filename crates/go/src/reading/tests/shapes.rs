//! Eyes, life, liberties, the crucial chain and the evaluation.

use proptest::prelude::*;

use super::{at, board, cases, names, played};
use crate::reading::liberties::{point_value, related_value};
use crate::reading::{
    CaptureParams, Escape, Kos, Liberties, MAX_EVALUATION, Quick, Second, Terminal, chain,
    evaluate, is_alive, is_real_eye, life_zone,
};
use crate::{Board, Colour, Point, PointSet, Problem, Symmetry, move_at};
use leitai_game::search::proof::AndOr;

/// The liberties of the block of `point`; empty without a stone there.
fn of_block(board: &Board, point: Point, definition: Second) -> Liberties {
    let Some(colour) = board.at(point) else {
        return Liberties::default();
    };
    let stones = match definition {
        Second::Neighbours => PointSet::EMPTY,
        Second::Augmented => board.stones(point),
    };
    Liberties::of_stones(board, colour, &stones, board.liberties(point), definition)
}

#[test]
fn eyes_are_real_by_their_diagonals() {
    let board = board(&[
        ".X...X.", "XXX.XXO", "......X", ".XXX...", ".X.X.OO", ".XXO.O.", ".....OO",
    ]);
    let is_eye = |name, colour| is_real_eye(&board, at(&board, name), colour);
    assert!(is_eye("A7", Colour::Black), "corner with its diagonal");
    assert!(!is_eye("G7", Colour::Black), "a neighbour is white");
    assert!(is_eye("C3", Colour::Black), "three diagonals of four");
    assert!(!is_eye("D2", Colour::White), "a stone");
    assert!(!is_eye("A7", Colour::White));
    assert!(!is_eye("A6", Colour::Black), "a stone is no eye");
    assert!(
        is_eye("G2", Colour::White),
        "three neighbours at the edge, two diagonals"
    );
    let false_eye = super::board(&["..X..", ".X.X.", "..X..", ".....", "....."]);
    assert!(!is_real_eye(
        &false_eye,
        at(&false_eye, "C4"),
        Colour::Black
    ));
    let three = super::board(&[".XX..", ".X.X.", ".XXX.", ".....", "....."]);
    assert!(is_real_eye(&three, at(&three, "C4"), Colour::Black));
    let half = super::board(&[".X.X.", ".X.X.", "..X..", ".....", "....."]);
    assert!(
        !is_real_eye(&half, at(&half, "C5"), Colour::Black),
        "a neighbour is empty"
    );
    let edge = super::board(&[".X.X.", "..X..", ".....", ".....", "....."]);
    assert!(
        !is_real_eye(&edge, at(&edge, "C5"), Colour::Black),
        "edge: both diagonals"
    );
}

#[test]
fn two_eyes_live_and_false_ones_do_not() {
    let alive = board(&[".X.XO", "XXXXO", "OOOOO", ".....", "....."]);
    assert!(is_alive(&alive, at(&alive, "B5")));
    let zone = life_zone(&alive, at(&alive, "B5")).unwrap();
    assert_eq!(names(&alive, zone), "A5 B5 C5 D5 A4 B4 C4 D4");
    let one = board(&[".XXXO", "XXXXO", "OOOOO", ".....", "....."]);
    assert!(!is_alive(&one, at(&one, "B5")));
    // D5 is connected only at C5: when it is taken, C5 is no eye of the rest.
    let false_eye = board(&[".X.XO", "XXXOO", "OOOO.", ".....", "....."]);
    assert!(!is_alive(&false_eye, at(&false_eye, "B5")));
    // Two blocks that share two eyes.
    let shared = board(&[
        ".X.O...", "X.XO...", "XXXO...", "OOOO...", ".......", ".......", ".......",
    ]);
    assert!(is_alive(&shared, at(&shared, "A6")));
    assert!(
        !is_alive(&shared, at(&shared, "D6")),
        "white's own block is open"
    );
    assert!(!is_alive(&shared, at(&shared, "G1")), "no stone");
    // An enemy stone inside an eye does not matter if all empty points of the eye are liberties.
    let filled = board(&[".XOXO", "XX.XO", "OXXXO", ".OOOO", "....."]);
    assert!(is_alive(&filled, at(&filled, "B5")));
}

#[test]
fn liberties_by_both_definitions() {
    let board = board(&[".....", "..X..", "..X..", ".....", "..X.."]);
    let target = at(&board, "C4");
    let of = |second| of_block(&board, target, second);
    let plain = of(Second::Neighbours);
    assert_eq!(names(&board, plain.first), "C5 B4 D4 B3 D3 C2");
    assert_eq!(names(&board, plain.second), "B5 D5 A4 E4 A3 E3 B2 D2");
    // C2 would join C1 and so gain its liberties B1 and D1.
    let augmented = of(Second::Augmented);
    assert_eq!(
        names(&board, augmented.second),
        "B5 D5 A4 E4 A3 E3 B2 D2 B1 D1"
    );
    assert_eq!(names(&board, plain.third(&board)), "A5 E5 A2 E2 B1 D1");
    let params = CaptureParams::default();
    // C2, connected with C4, C3 and C1.
    let first = "C5 B4 D4 B3 D3 B2 D2 B1 D1".split(' ').count() as i32;
    let second = "B5 D5 A4 E4 A3 E3 A2 E2 A1 E1".split(' ').count() as i32;
    let value = point_value(&board, at(&board, "C2"), Colour::Black, &params);
    assert_eq!(value, 4 * first + second);
    assert_eq!(
        point_value(&board, target, Colour::Black, &params),
        0,
        "taken"
    );
}

#[test]
fn the_value_of_a_capture_counts_freed_points() {
    let board = board(&["OX...", ".X...", "X....", ".....", "....."]);
    let corner = at(&board, "A4");
    let params = CaptureParams::default();
    // A4 joins B5, B4 and A3 and takes A5.
    let first = "A5 C5 C4 B3 A2".split(' ').count() as i32;
    let second = "D5 D4 C3 B2 A1".split(' ').count() as i32;
    let value = point_value(&board, corner, Colour::Black, &params);
    assert_eq!(value, 4 * first + second);
    let mut played = board.clone();
    played.play(corner, Colour::Black);
    let liberties = of_block(&played, corner, Second::Neighbours);
    assert_eq!(
        value,
        4 * liberties.first.len() as i32 + liberties.second.len() as i32
    );
}

fn chain_of(board: &Board, name: &str, params: &CaptureParams) -> String {
    names(board, chain(&mut board.clone(), at(board, name), params))
}

#[test]
fn blocks_that_share_two_liberties_are_one_chain() {
    let params = CaptureParams::default();
    let bamboo = board(&[".....", ".X.X.", ".X.X.", ".....", "....."]);
    assert_eq!(chain_of(&bamboo, "B4", &params), "B4 D4 B3 D3");
    let one_point = board(&[".....", ".X.X.", ".....", ".....", "....."]);
    assert_eq!(
        chain_of(&one_point, "B4", &params),
        "B4",
        "one shared liberty"
    );
    let off = CaptureParams {
        chain_shared: false,
        ..params
    };
    assert_eq!(chain_of(&bamboo, "B4", &off), "B4 B3");
}

#[test]
fn one_liberty_holds_one_link_only() {
    let params = CaptureParams::default();
    // B5 and A4 share A5 and B4, B5 and C4 share B4 and C5.
    let two = CaptureParams {
        chain_protected: false,
        ..params.clone()
    };
    let both = board(&[".X...", "X.X..", ".....", ".....", "....."]);
    let found = chain_of(&both, "B5", &two);
    assert_eq!(found.split(' ').count(), 2, "{found}");
    // In the corner, A5 alone links the first pair.
    assert_eq!(chain_of(&both, "B5", &params), "B5 A4 C4");
    let free = board(&[
        "...X...", "..X....", ".......", "..X....", ".......", ".......", ".......",
    ]);
    assert_eq!(chain_of(&free, "D7", &params), "D7 C6");
}

#[test]
fn a_protected_liberty_holds() {
    let params = CaptureParams::default();
    // A white stone on C5 would be in atari.
    let edge = board(&[".X.X.", "..X..", ".....", ".....", "....."]);
    assert_eq!(chain_of(&edge, "B5", &params), "B5 D5 C4");
    let tiger = board(&[".....", ".X.X.", "..X..", ".....", "....."]);
    let off = CaptureParams {
        chain_protected: false,
        ..params.clone()
    };
    assert_eq!(chain_of(&tiger, "B4", &params), "B4 D4 C3");
    // Every pair shares C4; two points link only one pair.
    assert_ne!(chain_of(&tiger, "B4", &off), "B4 D4 C3");
}

#[test]
fn a_dead_stone_between_holds() {
    let params = CaptureParams {
        chain_shared: false,
        chain_protected: false,
        ..CaptureParams::default()
    };
    // White on B1 has its last liberty at the edge and cannot escape.
    let dead = board(&[".....", ".....", ".....", "XXXX.", "XO.XX"]);
    assert_eq!(chain_of(&dead, "A1", &params), "A2 B2 C2 D2 A1 D1 E1");
    let joined = board(&[".....", ".X...", "XOX..", "XO.X.", ".XX.."]);
    assert_eq!(chain_of(&joined, "A3", &params), "B4 A3 C3 A2 B1 C1");
    let off = CaptureParams {
        chain_dead: false,
        ..params
    };
    assert_eq!(chain_of(&joined, "A3", &off), "A3 A2");
}

#[test]
fn the_evaluation_is_that_of_the_paper() {
    let params = CaptureParams::default();
    let mut board = board(&[".....", "..X..", "..X..", ".....", "....."]);
    let target = at(&board, "C4");
    // 6 first and 9 second liberties.
    assert_eq!(evaluate(&mut board, target, &params), 4 * 6 + 9);
    assert_eq!(
        evaluate(&mut board, at(&super::board(&["...."; 4]), "A1"), &params),
        0
    );
    let other = CaptureParams {
        eval_first: 16,
        eval_second: 8,
        eval_third: 4,
        eval_divisor: 4,
        ..params
    };
    // Third liberties: A5 E5 A2 E2 B1 D1.
    assert_eq!(
        evaluate(&mut board, target, &other),
        (16 * 6 + 8 * 9 + 4 * 6) / 4
    );
}

#[test]
fn the_richer_evaluation_sees_ladders_and_eyes() {
    let zero = CaptureParams {
        eval_first: 0,
        eval_second: 0,
        ..CaptureParams::default()
    };
    let mut race = board(&["XO...", "XO...", ".O...", ".....", "....."]);
    let target = at(&race, "B4");
    let short = CaptureParams {
        eval_short: 15,
        ..zero.clone()
    };
    assert_eq!(
        evaluate(&mut race, target, &short),
        15,
        "A4 has one liberty"
    );
    let ladder = CaptureParams {
        eval_ladder: 50,
        ..zero.clone()
    };
    assert_eq!(
        evaluate(&mut race, target, &ladder),
        50,
        "it is taken on A3"
    );
    let own = CaptureParams {
        eval_own_ladder: -25,
        eval_first: 20,
        ..zero.clone()
    };
    let mut weak = board(&["..X..", ".XO..", "..X..", ".....", "....."]);
    let stone = at(&weak, "C4");
    assert_eq!(
        evaluate(&mut weak, stone, &own),
        0,
        "20 - 25, but not below 0"
    );
    let eyes = CaptureParams {
        eval_eyes: 2,
        ..zero
    };
    let mut alive = board(&[".X.XO", "XXXXO", "OOOOO", ".....", "....."]);
    let target = at(&alive, "A4");
    assert_eq!(evaluate(&mut alive, target, &eyes), MAX_EVALUATION);
}

#[test]
fn terminal_positions() {
    let params = CaptureParams::default();
    let test = |rows: &[&str], to_move: Colour, params: &CaptureParams| {
        let board = board(rows);
        let target = at(&board, "B4");
        let problem = Problem::new(board, target, to_move).unwrap();
        Quick::new(&problem, params, Kos::Defender).terminal()
    };
    let one = [".X...", "XO...", ".X...", ".....", "....."];
    let last = at(&board(&one), "C4");
    assert_eq!(test(&one, Colour::Black, &params), Terminal::Taken(last));
    assert_eq!(test(&one, Colour::White, &params), Terminal::Open);
    let open = [".....", ".O...", ".OO..", ".....", "....."];
    let escaped = Terminal::Escaped(Escape::Liberties);
    assert_eq!(test(&open, Colour::Black, &params), escaped);
    let judged = CaptureParams {
        escape_liberties: 0,
        escape_eval: 25,
        ..params.clone()
    };
    let escaped = Terminal::Escaped(Escape::Evaluation);
    assert_eq!(test(&open, Colour::Black, &judged), escaped);
    let strict = CaptureParams {
        escape_liberties: 0,
        ..params.clone()
    };
    assert_eq!(test(&open, Colour::Black, &strict), Terminal::Open);
    let alive = [".X.XO", "XXXXO", "OOOOO", ".....", "....."];
    let escaped = Terminal::Escaped(Escape::Life);
    assert_eq!(test(&alive, Colour::White, &params), escaped);
    let problem = Problem::new(board(&one), at(&board(&one), "B4"), Colour::Black).unwrap();
    let mut tree = Quick::new(&problem, &params, Kos::Defender);
    tree.play(move_at(last));
    assert_eq!(tree.terminal(), Terminal::Gone);
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_living_block_cannot_be_taken_by_moves_without_answer(
        board in played(4..=5, 60),
        picks in proptest::collection::vec(any::<u16>(), 60),
    ) {
        let stones: Vec<Point> = (*board.all(Colour::Black) | *board.all(Colour::White)).iter().collect();
        for stone in stones {
            if !is_alive(&board, stone) {
                continue;
            }
            let attacker = board.at(stone).unwrap().other();
            let mut board = board.clone();
            for pick in &picks {
                let open = board.empties().iter();
                let legal: Vec<Point> = open.filter(|&it| !board.is_suicide(it, attacker)).collect();
                let Some(&point) = legal.get(usize::from(*pick) % legal.len().max(1)) else {
                    break;
                };
                board.play(point, attacker);
                prop_assert_eq!(board.at(stone), Some(attacker.other()));
            }
        }
    }

    #[test]
    fn the_value_of_a_point_is_that_of_the_board_after_the_play(board in played(4..=7, 60)) {
        for second in [Second::Neighbours, Second::Augmented] {
            let params = CaptureParams { second, ..CaptureParams::default() };
            for point in board.empties() {
                for colour in Colour::BOTH {
                    let value = point_value(&board, point, colour, &params);
                    let mut played = board.clone();
                    let expected = if played.is_suicide(point, colour) {
                        0
                    } else {
                        played.play(point, colour);
                        let Liberties { first, second } = of_block(&played, point, second);
                        (4 * first.len() + second.len()) as i32
                    };
                    prop_assert_eq!(value, expected, "{} {:?}", point.name(board.size()), colour);
                }
            }
        }
    }

    #[test]
    fn effects_of_a_point_are_seen_on_the_board_after_the_play(
        board in played(4..=7, 60),
    ) {
        for definition in [Second::Neighbours, Second::Augmented] {
            let params = CaptureParams { second: definition, ..CaptureParams::default() };
            let all = *board.all(Colour::Black) | *board.all(Colour::White);
            for block in all.iter().filter(|&it| board.block(it) == it) {
                let colour = board.at(block).unwrap();
                let stones = board.stones(block);
                let before = of_block(&board, block, definition);
                for point in board.empties() {
                    let value = related_value(&board, point, colour, &stones, &before, &params);
                    let mut played = board.clone();
                    let expected = if played.is_suicide(point, colour) {
                        0
                    } else {
                        played.play(point, colour);
                        let Liberties { first, second } = of_block(&played, block, definition);
                        (4 * first.len() + second.len()) as i32
                    };
                    prop_assert_eq!(value, expected, "{}", point.name(board.size()));
                }
            }
        }
    }

    #[test]
    fn life_and_eyes_do_not_depend_on_the_orientation(board in played(4..=6, 60)) {
        for symmetry in Symmetry::ALL {
            let turned = board.transformed(symmetry).swapped_colours();
            for point in Point::all(board.size()) {
                let image = symmetry.apply(point, board.size());
                prop_assert_eq!(is_alive(&board, point), is_alive(&turned, image));
                for colour in Colour::BOTH {
                    prop_assert_eq!(
                        is_real_eye(&board, point, colour),
                        is_real_eye(&turned, image, colour.other())
                    );
                }
            }
        }
    }

    #[test]
    fn the_chain_holds_the_target_and_whole_blocks(board in played(4..=7, 60)) {
        let mut board = board;
        let rows = board.to_rows();
        for point in Point::all(board.size()) {
            let stones = chain(&mut board, point, &CaptureParams::default());
            prop_assert!(board.stones(point).is_subset(&stones));
            let blocks: PointSet = stones.iter().flat_map(|it| board.stones(it).iter()).collect();
            prop_assert_eq!(blocks, stones);
        }
        prop_assert_eq!(board.to_rows(), rows);
    }
}
