//! Games as one word: `f5d6c3d3...`.

use std::fmt;

use thiserror::Error;

use super::{Othello, PASS, text};
use leitai_base::foreign::Foreign;
use leitai_game::{Line, Move, MoveList, Position, Side};

/// The reason why a move of a transcript cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveFault {
    /// The text is neither a square nor a pass.
    NoMove,
    /// The square is occupied.
    Occupied,
    /// The move flips no disc of the opponent.
    TurnsNothing(
        /// The side to move.
        Side,
    ),
    /// The side passes although it has a move.
    MayNotPass(
        /// The side to move.
        Side,
    ),
    /// The game has already ended.
    Over {
        /// Number of remaining moves, including the faulty one.
        left: usize,
    },
}

impl MoveFault {
    /// The machine-readable name.
    pub const fn name(self) -> &'static str {
        match self {
            MoveFault::NoMove => "no-move",
            MoveFault::Occupied => "occupied",
            MoveFault::TurnsNothing(_) => "turns-nothing",
            MoveFault::MayNotPass(_) => "may-not-pass",
            MoveFault::Over { .. } => "game-over",
        }
    }
}

impl fmt::Display for MoveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side: Side| Othello::SIDE_NAMES[side.index()];
        match *self {
            MoveFault::NoMove => f.write_str("neither a square nor a pass"),
            MoveFault::Occupied => f.write_str("the square is taken"),
            MoveFault::TurnsNothing(side) => write!(f, "{} turns no disc there", name(side)),
            MoveFault::MayNotPass(side) => write!(f, "{} has moves and may not pass", name(side)),
            MoveFault::Over { .. } => f.write_str("the game is over"),
        }
    }
}

/// A transcript that is not a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct TranscriptError {
    /// The faulty ply, counted from 1, including passes.
    pub ply: usize,
    /// The move as written.
    pub text: Foreign,
    /// The fault of the move.
    pub fault: MoveFault,
}

impl TranscriptError {
    /// The fault, without the ply.
    pub fn problem(&self) -> String {
        format!("{}: `{}`", self.words(), self.text)
    }

    fn words(&self) -> String {
        match self.fault {
            MoveFault::Over { left } => {
                let moves = if left == 1 { "move is" } else { "moves are" };
                let end = self.ply.saturating_sub(1);
                format!("the game ended with ply {end}, and {left} {moves} left over")
            }
            fault => fault.to_string(),
        }
    }
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ply, text, .. } = self;
        write!(f, "{} at ply {ply}: `{text}`", self.words())
    }
}

/// A transcript, played up to its first fault.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The game until the first fault, with every pass that was played.
    pub line: Line<Othello>,
    /// The plies, counted from 1, of omitted passes: the next move was possible only after a forced
    /// pass.
    pub inserted: Vec<usize>,
    /// The first fault, if any.
    pub error: Option<TranscriptError>,
}

impl Transcript {
    /// Reads the moves played from `start`: squares in either case, passes omitted or written
    /// `pass`, `pa`, `ps` (any case) or `--`, blanks between moves. Plays every pass that a move
    /// implies; adds none after the last move.
    pub fn read(start: &Othello, text: &str) -> Self {
        let mut read = Self {
            line: Line::new(*start),
            inserted: Vec::new(),
            error: None,
        };
        let mut rest = text.trim_start();
        while !rest.is_empty() && read.error.is_none() {
            let (word, mv, after) = next_move(rest);
            if let Err(fault) = read.play(mv, after) {
                read.error = Some(TranscriptError {
                    ply: read.line.len() + 1,
                    text: word.into(),
                    fault,
                });
            }
            rest = after.trim_start();
        }
        read
    }

    /// Plays a move, and before it the pass that it implies; `after` is the text behind it.
    fn play(&mut self, mv: Option<Move>, after: &str) -> Result<(), MoveFault> {
        let line = &mut self.line;
        if line.position().count_legal_moves() == 0 {
            let left = 1 + count_moves(after);
            return Err(MoveFault::Over { left });
        }
        let mv = mv.ok_or(MoveFault::NoMove)?;
        if mv != PASS && line.position().is_legal(PASS) {
            line.play(PASS);
            self.inserted.push(line.len());
        }
        if let Some(fault) = fault_of(line.position(), mv) {
            return Err(fault);
        }
        line.play(mv);
        Ok(())
    }
}

/// Reads a transcript without faults; see [`Transcript::read`].
///
/// # Errors
/// A ply is not a move, or not legal in its position; the error names the first such ply.
pub fn read_transcript(start: &Othello, text: &str) -> Result<Line<Othello>, TranscriptError> {
    let Transcript { line, error, .. } = Transcript::read(start, text);
    error.map_or(Ok(line), Err)
}

/// Splits off the first move of `text`, which is not empty: the word, its move, if valid, and the
/// rest.
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

/// The number of moves, valid or not, in the text.
fn count_moves(text: &str) -> usize {
    let (mut rest, mut count) = (text.trim_start(), 0);
    while !rest.is_empty() {
        rest = next_move(rest).2.trim_start();
        count += 1;
    }
    count
}

/// Returns whether a text consists only of one or more squares and passes, legal or not.
pub fn is_transcript(text: &str) -> bool {
    let mut rest = text.trim_start();
    let any = !rest.is_empty();
    while !rest.is_empty() {
        let (_, Some(_), after) = next_move(rest) else {
            return false;
        };
        rest = after.trim_start();
    }
    any
}

/// The reason why `mv` is illegal in the position, if it is.
fn fault_of(position: &Othello, mv: Move) -> Option<MoveFault> {
    if position.is_legal(mv) {
        return None;
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let side = position.side_to_move();
    Some(if moves.is_empty() {
        MoveFault::Over { left: 1 }
    } else if mv == PASS {
        MoveFault::MayNotPass(side)
    } else if is_occupied(position, mv) {
        MoveFault::Occupied
    } else {
        MoveFault::TurnsNothing(side)
    })
}

fn is_occupied(position: &Othello, mv: Move) -> bool {
    let side = position.side_to_move();
    let discs = position.discs(side) | position.discs(side.other());
    discs.checked_shr(u32::from(mv.0)).unwrap_or(0) & 1 != 0
}

/// Writes the moves of a line so that [`read_transcript`] reads them back from the same start.
/// Omits passes, as is customary, except at the end, where no later move implies them.
pub fn write_transcript(line: &Line<Othello>) -> String {
    let moves = line.moves().enumerate().map(|(index, mv)| match mv {
        PASS if index + 1 == line.len() => "ps".to_owned(),
        PASS => String::new(),
        mv => text::write_move(mv),
    });
    moves.collect()
}
