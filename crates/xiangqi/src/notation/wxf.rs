//! The World Xiangqi Federation's notation: `C2=5`, `H8+7`, `R+=3`, `15+1`.
//!
//! Four characters: the piece (`K A E H R C P`), its file, `+` forward, `-` back or `=` across, and
//! a number (see [`MoveDescription::value`]).
//!
//! * For two on one file, `+` (front) or `-` (rear) replaces the file: `R+=3`. Advisors and
//!   elephants keep the file.
//! * If a file holds three or more pawns, or two files hold two or more each, every pawn of those
//!   files is written by its number from the front and its file, without the letter: `15+1` is the
//!   foremost pawn of file 5. This is the rule of the World Xiangqi Rules of 2018, as quoted in
//!   <https://github.com/fairy-stockfish/Fairy-Stockfish/issues/395>, and the output of
//!   Fairy-Stockfish.
//!
//! The reader also accepts the letters `B` and `N`; any case; `.` for `=`; the sign before the
//! piece (`+R=3`); the file where only one of two on it can make the move (`R9-2`); and two older
//! rules for pawns. The federation's rule of 1997
//! (<http://www.wxf.org/xq/computer/wxf_notation.html>): `P+ P3 P-` in a stack of three on file 3,
//! `++ P+ P3 P- --` in one of five (of four without the middle), `3+ 3-` with stacks on two files.
//! Its `33` for the middle one of three is not supported, as it now means the third on file 3. The
//! rule of <https://www.xqbase.com/protocol/cchess_move.htm>: `Pa` to `Pe` for all stacked pawns,
//! the files from right to left and each from front to rear.

use super::super::Kind;
use super::move_description::{Description, Direction, MoveDescription, Place, Selector};

/// The text of a move.
pub(super) fn write(account: MoveDescription) -> String {
    let MoveDescription { file, value, .. } = account;
    let letter = match account.kind {
        Kind::Elephant => 'E',
        Kind::Horse => 'H',
        other => other.letter(),
    };
    let sign = match account.direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Across => '=',
    };
    if !account.needs_place() {
        return format!("{letter}{file}{sign}{value}");
    }
    if account.stack > 2 || account.stacks > 1 {
        return format!("{}{file}{sign}{value}", account.index + 1);
    }
    let place = if account.index == 0 { '+' } else { '-' };
    format!("{letter}{place}{sign}{value}")
}

/// Reads a move in ASCII.
pub(super) fn parse(text: &str) -> Option<Description> {
    let &[first, second, sign, number] = text.as_bytes() else {
        return None;
    };
    let (kind, which) = piece(first, second)?;
    Some(Description {
        kind,
        which,
        direction: direction(sign)?,
        value: digit(number)?,
    })
}

/// The piece, from the first two characters.
fn piece(first: u8, second: u8) -> Option<(Kind, Selector)> {
    let which = match (digit(first), digit(second)) {
        (Some(count), Some(file)) => Selector::AtOn(Place::Index(count - 1), file),
        (Some(file), None) => Selector::AtOn(inner_place(second)?, file),
        (None, Some(file)) => return Some((kind(first)?, Selector::On(file))),
        (None, None) => return lettered(first, second),
    };
    Some((Kind::Pawn, which))
}

/// The piece, from two characters without a digit.
fn lettered(first: u8, second: u8) -> Option<(Kind, Selector)> {
    match (first, second.to_ascii_lowercase()) {
        (b'+', b'+') => Some((Kind::Pawn, Selector::At(Place::Front))),
        (b'-', b'-') => Some((Kind::Pawn, Selector::At(Place::Rear))),
        (b'+' | b'-', _) => Some((kind(second)?, Selector::At(inner_place(first)?))),
        (b'p' | b'P', letter @ b'a'..=b'e') => Some((Kind::Pawn, Selector::Ordinal(letter - b'a'))),
        _ => Some((kind(first)?, Selector::At(inner_place(second)?))),
    }
}

fn kind(letter: u8) -> Option<Kind> {
    Kind::from_letter(char::from(letter))
}

/// The inner place for `+`, for `-`, and for the sign of the middle.
fn inner_place(sign: u8) -> Option<Place> {
    direction(sign).map(|direction| match direction {
        Direction::Forward => Place::InnerFront,
        Direction::Back => Place::InnerRear,
        Direction::Across => Place::Middle,
    })
}

fn direction(sign: u8) -> Option<Direction> {
    match sign {
        b'+' => Some(Direction::Forward),
        b'-' => Some(Direction::Back),
        b'=' | b'.' => Some(Direction::Across),
        _ => None,
    }
}

fn digit(letter: u8) -> Option<u8> {
    matches!(letter, b'1'..=b'9').then(|| letter - b'0')
}
