//! The parts of the board from each side's point of view.

use leitai_game::Side;

/// Parts of the board from one side's point of view, as sets of squares.
pub(super) struct Zones {
    /// The half beyond the river.
    pub(super) far_half: u128,
    /// The own rank 0.
    pub(super) home_rank: u128,
    /// The enemy's rank 0.
    pub(super) far_rank: u128,
    /// The nine squares of the own palace.
    pub(super) palace: u128,
    /// The squares from which an enemy pawn attacks a square of the own palace.
    pub(super) pawns_at_palace: u128,
    /// The centre of the own palace.
    pub(super) palace_centre: u128,
}

const fn rank(rank: usize) -> u128 {
    0x1ff << (rank * 9)
}

/// The squares of files `from` to `to`.
const fn files(from: usize, to: usize) -> u128 {
    let mut set = 0;
    let mut square = 0;
    while square < 90 {
        if from <= square % 9 && square % 9 <= to {
            set |= 1 << square;
        }
        square += 1;
    }
    set
}

/// The squares of file number `file`.
pub(super) const FILES: [u128; 9] = {
    let mut table = [0; 9];
    let mut file = 0;
    while file < 9 {
        table[file] = files(file, file);
        file += 1;
    }
    table
};

const BOARD: u128 = (1 << 90) - 1;

impl Zones {
    const fn of(side: Side) -> Self {
        // The side's own rank `own`, as a rank of Red's.
        const fn own(side: Side, own: usize) -> u128 {
            match side {
                Side::First => rank(own),
                Side::Second => rank(9 - own),
            }
        }
        let near = own(side, 0) | own(side, 1) | own(side, 2);
        let mut far_half = 0;
        let mut at = 5;
        while at < 10 {
            far_half |= own(side, at);
            at += 1;
        }
        Self {
            far_half,
            home_rank: own(side, 0),
            far_rank: own(side, 9),
            palace: near & files(3, 5),
            pawns_at_palace: near & files(2, 6) | own(side, 3) & files(3, 5),
            palace_centre: own(side, 1) & files(4, 4),
        }
    }

    /// The parts of the board by side.
    pub(super) const OF: [Zones; 2] = [Zones::of(Side::First), Zones::of(Side::Second)];
}

/// The squares one step ahead of those of `set`, from the point of view of `side`.
#[inline]
pub(super) const fn ahead(side: Side, set: u128) -> u128 {
    match side {
        Side::First => set << 9 & BOARD,
        Side::Second => set >> 9,
    }
}

/// The squares to the right of those of `set`.
#[inline]
pub(super) const fn right(set: u128) -> u128 {
    (set & !FILES[8]) << 1
}

/// The squares to the left of those of `set`.
#[inline]
pub(super) const fn left(set: u128) -> u128 {
    (set & !FILES[0]) >> 1
}
