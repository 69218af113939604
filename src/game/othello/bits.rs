//! Which moves there are and what they turn, on sets of squares.

/// The files b to g: a line that is not vertical can only be turned there,
/// for a disc on an edge file has no neighbour beyond it. Leaving the edge
/// files out also keeps shifts from wrapping to the next row.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The squares where the owner of `own` has a legal move.
#[inline]
pub(super) fn mobility(own: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_FILES;
    let ends = line_ends::<1>(own, inner)
        | line_ends::<7>(own, inner)
        | line_ends::<8>(own, opponent)
        | line_ends::<9>(own, inner);
    ends & !(own | opponent)
}

/// The squares just beyond an unbroken run of `through` that starts next to
/// `own`, both ways along the direction whose step is `STEP`. A run has at
/// most six discs, which a doubling (Kogge-Stone) fill reaches in four steps.
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

/// The discs of `opponent` that a disc on `square` (0..=63) would turn for the
/// owner of `own`; none if `square` is out of range.
#[inline]
pub(super) fn flips(own: u64, opponent: u64, square: usize) -> u64 {
    let Some(rays) = RAYS.get(square) else {
        return 0;
    };
    let mut turned = 0;
    for &ray in &rays.up {
        // Adding one carries through everything off the ray and through the
        // opponent's run, and stops on the first other square of the ray.
        let end = (opponent | !ray).wrapping_add(1) & ray & own;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in &rays.down {
        // The nearest other square is the highest one; `| 1` guards the empty
        // set, and `& ray` takes back what it added.
        let others = (ray & !opponent) | 1;
        let end = (1 << 63 >> others.leading_zeros()) & ray & own;
        turned |= (end << 1).wrapping_neg() & ray;
    }
    turned
}

/// The squares seen from one square in each of the eight directions.
struct Rays {
    /// Towards higher squares: right, down-left, down, down-right.
    up: [u64; 4],
    /// Towards lower squares: left, up-right, up, up-left.
    down: [u64; 4],
}

static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    const STEPS: [(i8, i8); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    const NONE: Rays = Rays {
        up: [0; 4],
        down: [0; 4],
    };
    let mut all = [NONE; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (file, row) = STEPS[direction];
            all[square].up[direction] = ray(square, file, row);
            all[square].down[direction] = ray(square, -file, -row);
            direction += 1;
        }
        square += 1;
    }
    all
}

const fn ray(square: usize, file_step: i8, row_step: i8) -> u64 {
    let mut set = 0;
    let mut file = (square % 8) as i8 + file_step;
    let mut row = (square / 8) as i8 + row_step;
    while file >= 0 && file < 8 && row >= 0 && row < 8 {
        set |= 1 << (8 * row + file);
        file += file_step;
        row += row_step;
    }
    set
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Walks square by square, as the rules are told.
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
            // Three densities: `b` thins out the occupied squares.
            for occupied in [a, a | b, a & b] {
                let (own, opponent) = (occupied & c, occupied & !c);
                let mut expected = 0;
                for square in 0..64 {
                    if occupied >> square & 1 == 0 {
                        let turned = flips_by_walking(own, opponent, square);
                        prop_assert_eq!(flips(own, opponent, square), turned);
                        expected |= u64::from(turned != 0) << square;
                    }
                }
                prop_assert_eq!(mobility(own, opponent), expected);
            }
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
