//! Openings that have been played before, a little further on.

use super::random::{Stream, below, generator};
use crate::game::{Line, MoveList, Position};

/// Random plies after an opening: one of each side.
const PLIES: usize = 2;
/// How often other plies are drawn where the game would be over, or a check.
const DRAWS: usize = 16;

/// The position two random plies after `opening`, for pair number `pair` of a run
/// with that `seed`: whoever goes through a book for the second time would otherwise
/// see the same games again, and take them for news. The opening itself if nothing
/// that is drawn leaves a game to be played.
pub fn varied<P: Position>(opening: &P, seed: u64, pair: u64) -> P {
    let (index, purpose) = (pair, 1);
    let mut random = generator(seed, Stream::Pair { index, purpose });
    for _ in 0..DRAWS {
        let mut line = Line::new(opening.clone());
        for _ in 0..PLIES {
            let mut moves = MoveList::new();
            line.position().legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            line.play(moves[below(&mut random, moves.len() as u64) as usize]);
        }
        let position = line.position();
        let is_game = position.count_legal_moves() > 0 && !position.is_dead();
        if is_game && !position.in_check() {
            // The line so far is not history: the game begins here.
            return position.clone();
        }
    }
    opening.clone()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::othello::Othello;
    use crate::game::xiangqi::Xiangqi;

    fn are_many<P: Position>() {
        let opening = P::initial();
        let found: HashSet<u64> = (0..500)
            .map(|pair| varied(&opening, 3, pair).key())
            .collect();
        assert!(found.len() > 30, "{}: {}", P::NAME, found.len());
        for pair in 0..20 {
            let position = varied(&opening, 3, pair);
            assert_eq!(position, varied(&opening, 3, pair));
            assert_eq!(position.side_to_move(), opening.side_to_move());
            assert_eq!(P::from_fen(&position.to_fen()), Ok(position));
        }
    }

    #[test]
    fn variations_are_many_and_each_is_always_the_same() {
        are_many::<Xiangqi>();
        // Four first moves and three answers, up to what can be told apart.
        let opening =
            Othello::from_fen("---------------------------OX------XO--------------------------- X");
        let opening = opening.expect("the usual start");
        assert_eq!(opening, Othello::initial());
        let found: HashSet<u64> = (0..500)
            .map(|pair| varied(&opening, 3, pair).key())
            .collect();
        assert_eq!(found.len(), 12);
    }

    #[test]
    fn a_finished_game_stays_as_it_is() {
        let full = format!("{} X", "X".repeat(64));
        let full = Othello::from_fen(&full).expect("a position");
        assert_eq!(varied(&full, 1, 1), full);
    }
}
