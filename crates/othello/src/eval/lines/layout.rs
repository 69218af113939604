//! The value of each pattern of a line of eight squares.

use std::sync::LazyLock;

use super::{KINDS, PATTERNS};
use crate::SQUARE_CLASS;
use crate::eval::count::edge;
use crate::eval::numbers::{DISCS, term, tuple};
use crate::eval::terms::{C_SQUARES, CORNERS, EDGES, LINES, X_SQUARES};
use crate::eval::tuples::{Length, Tuple, reversed};
use leitai_game::eval::PackedScore;

/// The squares of a kind of line: one example, which the symmetries of the board map to the others.
pub(super) struct Layout {
    /// The squares in order.
    squares: [u8; 8],
    /// The index where the second diagonal begins; 8 if there is none.
    second: usize,
    /// The tuples that end on each square, with their lengths.
    tuples: [Vec<(Length, Tuple)>; 8],
}

pub(super) static LAYOUTS: LazyLock<[Layout; KINDS]> =
    LazyLock::new(|| std::array::from_fn(Layout::new));

impl Layout {
    fn new(kind: usize) -> Self {
        let below = kind.saturating_sub(4);
        let square = |file: usize| match kind {
            0..4 => 8 * kind + file,
            _ => 8 * ((file + below) % 8) + file,
        };
        let squares: [u8; 8] = std::array::from_fn(|file| square(file) as u8);
        let second = 8 - below;
        let ending = |last: usize| {
            let begin = if last < second { 0 } else { second };
            let known = |length: Length| {
                let first = (last + 1).checked_sub(length.squares())?;
                let wanted = squares.get(first..=last).filter(|_| first >= begin)?;
                let mut tuples = length.shape().tuples.iter();
                let tuple = tuples.find(|it| it.squares[..length.squares()] == *wanted)?;
                Some((length, *tuple))
            };
            Length::ALL.into_iter().filter_map(known).collect()
        };
        Self {
            squares,
            second,
            tuples: std::array::from_fn(ending),
        }
    }

    /// Fills the table of the kind with the values of two stages, doubled.
    pub(super) fn fill(&self, kind: usize, stages: [&[i32]; 2], table: &mut [PackedScore]) {
        // All discs of the first squares; each square triples their number.
        let mut known = 1;
        for last in 0..8 {
            let seen = (last + 1).min(4);
            let added = self.added(kind, last, seen, stages);
            let before = known * 3 / added.len();
            for digit in (0..3).rev() {
                for discs in 0..known {
                    let pattern = digit * known + discs;
                    table[pattern] = table[discs] + added[pattern / before];
                }
            }
            known *= 3;
        }
        let whole = |terms: [i32; 4]| terms.iter().any(|&weight| weight != 0);
        if stages
            .iter()
            .any(|weights| whole(whole_line(kind, weights)))
        {
            let counts = &WHOLE[kind];
            for (sum, counts) in table.iter_mut().zip(counts) {
                let [one, other] = stages.map(|weights| {
                    let weights = whole_line(kind, weights).into_iter();
                    let products = weights
                        .zip(counts)
                        .map(|(weight, count)| weight * i32::from(*count));
                    2 * products.sum::<i32>()
                });
                *sum += PackedScore::new(one, other);
            }
        }
    }

