//! The numbers of an evaluation.

use serde::Serialize;

use crate::games::go::reading::CaptureParams;
use crate::games::othello::eval::OthelloParams;
use crate::games::xiangqi::eval::XiangqiParams;

/// The numbers of an evaluation, by game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvalParams {
    /// Material and square tables of Xiangqi.
    Xiangqi(Box<XiangqiParams>),
    /// Squares, terms and tuples of Othello.
    Othello(Box<OthelloParams>),
    /// What is known of blocks of Go.
    Go(Box<CaptureParams>),
}
