//! Openings of a book that lead into each other. Play from one can reach the other, so their pairs
//! are not independent.

use std::collections::BTreeSet;

use super::Book;
use leitai_game::card::KeyIndex;

/// Limit of searched positions, beyond which replies to replies are left out: some seconds.
const MAX_POSITIONS: u64 = 20_000_000;

/// Connections between the openings of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningConnections {
    /// Indices in the book of an opening and of another that it leads to, sorted.
    pub found: Vec<[usize; 2]>,
    /// Search depth in plies, 0 to 2. Openings with known moves are compared at any distance.
    pub plies: usize,
}

impl OpeningConnections {
    /// Finds the connections in `book`, up to the symmetries of the game.
    pub fn of(book: &Book) -> Self {
        Self::within(book, MAX_POSITIONS)
    }

    /// Finds the connections with a limit of `most` searched positions.
    pub fn within(book: &Book, most: u64) -> Self {
        Self::from_every(1, book, most)
    }

    /// Finds the connections from `size` openings, spread evenly over the book, to all.
    pub fn of_sample(size: usize, book: &Book, most: u64) -> Self {
        Self::from_every(book.len().div_ceil(size), book, most)
    }

    fn from_every(step: usize, book: &Book, most: u64) -> Self {
        let openings = || book.iter().enumerate();
        let (mut moves, mut replies) = (0, 0);
        let places: KeyIndex = openings()
            .flat_map(|(place, opening)| {
                let position = opening.position();
                if moves <= most && place.is_multiple_of(step) {
                    let more = position.count_legal_moves() as u64;
                    (moves, replies) = (moves + more, replies + more * more);
                }
                let keys = position.image_keys();
                keys.into_iter().map(move |key| (key, place))
            })
            .collect();
        let plies = usize::from(moves <= most) + usize::from(replies <= most);
        let mut found = BTreeSet::new();
        let mut passed = 0;
        for (place, opening) in openings().step_by(step) {
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

    /// Returns the number of openings that have a connection.
    pub fn openings(&self) -> usize {
        self.found.iter().flatten().collect::<BTreeSet<_>>().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_lead_into_each_other_are_found() {
        // As positions: three plies of one line, and an unrelated opening.
        let mut text = String::new();
        let mut position = leitai_xiangqi::card().initial();
        for mv in ["h2e2", "h9g7", "h0g2"] {
            position.play(position.parse_move(mv).unwrap());
            text.extend([&position.to_fen(), "\n"]);
        }
        let mut other = leitai_xiangqi::card().initial();
        for mv in ["c3c4", "g6g5"] {
            other.play(other.parse_move(mv).unwrap());
        }
        text.extend([&other.to_fen(), "\n"]);
        let leads =
            OpeningConnections::of(&Book::parse(leitai_xiangqi::card(), &text, "book").unwrap());
        // The last opening also leads to the first, if both sides move back.
        assert_eq!(leads.found, [[0, 1], [0, 2], [1, 2], [2, 0]]);
        assert_eq!((leads.openings(), leads.plies), (3, 2));
        // As moves, at any distance.
        let book = Book::parse(
            leitai_othello::card(),
            "f5d6c3\nf5d6c3d3c4f4\nf5f6e6f4\n",
            "book",
        )
        .unwrap();
        assert_eq!(OpeningConnections::of(&book).found, [[0, 1]]);
    }
}
