use super::position::commands;
use super::*;
use leitai_go::{Board, Colour, Point};

fn problem(rows: &[&str], target: &str, to_move: Colour, ko: Option<&str>) -> Problem {
    let mut board = Board::from_rows(rows).expect("a board");
    let size = board.size();
    let point = |name| Point::from_name(name, size).expect("a point");
    board.set_ko(ko.map(point));
    Problem::new(board, point(target), to_move).expect("a problem")
}

#[test]
fn codes_are_verdicts_for_the_side_to_move() {
    use CaptureVerdict::{Captured, Escapes, Ko};
    let verdicts = |attacks| [0, 1, 2, 3].map(|code| verdict(code, attacks));
    assert_eq!(verdicts(true), [Escapes, Captured, Ko, Ko]);
    assert_eq!(verdicts(false), [Captured, Escapes, Ko, Ko]);
}

#[test]
fn answers_have_a_code_and_perhaps_a_point() {
    let at = |name| Point::from_name(name, 9).map(Play::At);
    assert_eq!(read("1 D6", 9), Some((1, at("D6"))));
    assert_eq!(read("0", 9), Some((0, None)));
    assert_eq!(read(" 1 PASS ", 9), Some((1, Some(Play::Pass))));
    for nonsense in ["", "4 D6", "-1", "D6", "1 D66", "1 D6 E5", "1 I3", "yes"] {
        assert_eq!(read(nonsense, 9), None, "{nonsense}");
    }
}

#[test]
fn a_position_is_sent_by_plays_without_captures() {
    let atari = ["..O..", ".OXO.", "..X..", ".....", "....."];
    let atari = problem(&atari, "C4", Colour::White, None);
    let told = commands(&atari).expect("tellable");
    assert_eq!(
        told,
        [
            "boardsize 5",
            "clear_board",
            "play white C5",
            "play white B4",
            "play black C4",
            "play white D4",
            "play black C3",
        ]
    );
}

#[test]
fn a_ko_is_sent_by_the_capture_that_began_it() {
    let rows = [".XO..", "XO.O.", ".XO..", ".....", "....."];
    let ko = problem(&rows, "B4", Colour::Black, Some("C4"));
    let told = commands(&ko).expect("tellable");
    assert_eq!(told[told.len() - 2..], ["play black C4", "play white B4"]);
}

#[test]
fn a_ko_that_no_capture_explains_cannot_be_sent() {
    // White's block around the point has no other liberty before the capture.
    let rows = ["XO.OX", "X.XXX", ".....", ".....", "....."];
    let board = Board::from_rows(&rows).expect("a board");
    let mut wrong = problem(&rows, "B5", Colour::Black, None);
    wrong.board = board;
    wrong.board.set_ko(Point::from_name("A1", 5));
    let untold = commands(&wrong);
    assert_eq!(
        untold.unwrap_err().to_string(),
        "the ko at A1 cannot be set up with `play` commands: the capture that would have begun \
         it is not possible"
    );
}
