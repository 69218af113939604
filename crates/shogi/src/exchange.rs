//! The gain of a series of captures on one square.

use leitai_game::{Move, Side};

use super::attacks;
use super::board::Shogi;
use super::moves::{Parts, unpack};
use super::piece::Kind;
use super::square::{Square, Squares};

/// Values in pawns on the board. They order moves and are not part of the evaluation, so that tuning
/// one does not change the other.
const ON_BOARD: [i32; Kind::COUNT] = [1, 3, 4, 5, 9, 10, 6, 100, 6, 6, 6, 6, 11, 14];

/// Values in hand, of kinds by their base.
const IN_HAND: [i32; 8] = [1, 3, 4, 5, 9, 10, 6, 100];

/// The gain of a capture: the piece is lost to the other side and comes into the hand.
pub(crate) const fn prize(kind: Kind) -> i32 {
    ON_BOARD[kind as usize] + IN_HAND[kind.base() as usize]
}

/// The gain of a promotion.
pub(crate) const fn promotion(kind: Kind) -> i32 {
    match kind.promoted() {
        Some(promoted) => ON_BOARD[promoted as usize] - ON_BOARD[kind as usize],
        None => 0,
    }
}

/// Kinds by their value, the least first.
const BY_VALUE: [Kind; Kind::COUNT] = [
    Kind::Pawn,
    Kind::Lance,
    Kind::Knight,
    Kind::Silver,
    Kind::Tokin,
    Kind::ProLance,
    Kind::ProKnight,
    Kind::ProSilver,
    Kind::Gold,
    Kind::Bishop,
    Kind::Rook,
    Kind::Horse,
    Kind::Dragon,
    Kind::King,
];

impl Shogi {
    /// The gain of a move by its capture and its promotion; 0 for others.
    #[inline]
    pub(crate) fn gain(&self, mv: Move) -> i32 {
        let Some(Parts::Step { from, to, promotes }) = unpack(mv) else {
            return 0;
        };
        let victim = self.piece_on(to).map_or(0, |victim| prize(victim.kind));
        let moved = self.piece_on(from).filter(|_| promotes);
        victim + moved.map_or(0, |moved| promotion(moved.kind))
    }

    /// The kind of the moved piece behind the move, and the square that it leaves.
    #[inline]
    fn placed(&self, mv: Move) -> Option<(Kind, Square, Option<Square>)> {
        match unpack(mv)? {
            Parts::Drop { kind, to } => Some((kind, to, None)),
            Parts::Step { from, to, promotes } => {
                let kind = self.piece_on(from)?.kind;
                let promoted = if promotes { kind.promoted() } else { None };
                Some((promoted.unwrap_or(kind), to, Some(from)))
            }
        }
    }

    /// The loss if the moved piece is captured; `None` if nothing attacks its target.
    #[inline]
    pub(crate) fn risk(&self, mv: Move) -> Option<i32> {
        let (kind, to, from) = self.placed(mv)?;
        let left = from.map_or(Squares::NONE, Square::bit);
        let occupied = self.occupied() & !left;
        let is_attacked = self.attacks(self.turn().other(), to, occupied);
        is_attacked.then(|| prize(kind))
    }

    /// The gain of a move if both sides then capture on its target, the least valuable piece first,
    /// as long as it pays. Pins, checks and further promotions are ignored.
    pub(crate) fn swap_off(&self, mv: Move) -> i32 {
        let Some((kind, to, from)) = self.placed(mv) else {
            return 0;
        };
        let left = from.map_or(Squares::NONE, Square::bit);
        let mut occupied = (self.occupied() & !left) | to.bit();
        let mut gains = [0; 40];
        gains[0] = self.gain(mv);
        let mut at_risk = prize(kind);
        let mut side = self.turn().other();
        let mut last = 0;
        while let Some((square, kind)) = self.least(to, side, occupied) {
            let behind = occupied & !square.bit();
            // A king cannot capture a protected piece.
            if kind == Kind::King && self.least(to, side.other(), behind).is_some() {
                break;
            }
            if last + 1 == gains.len() {
                break;
            }
            last += 1;
            gains[last] = at_risk - gains[last - 1];
            at_risk = prize(kind);
            occupied = behind;
            side = side.other();
        }
        for place in (1..=last).rev() {
            gains[place - 1] = -(-gains[place - 1]).max(gains[place]);
        }
        gains[0]
    }

    /// The least valuable piece of a side that can capture on a square.
    fn least(&self, square: Square, side: Side, occupied: Squares) -> Option<(Square, Kind)> {
        let found = self.attackers(side, square, occupied) & occupied & !square.bit();
        if found.is_empty() {
            return None;
        }
        let first = |kind: Kind| Some(((found & self.pieces(side, kind)).first()?, kind));
        BY_VALUE.into_iter().find_map(first)
    }

    /// The squares from which each kind of the side to move would give check.
    #[inline]
    pub(crate) fn check_squares(&self, kind: Kind) -> Squares {
        let them = self.turn().other();
        self.king(them).map_or(Squares::NONE, |king| {
            attacks::of(them, kind, king, self.occupied())
        })
    }
}
