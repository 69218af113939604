//! What the tests and benches of the search share.

use leitai::eval::xiangqi::{XiangqiEvaluation, XiangqiParams};
use leitai::game::Position;
use leitai::game::xiangqi::{Kind, Xiangqi};

/// The evaluation of the tutorial program; `tutorial-pst.json` names its
/// source.
pub fn tutorial_evaluation() -> XiangqiEvaluation {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../data/tutorial-pst.json")).expect("valid JSON");
    let mut params = XiangqiParams {
        material: [0; 7],
        pst: [[[0; 9]; 10]; 7],
        tempo: 3,
    };
    for kind in Kind::ALL {
        let table = file["tables"][kind.name()].clone();
        params.pst[kind.index()] = serde_json::from_value(table).expect("10 rows of 9");
    }
    XiangqiEvaluation::new(&params)
}

/// The 20 middlegame positions.
pub fn middlegames() -> Vec<Xiangqi> {
    include_str!("../data/xiangqi-midgame20.epd")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            // Board, side, two empty fields; then operations.
            let fen: Vec<&str> = line.split(' ').take(4).collect();
            Xiangqi::from_fen(&format!("{} 0 1", fen.join(" "))).expect("a legal position")
        })
        .collect()
}
