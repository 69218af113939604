//! Games as PGN text: reading in bounded memory, and writing.
//!
//! ```
//! use leitai::pgn::{read, read_all};
//!
//! let text = "[Event \"Example\"]\n[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 2. Ke2 { bold } 1/2-1/2\n";
//! let chess = leitai::games::chess::card();
//! let games = read_all(text.as_bytes(), chess)?;
//! assert_eq!(games[0].moves, ["e2e4", "e7e5", "e1e2"]);
//! assert_eq!(games[0].half_points, Some(1));
//! assert_eq!(games[0].tag("White"), Some("a"));
//!
//! // One after the other, with a damaged game among them.
//! let mut damaged = 0;
//! read(text.replace("Ke2", "Ke4").as_bytes(), chess, |game| damaged += u64::from(game.is_err()))?;
//! assert_eq!(damaged, 1);
//! # Ok::<(), leitai::pgn::PgnError>(())
//! ```

use std::fmt;
use std::io::BufRead;
use std::num::NonZeroUsize;

use leitai_game::Verdict;
use leitai_game::card::{GameCard, GameChoice, Games};
use leitai_interchange::pgn::PgnReader;
use leitai_interchange::{Damage, Lines, TextError};

#[doc(inline)]
pub use leitai_interchange::pgn::{
    MoveComment, Movetext, PgnEnding, PgnGame, PgnPlayer, PgnTags, movetext,
};

/// A game of a file. All moves are legal.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadGame {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line where it begins, from 1.
    pub line: u64,
    /// Its tags, in their order.
    pub tags: Vec<(String, String)>,
    /// The position at its start.
    pub start: String,
    /// Its moves, in the game's own notation.
    pub moves: Vec<String>,
    /// Half points of the side that opens the game, by the recorded result: 2 for a win, 1 for a
    /// draw, 0 for a loss; `None` without a result.
    pub half_points: Option<u8>,
    /// The end by the rules of the game; `None` if it ended otherwise, such as by resignation.
    pub verdict: Option<Verdict>,
}

impl ReadGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find_map(|(tag, value)| (tag == name).then_some(value.as_str()))
    }

    fn of(game: &leitai_interchange::pgn::Game) -> Self {
        let card = game.play.position().card();
        let moves = game.play.moves().into_iter();
        let tags = game.tags.iter();
        Self {
            number: game.number,
            line: game.line,
            tags: tags
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            start: game.play.start().to_fen(),
            moves: moves.map(|mv| card.move_text(mv)).collect(),
            half_points: game.points,
            verdict: game.verdict.map(|(_, verdict)| verdict),
        }
    }
}

/// Passes each game of a text to `take`, in the order of the text; a game that cannot be read is an
/// error, and the others follow. Memory does not grow with the text.
///
/// # Errors
/// The text cannot be read.
pub fn read(
    text: impl BufRead,
    game: &'static dyn GameCard,
    mut take: impl FnMut(Result<ReadGame, PgnError>),
) -> Result<(), PgnError> {
    let games: Games = [game].into_iter().collect();
    let choice = GameChoice::usual(game);
    let mut reader = PgnReader::new(Lines::new(text, "the text"), &games);
    let read = reader.read(
        NonZeroUsize::MIN,
        |raw| leitai_interchange::pgn::Game::read(raw, "the text", &choice),
        |before, game| {
            take(
                game.map_err(|damage| PgnError::of(&damage, before))
                    .map(|mut game| {
                        game.number += before;
                        ReadGame::of(&game)
                    }),
            );
            Ok::<_, TextError>(())
        },
    );
    read.map_err(|error| PgnError {
        line: None,
        message: format!("{:#}", anyhow::Error::from(error)),
    })
}

/// All games of a text.
///
/// # Errors
/// The text or one of its games cannot be read.
pub fn read_all(
    text: impl BufRead,
    game: &'static dyn GameCard,
) -> Result<Vec<ReadGame>, PgnError> {
    let mut all = Vec::new();
    read(text, game, |game| all.push(game))?;
    all.into_iter().collect()
}

/// A text or a game that cannot be read: the place, the problem and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    line: Option<u64>,
    message: String,
}

impl PgnError {
    /// The line, from 1; `None` if the text as a whole cannot be read.
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    fn of(damage: &Damage, before: u64) -> Self {
        let mut damage = damage.clone();
        damage.game = damage.game.map(|number| number + before);
        Self {
            line: Some(damage.line),
            message: damage.to_string(),
        }
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for PgnError {}
