//! Games of Xiangqi in the formats of other programs: XQF and DhtmlXQ.

mod dhtml;
mod xqf;

pub use dhtml::DhtmlReader;
pub use xqf::XqfReader;

use crate::forms::FORMATS;
use crate::{Square, card};
use leitai_game::card::Rules;
use leitai_interchange::pgn::{Game, ResultDoubt, Tags, half_points, result_text};
use leitai_interchange::{Damage, GameLocation, OpenReader, OwnFormat, shown};

/// The readers of the formats.
pub const OWN_FORMATS: [OwnFormat; 2] = [
    OwnFormat {
        form: &FORMATS[0],
        reader: OpenReader::Bytes(|bytes| Box::new(XqfReader::new(bytes))),
        write: None,
    },
    OwnFormat {
        form: &FORMATS[1],
        reader: OpenReader::Text(|lines| Box::new(DhtmlReader::new(lines))),
        write: None,
    },
];

/// The pieces of a side in the order of both formats: the home rank, the cannons, the pawns. Red's
/// come before Black's.
const PIECES: &[u8; 16] = b"RNBAKABNRCCPPPPP";

/// A game as stored in its file, before replay.
struct UnplayedGame<'a> {
    location: GameLocation<'a>,
    /// The squares of the 32 pieces; `None` for the usual start.
    pieces: Option<[Option<Square>; 2 * PIECES.len()]>,
    /// True if Black begins in a game without moves.
    black_begins: bool,
    moves: Vec<(Square, Square)>,
    /// Names of tags and their values; empty ones are left out.
    tags: Vec<(&'static str, String)>,
    /// The result in the words of the file.
    result: String,
}

impl UnplayedGame<'_> {
    /// Replays the game, with verdicts by `rules`.
    fn read(&self, rules: Rules) -> Result<Game, Damage> {
        let card = card();
        let start = match &self.pieces {
            None => card.initial(),
            Some(pieces) => {
                let text = self.board(pieces)?;
                card.read(&text).map_err(|error| {
                    let problem = format!("the board is not a position: {}", error.reason);
                    self.location
                        .damage(None, problem, format!("correct the board: `{text}`"))
                })?
            }
        };
        let mut tags = Tags::of(card);
        tags.push("Game", card.facts().pgn.game);
        for (name, value) in &self.tags {
            if !value.trim().is_empty() {
                tags.push(name, value);
            }
        }
        let result = self.result.trim();
        let points = half_points(result);
        let is_unknown = points.is_none() && !UNKNOWN.contains(&result);
        tags.push(
            "Result",
            if is_unknown {
                result
            } else {
                result_text(points)
            },
        );
        let mut game = Game::new(&*start, tags, rules);
        (game.number, game.line) = (self.location.game, self.location.line);
        game.points = points;
        game.doubt = is_unknown.then_some(ResultDoubt::Unknown);
        for (from, to) in &self.moves {
            let position = game.play.position();
            let word = format!("{from}{to}");
            let moves = position.read_word(&word).map_err(|problem| {
                let ply = Some(game.play.len() + 1);
                self.location
                    .damage(ply, shown(&problem), position.suggest_moves(&word))
            })?;
            for mv in moves {
                game.play(mv);
            }
        }
        Ok(game)
    }

    /// The text of a position with these pieces. The side of the first move begins.
    fn board(&self, pieces: &[Option<Square>; 2 * PIECES.len()]) -> Result<String, Damage> {
        let mut board = [b'1'; Square::COUNT];
        let letters = PIECES.iter().copied();
        let letters = letters
            .clone()
            .chain(letters.map(|it| it.to_ascii_lowercase()));
        for (square, letter) in pieces.iter().zip(letters) {
            let Some(square) = square else { continue };
            if std::mem::replace(&mut board[square.index()], letter) != b'1' {
                let help = "a square holds one piece".to_owned();
                return Err(self.location.damage(
                    None,
                    format!("two pieces are on {square}"),
                    help,
                ));
            }
        }
        let first = self.moves.first().map(|(from, _)| board[from.index()]);
        let black = match first {
            Some(piece) if piece != b'1' => piece.is_ascii_lowercase(),
            _ => self.black_begins,
        };
        let rows = board.chunks(9).rev().map(String::from_utf8_lossy);
        let rows: Vec<_> = rows.collect();
        Ok(format!(
            "{} {}",
            rows.join("/"),
            if black { 'b' } else { 'w' }
        ))
    }
}

/// Words for a result that is not known.
const UNKNOWN: [&str; 5] = ["", "*", "?", "未知", "不明"];
