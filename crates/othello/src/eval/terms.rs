//! The list of the evaluation's terms that are counted on the whole board: the meaning of each, and
//! the range of its weight. Their names in a config and the tuner's parameters come from this list;
//! `count` counts them.

use leitai_base::settings::{Settings, settings};

settings! {
    /// A number for each term: its weight, or its count. A count is that of the side to move minus
    /// that of the other side, except for `parity`.
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

/// The name of the group of the edges.
const EDGES: &str = "edges";

impl Terms {
    /// The number of terms.
    pub const COUNT: usize = 12;

    /// The groups by name, which contain the other terms.
    pub fn groups(&self) -> [(&'static str, &dyn Settings); 1] {
        [(EDGES, &self.edges)]
    }

    /// The numbers in order, those of groups last.
    pub fn numbers(&self) -> [i32; Terms::COUNT] {
        [
            self.mobility,
            self.potential_mobility,
            self.frontier,
            self.corners,
            self.x_squares,
            self.c_squares,
            self.lines,
            self.stability,
            self.parity,
            self.edges.balanced,
            self.edges.unbalanced,
            self.edges.wedges,
        ]
    }

    /// The number of the term at `place` of the list; 0 beyond it.
    pub fn number(&self, place: usize) -> i32 {
        self.numbers().get(place).copied().unwrap_or(0)
    }

    /// Sets the number of the term at `place` of the list. Does nothing for a number out of range
    /// or a place beyond the list.
    pub fn set_number(&mut self, place: usize, number: i32) {
        let alone = Settings::list(self).len();
        match place.checked_sub(alone) {
            None => Settings::set(self, place, number.into()),
            Some(place) => self.edges.set(place, number.into()),
        }
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
    fn numbers_are_reached_by_their_place() {
        let mut terms = Terms::default();
        for place in 0..Terms::COUNT {
            terms.set_number(place, place as i32 + 1);
        }
        terms.set_number(Terms::COUNT, 7);
        terms.set_number(0, 9_001);
        let expected: Vec<i32> = (1..=Terms::COUNT as i32).collect();
        assert_eq!(terms.numbers()[..], expected);
        assert_eq!(terms.number(Terms::COUNT), 0);
        assert_eq!((terms.mobility, terms.edges.wedges), (1, 12));
        let alone = Settings::list(&terms).len();
        assert_eq!(Terms::COUNT, alone + terms.edges.list().len());
        for (place, (term, _)) in named_terms().iter().enumerate() {
            let own = if place < alone {
                Settings::get(&terms, place)
            } else {
                terms.edges.get(place - alone)
            };
            assert_eq!(own, i64::from(terms.number(place)), "{term}");
        }
        assert_eq!(named_terms()[9].0, "edges.balanced");
    }
}
