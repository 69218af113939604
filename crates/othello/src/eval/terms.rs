//! The list of the evaluation's terms that are counted on the whole board: the meaning of each, and
//! the range of its weight. Their names in a config and the tuner's parameters come from this list;
//! `count` counts them.

use leitai_base::settings::{Settings, settings};

settings! {
    /// The terms. A count is that of the side to move minus that of the other side, except for
    /// `parity`.
    #[derive(Copy)]
    pub struct Terms {
        /// Squares where the side has a legal move, or would have one if it were its turn.
        mobility: i32 = 0, -9000 to 9000;
        /// Empty squares next to a disc of the enemy, in any of the eight directions: moves that the side may get later.
        potential_mobility: i32 = 0, -9000 to 9000;
        /// Discs next to an empty square, in any of the eight directions: they give the enemy moves.
        frontier: i32 = 0, -9000 to 9000;
        /// Corners that the side holds.
        corners: i32 = 0, -9000 to 9000;
        /// Discs on an X square (b2, g2, b7, g7) whose corner is empty.
        x_squares: i32 = 0, -9000 to 9000;
        /// Discs on a C square (a2, b1, g1, h2, a7, b8, g8, h7) whose corner is empty.
        c_squares: i32 = 0, -9000 to 9000;
        /// Discs and directions (along the row, the file, either diagonal) such that the disc
        /// cannot be turned along that line: it is full, or an unbroken run of the side's discs
        /// leads from here to an end of it.
        lines: i32 = 0, -9000 to 9000;
        /// Discs that can never be turned, as far as a simple test shows: each of the four lines
        /// through them is full, or a border or such a disc of the side is next to them on it.
        stability: i32 = 0, -9000 to 9000;
        /// Regions of empty squares (connected in any of the eight directions) with an odd number
        /// of squares minus those with an even one. The side to move can play last in an odd one;
        /// not a difference between the sides.
        parity: i32 = 0, -9000 to 9000;
    }
    {
        /// Patterns of the edges.
        edges: Edges = Edges::default();
    }
}

settings! {
    /// Edges of the board, each with its two corners, by their pattern.
    #[derive(Copy)]
    pub struct Edges {
        /// Balanced edges: both corners empty, the six squares between them the side's.
        balanced: i32 = 0, -9000 to 9000;
        /// Unbalanced edges: both corners empty, five squares side by side next to one of the C squares the side's, the other C square empty.
        unbalanced: i32 = 0, -9000 to 9000;
        /// Empty squares of an edge with a disc of the enemy on both sides: places for a wedge.
        wedges: i32 = 0, -9000 to 9000;
    }
}

/// The index of a term in the list, that of groups last; `EDGES` begins their group.
pub(super) const CORNERS: usize = 3;
pub(super) const X_SQUARES: usize = 4;
pub(super) const C_SQUARES: usize = 5;
pub(super) const LINES: usize = 6;
pub(super) const EDGES: usize = 9;

impl Terms {
    /// The number of terms.
    pub const COUNT: usize = 12;

    /// The groups by name, which contain the other terms.
    pub fn groups(&self) -> [(&'static str, &dyn Settings); 1] {
        [("edges", &self.edges)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::named_terms;
    use super::*;

    #[test]
    fn the_manual_has_every_term() {
        let manual = include_str!("../../../../docs/evaluation.md");
        for (term, meaning) in named_terms() {
            let row = format!("| `{term}` |{meaning} |");
            assert!(manual.contains(&row), "docs/evaluation.md lacks: {row}");
        }
    }

    #[test]
    fn indices_are_those_of_the_list() {
        let names = named_terms();
        assert_eq!(names.len(), Terms::COUNT);
        for (index, name) in [
            (CORNERS, "corners"),
            (X_SQUARES, "x_squares"),
            (C_SQUARES, "c_squares"),
            (LINES, "lines"),
            (EDGES, "edges.balanced"),
        ] {
            assert_eq!(names[index].0, name);
        }
    }
}
