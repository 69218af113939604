//! Compares Xiangqi with leaf counts of other programs (`tests/data/xiangqi-*`; each file names its
//! source) and with a second, naive move generator.

mod checks;
mod exchange;
mod mailbox;
mod nulls;
mod perft;
mod random;

use super::Xiangqi;
use leitai_game::Position;
use leitai_game::conformance::conforms_with_mirrors;

/// The position mirrored left-right, by way of its text.
fn mirrored(position: &Xiangqi) -> Xiangqi {
    let fen = position.to_fen();
    let (board, rest) = fen.split_once(' ').unwrap();
    let ranks: Vec<String> = board
        .split('/')
        .map(|rank| rank.chars().rev().collect())
        .collect();
    Xiangqi::from_fen(&format!("{} {rest}", ranks.join("/"))).unwrap()
}

#[test]
fn xiangqi_conforms() {
    conforms_with_mirrors::<Xiangqi>(2007, 16, 150, &[mirrored]);
}

#[test]
fn the_first_position_is_the_usual_one() {
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    assert_eq!(Xiangqi::initial().to_fen(), fen);
    assert_eq!(mirrored(&Xiangqi::initial()), Xiangqi::initial());
}
