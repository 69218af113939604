//! Games as PGN text: reading in bounded memory, and writing.
//!
//! ```
//! use leitai::pgn::{PgnGame, read, read_all, write};
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
//!
//! let mut game = PgnGame::new(["e2e4", "c7c5"]);
//! game.tags = vec![("White".to_owned(), "mine".to_owned())];
//! assert!(write(&game, chess)?.ends_with("\n1. e4 c5 *\n"));
//! # Ok::<(), leitai::pgn::PgnError>(())
//! ```

use std::fmt;
use std::io::BufRead;
use std::num::NonZeroUsize;

use leitai_base::foreign::shown;
use leitai_game::Side;
use leitai_game::card::{GameCard, GameChoice, Games, Tags};
use leitai_interchange::pgn::{Game as Replayed, PgnReader, pgn_text};
use leitai_interchange::{Damage, Lines, TextError};

#[doc(inline)]
pub use leitai_interchange::pgn::{MoveComment, PgnGame};
#[doc(inline)]
pub use leitai_interchange::{NumberedLines, ReadStated, StatedGame, TextFormat};

/// Passes each game of a text to `take`, in the order of the text; a game that cannot be read is an
/// error, and the others follow. Memory does not grow with the text. Variations, clocks and comments
/// other than scores are left out. A text without games has none, and is no error.
///
/// # Errors
/// The text cannot be read.
pub fn read(
    text: impl BufRead,
    game: &'static dyn GameCard,
    mut take: impl FnMut(Result<PgnGame, PgnError>),
) -> Result<(), PgnError> {
    let games: Games = [game].into_iter().collect();
    let choice = GameChoice::usual(game);
    let mut reader = PgnReader::new(Lines::new(text, "the text"), &games);
    let read = reader.read(
        NonZeroUsize::MIN,
        |raw| Replayed::read(raw, "the text", &choice),
        |before, game| {
            take(
                game.map_err(|damage| PgnError::of(&damage, before))
                    .map(|mut game| {
                        game.number += before;
                        PgnGame::of(&game)
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
pub fn read_all(text: impl BufRead, game: &'static dyn GameCard) -> Result<Vec<PgnGame>, PgnError> {
    let mut all = Vec::new();
    read(text, game, |game| all.push(game))?;
    all.into_iter().collect()
}

/// A game as PGN text with a line break at the end, in the game's first notation: `1. e4 c5 *`. A
/// blank line separates games. The tags `Result`, `FEN` and `PlyCount` are those of the game.
///
/// # Errors
/// The start or a move cannot be read, a result is not 0, 1 or 2 or not that of the rules, or the
/// name of a tag is not made of letters, digits and `_`.
pub fn write(game: &PgnGame, card: &'static dyn GameCard) -> Result<String, PgnError> {
    let problem = |message: String| PgnError {
        line: None,
        message,
    };
    let mut tags = Tags::of(card);
    for (name, value) in &game.tags {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_letter) {
            let name = shown(name);
            return Err(problem(format!("`{name}` is not the name of a tag")));
        }
        tags.push(name, value);
    }
    if let Some(points) = game.half_points.filter(|points| *points > 2) {
        let text = format!("a result of {points} half points: only 0, 1 and 2 exist");
        return Err(problem(text));
    }
    let start = game.start.as_deref().map(|start| card.read(start));
    let start = start.unwrap_or_else(|| Ok(card.initial()));
    let start = start.map_err(|error| problem(error.to_string()))?;
    let mut written = Replayed::new(&*start, tags, card.rules());
    for (number, text) in (1..).zip(&game.moves) {
        let mv = written.play.position().parse_move(text);
        written.play(mv.map_err(|error| problem(format!("move {number}: {error}")))?);
    }
    written.searched.clone_from(&game.comments);
    for comment in &mut written.searched {
        comment.seconds = comment.seconds.filter(|it| it.is_finite() && *it >= 0.0);
    }
    let verdict = written.verdict.map(|(_, verdict)| verdict);
    let by_rules = verdict.map(|verdict| verdict.half_points(Side::First));
    if let (Some(points), Some(by_rules)) = (game.half_points, by_rules)
        && points != by_rules
    {
        let text = format!("a result of {points} half points: by the rules it is {by_rules}");
        return Err(problem(text));
    }
    written.points = game.half_points.or(by_rules);
    Ok(pgn_text(&written, 0))
}

/// A text or a game that cannot be read or written: the place, the problem and the remedy.
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
