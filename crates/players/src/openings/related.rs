//! Detection of openings that lead into each other: games from one may transpose into games from
//! the other, so that two pairs are one piece of evidence.

use std::collections::HashSet;

use super::GeneratedOpening;
use leitai_game::card::KeyIndex;

/// Number of plies within which no opening of a suite leads into another.
const PLIES: usize = 2;

/// The openings of a suite and the positions on the way to them, by their symmetric keys.
#[derive(Debug)]
pub(super) struct Paths {
    openings: HashSet<u64>,
    on_the_way: HashSet<u64>,
    /// True if no opening may be on the way to another.
    unrelated: bool,
}

impl Paths {
    /// Collects the paths of `openings`.
    pub(super) fn of(openings: &[GeneratedOpening], unrelated: bool) -> Self {
        let mut paths = Self {
            openings: HashSet::new(),
            on_the_way: HashSet::new(),
            unrelated,
        };
        for opening in openings {
            paths.take(opening);
        }
        paths
    }

    /// Adds a new opening and, if openings must be unrelated, only one that is neither on the way
    /// to another nor after one. Returns whether it was added.
    pub(super) fn take(&mut self, opening: &GeneratedOpening) -> bool {
        let key = opening.position.symmetric_key();
        if self.openings.contains(&key) {
            return false;
        }
        if self.unrelated {
            let way = path_keys(opening);
            let is_behind = |passed: &u64| *passed == key || self.openings.contains(passed);
            if self.on_the_way.contains(&key) || way.iter().any(is_behind) {
                return false;
            }
            self.on_the_way.extend(way);
        }
        self.openings.insert(key);
        true
    }
}

/// The symmetric keys of the positions before the opening.
fn path_keys(opening: &GeneratedOpening) -> Vec<u64> {
    let start = opening.start.clone();
    let mut position = start.unwrap_or_else(|| opening.position.card().initial());
    let mut way = Vec::with_capacity(opening.moves.len());
    for &mv in &opening.moves {
        way.push(position.symmetric_key());
        position.play(mv);
    }
    way
}

/// Drops the later of any two openings if one leads into the other within [`PLIES`] plies.
pub(super) fn drop_related(openings: &mut Vec<GeneratedOpening>) {
    let images = openings.iter().enumerate().flat_map(|(place, opening)| {
        let keys = opening.position.image_keys();
        keys.into_iter().map(move |key| (key, place))
    });
    let places: KeyIndex = images.collect();
    let mut dropped = vec![false; openings.len()];
    for place in 0..openings.len() {
        openings[place].position.keys_below(PLIES, &mut |key| {
            if let Some(other) = places.get(key)
                && other != place
                && !dropped[other.min(place)]
            {
                dropped[other.max(place)] = true;
            }
        });
    }
    let mut dropped = dropped.into_iter();
    openings.retain(|_| !dropped.next().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::schedule::Book;
    use leitai_chess::Chess;
    use leitai_game::card::{Card, Game};
    use leitai_othello::Othello;
    use leitai_xiangqi::Xiangqi;

    fn generated<G: Game>(book: &str) -> Vec<GeneratedOpening> {
        let book = Book::parse(Card::<G>::get(), book, "book").unwrap();
        assert!(book.duplicates.is_empty());
        let openings = book.iter().map(Cow::into_owned);
        openings
            .map(|opening| GeneratedOpening {
                position: opening.position(),
                start: None,
                moves: opening.moves.unwrap().into_vec(),
                score: 0,
                effort: (0, 0),
            })
            .collect()
    }

    fn kept<G: Game>(book: &str) -> usize {
        let all = generated::<G>(book);
        let mut paths = Paths::of(&[], true);
        let mut kept: Vec<_> = all.into_iter().filter(|it| paths.take(it)).collect();
        drop_related(&mut kept);
        kept.len()
    }

    #[test]
    fn transposing_openings_are_dropped() {
        // After the first opening, on the way to it, mirrored.
        assert_eq!(kept::<Xiangqi>("h2e2h9g7h0g2\nh2e2h9g7\na0a1"), 2);
        assert_eq!(
            kept::<Xiangqi>("h2e2h9g7\nh2e2h9g7h0g2\nb2e2b9c7b0c2i9i8"),
            1
        );
        // Transpositions after one ply and after two.
        assert_eq!(kept::<Xiangqi>("h2e2h9g7h0g2\nh0g2h9g7i0h0i9h9"), 2);
        assert_eq!(kept::<Xiangqi>("h2e2h9g7\nh2e2b9c7h0g2h9g7"), 1);
        assert_eq!(kept::<Othello>("f5d6c3\nf5f6"), 2);
    }

    /// No book has two openings with one leading into the other.
    #[test]
    fn the_books_are_large_and_unrelated() {
        fn check<G: Game>(text: &str) {
            let all = generated::<G>(text);
            assert!(all.len() >= 10_000);
            let mut paths = Paths::of(&[], true);
            assert!(all.iter().all(|opening| paths.take(opening)));
            let keys = all.iter().zip(0..);
            let keys = keys.flat_map(|(it, number)| {
                it.position
                    .image_keys()
                    .into_iter()
                    .map(move |key| (key, number))
            });
            let places: KeyIndex = keys.collect();
            for (number, opening) in all.iter().enumerate() {
                // All openings to the second ply would take half a minute.
                let plies = if number % 50 == 0 { PLIES } else { 1 };
                opening.position.keys_below(plies, &mut |key| {
                    let other = places.get(key);
                    assert!(other.is_none_or(|other| other == number), "{number}");
                });
            }
        }
        check::<Xiangqi>(include_str!("../../../../openings/xiangqi-12000.txt"));
        check::<Chess>(include_str!("../../../../openings/chess-12000.txt"));
        check::<Othello>(include_str!("../../../../openings/othello-12000.txt"));
    }
}
