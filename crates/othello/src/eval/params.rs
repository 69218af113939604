//! The parameters that a variant or a tuner sets.

use super::numbers::{DISCS, OF_STAGE, TABLE};
use super::stage::Stage;
use crate::SQUARE_CLASS;
use leitai_game::eval::MAX_EVAL;
use leitai_game::numbers::EvalParams;

/// All numbers of the evaluation, in evaluation units: the weights of each [`Stage`], in the order
/// of the [table](super::numbers::TABLE).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthelloParams(Vec<i32>);

impl OthelloParams {
    /// The largest magnitude of a number; larger ones are limited to it.
    pub const LIMIT: i32 = MAX_EVAL;

    /// The evaluation with these values; `None` for values of another game.
    pub fn of(params: &EvalParams) -> Option<Self> {
        let limit = i64::from(Self::LIMIT);
        let values = params.values_of(&TABLE)?.iter();
        let values = values.map(|value| (*value).clamp(-limit, limit) as i32);
        Some(Self(values.collect()))
    }

    /// The same weights in all stages.
    pub fn constant(weights: &[i32]) -> Self {
        Self(weights.repeat(Stage::COUNT))
    }

    /// The weights of a stage, by the indices of [`numbers`](super::numbers).
    pub fn stage(&self, stage: Stage) -> &[i32] {
        &self.0[stage as usize * OF_STAGE..][..OF_STAGE]
    }

    /// The weights of a stage.
    pub fn stage_mut(&mut self, stage: Stage) -> &mut [i32] {
        &mut self.0[stage as usize * OF_STAGE..][..OF_STAGE]
    }

    /// Returns whether all stages have the same weights.
    pub fn is_constant(&self) -> bool {
        let first = self.stage(Stage::Opening);
        Stage::ALL.iter().all(|&stage| self.stage(stage) == first)
    }
}

/// The value of a disc on each square, a1, b1, .. h8: its class's value plus the common one.
pub(super) fn disc_values(weights: &[i32]) -> [i32; 64] {
    SQUARE_CLASS.map(|class| weights[class] + weights[DISCS])
}

impl Default for OthelloParams {
    /// The customary first table of teaching programs, without a single author: corners 100, the
    /// squares that give them away -20 (C) and -50 (X), other edges 10 and 5, the inside -2 and -1.
    /// Norvig's (Paradigms of Artificial Intelligence Programming, 1992, chapter 18) is a close
    /// relative. All other weights are 0.
    fn default() -> Self {
        let mut weights = [0; OF_STAGE];
        weights[..DISCS].copy_from_slice(&[100, -20, 10, 5, -50, -2, -2, -1, -1, -1]);
        Self::constant(&weights)
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbers::{term, tuple};
    use super::super::tuples::Length;
    use super::*;

    #[test]
    fn ten_values_expand_to_the_whole_board() {
        let mut weights = [0; OF_STAGE];
        weights[..DISCS].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
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
        let values = disc_values(&weights);
        assert_eq!(values[..], rows.concat());
        weights[DISCS] = 7;
        assert_eq!(disc_values(&weights), values.map(|value| value + 7));
    }

    #[test]
    fn absurd_values_are_limited() {
        let values = EvalParams::new(&TABLE, [i64::MAX, i64::MIN]);
        let params = OthelloParams::of(&values).unwrap();
        let limit = OthelloParams::LIMIT;
        assert_eq!(params.stage(Stage::Opening)[..3], [limit, -limit, 0]);
    }

    #[test]
    fn zeros_and_equal_stages_are_not_written() {
        let written = |params: &OthelloParams| serde_json::to_string(&params.values()).unwrap();
        assert_eq!(
            written(&OthelloParams::default()),
            r#"{"othello":{"squares":[100,-20,10,5,-50,-2,-2,-1,-1,-1],"discs":0}}"#
        );
        let mut params = OthelloParams::constant(&[0; OF_STAGE]);
        for stage in [Stage::Opening, Stage::Late] {
            params.stage_mut(stage)[term(0)] = 5;
            params.stage_mut(stage)[term(11)] = 2;
        }
        params.stage_mut(Stage::End)[tuple(Length::Two, 31, 8)] = -3;
        let text = written(&params);
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
