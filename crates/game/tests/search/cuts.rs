//! Tests of searches interrupted by a limit or a signal.

use std::cell::Cell;

use super::reference::Reference;
use super::*;

#[test]
fn a_node_limit_is_met_to_the_node() {
    let some = [500, 1023, 1024, 1025, 4096, 30_000];
    let full = leitai_config::search_preset(None, "full").unwrap();
    for params in [SearchParams::default(), plain(&[Stage::ByPiece]), full] {
        let mut search = Search::new(params, eval());
        for fen in LARGE {
            let line = line(fen);
            for limit in (0..=200).chain(some) {
                search.new_game();
                let report = run(&mut search, &line, nodes(limit));
                assert_eq!(report.nodes, limit);
                assert_eq!(report.pv.first().copied(), report.best);
                play_all(&line, &report.pv);
            }
        }
    }
}

#[test]
fn small_trees_end_before_their_limit_or_at_it() {
    let mut search = Search::new(SearchParams::default(), eval());
    for fen in SMALL {
        for limit in 0..=200 {
            search.new_game();
            let report = run(&mut search, &line(fen), nodes(limit));
            assert!(report.nodes <= limit);
            let best = report.best.expect("there is a move");
            assert!(line(fen).position().is_legal(best));
        }
    }
}

#[test]
fn the_signal_is_asked_once_in_1024_nodes() {
    for polls in 0_u64..4 {
        let left = Cell::new(polls);
        let stop = || left.replace(left.get().wrapping_sub(1)) == 0;
        let mut search = Search::new(SearchParams::default(), eval());
        let limits = SearchLimits::default();
        let rules = XiangqiRules::default();
        let report = search.run_until(&line(LARGE[0]), rules, &limits, &stop, None);
        assert_eq!(report.nodes, 1024 * polls);
        assert!(report.best.is_some());
    }
}

#[test]
fn without_a_node_the_first_move_of_the_ordering_is_best() {
    let line = line(LARGE[0]);
    for limits in [nodes(0), depth(0)] {
        let mut search = Search::new(plain(&[]), eval());
        let report = run(&mut search, &line, limits);
        assert_eq!(report.best, legal_moves(line.position()).first().copied());
        assert_eq!((report.depth, report.nodes), (0, 0));
        assert_eq!(report.pv.len(), 1);
    }
}

/// The result of an interrupted iteration is no worse, by a search that is one ply deeper, than
/// that of the previous one.
#[test]
fn a_cut_iteration_makes_nothing_worse() {
    let line = line(LARGE[1]);
    let params = plain(&[Stage::ByPiece]);
    let eval = eval();
    let reference = Reference {
        eval: &eval,
        quiescence: false,
        rules: None,
    };
    let value = |mv, depth| {
        let mut line = line.clone();
        line.play(mv);
        -reference.value(&mut line, depth - 1, 1)
    };
    let iterations = iterations(params.clone(), &line, 3);
    let mut improved = false;
    let mut search = Search::new(params, eval.clone());
    for limit in (1..iterations[2].nodes).step_by(7) {
        search.new_game();
        let report = run(&mut search, &line, nodes(limit));
        let Some(before) = iterations[..2].iter().rfind(|report| report.nodes <= limit) else {
            continue;
        };
        assert_eq!(report.depth, before.depth);
        let (Some(best), Some(previous)) = (report.best, before.best) else {
            panic!("there are moves");
        };
        if (best, report.score) != (previous, before.score) {
            improved = true;
            let deeper = report.depth + 1;
            assert_eq!(report.score, value(best, deeper));
            assert!(report.score >= value(previous, deeper));
        }
    }
    assert!(improved, "some iteration was cut late enough to be used");
}
