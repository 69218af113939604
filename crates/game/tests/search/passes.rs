//! Tests with Othello: a game with passes, whose final scores do not depend on distance.

use proptest::prelude::*;

use super::{all_orderings, depth};
use leitai_game::eval::{Evaluation, Score};
use leitai_game::search::{Search, SearchParams};
use leitai_game::{Line, MoveList, Position};
use leitai_othello::eval::OthelloEvaluation;
use leitai_othello::{Othello, OthelloRules};

/// The value by definition.
pub(super) fn value(position: &mut Othello, depth: u32, ply: u32) -> Score {
    value_by(&OthelloEvaluation::default(), position, depth, ply)
}

fn value_by(eval: &OthelloEvaluation, position: &mut Othello, depth: u32, ply: u32) -> Score {
    if depth == 0 {
        return eval.evaluate(position, ());
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let undo = position.make(mv);
        let value = -value_by(eval, position, depth - 1, ply + 1);
        position.unmake(mv, undo);
        value
    });
    values
        .max()
        .unwrap_or_else(|| eval.evaluate_without_moves(position, ply))
}

/// Plays one of the moves, if there is one.
pub(super) fn played(line: &mut Line<Othello>, choice: u8) {
    let mut moves = MoveList::new();
    line.position().legal_moves(&mut moves);
    if let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) {
        line.play(mv);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Every move except the pass puts down a disc, so within a few plies no position occurs at two
    /// of them: the values are those of the definition even with a table.
    #[test]
    fn othello_has_the_minimax_value(
        choices in prop::collection::vec(any::<u8>(), 0..60),
        ordering in prop::sample::select(all_orderings()),
        table_mb in 0_u32..2,
    ) {
        let mut line = Line::new(Othello::initial());
        for choice in choices {
            played(&mut line, choice);
        }
        let params = SearchParams { table_mb, ordering, ..SearchParams::default() };
        let mut search = Search::new(params, OthelloEvaluation::default());
        let report = search.run(&line, OthelloRules::default(), &depth(4));
        prop_assert_eq!(report.score, value(&mut line.position().clone(), 4, 0));
    }
}
