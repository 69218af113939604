//! The moves of pieces, for the crate that reads the tables.

use cozy_chess::{
    BitBoard, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use pyrrhic_rs::{Color, EngineAdapter};

/// The moves of pieces from cozy-chess.
#[derive(Clone, Debug)]
pub(super) struct Moves;

/// The crate numbers squares like cozy-chess, from a1 by ranks, and passes no others.
fn square(index: u64) -> Square {
    Square::index(index as usize & 63)
}

impl EngineAdapter for Moves {
    fn pawn_attacks(color: Color, at: u64) -> u64 {
        let color = match color {
            Color::White => cozy_chess::Color::White,
            Color::Black => cozy_chess::Color::Black,
        };
        get_pawn_attacks(square(at), color).0
    }

    fn knight_attacks(at: u64) -> u64 {
        get_knight_moves(square(at)).0
    }

    fn bishop_attacks(at: u64, occupied: u64) -> u64 {
        get_bishop_moves(square(at), BitBoard(occupied)).0
    }

    fn rook_attacks(at: u64, occupied: u64) -> u64 {
        get_rook_moves(square(at), BitBoard(occupied)).0
    }

    fn queen_attacks(at: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(at, occupied) | Self::rook_attacks(at, occupied)
    }

    fn king_attacks(at: u64) -> u64 {
        get_king_moves(square(at)).0
    }
}
