//! Discs that can no longer be flipped, on sets of squares.
//!
//! A disc is flipped along a line (a row, a file or a diagonal) if it is in a run of its colour
//! between a new disc of the enemy and another one. That cannot happen on a full line, nor to an
//! unbroken run of discs up to an end of the line.

/// The step from a square to the next one of its line: along the row, the file and the two
/// diagonals.
const STEPS: [u32; 4] = [1, 8, 9, 7];

/// For the direction of a line, the squares with fewer than one, two and four squares before them
/// on their line, and the same for squares after them.
#[derive(Clone, Copy)]
struct Ends {
    before: [u64; 3],
    after: [u64; 3],
}

const ENDS: [Ends; 4] = ends();

const fn ends() -> [Ends; 4] {
    const TOWARDS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    const NEAR: [i8; 3] = [1, 2, 4];
    let mut all = [Ends {
        before: [0; 3],
        after: [0; 3],
    }; 4];
    let mut line = 0;
    while line < 4 {
        let (file_step, row_step) = TOWARDS[line];
        let mut level = 0;
        while level < 3 {
            let distance = NEAR[level];
            let mut square = 0;
            while square < 64 {
                let file = (square % 8) as i8;
                let row = (square / 8) as i8;
                if is_off(file - distance * file_step, row - distance * row_step) {
                    all[line].before[level] |= 1 << square;
                }
                if is_off(file + distance * file_step, row + distance * row_step) {
                    all[line].after[level] |= 1 << square;
                }
                square += 1;
            }
            level += 1;
        }
        line += 1;
    }
    all
}

const fn is_off(file: i8, row: i8) -> bool {
    file < 0 || file > 7 || row < 0 || row > 7
}

/// The squares of `set` for which all squares before them on their line are in it.
#[inline]
const fn from_first(set: u64, line: usize) -> u64 {
    let [one, two, four] = ENDS[line].before;
    let step = STEPS[line];
    let set = set & ((set << step) | one);
    let set = set & ((set << (2 * step)) | two);
    set & ((set << (4 * step)) | four)
}

/// The squares of `set` for which all squares after them on their line are in it.
#[inline]
const fn from_last(set: u64, line: usize) -> u64 {
    let [one, two, four] = ENDS[line].after;
    let step = STEPS[line];
    let set = set & ((set >> step) | one);
    let set = set & ((set >> (2 * step)) | two);
    set & ((set >> (4 * step)) | four)
}

/// The squares whose line has no empty square, given the `occupied` ones.
#[inline]
const fn full(occupied: u64, line: usize) -> u64 {
    from_first(occupied, line) & from_last(occupied, line)
}

/// The discs of `own` that cannot be flipped along a line in the present position, for each of the
/// four lines through them: row, file, and the diagonals that fall and rise from left to right. The
/// line is full, or an unbroken run of discs of the same side leads to an end of it. `own` and
/// `enemy` are disjoint.
#[inline]
pub fn safe_along_lines(own: u64, enemy: u64) -> [u64; 4] {
    let occupied = own | enemy;
    std::array::from_fn(|line| {
        own & full(occupied, line) | from_first(own, line) | from_last(own, line)
    })
}

