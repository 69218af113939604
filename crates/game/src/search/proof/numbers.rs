//! Proof and disproof numbers.

use super::{AndOr, Outcome};

/// The number of an impossible goal.
pub(super) const INFINITE: u32 = u32::MAX;

/// The largest number of an open node: sums stop here, so that only a decided node has an infinite
/// number.
pub(super) const LARGEST: u32 = INFINITE - 1;

/// The proof and the disproof number of a node: the minimum number of leaves that must be proved,
/// or disproved, to prove or disprove the node (Allis 1994). Proved is (0, infinite), disproved
/// (infinite, 0); for an open node both are from 1 to [`LARGEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    pub(super) const NEW: Numbers = Numbers::new(1, 1);

    pub(super) const PROVED: Numbers = Numbers::new(0, INFINITE);

    pub(super) const DISPROVED: Numbers = Numbers::new(INFINITE, 0);

    const fn new(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof }
    }

    /// The numbers of a proved or a disproved node.
    pub(super) const fn decided(proved: bool) -> Numbers {
        if proved {
            Numbers::PROVED
        } else {
            Numbers::DISPROVED
        }
    }

    /// The numbers of a new node with the evaluation `value`: its square, and the square of
    /// `balance` / `value` (Zhang & Chen 2007, with 25 and the cost 0). The quotient is rounded and
    /// both are at least 1: a number of 0 would mean that the node is decided. At 0 the disproof
    /// number is the largest possible.
    pub(super) fn of_value(value: i32, balance: u32) -> Numbers {
        let square = u64::from(value.max(0).unsigned_abs()).pow(2);
        let balance = u64::from(balance).pow(2);
        let open = |number: u64| number.clamp(1, u64::from(LARGEST)) as u32;
        let disproof = match square {
            0 => u64::from(LARGEST),
            square => (balance + square / 2) / square,
        };
        Numbers::new(open(square), open(disproof))
    }

    /// The initial numbers of a new position, and its zone if it is decided.
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

    /// The numbers from one side's view: that of its own success, then that of its failure; the
    /// prover's view if `or`. With them, OR and AND nodes share their code.
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
            Numbers::new(own, other)
        } else {
            Numbers::new(other, own)
        }
    }

    /// Returns whether the node is proved or disproved.
    #[inline]
    pub(super) fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}
