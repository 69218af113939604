//! Games of Othello as transcripts, a line each: `f5d6c3d3...`.
//!
//! Blanks between moves are allowed, passes may be left out, and columns after the moves (names,
//! scores) are left out and counted. A game that does not begin at the usual start has the board and the side
//! before the moves. Blank lines, lines that begin with `#` or `%`, and text after a `#` are
//! ignored.

use crate::{Othello, Transcript, card, is_transcript, split_board, split_moves};
use leitai_base::count::count;
use leitai_game::card::{Game as _, Rules};
use leitai_game::{Position, check_columns};
use leitai_interchange::pgn::{Game, Tags};
use leitai_interchange::{Damage, GameLocation, GameReader, Lines, TextError, shown};

/// Reads the games of a file one by one.
#[derive(Debug)]
pub struct TranscriptReader<'r> {
    lines: Lines<'r>,
    games: u64,
    /// The number of games with columns behind the moves.
    columns: u64,
}

impl<'r> TranscriptReader<'r> {
    /// The games in `lines`.
    pub fn new(lines: Lines<'r>) -> Self {
        Self {
            lines,
            games: 0,
            columns: 0,
        }
    }
}

impl GameReader for TranscriptReader<'_> {
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError> {
        while let Some((number, line)) = self.lines.next_line()? {
            let text = line.split('#').next().unwrap_or_default().trim();
            if text.is_empty() || text.starts_with('%') {
                continue;
            }
            self.games += 1;
            let location = GameLocation {
                name: self.lines.name(),
                line: number,
                game: self.games,
            };
            let read = read(text, &location, rules);
            return Ok(Some(read.map(|(game, columns)| {
                self.columns += u64::from(columns > 0);
                game
            })));
        }
        Ok(None)
    }

    fn name(&self) -> &str {
        self.lines.name()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.lines.notes();
        if self.columns > 0 {
            let name = leitai_base::foreign::shown(self.name());
            let games = count(self.columns, "game", "games");
            notes.push(format!(
                "{name}: left out: columns behind the moves of {games}"
            ));
        }
        notes
    }
}

fn is_square(letter: u8) -> bool {
    b"XxOo*-.".contains(&letter)
}

/// The game of a line, and the number of columns behind its moves.
fn read(text: &str, location: &GameLocation<'_>, rules: Rules) -> Result<(Game, usize), Damage> {
    let (board, rest) = split_board(text).unwrap_or(("".into(), text));
    // A word of another length is not recognised as a board.
    let board = match rest.split_once(' ') {
        Some((squares, _)) if board.is_empty() && squares.bytes().all(is_square) => squares.into(),
        _ => board,
    };
    let start = if board.is_empty() {
        Othello::initial()
    } else {
        Othello::from_fen(&board).map_err(|error| {
            let help = format!("correct the board: `{}`", shown(&board));
            location.damage(None, error.reason, help)
        })?
    };
    let moves = match split_moves(rest) {
        // A board without moves.
        None if rest.is_empty() => Some((String::new(), Vec::new())),
        split => split,
    };
    let Some((moves, columns)) = moves else {
        let problem = format!("`{}` does not begin with moves", shown(rest));
        let help = "write squares from a1 to h8, such as `f5d6c3`; comments begin with `#`";
        return Err(location.damage(None, problem, help.to_owned()));
    };
    let Transcript { line, error, .. } = Transcript::read(&start, &moves);
    if let Some(error) = error {
        let help = line.position().suggest_moves(error.text.raw());
        return Err(location.damage(Some(error.ply), shown(&error.problem()), help));
    }
    check_columns(&columns, is_transcript).map_err(|problem| {
        let help = line.position().suggest_moves(columns[0]);
        location.damage(Some(line.len() + 1), problem, help)
    })?;
    let mut tags = Tags::of(card());
    tags.push("Game", Othello::NAME);
    let mut game = Game::new(&start, tags, rules);
    (game.number, game.line) = (location.game, location.line);
    for mv in line.moves() {
        game.play(mv);
    }
    game.adopt_verdict();
    Ok((game, columns.len()))
}
