//! Keys of positions from their text, for books of millions of lines.

use cozy_chess::{Color, File, Piece};

use super::zobrist;

/// The symmetric key of the position of a line that begins with board, side to move, castling
/// rights and en passant square. `None` if one of them is in another form, or a pawn may be taken
/// en passant, which depends on the moves.
pub(super) fn text_key(line: &str) -> Option<u64> {
    let mut words = line.split(';').next()?.split_ascii_whitespace();
    let mut word = || words.next().map(str::as_bytes);
    let board = Squares::read(word()?)?;
    let mover = match word()? {
        b"w" => Color::White,
        b"b" => Color::Black,
        _ => return None,
    };
    let rights = board.rights(word()?)?;
    let passed = word()?;
    (passed == b"-" || board.is_passed_in_vain(passed, mover)?).then_some(())?;
    let side = |color: Color| u64::from(color == Color::Black) * zobrist::SIDE;
    let [[own, mirrored], [swapped, turned]] = board.pieces;
    let keys = [
        own ^ rights[0] ^ side(mover),
        swapped ^ rights[1] ^ side(!mover),
    ];
    let key = keys[0].min(keys[1]);
    if rights[0] != 0 {
        return Some(key);
    }
    let mirrored = [mirrored ^ side(mover), turned ^ side(!mover)];
    Some(mirrored.into_iter().fold(key, u64::min))
}

/// The pieces of a board text.
struct Squares {
    /// Their letters, from a1 to h8; 0 on empty squares.
    letters: [u8; 64],
    /// The pieces' part of the key: as they are and mirrored left-right, then both with the colours
    /// swapped.
    pieces: [[u64; 2]; 2],
}

impl Squares {
    fn read(text: &[u8]) -> Option<Self> {
        let mut board = Self {
            letters: [0; 64],
            pieces: [[0; 2]; 2],
        };
        let (mut rank, mut file) = (7_usize, 0_usize);
        for &letter in text {
            match letter {
                b'/' => {
                    if file != 8 {
                        return None;
                    }
                    (rank, file) = (rank.checked_sub(1)?, 0);
                }
                b'1'..=b'8' => file += usize::from(letter - b'0'),
                _ => {
                    let piece = match letter.to_ascii_lowercase() {
                        b'p' => Piece::Pawn,
                        b'n' => Piece::Knight,
                        b'b' => Piece::Bishop,
                        b'r' => Piece::Rook,
                        b'q' => Piece::Queen,
                        b'k' => Piece::King,
                        _ => return None,
                    };
                    let color = if letter.is_ascii_uppercase() {
                        Color::White
                    } else {
                        Color::Black
                    };
                    if file >= 8 {
                        return None;
                    }
                    let square = 8 * rank + file;
                    board.letters[square] = letter;
                    for (swaps, shown) in [color, !color].into_iter().enumerate() {
                        for (mirrors, keys) in board.pieces[swaps].iter_mut().enumerate() {
                            let place = square ^ (0o70 * swaps) ^ (0o7 * mirrors);
                            *keys ^= zobrist::on_square(shown, piece, place);
                        }
                    }
                    file += 1;
                }
            }
        }
        (rank == 0 && file == 8).then_some(board)
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
                (Color::White, 0, b'K', b'R')
            } else {
                (Color::Black, 56, b'k', b'r')
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

    /// Returns whether no pawn of the mover stands beside the pawn that has passed that square;
    /// `None` if the square is none where a pawn can have passed.
    fn is_passed_in_vain(&self, square: &[u8], mover: Color) -> Option<bool> {
        let &[file @ b'a'..=b'h', rank] = square else {
            return None;
        };
        let (passed, beside, taker) = match mover {
            Color::White => (b'6', 32, b'P'),
            Color::Black => (b'3', 24, b'p'),
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
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
            ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", true),
            ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b Qk e3 0 2", false),
            ("rnbqkbnr/ppp1pppp/8/8/2p1P3/8/PPPP1PPP/RNBQKBNR b Qk e3 0 2", true),
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
