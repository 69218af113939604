//! One side's pieces.

use cozy_chess::{BitBoard, Board, Color, Piece, Square, get_king_moves};

/// The pieces of a side, and derived sets that are used repeatedly.
pub(super) struct Army {
    pub(super) color: Color,
    pub(super) all: BitBoard,
    kinds: [BitBoard; Piece::NUM],
    /// All pieces of both sides.
    pub(super) occupied: BitBoard,
    pub(super) king: Square,
    /// The king's zone: its square, the adjacent ones, and three more in front of them.
    pub(super) zone: BitBoard,
    /// Squares that the pawns attack.
    pub(super) pawn_attacks: BitBoard,
    pub(super) pawns: Pawns,
}

/// Pawns of both sides from one side's view: its own move up the board.
#[derive(Clone, Copy)]
pub(super) struct Pawns {
    pub(super) own: u64,
    pub(super) enemy: u64,
}

impl Army {
    #[inline]
    pub(super) fn of(board: &Board, color: Color) -> Self {
        let king = board.king(color);
        let around = get_king_moves(king) | king.bitboard();
        let of = |color| relative(board.colored_pieces(color, Piece::Pawn), color);
        let pawns = Pawns {
            own: of(color),
            enemy: of(!color).swap_bytes(),
        };
        Self {
            color,
            all: board.colors(color),
            kinds: Piece::ALL.map(|piece| board.colored_pieces(color, piece)),
            occupied: board.occupied(),
            king,
            zone: around | absolute(up(relative(around, color)), color),
            pawn_attacks: absolute(attacks_up(pawns.own), color),
            pawns,
        }
    }

    #[inline]
    pub(super) fn kind(&self, piece: Piece) -> BitBoard {
        self.kinds[piece as usize]
    }

    /// Knights and bishops.
    #[inline]
    pub(super) fn minors(&self) -> BitBoard {
        self.kind(Piece::Knight) | self.kind(Piece::Bishop)
    }
}

/// Squares from a side's view: its home is at the bottom.
#[inline]
pub(super) const fn relative(squares: BitBoard, color: Color) -> u64 {
    match color {
        Color::White => squares.0,
        Color::Black => squares.0.swap_bytes(),
    }
}

/// The inverse of [`relative`].
#[inline]
pub(super) const fn absolute(squares: u64, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(squares),
        Color::Black => BitBoard(squares.swap_bytes()),
    }
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

#[inline]
pub(super) const fn up(squares: u64) -> u64 {
    squares << 8
}

#[inline]
pub(super) const fn down(squares: u64) -> u64 {
    squares >> 8
}

/// The squares to the left and right.
#[inline]
pub(super) const fn beside(squares: u64) -> u64 {
    ((squares & !A_FILE) >> 1) | ((squares & !H_FILE) << 1)
}

/// The squares attacked by pawns that move up the board.
#[inline]
pub(super) const fn attacks_up(pawns: u64) -> u64 {
    beside(up(pawns))
}

/// The squares attacked by pawns that move down.
#[inline]
pub(super) const fn attacks_down(pawns: u64) -> u64 {
    beside(down(pawns))
}

/// The squares and all above them.
#[inline]
pub(super) const fn fill_up(mut squares: u64) -> u64 {
    squares |= squares << 8;
    squares |= squares << 16;
    squares | squares << 32
}

/// The squares and all below them.
#[inline]
pub(super) const fn fill_down(mut squares: u64) -> u64 {
    squares |= squares >> 8;
    squares |= squares >> 16;
    squares | squares >> 32
}

impl Pawns {
    /// Own pawns with no enemy pawn in front of them on their own and the adjacent files, and no
    /// own one in front of them.
    #[inline]
    pub(super) const fn passed(&self) -> u64 {
        let before = fill_down(down(self.enemy));
        let behind_own = fill_down(down(self.own));
        self.own & !(before | beside(before) | behind_own)
    }
}
