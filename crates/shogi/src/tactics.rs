//! The tactical properties of moves in Shogi.

use leitai_game::search::{OrderValues, Tactics};
use leitai_game::{Move, Side};

use super::attacks;
use super::board::Shogi;
use super::exchange::prize;
use super::generate::{Each, Sink, zone};
use super::moves::{Parts, target, unpack};
use super::piece::Kind;
use super::square::{SQUARES, Square, Squares};
use super::zobrist;

/// Slots of a side for kinds and targets: kinds that step like a gold general share one.
const SLOTS: usize = 10 * SQUARES;
/// Slots of a side for origins, hands among them, and targets.
const FROM_TO: usize = (SQUARES + 7) * SQUARES;

/// Pawns, bishops and rooks promote without a loss of any step.
#[inline]
const fn gains_by_promotion(kind: Kind) -> bool {
    matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Rook)
}

/// Takes forcing moves (captures, and promotions of pawns, bishops and rooks), or all others.
struct Split<'a, F> {
    position: &'a Shogi,
    theirs: Squares,
    wants_forcing: bool,
    take: F,
}

impl<F: FnMut(Move)> Sink for Split<'_, F> {
    #[inline]
    fn steps(&mut self, from: Square, plain: Squares, promoted: Squares) -> bool {
        let kind = self.position.piece_on(from).map(|piece| piece.kind);
        let gains = kind.is_some_and(gains_by_promotion);
        let forcing = [
            plain & self.theirs,
            if gains {
                promoted
            } else {
                promoted & self.theirs
            },
        ];
        let [plain, promoted] = if self.wants_forcing {
            forcing
        } else {
            [plain & !forcing[0], promoted & !forcing[1]]
        };
        Each(&mut self.take).steps(from, plain, promoted)
    }

    #[inline]
    fn drops(&mut self, kind: Kind, to: Squares) -> bool {
        !self.wants_forcing && Each(&mut self.take).drops(kind, to)
    }
}

/// Takes checks that are not forcing for another reason.
struct Checks<'a, F> {
    position: &'a Shogi,
    king: Square,
    theirs: Squares,
    /// Pieces whose moves off the line discover a check.
    blockers: Squares,
    take: F,
}

impl<F: FnMut(Move)> Sink for Checks<'_, F> {
    #[inline]
    fn steps(&mut self, from: Square, plain: Squares, promoted: Squares) -> bool {
        let Some(piece) = self.position.piece_on(from) else {
            return false;
        };
        let discovered = if self.blockers.has(from) {
            !attacks::line(self.king, from)
        } else {
            Squares::NONE
        };
        let is_slow = !gains_by_promotion(piece.kind);
        let promoted = match piece.kind.promoted() {
            Some(kind) if is_slow => promoted & (self.checks_from(kind, from) | discovered),
            _ => Squares::NONE,
        };
        let plain = plain & (self.checks_from(piece.kind, from) | discovered);
        Each(&mut self.take).steps(from, plain & !self.theirs, promoted & !self.theirs)
    }

    #[inline]
    fn drops(&mut self, kind: Kind, to: Squares) -> bool {
        let to = to & self.position.check_squares(kind);
        Each(&mut self.take).drops(kind, to)
    }
}

impl<F> Checks<'_, F> {
    /// The squares from which a kind gives check after it has left a square.
    #[inline]
    fn checks_from(&self, kind: Kind, from: Square) -> Squares {
        let them = self.position.turn().other();
        attacks::of(
            them,
            kind,
            self.king,
            self.position.occupied() & !from.bit(),
        )
    }
}

impl Tactics for Shogi {
    const HAS_CAPTURES: bool = true;
    const HAS_CHECKS: bool = true;
    const HISTORY_SLOTS: usize = 2 * SLOTS;
    const FROM_TO_SLOTS: usize = 2 * FROM_TO;

    #[inline]
    fn history_slot(&self, mv: Move) -> usize {
        let kind = match unpack(mv) {
            Some(Parts::Drop { kind, .. }) => Some(kind),
            Some(Parts::Step { from, .. }) => self.piece_on(from).map(|piece| piece.kind),
            None => None,
        };
        let row = kind.map_or(0, |kind| match kind {
            Kind::Horse => 8,
            Kind::Dragon => 9,
            kind if kind.is_golden() => Kind::Gold as usize,
            kind => kind as usize,
        });
        let to = target(mv).map_or(0, Square::index);
        self.turn().index() * SLOTS + row * SQUARES + to
    }

    #[inline]
    fn from_to_slot(&self, Move(bits): Move) -> usize {
        let (to, from) = (usize::from(bits) % 128, usize::from(bits) >> 7 & 127);
        let place = from.min(SQUARES + 6) * SQUARES + to.min(SQUARES - 1);
        self.turn().index() * FROM_TO + place
    }

