//! Keys of positions from their text, for books of millions of lines.

use cozy_chess::{Color, File};

use super::zobrist;

/// The symmetric key of the position of a line that begins with board, side to move, castling
/// rights and en passant square. `None` if one of them is in another form, moves may follow, or a
/// pawn may be taken en passant, which depends on the moves.
pub(super) fn text_key(line: &str) -> Option<u64> {
    let line = line.as_bytes();
    let (board, end) = Squares::read(line)?;
    let fields = &line[end..];
    if fields.windows(MOVES.len()).any(|word| word == MOVES) {
        return None;
    }
    let end = fields.iter().position(|&byte| byte == b';');
    let mut words = fields[..end.unwrap_or(fields.len())]
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mover = match words.next()? {
        b"w" => Color::White,
        b"b" => Color::Black,
        _ => return None,
    };
    let rights = board.rights(words.next()?)?;
    let passed = words.next()?;
    (passed == b"-" || board.is_passed_in_vain(passed, mover)?).then_some(())?;
    let side = |color: Color| u64::from(color == Color::Black) * zobrist::SIDE;
    let [own, swapped, mirrored, turned] = board.pieces;
    let key = (own ^ rights[0] ^ side(mover)).min(swapped ^ rights[1] ^ side(!mover));
    if rights[0] != 0 {
        return Some(key);
    }
    Some(key.min(mirrored ^ side(mover)).min(turned ^ side(!mover)))
}

/// The word before moves.
const MOVES: &[u8] = b"moves";

/// The kind of a byte of a board text: the number of the piece in [`IMAGES`], and the number of
/// squares.
const KINDS: [(u8, u8); 256] = {
    let mut kinds = [(EMPTY, WRONG); 256];
    let letters = b"PNBRQKpnbrqk";
    let mut piece = 0;
    while piece < 12 {
        kinds[letters[piece] as usize] = (piece as u8, 1);
        piece += 1;
    }
    let mut skipped = 1;
    while skipped <= 8 {
        kinds[b'0' as usize + skipped] = (EMPTY, skipped as u8);
        skipped += 1;
    }
    kinds[b'/' as usize] = (EMPTY, 0);
    kinds
};
/// The number of no piece.
const EMPTY: u8 = 12;
/// More squares than a board has: of a byte that belongs to no board.
const WRONG: u8 = 128;

/// The keys of pieces by the squares of a board text, a8 first: as they are, with the colours
/// swapped, mirrored left-right, and both.
static IMAGES: [[[u64; 4]; 64]; 13] = {
    let mut images = [[[0; 4]; 64]; 13];
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < 64 {
            let (color, kind) = (piece / 6, piece % 6);
            images[piece][square] = [
                zobrist::NUMBERS.pieces[color][kind][square ^ 0o70],
                zobrist::NUMBERS.pieces[1 - color][kind][square],
                zobrist::NUMBERS.pieces[color][kind][square ^ 0o77],
                zobrist::NUMBERS.pieces[1 - color][kind][square ^ 0o7],
            ];
            square += 1;
        }
        piece += 1;
    }
    images
};

/// The pieces of a board text.
struct Squares {
    /// Their letters in the order of the text, a8 first; others on empty squares.
    letters: [u8; 64],
    /// The pieces' part of the keys in [`IMAGES`].
    pieces: [u64; 4],
}

impl Squares {
    /// Reads the board before the first blank, and returns its length. No branch depends on the
    /// letters, since no processor could predict them.
    fn read(line: &[u8]) -> Option<(Self, usize)> {
        let (mut letters, mut pieces) = ([0; 64], [0; 4]);
        let (mut square, mut rows, mut wrong) = (0_usize, 0_usize, 0);
        let mut end = 0;
        for &letter in line {
            if letter == b' ' || letter == b'\t' {
                break;
            }
            let (piece, squares) = KINDS[usize::from(letter)];
            let is_end = usize::from(letter == b'/');
            rows += is_end;
            wrong |= is_end * (square ^ (8 * rows));
            let place = square % 64;
            letters[place] = letter;
            let images = &IMAGES[usize::from(piece)][place];
            for (key, image) in pieces.iter_mut().zip(images) {
                *key ^= image;
            }
            square += usize::from(squares);
            end += 1;
        }
        let board = Self { letters, pieces };
        (wrong == 0 && rows == 7 && square == 64).then_some((board, end))
    }

