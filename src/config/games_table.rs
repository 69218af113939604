//! What each game says of its evaluation: the one place where a config chooses.

use super::{EvalParams, GameChoice};
use crate::eval::Evaluation;
use crate::games::othello::OthelloRules;
use crate::games::othello::eval::{self as othello, OthelloEvaluation, OthelloParams};
use crate::games::xiangqi::eval::{self as xiangqi, XiangqiEvaluation, XiangqiParams};
use crate::games::{go, othello::Othello, xiangqi::Xiangqi};
use crate::numbers::NumberTable;

/// The numbers of the game's evaluation, with their presets.
pub fn number_table(game: GameChoice) -> &'static NumberTable {
    match game {
        GameChoice::Xiangqi(_) => &xiangqi::numbers::TABLE,
        GameChoice::Othello(_) => &othello::numbers::TABLE,
        GameChoice::Go(_) => &go::reading::numbers::TABLE,
    }
}

/// Whether the evaluation has costly terms that can be left out.
pub(super) fn has_costly_terms(params: &EvalParams) -> bool {
    let xiangqi = XiangqiParams::of(params).map(|params| {
        let evaluation = XiangqiEvaluation::new(&params);
        Evaluation::<Xiangqi>::is_costly(&evaluation)
    });
    let othello = || {
        let params = OthelloParams::of(params)?;
        let evaluation = OthelloEvaluation::new(&params, OthelloRules::default());
        Some(Evaluation::<Othello>::is_costly(&evaluation))
    };
    xiangqi.or_else(othello).unwrap_or(false)
}
