//! The gain of a series of captures on one square.

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::board::Chess;
use super::moves::Parts;

/// Piece values for exchanges, in pawns. They order moves and are not part of the evaluation, so
/// that tuning one does not change the other.
pub(super) const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 100,
    }
}

impl Chess {
    /// The immediate gain of the move and of a promotion: 0 for a promotion to less than a queen
    /// without a capture.
    #[inline]
    pub(super) fn gain(&self, parts: Parts) -> i32 {
        if parts.castles {
            return 0;
        }
        let victim = match self.board.piece_on(parts.to) {
            Some(piece) => worth(piece),
            None => i32::from(self.is_en_passant(parts)),
        };
        match parts.promotion {
            Some(piece) if victim > 0 || piece == Piece::Queen => victim + worth(piece) - 1,
            _ => victim,
        }
    }

    /// All pieces that attack the square if only `occupied` squares block lines.
    fn attackers(&self, square: Square, occupied: BitBoard) -> BitBoard {
        let board = &self.board;
        let queens = board.pieces(Piece::Queen);
        let pawns = board.pieces(Piece::Pawn);
        let by_pawns = |color: Color| get_pawn_attacks(square, !color) & board.colors(color);
        (get_knight_moves(square) & board.pieces(Piece::Knight))
            | (get_king_moves(square) & board.pieces(Piece::King))
            | ((by_pawns(Color::White) | by_pawns(Color::Black)) & pawns)
            | (get_bishop_moves(square, occupied) & (board.pieces(Piece::Bishop) | queens))
            | (get_rook_moves(square, occupied) & (board.pieces(Piece::Rook) | queens))
    }

    /// Returns whether the opponent could recapture on the target of the move.
    pub(super) fn can_take_back(&self, parts: Parts) -> bool {
        let board = &self.board;
        let occupied = board.occupied() ^ parts.from.bitboard();
        let theirs = board.colors(!board.side_to_move()) & occupied;
        !(self.attackers(parts.to, occupied) & theirs & !parts.to.bitboard()).is_empty()
    }

    /// The gain of the move if both sides then capture on its target, the least valuable piece
    /// first, as long as it pays. Pins and checks are ignored.
    pub(super) fn swap_off(&self, parts: Parts) -> i32 {
        if parts.castles {
            return 0;
        }
        let board = &self.board;
        let Some(moved) = board.piece_on(parts.from) else {
            return 0;
        };
        let mut occupied = board.occupied() & !parts.from.bitboard();
        if self.is_en_passant(parts) {
            occupied &= !Square::new(parts.to.file(), parts.from.rank()).bitboard();
        }
        // The gain of each capture, as if it were the last.
        let mut gains = [0; 32];
        gains[0] = self.gain(parts);
        let mut at_risk = worth(parts.promotion.unwrap_or(moved));
        let mut color = !board.side_to_move();
        let mut last = 0;
        while let Some((square, piece)) = self.least(parts.to, color, occupied) {
            // A king cannot capture a protected piece.
            let behind = occupied & !square.bitboard();
            let is_king = piece == Piece::King;
            if is_king && self.least(parts.to, !color, behind).is_some() {
                break;
            }
            if last + 1 == gains.len() {
                break;
            }
            last += 1;
            gains[last] = at_risk - gains[last - 1];
            at_risk = worth(piece);
            occupied = behind;
            color = !color;
        }
        for place in (1..=last).rev() {
            gains[place - 1] = -(-gains[place - 1]).max(gains[place]);
        }
        gains[0]
    }

    /// The least valuable piece of a colour that can capture on the square.
    fn least(&self, square: Square, color: Color, occupied: BitBoard) -> Option<(Square, Piece)> {
        let own = self.attackers(square, occupied) & self.board.colors(color) & occupied;
        let own = own & !square.bitboard();
        let first = |piece: Piece| {
            let found = (own & self.board.pieces(piece)).next_square()?;
            Some((found, piece))
        };
        if own.is_empty() {
            return None;
        }
        Piece::ALL.into_iter().find_map(first)
    }
}
