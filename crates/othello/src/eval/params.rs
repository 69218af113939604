//! The parameters that a variant or a tuner sets.

use super::stage::Stage;
use super::terms::Terms;
use super::tuples::Tuples;
use crate::SQUARE_CLASS;
use leitai_game::eval::MAX_EVAL;

/// All numbers of the evaluation, in evaluation units: the weights of each [`Stage`]. The
/// evaluation limits each to plus or minus [`LIMIT`](OthelloParams::LIMIT).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OthelloParams {
    stages: [OthelloWeights; Stage::COUNT],
}

/// The weights of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthelloWeights {
    /// The value of a disc on the squares of each symmetry class, in the order of
    /// [`SQUARE_NAMES`](OthelloParams::SQUARE_NAMES).
    pub squares: [i32; 10],
    /// The additional value of a disc on any square.
    pub discs: i32,
    /// The weight of each term per occurrence.
    pub terms: Terms,
    /// The weights of the patterns of short lines.
    pub tuples: Box<Tuples>,
}

impl OthelloParams {
    /// The first square of each symmetry class.
    pub const SQUARE_NAMES: [&'static str; 10] =
        ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];

    /// The largest magnitude of a number; larger ones are limited to it.
    pub const LIMIT: i32 = MAX_EVAL;

    /// The same weights in all stages.
    pub fn constant(weights: &OthelloWeights) -> Self {
        Self {
            stages: std::array::from_fn(|_| weights.clone()),
        }
    }

    /// The weights of a stage.
    pub const fn stage(&self, stage: Stage) -> &OthelloWeights {
        &self.stages[stage as usize]
    }

    /// The weights of a stage.
    pub const fn stage_mut(&mut self, stage: Stage) -> &mut OthelloWeights {
        &mut self.stages[stage as usize]
    }

    /// Returns whether all stages have the same weights.
    pub fn is_constant(&self) -> bool {
        let [first, later @ ..] = &self.stages;
        later.iter().all(|weights| weights == first)
    }
}

impl OthelloWeights {
    /// Weights of zero.
    pub fn none() -> Self {
        Self {
            squares: [0; 10],
            discs: 0,
            terms: Terms::default(),
            tuples: Box::default(),
        }
    }

    /// The value of a disc on each square, a1, b1, .. h8: its class's value plus the common one.
    pub fn disc_values(&self) -> [i32; 64] {
        SQUARE_CLASS.map(|class| limited(self.squares[class]) + limited(self.discs))
    }
}

/// Limits a number to the allowed magnitude.
pub(super) fn limited(number: i32) -> i32 {
    number.clamp(-OthelloParams::LIMIT, OthelloParams::LIMIT)
}

impl Default for OthelloWeights {
    /// The customary first table of teaching programs, without a single author: corners 100, the
    /// squares that give them away -20 (C) and -50 (X), other edges 10 and 5, the inside -2 and -1.
    /// Norvig's (Paradigms of Artificial Intelligence Programming, 1992, chapter 18) is a close
    /// relative. All other weights are 0.
    fn default() -> Self {
        Self {
            squares: [100, -20, 10, 5, -50, -2, -2, -1, -1, -1],
            ..Self::none()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_values_expand_to_the_whole_board() {
        let weights = OthelloWeights {
            squares: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            ..OthelloWeights::none()
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
        assert_eq!(weights.disc_values()[..], rows.concat());
        let values = weights.disc_values();
        let with_discs = OthelloWeights {
            discs: 7,
            ..weights
        };
        assert_eq!(with_discs.disc_values(), values.map(|value| value + 7));
    }

    #[test]
    fn the_names_are_those_of_the_classes() {
        for (class, name) in OthelloParams::SQUARE_NAMES.iter().enumerate() {
            let square = (0..64)
                .find(|&square| crate::square_name(square) == *name)
                .unwrap();
            assert_eq!(SQUARE_CLASS[square], class);
        }
    }

    #[test]
    fn absurd_values_are_limited() {
        let weights = OthelloWeights {
            squares: [i32::MAX; 10],
            discs: i32::MIN,
            ..OthelloWeights::none()
        };
        assert_eq!(weights.disc_values(), [0; 64]);
    }

    #[test]
    fn what_is_zero_or_the_same_is_not_said() {
        let said = |params: &OthelloParams| serde_json::to_string(&params.values()).unwrap();
        let mut params = OthelloParams::default();
        assert_eq!(
            said(&params),
            r#"{"othello":{"squares":[100,-20,10,5,-50,-2,-2,-1,-1,-1],"discs":0}}"#
        );
        let weights = OthelloWeights::none();
        params = OthelloParams::constant(&weights);
        params.stage_mut(Stage::Opening).terms.mobility = 5;
        params.stage_mut(Stage::Opening).terms.edges.wedges = 2;
        let late = params.stage(Stage::Opening).clone();
        *params.stage_mut(Stage::Late) = late;
        params.stage_mut(Stage::End).tuples.two[31][8] = -3;
        let text = said(&params);
        let none = r#"{"squares":[0,0,0,0,0,0,0,0,0,0],"discs":0"#;
        let rows = format!("{}[0,0,0,0,0,0,0,0,-3]", "[0,0,0,0,0,0,0,0,0],".repeat(31));
        assert_eq!(
            text,
            format!(
                r#"{{"othello":{none},"mobility":5,"edges.wedges":2,"middle":{none}}},"end":{none},"tuples2":[{rows}]}}}}}}"#
            )
        );
    }
}
