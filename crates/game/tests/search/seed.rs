//! The examples of Du & Cheng (2007).

use super::depth;
use leitai_game::search::{Algorithm, Search, SearchParams};
use leitai_game::{Line, MoveList, Position};
use leitai_othello::eval::OthelloEvaluation;
use leitai_othello::{Othello, OthelloRules, square_name};

fn replies(position: &Othello) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let squares = moves.iter().map(|mv| square_name(usize::from(mv.0)));
    squares.collect()
}

/// Figure 2 is the tree after 1.d3 with White to move. The printed list for c3, "C2 D3 E6 F5", is
/// wrong; the other two are right.
#[test]
fn figure_2_has_fourteen_leaves() {
    let mut line = Line::new(Othello::initial());
    line.play(line.position().parse_move("d3").unwrap());
    let position = *line.position();
    assert_eq!(replies(&position), ["c3", "e3", "c5"]);
    for (mv, expected) in [
        ("c3", &["b3", "c4", "f5", "e6"][..]),
        ("e3", &["f2", "f3", "f4", "f5", "f6"]),
        ("c5", &["b6", "c6", "d6", "e6", "f6"]),
    ] {
        line.play(position.parse_move(mv).unwrap());
        assert_eq!(replies(line.position()), expected, "{mv}");
        line.undo();
    }
    let nodes = |algorithm| {
        let params = SearchParams {
            algorithm,
            ordering: vec![],
            deepening: false,
            table_mb: 0,
            ..SearchParams::default()
        };
        let mut search = Search::new(params, OthelloEvaluation::default());
        let rules = OthelloRules::default();
        search.run(&line, rules, &depth(2)).nodes
    };
    assert_eq!(nodes(Algorithm::Minimax), 3 + 14);
    assert!(nodes(Algorithm::FailHard) < 3 + 14);
}
