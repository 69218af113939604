//! What is worth something by line, one look-up for eight squares.
//!
//! A line is a row or a file, or two diagonals of the same direction that have eight
//! squares together, one on each file: the long one, those of seven squares and one,
//! of six and two, and so on. Rows and files have 4 tables, for the symmetries of the
//! board make the others the same; diagonals have 5. The discs of a line are a number
//! in base three, and 32 look-ups are all there is, however many tuples count.

use std::sync::LazyLock;

use super::count::{edge, edges_of};
use super::params::{OthelloWeights, limited};
use super::stage::Pair;
use super::tuples::{Length, Tuple, reversed};
use crate::game::othello::{SQUARE_CLASS, transpose};

/// Discs of a line of eight squares: three to the eighth.
const PATTERNS: usize = 6561;

/// Rows by their distance from the edge, then diagonals by the number of squares of the
/// shorter one.
const KINDS: usize = 9;

/// A table for each kind of line. Values are twice what they count for: a square is on a
/// row and on a file, and has its value from both.
#[derive(Clone, Debug)]
pub(super) struct LineTables(Vec<Pair>);

/// The edges alone; see [`LineTables`].
#[derive(Clone, Debug)]
pub(super) struct EdgeTable(Vec<Pair>);

/// Digits of a set of squares in base three, a square being the bit of its number.
/// The first two are for own discs and for the enemy's, which count twice; the others
/// are the same of the set read from its other end.
static DIGITS: [[u16; 256]; 4] = digits();

const fn digits() -> [[u16; 256]; 4] {
    let mut all = [[0; 256]; 4];
    let mut set = 0;
    while set < 256 {
        let (mut place, mut power) = (0, 1);
        while place < 8 {
            if set >> place & 1 != 0 {
                all[0][set] += power;
                all[1][set] += 2 * power;
            }
            if set << place & 0x80 != 0 {
                all[2][set] += power;
                all[3][set] += 2 * power;
            }
            place += 1;
            power *= 3;
        }
        set += 1;
    }
    all
}

/// The place of a line's discs in its table.
#[inline]
fn place(own: u8, enemy: u8) -> usize {
    (DIGITS[0][own as usize] + DIGITS[1][enemy as usize]) as usize
}

/// The same of a line that is read from its other end.
#[inline]
fn place_reversed(own: u8, enemy: u8) -> usize {
    (DIGITS[2][own as usize] + DIGITS[3][enemy as usize]) as usize
}

/// The squares of the falling diagonals of a line: on each file one, `below` rows under
/// that of the long diagonal, beginning again at the top.
const fn falling(below: u32) -> u64 {
    // The long diagonal, turned round by rows.
    0x8040_2010_0804_0201_u64.rotate_left(8 * below)
}

/// The same of the rising diagonals.
const fn rising(below: u32) -> u64 {
    0x0102_0408_1020_4080_u64.rotate_left(8 * below)
}

/// The files of a set that has at most one square on each.
#[inline]
const fn files(set: u64) -> u8 {
    (set.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// How the squares of a kind of line lie: one example, which stands for all, since the
/// symmetries of the board carry it to the others.
struct Layout {
    /// The squares in order.
    squares: [u8; 8],
    /// Where the second diagonal begins; 8 if there is none.
    second: usize,
    /// The tuples that end on each square, with their lengths.
    tuples: [Vec<(Length, Tuple)>; 8],
}

static LAYOUTS: LazyLock<[Layout; KINDS]> = LazyLock::new(|| std::array::from_fn(Layout::new));

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
    fn fill(&self, kind: usize, stages: [&OthelloWeights; 2], table: &mut [Pair]) {
        // All discs of the first squares, three times as many with each square.
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
                *sum += Pair::new(one, other);
            }
        }
    }

    /// What is added by the square `last` with the `seen` - 1 squares before it, by
    /// their discs: the first of them is the lowest digit.
    fn added(
        &self,
        kind: usize,
        last: usize,
        seen: usize,
        stages: [&OthelloWeights; 2],
    ) -> Vec<Pair> {
        let patterns = 3_usize.pow(seen as u32);
        let mut added = vec![Pair::default(); patterns];
        let mut add = |value: &dyn Fn(usize, &OthelloWeights) -> i32| {
            for (pattern, sum) in added.iter_mut().enumerate() {
                let [one, other] = stages.map(|weights| value(pattern, weights));
                *sum += Pair::new(one, other);
            }
        };
        let digit =
            |pattern: usize, back: usize| pattern / 3_usize.pow((seen - 1 - back) as u32) % 3;
        // Whose disc it is: 1, -1 for the enemy's, 0 for none.
        let sign = |digit: usize| [0, 1, -1][digit];
        if kind < 4 {
            let square = usize::from(self.squares[last]);
            let is_corner = kind == 0 && (last == 0 || last == 7);
            add(&|pattern, weights| {
                let corner = if is_corner {
                    limited(weights.terms.corners)
                } else {
                    0
                };
                let value = limited(weights.squares[SQUARE_CLASS[square]]);
                sign(digit(pattern, 0)) * (value + limited(weights.discs) + corner)
            });
        }
        // Beside a corner: C squares on an edge, X squares on the long diagonal.
        let beside: Option<fn(&OthelloWeights) -> i32> = match kind {
            0 => Some(|weights| weights.terms.c_squares),
            4 => Some(|weights| weights.terms.x_squares),
            _ => None,
        };
        if let (Some(weight), 1 | 7) = (beside, last) {
            let (disc, corner) = if last == 1 { (0, 1) } else { (1, 0) };
            add(&|pattern, weights| {
                let is_given = digit(pattern, corner) == 0;
                2 * i32::from(is_given) * sign(digit(pattern, disc)) * limited(weight(weights))
            });
        }
        for (length, tuple) in &self.tuples[last] {
            let first = usize::from(tuple.class) * length.patterns();
            let others = patterns / length.patterns();
            add(&|pattern, weights| {
                let weights = weights.tuples.of(*length);
                let at =
                    |pattern: usize| limited(weights.get(first + pattern).copied().unwrap_or(0));
                let pattern = pattern / others;
                let mut value = 0;
                if tuple.forward {
                    value += at(reversed(*length, pattern));
                }
                if tuple.backward {
                    value += at(pattern);
                }
                2 * value
            });
        }
        added
    }
}

