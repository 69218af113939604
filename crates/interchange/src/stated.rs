//! Games as a text format states them, which Leitai then plays and checks.

use super::pgn::{Game, ResultDoubt, result_text};
use super::{Damage, GameLocation, GameReader, Lines, TextError, shown};
use leitai_game::card::{GameCard, Rules, Tags};

/// A game as a text states it, before its moves are played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatedGame {
    /// The line where it begins, from 1.
    pub line: u64,
    /// Names and values: `Event`, `Date` and other tags of PGN, and the sides' names as tags.
    pub tags: Vec<(String, String)>,
    /// The position at its start, in the game's own text; `None` for the usual one.
    pub start: Option<String>,
    /// The words of its moves, each with its line.
    pub moves: Vec<(u64, String)>,
    /// Half points of the first side, 0 to 2; `None` without a result.
    pub half_points: Option<u8>,
    /// A result that the format does not have, in the words of the file.
    pub unknown_result: Option<String>,
    /// A problem that prevents reading the game, with its line and the remedy.
    pub problem: Option<(u64, String, String)>,
}

/// The lines of a text with their numbers, from 1.
pub struct NumberedLines<'a> {
    lines: &'a mut dyn Iterator<Item = (u64, String)>,
    /// The next line, if it has been looked at.
    next: &'a mut Option<(u64, String)>,
}

impl NumberedLines<'_> {
    /// The next line, which stays the next one: the following game may begin with it.
    pub fn peek(&mut self) -> Option<&(u64, String)> {
        if self.next.is_none() {
            *self.next = self.lines.next();
        }
        self.next.as_ref()
    }
}

impl Iterator for NumberedLines<'_> {
    type Item = (u64, String);

    fn next(&mut self) -> Option<Self::Item> {
        self.next.take().or_else(|| self.lines.next())
    }
}

/// Reads the next game of a text; `None` at its end.
pub type ReadStated = fn(&mut NumberedLines<'_>) -> Option<StatedGame>;

/// Plays the games that a function reads.
pub(super) struct StatedReader<'r> {
    pub lines: Lines<'r>,
    pub card: &'static dyn GameCard,
    pub read: ReadStated,
    pub games: u64,
    /// A line that was looked at, and begins the next game.
    pub next: Option<(u64, String)>,
}

impl GameReader for StatedReader<'_> {
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError> {
        let mut error = None;
        let mut lines = std::iter::from_fn(|| match self.lines.next_line() {
            Ok(line) => line,
            Err(problem) => {
                error = Some(problem);
                None
            }
        });
        let stated = (self.read)(&mut NumberedLines {
            lines: &mut lines,
            next: &mut self.next,
        });
        if let Some(error) = error {
            return Err(error);
        }
        let Some(stated) = stated else {
            return Ok(None);
        };
        self.games += 1;
        let location = |line: u64| GameLocation {
            name: self.lines.name(),
            line,
            game: self.games,
        };
        Ok(Some(stated.play(self.card, rules, location)))
    }

    fn name(&self) -> &str {
        self.lines.name()
    }

    fn notes(&self) -> Vec<String> {
        self.lines.notes()
    }
}

impl StatedGame {
    /// Plays the game, with verdicts by `rules`. `location` is the place of a line.
    ///
    /// # Errors
    /// The start is not a position, a move is not legal, or the text has a problem.
    #[doc(hidden)]
    pub fn play<'a>(
        &self,
        card: &'static dyn GameCard,
        rules: Rules,
        location: impl Fn(u64) -> GameLocation<'a>,
    ) -> Result<Game, Damage> {
        if let Some((line, problem, help)) = &self.problem {
            return Err(location(*line).damage(None, shown(problem), shown(help)));
        }
        let start = match &self.start {
            None => card.initial(),
            Some(text) => card.read(text).map_err(|error| {
                let problem = format!("the board is not a position: {}", error.reason);
                location(self.line).damage(None, problem, format!("correct the board: `{text}`"))
            })?,
        };
        let mut tags = Tags::of(card);
        tags.push("Game", card.facts().pgn.game);
        for (name, value) in &self.tags {
            tags.push(name, value);
        }
        let result = self.unknown_result.as_deref();
        tags.push("Result", result.unwrap_or(result_text(self.half_points)));
        let mut game = Game::new(&*start, tags, rules);
        (game.number, game.line) = (location(self.line).game, self.line);
        game.points = self.half_points;
        game.doubt = result.map(|_| ResultDoubt::Unknown);
        for (line, word) in &self.moves {
            let position = game.play.position();
            let moves = position.read_word(word).map_err(|problem| {
                let ply = Some(game.play.len() + 1);
                location(*line).damage(ply, shown(&problem), position.suggest_moves(word))
            })?;
            for mv in moves {
                game.play(mv);
            }
        }
        Ok(game)
    }
}
