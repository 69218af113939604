//! The numbers that a variant or a tuner chooses.

use serde::Serialize;

use crate::game::othello::SQUARE_CLASS;

/// Parameters of the disc-square evaluation. Each is used within plus or minus
/// [`LIMIT`](OthelloParams::LIMIT).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OthelloParams {
    /// What a disc is worth on the squares of each symmetry class, in the
    /// order of [`SQUARE_NAMES`](OthelloParams::SQUARE_NAMES).
    pub squares: [i32; 10],
    /// What a disc is worth anywhere, on top of its square.
    pub discs: i32,
}

impl OthelloParams {
    /// The first square of each symmetry class.
    pub const SQUARE_NAMES: [&'static str; 10] =
        ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];

    /// The largest magnitude of a parameter; larger ones count as this.
    pub const LIMIT: i32 = 100_000;

    /// What a disc on each square is worth, a1, b1, .. h8: its class's value
    /// and the common one.
    pub fn disc_values(&self) -> [i32; 64] {
        let limited = |value: i32| value.clamp(-Self::LIMIT, Self::LIMIT);
        SQUARE_CLASS.map(|class| limited(self.squares[class]) + limited(self.discs))
    }
}

impl Default for OthelloParams {
    /// The table that teaching programs customarily start from, which is of no
    /// single author: corners 100, the squares that give them away -20 (C) and
    /// -50 (X), other edges 10 and 5, the inside -2 and -1. Norvig's
    /// (Paradigms of Artificial Intelligence Programming, 1992, chapter 18) is
    /// a close relative. The number of discs does not count.
    fn default() -> Self {
        Self {
            squares: [100, -20, 10, 5, -50, -2, -2, -1, -1, -1],
            discs: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_values_expand_to_the_whole_board() {
        let params = OthelloParams {
            squares: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            discs: 0,
        };
        let rows = [
            [0, 1, 2, 3, 3, 2, 1, 0],
            [1, 4, 5, 6, 6, 5, 4, 1],
            [2, 5, 7, 8, 8, 7, 5, 2],
            [3, 6, 8, 9, 9, 8, 6, 3],
            [3, 6, 8, 9, 9, 8, 6, 3],
            [2, 5, 7, 8, 8, 7, 5, 2],
            [1, 4, 5, 6, 6, 5, 4, 1],
            [0, 1, 2, 3, 3, 2, 1, 0],
        ];
        assert_eq!(params.disc_values()[..], rows.concat());
        let with_discs = OthelloParams { discs: 7, ..params };
        assert_eq!(
            with_discs.disc_values(),
            params.disc_values().map(|value| value + 7)
        );
    }

    #[test]
    fn the_names_are_those_of_the_classes() {
        for (class, name) in OthelloParams::SQUARE_NAMES.iter().enumerate() {
            let square = (0..64)
                .find(|&square| crate::game::othello::square_name(square) == *name)
                .unwrap();
            assert_eq!(SQUARE_CLASS[square], class);
        }
    }

    #[test]
    fn absurd_values_are_limited() {
        let params = OthelloParams {
            squares: [i32::MAX; 10],
            discs: i32::MIN,
        };
        assert_eq!(params.disc_values(), [0; 64]);
    }

    #[test]
    fn the_parameters_serialize_by_name() {
        assert_eq!(
            serde_json::to_string(&OthelloParams::default()).unwrap(),
            r#"{"squares":[100,-20,10,5,-50,-2,-2,-1,-1,-1],"discs":0}"#
        );
    }
}
