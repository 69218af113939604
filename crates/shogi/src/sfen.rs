//! Positions as SFEN, the text of the Universal Shogi Interface.
//!
//! `lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1`: the ranks from the top with
//! Black's pieces as capitals, the side to move (`b` is Black), the pieces in hand, and the number
//! of the next move.

use std::fmt::Write as _;

use leitai_game::{PositionError, Side};

use super::board::Shogi;
use super::generate::dead_ranks;
use super::piece::{Kind, Piece};
use super::square::Square;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The usual start.
pub(crate) fn start() -> Shogi {
    read(START).expect("a position")
}

/// The order of kinds in a hand.
const HAND: [Kind; 7] = [
    Kind::Rook,
    Kind::Bishop,
    Kind::Gold,
    Kind::Silver,
    Kind::Knight,
    Kind::Lance,
    Kind::Pawn,
];

/// Reads a position that the rules allow.
pub(crate) fn parse(text: &str) -> Result<Shogi, PositionError> {
    read(text).map_err(|reason| PositionError::new(text, reason))
}

fn read(text: &str) -> Result<Shogi, String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let (board, side, hands, number) = match fields[..] {
        [board, side, hands] => (board, side, hands, "1"),
        [board, side, hands, number] => (board, side, hands, number),
        _ => {
            return Err(format!(
                "{} fields instead of 4: the ranks, the side to move, the hands and the move number",
                fields.len()
            ));
        }
    };
    let pieces = read_board(board)?;
    let side = match side {
        "b" => Side::First,
        "w" => Side::Second,
        _ => return Err("the side to move is not `b` or `w`".to_owned()),
    };
    let hands = read_hands(hands)?;
    let number: u16 = number
        .parse()
        .ok()
        .filter(|it| *it > 0)
        .ok_or("the move number is not from 1 to 65535")?;
    check_numbers(&pieces, hands)?;
    let position = Shogi::of(pieces, hands, side, number);
    check_pieces(&position)?;
    Ok(position)
}

fn read_board(text: &str) -> Result<Vec<(Square, Piece)>, String> {
    let mut pieces = Vec::new();
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 9 {
        return Err(format!("{} ranks instead of 9", ranks.len()));
    }
    for (rank, text) in ranks.into_iter().enumerate() {
        let mut column = 0;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if let Some(empty @ 1..=9) = letter.to_digit(10) {
                column += empty as usize;
                continue;
            }
            let promotes = letter == '+';
            let letter = if promotes {
                letters.next()
            } else {
                Some(letter)
            };
            let kind = letter.and_then(Kind::from_letter);
            let kind = if promotes {
                kind.and_then(Kind::promoted)
            } else {
                kind
            };
            let (Some(kind), Some(letter)) = (kind, letter) else {
                return Err(format!("rank {} has a letter of no piece", rank + 1));
            };
            let side = Side::BOTH[usize::from(letter.is_ascii_lowercase())];
            if column < 9 {
                pieces.push((Square::new(8 - column, rank), Piece { side, kind }));
            }
            column += 1;
        }
        if column != 9 {
            return Err(format!("rank {} has {column} squares", rank + 1));
        }
    }
    Ok(pieces)
}

fn read_hands(text: &str) -> Result<[[u8; 7]; 2], String> {
    let mut hands = [[0_u8; 7]; 2];
    if text == "-" {
        return Ok(hands);
    }
    let mut number = None;
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            let most: u8 = number.unwrap_or(0);
            number = Some(most.saturating_mul(10).saturating_add(digit as u8));
            continue;
        }
        let kind = Kind::from_letter(letter).filter(|kind| *kind != Kind::King);
        let kind = kind.ok_or("the hands have a letter of no piece")?;
        let side = usize::from(letter.is_ascii_lowercase());
        let count = &mut hands[side][kind as usize];
        if *count > 0 || number == Some(0) {
            return Err("the hands have a kind twice, or none of it".to_owned());
        }
        *count = number.take().unwrap_or(1);
    }
    if text.is_empty() || number.is_some() {
        return Err("the hands do not end with a piece".to_owned());
    }
    Ok(hands)
}

fn check_numbers(pieces: &[(Square, Piece)], hands: [[u8; 7]; 2]) -> Result<(), String> {
    for (kind, most) in Kind::IN_HAND.into_iter().zip(Kind::NUMBERS) {
        let on_board = pieces.iter().filter(|(_, it)| it.kind.base() == kind);
        let in_hands: usize = hands
            .iter()
            .map(|hand| usize::from(hand[kind as usize]))
            .sum();
        let count = on_board.count() + in_hands;
        if count > usize::from(most) {
            return Err(format!(
                "{count} of the pieces `{}`, and a set has {most}",
                kind.letter()
            ));
        }
    }
    for side in Side::BOTH {
        let king = Piece {
            side,
            kind: Kind::King,
        };
        if pieces.iter().filter(|(_, it)| *it == king).count() != 1 {
            return Err("each side needs one king".to_owned());
        }
    }
    Ok(())
}

fn check_pieces(position: &Shogi) -> Result<(), String> {
    for side in Side::BOTH {
        for kind in [Kind::Pawn, Kind::Lance, Kind::Knight] {
            if !(position.pieces(side, kind) & dead_ranks(side, kind)).is_empty() {
                return Err(format!("a `{}` can never move", kind.letter()));
            }
        }
        let mut files = [0; 9];
        for pawn in position.pieces(side, Kind::Pawn) {
            files[pawn.file()] += 1;
        }
        if files.iter().any(|count| *count > 1) {
            return Err("two pawns of a side are on one file".to_owned());
        }
    }
    if !position.checkers_of(position.turn().other()).is_empty() {
        return Err("the side that is not to move is in check".to_owned());
    }
    Ok(())
}

/// Writes a position.
pub(crate) fn write(position: &Shogi) -> String {
    let mut text = String::with_capacity(80);
    for rank in 0..9 {
        if rank > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for file in (0..9).rev() {
            let Some(piece) = position.piece_on(Square::new(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                let _ = write!(text, "{empty}");
                empty = 0;
            }
            if piece.kind.is_promoted() {
                text.push('+');
            }
            text.push(letter_of(piece.side, piece.kind));
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
    }
    text.push_str([" b ", " w "][position.turn().index()]);
    let before = text.len();
    for side in Side::BOTH {
        for kind in HAND {
            match position.hand(side)[kind as usize] {
                0 => {}
                1 => text.push(letter_of(side, kind)),
                count => {
                    let _ = write!(text, "{count}{}", letter_of(side, kind));
                }
            }
        }
    }
    if text.len() == before {
        text.push('-');
    }
    let _ = write!(text, " {}", position.number());
    text
}

fn letter_of(side: Side, kind: Kind) -> char {
    match side {
        Side::First => kind.letter(),
        Side::Second => kind.letter().to_ascii_lowercase(),
    }
}
