//! Proof and disproof numbers.

use super::{AndOr, Outcome};

/// The number of what cannot be had.
pub(super) const INFINITE: u32 = u32::MAX;

/// The largest number of what is still open: sums stop here, so that only a
/// node that is decided has an infinite number.
pub(super) const LARGEST: u32 = INFINITE - 1;

/// The proof and the disproof number of a node: how many leaves have to be
/// proved, or disproved, at least, for the node to be (Allis 1994). Proved is
/// (0, infinite), disproved (infinite, 0); while a node is open both are from 1
/// to [`LARGEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    pub(super) const NEW: Numbers = Numbers {
        proof: 1,
        disproof: 1,
    };

    pub(super) const PROVED: Numbers = Numbers {
        proof: 0,
        disproof: INFINITE,
    };

    pub(super) const DISPROVED: Numbers = Numbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// Those of a position that is lost for the side that has just moved there: at an
    /// `or` node, or else at an AND node.
    pub(super) const fn lost_by(or: bool) -> Numbers {
        if or {
            Numbers::DISPROVED
        } else {
            Numbers::PROVED
        }
    }

    /// Of a new node whose evaluation is `value`: its square, and the square of
    /// `balance` by it (Zhang & Chen 2007, with 25 and the cost 0). The quotient is
    /// rounded and both are kept from 1 on: a number of 0 would say that the node
    /// is decided. At 0 the disproof number is the largest there is.
    pub(super) fn of_value(value: i32, balance: u32) -> Numbers {
        let square = u64::from(value.max(0).unsigned_abs()).pow(2);
        let balance = u64::from(balance).pow(2);
        let open = |number: u64| number.clamp(1, u64::from(LARGEST)) as u32;
        let disproof = match square {
            0 => u64::from(LARGEST),
            square => (balance + square / 2) / square,
        };
        Numbers {
            proof: open(square),
            disproof: open(disproof),
        }
    }

    /// Of a position that is looked at for the first time, and its zone if it is
    /// decided.
    pub(super) fn first<G: AndOr>(
        game: &mut G,
        with_values: bool,
        balance: u32,
    ) -> (Numbers, Option<G::Zone>) {
        match game.outcome() {
            Outcome::Proved(zone) => (Numbers::PROVED, Some(zone)),
            Outcome::Disproved(zone) => (Numbers::DISPROVED, Some(zone)),
            Outcome::Open if with_values => (Numbers::of_value(game.evaluate(), balance), None),
            Outcome::Open => (Numbers::NEW, None),
        }
    }

    /// The numbers as one side sees them: that of its own success and that of its
    /// failure, of the prover for `or`. Numbers of one side are read in the same
    /// way everywhere, so that OR and AND nodes share their code.
    #[inline]
    pub(super) fn seen_by(self, or: bool) -> (u32, u32) {
        if or {
            (self.proof, self.disproof)
        } else {
            (self.disproof, self.proof)
        }
    }

    /// The inverse of [`seen_by`](Self::seen_by).
    #[inline]
    pub(super) fn from_view(or: bool, own: u32, other: u32) -> Numbers {
        if or {
            Numbers {
                proof: own,
                disproof: other,
            }
        } else {
            Numbers {
                proof: other,
                disproof: own,
            }
        }
    }

    /// Whether there is nothing left to find out.
    #[inline]
    pub(super) fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}
