//! Openings that have been played before, a little further on.

use std::collections::HashSet;

use super::Book;
use super::random::{Stream, below, generator};
use crate::card::AnyPosition;

/// Random plies after an opening: one of each side.
const PLIES: usize = 2;
/// How often other plies are drawn where the game would be over, or a check.
const DRAWS: usize = 16;

/// The position two random plies after `opening`, for pair number `pair` of a run
/// with that `seed`: whoever goes through a book for the second time would otherwise
/// see the same games again, and take them for news. The opening itself if nothing
/// that is drawn leaves a game to be played.
pub fn varied(opening: &dyn AnyPosition, seed: u64, pair: u64) -> Box<dyn AnyPosition> {
    let (index, purpose) = (pair, 1);
    let mut random = generator(seed, Stream::Pair { index, purpose });
    for _ in 0..DRAWS {
        let mut line = opening.card().line(opening);
        for _ in 0..PLIES {
            let moves = line.position().moves();
            if moves.is_empty() {
                break;
            }
            line.play(moves[below(&mut random, moves.len() as u64) as usize]);
        }
        let position = line.position();
        let is_game = position.count_legal_moves() > 0 && !position.is_dead();
        if is_game && !position.in_check() {
            // The line so far is not history: the game begins here.
            return position.boxed();
        }
    }
    opening.boxed()
}

/// At how many positions, up to the symmetries of the board, games can begin that begin
/// from an opening of the book or where [`varied`] leads from one: pairs beyond so many
/// are no news. Counted up to `most`.
pub fn different_starts(book: &Book, most: u64) -> u64 {
    let mut starts = HashSet::new();
    for opening in &book.openings {
        if starts.len() as u64 >= most {
            break;
        }
        starts.insert(opening.meeting_key());
        let start = opening.position();
        let side = start.side_to_move();
        start.below(PLIES, &mut |position| {
            if position.side_to_move() == side && !position.in_check() {
                starts.insert(position.meeting_key());
            }
        });
    }
    most.min(starts.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::GameCard;

    fn are_many(card: &'static dyn GameCard) {
        let opening = card.initial();
        let found: HashSet<u64> = (0..500)
            .map(|pair| varied(&*opening, 3, pair).key())
            .collect();
        assert!(found.len() > 30, "{}: {}", card.name(), found.len());
        for pair in 0..20 {
            let position = varied(&*opening, 3, pair);
            assert_eq!(position, varied(&*opening, 3, pair));
            assert_eq!(position.side_to_move(), opening.side_to_move());
            assert_eq!(card.read(&position.to_fen()).unwrap(), position);
        }
    }

    #[test]
    fn variations_are_many_and_each_is_always_the_same() {
        are_many(crate::games::xiangqi::card());
        // Four first moves and three answers, up to what can be told apart.
        let card = crate::games::othello::card();
        let opening =
            card.read("---------------------------OX------XO--------------------------- X");
        let opening = opening.expect("the usual start");
        assert_eq!(opening, card.initial());
        let found: HashSet<u64> = (0..500)
            .map(|pair| varied(&*opening, 3, pair).key())
            .collect();
        assert_eq!(found.len(), 12);
        // The opening, and three of the twelve up to symmetry.
        let book = Book::initial(crate::games::othello::card());
        assert_eq!(different_starts(&book, 100), 4);
        assert_eq!(different_starts(&book, 2), 2);
        let line = |position: &dyn AnyPosition| position.to_fen() + "\n";
        let mut next = opening.clone();
        next.play(opening.parse_move("f5").expect("a move"));
        next.play(next.parse_move("d6").expect("a move"));
        let text = line(&*opening) + &line(&*next);
        let book = Book::parse(crate::games::othello::card(), &text, "book").expect("a book");
        let alone =
            Book::parse(crate::games::othello::card(), &line(&*next), "book").expect("a book");
        let all = different_starts(&book, 1000);
        assert_eq!(all, 3 + different_starts(&alone, 1000));
    }

    #[test]
    fn a_finished_game_stays_as_it_is() {
        let full = format!("{} X", "X".repeat(64));
        let full = crate::games::othello::card()
            .read(&full)
            .expect("a position");
        assert_eq!(varied(&*full, 1, 1), full);
    }
}
