//! The traits of a point near the target.

/// The number of traits.
pub(super) const TRAITS: usize = 39;

/// Traits of a point as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traits(pub(super) u64);

impl Traits {
    /// Adds a trait.
    #[inline]
    pub(super) fn set(&mut self, which: u32) {
        self.0 |= 1 << which;
    }

    /// Adds a trait on a condition.
    #[inline]
    pub(super) fn set_if(&mut self, which: u32, condition: bool) {
        self.0 |= u64::from(condition) << which;
    }

    #[inline]
    pub(super) fn has(self, which: u32) -> bool {
        self.0 & (1 << which) != 0
    }

    /// The sum of the weights of the traits.
    #[inline]
    pub(super) fn worth(self, weights: &[i16; TRAITS]) -> i32 {
        let mut sum = 0;
        let mut left = self.0;
        while left != 0 {
            sum += i32::from(weights[left.trailing_zeros() as usize % TRAITS]);
            left &= left - 1;
        }
        sum
    }
}

/// A liberty of the target.
pub(super) const LIBERTY: u32 = 0;
/// The first of four. A liberty by which the target would get fewer liberties than it has, as many,
/// one more, or more.
pub(super) const GAIN: u32 = 1;
/// An empty neighbour of a liberty.
pub(super) const SECOND: u32 = 5;
/// The first of three. Next to one liberty of the target, to two, or to more.
pub(super) const NEXT: u32 = 6;
/// The first of four. Takes nothing, and the mover's block would have at most one liberty, two,
/// three, or more.
pub(super) const MINE: u32 = 9;
/// The first of four. The other side's block there would have at most one liberty, two, three, or
/// more.
pub(super) const THEIRS: u32 = 13;
/// Takes stones.
pub(super) const TAKES: u32 = 17;
/// The first of three. A liberty of an attacking block that touches the target and has one liberty,
/// two, or three.
pub(super) const SHORT: u32 = 18;
/// A liberty of several such blocks with two or three liberties.
pub(super) const SEVERAL: u32 = 21;
/// A liberty of a defending block that shares one with the target and has at most three.
pub(super) const FRIEND: u32 = 22;
/// Next to another defending block with at most two liberties.
pub(super) const WEAK_FRIEND: u32 = 23;
/// Next to another defending block with more than two liberties.
pub(super) const STRONG_FRIEND: u32 = 24;
/// The first of three. On the first line, the second, or further in.
pub(super) const LINE: u32 = 25;
/// Next to the last move.
pub(super) const LAST: u32 = 28;
/// Two steps from the last move.
pub(super) const NEAR_LAST: u32 = 29;
/// Takes a block that touches a short block of the attacker.
pub(super) const RESCUE: u32 = 30;
/// A liberty of such a block with two liberties.
pub(super) const HALF_RESCUE: u32 = 31;
/// The first of three. A liberty of an attacking block that does not touch the target, but touches
/// a friend or is the block of the last move, and has one liberty, two, or three.
pub(super) const FAR: u32 = 32;
/// Joins blocks of the mover.
pub(super) const JOINS: u32 = 35;
/// Has no empty neighbour.
pub(super) const CLOSED: u32 = 36;
/// Has at least three empty neighbours.
pub(super) const OPEN: u32 = 37;
/// Diagonal to a stone of the target.
pub(super) const DIAGONAL: u32 = 38;
