//! Values of positions, as seen by the defender.

use crate::search::proof::entry::EVERYWHERE;

/// The value of a proved position.
pub(super) const PROVED: i32 = 0;

/// The value of a disproved position.
pub(super) const DISPROVED: i32 = i32::MAX;

/// The value of an open position with this evaluation: never one of the two above.
pub(super) fn open_value(evaluation: i32) -> i32 {
    evaluation.clamp(0, DISPROVED - 2) + 1
}

/// The result of searching a position.
#[derive(Clone, Debug)]
pub(super) struct Reply<Z> {
    /// The value, or a bound of it outside the window.
    pub(super) value: i32,
    /// The zone, if the position is decided.
    pub(super) zone: Z,
    /// Plies to the end of the proof, if the position is decided.
    pub(super) plies: u32,
    /// The earliest place of the line on which the value depends.
    pub(super) rests_on: u32,
}

impl<Z: Default> Reply<Z> {
    /// A value that holds on any line; with the zone if it is a decision.
    pub(super) fn new(value: i32, zone: Z) -> Self {
        Self {
            value,
            zone,
            plies: 0,
            rests_on: EVERYWHERE,
        }
    }

    pub(super) fn open(value: i32) -> Self {
        Self::new(value, Z::default())
    }
}
