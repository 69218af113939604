//! One line after another, for all processors.

use super::INNER_FILES;
use super::rays::Rays;

#[inline]
pub(super) fn mobility(own: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_FILES;
    let ends = line_ends::<1>(own, inner)
        | line_ends::<7>(own, inner)
        | line_ends::<8>(own, opponent)
        | line_ends::<9>(own, inner);
    ends & !(own | opponent)
}

/// The squares just beyond an unbroken run of `through` that starts next to `own`, in both
/// directions along the step `STEP`. A run has at most six discs, which a Kogge-Stone doubling fill
/// reaches in four steps.
#[inline]
fn line_ends<const STEP: u32>(own: u64, through: u64) -> u64 {
    let pairs = through & (through << STEP);
    let mut up = through & (own << STEP);
    up |= through & (up << STEP);
    up |= pairs & (up << (2 * STEP));
    up |= pairs & (up << (2 * STEP));
    let pairs = pairs >> STEP;
    let mut down = through & (own >> STEP);
    down |= through & (down >> STEP);
    down |= pairs & (down >> (2 * STEP));
    down |= pairs & (down >> (2 * STEP));
    (up << STEP) | (down >> STEP)
}

#[inline]
pub(super) fn flips(rays: &Rays, own: u64, opponent: u64) -> u64 {
    let mut turned = 0;
    for &ray in &rays.up {
        // Adding one carries through everything off the ray and through the opponent's run, and
        // stops at the next square of the ray.
        let end = (opponent | !ray).wrapping_add(1) & ray & own;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in &rays.down {
        // The nearest other square is the highest one; `| 1` handles the empty set, and `& ray`
        // removes that bit again.
        let others = (ray & !opponent) | 1;
        let end = (1 << 63 >> others.leading_zeros()) & ray & own;
        turned |= (end << 1).wrapping_neg() & ray;
    }
    turned
}
