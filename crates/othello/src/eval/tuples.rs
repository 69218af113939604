//! Straight n-tuples: two to four adjacent squares on a line, which share a table with all their
//! images under the symmetries of the board.
//!
//! Jaśkowski, "Systematic N-Tuple Networks for Position Evaluation: Exceeding 90% in the Othello
//! League" (2014, arXiv 1406.1509) uses all straight tuples of length 2: 32 tables, 288 weights. Of
//! length 3 there are 24 tables (648 weights), of length 4 there are 21 (1701).

use std::sync::LazyLock;

use crate::square_name;

/// The contents of a square as a digit of a pattern, from the side to move's point of view.
pub const DIGITS: [&str; 3] = ["empty", "own", "enemy"];

/// The length of a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Length {
    /// Two squares.
    Two,
    /// Three squares.
    Three,
    /// Four squares.
    Four,
}

impl Length {
    /// All lengths.
    pub const ALL: [Length; 3] = [Length::Two, Length::Three, Length::Four];

    /// The number of squares.
    pub const fn squares(self) -> usize {
        self as usize + 2
    }

    /// The number of patterns: three to the power of the squares.
    pub const fn patterns(self) -> usize {
        3_usize.pow(self.squares() as u32)
    }

    /// The number of classes.
    pub const fn classes(self) -> usize {
        [32, 24, 21][self as usize]
    }

    /// The number of weights.
    pub const fn weights(self) -> usize {
        self.classes() * self.patterns()
    }

    /// The name of the tables in a config.
    pub const fn name(self) -> &'static str {
        ["tuples2", "tuples3", "tuples4"][self as usize]
    }

    /// The names of all weights in their order: squares and their contents, such as
    /// `a1 b1: own empty`.
    pub fn pattern_names(self) -> Vec<String> {
        let digits = (0..self.patterns()).map(|pattern| {
            let digit = |square: usize| {
                let power = 3_usize.pow((self.squares() - 1 - square) as u32);
                DIGITS[pattern / power % 3]
            };
            let digits: Vec<&str> = (0..self.squares()).map(digit).collect();
            digits.join(" ")
        });
        let digits: Vec<String> = digits.collect();
        let names = (0..self.classes()).flat_map(|class| {
            let squares = self.shape().name(self, class);
            let of_class = digits.iter();
            of_class.map(move |digits| format!("{squares}: {digits}"))
        });
        names.collect()
    }

    /// The classes and the squares of their tuples.
    pub fn shape(self) -> &'static Shape {
        &SHAPES[self as usize]
    }
}

/// A tuple on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuple {
    /// Its squares in ascending order, padded behind the first [`Length::squares`].
    pub squares: [u8; 4],
    /// Its class.
    pub class: u8,
    /// True if a symmetry of the board maps the tuple that names the class to this one, first
    /// square to first.
    pub forward: bool,
    /// True if a symmetry maps it to this one, first square to last. A tuple that is its own mirror
    /// image has both flags, is read both ways, and counts twice.
    pub backward: bool,
}

/// All tuples of a length.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The tuple that names each class: the first in reading order, and along the row before the
    /// diagonals and the file.
    pub names: Vec<[u8; 4]>,
    /// Every tuple of the board.
    pub tuples: Vec<Tuple>,
}

static SHAPES: LazyLock<[Shape; 3]> = LazyLock::new(|| Length::ALL.map(Shape::new));

impl Shape {
    fn new(length: Length) -> Self {
        let count = length.squares();
        let mut shape = Shape {
            names: Vec::new(),
            tuples: Vec::new(),
        };
        let mut least_of_classes: Vec<[u8; 4]> = Vec::new();
        for squares in straight(count) {
            let least = least_image(&squares[..count]);
            let known = least_of_classes
                .iter()
                .position(|of_class| *of_class == least);
            let class = known.unwrap_or_else(|| {
                shape.names.push(squares);
                least_of_classes.push(least);
                shape.names.len() - 1
            });
            let name = &shape.names[class][..count];
            let [forward, backward] = carried(name, &squares[..count]);
            shape.tuples.push(Tuple {
                squares,
                class: class as u8,
                forward,
                backward,
            });
        }
        shape
    }

    /// The names of a class's squares, such as `a1 b1`; empty for an unknown class.
    pub fn name(&self, length: Length, class: usize) -> String {
        let squares = self.names.get(class).map_or(&[][..], |name| name);
        let squares = squares.iter().take(length.squares());
        let names: Vec<String> = squares.map(|&square| square_name(square.into())).collect();
        names.join(" ")
    }

    /// Returns whether the tuple that names the class is its own mirror image, so that each pattern
    /// counts together with its reverse.
    pub fn is_mirrored(&self, class: usize) -> bool {
        let mut tuples = self.tuples.iter();
        tuples.any(|tuple| usize::from(tuple.class) == class && tuple.forward && tuple.backward)
    }
}

