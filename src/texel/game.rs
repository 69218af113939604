//! Games of any source in one form.

use sha2::{Digest, Sha256};

use crate::card::AnyPosition;
use crate::game::{Cause, Move, Side};
use crate::interchange::pgn;
use crate::play::GameRecord;

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The position that it began from.
    pub start: Box<dyn AnyPosition>,
    /// The moves.
    pub moves: Vec<Move>,
    /// What each mover thought of its position, in its own units; may be
    /// shorter than the moves. Only mates are looked at.
    pub scores: Vec<Option<i16>>,
    /// Half points of the side that usually moves first (Red): 0 to 2.
    pub half_points: u8,
    /// Why it ended, if that is known.
    pub cause: Option<Cause>,
}

impl Game {
    /// A game of our own, begun from `opening`.
    pub fn from_record(opening: &dyn AnyPosition, record: &GameRecord) -> Self {
        Self {
            start: opening.boxed(),
            moves: record.plies.iter().map(|ply| ply.mv).collect(),
            scores: record.plies.iter().map(|ply| ply.score).collect(),
            half_points: record.verdict.half_points(Side::First),
            cause: Some(record.verdict.cause),
        }
    }

    /// A game of any program, up to the referee's verdict if it gives one;
    /// `None` without a result, and where the recorded result is not the
    /// referee's.
    pub fn from_pgn(game: &pgn::Game) -> Option<Self> {
        if game.agrees() == Some(false) {
            return None;
        }
        let end = game.play.len() - game.played_on();
        Some(Self {
            start: game.play.start().boxed(),
            moves: game.play.moves().into_iter().take(end).collect(),
            scores: Vec::new(),
            half_points: game.points?,
            cause: game.verdict.map(|(_, verdict)| verdict.cause),
        })
    }

    /// A 64-bit hash of the start and the moves, the same as
    /// [`GameRecord::transcript_hash`].
    pub fn hash(&self) -> u64 {
        let mut hasher = Sha256::new();
        hasher.update(self.start.key().to_le_bytes());
        for mv in &self.moves {
            hasher.update(mv.0.to_le_bytes());
        }
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hasher.finalize()[..8]);
        u64::from_le_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Card;
    use crate::game::Verdict;
    use crate::games::xiangqi::Xiangqi;
    use crate::interchange::pgn::Tags;
    use crate::play::Ply;

    fn moves(texts: &str) -> Vec<Move> {
        let mut position = Card::<Xiangqi>::get().initial();
        let play = |text: &str| {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            mv
        };
        texts.split(' ').map(play).collect()
    }

    #[test]
    fn records_keep_what_matters() {
        let plies = moves("h2e2 h9g7 b2d2").into_iter();
        let plies = plies.map(|mv| Ply {
            mv,
            score: Some(7),
            depth: 1,
            nodes: 2,
        });
        let record = GameRecord {
            first: 0,
            second: 1,
            plies: plies.collect(),
            verdict: Verdict::win(Side::Second, Cause::Resignation),
        };
        let start = Card::<Xiangqi>::get().initial();
        let game = Game::from_record(&*start, &record);
        assert_eq!(game.hash(), record.transcript_hash(&*start));
        assert_eq!(
            (game.half_points, game.cause),
            (0, Some(Cause::Resignation))
        );
        assert_eq!((game.moves.len(), game.scores.len()), (3, 3));
    }

    #[test]
    fn games_of_others_end_with_the_referee() {
        let card = Card::<Xiangqi>::get();
        let mut read = pgn::Game::new(&*card.initial(), Tags::default(), card.rules());
        // The same position for the third time after eight plies.
        for mv in moves("b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9 h2e2") {
            read.play(mv);
        }
        assert_eq!(Game::from_pgn(&read), None);
        read.points = Some(1);
        let game = Game::from_pgn(&read).unwrap();
        assert_eq!(game.moves.len(), 8);
        assert_eq!(game.cause, Some(Cause::Repetition));
        read.points = Some(2);
        assert_eq!(Game::from_pgn(&read), None);
    }
}
