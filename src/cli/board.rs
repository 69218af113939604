//! Boards on the terminal, and lines of play from the command line.

use std::borrow::Cow;
use std::io;

use thiserror::Error;

use super::input::LARGEST;
use super::prelude::*;
use super::terminal::{eprint_coloured, has_colours, print_coloured};
use leitai_base::foreign::read_bounded;
use leitai_game::card::AnyLine;
use leitai_game::{Move, PositionError, View};
use leitai_interchange::epd::parse_epd;
use leitai_interchange::pgn::movetext;
use leitai_report::{BoardStyle, board_rows, board_text};

/// The ply and position of a move that cannot be played; the reason is the cause below it.
#[derive(Debug, Error)]
#[error("ply {ply}, at {fen}")]
struct AtPly {
    ply: usize,
    fen: String,
    board: Option<View>,
}

/// Reads a position, by default the usual start, in the forms of FEN and EPD, with the moves that
/// may follow it.
pub(crate) fn read_start(card: Card, fen: Option<&str>) -> Result<Box<dyn AnyLine>, Failure> {
    let Some(fen) = fen else {
        return Ok(card.line(&*card.initial()));
    };
    let error = match card.read(fen) {
        Ok(position) => return Ok(card.line(&*position)),
        Err(error) => error,
    };
    match parse_epd(fen, card.facts()) {
        Ok(epd) if epd.moves.is_empty() => epd.line(card).map_err(|_| error.into()),
        Ok(epd) => epd.line(card).map_err(Failure::msg),
        Err(_) => Err(error.into()),
    }
}

/// Reads a line from a position, by default the usual start, through moves in any notation of the
/// game, numbered or not.
pub(crate) fn read_line(
    card: Card,
    fen: Option<&str>,
    moves: &str,
) -> Result<Box<dyn AnyLine>, Failure> {
    let mut line = read_start(card, fen)?;
    for text in read_words(&*line, moves)? {
        line.play(read_move(&*line, &text)?);
    }
    Ok(line)
}

/// The words of moves from the command line, or from standard input for `-`; reports others.
pub(crate) fn read_words(line: &dyn AnyLine, moves: &str) -> Result<Vec<String>, Failure> {
    let moves = given_moves(moves)?;
    let read = movetext(line.position(), &moves);
    let read = read.map_err(|problem| {
        let help = "correct the moves: some would be left out";
        anyhow!("{problem}\nhelp: {help}")
    })?;
    if !read.remarks.is_empty() {
        let words = count(read.remarks.len() as u64, "word", "words");
        let list = read.remarks.iter().map(|word| format!("`{}`", shown(word)));
        let list = list.collect::<Vec<_>>().join(", ");
        eprint(&format!(
            "warning: {words} between moves passed over: {list}"
        ));
    }
    Ok(read.moves)
}

/// The text of moves from the command line, or standard input for `-`.
pub(crate) fn given_moves(moves: &str) -> Result<Cow<'_, str>, Failure> {
    if moves != "-" {
        return Ok(moves.into());
    }
    let text = read_bounded(io::stdin().lock(), LARGEST).context("cannot read standard input")?;
    Ok(String::from_utf8_lossy(&text).into_owned().into())
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
