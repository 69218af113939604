//! Boards on the terminal, and lines of play from the command line.

use std::io;

use thiserror::Error;

use super::prelude::*;
use super::terminal::{eprint_coloured, has_colours, print_coloured};
use crate::card::{AnyLine, AnyPosition};
use crate::game::{Move, PositionError, View, without_number};
use crate::report::{BoardStyle, board_rows, board_text};

/// The ply and position of a move that cannot be played; the reason is the cause below it.
#[derive(Debug, Error)]
#[error("ply {ply}, at {fen}")]
struct AtPly {
    ply: usize,
    fen: String,
    board: Option<View>,
}

/// Returns the moves of a line, without the numbers of `1. e4 e5 2.Nf3`.
pub(crate) fn bare_moves(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split_whitespace().map(without_number);
    words.filter(|word| !word.is_empty())
}

/// Reads a line from a position, by default the usual start, through moves in any notation of the
/// game, numbered or not.
pub(crate) fn read_line(
    card: Card,
    fen: Option<&str>,
    moves: &str,
) -> Result<Box<dyn AnyLine>, Failure> {
    let start = match fen {
        Some(fen) => card.read(fen)?,
        None => card.initial(),
    };
    let mut line = card.line(&*start);
    for text in own_words(&*start, moves) {
        line.play(read_move(&*line, &text)?);
    }
    Ok(line)
}

/// The moves of a line, rewritten if they are all of another program's notation.
pub(crate) fn own_words(start: &dyn AnyPosition, moves: &str) -> Vec<String> {
    let card = start.card();
    let bare = || bare_moves(moves).map(str::to_owned);
    let fits = |words: &Vec<String>| {
        let mut line = card.line(start);
        let mut words = words.iter();
        words.all(|word| {
            let mv = line.position().parse_move(word);
            mv.map(|mv| line.play(mv)).is_ok()
        })
    };
    let own: Vec<String> = bare().collect();
    let dialects = card.facts().dialects.iter();
    let rewritten = dialects.map(|dialect| {
        let words = bare().map(|word| dialect(&word).unwrap_or(word));
        words.collect()
    });
    let mut all = std::iter::once(own.clone()).chain(rewritten);
    all.find(fits).unwrap_or(own)
}

/// Reads the next move of a line.
pub(crate) fn read_move(line: &dyn AnyLine, text: &str) -> Result<Move, Failure> {
    let position = line.position();
    position.parse_move(text).with_context(|| AtPly {
        ply: line.len() + 1,
        fen: position.to_fen(),
        board: line.view(),
    })
}

/// Writes a board with its description to standard output, if there is one.
pub(crate) fn print_board(board: Option<&View>, glyphs: bool) -> Result<(), Failure> {
    let colours = has_colours(&io::stdout());
    let style = BoardStyle { glyphs, colours };
    board.map_or(Ok(()), |board| print_coloured(&board_text(board, style)))
}

/// Writes the board without description, if there is one.
pub(crate) fn print_rows(board: Option<&View>) -> Result<(), Failure> {
    let style = BoardStyle::letters(has_colours(&io::stdout()));
    board.map_or(Ok(()), |board| print_coloured(&board_rows(board, style)))
}

/// Shows the board of a failure on standard error.
pub(crate) fn eprint_board(failure: &Failure) {
    let position = failure.downcast_ref::<PositionError>();
    let at_ply = failure.downcast_ref::<AtPly>();
    let board = position.and_then(|error| error.board.as_deref());
    if let Some(board) = board.or(at_ply.and_then(|at| at.board.as_ref())) {
        let style = BoardStyle::letters(has_colours(&io::stderr()));
        eprint_coloured(&board_rows(board, style));
    }
}
