//! Positions as text: FEN, X-FEN and Shredder-FEN.

use std::fmt::Write as _;

use cozy_chess::{Board, Color, FenParseError, File, Piece, Rank, Square};

use super::board::{Chess, en_passant_square};
use super::view;
use leitai_game::{PositionError, View, fen_rows};

/// Reads a position: board, side to move, castling rights, en passant square, plies since the last
/// capture or pawn move, move number. Missing fields at the end are `-`, 0 and 1.
///
/// Castling rights are `KQkq`, for the outermost rook on that side of the king (X-FEN), or the
/// files of the rooks, `HAha` (Shredder-FEN).
pub(super) fn parse(text: &str) -> Result<Chess, PositionError> {
    read(text).map_err(|reason| PositionError::new(text, reason).showing(shown(text)))
}

fn read(text: &str) -> Result<Chess, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (board, side) = match fields[..] {
        [] => return Err("no position".to_owned()),
        [_] => return Err("no side to move, `w` or `b`".to_owned()),
        [_, _, _, _, _, _, more, ..] => {
            return Err(format!("`{more}` beyond the number of the move"));
        }
        [board, side, ..] => (board, side),
    };
    let rows = rows(board)?;
    check_rows(&rows)?;
    if !matches!(side, "w" | "b") {
        return Err(format!("`{side}` in place of the side to move, `w` or `b`"));
    }
    let field = |place: usize, usual| fields.get(place).copied().unwrap_or(usual);
    let clock = number(
        field(4, "0"),
        "plies since the last capture or move of a pawn",
    )?;
    let number = number(field(5, "1"), "number of the move")?.max(1);
    let rights = rights(&rows, field(2, "-"))?;
    let plain = format!("{board} {side} {rights} {} 0 1", field(3, "-"));
    let board = Board::from_fen(&plain, true).map_err(|error| reason(error, side))?;
    Ok(Chess::of(board, clock, number))
}

/// The letters of the eight ranks, from the top, `.` on empty squares.
pub(super) type Rows = [[u8; File::NUM]; Rank::NUM];

fn rows(board: &str) -> Result<Rows, String> {
    let mut rows = [[b'.'; File::NUM]; Rank::NUM];
    let mut count = 0;
    for text in board.split('/') {
        let row = row(text)?;
        if let Some(place) = rows.get_mut(count) {
            *place = row;
        }
        count += 1;
    }
    if count != Rank::NUM {
        return Err(format!("{count} ranks in place of 8"));
    }
    Ok(rows)
}

fn row(text: &str) -> Result<[u8; File::NUM], String> {
    let mut row = [b'.'; File::NUM];
    let mut length = 0;
    for letter in text.chars() {
        match letter {
            '1'..='8' => length += usize::from(letter as u8 - b'0'),
            'P' | 'N' | 'B' | 'R' | 'Q' | 'K' | 'p' | 'n' | 'b' | 'r' | 'q' | 'k' => {
                if let Some(square) = row.get_mut(length) {
                    *square = letter as u8;
                }
                length += 1;
            }
            other => return Err(format!("`{other}` on the board")),
        }
        if length > File::NUM {
            return Err(format!("more than 8 squares in the rank `{text}`"));
        }
    }
    if length < File::NUM {
        return Err(format!("{length} squares in the rank `{text}`"));
    }
    Ok(row)
}

/// Checks the numbers of pieces, the distance of the kings and the ranks of pawns.
fn check_rows(rows: &Rows) -> Result<(), String> {
    for (name, king, pawn) in [("white", b'K', b'P'), ("black", b'k', b'p')] {
        let (mut kings, mut pawns, mut pieces) = (0, 0, 0);
        for &letter in rows.as_flattened() {
            kings += usize::from(letter == king);
            pawns += usize::from(letter == pawn);
            let is_own = letter.is_ascii_uppercase() == king.is_ascii_uppercase();
            pieces += usize::from(letter != b'.' && is_own);
        }
        match (kings, pawns, pieces) {
            (1, 0..=8, 0..=16) => {}
            (1, 0..=8, pieces) => return Err(format!("{pieces} {name} pieces, more than 16")),
            (1, pawns, _) => return Err(format!("{pawns} {name} pawns, more than 8")),
            (kings, ..) => return Err(format!("{kings} {name} kings in place of one")),
        }
    }
    let king = |letter: u8| {
        let mut squares = rows.as_flattened().iter();
        let at = squares.position(|&it| it == letter).unwrap_or_default();
        (at / File::NUM, at % File::NUM)
    };
    let ((y, x), (v, u)) = (king(b'K'), king(b'k'));
    if x.abs_diff(u) <= 1 && y.abs_diff(v) <= 1 {
        return Err("the kings are adjacent".to_owned());
    }
    let mut ends = rows[0].iter().chain(&rows[7]);
    if ends.any(|it| matches!(it, b'P' | b'p')) {
        return Err("a pawn on the first or the last rank".to_owned());
    }
    Ok(())
}

