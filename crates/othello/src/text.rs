//! Text of positions and moves.

use std::borrow::Cow;

use super::{Othello, PASS};
use leitai_game::{Move, Position, PositionError, Side};

/// `a1` to `h8` for the squares 0..=63; `??` for other numbers.
pub fn square_name(square: usize) -> String {
    if square < 64 {
        let file = char::from(b'a' + (square % 8) as u8);
        format!("{file}{}", square / 8 + 1)
    } else {
        "??".to_owned()
    }
}

/// The square named `a1` to `h8`, in either case.
fn read_square(text: &str) -> Option<u16> {
    let &[file, row] = text.as_bytes() else {
        return None;
    };
    let file = file.to_ascii_lowercase().checked_sub(b'a')?;
    let row = row.checked_sub(b'1')?;
    (file < 8 && row < 8).then(|| u16::from(8 * row + file))
}

/// Reads a square or a pass in any notation, legal or not.
pub fn read_move(text: &str) -> Option<Move> {
    let is_pass = ["pass", "pa", "ps", "--"]
        .iter()
        .any(|form| text.eq_ignore_ascii_case(form));
    if is_pass {
        Some(PASS)
    } else {
        read_square(text).map(Move)
    }
}

/// The square's name, or `pass`.
pub(super) fn write_move(mv: Move) -> String {
    if mv == PASS {
        "pass".to_owned()
    } else {
        square_name(usize::from(mv.0))
    }
}

const NO_SIDE: &str =
    "the side to move is missing: write `X` (black) or `O` (white) behind the 64 squares";

/// The colour of a letter for a disc: `X` `*` `B` is black, `O` `W` white, in either case.
fn colour(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Side::First),
        'O' | 'o' | 'W' | 'w' => Some(Side::Second),
        _ => None,
    }
}

/// The contents of a board of the server GGS: `[8 -------- ... *]`, with or without brackets.
fn unframed(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let inner = text.strip_prefix('[').unwrap_or(text).trim_start();
    let rows = inner.strip_prefix('8')?;
    let rows = rows.strip_prefix([' ', '\t'])?.trim();
    Some(rows.strip_suffix(']').map_or(rows, str::trim_end))
}

/// Splits a line into the board and the side at its beginning, as one word each, and the rest; `None`
/// if the line does not begin with 64 squares. The side may be missing.
pub fn split_board(line: &str) -> Option<(Cow<'_, str>, &str)> {
    let line = line.trim_start();
    let rows = unframed(line).unwrap_or(line);
    let is_square = |letter: char| matches!(letter, '-' | '.') || colour(letter).is_some();
    let mut squares = rows
        .char_indices()
        .filter(|(_, letter)| !letter.is_whitespace());
    let mut last = 0;
    for _ in 0..64 {
        let (at, letter) = squares.next()?;
        if !is_square(letter) {
            return None;
        }
        last = at;
    }
    let (board, behind) = rows.split_at(last + 1);
    let behind = behind.trim_start();
    let end = behind.find(|letter: char| letter.is_whitespace() || ",;]".contains(letter));
    let (word, rest) = behind.split_at(end.unwrap_or(behind.len()));
    let mut letters = word.chars();
    let side = letters
        .next()
        .filter(|side| letters.next().is_none() && colour(*side).is_some());
    let rest = if side.is_some() { rest } else { behind };
    let rest = rest.trim_start_matches(|it: char| it.is_whitespace() || ",;]".contains(it));
    if side.is_some() && rows.len() == line.len() && board.len() == 64 {
        let length = line.len() - behind.len() + word.len();
        return Some((Cow::Borrowed(&line[..length]), rest));
    }
    let board = board.chars().filter(|letter| !letter.is_whitespace());
    let side = side.into_iter().flat_map(|side| [' ', side]);
    Some((Cow::Owned(board.chain(side).collect()), rest))
}

/// Reads the output of [`write_position`] and similar texts.
pub(super) fn read_position(text: &str) -> Result<Othello, PositionError> {
    let fail = |reason: String| PositionError::new(text, reason);
    let trimmed = text.trim();
    let body = trimmed.strip_suffix(';').unwrap_or(trimmed);
    let body = unframed(body).unwrap_or(body);
    let mut symbols: Vec<char> = body.chars().filter(|c| !c.is_whitespace()).collect();
    let side_stands_apart = body
        .split_whitespace()
        .next_back()
        .is_some_and(|word| word.chars().count() == 1);
    let side = match symbols.len() {
        64 if !side_stands_apart => return Err(fail(NO_SIDE.to_owned())),
        65 => symbols.pop(),
        _ if side_stands_apart => symbols.pop(),
        _ => None,
    };
    if symbols.len() != 64 {
        return Err(fail(format!(
            "the board has {} squares instead of 64",
            symbols.len()
        )));
    }
    let (mut black, mut white) = (0, 0);
    for (square, symbol) in symbols.into_iter().enumerate() {
        match symbol {
            '-' | '.' => {}
            _ => match colour(symbol) {
                Some(Side::First) => black |= 1 << square,
                Some(Side::Second) => white |= 1 << square,
                None => {
                    return Err(fail(format!(
                        "`{symbol}` at index {square} ({}) is none of `X`, `O`, `-`",
                        square_name(square)
                    )));
                }
            },
        }
    }
    let side = side.ok_or_else(|| fail(NO_SIDE.to_owned()))?;
    let side = colour(side)
        .ok_or_else(|| fail(format!("the side to move `{side}` is neither `X` nor `O`")))?;
    Othello::new(black, white, side).ok_or_else(|| fail("a square is both colours".to_owned()))
}

/// Writes 64 squares of `X`, `O`, `-`, a blank and the side.
pub(super) fn write_position(position: &Othello) -> String {
    let (black, white) = (position.discs(Side::First), position.discs(Side::Second));
    let symbol = |square: u32| match (black >> square & 1, white >> square & 1) {
        (0, 0) => '-',
        (0, _) => 'O',
        _ => 'X',
    };
    let side = match position.side_to_move() {
        Side::First => " X",
        Side::Second => " O",
    };
    (0..64).map(symbol).chain(side.chars()).collect()
}
