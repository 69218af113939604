//! Regions of empty squares, approximated by the quadrants of the board.
//!
//! The side that plays last in a region has an advantage there, so moves into regions with an odd
//! number of empty squares come first.

/// The quadrant of a square as one of four bits.
#[inline]
pub(super) const fn quadrant(square: usize) -> u32 {
    1 << (square >> 2 & 1 | square >> 4 & 2)
}

/// The squares of each set of quadrants.
const QUADRANTS: [u64; 16] = quadrants();

const fn quadrants() -> [u64; 16] {
    let mut sets = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut square = 0;
        while square < 64 {
            if quadrant(square) & set as u32 != 0 {
                sets[set] |= 1 << square;
            }
            square += 1;
        }
        set += 1;
    }
    sets
}

/// The quadrants with an odd number of squares of `empties`, as a set of [`quadrant`]s.
pub(super) fn odd_quadrants(empties: u64) -> u32 {
    (0..4).fold(0, |odd, index| {
        let count = (empties & QUADRANTS[1 << index]).count_ones();
        odd | (count & 1) << index
    })
}

/// The squares in these quadrants.
#[inline]
pub(super) fn squares_in(quadrants: u32) -> u64 {
    QUADRANTS[quadrants as usize & 15]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrants_are_quarters_of_the_board() {
        let names = [(0, 1), (3, 1), (4, 2), (27, 1), (32, 4), (63, 8), (31, 2)];
        for (square, bit) in names {
            assert_eq!(quadrant(square), bit, "{square}");
        }
        assert!((0..4).all(|index| QUADRANTS[1 << index].count_ones() == 16));
        assert_eq!(squares_in(15), u64::MAX);
        assert_eq!(odd_quadrants(0b111 << 3), 1);
        assert_eq!(odd_quadrants(u64::MAX), 0);
    }
}
