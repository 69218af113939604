//! Counts the occurrences of terms. Each group of terms has a function that counts for one side;
//! the evaluation takes the difference of both.

mod army;
pub(super) mod cannons;
pub(super) mod guards;
pub(super) mod hanging;
pub(super) mod horses;
pub(super) mod king;
pub(super) mod mobility;
pub(super) mod pawns;
pub(super) mod rooks;
pub(super) mod teamwork;
pub(super) mod threats;
mod zones;

#[cfg(test)]
mod tests;

use army::Army;
use zones::Zones;

use super::terms::{Terms, Wanted};
use crate::Xiangqi;
use leitai_game::Side;

/// A position from one side's point of view.
pub(super) struct View<'a> {
    position: &'a Xiangqi,
    us: &'a Army,
    them: &'a Army,
    /// The parts of the board, from our side.
    zones: &'static Zones,
}

/// Red's counts minus Black's, in the order of the terms.
#[inline]
pub(super) fn balance(position: &Xiangqi, wanted: &Wanted) -> [i32; Terms::COUNT] {
    let (red, black) = (
        Army::of(position, Side::First),
        Army::of(position, Side::Second),
    );
    let counts = |us, them, side: Side| {
        let view = View {
            position,
            us,
            them,
            zones: &Zones::OF[side.index()],
        };
        Terms::count(&view, wanted).numbers()
    };
    let mut balance = counts(&red, &black, Side::First);
    let others = counts(&black, &red, Side::Second);
    for (own, other) in balance.iter_mut().zip(others) {
        *own -= other;
    }
    balance
}
