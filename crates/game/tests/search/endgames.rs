//! Tests of searches that play endgames out.

use proptest::prelude::*;

use super::endings::{any_search, late_line};
use super::{depth, nodes};
use leitai_game::search::{
    Endgame, RootMoves, Search, SearchLimits, SearchParams, SearchReport, Tactics,
};
use leitai_game::{Line, Position};
use leitai_othello::endgame::{Solver, SolverLimits};
use leitai_othello::eval::{OthelloEvaluation, finished};
use leitai_othello::{EmptySquares, Othello, OthelloRules};
use leitai_xiangqi::Xiangqi;

fn playing_out(params: &SearchParams, empties: u32) -> SearchParams {
    SearchParams {
        endgame: Some(Endgame { empties }),
        ..params.clone()
    }
}

fn rules(winner: bool) -> OthelloRules {
    OthelloRules {
        empties: if winner {
            EmptySquares::Winner
        } else {
            EmptySquares::Nobody
        },
    }
}

/// The exact score of a position, and the best moves.
fn exact(position: &Othello, rules: OthelloRules) -> (i32, Vec<leitai_game::Move>) {
    let limits = SolverLimits {
        all_moves: true,
        ..SolverLimits::default()
    };
    let solution = Solver::new(1).solve(position, rules, limits, &|| false, |_| ());
    let score = solution.score().expect("no limit");
    let best = solution.moves.iter().filter(|(_, its)| *its == score);
    (finished(score), best.map(|&(mv, _)| mv).collect())
}

fn search(params: SearchParams, rules: OthelloRules) -> Search<Othello, OthelloEvaluation> {
    Search::new(
        params,
        OthelloEvaluation::new(&leitai_othello::eval::OthelloParams::default(), rules),
    )
}

fn run(
    search: &mut Search<Othello, OthelloEvaluation>,
    line: &Line<Othello>,
    rules: OthelloRules,
    limits: SearchLimits,
) -> SearchReport {
    search.run(line, rules, &limits)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Finds the value at once if the solver plays the root's moves out, otherwise as soon as it
    /// plays the leaves out.
    #[test]
    fn a_search_that_plays_out_equals_full_width(
        line in late_line(8), params in any_search(), winner in any::<bool>(), deep in 0_u32..3,
    ) {
        let rules = rules(winner);
        let (score, best) = exact(line.position(), rules);
        let empties = line.position().empties().saturating_sub(deep).max(1);
        let mut search = search(playing_out(&params, empties), rules);
        // A pass takes a ply but fills no square.
        let found = run(&mut search, &line, rules, depth(1 + 2 * deep));
        prop_assert_eq!(found.score, score);
        prop_assert!(found.best.is_some_and(|mv| best.contains(&mv)));
        let lines = search.run_lines(
            &line, rules, &depth(1 + 2 * deep), &RootMoves::default(), &|| false, &mut |_| (),
        );
        prop_assert_eq!(lines[0].score, score);
    }

    #[test]
    fn budgets_are_kept_and_a_second_search_is_equal(
        line in late_line(12), params in any_search(), budget in 0_u64..3000, empties in 1_u32..14,
    ) {
        let rules = rules(true);
        let params = playing_out(&params, empties);
        let mut kept = search(params.clone(), rules);
        let first = run(&mut kept, &line, rules, nodes(budget));
        prop_assert!(first.nodes <= budget);
        prop_assert!(first.best.is_some_and(|mv| line.position().is_legal(mv)));
        let _ = run(&mut kept, &line, rules, nodes(budget / 2));
        kept.new_game();
        prop_assert_eq!(&run(&mut kept, &line, rules, nodes(budget)), &first);

        let eval = || OthelloEvaluation::new(&leitai_othello::eval::OthelloParams::default(), rules);
        let mut other = Search::new(playing_out(&params, 5), eval());
        let _ = run(&mut other, &line, rules, nodes(budget));
        other.reconfigure(params.clone(), eval());
        prop_assert_eq!(&run(&mut other, &line, rules, nodes(budget)), &first);
        other.reconfigure(SearchParams { endgame: None, ..params.clone() }, eval());
        let mut plain = search(SearchParams { endgame: None, ..params }, rules);
        let again = run(&mut other, &line, rules, nodes(budget));
        prop_assert_eq!(again, run(&mut plain, &line, rules, nodes(budget)));
    }
}

#[test]
fn a_move_of_sorts_is_found_before_a_solve_that_takes_too_long() {
    let text = "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O";
    let line = Line::new(Othello::from_fen(text).unwrap());
    let params = playing_out(&SearchParams::default(), 23);
    let found = run(
        &mut search(params, rules(true)),
        &line,
        rules(true),
        nodes(20_000),
    );
    assert_eq!(found.depth, 3);
    assert_eq!(found.nodes, 20_000, "the solver took the rest");
}

#[test]
fn the_game_reports_its_solver() {
    assert!(Othello::HAS_SOLVER && Othello::solver(10).is_some());
    assert!(!Xiangqi::HAS_SOLVER && Xiangqi::solver(10).is_none());
    assert_eq!(Xiangqi::initial().empty_squares(), u32::MAX);
    assert_eq!(Othello::initial().empty_squares(), 60);
}
