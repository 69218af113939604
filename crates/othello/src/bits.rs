//! Legal moves and flipped discs, on sets of squares.
//!
//! Both run along four lines in two directions each. With AVX2 the four lines are the four lanes of
//! one register (`lanes`), on other processors they are computed one after another (`lines`).

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod lanes;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod lines;
mod rays;
mod stability;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use lanes as fast;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use lines as fast;

pub(crate) use stability::stable;

/// The files b to g: a line that is not vertical can only flip discs there, since a disc on an edge
/// file has no neighbour beyond it. Excluding the edge files also keeps shifts from wrapping to the
/// next row.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The squares where the owner of `own` has a legal move.
#[inline]
pub(crate) fn mobility(own: u64, opponent: u64) -> u64 {
    fast::mobility(own, opponent)
}

/// The discs of `opponent` that a disc on `square` (0..=63) would flip for the owner of `own`; none
/// if `square` is out of range.
#[inline]
pub(crate) fn flips(own: u64, opponent: u64, square: usize) -> u64 {
    match rays::RAYS.get(square) {
        Some(rays) => fast::flips(rays, own, opponent),
        None => 0,
    }
}

/// Number of leaves `depth` plies below a position whose side to move owns `own`. A forced pass is
/// a ply; a game that ends earlier counts as `finished`.
pub(super) fn count_leaves(own: u64, opponent: u64, depth: u32, finished: u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = mobility(own, opponent);
    if moves == 0 {
        return if mobility(opponent, own) == 0 {
            finished
        } else {
            count_leaves(opponent, own, depth - 1, finished)
        };
    }
    if depth == 1 {
        return u64::from(moves.count_ones());
    }
    let mut leaves = 0;
    while moves != 0 {
        let square = moves.trailing_zeros() as usize;
        let turned = flips(own, opponent, square);
        let after = own | turned | 1 << square;
        leaves += count_leaves(opponent ^ turned, after, depth - 1, finished);
        moves &= moves - 1;
    }
    leaves
}

/// The bits of `set` at the places of `mask`, packed at the lower end.
#[inline]
pub(crate) fn gather(set: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        safe_arch::population_extract_u64(set, mask)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        gather_bit_by_bit(set, mask)
    }
}

/// The same for processors without such an instruction.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn gather_bit_by_bit(set: u64, mut mask: u64) -> u64 {
    let mut gathered = 0;
    let mut place = 0;
    while mask != 0 {
        gathered |= (set >> mask.trailing_zeros() & 1) << place;
        mask &= mask - 1;
        place += 1;
    }
    gathered
}

/// Each set of bits as digits 0 and 1 in base three, with the first bit as the lowest digit.
pub(crate) const fn ternary<const SETS: usize>() -> [u16; SETS] {
    let mut digits = [0; SETS];
    let mut set = 1;
    while set < SETS {
        digits[set] = 3 * digits[set >> 1] + (set & 1) as u16;
        set += 1;
    }
    digits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Walks square by square, exactly as in the rules.
    fn flips_by_walking(own: u64, opponent: u64, square: usize) -> u64 {
        let (file, row) = (square as i32 % 8, square as i32 / 8);
        let mut turned = 0;
        for (df, dr) in [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ] {
            let mut run = 0;
            for distance in 1.. {
                let (f, r) = (file + distance * df, row + distance * dr);
                let on_board = (0..8).contains(&f) && (0..8).contains(&r);
                let bit = if on_board { 1 << (8 * r + f) } else { 0 };
                if opponent & bit != 0 {
                    run |= bit;
                } else {
                    if own & bit != 0 {
                        turned |= run;
                    }
                    break;
                }
            }
        }
        turned
    }

    proptest! {
        #[test]
        fn flips_and_mobility_agree_with_a_walk_over_the_board(
            a in any::<u64>(), b in any::<u64>(), c in any::<u64>(),
        ) {
            // Three densities: `b` adds or removes occupied squares.
            for occupied in [a, a | b, a & b] {
                let (own, opponent) = (occupied & c, occupied & !c);
                let mut expected = 0;
                for square in 0..64 {
                    if occupied >> square & 1 == 0 {
                        let turned = flips_by_walking(own, opponent, square);
                        prop_assert_eq!(flips(own, opponent, square), turned);
                        let rays = &rays::RAYS[square];
                        prop_assert_eq!(lines::flips(rays, own, opponent), turned);
                        expected |= u64::from(turned != 0) << square;
                    }
                }
                prop_assert_eq!(mobility(own, opponent), expected);
                prop_assert_eq!(lines::mobility(own, opponent), expected);
            }
        }
    }

    proptest! {
        #[test]
        fn bits_are_gathered_in_their_order(set in any::<u64>(), mask in any::<u64>()) {
            let gathered = gather(set, mask);
            prop_assert_eq!(gathered, gather_bit_by_bit(set, mask));
            prop_assert_eq!(gathered.count_ones(), (set & mask).count_ones());
            prop_assert_eq!(gather(mask, mask).trailing_ones(), mask.count_ones());
        }
    }

    #[test]
    fn a_whole_edge_turns_from_corner_to_corner() {
        let (row, column) = (0x7e, 0x0001_0101_0101_0100);
        assert_eq!(flips(1 << 7, row, 0), row);
        assert_eq!(flips(1, row, 7), row);
        assert_eq!(flips(1 << 56, column, 0), column);
        assert_eq!(flips(1, column, 56), column);
        assert_eq!(flips(1, row, 64), 0, "there is no square 64");
    }
}
