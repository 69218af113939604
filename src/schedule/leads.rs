//! Openings of a book that lead into each other: what is played from one may be
//! played from the other, and their pairs are one piece of evidence.

use std::collections::{BTreeSet, HashMap};

use super::Book;
use crate::game::{MoveList, Position};

/// Positions that are looked at before replies to replies are left out: some
/// seconds.
const MOST_POSITIONS: u64 = 20_000_000;

/// How the openings of a book lead into each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leads {
    /// Places in the book of an opening and of another that it leads to, in order.
    pub found: Vec<[usize; 2]>,
    /// Within so many plies, 1 or 2; for openings whose moves are known, in any
    /// number.
    pub plies: usize,
}

impl Leads {
    /// Those of `book`, up to the symmetries of the board where keys are.
    pub fn of<P: Position>(book: &Book<P>) -> Self {
        let openings = || book.openings.iter().enumerate();
        let places: HashMap<u64, usize> = openings()
            .map(|(place, opening)| (opening.position.meeting_key(), place))
            .collect();
        let replies = openings().map(|(_, opening)| {
            let moves = opening.position.count_legal_moves() as u64;
            moves * moves
        });
        let plies = if replies.sum::<u64>() <= MOST_POSITIONS {
            2
        } else {
            1
        };
        let mut found = BTreeSet::new();
        for (place, opening) in openings() {
            let mut position = opening.position.clone();
            below(&mut position, plies, &mut |key| {
                if let Some(&other) = places.get(&key).filter(|&&other| other != place) {
                    found.insert([place, other]);
                }
            });
            let mut position = P::initial();
            for &mv in opening.moves.iter().flatten() {
                if let Some(&other) = places.get(&position.meeting_key())
                    && other != place
                {
                    found.insert([other, place]);
                }
                position.make(mv);
            }
        }
        Self {
            found: found.into_iter().collect(),
            plies,
        }
    }

    /// How many openings lead to another or are led to.
    pub fn openings(&self) -> usize {
        self.found.iter().flatten().collect::<BTreeSet<_>>().len()
    }
}

/// Shows `see` the keys of the positions up to `plies` plies below.
fn below<P: Position>(position: &mut P, plies: usize, see: &mut impl FnMut(u64)) {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        let undo = position.make(mv);
        see(position.meeting_key());
        if plies > 1 {
            below(position, plies - 1, see);
        }
        position.unmake(mv, undo);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;
    use crate::game::xiangqi::Xiangqi;

    #[test]
    fn lines_that_lead_into_each_other_are_found() {
        // Three plies of one line and an opening apart, as positions.
        let mut text = String::new();
        let mut position = Xiangqi::initial();
        for mv in ["h2e2", "h9g7", "h0g2"] {
            position.make(position.parse_move(mv).unwrap());
            text.extend([&position.to_fen(), "\n"]);
        }
        let mut other = Xiangqi::initial();
        for mv in ["c3c4", "g6g5"] {
            other.make(other.parse_move(mv).unwrap());
        }
        text.extend([&other.to_fen(), "\n"]);
        let leads = Leads::of(&Book::<Xiangqi>::parse(&text, "book").unwrap());
        assert_eq!(leads.found, [[0, 1], [0, 2], [1, 2]]);
        assert_eq!((leads.openings(), leads.plies), (3, 2));
        // As moves, however far apart.
        let book = Book::<Othello>::parse("f5d6c3\nf5d6c3d3c4f4\nf5f6e6f4\n", "book").unwrap();
        assert_eq!(Leads::of(&book).found, [[0, 1]]);
    }
}
