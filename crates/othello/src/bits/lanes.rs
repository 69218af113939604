//! Four lines at once: the lanes of an AVX2 register are the row, the two
//! diagonals and the column.

use safe_arch::{
    add_i64_m256i, bitand_m256i, bitandnot_m256i, bitor_m128i, bitor_m256i, cmp_eq_mask_i64_m256i,
    extract_m128i_m256i, get_i64_from_m128i_s, m256i, set_splat_i64_m256i, shl_each_u64_m256i,
    shr_each_u64_m256i, sub_i64_m256i, unpack_high_i64_m128i, zeroed_m256i,
};

use super::INNER_FILES;
use super::rays::Rays;

/// The step from square to square along each line, towards higher squares.
const STEPS: [u64; 4] = [1, 7, 8, 9];
const DOUBLE_STEPS: [u64; 4] = [2, 14, 16, 18];
const FOURFOLD_STEPS: [u64; 4] = [4, 28, 32, 36];

/// The squares where each line can continue.
const THROUGH: [u64; 4] = [INNER_FILES, INNER_FILES, u64::MAX, INNER_FILES];

/// The union of the sets of all lanes.
#[inline]
fn union(lanes: m256i) -> u64 {
    let [low, high] = [
        extract_m128i_m256i::<0>(lanes),
        extract_m128i_m256i::<1>(lanes),
    ];
    let pair = bitor_m128i(low, high);
    let all = bitor_m128i(pair, unpack_high_i64_m128i(pair, pair));
    get_i64_from_m128i_s(all) as u64
}

#[inline]
fn splat(set: u64) -> m256i {
    set_splat_i64_m256i(set as i64)
}

/// Kogge-Stone doubling fills both directions from the own discs through the opponent's: a run has
/// at most six discs, which four steps reach.
#[inline]
pub(super) fn mobility(own: u64, opponent: u64) -> u64 {
    let one = m256i::from(STEPS);
    let two = m256i::from(DOUBLE_STEPS);
    let start = splat(own);
    let through = bitand_m256i(splat(opponent), m256i::from(THROUGH));
    let pairs_up = bitand_m256i(through, shl_each_u64_m256i(through, one));
    let pairs_down = shr_each_u64_m256i(pairs_up, one);
    let mut up = bitand_m256i(through, shl_each_u64_m256i(start, one));
    let mut down = bitand_m256i(through, shr_each_u64_m256i(start, one));
    up = bitor_m256i(up, bitand_m256i(through, shl_each_u64_m256i(up, one)));
    down = bitor_m256i(down, bitand_m256i(through, shr_each_u64_m256i(down, one)));
    for _ in 0..2 {
        up = bitor_m256i(up, bitand_m256i(pairs_up, shl_each_u64_m256i(up, two)));
        down = bitor_m256i(
            down,
            bitand_m256i(pairs_down, shr_each_u64_m256i(down, two)),
        );
    }
    let ends = bitor_m256i(shl_each_u64_m256i(up, one), shr_each_u64_m256i(down, one));
    union(ends) & !(own | opponent)
}

#[inline]
pub(super) fn flips(rays: &Rays, own: u64, opponent: u64) -> u64 {
    let zero = zeroed_m256i();
    let [own, opponent] = [splat(own), splat(opponent)];
    let [up, down] = [m256i::from(rays.up), m256i::from(rays.down)];

    // Upwards the nearest square without an opponent's disc is the lowest bit; if it is an own
    // disc, the bits of the ray below it are flipped.
    let others = bitandnot_m256i(opponent, up);
    let nearest = bitand_m256i(others, sub_i64_m256i(zero, others));
    let end = bitand_m256i(nearest, own);
    let below = bitand_m256i(add_i64_m256i(end, splat(u64::MAX)), up);
    let turned_up = bitandnot_m256i(cmp_eq_mask_i64_m256i(end, zero), below);

    // Downwards it is the highest bit, for which there is no such formula: remove everything behind
    // another bit.
    let others = bitandnot_m256i(opponent, down);
    let mut behind = shr_each_u64_m256i(others, m256i::from(STEPS));
    for steps in [STEPS, DOUBLE_STEPS, FOURFOLD_STEPS] {
        behind = bitor_m256i(behind, shr_each_u64_m256i(behind, m256i::from(steps)));
    }
    let end = bitand_m256i(bitandnot_m256i(behind, others), own);
    let above = sub_i64_m256i(zero, add_i64_m256i(end, end));
    let turned_down = bitand_m256i(above, down);

    union(bitor_m256i(turned_up, turned_down))
}
