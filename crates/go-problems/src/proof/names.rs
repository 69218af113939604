//! Names of points: a letter for the column, without I, and the number of the row from the bottom,
//! as in other Go programs.

use super::certificate::{Play, Spot};

const COLUMNS: &[u8; 19] = b"ABCDEFGHJKLMNOPQRST";
/// The name of a pass.
pub(super) const PASS: &str = "pass";

/// The name of a point on a board of this size.
pub(super) fn spot_name(spot: Spot, size: u8) -> String {
    let column = COLUMNS.get(usize::from(spot.col)).copied().unwrap_or(b'?');
    let row = i16::from(size) - i16::from(spot.row);
    format!("{}{row}", char::from(column))
}

/// The name of a play.
pub(super) fn play_name(play: Play, size: u8) -> String {
    match play {
        Play::Pass => PASS.to_owned(),
        Play::At(spot) => spot_name(spot, size),
    }
}

/// The point of this name on a board of this size.
pub(super) fn spot_of(name: &str, size: u8) -> Option<Spot> {
    let mut letters = name.chars();
    let letter = letters.next()?.to_ascii_uppercase();
    let digits = letters.as_str();
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let col = COLUMNS.iter().position(|&it| char::from(it) == letter)? as u8;
    let number: u8 = is_plain.then(|| digits.parse().ok()).flatten()?;
    let row = size.checked_sub(number)?;
    (col < size).then_some(Spot { col, row })
}

/// The play of this name.
pub(super) fn play_of(name: &str, size: u8) -> Option<Play> {
    if name.eq_ignore_ascii_case(PASS) {
        return Some(Play::Pass);
    }
    spot_of(name, size).map(Play::At)
}
