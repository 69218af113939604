//! Text of positions and moves.

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

/// Reads the output of [`write_position`] and similar texts.
pub(super) fn read_position(text: &str) -> Result<Othello, PositionError> {
    let fail = |reason: String| PositionError::new(text, reason);
    let trimmed = text.trim();
    let body = trimmed.strip_suffix(';').unwrap_or(trimmed);
    let mut symbols: Vec<char> = body.chars().filter(|c| !c.is_whitespace()).collect();
    let side_stands_apart = body
        .split_whitespace()
        .next_back()
        .is_some_and(|word| word.chars().count() == 1);
    let side = match symbols.len() {
        64 if !side_stands_apart => return Err(fail("the side to move is missing".to_owned())),
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
            'X' | 'x' | '*' => black |= 1 << square,
            'O' | 'o' => white |= 1 << square,
            '-' | '.' => {}
            _ => {
                return Err(fail(format!(
                    "`{symbol}` at index {square} ({}) is none of `X`, `O`, `-`",
                    square_name(square)
                )));
            }
        }
    }
    let side = match side {
        Some('X' | 'x' | '*') => Side::First,
        Some('O' | 'o') => Side::Second,
        Some(symbol) => {
            return Err(fail(format!(
                "the side to move `{symbol}` is neither `X` nor `O`"
            )));
        }
        None => return Err(fail("the side to move is missing".to_owned())),
    };
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