fn number(text: &str, what: &str) -> Result<u16, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number);
    number.ok_or_else(|| format!("`{text}` in place of the {what}, 0 to {}", u16::MAX))
}

/// Castling rights by the files of the rooks.
fn rights(rows: &Rows, text: &str) -> Result<String, String> {
    if text == "-" {
        return Ok(text.to_owned());
    }
    let mut rights = String::new();
    for letter in text.chars() {
        let (row, king, rook) = if letter.is_ascii_uppercase() {
            (&rows[7], b'K', b'R')
        } else {
            (&rows[0], b'k', b'r')
        };
        let none = || format!("no king and rook for castling by `{letter}`");
        let king = row.iter().position(|&it| it == king).ok_or_else(none)?;
        let mut files = row.iter().enumerate().filter(|&(_, &it)| it == rook);
        let file = match letter.to_ascii_lowercase() {
            'k' => files.rfind(|&(file, _)| file > king),
            'q' => files.find(|&(file, _)| file < king),
            of @ 'a'..='h' => files.find(|&(file, _)| file == usize::from(of as u8 - b'a')),
            _ => return Err(format!("`{letter}` among the castling rights")),
        };
        let (file, _) = file.ok_or_else(none)?;
        let file = char::from(b'a' + file as u8);
        rights.push(if letter.is_ascii_uppercase() {
            file.to_ascii_uppercase()
        } else {
            file
        });
    }
    Ok(rights)
}

fn reason(error: FenParseError, side: &str) -> String {
    match error {
        FenParseError::InvalidBoard => match side {
            "w" => "black is in check and white to move, or three pieces give check".to_owned(),
            _ => "white is in check and black to move, or three pieces give check".to_owned(),
        },
        FenParseError::InvalidCastlingRights => "repeated or impossible castling rights".to_owned(),
        FenParseError::InvalidEnPassant => {
            "no pawn can have passed the square of en passant".to_owned()
        }
        other => other.to_string().trim_end_matches('.').to_lowercase(),
    }
}

/// The board described by a text, if it describes one.
fn shown(text: &str) -> Option<View> {
    let mut fields = text.split_whitespace();
    let rows = rows(fields.next()?).ok()?;
    let to_move = fields.next().and_then(|side| side.parse().ok());
    let to_move = to_move.unwrap_or(Color::White);
    Some(view::of_rows(&rows, to_move))
}

/// The position in X-FEN, which uses file letters only for rooks that are not the outermost.
pub(super) fn write(position: &Chess) -> String {
    with_rights(position, |board, color, file, short| {
        let row =
            board.colored_pieces(color, Piece::Rook) & Rank::First.relative_to(color).bitboard();
        let beyond = |rook: Square| {
            if short {
                rook.file() > file
            } else {
                rook.file() < file
            }
        };
        match row.into_iter().any(beyond) {
            true => char::from(file),
            false if short => 'k',
            false => 'q',
        }
    })
}

/// The position in Shredder-FEN, with the files of the rooks instead of `KQkq`.
pub(super) fn shredder(position: &Chess) -> String {
    with_rights(position, |_, _, file, _| file.into())
}

fn with_rights(position: &Chess, letter: impl Fn(&Board, Color, File, bool) -> char) -> String {
    let board = &position.board;
    let letter_at = |square| {
        let is_white = board.colors(Color::White).has(square);
        Some(piece_letter(board.piece_on(square)?, is_white))
    };
    let row = |&rank| File::ALL.map(|file| letter_at(Square::new(file, rank)));
    let mut text = fen_rows(Rank::ALL.iter().rev().map(row));
    text.push_str(match board.side_to_move() {
        Color::White => " w ",
        Color::Black => " b ",
    });
    let before = text.len();
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        for (file, short) in [(rights.short, true), (rights.long, false)] {
            if let Some(file) = file {
                let letter = letter(board, color, file, short);
                text.push(match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                });
            }
        }
    }
    if text.len() == before {
        text.push('-');
    }
    let _ = match position.passed {
        None => write!(text, " -"),
        Some(file) => write!(text, " {}", en_passant_square(board, file)),
    };
    let _ = write!(text, " {} {}", position.clock, position.number);
    text
}

/// The letter of a piece: a capital for White's.
pub(super) fn piece_letter(piece: Piece, is_white: bool) -> char {
    let letter = char::from(piece);
    if is_white {
        letter.to_ascii_uppercase()
    } else {
        letter
    }
}
