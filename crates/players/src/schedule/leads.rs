//! Openings of a book that lead into each other. Play from one can reach the other, so their pairs
//! are not independent.

use std::collections::HashMap;

use super::Book;
use super::source::{OpeningSource, Sample};
use leitai_game::ImageKeys;
use leitai_game::card::KeyFilter;

/// Limit of searched positions, beyond which replies to replies are left out: some seconds.
const MAX_POSITIONS: u64 = 20_000_000;

/// Connections between the openings of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningConnections {
    /// An opening and another that it leads to, sorted.
    pub found: Vec<[Connected; 2]>,
    /// Search depth in plies, 0 to 2. Openings with known moves are compared at any distance.
    pub plies: usize,
}

/// An opening that is connected to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Connected {
    /// The index in the book.
    pub index: u32,
    /// The line of the file.
    pub line: u32,
}

/// A position near an opening that may be another opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Near {
    key: u64,
    opening: Connected,
    /// True if the opening's moves pass through the position, false if it can follow the opening.
    is_before: bool,
}

impl OpeningConnections {
    /// Finds the connections in `book`, up to the symmetries of the game.
    ///
    /// # Errors
    /// The openings cannot be read.
    pub fn of<S: OpeningSource>(book: &S) -> Result<Self, S::Error> {
        Self::between(book, 1, book, MAX_POSITIONS)
    }

    /// Finds the connections with a limit of `most` searched positions.
    pub fn within(book: &Book, most: u64) -> Self {
        let Ok(found) = Self::between(book, 1, book, most);
        found
    }

    /// Finds the connections from `size` openings, spread evenly over the book, to all.
    pub fn of_sample(size: usize, book: &Book, most: u64) -> Self {
        let step = book.len().div_ceil(size);
        let Ok(found) = Self::between(&Sample { book, step }, step, book, most);
        found
    }

    /// Finds the connections from every `step`th opening of a book, which are those of `some`, to
    /// `all`.
    fn between<E>(
        some: &impl OpeningSource<Error = E>,
        step: usize,
        all: &impl OpeningSource<Error = E>,
        most: u64,
    ) -> Result<Self, E> {
        let mut openings = KeyFilter::default();
        let (mut moves, mut replies, mut known, mut place) = (0, 0, 0, 0_usize);
        all.each(
            |opening, position| {
                let known = opening.moves.as_deref().map_or(0, <[_]>::len);
                let moves = position.count_legal_moves() as u64;
                (position.image_keys(), known, moves)
            },
            |read| {
                let (keys, line, more) = read.unwrap_or_default();
                for key in keys {
                    openings.insert(key);
                }
                if moves <= most && place.is_multiple_of(step) {
                    (moves, replies) = (moves + more, replies + more * more);
                }
                known += line;
                place += 1;
            },
        )?;
        let plies = usize::from(moves <= most) + usize::from(replies <= most);
        if plies == 0 && known == 0 {
            return Ok(Self {
                found: Vec::new(),
                plies,
            });
        }
        let (mut near, mut index, mut passed) = (Vec::new(), 0, 0);
        some.each(
            |opening, position| {
                let mut near = Vec::new();
                let mut see = |key, is_before| {
                    if openings.may_hold(key) {
                        near.push((key, is_before));
                    }
                };
                if plies > 0 {
                    position.keys_below(plies, &mut |key| see(key, false));
                }
                let moves = opening.moves.as_deref().unwrap_or_default();
                let mut before = opening.card().initial();
                for &mv in moves {
                    see(before.key(), true);
                    before.play(mv);
                }
                (near, moves.len() as u64, opening.line as u32)
            },
            |read| {
                let (keys, moves, line) = read.unwrap_or_default();
                let opening = Connected { index, line };
                let counts = |&(_, is_before): &(u64, bool)| !is_before || passed <= most;
                near.extend(
                    keys.into_iter()
                        .filter(counts)
                        .map(|(key, is_before)| Near {
                            key,
                            opening,
                            is_before,
                        }),
                );
                passed += moves;
                index += step as u32;
            },
        )?;
        drop(openings);
        near.sort_unstable();
        near.dedup();
        let mut openings: HashMap<u64, Connected> = HashMap::new();
        if !near.is_empty() {
            let is_near = |key: &u64| near.binary_search_by_key(key, |it| it.key).is_ok();
            let mut index = 0;
            all.each(
                |opening, position| {
                    let keys = position.image_keys().into_iter();
                    (
                        keys.filter(is_near).collect::<ImageKeys>(),
                        opening.line as u32,
                    )
                },
                |read| {
                    let (keys, line) = read.unwrap_or_default();
                    openings.extend(keys.into_iter().map(|key| (key, Connected { index, line })));
                    index += 1;
                },
            )?;
        }
        let found = near.into_iter().filter_map(|it| {
            let other = *openings.get(&it.key)?;
            let pair = if it.is_before {
                [other, it.opening]
            } else {
                [it.opening, other]
            };
            (pair[0] != pair[1]).then_some(pair)
        });
        let mut found: Vec<[Connected; 2]> = found.collect();
        found.sort_unstable();
        found.dedup();
        Ok(Self { found, plies })
    }

    /// Returns the number of openings that have a connection.
    pub fn openings(&self) -> usize {
        let mut openings = self.found.as_flattened().to_vec();
        openings.sort_unstable();
        openings.dedup();
        openings.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(leads: &OpeningConnections) -> Vec<[u32; 2]> {
        let found = leads.found.iter();
        found.map(|pair| pair.map(|it| it.index)).collect()
    }

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
        let book = Book::parse(leitai_xiangqi::card(), &text, "book").unwrap();
        let leads = OpeningConnections::within(&book, MAX_POSITIONS);
        // The last opening also leads to the first, if both sides move back.
        assert_eq!(indices(&leads), [[0, 1], [0, 2], [1, 2], [2, 0]]);
        assert!(
            leads
                .found
                .as_flattened()
                .iter()
                .all(|it| it.line == it.index + 1)
        );
        assert_eq!((leads.openings(), leads.plies), (3, 2));
        // As moves, at any distance.
        let book = Book::parse(
            leitai_othello::card(),
            "f5d6c3\nf5d6c3d3c4f4\nf5f6e6f4\n",
            "book",
        )
        .unwrap();
        let leads = OpeningConnections::within(&book, MAX_POSITIONS);
        assert_eq!(indices(&leads), [[0, 1]]);
    }
}
