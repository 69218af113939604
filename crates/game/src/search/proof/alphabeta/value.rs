//! Values: what the defender has.

use crate::search::proof::entry::EVERYWHERE;

/// The value of a position that is proved.
pub(super) const PROVED: i32 = 0;

/// The value of a position that is disproved.
pub(super) const DISPROVED: i32 = i32::MAX;

/// The value of an open position by its evaluation: never one of the two above.
pub(super) fn open_value(evaluation: i32) -> i32 {
    evaluation.clamp(0, DISPROVED - 2) + 1
}

/// What came of searching a position.
#[derive(Clone, Debug)]
pub(super) struct Reply<Z> {
    /// Its value, or a bound of it that lies outside of the window.
    pub(super) value: i32,
    /// The zone if it is decided.
    pub(super) zone: Z,
    /// The plies to the end of the proof if it is.
    pub(super) plies: u32,
    /// The first place of the line that the value rests on.
    pub(super) rests_on: u32,
}

impl<Z: Default> Reply<Z> {
    /// A value on any line; with the zone if it is a decision.
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

/// How one side looks at values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// What it wins with.
    pub(super) win: i32,
    /// What it loses with.
    pub(super) loss: i32,
}

impl Side {
    /// The side that wants the proof, for `or`, or the other.
    pub(super) const fn of(or: bool) -> Side {
        if or {
            Side {
                win: PROVED,
                loss: DISPROVED,
            }
        } else {
            Side {
                win: DISPROVED,
                loss: PROVED,
            }
        }
    }

    /// Whether it would rather have `value` than `other`.
    pub(super) const fn prefers(self, value: i32, other: i32) -> bool {
        if self.win == PROVED {
            value < other
        } else {
            value > other
        }
    }
}