/// Every straight tuple of `count` squares.
fn straight(count: usize) -> Vec<[u8; 4]> {
    let last = count as i32 - 1;
    let mut tuples = Vec::new();
    for square in 0..64_i32 {
        let (file, row) = (square % 8, square / 8);
        for (right, down) in [(1, 0), (1, 1), (0, 1), (-1, 1)] {
            let on_board = |place: i32| (0..8).contains(&place);
            if on_board(file + last * right) && on_board(row + last * down) {
                let mut squares = [0; 4];
                for (place, out) in squares.iter_mut().enumerate().take(count) {
                    *out = (square + place as i32 * (right + 8 * down)) as u8;
                }
                tuples.push(squares);
            }
        }
    }
    tuples
}

/// The least image of a tuple under the symmetries of the board, read either way: the same for all
/// tuples of a class.
fn least_image(squares: &[u8]) -> [u8; 4] {
    let images = (0..8).flat_map(|symmetry| {
        let mut forward = [0; 4];
        for (out, &square) in forward.iter_mut().zip(squares) {
            *out = image(square, symmetry);
        }
        let mut backward = forward;
        backward[..squares.len()].reverse();
        [forward, backward]
    });
    images.min().unwrap_or_default()
}

/// Returns whether a symmetry of the board maps `one` to `other`, in the same order and in reversed
/// order.
fn carried(one: &[u8], other: &[u8]) -> [bool; 2] {
    let mut found = [false; 2];
    for symmetry in 0..8 {
        let images = one.iter().map(|&square| image(square, symmetry));
        found[0] |= images.clone().eq(other.iter().copied());
        found[1] |= images.eq(other.iter().rev().copied());
    }
    found
}

/// The image of a square under one of the eight symmetries.
fn image(square: u8, symmetry: u8) -> u8 {
    let (file, row) = (square % 8, square / 8);
    let file = if symmetry & 1 == 0 { file } else { 7 - file };
    let row = if symmetry & 2 == 0 { row } else { 7 - row };
    if symmetry & 4 == 0 {
        8 * row + file
    } else {
        8 * file + row
    }
}

/// The pattern of a tuple: the first square of `squares` is the highest digit in base
/// three. `own` and `enemy` are disjoint sets of discs.
pub(super) fn pattern(squares: impl Iterator<Item = u8>, own: u64, enemy: u64) -> usize {
    squares.fold(0, |pattern, square| {
        3 * pattern + ((own >> square & 1) + 2 * (enemy >> square & 1)) as usize
    })
}

/// The pattern read from the other end.
pub(super) fn reversed(length: Length, mut pattern: usize) -> usize {
    let mut out = 0;
    for _ in 0..length.squares() {
        out = 3 * out + pattern % 3;
        pattern /= 3;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_classes_as_in_the_paper() {
        let told = Length::ALL.map(|length| {
            let shape = length.shape();
            (shape.names.len(), shape.tuples.len(), length.weights())
        });
        assert_eq!(told, [(32, 210, 288), (24, 168, 648), (21, 130, 1701)]);
        let mirrored = Length::ALL.map(|length| {
            let shape = length.shape();
            let classes = 0..length.classes();
            classes.filter(|&class| shape.is_mirrored(class)).count()
        });
        assert_eq!(mirrored, [8, 3, 7]);
        for length in Length::ALL {
            assert_eq!(length.shape().names.len(), length.classes());
        }
        let two = Length::Two.shape();
        let names: Vec<String> = (0..4).map(|class| two.name(Length::Two, class)).collect();
        assert_eq!(names, ["a1 b1", "a1 b2", "b1 c1", "b1 c2"]);
        assert_eq!(two.name(Length::Two, 32), "");
        let names = Length::Two.pattern_names();
        assert_eq!(names.len(), Length::Two.weights());
        assert_eq!(names[9 + 5], "a1 b2: own enemy");
        assert_eq!(
            Length::Three.pattern_names()[1],
            "a1 b1 c1: empty empty own"
        );
    }

    #[test]
    fn the_manual_has_every_class() {
        let manual = include_str!("../../../../docs/evaluation.md");
        for length in Length::ALL {
            let shape = length.shape();
            let names = (0..length.classes()).map(|class| {
                let mark = if shape.is_mirrored(class) { "*" } else { "" };
                format!("{class} {}{mark}", shape.name(length, class))
            });
            let names: Vec<String> = names.collect();
            let row = format!("| `{}` | {} |", length.name(), names.join(", "));
            assert!(manual.contains(&row), "docs/evaluation.md lacks: {row}");
        }
    }

    #[test]
    fn patterns_read_from_the_first_square() {
        let squares = [0, 1, 2];
        assert_eq!(pattern(squares.into_iter(), 1, 0), 9);
        assert_eq!(pattern(squares.into_iter(), 0, 4), 2);
        assert_eq!(pattern(squares.into_iter().rev(), 1, 4), 2 * 9 + 1);
        assert_eq!(reversed(Length::Three, 9), 1);
        for length in Length::ALL {
            for pattern in 0..length.patterns() {
                let back = reversed(length, reversed(length, pattern));
                assert_eq!(back, pattern);
            }
        }
    }
}
