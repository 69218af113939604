//! Tests that every algorithm finds the minimax value; they differ in the nodes that they search.

use super::reference::Reference;
use super::*;
use leitai_game::eval::Evaluation;
use leitai_game::search::{Algorithm, Aspiration, DeepeningKind, InternalDeepening, Quiescence};

fn by(algorithm: Algorithm) -> SearchParams {
    SearchParams {
        algorithm,
        ..plain(&[Stage::GoodCaptures, Stage::Killers, Stage::History])
    }
}

/// Nodes of a search to `deepest` without iterative deepening.
fn nodes_of_last(params: SearchParams, line: &Line<Xiangqi>, deepest: u32) -> u64 {
    let params = SearchParams {
        deepening: false,
        ..params
    };
    let reports = iterations(params, line, deepest);
    assert_eq!(reports.len(), 1, "without deepening there is one iteration");
    assert_eq!(reports[0].depth, deepest);
    reports[0].nodes
}

fn value(line: &Line<Xiangqi>, depth: u32, quiescence: bool) -> i32 {
    let reference = Reference {
        eval: &eval(),
        quiescence,
        rules: None,
    };
    reference.value(&mut line.clone(), depth, 0)
}

#[test]
fn every_algorithm_finds_the_minimax_value() {
    let small = SMALL.map(|fen| (fen, 4));
    let large = LARGE.map(|fen| (fen, 2));
    for (fen, deepest) in small.into_iter().chain(large) {
        let line = line(fen);
        for depth in 1..=deepest {
            let expected = value(&line, depth, false);
            for &algorithm in Algorithm::ALL {
                for table_mb in [0, 1] {
                    let params = SearchParams {
                        table_mb,
                        ..by(algorithm)
                    };
                    let found = iterations(params, &line, depth).pop().unwrap();
                    assert_eq!(found.score, expected, "{algorithm:?} {depth} {fen}");
                }
            }
        }
    }
}

#[test]
fn quiescence_has_its_value_in_every_algorithm() {
    for fen in SMALL {
        let line = line(fen);
        let expected = value(&line, 2, true);
        for &algorithm in Algorithm::ALL {
            let params = SearchParams {
                quiescence: Some(Quiescence::default()),
                ..by(algorithm)
            };
            let found = iterations(params, &line, 2).pop().unwrap();
            assert_eq!(found.score, expected, "{algorithm:?} {fen}");
        }
    }
}

/// Number of moves in the tree to `depth`.
fn whole_tree(line: &mut Line<Xiangqi>, depth: u32) -> u64 {
    let mut nodes = 0;
    for mv in legal_moves(line.position()) {
        nodes += 1;
        if depth > 1 {
            line.play(mv);
            nodes += whole_tree(line, depth - 1);
            line.undo();
        }
    }
    nodes
}

#[test]
fn minimax_and_negamax_search_the_whole_tree() {
    for (fen, depth) in [(SMALL[0], 4), (SMALL[3], 4), (LARGE[0], 3)] {
        let whole = whole_tree(&mut line(fen), depth);
        for algorithm in [Algorithm::Minimax, Algorithm::Negamax] {
            let nodes = nodes_of_last(by(algorithm), &line(fen), depth);
            assert_eq!(nodes, whole, "{algorithm:?} {fen}");
        }
    }
}

/// The value and the nodes of a search that uses only the parent's bound, by definition and in the
/// generator's order.
fn shallow_cuts(line: &mut Line<Xiangqi>, depth: u32, ply: i32, beta: i32) -> (i32, u64) {
    let eval = eval();
    if depth == 0 {
        let position = line.position();
        return (eval.evaluate(position, eval.accumulate(position)), 0);
    }
    let (mut best, mut nodes) = (-20_000, 0);
    for mv in legal_moves(line.position()) {
        line.play(mv);
        let (score, below) = shallow_cuts(line, depth - 1, ply + 1, -best);
        line.undo();
        nodes += 1 + below;
        best = best.max(-score);
        if best >= beta {
            break;
        }
    }
    if nodes == 0 {
        best = ply - leitai_game::eval::MATE;
    }
    (best, nodes)
}

#[test]
fn the_search_with_one_bound_cuts_off_shallowly_only() {
    for (fen, depth) in [(SMALL[0], 4), (SMALL[3], 4), (LARGE[0], 3), (LARGE[1], 3)] {
        let params = |algorithm| SearchParams {
            ordering: vec![],
            ..by(algorithm)
        };
        let nodes = |algorithm| nodes_of_last(params(algorithm), &line(fen), depth);
        let (_, expected) = shallow_cuts(&mut line(fen), depth, 0, 20_000);
        assert_eq!(nodes(Algorithm::BetaOnly), expected, "{fen}");
        assert!(nodes(Algorithm::BetaOnly) < nodes(Algorithm::Negamax));
        assert!(nodes(Algorithm::FailSoft) <= nodes(Algorithm::BetaOnly));
    }
    // Deep cut-offs need a depth of at least 4 (Knuth & Moore 1975).
    let nodes = |algorithm| nodes_of_last(by(algorithm), &line(LARGE[0]), 4);
    assert!(nodes(Algorithm::FailSoft) < nodes(Algorithm::BetaOnly));
}

