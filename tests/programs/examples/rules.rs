//! The rules of the examples.

use leitai::conformance::conforms_with_mirrors;
use leitai_game::{Cause, Line, Position, Side, Verdict, perft};

use super::connect_four::ConnectFour;
use super::dobutsu::Dobutsu;
use super::printed;
use crate::common::project;

fn at(moves: &str) -> Line<ConnectFour> {
    let mut line = Line::new(ConnectFour::initial());
    for word in moves.split_whitespace() {
        line.play(line.position().parse_move(word).expect("a legal move"));
    }
    line
}

/// The mirror image, computed from the text alone.
fn mirrored(position: &ConnectFour) -> ConnectFour {
    let fen = position.to_fen();
    let (board, side) = fen.split_once(' ').expect("a side");
    let turned = board.split('/').map(|row| row.chars().rev().collect());
    let rows: Vec<String> = turned.collect();
    let text = format!("{} {side}", rows.join("/"));
    ConnectFour::from_fen(&text).expect("the mirror image")
}

#[test]
fn connect_four_keeps_its_promises() {
    conforms_with_mirrors::<ConnectFour>(4, 6, 42, &[mirrored]);
    leitai_game::card::conformance::conforms::<ConnectFour>(4, 2, 42);
}

#[test]
fn dobutsu_keeps_its_promises() {
    leitai_game::card::conformance::conforms::<Dobutsu>(2, 10, 60);
}

#[test]
fn the_moves_of_dobutsu_are_those_of_another_program() {
    let games = std::fs::read_to_string(project("tests/data/dobutsu-moves.txt")).expect("a file");
    for game in games.lines().filter(|line| !line.starts_with('#')) {
        let (moves, counts) = game.split_once(" ; ").expect("moves and counts");
        let mut line = Line::new(Dobutsu::initial());
        let mut moves = moves.split(' ');
        for count in counts.split(' ') {
            let position = line.position();
            let place = format!("{} in {game}", position.to_fen());
            assert_eq!(position.count_legal_moves().to_string(), count, "{place}");
            if let Some(word) = moves.next() {
                let mv = position.parse_move(word).expect("a legal move");
                line.play(mv);
            }
        }
    }
}

/// Counts leaves with the simplest rules: a grid of discs, and a check of all directions from the
/// last disc.
fn leaves(columns: &mut [Vec<bool>; 7], red: bool, depth: u32) -> u64 {
    let mut sum = 0;
    for at in 0..7 {
        if columns[at].len() == 6 {
            continue;
        }
        columns[at].push(red);
        sum += match depth {
            1 => 1,
            _ if wins(columns, at) => 0,
            _ => leaves(columns, !red, depth - 1),
        };
        columns[at].pop();
    }
    sum
}

fn wins(columns: &[Vec<bool>; 7], at: usize) -> bool {
    let (column, row) = (at as i32, columns[at].len() as i32 - 1);
    let disc = |column: i32, row: i32| {
        let column = columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    };
    let own = disc(column, row);
    let run = |x: i32, y: i32| {
        let same = (1..4).take_while(|step| disc(column + step * x, row + step * y) == own);
        same.count()
    };
    [(1, 0), (0, 1), (1, 1), (1, -1)]
        .iter()
        .any(|&(x, y)| run(x, y) + run(-x, -y) >= 3)
}

#[test]
fn its_leaves_are_counted_as_by_the_plainest_rules() {
    // Published numbers, and the output of the binary.
    let published = [7, 49, 343, 2_401, 16_807, 117_649, 823_536];
    let counted = (1..=7).map(|depth| perft(&mut ConnectFour::initial(), depth));
    assert!(counted.eq(published));
    let told = printed("connect_four", &["perft", "connect-four", "-d", "7"], 0);
    assert!(told.starts_with("823536 leaves"), "{told}");
    for moves in [
        "",
        "d d d d d e c",
        "a b a b a c g g f",
        "d e c c e b d e e d e c b",
    ] {
        let mut columns: [Vec<bool>; 7] = Default::default();
        for (ply, word) in moves.split_whitespace().enumerate() {
            columns[usize::from(word.as_bytes()[0] - b'a')].push(ply % 2 == 0);
        }
        let red = moves.split_whitespace().count() % 2 == 0;
        let plain = (1..=5).map(|depth| leaves(&mut columns, red, depth));
        let plain: Vec<u64> = plain.collect();
        let mut position = at(moves).position().clone();
        let counted = (1..=5).map(|depth| perft(&mut position, depth));
        assert!(counted.eq(plain.iter().copied()), "{moves}: {plain:?}");
    }
}

#[test]
fn games_end_with_four_in_a_row_or_a_full_board() {
    for (moves, winner) in [
        ("a b a b a b a", Side::First),
        ("a a b b c c d", Side::First),
        ("g a b b c d c c d d e d", Side::Second),
        ("d c c b b a b a a e a", Side::First),
    ] {
        let verdict = at(moves).verdict(());
        assert_eq!(verdict, Some(Verdict::win(winner, Cause::Goal)), "{moves}");
    }
    // Columns in twos, so that no line has a single colour.
    let full =
        "a b a b b a b a a b a b c d c d d c d c c d c d e f e f f e f e e f e f g g g g g g";
    assert_eq!(at(full).verdict(()), Some(Verdict::draw(Cause::BoardFull)));
    for wrong in [
        "",
        "......./......./......./......./......./.......",
        "......./......./......./......./......./....... x",
        "......./......./......./......./X....../....... X",
        "......./......./......./......./......./......Q X",
        "......./......./......./......./....... X",
        "......./......./......./......./......./......./....... X",
        "......./......./......./......./......./........ X",
    ] {
        assert!(ConnectFour::from_fen(wrong).is_err(), "{wrong}");
    }
}
