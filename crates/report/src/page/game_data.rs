//! A game as data for a browser: boards as changes per ply, so that thousands of games stay small.

use serde::Serialize;

use super::boards::{Boards, flattened};
use leitai_interchange::pgn::{Game, MoveComment, result_text};

/// A game. A cell of the board is its row from the top times the columns, plus its column.
#[derive(Debug, Serialize)]
pub struct GameData {
    pub(super) number: u64,
    pair: u64,
    /// Number of the game in its pair, from 1.
    of_pair: u64,
    /// Index of its board.
    board: usize,
    /// Indices of the first mover and the other player.
    players: [Option<usize>; 2],
    result: &'static str,
    cause: String,
    ending: String,
    opening: String,
    fen: String,
    /// The positions at the start and after each move, if they are wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fens: Vec<String>,
    /// Number of moves from the book.
    #[serde(skip_serializing_if = "is_none")]
    pub book: usize,
    /// Alternating cells and figures.
    start: Vec<i16>,
    /// The moves in each notation.
    moves: Vec<Vec<String>>,
    /// The changes of each move, as alternating cells and figures; -1 is no figure.
    changes: Vec<Vec<i16>>,
    /// Alternating cells and kinds of marks, at the start and after each move; `None` if the marks
    /// only show a piece moving from the one emptied cell to the one filled cell.
    marks: Vec<Option<Vec<i16>>>,
    /// The pieces in hand at the start and after each move, as triples of side, kind and number;
    /// `None` if they are the same as before.
    #[serde(skip_serializing_if = "has_no_hands")]
    hands: Vec<Option<Vec<u32>>>,
    /// The side to move at the start and after each move, 0 or 1.
    to_move: String,
    /// Score, depth, nodes, milliseconds and plies to mate of each move, as far as known.
    searched: Vec<Vec<Option<i64>>>,
}

impl Boards {
    /// A game of a pair, with the indices of its players. `None` if it has no board view.
    pub fn add(&mut self, game: &Game, pair: u64, players: [Option<usize>; 2]) -> Option<GameData> {
        let notations = self.game.notations.len();
        let start = game.play.start();
        let mut line = self.card.line(start);
        let view = line.view()?;
        let mut board = self.figures(&view);
        let mut hands = self.hands(&view);
        let round = game.tags.get("Round").unwrap_or_default();
        let [round, of_pair] = [0, 1].map(|at| round.split('.').nth(at)?.parse().ok());
        let figures = board.iter().copied().enumerate();
        let mut shown = GameData {
            board: self.board(&view),
            number: game.number,
            pair: round.unwrap_or(pair + 1),
            of_pair: of_pair.unwrap_or(1),
            players,
            result: result_text(game.points),
            cause: game.tags.get("Termination").unwrap_or_default().to_owned(),
            ending: game.verdict.map_or_else(String::new, |(_, verdict)| {
                (self.card.facts().ending)(verdict)
            }),
            opening: game.tags.get("Opening").unwrap_or_default().to_owned(),
            fen: start.to_fen(),
            fens: Vec::new(),
            book: 0,
            start: flattened(figures.filter(|&(_, it)| it >= 0)),
            moves: vec![Vec::with_capacity(game.play.len()); notations],
            changes: Vec::with_capacity(game.play.len()),
            marks: vec![Some(Self::marked(&view))],
            hands: vec![Some(hands.clone()).filter(|hands| !hands.is_empty())],
            to_move: self.side(&view).to_string(),
            searched: game.searched.iter().map(search_data).collect(),
        };
        if self.has_fens {
            shown.fens.push(start.to_fen());
        }
        for mv in game.play.moves() {
            let position = line.position();
            for (notation, moves) in shown.moves.iter_mut().enumerate() {
                moves.push(position.written(mv, notation));
            }
            line.play(mv);
            let view = line.view()?;
            let after = self.figures(&view);
            let both = board.iter().zip(&after).enumerate();
            let changed = both.filter(|(_, (was, is))| was != is);
            let changed = flattened(changed.map(|(cell, (_, &is))| (cell, is)));
            let marks = Self::marked(&view);
            shown
                .marks
                .push((!is_plain_move(&marks, &changed)).then_some(marks));
            shown.changes.push(changed);
            if self.has_fens {
                shown.fens.push(line.position().to_fen());
            }
            let held = self.hands(&view);
            shown.hands.push((held != hands).then(|| held.clone()));
            hands = held;
            shown.to_move.push_str(self.side(&view));
            board = after;
        }
        Some(shown)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's interface")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// Returns whether no side ever has a piece in hand.
fn has_no_hands(hands: &[Option<Vec<u32>>]) -> bool {
    hands.iter().all(Option::is_none)
}

/// Returns whether marks only show that a piece has moved from one cell to another.
fn is_plain_move(marks: &[i16], changed: &[i16]) -> bool {
    let one = |is_filled: bool| {
        let mut cells = changed.chunks(2).filter(|it| (it[1] >= 0) == is_filled);
        cells.next().filter(|_| cells.next().is_none())
    };
    match (one(false), one(true)) {
        (Some(from), Some(to)) => marks == [from[0], 0, to[0], 1],
        _ => false,
    }
}

fn search_data(searched: &MoveComment) -> Vec<Option<i64>> {
    let seconds = searched.seconds;
    let mut data = vec![
        searched.score.map(i64::from),
        Some(searched.depth.into()).filter(|&depth| depth > 0),
        i64::try_from(searched.nodes)
            .ok()
            .filter(|&nodes| nodes > 0),
        seconds.map(|seconds| (1000.0 * seconds).round() as i64),
        searched.mate,
    ];
    let known = data.iter().rposition(Option::is_some);
    data.truncate(known.map_or(0, |last| last + 1));
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_only_repeat_a_move_are_left_out() {
        assert!(is_plain_move(&[12, 0, 28, 1], &[12, -1, 28, 3]));
        assert!(is_plain_move(&[28, 0, 12, 1], &[12, 3, 28, -1]));
        // Castling, a placed disc, marks of something else.
        assert!(!is_plain_move(&[4, 0, 6, 1], &[4, -1, 5, 2, 6, 1, 7, -1]));
        assert!(!is_plain_move(&[19, 1], &[19, 1, 27, 1]));
        assert!(!is_plain_move(&[12, 2], &[12, -1, 28, 3]));
    }

    #[test]
    fn values_unknown_at_the_end_are_left_out() {
        let of = |searched| search_data(&searched);
        assert_eq!(
            of(MoveComment::new(Some(-5), 7, 100, None)),
            [Some(-5), Some(7), Some(100)]
        );
        assert_eq!(
            of(MoveComment::new(None, 0, 9, Some(0.5))),
            [None, None, Some(9), Some(500)]
        );
        assert!(of(MoveComment::new(None, 0, 0, None)).is_empty());
    }
}
