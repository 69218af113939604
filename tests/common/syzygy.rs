//! Small endgame tables in Syzygy's format, computed from the rules of chess: a king and one piece
//! against a king.

use std::path::Path;

use cozy_chess::{Board, BoardBuilder, Color, Piece, Square, get_king_moves};

/// Values of positions for the side to move.
pub(crate) const LOSS: u8 = 0;
pub(crate) const BLESSED_LOSS: u8 = 1;
pub(crate) const DRAW: u8 = 2;
pub(crate) const CURSED_WIN: u8 = 3;
pub(crate) const WIN: u8 = 4;

const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// The number of positions in a table: three pieces up to the symmetries of the board.
const POSITIONS: usize = 31_332;

/// Writes the tables of all pieces except the pawn.
pub(crate) fn write_all(folder: &Path) {
    write(folder, "KQvK", &with_piece(Piece::Queen));
    write(folder, "KRvK", &with_piece(Piece::Rook));
    write(folder, "KBvK", &constant(*b"KBvK", [DRAW, DRAW]));
    write(folder, "KNvK", &constant(*b"KNvK", [DRAW, DRAW]));
}

pub(crate) fn write(folder: &Path, name: &str, table: &[u8]) {
    std::fs::write(folder.join(format!("{name}.rtbw")), table).expect("written");
}

fn code(letter: u8) -> u8 {
    1 + b"PNBRQK"
        .iter()
        .position(|&it| it == letter)
        .expect("a piece") as u8
}

/// The order of pieces for numbering positions: the single piece first, so that a pawn leads.
fn pieces(name: &[u8]) -> [u8; 3] {
    [code(name[1]), code(b'K'), code(b'K') + 8]
}

/// A table in which all positions of one side to move have the same value.
pub(crate) fn constant(name: [u8; 4], [white, black]: [u8; 2]) -> Vec<u8> {
    let has_pawns = name[1] == b'P';
    let files = if has_pawns { 4 } else { 1 };
    let mut table = MAGIC.to_vec();
    table.push(0x31 | u8::from(has_pawns) << 1);
    for _ in 0..files {
        table.push(0);
        table.extend(pieces(&name).map(|piece| piece << 4 | piece));
    }
    align(&mut table, 2);
    for _ in 0..files {
        table.extend([0x80, white, 0x80, black]);
    }
    finish(table)
}

