//! The evaluation of the crucial chain as a score of the alpha-beta search.

use super::{CaptureParams, evaluate, score_of_evaluation};
use crate::Capture;
use leitai_game::eval::{Evaluation, Score};
use leitai_game::{Move, Position, Side};

/// The value of a position of block capture: the evaluation E of the crucial chain, on a scale that
/// is 0 where capture and escape are equally likely (see [`score_of_evaluation`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureEvaluation {
    params: CaptureParams,
}

impl CaptureEvaluation {
    /// The evaluation with these numbers.
    #[doc(hidden)]
    pub fn new(params: &CaptureParams) -> Self {
        Self {
            params: params.clone(),
        }
    }
}

impl Evaluation<Capture> for CaptureEvaluation {
    /// No incremental state: the board updates its blocks itself.
    type Accumulator = ();

    fn accumulate(&self, _: &Capture) {}

    fn advance(&self, (): (), _: &Capture, _: Move) {}

    fn evaluate(&self, position: &Capture, (): ()) -> Score {
        // The search for chains and ladders plays moves, so it needs its own board.
        let mut board = position.board().clone();
        let evaluation = evaluate(&mut board, position.target(), &self.params);
        let score = score_of_evaluation(evaluation);
        match position.side_to_move() {
            Side::First => -score,
            Side::Second => score,
        }
    }

    /// True: chains and ladders take longer than a table lookup.
    fn is_costly(&self) -> bool {
        true
    }
}
