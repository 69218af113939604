//! Games as one word: `f5d6c3d3...`.

use std::fmt::Write as _;

use thiserror::Error;

use super::{Othello, PASS, text};
use crate::game::{Line, Move, MoveList, Position};

/// What a written transcript does with passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passes {
    /// Leave them out, as is customary. One that ends the transcript is
    /// written all the same, for nothing after it would tell that it was
    /// played.
    #[default]
    Omit,
    /// Write each as `ps`.
    Write,
}

/// A transcript that is not a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason} at ply {ply}: `{text}`")]
pub struct TranscriptError {
    /// The ply at fault, counted from 1, passes included.
    pub ply: usize,
    /// The move as written.
    pub text: String,
    /// What is wrong with it, as a lowercase fragment.
    pub reason: String,
}

/// Reads the moves played from `start`: squares in either case, passes left
/// out or written `pass`, `pa`, `ps` (any case) or `--`, blanks between moves.
/// The line has every pass that the moves after it imply; after the last move
/// none is added.
///
/// # Errors
/// Names the first ply that is not a move, or not legal where it stands.
pub fn read_transcript(start: &Othello, text: &str) -> Result<Line<Othello>, TranscriptError> {
    let mut line = Line::new(*start);
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, mv, after) = next_move(rest);
        let fail = |line: &Line<Othello>, reason: String| TranscriptError {
            ply: line.len() + 1,
            text: word.to_owned(),
            reason,
        };
        let Some(mv) = mv else {
            let reason = "neither a square nor a pass".to_owned();
            return Err(fail(&line, reason));
        };
        if mv != PASS && line.position().is_legal(PASS) {
            line.play(PASS);
        }
        if !line.position().is_legal(mv) {
            let reason = why_illegal(line.position(), mv);
            return Err(fail(&line, reason));
        }
        line.play(mv);
        rest = after.trim_start();
    }
    Ok(line)
}

/// Splits off the first move of `text`, which is not empty: the move as
/// written, what it means, if anything, and what follows.
fn next_move(text: &str) -> (&str, Option<Move>, &str) {
    for length in [4, 2] {
        if let Some((word, rest)) = text.split_at_checked(length)
            && let Some(mv) = text::read_move(word)
        {
            return (word, Some(mv), rest);
        }
    }
    let end = text.char_indices().nth(2).map_or(text.len(), |(at, _)| at);
    let (word, rest) = text.split_at(end);
    (word.trim_end(), None, rest)
}

fn why_illegal(position: &Othello, mv: Move) -> String {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mover = Othello::SIDE_NAMES[position.side_to_move().index()];
    if moves.is_empty() {
        "the game is over".to_owned()
    } else if mv == PASS {
        format!("{mover} has moves and may not pass")
    } else if is_occupied(position, mv) {
        "the square is taken".to_owned()
    } else {
        format!("{mover} turns no disc there")
    }
}

fn is_occupied(position: &Othello, mv: Move) -> bool {
    let side = position.side_to_move();
    (position.discs(side) | position.discs(side.other())) >> mv.0 & 1 != 0
}

/// Writes the moves of a line so that [`read_transcript`] reads them back
/// from the same start.
pub fn write_transcript(line: &Line<Othello>, passes: Passes) -> String {
    let mut text = String::with_capacity(2 * line.len());
    for (index, mv) in line.moves().enumerate() {
        if mv != PASS {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", text::write_move(mv));
        } else if passes == Passes::Write || index + 1 == line.len() {
            text.push_str("ps");
        }
    }
    text
}
