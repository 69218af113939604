//! Questions that show whether a program can play Chess.

use leitai_game::card::{ProgramTest, TestPosition};

/// The questions.
pub(super) const EXAMINATION: ProgramTest = ProgramTest {
    places: &PLACES,
    rich: [0, 1, 9],
    plies: [60, 20],
    other_ways: "`usermove`",
};

/// Starts with a position that every program knows. Together the positions require castling by both
/// sides, to both sides, and answers when a pawn can be taken en passant, when a pawn can be
/// promoted, and in check: a misread position results in an illegal move.
const PLACES: [TestPosition; 10] = [
    TestPosition::at("at the usual start", "", &[]),
    TestPosition::at("after 1. e2e4 e7e5 2. g1f3", "", &["e2e4", "e7e5", "g1f3"]),
    TestPosition::at(
        "after both have castled, to the king's side and to the queen's",
        "r3kbnr/pppq1ppp/2npb3/4p3/4P3/3B1N2/PPPP1PPP/RNBQK2R w KQkq - 4 6",
        &["e1g1", "e8c8"],
    ),
    TestPosition::at(
        "where White can castle to the queen's side",
        "8/8/8/8/8/8/7R/R3K1k1 w Q - 0 1",
        &[],
    ),
    TestPosition::at(
        "where a pawn can be taken en passant",
        "8/8/8/5k2/1r1pPp2/1p3K2/1P5R/8 b - e3 0 1",
        &[],
    ),
    TestPosition::at(
        "where a pawn can be promoted",
        "8/k1P5/8/8/8/8/8/K7 w - - 0 1",
        &[],
    ),
    TestPosition::at(
        "after a promotion to a knight",
        "8/5P1k/8/8/8/8/8/K7 w - - 0 1",
        &["f7f8n"],
    ),
    TestPosition::at(
        "in check",
        "rnbqk1nr/pppp1ppp/4p3/8/1bPP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3",
        &[],
    ),
    TestPosition::at(
        "with 97 plies without a capture or move of a pawn",
        "8/5k2/8/3R4/8/2K5/6r1/8 w - - 97 120",
        &[],
    ),
    TestPosition::at(
        "in a middlegame",
        "r2q1rk1/1b2bppp/p1n1pn2/1p1p4/3P4/1BN1PN2/PP2QPPP/R1BR2K1 w - - 2 13",
        &[],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chess;
    use leitai_game::card::{AnyLine, Card};

    fn line(place: &TestPosition) -> Box<dyn AnyLine> {
        place.line(Card::<Chess>::get())
    }

    #[test]
    fn the_squares_have_their_names() {
        for place in &PLACES {
            let line = line(place);
            assert_eq!(line.len(), place.moves.len(), "{}", place.name);
            assert!(line.position().count_legal_moves() > 0, "{}", place.name);
        }
        let fen = |place: &TestPosition| line(place).position().to_fen();
        assert!(fen(&PLACES[2]).starts_with("2kr1bnr/"));
        assert!(fen(&PLACES[6]).starts_with("5N2/"));
        assert!(line(&PLACES[7]).position().in_check());
        let castles = line(&PLACES[3]);
        assert!(castles.position().parse_move("e1c1").is_ok());
        assert!(line(&PLACES[4]).position().parse_move("f4e3").is_ok());
        assert!(line(&PLACES[5]).position().parse_move("c7c8q").is_ok());
    }
}