    /// The value that the square `last` adds together with the `seen` - 1 squares before it, by
    /// their discs: the first of them is the lowest digit.
    fn added(
        &self,
        kind: usize,
        last: usize,
        seen: usize,
        stages: [&[i32]; 2],
    ) -> Vec<PackedScore> {
        let patterns = 3_usize.pow(seen as u32);
        let mut added = vec![PackedScore::default(); patterns];
        let mut add = |value: &dyn Fn(usize, &[i32]) -> i32| {
            for (pattern, sum) in added.iter_mut().enumerate() {
                let [one, other] = stages.map(|weights| value(pattern, weights));
                *sum += PackedScore::new(one, other);
            }
        };
        let digit =
            |pattern: usize, back: usize| pattern / 3_usize.pow((seen - 1 - back) as u32) % 3;
        // The owner of the disc: 1, -1 for the enemy, 0 for none.
        let sign = |digit: usize| [0, 1, -1][digit];
        if kind < 4 {
            let square = usize::from(self.squares[last]);
            let is_corner = kind == 0 && (last == 0 || last == 7);
            add(&|pattern, weights| {
                let corner = if is_corner { weights[term(CORNERS)] } else { 0 };
                let value = weights[SQUARE_CLASS[square]] + weights[DISCS];
                sign(digit(pattern, 0)) * (value + corner)
            });
        }
        // Next to a corner: C squares on an edge, X squares on the long diagonal.
        let beside = match kind {
            0 => Some(C_SQUARES),
            4 => Some(X_SQUARES),
            _ => None,
        };
        if let (Some(place), 1 | 7) = (beside, last) {
            let (disc, corner) = if last == 1 { (0, 1) } else { (1, 0) };
            add(&|pattern, weights| {
                let is_given = digit(pattern, corner) == 0;
                2 * i32::from(is_given) * sign(digit(pattern, disc)) * weights[term(place)]
            });
        }
        for &(
            length,
            Tuple {
                class,
                forward,
                backward,
                ..
            },
        ) in &self.tuples[last]
        {
            let others = patterns / length.patterns();
            add(&|pattern, weights| {
                let at = |pattern: usize| weights[tuple(length, class.into(), pattern)];
                let pattern = pattern / others;
                let mut value = 0;
                if forward {
                    value += at(reversed(length, pattern));
                }
                if backward {
                    value += at(pattern);
                }
                2 * value
            });
        }
        added
    }
}

/// The weights of the terms of a whole line: its safe discs, and for an edge its three terms.
fn whole_line(kind: usize, weights: &[i32]) -> [i32; 4] {
    let edge = |place| {
        if kind == 0 {
            weights[term(EDGES + place)]
        } else {
            0
        }
    };
    [weights[term(LINES)], edge(0), edge(1), edge(2)]
}

/// The counts for the weights of [`whole_line`], by kind and discs.
static WHOLE: LazyLock<Vec<Vec<[i8; 4]>>> = LazyLock::new(|| {
    let kinds = LAYOUTS.iter().enumerate();
    let of_kind = |(kind, layout): (usize, &Layout)| {
        let counts = (0..PATTERNS).map(|pattern| {
            let (own, enemy) = sets(pattern);
            let safe = |own, enemy| safe(own, enemy, layout.second);
            let edges = if kind == 0 { edge(own, enemy) } else { [0; 3] };
            let [balanced, unbalanced, wedges] = edges;
            [
                safe(own, enemy) - safe(enemy, own),
                balanced,
                unbalanced,
                wedges,
            ]
            .map(|count| count as i8)
        });
        counts.collect()
    };
    kinds.map(of_kind).collect()
});

/// The discs of a line, from the digits of its pattern.
fn sets(pattern: usize) -> (u8, u8) {
    (0..8).fold((0, 0), |(own, enemy), place| {
        match pattern / 3_usize.pow(place) % 3 {
            1 => (own | 1 << place, enemy),
            2 => (own, enemy | 1 << place),
            _ => (own, enemy),
        }
    })
}

/// The number of discs of `own` that cannot be flipped along the two diagonals of a line, with the
/// second one from index `second` on, or along a row if there is no second one.
fn safe(own: u8, enemy: u8, second: usize) -> i32 {
    let of = |from: usize, length: usize| {
        if length == 0 {
            return 0;
        }
        let squares = u8::MAX >> (8 - length);
        let [own, enemy] = [own, enemy].map(|set| set >> from & squares);
        let safe = if own | enemy == squares {
            own.count_ones()
        } else {
            own.trailing_ones() + (own << (8 - length)).leading_ones()
        };
        safe as i32
    };
    of(0, second) + of(second % 8, 8 - second)
}