/// The weights of what needs the whole of a line: its safe discs, and of an edge its
/// three terms.
fn whole_line(kind: usize, weights: &OthelloWeights) -> [i32; 4] {
    let terms = &weights.terms;
    let edges = match kind {
        0 => [
            terms.edges.balanced,
            terms.edges.unbalanced,
            terms.edges.wedges,
        ],
        _ => [0; 3],
    };
    [terms.lines, edges[0], edges[1], edges[2]].map(limited)
}

/// The counts that [`whole_line`] weighs, by kind and discs.
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

/// The discs of a line that its digits stand for.
fn sets(pattern: usize) -> (u8, u8) {
    (0..8).fold((0, 0), |(own, enemy), place| {
        match pattern / 3_usize.pow(place) % 3 {
            1 => (own | 1 << place, enemy),
            2 => (own, enemy | 1 << place),
            _ => (own, enemy),
        }
    })
}

/// The discs of `own` that cannot be turned along the two diagonals of a line, of which
/// the second begins at that place; or along a row, with none.
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

impl LineTables {
    /// What all squares, corners and what lies beside them, edges, lines and tuples of
    /// two stages are worth.
    pub(super) fn new(stages: [&OthelloWeights; 2]) -> Self {
        let mut tables = vec![Pair::default(); KINDS * PATTERNS];
        let layouts = LAYOUTS.iter().enumerate();
        for ((kind, layout), table) in layouts.zip(tables.chunks_mut(PATTERNS)) {
            layout.fill(kind, stages, table);
        }
        Self(tables)
    }

    /// Twice what the discs are worth.
    #[inline]
    pub(super) fn value(&self, own: u64, enemy: u64) -> Pair {
        let tables = self.0.as_chunks::<PATTERNS>().0;
        let Ok(tables): Result<&[_; KINDS], _> = tables.try_into() else {
            return Pair::default();
        };
        let mut sum = Pair::default();
        for (own, enemy) in [(own, enemy), (transpose(own), transpose(enemy))] {
            let (own, enemy) = (own.to_le_bytes(), enemy.to_le_bytes());
            for row in 0..8 {
                let kind = if row < 4 { row } else { 7 - row };
                sum += tables[kind][place(own[row], enemy[row])];
            }
        }
        // A line is read so that its longer diagonal comes first.
        for below in 0..8 {
            let [falling, rising] = [falling(below), rising(below)];
            let [falling, rising] =
                [falling, rising].map(|line| (files(own & line), files(enemy & line)));
            let short = if below <= 4 { below } else { 8 - below };
            let table = &tables[4 + short as usize];
            let (one, other) = if below <= 4 {
                (
                    place(falling.0, falling.1),
                    place_reversed(rising.0, rising.1),
                )
            } else {
                (
                    place_reversed(falling.0, falling.1),
                    place(rising.0, rising.1),
                )
            };
            sum += table[one];
            sum += table[other];
        }
        sum
    }
}

impl EdgeTable {
    /// What C squares and edges of two stages are worth.
    pub(super) fn new(stages: [&OthelloWeights; 2]) -> Self {
        // Nothing but these: what is the squares' own is counted elsewhere.
        let of_edges = stages.map(|weights| {
            let mut own = OthelloWeights::none();
            own.terms.c_squares = weights.terms.c_squares;
            own.terms.edges = weights.terms.edges;
            own
        });
        let mut table = vec![Pair::default(); PATTERNS];
        LAYOUTS[0].fill(0, of_edges.each_ref(), &mut table);
        Self(table)
    }

    /// Twice what the four edges are worth.
    #[inline]
    pub(super) fn value(&self, own: u64, enemy: u64) -> Pair {
        let edges = edges_of(own).into_iter().zip(edges_of(enemy));
        edges.fold(Pair::default(), |sum, (own, enemy)| {
            sum + self.0[place(own, enemy)]
        })
    }
}