#[test]
fn hard_and_soft_search_the_same_nodes_without_a_table() {
    for fen in SMALL.into_iter().chain(LARGE) {
        let last = |algorithm| {
            let report = iterations(by(algorithm), &line(fen), 4).pop().unwrap();
            (report.nodes, report.score, report.best)
        };
        assert_eq!(
            last(Algorithm::FailHard),
            last(Algorithm::FailSoft),
            "{fen}"
        );
    }
}

#[test]
fn soft_bounds_make_the_better_table() {
    let nodes = |algorithm| -> u64 {
        let params = SearchParams {
            table_mb: 4,
            ..by(algorithm)
        };
        let last = |fen| iterations(params.clone(), &line(fen), 5).pop().unwrap();
        LARGE.into_iter().map(|fen| last(fen).nodes).sum()
    };
    assert!(nodes(Algorithm::FailSoft) < nodes(Algorithm::FailHard));
}

#[test]
fn empty_windows_save_nodes_where_the_first_move_is_good() {
    let params = |algorithm| SearchParams {
        table_mb: 4,
        ordering: FIGURE_2.to_vec(),
        ..by(algorithm)
    };
    let total = |algorithm| -> u64 {
        let last = |fen| iterations(params(algorithm), &line(fen), 5).pop().unwrap();
        LARGE.into_iter().map(|fen| last(fen).nodes).sum()
    };
    assert!(total(Algorithm::Pvs) < total(Algorithm::FailSoft));
}

#[test]
fn aspiration_finds_the_same_score_whatever_the_width() {
    for fen in SMALL.into_iter().chain(LARGE) {
        for algorithm in [Algorithm::FailHard, Algorithm::FailSoft, Algorithm::Pvs] {
            let scores = |aspiration: Option<Aspiration>| -> Vec<i32> {
                let params = SearchParams {
                    aspiration,
                    ..by(algorithm)
                };
                let reports = iterations(params, &line(fen), 4);
                reports.iter().map(|report| report.score).collect()
            };
            let open = scores(None);
            for delta in [1, 7, 100] {
                let narrow = Aspiration {
                    delta,
                    min_depth: 2,
                    swing: 200,
                };
                assert_eq!(scores(Some(narrow)), open, "{delta} {algorithm:?} {fen}");
            }
        }
    }
}

#[test]
fn a_narrow_window_saves_nodes_where_the_score_is_steady() {
    let nodes = |aspiration| -> u64 {
        let params = SearchParams {
            aspiration,
            table_mb: 4,
            ordering: FIGURE_2.to_vec(),
            ..by(Algorithm::FailSoft)
        };
        let last = |fen| iterations(params.clone(), &line(fen), 6).pop().unwrap();
        LARGE.into_iter().map(|fen| last(fen).nodes).sum()
    };
    let wide = Aspiration {
        delta: 30,
        min_depth: 3,
        swing: 0,
    };
    assert!(nodes(Some(wide)) < nodes(None));
}

#[test]
fn internal_deepening_changes_the_order_and_no_score() {
    for fen in LARGE {
        let search = |kind, table_mb| {
            let params = SearchParams {
                internal_deepening: Some(InternalDeepening {
                    kind,
                    min_depth: 3,
                    reduction: 2,
                }),
                ordering: FIGURE_2.to_vec(),
                table_mb,
                ..by(Algorithm::FailSoft)
            };
            iterations(params, &line(fen), 5).pop().unwrap()
        };
        let without = iterations(
            SearchParams {
                ordering: FIGURE_2.to_vec(),
                ..by(Algorithm::FailSoft)
            },
            &line(fen),
            5,
        );
        let without = without.last().unwrap();
        let [plain, enlarged] =
            [DeepeningKind::Plain, DeepeningKind::EnlargedWindow].map(|kind| search(kind, 0));
        assert_eq!(plain.score, without.score, "{fen}");
        assert_eq!(enlarged.score, without.score, "{fen}");
        assert_ne!(plain.nodes, without.nodes, "it takes part");
        assert_ne!(plain.nodes, enlarged.nodes, "the window matters");
    }
}

/// A position without a table move is searched less deeply: with an empty table and no ordering
/// that needs one, that is every position.
#[test]
fn reducing_makes_the_tree_shallower() {
    let nodes = |internal_deepening| {
        let params = SearchParams {
            internal_deepening,
            ..plain(&[Stage::Tt])
        };
        nodes_of_last(params, &line(LARGE[0]), 4)
    };
    let reduce = InternalDeepening {
        kind: DeepeningKind::Reduce,
        min_depth: 3,
        reduction: 2,
    };
    assert!(nodes(Some(reduce)) < nodes(None) / 4);
}