    /// The keys of castling rights, and of the same with the colours swapped. `None` if a king or a
    /// rook is missing.
    fn rights(&self, text: &[u8]) -> Option<[u64; 2]> {
        let mut keys = [0; 2];
        if text == b"-" {
            return Some(keys);
        }
        let mut known = [[false; 8]; 2];
        for &letter in text {
            let (color, rank, king, rook) = if letter.is_ascii_uppercase() {
                (Color::White, 56, b'K', b'R')
            } else {
                (Color::Black, 0, b'k', b'r')
            };
            let row = &self.letters[rank..rank + 8];
            let king = row.iter().position(|&it| it == king)?;
            let is_rook = |&file: &usize| row[file] == rook;
            let file = match letter.to_ascii_lowercase() {
                b'k' => (king..8).rev().find(is_rook)?,
                b'q' => (0..king).find(is_rook)?,
                of @ b'a'..=b'h' => Some(usize::from(of - b'a')).filter(is_rook)?,
                _ => return None,
            };
            if std::mem::replace(&mut known[color as usize][file], true) {
                return None;
            }
            for (key, color) in keys.iter_mut().zip([color, !color]) {
                *key ^= zobrist::right(color, File::index(file));
            }
        }
        Some(keys)
    }

    /// Returns whether no pawn of the mover is next to the pawn that has passed that square; `None`
    /// if no pawn can have passed it.
    fn is_passed_in_vain(&self, square: &[u8], mover: Color) -> Option<bool> {
        let &[file @ b'a'..=b'h', rank] = square else {
            return None;
        };
        let (passed, beside, taker) = match mover {
            Color::White => (b'6', 24, b'P'),
            Color::Black => (b'3', 32, b'p'),
        };
        let file = usize::from(file - b'a');
        let row = &self.letters[beside..beside + 8];
        let near = &row[file.saturating_sub(1)..=(file + 1).min(7)];
        (rank == passed).then(|| !near.contains(&taker))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chess;
    use leitai_game::Position;

    #[test]
    fn keys_of_texts_are_those_of_their_positions() {
        for (text, is_told) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                true,
            ),
            (
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
                true,
            ),
            (
                "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b Qk e3 0 2",
                false,
            ),
            (
                "rnbqkbnr/ppp1pppp/8/8/2p1P3/8/PPPP1PPP/RNBQKBNR b Qk e3 0 2",
                true,
            ),
            ("4k3/8/8/8/8/8/8/1R2K2R w BH -", true),
            ("1r2k1r1/8/8/8/8/8/8/4K3 b q -", true),
            ("4k3/8/8/8/8/8/8/1R2K3 b - -", true),
            ("4k3/8/8/8/8/8/8/4KR1R w F -", true),
        ] {
            let key = Chess::from_fen(text).unwrap().symmetric_key();
            let told = text_key(&format!("{text}; id \"a; b\";"));
            assert_eq!(told, is_told.then_some(key), "{text}");
        }
    }

    #[test]
    fn other_texts_have_no_key() {
        for text in [
            "",
            "e2e4 e7e5",
            "8/8/8/8/8/8/8/8",
            "4k3/8/8/8/8/8/8/4K3 w",
            "4k3/8/8/8/8/8/8/4K3 x - -",
            "4k3/8/8/8/8/8/4K3 w - -",
            "4k3/8/8/8/8/8/8/8/4K3 w - -",
            "4k4/8/8/8/8/8/8/4K3 w - -",
            "4k3/8/8/8/8/8/8/4K2 w - -",
            "4k3/8/8/8/8/8/8/4K3P w - -",
            "4k3/8/8/8/8/8/8/4K3 w K -",
            "4k3/8/8/8/8/8/8/4K2R w KH -",
            "4k3/8/8/8/8/8/8/4K2R w KX -",
            "4k3/8/8/8/8/8/8/4K3 w - e3",
            "4k3/8/8/8/8/8/8/4K3 w - i6",
        ] {
            assert_eq!(text_key(text), None, "{text}");
        }
    }
}
