//! What there is to say of a point near the target.

/// How many traits there are.
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
/// A liberty by which the target would come to fewer liberties than it has, to as many, to one more, to more: the
/// first of four.
pub(super) const GAIN: u32 = 1;
/// An empty neighbour of a liberty.
pub(super) const SECOND: u32 = 5;
/// Next to one liberty of the target, to two, to more: the first of three.
pub(super) const NEXT: u32 = 6;
/// Takes nothing, and the mover's block would have at most one liberty, two, three, more: the first of four.
pub(super) const MINE: u32 = 9;
/// The other side's block there would have at most one liberty, two, three, more: the first of four.
pub(super) const THEIRS: u32 = 13;
/// Takes stones.
pub(super) const TAKES: u32 = 17;
/// A liberty of a block of the attacker that touches the target and has one liberty, two, three: the first of three.
pub(super) const SHORT: u32 = 18;
/// A liberty of several such blocks.
pub(super) const SEVERAL: u32 = 21;
/// A liberty of a block of the defender that shares one with the target and has at most three.
pub(super) const FRIEND: u32 = 22;
/// Next to another block of the defender with at most two liberties.
pub(super) const WEAK_FRIEND: u32 = 23;
/// Next to another block of the defender with more.
pub(super) const STRONG_FRIEND: u32 = 24;
/// On the first line, the second, further in: the first of three.
pub(super) const LINE: u32 = 25;
/// Next to the last move.
pub(super) const LAST: u32 = 28;
/// Two steps from the last move.
pub(super) const NEAR_LAST: u32 = 29;
/// Takes a block that touches a short block of the attacker's.
pub(super) const RESCUE: u32 = 30;
/// A liberty of such a block that has two.
pub(super) const HALF_RESCUE: u32 = 31;
/// A liberty of a block of the attacker that does not touch the target, but a friend, or is the last move's, and has one
/// liberty, two, three: the first of three.
pub(super) const FAR: u32 = 32;
/// Joins blocks of the mover.
pub(super) const JOINS: u32 = 35;
/// Has no empty neighbour.
pub(super) const CLOSED: u32 = 36;
/// Has at least three.
pub(super) const OPEN: u32 = 37;
/// Diagonal to a stone of the target.
pub(super) const DIAGONAL: u32 = 38;
