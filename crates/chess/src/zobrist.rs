//! Keys of positions, with Leitai's own numbers, so that keys in records do not depend on the board
//! crate.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

use super::moves::Parts;
use leitai_base::hash::split_mix;
use leitai_game::ImageKeys;

/// Smaller numbers belong to other games.
const BASE: u64 = 1 << 40;

pub(super) struct Numbers {
    /// By colour, piece and square.
    pub(super) pieces: [[[u64; 64]; 6]; 2],
    rights: [[u64; 8]; 2],
    passed: [u64; 8],
}

/// The key of Black's turn.
pub(super) const SIDE: u64 = split_mix(BASE);

pub(super) static NUMBERS: Numbers = {
    let mut numbers = Numbers {
        pieces: [[[0; 64]; 6]; 2],
        rights: [[0; 8]; 2],
        passed: [0; 8],
    };
    let mut place = BASE;
    let mut color = 0;
    while color < 2 {
        let mut piece = 0;
        while piece < 6 {
            let mut square = 0;
            while square < 64 {
                place += 1;
                numbers.pieces[color][piece][square] = split_mix(place);
                square += 1;
            }
            piece += 1;
        }
        let mut file = 0;
        while file < 8 {
            place += 1;
            numbers.rights[color][file] = split_mix(place);
            file += 1;
        }
        color += 1;
    }
    let mut file = 0;
    while file < 8 {
        place += 1;
        numbers.passed[file] = split_mix(place);
        file += 1;
    }
    numbers
};

#[inline]
fn piece(color: Color, piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[color as usize][piece as usize][square as usize]
}

/// The key of the right to castle with the rook of a file.
#[inline]
pub(super) fn right(color: Color, file: File) -> u64 {
    NUMBERS.rights[color as usize][file as usize]
}

/// The key of the pawn that can be taken en passant.
#[inline]
pub(super) fn passed(file: Option<File>) -> u64 {
    file.map_or(0, |file| NUMBERS.passed[file as usize])
}

/// The key of the castling rights.
#[inline]
pub(super) fn rights(board: &Board) -> u64 {
    let of = |color: Color| {
        let rights = board.castle_rights(color);
        let number = |file: Option<File>| file.map_or(0, |file| right(color, file));
        number(rights.short) ^ number(rights.long)
    };
    of(Color::White) ^ of(Color::Black)
}

/// The key of a board from scratch, with the pawn that can be taken en passant.
pub(super) fn key(board: &Board, file: Option<File>) -> u64 {
    let side = if board.side_to_move() == Color::Black {
        SIDE
    } else {
        0
    };
    seen(board, false, false) ^ side ^ rights(board) ^ passed(file)
}

/// The pieces' part of the key of a transformed board: colours swapped and ranks mirrored, files
/// mirrored, or both.
fn seen(board: &Board, swaps: bool, mirrors: bool) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        let shown = if swaps { !color } else { color };
        for kind in Piece::ALL {
            let mut squares: BitBoard = board.colored_pieces(color, kind);
            if swaps {
                squares = squares.flip_ranks();
            }
            if mirrors {
                squares = squares.flip_files();
            }
            for square in squares {
                key ^= piece(shown, kind, square);
            }
        }
    }
    key
}

/// The keys of the images of a position: the position itself, with the colours swapped, and, if
/// neither side may castle any more, mirrored from left to right.
pub(super) fn images(board: &Board, key: u64, file: Option<File>) -> ImageKeys {
    let black = board.side_to_move() == Color::Black;
    let side = |swaps: bool| if black == swaps { 0 } else { SIDE };
    let no_rights = rights(board) == 0;
    let swapped_rights = || {
        let mut sum = 0;
        for color in Color::ALL {
            let own = board.castle_rights(color);
            for file in [own.short, own.long].into_iter().flatten() {
                sum ^= right(!color, file);
            }
        }
        sum
    };
    let swapped = seen(board, true, false) ^ side(true) ^ swapped_rights() ^ passed(file);
    let mut keys: ImageKeys = [key, swapped].into_iter().collect();
    let mirrored = passed(file.map(File::flip));
    let image = |swaps| seen(board, swaps, true) ^ side(swaps) ^ mirrored;
    if no_rights {
        keys.extend([image(false), image(true)]);
    }
    keys
}

/// The change of the key by a move, without the parts that depend on the board after it: the
/// castling rights and the pawn that can be taken en passant are removed.
#[inline]
pub(super) fn changed(board: &Board, parts: Parts, file: Option<File>) -> u64 {
    let color = board.side_to_move();
    let mut sum = SIDE ^ rights(board) ^ passed(file);
    let Some(moved) = board.piece_on(parts.from) else {
        return sum;
    };
    sum ^= piece(color, moved, parts.from);
    if parts.castles {
        let rook = if parts.is_short() { File::F } else { File::D };
        return sum
            ^ piece(color, Piece::King, parts.castled())
            ^ piece(color, Piece::Rook, parts.to)
            ^ piece(color, Piece::Rook, Square::new(rook, parts.from.rank()));
    }
    sum ^= piece(color, parts.promotion.unwrap_or(moved), parts.to);
    if let Some(victim) = board.piece_on(parts.to) {
        sum ^= piece(!color, victim, parts.to);
    } else if moved == Piece::Pawn && parts.from.file() != parts.to.file() {
        let taken = Square::new(parts.to.file(), Rank::Fifth.relative_to(color));
        sum ^= piece(!color, Piece::Pawn, taken);
    }
    sum
}
