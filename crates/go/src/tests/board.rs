use proptest::prelude::*;

use super::model::{Model, point};
use crate::{Board, Colour, LARGEST, Point, PointSet, SMALLEST};

fn board(rows: &[&str]) -> Board {
    Board::from_rows(rows).unwrap()
}

fn at(name: &str, size: u8) -> Point {
    Point::from_name(name, size).unwrap()
}

/// Plays numbers as moves on a board and on the model, and compares every step. A number chooses
/// among all points; some are passes, and after some the same side plays again. Then undoes all
/// plays and compares again.
fn play_and_compare(size: u8, numbers: &[u32], full: bool) {
    let mut board = Board::empty(size);
    let mut model = Model::empty(size);
    let mut colour = Colour::Black;
    let mut before = vec![(model.clone(), board.key())];
    let count = u32::from(size) * u32::from(size);
    for &number in numbers {
        let spot = {
            let place = (number % count) as i32;
            (place % model.size, place / model.size)
        };
        let kind = number / count % 16;
        if kind == 0 {
            board.pass();
            model.ko = None;
        } else if model.at(spot).is_some() {
            model.compare_at(&board, spot);
            continue;
        } else if let Some((after, taken)) = model.play(spot, colour) {
            model.compare_at(&board, spot);
            assert_eq!(board.play(point(spot), colour), taken);
            model = after;
        } else {
            // A suicide is replaced by a pass.
            model.compare_at(&board, spot);
            assert_eq!(board.play(point(spot), colour), 0);
            model.ko = None;
        }
        before.push((model.clone(), board.key()));
        model.compare(&board);
        let checked = if full { model.spots() } else { vec![spot] };
        for spot in checked {
            model.compare_at(&board, spot);
        }
        if kind != 1 {
            colour = colour.other();
        }
    }
    let end = board.clone();
    let rebuilt = Board::from_rows(&board.to_rows()).unwrap();
    assert_eq!(rebuilt.key(), board.key());
    let plies = board.plies();
    assert_eq!(plies + 1, before.len());
    while let Some((model, key)) = before.pop() {
        model.compare(&board);
        assert_eq!(board.key(), key);
        for &number in numbers.iter().take(4) {
            let place = (number % count) as i32;
            model.compare_at(&board, (place % model.size, place / model.size));
        }
        board.undo();
    }
    assert_eq!(board, Board::empty(size));
    board.undo();
    assert_eq!(board.plies(), 0);
    assert_eq!(end.plies(), plies, "a copy keeps its own stack");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn small_boards_are_the_model(
        size in SMALLEST..=6,
        numbers in proptest::collection::vec(any::<u32>(), 0..120),
    ) {
        play_and_compare(size, &numbers, true);
    }

    #[test]
    fn boards_of_all_sizes_are_the_model(
        size in SMALLEST..=LARGEST,
        numbers in proptest::collection::vec(any::<u32>(), 0..300),
    ) {
        play_and_compare(size, &numbers, false);
    }

    #[test]
    fn plays_and_undos_in_any_order_keep_the_board_whole(
        size in SMALLEST..=9,
        numbers in proptest::collection::vec(any::<u32>(), 0..400),
    ) {
        let mut board = Board::empty(size);
        let mut states = Vec::new();
        for number in numbers {
            let spot = Point::new((number % u32::from(size)) as u8, (number / 32 % u32::from(size)) as u8);
            let colour = Colour::BOTH[(number >> 20 & 1) as usize];
            if number.is_multiple_of(4) {
                board.undo();
                if let Some((rows, ko)) = states.pop() {
                    prop_assert_eq!(board.to_rows(), rows);
                    prop_assert_eq!(board.ko(), ko);
                }
            } else {
                states.push((board.to_rows(), board.ko()));
                board.play(spot, colour);
            }
            board.check_integrity().map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn rows_are_read_or_refused(rows in proptest::collection::vec("[.XOx ]{0,6}", 0..6)) {
        if let Ok(board) = Board::from_rows(&rows) {
            prop_assert_eq!(board.to_rows(), rows);
            board.check_integrity().map_err(TestCaseError::fail)?;
        }
    }
}

#[test]
fn a_ko_is_banned_for_one_play() {
    let mut board = board(&[".XO..", "X.XO.", ".XO..", ".....", "....."]);
    let (take, stone) = (at("B4", 5), at("C4", 5));
    assert!(board.is_ko_capture(take, Colour::White));
    assert!(!board.is_ko_capture(take, Colour::Black));
    assert_eq!(board.play(take, Colour::White), 1);
    assert_eq!(board.ko(), Some(stone));
    assert!(!board.is_legal(stone, Colour::Black));
    assert!(board.is_ko_capture(stone, Colour::Black));
    board.pass();
    assert_eq!(board.ko(), None);
    assert!(board.is_legal(stone, Colour::Black));
    board.undo();
    assert_eq!(board.ko(), Some(stone));
    board.play(at("A1", 5), Colour::Black);
    assert_eq!(board.ko(), None);
    board.undo();
    board.undo();
    assert_eq!((board.ko(), board.at(stone)), (None, Some(Colour::Black)));
    board.set_ko(Some(take));
    assert!(!board.is_legal(take, Colour::White));
    board.pass();
    board.undo();
    assert_eq!(board.ko(), Some(take));
}

#[test]
fn suicide_is_illegal_but_taking_is_not() {
    let board = board(&[".XO.", "XXO.", "OOO.", "...."]);
    let corner = at("A4", 4);
    assert!(board.is_suicide(corner, Colour::Black));
    assert!(!board.is_suicide(corner, Colour::White));
    assert_eq!(board.captures(corner, Colour::White), 3);
    assert_eq!(board.captures(corner, Colour::Black), 0);
    assert!(board.is_legal(corner, Colour::White));
    let mut after = board.clone();
    assert_eq!(after.play(corner, Colour::White), 3);
    assert_eq!(after.to_rows(), ["O.O.", "..O.", "OOO.", "...."]);
    assert_eq!(after.ko(), None);
    after.undo();
    assert_eq!(after, board);
    assert_eq!(after.play(corner, Colour::Black), 0, "a suicide is a pass");
    assert_eq!((after.to_rows(), after.plies()), (board.to_rows(), 1));
}

#[test]
fn four_blocks_are_taken_at_once() {
    let mut board = board(&["..X..", ".XOX.", "XO.OX", ".XOX.", "..X.."]);
    let middle = at("C3", 5);
    assert_eq!(board.captures(middle, Colour::Black), 4);
    assert_eq!(board.play(middle, Colour::Black), 4);
    assert_eq!(board.liberty_count(middle), 4);
    assert_eq!(board.ko(), None);
    board.check_integrity().unwrap();
    board.undo();
    board.check_integrity().unwrap();
    assert_eq!(board.all(Colour::White).len(), 4);
}

#[test]
fn four_blocks_are_joined_and_parted() {
    let rows = ["..X..", "..X..", "XX.XX", "..XO.", "..X.."];
    let mut board = board(&rows);
    for (name, count) in [("C3", 9), ("D5", 10), ("B4", 11)] {
        board.play(at(name, 5), Colour::Black);
        board.check_integrity().unwrap();
        assert_eq!(board.stone_count(at("A3", 5)), count, "{name}");
    }
    assert_eq!(board.adjacent_blocks(at("C3", 5)).len(), 1);
    while board.plies() > 0 {
        board.undo();
        board.check_integrity().unwrap();
    }
    assert_eq!(board.to_rows(), rows);
}

#[test]
fn a_point_taken_and_played_again_comes_back() {
    // The head of a captured block gets a stone of the other colour, which is taken in turn: undo
    // restores everything that was overwritten.
    let mut board = board(&[".OX..", "OOX..", "XX...", ".....", "....."]);
    let start = board.clone();
    assert_eq!(board.play(at("A5", 5), Colour::Black), 3);
    for name in ["B5", "A4", "B4"] {
        board.play(at(name, 5), Colour::White);
        board.play(at(name, 5), Colour::Black);
        board.check_integrity().unwrap();
    }
    while board.plies() > 0 {
        board.undo();
        board.check_integrity().unwrap();
    }
    assert_eq!(board, start);
    assert_eq!(board.stone_count(at("B5", 5)), 3);
}

#[test]
fn rows_without_a_board_are_refused() {
    let error = |rows: &[&str]| Board::from_rows(rows).unwrap_err().to_string();
    assert_eq!(error(&["."]), "1 rows: a board has 2 to 19");
    assert_eq!(
        error(&["..", "..."]),
        "row 2 has 3 points instead of 2: `...`"
    );
    assert_eq!(
        error(&["..", ".?"]),
        "`?` in row 2 is not one of `.XO`: `.?`"
    );
    assert_eq!(
        error(&["...", "XX.", "OX."]),
        "the white block at A1 has no liberty"
    );
    assert_eq!(
        Board::from_stones(20, &PointSet::EMPTY, &PointSet::EMPTY)
            .unwrap_err()
            .to_string(),
        "20 rows: a board has 2 to 19"
    );
}

#[test]
fn points_off_the_board_are_nothing() {
    let mut board = Board::empty(5);
    for index in [0, 19, 26, 420, 511, 512, u16::MAX] {
        let point = Point(index);
        assert!(!board.on_board(point), "{index}");
        assert_eq!(board.stones(Point(0)), PointSet::EMPTY);
    }
    assert_eq!(Board::empty(0).size(), SMALLEST);
    assert_eq!(Board::empty(200).size(), LARGEST);
    assert_eq!(board.play(Point(0), Colour::Black), 0);
    assert_eq!(board.empties().len(), 25);
    assert!(board.liberties(Point::new(1, 1)).is_empty());
    assert!(board.adjacent_blocks(Point::new(1, 1)).is_empty());
    assert_eq!(board.stone_count(Point::new(1, 1)), 0);
}
