//! Moves that give check.

use cozy_chess::{
    BitBoard, Color, Piece, PieceMoves, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves,
    get_rook_rays,
};

use super::board::Chess;
use super::moves::{Parts, pack};
use leitai_game::MoveList;

/// The squares from which a piece of `color` gives check to a king.
#[inline]
fn checking(piece: Piece, color: Color, king: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(king, !color),
        Piece::Knight => get_knight_moves(king),
        Piece::Bishop => get_bishop_moves(king, occupied),
        Piece::Rook => get_rook_moves(king, occupied),
        Piece::Queen => get_bishop_moves(king, occupied) | get_rook_moves(king, occupied),
        Piece::King => BitBoard::EMPTY,
    }
}

impl Chess {
    /// Returns whether a legal move gives check.
    #[inline]
    pub(super) fn is_check(&self, parts: Parts) -> bool {
        if parts.castles || self.is_en_passant(parts) {
            return self.is_check_when_played(parts);
        }
        let board = &self.board;
        let color = board.side_to_move();
        let Some(moved) = board.piece_on(parts.from) else {
            return false;
        };
        let king = board.king(!color);
        // A promoted pawn may have blocked its own line.
        let occupied = board.occupied() & !parts.from.bitboard();
        let piece = parts.promotion.unwrap_or(moved);
        checking(piece, color, king, occupied).has(parts.to)
            || (self.blockers().has(parts.from) && !get_line_rays(king, parts.from).has(parts.to))
    }

    /// Plays the move, for moves that move two pieces or capture on another square.
    fn is_check_when_played(&self, parts: Parts) -> bool {
        if !self.board.is_legal(parts.cozy()) {
            return false;
        }
        let mut after = self.board.clone();
        after.play_unchecked(parts.cozy());
        !after.checkers().is_empty()
    }

    /// Own pieces that block a check by a rook, bishop or queen.
    #[inline]
    fn blockers(&self) -> BitBoard {
        let board = &self.board;
        let color = board.side_to_move();
        let own = board.colors(color);
        let king = board.king(!color);
        let queens = board.pieces(Piece::Queen);
        let straight = get_rook_rays(king) & (board.pieces(Piece::Rook) | queens);
        let diagonal = get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens);
        let mut blockers = BitBoard::EMPTY;
        for square in (straight | diagonal) & own {
            let between = get_between_rays(square, king) & board.occupied();
            if between.len() == 1 {
                blockers |= between & own;
            }
        }
        blockers
    }

    /// Appends the legal moves that give check and are not captures.
    pub(super) fn list_quiet_checks(&self, moves: &mut MoveList) {
        let board = &self.board;
        let color = board.side_to_move();
        let (own, theirs) = (board.colors(color), board.colors(!color));
        let king = board.king(!color);
        let blockers = self.blockers();
        let sources = Piece::ALL.map(|piece| checking(piece, color, king, board.occupied()));
        board.generate_moves(|list: PieceMoves| {
            let mut list = list;
            let is_plain = list.piece != Piece::Pawn && list.piece != Piece::King;
            if is_plain && !blockers.has(list.from) {
                list.to &= sources[list.piece as usize] & !theirs;
                moves.extend(list.into_iter().map(|mv| pack(mv, false)));
                return false;
            }
            if list.piece != Piece::Pawn {
                list.to &= !theirs;
            }
            for mv in list {
                let castles = own.has(mv.to);
                let parts = Parts {
                    from: mv.from,
                    to: mv.to,
                    promotion: mv.promotion,
                    castles,
                };
                if !self.is_forcing(parts) && self.is_check(parts) {
                    moves.push(pack(mv, castles));
                }
            }
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::moves::unpack;
    use super::*;
    use leitai_game::Position;
    use leitai_game::search::Tactics;

    /// Positions with checks of every kind: direct, discovered, by castling, by taking en passant,
    /// and by promotion through the pawn's own square.
    #[test]
    fn checks_are_those_that_show_when_played() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1",
            "8/2P5/8/8/8/8/8/2k1K3 w - - 0 1",
            "4k3/8/4N3/8/4R3/8/8/4K3 w - - 0 1",
            "4k3/8/2P5/1B6/8/8/8/4K3 w - - 0 1",
            "4K3/8/8/8/8/4k3/8/4r3 b - - 0 1",
        ] {
            let mut position = Chess::from_fen(fen).unwrap();
            // Walks on with a different choice of move at each step.
            for step in 0..60_usize {
                let mut legal = MoveList::new();
                position.legal_moves(&mut legal);
                let mut expected = MoveList::new();
                for &mv in &legal {
                    let mut after = position.clone();
                    after.make(mv);
                    assert_eq!(position.gives_check(mv), after.in_check(), "{fen} {mv:?}");
                    if after.in_check() && !position.is_capture(mv) {
                        expected.push(mv);
                    }
                }
                let mut found = MoveList::new();
                position.quiet_checks(&mut found);
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{fen} after {step}");
                let Some(&mv) = legal.get((step * 7 + 3) % legal.len().max(1)) else {
                    break;
                };
                assert!(unpack(mv).is_some());
                position.make(mv);
            }
        }
    }
}
