//! The Chinese notation: `炮二平五`, `马８进７`, `前车退六`.
//!
//! Four characters: the piece, its file, 进 forward, 退 back or 平 across, and a number (see
//! [`MoveDescription::value`]); Red's numbers in Chinese numerals, Black's in full-width digits.
//! Written in simplified characters by the rules of
//! <https://www.xqbase.com/protocol/cchess_move.htm> (section 4):
//!
//! * For two on one file, 前 (front) or 后 (rear) before the piece replaces the file. Advisors and
//!   elephants keep the file.
//! * For three pawns on one file, 前, 中 and 后.
//! * For four or five, 一 to 五 from the front.
//! * If two files hold two or more pawns each, 一 to 五 through both, the right one first, each from
//!   front to rear. These numerals are Chinese for Black too, since they replace 前 and 后: `一卒平５`.
//!
//! The reader also accepts traditional characters; numerals of either kind for either side; 上 and 下
//! for 进 and 退; the place after the piece (`车前平三`); and, with stacks on two files, the place
//! together with the file, with or without the piece: `前兵九平八`, `前九平八` (Chinese Wikipedia, 象棋).

use super::super::Kind;
use super::move_description::{Description, Direction, MoveDescription, Place, Selector};
use leitai_game::Side;

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The text of a move of `side`.
pub(super) fn write(account: MoveDescription, side: Side) -> String {
    let numbers = match side {
        Side::First => NUMERALS,
        Side::Second => DIGITS,
    };
    let number = |value: u8| numbers[usize::from(value) - 1];
    let name = names(account.kind)[side.index()];
    let direction = match account.direction {
        Direction::Forward => '进',
        Direction::Back => '退',
        Direction::Across => '平',
    };
    let (first, second) = if account.needs_place() {
        (place(account), name)
    } else {
        (name, number(account.file))
    };
    [first, second, direction, number(account.value)]
        .into_iter()
        .collect()
}

fn place(account: MoveDescription) -> char {
    if account.stacks > 1 || account.stack > 3 {
        NUMERALS[usize::from(account.ordinal)]
    } else if account.index == 0 {
        '前'
    } else if account.index + 1 == account.stack {
        '后'
    } else {
        '中'
    }
}

/// The names of a kind for Red and for Black.
const fn names(kind: Kind) -> [char; 2] {
    match kind {
        Kind::King => ['帅', '将'],
        Kind::Advisor => ['仕', '士'],
        Kind::Elephant => ['相', '象'],
        Kind::Horse => ['马', '马'],
        Kind::Rook => ['车', '车'],
        Kind::Cannon => ['炮', '炮'],
        Kind::Pawn => ['兵', '卒'],
    }
}

/// Reads a move whose digits are already ASCII.
pub(super) fn parse(text: &str) -> Option<Description> {
    let mut letters = text.chars().rev();
    let value = digit(letters.next()?)?;
    let direction = match letters.next()? {
        '进' | '進' | '上' => Direction::Forward,
        '退' | '下' => Direction::Back,
        '平' => Direction::Across,
        _ => return None,
    };
    let third = letters.next()?;
    let second = letters.next()?;
    let (kind, which) = match letters.next() {
        None => piece(second, third)?,
        Some(first) => (
            kind(second)?,
            Selector::AtOn(named_place(first)?, digit(third)?),
        ),
    };
    letters.next().is_none().then_some(Description {
        kind,
        which,
        direction,
        value,
    })
}

/// The piece, from the two characters before the direction.
fn piece(first: char, second: char) -> Option<(Kind, Selector)> {
    if let Some(kind) = kind(first) {
        let which = match digit(second) {
            Some(file) => Selector::On(file),
            None => Selector::At(named_place(second)?),
        };
        return Some((kind, which));
    }
    match (named_place(first), kind(second)) {
        (Some(place), Some(kind)) => Some((kind, Selector::At(place))),
        (Some(place), None) => Some((Kind::Pawn, Selector::AtOn(place, digit(second)?))),
        (None, Some(kind)) => Some((kind, Selector::Ordinal(digit(first)? - 1))),
        (None, None) => None,
    }
}

fn named_place(letter: char) -> Option<Place> {
    match letter {
        '前' => Some(Place::Front),
        '中' => Some(Place::Middle),
        '后' | '後' => Some(Place::Rear),
        _ => None,
    }
}

fn digit(letter: char) -> Option<u8> {
    let value = match letter {
        '1'..='9' => letter as u8 - b'0',
        _ => 1 + NUMERALS.iter().position(|&numeral| numeral == letter)? as u8,
    };
    Some(value)
}

/// The kind of a character of either side, simplified or traditional.
fn kind(letter: char) -> Option<Kind> {
    match letter {
        '帅' | '帥' | '将' | '將' => Some(Kind::King),
        '仕' | '士' => Some(Kind::Advisor),
        '相' | '象' => Some(Kind::Elephant),
        '马' | '馬' | '傌' => Some(Kind::Horse),
        '车' | '車' | '俥' | '\u{f902}' => Some(Kind::Rook),
        '炮' | '砲' | '包' => Some(Kind::Cannon),
        '兵' | '卒' => Some(Kind::Pawn),
        _ => None,
    }
}