/// Discs of `own` that no play can flip any more; may miss some. Counts discs that, on each of the
/// four lines through them, are on a full line, at an end of it, or next to another such disc.
/// `own` and `enemy` are disjoint.
#[inline]
pub fn stable_discs(own: u64, enemy: u64) -> u64 {
    let occupied = own | enemy;
    let firm: [u64; 4] = std::array::from_fn(|line| {
        let ends = ENDS[line];
        full(occupied, line) | ends.before[0] | ends.after[0]
    });
    let mut stable = own & firm[0] & firm[1] & firm[2] & firm[3];
    // Only discs next to one of these can become stable.
    loop {
        let mut more = own;
        for (line, firm) in firm.iter().enumerate() {
            let (step, ends) = (STEPS[line], ENDS[line]);
            let next = (stable << step) & !ends.before[0] | (stable >> step) & !ends.after[0];
            more &= firm | next;
        }
        if more == stable {
            return stable;
        }
        stable = more;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::any_position;
    use leitai_game::{MoveList, Position, Side};

    const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

    /// The squares of the line through `square`, from one end to the other.
    fn line_of(square: i32, (right, down): (i32, i32)) -> Vec<i32> {
        let on_board = |file: i32, row: i32| (0..8).contains(&file) && (0..8).contains(&row);
        let (mut file, mut row) = (square % 8, square / 8);
        while on_board(file - right, row - down) {
            (file, row) = (file - right, row - down);
        }
        let mut squares = Vec::new();
        while on_board(file, row) {
            squares.push(8 * row + file);
            (file, row) = (file + right, row + down);
        }
        squares
    }

    proptest! {
        #[test]
        fn stable_lines_equal_a_walk_along_them(position in any_position()) {
            let [own, enemy] = Side::BOTH.map(|side| position.discs(side));
            let has = |set: u64, square: &i32| set >> square & 1 != 0;
            let found = safe_along_lines(own, enemy);
            for (line, direction) in DIRECTIONS.into_iter().enumerate() {
                for square in (0..64).filter(|square| has(own, square)) {
                    let squares = line_of(square, direction);
                    let place = squares.iter().position(|&other| other == square).unwrap();
                    let safe = squares.iter().all(|square| has(own | enemy, square))
                        || squares[..place].iter().all(|square| has(own, square))
                        || squares[place..].iter().all(|square| has(own, square));
                    prop_assert_eq!(has(found[line], &square), safe, "{} {}", line, square);
                }
                prop_assert_eq!(found[line] & !own, 0);
            }
        }

        /// Holds for any sequence of plays by both sides.
        #[test]
        fn discs_called_stable_are_never_turned(
            position in any_position(),
            choices in prop::collection::vec(any::<usize>(), 40),
        ) {
            let stable = Side::BOTH.map(|side| {
                stable_discs(position.discs(side), position.discs(side.other()))
            });
            let mut now = position;
            for choice in choices {
                let mut moves = MoveList::new();
                now.legal_moves(&mut moves);
                let Some(&mv) = moves.get(choice % moves.len().max(1)) else { break };
                now.make(mv);
                for side in Side::BOTH {
                    let kept = stable[side.index()];
                    prop_assert_eq!(kept & !now.discs(side), 0);
                    let later = stable_discs(now.discs(side), now.discs(side.other()));
                    prop_assert_eq!(kept & !later, 0, "what is stable stays so");
                }
            }
        }

        #[test]
        fn images_are_as_stable(position in any_position()) {
            let of = |position: &super::super::Othello| {
                let [own, enemy] = Side::BOTH.map(|side| position.discs(side));
                (
                    stable_discs(own, enemy).count_ones(),
                    safe_along_lines(own, enemy).map(u64::count_ones).iter().sum::<u32>(),
                )
            };
            for image in position.images() {
                prop_assert_eq!(of(&image), of(&position));
            }
        }
    }

    #[test]
    fn known_discs_are_stable() {
        // A corner, its neighbours on the edge, and the triangle behind them.
        assert_eq!(stable_discs(1, 0), 1);
        assert_eq!(stable_discs(2, 0), 0);
        assert_eq!(stable_discs(0x0f, 0), 0x0f);
        assert_eq!(stable_discs(0x0001_0307, 0), 0x0001_0307);
        assert_eq!(
            stable_discs(0x0203, 0),
            0x03,
            "b2 can be turned on a diagonal"
        );
        // A full edge of both colours.
        assert_eq!(stable_discs(0x3c, 0xc3), 0x3c);
        assert_eq!(stable_discs(u64::MAX, 0), u64::MAX);
        assert_eq!(stable_discs(1 << 27, !(1 << 27)), 1 << 27);
        assert_eq!(stable_discs(1 << 27 | 1 << 36, 1 << 28 | 1 << 35), 0);
    }
}
