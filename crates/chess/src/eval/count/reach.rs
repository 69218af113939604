//! The squares attacked by a side's pieces: their mobility, and the part of it aimed at the enemy's
//! king.

use cozy_chess::{
    BitBoard, Piece, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

use super::Sink;
use super::army::Army;
use crate::eval::terms::term;

/// The squares that a side attacks. Pins are ignored.
pub(super) struct Reach {
    kinds: [BitBoard; Piece::NUM],
    pub(super) all: BitBoard,
    /// Number of pieces that attack the enemy's king zone.
    pub(super) attackers: usize,
    /// Sum over these pieces: weight x attacked squares of the zone.
    pub(super) danger: usize,
}

impl Reach {
    /// Collects the attacks of `us` and adds their mobility to the sink.
    #[inline]
    pub(super) fn count<S: Sink>(us: &Army, them: &Army, sink: &mut S) -> Self {
        const KNIGHT: usize = term("mobility", "knight");
        const BISHOP: usize = term("mobility", "bishop");
        const ROOK: usize = term("mobility", "rook");
        const QUEEN: usize = term("mobility", "queen");

        let mut reach = Self {
            kinds: [BitBoard::EMPTY; Piece::NUM],
            all: BitBoard::EMPTY,
            attackers: 0,
            danger: 0,
        };
        reach.add(Piece::Pawn, us.pawn_attacks);
        reach.add(Piece::King, get_king_moves(us.king));
        let free = !(us.all | them.pawn_attacks);
        let occupied = us.occupied;
        let mut count = |piece: Piece, first: usize, most: usize, each: usize, to: BitBoard| {
            reach.add(piece, to);
            let mobility = (to & free).len() as usize;
            sink.add(first + mobility.min(most), 1);
            let hits = (to & them.zone).len() as usize;
            reach.danger += each * hits;
            reach.attackers += usize::from(hits > 0);
        };
        for square in us.kind(Piece::Knight) {
            count(Piece::Knight, KNIGHT, 8, 2, get_knight_moves(square));
        }
        for square in us.kind(Piece::Bishop) {
            let to = get_bishop_moves(square, occupied);
            count(Piece::Bishop, BISHOP, 13, 2, to);
        }
        for square in us.kind(Piece::Rook) {
            count(Piece::Rook, ROOK, 14, 3, get_rook_moves(square, occupied));
        }
        for square in us.kind(Piece::Queen) {
            let to = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
            count(Piece::Queen, QUEEN, 27, 4, to);
        }
        reach
    }

    #[inline]
    fn add(&mut self, piece: Piece, to: BitBoard) {
        self.kinds[piece as usize] |= to;
        self.all |= to;
    }

    /// The squares attacked by pieces of the kind.
    #[inline]
    pub(super) fn kind(&self, piece: Piece) -> BitBoard {
        self.kinds[piece as usize]
    }

    /// The squares attacked by knights and bishops.
    #[inline]
    pub(super) fn minors(&self) -> BitBoard {
        self.kind(Piece::Knight) | self.kind(Piece::Bishop)
    }

    /// The squares attacked by a piece other than the king.
    #[inline]
    pub(super) fn without_king(&self) -> BitBoard {
        let minors_and_pawns = self.minors() | self.kind(Piece::Pawn);
        minors_and_pawns | self.kind(Piece::Rook) | self.kind(Piece::Queen)
    }
}
