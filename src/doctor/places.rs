//! The positions that a program is asked about.

use crate::game::{Line, Position};

/// A position with what it is there for.
#[derive(Debug)]
pub struct Place {
    /// Where it is, as a sentence goes on.
    pub(super) name: &'static str,
    /// In the form of Leitai; empty for the usual start.
    fen: &'static str,
    /// Moves since, in the form of Leitai.
    moves: &'static [&'static str],
}

/// Beginning with what every program knows. Between them they ask for moves on
/// both home ranks, with both sides to move, and name elephants and horses off
/// their squares: what is misread shows in an illegal move.
pub(super) const XIANGQI: [Place; 5] = [
    Place {
        name: "at the usual start",
        fen: "",
        moves: &[],
    },
    Place {
        name: "after 1. h2e2 h9g7 2. h0g2",
        fen: "",
        moves: &["h2e2", "h9g7", "h0g2"],
    },
    Place {
        name: "with two legal moves",
        fen: "3k5/9/4P4/9/9/9/9/4B4/4A4/2R1KA3 b - - 0 1",
        moves: &[],
    },
    Place {
        name: "in check",
        fen: "2bak4/4a4/4b3n/p3p3p/2p3p2/6P2/P1P1P3P/C1N1B1N2/4A4/2r1KABR1 w - - 2 20",
        moves: &[],
    },
    Place {
        name: "in an opening",
        fen: "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2",
        moves: &[],
    },
];

/// The same for Othello: both sides to move, a pass that the program has to make, and
/// a pass of either side that it has to be in step with.
pub(super) const OTHELLO: [Place; 5] = [
    Place {
        name: "at the usual start",
        fen: "",
        moves: &[],
    },
    Place {
        name: "after f5d6c3",
        fen: "",
        moves: &["f5", "d6", "c3"],
    },
    Place {
        name: "where it has to pass",
        fen: "",
        moves: &["c4", "c3", "f5", "b4", "a4", "a5", "c2", "a3"],
    },
    Place {
        name: "after a pass of black's",
        fen: "",
        moves: &["c4", "c3", "f5", "b4", "a4", "a5", "c2", "a3", "pass"],
    },
    Place {
        name: "after a pass of white's",
        fen: "",
        moves: &[
            "f5", "d6", "c3", "g5", "g6", "g7", "h5", "e3", "h7", "b2", "g8", "pass",
        ],
    },
];

/// The same for Go block capture: both sides to move, a pass, and a ko.
pub(super) const GO: [Place; 5] = [
    Place {
        name: "at the usual start",
        fen: "",
        moves: &[],
    },
    Place {
        name: "after the attacker's first move",
        fen: "",
        moves: &["D5"],
    },
    Place {
        name: "after a pass of the defender's",
        fen: "",
        moves: &["D5", "pass"],
    },
    Place {
        name: "where a ko cannot be taken back",
        fen: "...../.XO../X.XO./.XO../..... O C3 -",
        moves: &["B3"],
    },
    Place {
        name: "in a ladder",
        fen: "......./......./..X..../.XO..../.X...../......./....... X C4 -",
        moves: &["D4"],
    },
];

impl Place {
    /// The game up to there.
    pub(super) fn line<P: Position>(&self) -> Line<P> {
        let start = match self.fen {
            "" => P::initial(),
            // A test reads them all.
            fen => P::from_fen(fen).unwrap_or_else(|_| P::initial()),
        };
        let mut line = Line::new(start);
        for text in self.moves {
            if let Ok(mv) = line.position().parse_move(text) {
                line.play(mv);
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MoveList, Side};
    use crate::games::othello::{Othello, PASS};
    use crate::games::xiangqi::Xiangqi;

    #[test]
    fn the_positions_are_what_they_are_called() {
        let [_, moved, few, check, opening] = XIANGQI.each_ref().map(Place::line::<Xiangqi>);
        assert_eq!(moved.len(), 3);
        assert_eq!(few.position().to_fen(), XIANGQI[2].fen);
        assert_eq!(few.position().count_legal_moves(), 2);
        assert_eq!(check.position().to_fen(), XIANGQI[3].fen);
        assert!(check.position().in_check());
        assert_eq!(opening.position().to_fen(), XIANGQI[4].fen);
        assert_eq!(opening.position().side_to_move(), Side::Second);
    }

    #[test]
    fn every_answer_names_both_home_ranks_somewhere() {
        // Or a program could answer all of them with ranks that count otherwise.
        let all_name = |place: &Place, rank: char| {
            let line = place.line::<Xiangqi>();
            let mut moves = MoveList::new();
            line.position().legal_moves(&mut moves);
            moves
                .iter()
                .all(|&mv| Xiangqi::move_text(mv).contains(rank))
        };
        assert!(all_name(&XIANGQI[2], '9') && all_name(&XIANGQI[3], '0'));
    }

    #[test]
    fn the_passes_of_othello_are_where_they_are_said_to_be() {
        let lines = OTHELLO.each_ref().map(Place::line::<Othello>);
        for (place, line) in OTHELLO.iter().zip(&lines) {
            assert_eq!(line.len(), place.moves.len(), "{}", place.name);
        }
        assert!(lines[2].position().is_legal(PASS));
        let turns = [1, 3, 4].map(|index: usize| lines[index].position().side_to_move());
        assert_eq!(turns, [Side::Second, Side::Second, Side::First]);
    }
}
