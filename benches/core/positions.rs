//! Helpers of the benches of the search.

use leitai_config::eval_preset;
use leitai_game::Position;
use leitai_game::card::Game;
use leitai_games::xiangqi::Xiangqi;
use leitai_games::xiangqi::eval::{XiangqiEvaluation, XiangqiParams};

/// The evaluation of the preset `tutorial`.
pub(crate) fn tutorial_evaluation() -> XiangqiEvaluation {
    let params = eval_preset(Xiangqi::numbers(), "tutorial").expect("a preset of that name");
    XiangqiEvaluation::new(&XiangqiParams::of(&params).expect("of Xiangqi"))
}

/// The 20 middlegame positions.
pub(crate) fn middlegames() -> Vec<Xiangqi> {
    include_str!("../../tests/data/xiangqi-midgame20.epd")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            // Board, side, two empty fields; then operations.
            let fen: Vec<&str> = line.split(' ').take(4).collect();
            Xiangqi::from_fen(&format!("{} 0 1", fen.join(" "))).expect("a legal position")
        })
        .collect()
}
