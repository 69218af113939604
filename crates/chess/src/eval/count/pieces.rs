//! Relations of pieces to pawns and to each other.

use cozy_chess::{BitBoard, Board, Piece, Rank, get_rook_moves};

use super::Sink;
use super::army::{Army, absolute, attacks_down, down, fill_down, fill_up, relative, up};
use crate::eval::terms::term;

/// Ranks 4 to 6.
const OUTPOSTS: u64 = 0x0000_ffff_ff00_0000;

#[inline]
pub(super) fn count<S: Sink>(us: &Army, them: &Army, board: &Board, sink: &mut S) {
    const BISHOP_PAIR: usize = term("pieces", "bishop_pair");
    const BISHOP_PAWNS: usize = term("pieces", "bishop_pawns");
    const KNIGHT_OUTPOST: usize = term("pieces", "knight_outpost");
    const BISHOP_OUTPOST: usize = term("pieces", "bishop_outpost");
    const BEHIND_PAWN: usize = term("pieces", "behind_pawn");

    let color = us.color;
    let (knights, bishops) = (us.kind(Piece::Knight), us.kind(Piece::Bishop));
    let number = |squares: BitBoard| squares.len() as i32;
    if number(bishops) > 1 {
        sink.add(BISHOP_PAIR, 1);
    }
    let own_pawns = us.kind(Piece::Pawn);
    for squares in [BitBoard::DARK_SQUARES, BitBoard::LIGHT_SQUARES] {
        let count = number(bishops & squares) * number(own_pawns & squares);
        sink.add(BISHOP_PAWNS, count);
    }
    // Enemy pawns attack the squares below these, now or after moving down.
    let attackable = fill_down(attacks_down(us.pawns.enemy));
    let outposts = us.pawn_attacks & absolute(OUTPOSTS & !attackable, color);
    sink.add(KNIGHT_OUTPOST, number(knights & outposts));
    sink.add(BISHOP_OUTPOST, number(bishops & outposts));
    let behind = down(us.pawns.own | us.pawns.enemy);
    sink.add(
        BEHIND_PAWN,
        number((knights | bishops) & absolute(behind, color)),
    );
    rooks(us, them, board, sink);
}

#[inline]
fn rooks<S: Sink>(us: &Army, them: &Army, board: &Board, sink: &mut S) {
    const OPEN_FILE: usize = term("pieces", "rook_open_file");
    const HALF_OPEN_FILE: usize = term("pieces", "rook_half_open_file");
    const SEVENTH: usize = term("pieces", "rook_seventh");
    const BEHIND_PASSED: usize = term("pieces", "rook_behind_passed");

    let rooks = us.kind(Piece::Rook);
    if rooks.is_empty() {
        return;
    }
    let number = |squares: BitBoard| squares.len() as i32;
    let seventh = Rank::Seventh.relative_to(us.color).bitboard();
    let eighth = Rank::Eighth.relative_to(us.color).bitboard();
    let enemy_pawns = them.kind(Piece::Pawn);
    if eighth.has(them.king) || !(enemy_pawns & seventh).is_empty() {
        sink.add(SEVENTH, number(rooks & seventh));
    }
    let passed = us.pawns.passed();
    for rook in rooks {
        let file = rook.file().bitboard();
        if (us.kind(Piece::Pawn) & file).is_empty() {
            let is_open = (enemy_pawns & file).is_empty();
            sink.add(if is_open { OPEN_FILE } else { HALF_OPEN_FILE }, 1);
        } else if passed & relative(file, us.color) != 0 {
            let to = get_rook_moves(rook, board.occupied()) & file;
            let before = fill_up(up(relative(rook.bitboard(), us.color)));
            let next = relative(to, us.color) & before & passed;
            sink.add(BEHIND_PASSED, i32::from(next != 0));
        }
    }
}