/// The table of a queen or a rook: its side always wins with the move, and the bare king is lost
/// unless it captures the piece or is stalemated.
fn with_piece(piece: Piece) -> Vec<u8> {
    let name = match piece {
        Piece::Queen => b"KQvK",
        _ => b"KRvK",
    };
    // Two symbols of one bit each, 512 to a block of 64 bytes, and an index entry for every 1024.
    let mut values = vec![false; POSITIONS];
    for first in (0..64).filter(|&square| file(square) < 4 && rank(square) < 4) {
        for second in 0..64 {
            for third in 0..64 {
                let squares = [first, second, third];
                if let Some(number) = number(squares) {
                    values[number] = is_saved(piece, squares);
                }
            }
        }
    }
    let mut table = MAGIC.to_vec();
    table.extend([0x31, 0]);
    table.extend(pieces(name).map(|piece| piece << 4 | piece));
    align(&mut table, 2);
    table.extend([0x80, WIN]);
    let blocks = POSITIONS.div_ceil(512);
    let padding = 1;
    table.extend([0, 6, 10, padding]);
    table.extend((blocks as u32).to_le_bytes());
    table.extend([1, 1, 0, 0, 2, 0]);
    table.extend([LOSS, 0xf0, 0xff, DRAW, 0xf0, 0xff]);
    for middle in (512..).step_by(1024).take(POSITIONS.div_ceil(1024)) {
        table.extend((middle as u32 / 512).to_le_bytes());
        table.extend((middle as u16 % 512).to_le_bytes());
    }
    for _ in 0..blocks + usize::from(padding) {
        table.extend(511_u16.to_le_bytes());
    }
    align(&mut table, 64);
    values.resize(512 * blocks, false);
    for bits in values.chunks(8) {
        table.push(bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
    }
    finish(table)
}

/// Appends zeros up to a multiple.
fn align(table: &mut Vec<u8>, multiple: usize) {
    table.resize(table.len().next_multiple_of(multiple), 0);
}

/// Completes a table: blocks begin and end at multiples of 64, and a checksum follows.
fn finish(mut table: Vec<u8>) -> Vec<u8> {
    align(&mut table, 64);
    let sum = table.iter().fold(7_u128, |sum, &byte| {
        sum.wrapping_mul(0x0100_0000_01b3).wrapping_add(byte.into())
    });
    table.extend(sum.to_le_bytes());
    table
}

fn file(square: usize) -> usize {
    square % 8
}

fn rank(square: usize) -> usize {
    square / 8
}

/// The board with the white piece, the white king and the black king on these squares and this side
/// to move; `None` if the position is impossible.
pub(crate) fn board(piece: Piece, squares: [usize; 3], to_move: Color) -> Option<Board> {
    let [one, two, three] = squares;
    if one == two || one == three || two == three {
        return None;
    }
    let mut builder = BoardBuilder::empty();
    let [first, second, third] = squares.map(Square::index);
    *builder.square_mut(first) = Some((piece, Color::White));
    *builder.square_mut(second) = Some((Piece::King, Color::White));
    *builder.square_mut(third) = Some((Piece::King, Color::Black));
    builder.side_to_move = to_move;
    let are_apart = !get_king_moves(second).has(third);
    builder.build().ok().filter(|_| are_apart)
}

/// Returns whether the bare king, to move, is not lost.
fn is_saved(piece: Piece, squares: [usize; 3]) -> bool {
    let Some(board) = board(piece, squares, Color::Black) else {
        return false;
    };
    let (mut moves, mut takes) = (0, false);
    board.generate_moves(|list| {
        moves += list.len();
        takes |= list.to.has(Square::index(squares[0]));
        false
    });
    takes || (moves == 0 && board.checkers().is_empty())
}

/// The number of a position of three different pieces with the first one on files a to d and ranks
/// 1 to 4; `None` if it is elsewhere after the required reflections, or two pieces share a square.
fn number(mut squares: [usize; 3]) -> Option<usize> {
    let [one, two, three] = squares;
    if one == two || one == three || two == three {
        return None;
    }
    // The first piece off the diagonal from a1 must be below it.
    let off = squares.into_iter().find(|&it| file(it) != rank(it));
    if off.is_some_and(|it| rank(it) > file(it)) {
        squares = squares.map(|it| 8 * file(it) + rank(it));
    }
    let [one, two, three] = squares;
    let after_one = usize::from(two > one);
    let after_two = usize::from(three > one) + usize::from(three > two);
    let is_off = |square: usize| file(square) != rank(square);
    // Squares below the diagonal, by ranks.
    let lower = |square: usize| {
        let (file, rank) = (file(square), rank(square));
        (0..rank).map(|rank| 7 - rank).sum::<usize>() + file - rank - 1
    };
    Some(if is_off(one) {
        let triangle = [0, 1, 2, 0, 3, 4, 0, 0, 5];
        triangle[3 * rank(one) + file(one) - 1] * 63 * 62 + (two - after_one) * 62 + three
            - after_two
    } else if is_off(two) {
        6 * 63 * 62 + file(one) * 28 * 62 + lower(two) * 62 + three - after_two
    } else if is_off(three) {
        let before = 6 * 63 * 62 + 4 * 28 * 62;
        before + file(one) * 7 * 28 + (file(two) - after_one) * 28 + lower(three)
    } else {
        let before = 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28;
        before + file(one) * 7 * 6 + (file(two) - after_one) * 6 + file(three) - after_two
    })
}
