//! The eight symmetries of the board.

/// The class of each square, 0..=9, under the eight symmetries: a1, b1, c1, d1, b2, c2, d2, c3, d3,
/// d4 and their mirror images.
pub const SQUARE_CLASS: [usize; 64] = square_classes();

const fn square_classes() -> [usize; 64] {
    /// By the distances from the nearest edges, the lesser of the two first.
    const CLASS: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, 7, 8], [3, 6, 8, 9]];
    let mut classes = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, row) = (square % 8, square / 8);
        let file = if file < 4 { file } else { 7 - file };
        let row = if row < 4 { row } else { 7 - row };
        classes[square] = CLASS[row][file];
        square += 1;
    }
    classes
}

/// The eight images of a set of squares: the four reflections of the set itself, then those of its
/// transpose. The order is the same for every set, so images of several sets can be combined.
pub(super) fn images(set: u64) -> [u64; 8] {
    let turned = transpose(set);
    [
        set,
        set.swap_bytes(),
        set.reverse_bits().swap_bytes(),
        set.reverse_bits(),
        turned,
        turned.swap_bytes(),
        turned.reverse_bits().swap_bytes(),
        turned.reverse_bits(),
    ]
}

/// Exchanges rows and files (a8 and h1 change places), by swapping blocks of four, two and one
/// squares (Warren, Hacker's Delight, section 7-3).
#[inline]
pub const fn transpose(set: u64) -> u64 {
    const fn swap(set: u64, distance: u32, mask: u64) -> u64 {
        let moved = (set ^ (set >> distance)) & mask;
        set ^ moved ^ (moved << distance)
    }
    let set = swap(set, 28, 0x0000_0000_f0f0_f0f0);
    let set = swap(set, 14, 0x0000_cccc_0000_cccc);
    swap(set, 7, 0x00aa_00aa_00aa_00aa)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_a_square_are_where_the_board_turns_it() {
        for file in 0..8 {
            for row in 0..8 {
                let square = |f: u32, r: u32| 1u64 << (8 * r + f);
                let expected = [
                    square(file, row),
                    square(file, 7 - row),
                    square(7 - file, row),
                    square(7 - file, 7 - row),
                    square(row, file),
                    square(row, 7 - file),
                    square(7 - row, file),
                    square(7 - row, 7 - file),
                ];
                assert_eq!(images(square(file, row)), expected);
            }
        }
    }

    #[test]
    fn a_class_is_an_orbit_of_the_symmetries() {
        for (square, class) in SQUARE_CLASS.into_iter().enumerate() {
            let orbit = images(1 << square)
                .into_iter()
                .fold(0, |set, image| set | image);
            let same_class = (0..64)
                .filter(|&other| SQUARE_CLASS[other] == class)
                .fold(0, |set, other| set | 1 << other);
            assert_eq!(orbit, same_class);
        }
        let named = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27].map(|square: usize| SQUARE_CLASS[square]);
        assert_eq!(named, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
}
