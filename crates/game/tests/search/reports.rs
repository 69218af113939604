//! Tests that searches are reproducible and report their lines.

use proptest::prelude::*;

use super::*;
use leitai_game::eval::Evaluation;

/// The reports of three searches in one game.
fn game(search: &mut XiangqiSearch, fen: &str) -> Vec<SearchReport> {
    let mut line = line(fen);
    (0..3)
        .map(|_| {
            let report = run(search, &line, nodes(5000));
            line.play(report.best.expect("there is a move"));
            report
        })
        .collect()
}

#[test]
fn a_new_game_forgets_everything() {
    for table_mb in [0, 1] {
        let params = SearchParams {
            table_mb,
            ..SearchParams::default()
        };
        let mut search = Search::new(params.clone(), eval());
        for fen in LARGE {
            search.new_game();
            let reports = game(&mut search, fen);
            search.new_game();
            assert_eq!(game(&mut search, fen), reports);
            assert_eq!(game(&mut Search::new(params.clone(), eval()), fen), reports);
        }
    }
}

#[test]
fn each_finished_iteration_is_reported() {
    let reports = iterations(SearchParams::default(), &line(LARGE[0]), 5);
    assert_eq!(
        reports
            .iter()
            .map(|report| report.depth)
            .collect::<Vec<_>>(),
        [1, 2, 3, 4, 5]
    );
    assert!(reports.is_sorted_by(|a, b| a.nodes < b.nodes));
    let mut search = Search::new(SearchParams::default(), eval());
    assert_eq!(
        reports.last(),
        Some(&run(&mut search, &line(LARGE[0]), depth(5)))
    );
    assert_eq!(search.params(), &SearchParams::default());
}

#[test]
fn a_depth_beyond_the_deepest_counts_as_that() {
    let mut search = Search::new(SearchParams::default(), eval());
    let report = run(
        &mut search,
        &line(
            "3k5/9/9/9/9/9/9/9/9/P4K3 b - - 0 1"
                .replace("P4K3", "5K3")
                .as_str(),
        ),
        depth(u32::MAX),
    );
    assert_eq!(report.depth, leitai_game::search::MAX_PLY);
    assert_eq!(report.score, 0, "a draw for want of material");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Without a table and quiescence, the score is the evaluation of the position at the end of
    /// the principal variation.
    #[test]
    fn the_variation_leads_to_the_score(line in any_line(0..100), ordering in any_ordering()) {
        let report = run(&mut Search::new(plain(&ordering), eval()), &line, depth(3));
        prop_assert_eq!(report.pv.first().copied(), report.best);
        let end = play_all(&line, &report.pv);
        let (eval, position) = (eval(), end.position());
        if report.pv.len() == 3 {
            let score = eval.evaluate(position, eval.accumulate(position));
            prop_assert_eq!(-score, report.score);
        } else {
            prop_assert!(position.count_legal_moves() == 0 || report.best.is_none());
        }
    }

    #[test]
    fn variations_are_legal_and_begin_with_the_best_move(
        line in any_line(0..200),
        ordering in any_ordering(),
        limit in 0_u64..20_000,
    ) {
        let params = SearchParams { ordering, ..SearchParams::default() };
        let report = run(&mut Search::new(params, eval()), &line, nodes(limit));
        prop_assert_eq!(report.best.is_none(), line.position().count_legal_moves() == 0);
        prop_assert_eq!(report.pv.first().copied(), report.best);
        play_all(&line, &report.pv);
    }
}
