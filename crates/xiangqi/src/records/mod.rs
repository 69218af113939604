//! Games of Xiangqi in the formats of other programs: XQF and DhtmlXQ.

mod dhtml;
mod xqf;

pub use dhtml::DhtmlReader;
pub use xqf::XqfReader;

use crate::forms::FORMATS;
use crate::{Square, card};
use leitai_game::card::Rules;
use leitai_interchange::pgn::{Game, half_points};
use leitai_interchange::{Damage, GameLocation, OpenReader, OwnFormat, StatedGame};

/// The readers of the formats.
pub const OWN_FORMATS: [OwnFormat; 2] = [
    OwnFormat {
        form: &FORMATS[0],
        reader: OpenReader::Bytes(|bytes| Box::new(XqfReader::new(bytes))),
        write: None,
        between: "",
    },
    OwnFormat {
        form: &FORMATS[1],
        reader: OpenReader::Text(|lines| Box::new(DhtmlReader::new(lines))),
        write: None,
        between: "",
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
        let mut game = StatedGame::default();
        game.line = self.location.line;
        let board = self.pieces.as_ref().map(|pieces| self.board(pieces));
        game.start = board.transpose()?;
        let tags = self
            .tags
            .iter()
            .filter(|(_, value)| !value.trim().is_empty());
        let tags = tags.map(|(name, value)| ((*name).to_owned(), value.clone()));
        game.tags = tags.collect();
        let result = self.result.trim();
        game.half_points = half_points(result);
        let is_unknown = game.half_points.is_none() && !UNKNOWN.contains(&result);
        game.unknown_result = is_unknown.then(|| result.to_owned());
        let moves = self.moves.iter();
        let moves = moves.map(|(from, to)| (self.location.line, format!("{from}{to}")));
        game.moves = moves.collect();
        game.play(card(), rules, |_| self.location)
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
