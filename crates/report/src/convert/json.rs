//! A game or a position as one line of JSON.

use leitai_interchange::pgn::{Game, MoveComment, Tags, result_text};
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use leitai_game::{Cause, Verdict};
use leitai_interchange::positions::EpdPosition;

/// A game.
#[derive(Clone, Debug, Serialize)]
pub struct GameRow<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Number of the game in it, from 1.
    pub game: u64,
    /// Its line in the file; `None` if it comes from a record.
    pub line: Option<u64>,
    /// Name of the kind of game.
    pub variant: &'static str,
    /// Its tags, in their order.
    #[serde(serialize_with = "tag_map")]
    pub tags: &'a Tags,
    /// The position before the first move.
    pub fen: String,
    /// The moves in coordinates.
    pub moves: Vec<String>,
    /// Search data of the moves, for a game of our own.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub searched: &'a [MoveComment],
    /// The number of moves.
    pub plies: usize,
    /// The recorded result, the first mover's first: `1-0`, `0-1`, `1/2-1/2`, `*`.
    pub result: &'static str,
    /// The referee's first verdict, if it has one.
    pub verdict: Option<VerdictRow>,
    /// True if result and verdict agree; `None` if one of them is missing.
    pub agrees: Option<bool>,
    /// The first mover's margin in a game that is over on the board, if the game has margins
    /// (Othello: discs).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The position after the last move.
    pub final_fen: String,
}

/// A verdict.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct VerdictRow {
    /// The result, the first mover's first.
    pub result: &'static str,
    /// The cause.
    pub cause: Cause,
    /// Number of plies before it.
    pub ply: usize,
}

impl<'a> GameRow<'a> {
    /// The row of a game in the given file.
    pub fn new(file: &'a str, game: &'a Game) -> Self {
        let card = game.play.start().card();
        let moves = game.play.moves().into_iter();
        Self {
            file,
            game: game.number,
            line: (game.line > 0).then_some(game.line),
            variant: card.name(),
            tags: &game.tags,
            fen: game.play.start().to_fen(),
            moves: moves.map(|mv| card.move_text(mv)).collect(),
            searched: &game.searched,
            plies: game.play.len(),
            result: result_text(game.points),
            verdict: game.verdict.map(|(ply, verdict)| VerdictRow {
                result: verdict.result_text(),
                cause: verdict.cause,
                ply,
            }),
            agrees: game.agrees(),
            score: game.margin(),
            final_fen: game.play.position().to_fen(),
        }
    }
}

/// Serializes tags; of equal names the first counts.
fn tag_map<S: Serializer>(tags: &Tags, serializer: S) -> Result<S::Ok, S::Error> {
    let mut unique: Vec<(&str, &str)> = Vec::new();
    for (name, value) in tags.iter() {
        if !unique.iter().any(|(other, _)| *other == name) {
            unique.push((name, value));
        }
    }
    serializer.collect_map(unique)
}

/// A position of an EPD file.
#[derive(Clone, Debug, Serialize)]
pub struct PositionRow<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Number of its line.
    pub line: u64,
    /// Name of the game.
    pub variant: &'static str,
    /// The position.
    pub fen: String,
    /// The number of legal moves.
    pub legal_moves: usize,
    /// The cause of the end, if no move is legal.
    pub over: Option<Cause>,
    /// Scores of moves from OBF, in discs of the side to move.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, f64>,
    /// The operands of each operation, strings without their quotes.
    pub operations: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> PositionRow<'a> {
    /// The row of a position in the given file.
    pub fn new(file: &'a str, epd: &'a EpdPosition) -> Self {
        let card = epd.position.card();
        let legal_moves = epd.position.count_legal_moves();
        let over = (legal_moves == 0).then(|| epd.position.verdict_without_moves());
        let operations = epd.operations.iter();
        let scores = epd.scores.iter();
        let scores = scores.map(|&(mv, score)| (card.move_text(mv), score));
        Self {
            file,
            line: epd.line,
            variant: card.name(),
            fen: epd.position.to_fen(),
            legal_moves,
            over: over.map(|Verdict { cause, .. }| cause),
            scores: scores.collect(),
            operations: operations
                .filter(|operation| !operation.name.contains(':'))
                .map(|operation| (operation.name.as_str(), operation.operands()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use leitai_game::eval::MATE;

    use super::*;

    #[test]
    fn unknown_data_is_null() {
        for (score, depth, nodes, row) in [
            (
                Some(41),
                9,
                5000,
                r#"{"score":41,"mate":null,"depth":9,"nodes":5000}"#,
            ),
            (
                Some(0),
                0,
                0,
                r#"{"score":0,"mate":null,"depth":null,"nodes":null}"#,
            ),
            (
                Some(4 - MATE),
                3,
                7,
                r#"{"score":null,"mate":-4,"depth":3,"nodes":7}"#,
            ),
            (
                None,
                0,
                0,
                r#"{"score":null,"mate":null,"depth":null,"nodes":null}"#,
            ),
        ] {
            let said = MoveComment::new(score, depth, nodes, None);
            assert_eq!(serde_json::to_string(&said).expect("JSON"), row);
        }
    }
}
