//! Games of any source in one format.

use leitai_game::card::AnyPosition;
use leitai_game::{Cause, Move, Side};
use leitai_players::play::{GameRecord, transcript_hash};

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The start position.
    pub start: Box<dyn AnyPosition>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The score that each mover reported for its position, in its own units; may be shorter than
    /// the moves.
    pub scores: Vec<Option<i16>>,
    /// Half points of the side that usually moves first (Red): 0 to 2.
    pub half_points: u8,
    /// The cause of the end, if known.
    pub cause: Option<Cause>,
}

impl Game {
    /// A recorded game, which began from `opening`.
    pub fn from_record(opening: &dyn AnyPosition, record: &GameRecord) -> Self {
        Self {
            start: opening.boxed(),
            moves: record.plies.iter().map(|ply| ply.mv).collect(),
            scores: record.plies.iter().map(|ply| ply.score).collect(),
            half_points: record.verdict.half_points(Side::First),
            cause: Some(record.verdict.cause),
        }
    }

    /// A 64-bit hash of the start and the moves, equal to [`GameRecord::transcript_hash`].
    pub fn hash(&self) -> u64 {
        transcript_hash(&*self.start, self.moves.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::Verdict;

    use leitai_players::play::Ply;

    fn moves(texts: &str) -> Vec<Move> {
        let mut position = leitai_xiangqi::card().initial();
        let play = |text: &str| {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            mv
        };
        texts.split(' ').map(play).collect()
    }

    #[test]
    fn records_keep_their_results() {
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
            drawn_by: None,
            times: leitai_players::play::MoveTimes::default(),
            pv_warnings: Vec::new(),
        };
        let start = leitai_xiangqi::card().initial();
        let game = Game::from_record(&*start, &record);
        assert_eq!(game.hash(), record.transcript_hash(&*start));
        assert_eq!(
            (game.half_points, game.cause),
            (0, Some(Cause::Resignation))
        );
        assert_eq!((game.moves.len(), game.scores.len()), (3, 3));
    }
}