    #[inline]
    fn structure(&self) -> [u64; 3] {
        let mixed = |key: u64, squares: Squares| {
            let bits = squares.0 as u64 ^ ((squares.0 >> 64) as u64).rotate_left(32);
            (key ^ bits)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        };
        let others = [
            Kind::Lance,
            Kind::Knight,
            Kind::Silver,
            Kind::Gold,
            Kind::King,
        ];
        let [black, white] = Side::BOTH.map(|side| {
            let pawns = mixed(1, self.pieces(side, Kind::Pawn));
            let others = others.into_iter().map(|kind| self.pieces(side, kind));
            let hand = self.hand(side).into_iter().enumerate();
            let hand = hand.fold(0, |sum, (at, count)| sum + (u64::from(count) << (8 * at)));
            (pawns, others.fold(hand, mixed))
        });
        let pawns = black.0.wrapping_add(white.0.rotate_left(17));
        [pawns.wrapping_mul(0xd6e8_feb8_6659_fd93), black.1, white.1]
    }

    /// True without a check: drops make zugzwang rare.
    #[inline]
    fn can_pass(&self) -> bool {
        self.checkers().is_empty()
    }

    #[inline]
    fn key_after(&self, mv: Move) -> Option<u64> {
        zobrist::key_after(self, mv)
    }

    /// Captures, and promotions of pawns, bishops and rooks.
    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        let Some(Parts::Step { from, to, promotes }) = unpack(mv) else {
            return false;
        };
        let moved = self.piece_on(from).map(|piece| piece.kind);
        self.piece_on(to).is_some() || promotes && moved.is_some_and(gains_by_promotion)
    }

    fn captures(&self, moves: &mut Self::Moves) {
        let theirs = self.of_side(self.turn().other());
        let wanted = theirs | zone(self.turn()) | self.movers_of_zone();
        let mut split = Split {
            position: self,
            theirs,
            wants_forcing: true,
            take: |mv| moves.push(mv),
        };
        self.generate(wanted, &mut split);
    }

    fn quiets(&self, moves: &mut Self::Moves) {
        let mut split = Split {
            position: self,
            theirs: self.of_side(self.turn().other()),
            wants_forcing: false,
            take: |mv| moves.push(mv),
        };
        self.generate(Squares::ALL, &mut split);
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        self.is_check(mv)
    }

    fn quiet_checks(&self, moves: &mut Self::Moves) {
        let (us, them) = (self.turn(), self.turn().other());
        let Some(king) = self.king(them) else {
            return;
        };
        let mut checks = Checks {
            position: self,
            king,
            theirs: self.of_side(them),
            blockers: self.blockers(king, us) & self.of_side(us),
            take: |mv| moves.push(mv),
        };
        self.generate(Squares::ALL, &mut checks);
    }

    /// The gain of the capture and the promotion; the moved piece is lost if its target is attacked.
    #[inline]
    fn static_gain(&self, mv: Move, _: &OrderValues) -> i32 {
        self.gain(mv) - self.risk(mv).unwrap_or(0)
    }

    #[inline]
    fn exchange(&self, mv: Move, _: &OrderValues) -> i32 {
        self.swap_off(mv)
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: i32, _: &OrderValues) -> bool {
        let gain = self.gain(mv);
        if gain < threshold {
            return false;
        }
        let risk = self.risk(mv);
        risk.is_none_or(|risk| gain - risk >= threshold) || self.swap_off(mv) >= threshold
    }

    #[inline]
    fn victim_and_attacker(&self, mv: Move, _: &OrderValues) -> (i32, i32) {
        if !self.is_capture(mv) {
            return (0, 0);
        }
        let Some(Parts::Step { from, .. }) = unpack(mv) else {
            return (0, 0);
        };
        let moved = self.piece_on(from).map_or(0, |piece| prize(piece.kind));
        (self.gain(mv), moved)
    }

    /// The most valuable kinds first, the king last; drops after moves on the board.
    #[inline]
    fn piece_rank(&self, mv: Move, _: &OrderValues) -> u8 {
        match unpack(mv) {
            Some(Parts::Step { from, .. }) => match self.piece_on(from) {
                Some(piece) if piece.kind == Kind::King => 13,
                Some(piece) => 12 - (prize(piece.kind) / 3).min(12) as u8,
                None => u8::MAX,
            },
            Some(Parts::Drop { kind, .. }) => 26 - (prize(kind) / 3).min(12) as u8,
            None => u8::MAX,
        }
    }
}

impl Shogi {
    /// All squares if a bishop or rook in the zone of promotion could leave it with a promotion.
    fn movers_of_zone(&self) -> Squares {
        let us = self.turn();
        let movers = self.pieces(us, Kind::Bishop) | self.pieces(us, Kind::Rook);
        if (movers & zone(us)).is_empty() {
            Squares::NONE
        } else {
            Squares::ALL
        }
    }
}
