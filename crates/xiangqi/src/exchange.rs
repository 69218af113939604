//! Static exchange: the value of a move after both sides have captured on its target square as long
//! as that pays.
//!
//! Each side captures with the cheapest piece that can (pawn, advisor, elephant, horse, cannon,
//! rook, king; of two of a kind, the one on the lower square), or stops. Every capture empties a
//! square, so the attackers are computed again each time: lines of rooks open, cannons gain and
//! lose screens, horses and elephants are unblocked. A king captures only where it would be safe.
//!
//! Other effects on kings are ignored: a piece that shields its king, or that should parry a check
//! instead, captures all the same.

use arrayvec::ArrayVec;

use super::attacks::{self, Occupancy};
use super::board::{Piece, Xiangqi};
use super::kind::Kind;
use super::square::{Square, squares};
use super::tables::CROSS;
use leitai_game::{Move, Side};

impl Xiangqi {
    /// The gain of the side to move by `mv` and the best play of both sides on its target square;
    /// below zero if it loses. `worth` is the value of a piece on a square; it should not decrease
    /// along the order of kinds above.
    pub fn swap_off(&self, mv: Move, worth: impl Fn(Piece, Square) -> i32) -> i32 {
        let Some((mut exchange, victim, mover)) = self.first_capture(mv, &worth) else {
            return 0;
        };
        // The value of the piece on the square before each possible further capture.
        let mut standing = ArrayVec::<i32, 32>::new();
        let mut now = mover;
        while let Some(piece) = exchange.take() {
            // Never full: there are fewer pieces.
            let _ = standing.try_push(now);
            now = worth(piece, exchange.on);
        }
        let answer = standing
            .iter()
            .rev()
            .fold(0, |next, taken| 0.max(taken - next));
        victim - answer
    }

    /// Returns whether [`swap_off`](Xiangqi::swap_off) is at least `threshold`, with as few
    /// captures as possible.
    #[inline]
    pub fn swap_off_at_least(
        &self,
        mv: Move,
        threshold: i32,
        worth: impl Fn(Piece, Square) -> i32,
    ) -> bool {
        let Some((mut exchange, victim, mut standing)) = self.first_capture(mv, &worth) else {
            return threshold <= 0;
        };
        // The value that the side to capture must win on the square, and the result if it does. It
        // can always win nothing, and never more than the piece on the square.
        let mut wanted = victim.saturating_sub(threshold).saturating_add(1);
        let mut answer = false;
        loop {
            if wanted <= 0 {
                return answer;
            }
            if standing < wanted {
                return !answer;
            }
            let Some(piece) = exchange.take() else {
                return !answer;
            };
            wanted = standing - wanted + 1;
            standing = worth(piece, exchange.on);
            answer = !answer;
        }
    }

    /// The exchange after `mv`, and the values of its victim and of the piece that moved, both on
    /// the target square.
    #[inline]
    fn first_capture(
        &self,
        mv: Move,
        worth: impl Fn(Piece, Square) -> i32,
    ) -> Option<(Exchange<'_>, i32, i32)> {
        let (from, on) = Self::squares_of(mv)?;
        let mover = self.piece_at(from)?;
        let victim = self.piece_at(on).map_or(0, |piece| worth(piece, on));
        let exchange = Exchange {
            position: self,
            on,
            occupied: self.occupied.after(from, on),
            by: mover.side.other(),
        };
        Some((exchange, victim, worth(mover, on)))
    }
}

/// A square on which pieces capture in turn.
struct Exchange<'a> {
    position: &'a Xiangqi,
    on: Square,
    /// The squares that are still occupied, including `on`.
    occupied: Occupancy,
    /// The side that captures next.
    by: Side,
}

impl Exchange<'_> {
    /// Captures with the cheapest piece; `None` if no piece can, which ends the exchange.
    #[inline]
    fn take(&mut self) -> Option<Piece> {
        let (kind, set) = self.cheapest()?;
        let from = squares(set).next()?;
        self.occupied.toggle(from);
        let side = self.by;
        self.by = side.other();
        if kind == Kind::King {
            let theirs = self.still(self.by);
            if self
                .position
                .attacks_king(self.on, self.by, theirs, self.occupied)
            {
                return None;
            }
        }
        Some(Piece { side, kind })
    }

    /// The pieces of `side` that have neither been captured nor moved to the square.
    #[inline]
    fn still(&self, side: Side) -> u128 {
        self.position.sides[side.index()] & self.occupied.by_rank & !self.on.bit()
    }

    /// The cheapest kind of piece that can capture, and the squares of these pieces.
    #[inline]
    fn cheapest(&self) -> Option<(Kind, u128)> {
        let (on, occupied) = (self.on, self.occupied);
        let still = self.still(self.by);
        let of = |kind: Kind| self.position.kinds[kind.index()] & still;
        let pawns = of(Kind::Pawn) & attacks::pawn_to(self.by, on);
        if pawns != 0 {
            return Some((Kind::Pawn, pawns));
        }
        let advisors = of(Kind::Advisor) & attacks::advisor(on);
        if advisors != 0 {
            return Some((Kind::Advisor, advisors));
        }
        let elephants = of(Kind::Elephant) & attacks::elephant(on, occupied);
        if elephants != 0 {
            return Some((Kind::Elephant, elephants));
        }
        let horses = of(Kind::Horse) & attacks::horse_to(on, occupied);
        if horses != 0 {
            return Some((Kind::Horse, horses));
        }
        let line = CROSS[on.index()];
        let cannons = of(Kind::Cannon) & line;
        if cannons != 0 {
            let cannons = cannons & attacks::cannon_capture(on, occupied);
            if cannons != 0 {
                return Some((Kind::Cannon, cannons));
            }
        }
        let rooks = of(Kind::Rook) & line;
        if rooks != 0 {
            let rooks = rooks & attacks::rook(on, occupied);
            if rooks != 0 {
                return Some((Kind::Rook, rooks));
            }
        }
        let kings = of(Kind::King) & attacks::king(on);
        (kings != 0).then_some((Kind::King, kings))
    }
}
