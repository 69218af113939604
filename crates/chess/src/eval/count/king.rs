//! Shelter of the own king, and threats to the enemy's.

use cozy_chess::{BitBoard, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::army::{Army, relative};
use super::{Sink, View};
use crate::eval::terms::term;

#[inline]
pub(super) fn count<S: Sink>(view: &View, sink: &mut S) {
    const DANGER: usize = term("king", "danger");
    const DANGER_WITHOUT_QUEEN: usize = term("king", "danger_without_queen");
    const ATTACKERS: usize = term("king", "attackers");
    const WEAK_SQUARES: usize = term("king", "weak_squares");

    let View {
        us,
        them,
        reach,
        enemy_reach,
    } = view;
    shelter(us, sink);
    let danger = reach.danger / 4;
    if us.kind(Piece::Queen).is_empty() {
        sink.add(DANGER_WITHOUT_QUEEN + danger.min(9), 1);
    } else {
        sink.add(DANGER + danger.min(15), 1);
    }
    sink.add(ATTACKERS + reach.attackers.min(5), 1);
    let weak = them.zone & reach.all & !enemy_reach.without_king();
    sink.add(WEAK_SQUARES, weak.len() as i32);
    checks(view, sink);
}

/// Counts the kinds of pieces that can give check on a square that the enemy does not attack.
#[inline]
fn checks<S: Sink>(view: &View, sink: &mut S) {
    const KNIGHT: usize = term("king", "safe_knight_checks");
    const BISHOP: usize = term("king", "safe_bishop_checks");
    const ROOK: usize = term("king", "safe_rook_checks");
    const QUEEN: usize = term("king", "safe_queen_checks");

    let View {
        us,
        them,
        reach,
        enemy_reach,
    } = view;
    let safe = !(us.all | enemy_reach.all);
    let by_knight = get_knight_moves(them.king) & safe;
    let diagonal = get_bishop_moves(them.king, us.occupied) & safe;
    let straight = get_rook_moves(them.king, us.occupied) & safe;
    let mut add = |place: usize, piece: Piece, from: BitBoard| {
        sink.add(place, i32::from(!(reach.kind(piece) & from).is_empty()));
    };
    add(KNIGHT, Piece::Knight, by_knight);
    add(BISHOP, Piece::Bishop, diagonal);
    add(ROOK, Piece::Rook, straight);
    add(QUEEN, Piece::Queen, diagonal | straight);
}

/// The pawns of both sides on the three files around the own king.
#[inline]
fn shelter<S: Sink>(us: &Army, sink: &mut S) {
    const SHELTER: usize = term("king", "shelter");
    const STORM: usize = term("king", "storm");
    const OPEN_FILES: usize = term("king", "open_files");
    const A_FILE: u64 = 0x0101_0101_0101_0101;

    let king = relative(us.king.bitboard(), us.color).trailing_zeros();
    let rank = king / 8;
    let before = u64::MAX << (8 * rank);
    let middle = (us.king.file() as usize).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let file = A_FILE << file;
        let nearest = |pawns: u64, places: usize| {
            let pawns = pawns & file & before;
            if pawns == 0 {
                return places - 1;
            }
            let steps = (pawns.trailing_zeros() / 8 - rank) as usize;
            steps.max(1).min(places - 1) - 1
        };
        sink.add(SHELTER + nearest(us.pawns.own, 4), 1);
        sink.add(STORM + nearest(us.pawns.enemy, 5), 1);
        if (us.pawns.own | us.pawns.enemy) & file == 0 {
            sink.add(OPEN_FILES, 1);
        }
    }
}
