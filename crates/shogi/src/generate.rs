//! Generates legal moves.

use leitai_game::{Move, Side};

use super::attacks;
use super::board::Shogi;
use super::moves;
use super::piece::Kind;
use super::square::{Square, Squares};

/// Takes groups of legal moves.
pub(crate) trait Sink {
    /// Moves of a piece from one square: those without promotion, and those with it. Returns true
    /// to end the generation.
    fn steps(&mut self, from: Square, plain: Squares, promoted: Squares) -> bool;
    /// Drops of a kind.
    fn drops(&mut self, kind: Kind, to: Squares) -> bool;
}

/// Counts moves.
pub(crate) struct Counter(pub u32);

impl Sink for Counter {
    #[inline]
    fn steps(&mut self, _: Square, plain: Squares, promoted: Squares) -> bool {
        self.0 += plain.len() + promoted.len();
        false
    }

    #[inline]
    fn drops(&mut self, _: Kind, to: Squares) -> bool {
        self.0 += to.len();
        false
    }
}

/// Ends at the first move.
struct Finder;

impl Sink for Finder {
    fn steps(&mut self, _: Square, plain: Squares, promoted: Squares) -> bool {
        !(plain | promoted).is_empty()
    }

    fn drops(&mut self, _: Kind, to: Squares) -> bool {
        !to.is_empty()
    }
}

/// Passes each move to a function.
pub(crate) struct Each<F>(pub F);

impl<F: FnMut(Move)> Sink for Each<F> {
    #[inline]
    fn steps(&mut self, from: Square, plain: Squares, promoted: Squares) -> bool {
        for to in promoted {
            self.0(moves::step(from, to, true));
        }
        for to in plain {
            self.0(moves::step(from, to, false));
        }
        false
    }

    #[inline]
    fn drops(&mut self, kind: Kind, to: Squares) -> bool {
        for to in to {
            self.0(moves::drop(kind, to));
        }
        false
    }
}

/// The ranks where a kind of piece would have no move.
#[inline]
pub(crate) fn dead_ranks(side: Side, kind: Kind) -> Squares {
    match kind {
        Kind::Pawn | Kind::Lance => Squares::last_ranks(side, 1),
        Kind::Knight => Squares::last_ranks(side, 2),
        _ => Squares::NONE,
    }
}

/// The ranks of promotion.
#[inline]
pub(crate) fn zone(side: Side) -> Squares {
    Squares::last_ranks(side, 3)
}

impl Shogi {
    /// Passes the legal moves with a target in `wanted`; returns whether the sink has ended it.
    #[inline]
    pub(crate) fn generate(&self, wanted: Squares, sink: &mut impl Sink) -> bool {
        let (us, them) = (self.turn(), self.turn().other());
        let (own, occupied) = (self.of_side(us), self.occupied());
        let Some(king) = self.king(us) else {
            return false;
        };
        let mut escapes = Squares::NONE;
        for to in attacks::king(king) & !own & wanted {
            if !self.attacks(them, to, occupied & !king.bit()) {
                escapes |= to.bit();
            }
        }
        if !escapes.is_empty() && sink.steps(king, escapes, Squares::NONE) {
            return true;
        }
        let checkers = self.checkers();
        let (targets, free) = match checkers.first() {
            None => (!own, !occupied),
            Some(_) if checkers.has_several() => return false,
            Some(checker) => {
                let between = attacks::between(king, checker);
                (between | checkers, between)
            }
        };
        self.steps(king, targets & wanted, sink) || self.drops(free & wanted, sink)
    }

    #[inline]
    fn steps(&self, king: Square, targets: Squares, sink: &mut impl Sink) -> bool {
        let us = self.turn();
        let pinned = self.blockers(king, us.other()) & self.of_side(us);
        let (zone, occupied) = (zone(us), self.occupied());
        let movers = self.of_side(us) & !king.bit();
        for from in movers {
            let Some(piece) = self.piece_on(from) else {
                continue;
            };
            let kind = piece.kind;
            let mut to = attacks::of(us, kind, from, occupied) & targets;
            if pinned.has(from) {
                to &= attacks::line(king, from);
            }
            if to.is_empty() {
                continue;
            }
            let promoted = match kind.promoted() {
                None => Squares::NONE,
                Some(_) if zone.has(from) => to,
                Some(_) => to & zone,
            };
            if sink.steps(from, to & !dead_ranks(us, kind), promoted) {
                return true;
            }
        }
        false
    }

    #[inline]
    fn drops(&self, free: Squares, sink: &mut impl Sink) -> bool {
        if free.is_empty() {
            return false;
        }
        let us = self.turn();
        for (kind, count) in Kind::IN_HAND.into_iter().zip(self.hand(us)) {
            if count == 0 {
                continue;
            }
            let mut to = free & !dead_ranks(us, kind);
            if kind == Kind::Pawn {
                to &= self.pieces(us, Kind::Pawn).other_files();
                to &= !self.mating_drop(to);
            }
            if !to.is_empty() && sink.drops(kind, to) {
                return true;
            }
        }
        false
    }

    /// The square in `free` where the drop of a pawn mates, which is not allowed (打ち歩詰め).
    #[inline]
    fn mating_drop(&self, free: Squares) -> Squares {
        let (us, them) = (self.turn(), self.turn().other());
        let none = Squares::NONE;
        let Some(king) = self.king(them) else {
            return none;
        };
        let front = attacks::pawn(them, king) & free;
        let Some(to) = front.first() else {
            return none;
        };
        // The king takes a pawn without protection.
        if !self.attacks(us, to, self.occupied()) {
            return none;
        }
        let mut after = self.clone();
        after.play(moves::drop(Kind::Pawn, to));
        if after.can_move() { none } else { front }
    }

    /// Returns whether there is a legal move.
    pub(crate) fn can_move(&self) -> bool {
        self.generate(Squares::ALL, &mut Finder)
    }

    /// Number of legal moves.
    #[inline]
    pub(crate) fn count_moves(&self) -> usize {
        let mut counter = Counter(0);
        self.generate(Squares::ALL, &mut counter);
        counter.0 as usize
    }

    /// Leaves below the position: the moves of the last ply are counted without playing them.
    pub(crate) fn leaves(&mut self, depth: u32, finished: u64) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        if depth == 1 {
            nodes = self.count_moves() as u64;
        } else {
            let before = self.clone();
            before.generate(
                Squares::ALL,
                &mut Each(|mv| {
                    let undo = self.play(mv);
                    nodes += self.leaves(depth - 1, finished);
                    self.take_back(mv, undo);
                }),
            );
        }
        if nodes == 0 && !self.can_move() {
            return finished;
        }
        nodes
    }
}
