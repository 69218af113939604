//! Openings of a book that lead into each other: what is played from one may be
//! played from the other, and their pairs are one piece of evidence.

use std::collections::BTreeSet;

use super::Book;
use crate::card::KeyPlaces;

/// Positions that are looked at before replies to replies are left out: some
/// seconds.
const MOST_POSITIONS: u64 = 20_000_000;

/// How the openings of a book lead into each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leads {
    /// Places in the book of an opening and of another that it leads to, in order.
    pub found: Vec<[usize; 2]>,
    /// Within so many plies, 0 to 2; for openings whose moves are known, in any
    /// number.
    pub plies: usize,
}

impl Leads {
    /// Those of `book`, up to the symmetries of the game.
    pub fn of(book: &Book) -> Self {
        Self::within(book, MOST_POSITIONS)
    }

    /// The same, looking no further than at so many positions.
    pub fn within(book: &Book, most: u64) -> Self {
        let openings = || book.openings.iter().enumerate();
        let places: KeyPlaces = openings()
            .flat_map(|(place, opening)| {
                let keys = opening.position().image_keys();
                keys.into_iter().map(move |key| (key, place))
            })
            .collect();
        let (mut moves, mut replies) = (0, 0);
        for (_, opening) in openings() {
            // A large book is not read for nothing.
            if moves > most {
                break;
            }
            let more = opening.position().count_legal_moves() as u64;
            (moves, replies) = (moves + more, replies + more * more);
        }
        let plies = usize::from(moves <= most) + usize::from(replies <= most);
        let mut found = BTreeSet::new();
        let mut passed = 0;
        for (place, opening) in openings() {
            if plies > 0 {
                opening.position().keys_below(plies, &mut |key| {
                    let there = places.get(key);
                    if let Some(other) = there.filter(|&other| other != place) {
                        found.insert([place, other]);
                    }
                });
            }
            let Some(moves) = opening.moves.as_deref().filter(|_| passed <= most) else {
                continue;
            };
            passed += moves.len() as u64;
            let mut position = opening.card().initial();
            for &mv in moves {
                if let Some(other) = places.get(position.key())
                    && other != place
                {
                    found.insert([other, place]);
                }
                position.play(mv);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_lead_into_each_other_are_found() {
        // Three plies of one line and an opening apart, as positions.
        let mut text = String::new();
        let mut position = crate::games::xiangqi::card().initial();
        for mv in ["h2e2", "h9g7", "h0g2"] {
            position.play(position.parse_move(mv).unwrap());
            text.extend([&position.to_fen(), "\n"]);
        }
        let mut other = crate::games::xiangqi::card().initial();
        for mv in ["c3c4", "g6g5"] {
            other.play(other.parse_move(mv).unwrap());
        }
        text.extend([&other.to_fen(), "\n"]);
        let leads = Leads::of(&Book::parse(crate::games::xiangqi::card(), &text, "book").unwrap());
        // The last of them leads to the first too: both sides may go back.
        assert_eq!(leads.found, [[0, 1], [0, 2], [1, 2], [2, 0]]);
        assert_eq!((leads.openings(), leads.plies), (3, 2));
        // As moves, however far apart.
        let book = Book::parse(
            crate::games::othello::card(),
            "f5d6c3\nf5d6c3d3c4f4\nf5f6e6f4\n",
            "book",
        )
        .unwrap();
        assert_eq!(Leads::of(&book).found, [[0, 1]]);
    }
}
