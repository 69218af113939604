//! Numbers of positions.
//!
//! Pieces of one kind and colour form a group. The first group leads: the pawns of one side; without
//! pawns, three pieces that are the only ones of their kind and colour, or else the kings.
//! Reflections of the board move the leading group to standard squares. Each group has a number for
//! its squares, and a factor; the number of a position is the sum of their products. A factor is the
//! number of arrangements of all earlier groups, in an order that the file contains.

use std::cmp::Reverse;

use super::material::Material;

/// The standard squares of a leading king: six off the diagonal, then four on it.
const LEADING_KING: [usize; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// Numbers the positions of one part: one side to move, and the leading pawn on one file.
#[derive(Debug)]
pub(super) struct Numbering {
    /// The codes of the pieces, in the order of the groups.
    pub(super) codes: Vec<u8>,
    /// The number of positions.
    pub(super) positions: u64,
    /// The number of pieces and the factor of each group.
    groups: Vec<(usize, u64)>,
    /// The number of groups of pawns.
    pawns: usize,
}

impl Numbering {
    /// Reads a header: the places of the leading group and of the other pawns in the order of factors,
    /// and the codes of the pieces. `None` for other pieces or an impossible order.
    pub(super) fn new(material: Material, header: &[u8], file: usize) -> Option<Self> {
        let pawns = material.pawns();
        let (places, codes) = header.split_at_checked(pawns.len().max(1))?;
        let [mut kinds, mut sorted] = [codes.to_vec(), codes.to_vec()];
        sorted.sort_unstable();
        let has_pieces = sorted == material.codes();
        sorted.dedup();
        kinds.dedup();
        let mut sizes: Vec<usize> = kinds.iter().map(|&code| material.count(code)).collect();
        let mut leads = kinds.starts_with(&pawns);
        if pawns.is_empty() {
            let singles = sizes.iter().filter(|&&size| size == 1).count().min(3);
            leads = sizes.drain(..singles).all(|size| size == 1);
            sizes.insert(0, singles);
        }
        // Pieces of one kind are adjacent if there are no more groups than kinds.
        if !has_pieces || !leads || kinds.len() != sorted.len() {
            return None;
        }
        let mut factors = vec![0; sizes.len()];
        let mut positions = 1;
        let mut free = 64 - sizes[..places.len()].iter().sum::<usize>();
        let mut others = places.len()..sizes.len();
        for step in 0..sizes.len() {
            let named = places.iter().position(|&place| usize::from(place) == step);
            let index = named.or_else(|| others.next())?;
            factors[index] = positions;
            positions *= match (index, sizes[index]) {
                (0, size) if !pawns.is_empty() => pawns_before(file, 7, size),
                (0, 2) => 462,
                (0, _) => 31_332,
                (1, size) if pawns.len() == 2 => combinations(48 - sizes[0], size),
                (_, size) => {
                    free -= size;
                    combinations(free + size, size)
                }
            };
        }
        Some(Self {
            codes: codes.to_vec(),
            positions,
            groups: sizes.into_iter().zip(factors).collect(),
            pawns: pawns.len(),
        })
    }

    /// The number of the position with these squares, in the order of the codes; pieces of one group in
    /// any order. `None` for adjacent kings.
    pub(super) fn number(&self, mut squares: Vec<usize>) -> Option<u64> {
        let (leading, _) = self.groups[0];
        let has_pawns = self.pawns > 0;
        if has_pawns {
            let first = (0..leading).min_by_key(|&index| pawn_place(squares[index]))?;
            squares.swap(0, first);
        }
        let is_beyond = [squares[0] % 8 > 3, squares[0] / 8 > 3 && !has_pawns].map(usize::from);
        for square in &mut squares {
            *square ^= 0o07 * is_beyond[0] + 0o70 * is_beyond[1];
        }
        let off = squares[..leading].iter().find(|&&square| is_off(square));
        if off.is_some_and(|square| square / 8 > square % 8) && !has_pawns {
            for square in &mut squares {
                *square = *square % 8 * 8 + *square / 8;
            }
        }
        let (mut number, mut placed) = (0, 0);
        for (index, &(size, factor)) in self.groups.iter().enumerate() {
            let (before, rest) = squares.split_at_mut(placed);
            let own = &mut rest[..size];
            let own_number = match (index, &mut *own) {
                (0, own) if has_pawns => leading_pawns(own),
                (0, &mut [one, two]) => kings(one, two)?,
                (0, &mut [one, two, three]) => singles(one, two, three),
                _ => {
                    // Pawns have no squares before a2.
                    let first = if index < self.pawns { 8 } else { 0 };
                    own.sort_unstable();
                    let rank = |(place, square): (usize, &usize)| {
                        let taken = before.iter().filter(|&it| it < square).count();
                        combinations(square - taken - first, place + 1)
                    };
                    own.iter().enumerate().map(rank).sum()
                }
            };
            number += own_number * factor;
            placed += size;
        }
        Some(number)
    }
}

/// The file of a leading pawn, counted from the nearer edge.
pub(super) fn leading_file(pawns: &[usize]) -> usize {
    let files = pawns.iter().map(|square| square % 8);
    files.map(|file| file.min(7 - file)).min().unwrap_or(0)
}

/// The index of a pawn's square on its half of the board, by files from the edge: the pawn with the
/// lowest index leads.
fn pawn_place(square: usize) -> usize {
    8 * leading_file(&[square]) + square / 8
}

/// The index of a pawn's square in the order of the leading side's pawns: the lowest is in the middle
/// of the seventh rank, the highest is a2.
fn pawn_order(square: usize) -> usize {
    let (file, rank) = (square % 8, square / 8);
    49 - 12 * file.min(7 - file) - 2 * rank - usize::from(file > 3)
}

/// The number of positions of `count` pawns with the leading pawn on a file, below a rank.
fn pawns_before(file: usize, rank: usize, count: usize) -> u64 {
    let ranks = (1..rank).map(|rank| combinations(pawn_order(8 * rank + file), count - 1));
    ranks.sum()
}

/// The number of the squares of the leading side's pawns, with the leading pawn first.
fn leading_pawns(pawns: &mut [usize]) -> u64 {
    let (first, count) = (pawns[0], pawns.len());
    pawns[1..].sort_unstable_by_key(|&square| Reverse(pawn_order(square)));
    let others = pawns.iter().enumerate().skip(1);
    let others = others.map(|(place, &square)| combinations(pawn_order(square), count - place));
    pawns_before(first % 8, first / 8, count) + others.sum::<u64>()
}

/// The number of the squares of two kings; `None` if they are adjacent.
fn kings(one: usize, two: usize) -> Option<u64> {
    let apart =
        |one: usize, two: usize| (one % 8).abs_diff(two % 8) > 1 || (one / 8).abs_diff(two / 8) > 1;
    let is_above = |square: usize| square / 8 > square % 8;
    let pairs = LEADING_KING
        .iter()
        .flat_map(|&one| (0..64).map(move |two| (one, two)));
    let pairs = pairs.filter(|&(one, two)| apart(one, two) && (is_off(one) || !is_above(two)));
    let mut pairs: Vec<_> = pairs.collect();
    // Pairs with both kings on the diagonal are last.
    pairs.sort_by_key(|&(one, two)| !is_off(one) && !is_off(two));
    let number = pairs.iter().position(|&pair| pair == (one, two))?;
    Some(number as u64)
}

/// The number of the squares of three pieces, none of the same kind and colour.
fn singles(one: usize, two: usize, three: usize) -> u64 {
    let two_free = usize::from(two > one);
    let three_free = usize::from(three > one) + usize::from(three > two);
    let number = if is_off(one) {
        (below(one, 4) * 63 + two - two_free) * 62 + three - three_free
    } else if is_off(two) {
        let before = 6 * 63 * 62;
        before + (one % 8 * 28 + below(two, 8)) * 62 + three - three_free
    } else {
        let before = (6 * 63 + 4 * 28) * 62;
        let pair = one % 8 * 7 + two % 8 - two_free;
        if is_off(three) {
            before + pair * 28 + below(three, 8)
        } else {
            before + 4 * 7 * 28 + pair * 6 + three % 8 - three_free
        }
    };
    number as u64
}

/// Returns whether a square is off the diagonal from a1 to h8.
fn is_off(square: usize) -> bool {
    square % 8 != square / 8
}

/// The index of a square below the diagonal, by ranks, on a board of this width.
fn below(square: usize, width: usize) -> usize {
    let (file, rank) = (square % 8, square / 8);
    rank * (2 * width - 1 - rank) / 2 + file - rank - 1
}

/// The number of ways to choose `count` of `n` squares.
fn combinations(n: usize, count: usize) -> u64 {
    let choose = |ways, taken| ways * n.saturating_sub(taken) / (taken + 1);
    (0..count).fold(1, choose) as u64
}
