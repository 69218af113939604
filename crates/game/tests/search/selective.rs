//! Tests of pruning, reductions and extensions: outside its range a setting changes nothing, inside
//! it saves nodes, and required properties hold.

use super::*;
use leitai_game::eval::{MATE, mate_plies};
use leitai_game::search::internals::half_depth;
use leitai_game::search::{
    Algorithm, CaptureHistory, CheckExtension, CorrectionHistory, ExchangePruning, Futility,
    History, HistoryBonus, HistoryPruning, LateMovePruning, LateMoveReductions, MultiProbCut,
    NullMove, ProbCut, Quiescence, Razoring, ReverseFutility, SingularExtension, Stage,
};

/// Principal variation search with every setting that changes no score.
fn base() -> SearchParams {
    SearchParams {
        algorithm: Algorithm::Pvs,
        quiescence: Some(Quiescence::default()),
        table_mb: 1,
        ..plain(&FIGURE_2)
    }
}

fn last(params: &SearchParams, fen: &str, deepest: u32) -> SearchReport {
    iterations(params.clone(), &line(fen), deepest)
        .pop()
        .unwrap()
}

fn total(params: &SearchParams, deepest: u32) -> u64 {
    LARGE
        .map(|fen| last(params, fen, deepest).nodes)
        .iter()
        .sum()
}

/// Asserts that `params` gives the same results as the base, including node counts.
fn changes_nothing(params: &SearchParams) {
    for fen in SMALL.into_iter().chain(LARGE) {
        assert_eq!(last(params, fen, 4), last(&base(), fen, 4), "{fen}");
    }
}

/// Asserts that `params` needs fewer nodes than the base, and still reports a legal line.
fn saves_nodes(params: &SearchParams) {
    assert!(total(params, 5) < total(&base(), 5));
    for fen in SMALL.into_iter().chain(LARGE) {
        let report = last(params, fen, 5);
        play_all(&line(fen), &report.pv);
        assert_eq!(report.pv.first().copied(), report.best);
    }
}

#[test]
fn null_move() {
    saves_nodes(&SearchParams {
        null_move: Some(NullMove::default()),
        ..base()
    });
    changes_nothing(&SearchParams {
        null_move: Some(NullMove {
            min_depth: 64,
            ..NullMove::default()
        }),
        ..base()
    });
    // Verification needs more nodes than trusting the null move.
    let verified = |verification| {
        let null_move = NullMove {
            verification,
            ..NullMove::default()
        };
        total(
            &SearchParams {
                null_move: Some(null_move),
                ..base()
            },
            6,
        )
    };
    assert!(verified(2) > verified(0));
}

/// In these zugzwang positions the null move promises too much. A search without null moves finds
/// the correct value, and verification does too; trusting the null move does not.
#[test]
fn verification_repairs_cut_offs_that_a_pass_got_wrong() {
    let by = |null_move: Option<NullMove>| SearchParams {
        null_move,
        ..base()
    };
    let verified = |verification| {
        by(Some(NullMove {
            verification,
            ..NullMove::default()
        }))
    };
    for fen in [
        "9/1c7/3k5/9/9/9/9/5K3/3C5/9 b - - 0 1",
        "4c4/9/4k4/8p/9/1C7/9/2C6/9/3K5 b - - 0 1",
        "4k4/1n7/2c6/3N5/9/4N4/9/9/9/4K4 b - - 0 1",
        "3k5/1N7/9/9/9/9/6c2/5K3/9/9 b - - 0 1",
    ] {
        let exact = last(&by(None), fen, 5).score;
        let [trusting, careful] = [0, 1].map(|from| last(&verified(from), fen, 5));
        assert_ne!(trusting.score, exact, "{fen}");
        assert_eq!(careful.score, exact, "{fen}");
        assert!(careful.nodes > trusting.nodes, "{fen}");
        // Out of range it makes no difference.
        assert_eq!(last(&verified(6), fen, 5), trusting, "{fen}");
    }
}

/// With only pawns and guards, zugzwang is common: null moves are disabled, so nothing is pruned.
#[test]
fn no_null_move_with_pawns_only() {
    let pawns = "3k5/9/9/2P1P4/9/9/9/4p4/9/4K4 w - - 0 1";
    let null_move = SearchParams {
        null_move: Some(NullMove::default()),
        ..base()
    };
    assert_eq!(last(&null_move, pawns, 6), last(&base(), pawns, 6));
}

#[test]
fn late_move_reductions() {
    saves_nodes(&SearchParams {
        late_move_reductions: Some(LateMoveReductions::default()),
        ..base()
    });
    changes_nothing(&SearchParams {
        late_move_reductions: Some(LateMoveReductions {
            full_moves: 128,
            ..LateMoveReductions::default()
        }),
        ..base()
    });
}

#[test]
fn late_move_pruning() {
    saves_nodes(&SearchParams {
        late_move_pruning: Some(LateMovePruning::default()),
        ..base()
    });
    changes_nothing(&SearchParams {
        late_move_pruning: Some(LateMovePruning {
            base: 128,
            slope: 10_000,
            max_depth: 16,
        }),
        ..base()
    });
}

#[test]
fn futility() {
    saves_nodes(&SearchParams {
        futility: Some(Futility::default()),
        ..base()
    });
    changes_nothing(&SearchParams {
        futility: Some(Futility {
            base: 9_000,
            slope: 9_000,
            max_depth: 16,
        }),
        ..base()
    });
}

#[test]
fn reverse_futility() {
    saves_nodes(&SearchParams {
        reverse_futility: Some(ReverseFutility::default()),
        ..base()
    });
    changes_nothing(&SearchParams {
        reverse_futility: Some(ReverseFutility {
            max_depth: 16,
            slope: 9_000,
        }),
        ..base()
    });
}

#[test]
fn razoring() {
    saves_nodes(&SearchParams {
        razoring: Some(Razoring::default()),
        ..base()
    });
    changes_nothing(&SearchParams {
        razoring: Some(Razoring {
            max_depth: 16,
            base: 9_000,
            slope: 9_000,
        }),
        ..base()
    });
}

#[test]
fn exchange_pruning() {
    saves_nodes(&SearchParams {
        exchange_pruning: Some(ExchangePruning::default()),
        ..base()
    });
    changes_nothing(&SearchParams {
        exchange_pruning: Some(ExchangePruning {
            max_depth: 16,
            quiet: 100,
            capture: 100,
        }),
        ..base()
    });
}

#[test]
fn history_pruning() {
    let learning = SearchParams {
        history: History {
            penalty: true,
            bonus: HistoryBonus::Linear,
            ..History::default()
        },
        ..base()
    };
    let with = |slope| SearchParams {
        history_pruning: Some(HistoryPruning {
            slope,
            ..HistoryPruning::default()
        }),
        ..learning.clone()
    };
    assert!(total(&with(0), 5) < total(&learning, 5));
    for fen in SMALL.into_iter().chain(LARGE) {
        let without = last(&learning, fen, 4);
        assert_eq!(last(&with(1_000_000), fen, 4), without, "{fen}");
    }
}

#[test]
fn prob_cut() {
    let with = |prob_cut| SearchParams {
        prob_cut: Some(prob_cut),
        ..base()
    };
    let near = with(ProbCut {
        min_depth: 3,
        margin: 50,
        reduction: 2,
        known: 300,
    });
    for fen in SMALL.into_iter().chain(LARGE) {
        let report = last(&near, fen, 5);
        play_all(&line(fen), &report.pv);
        assert_eq!(report.pv.first().copied(), report.best);
    }
    assert_ne!(last(&near, LARGE[0], 6), last(&base(), LARGE[0], 6));
    changes_nothing(&with(ProbCut {
        margin: 9_000,
        min_depth: 3,
        ..ProbCut::default()
    }));
}

#[test]
fn multi_prob_cut() {
    let with = |margin| SearchParams {
        multi_prob_cut: Some(MultiProbCut {
            min_depth: 3,
            base: margin,
            slope: margin,
        }),
        ..base()
    };
    saves_nodes(&with(20));
    changes_nothing(&with(9_000));
    let shallower = [3, 4, 5, 6, 7, 8, 13].map(half_depth);
    assert_eq!(shallower, [1, 2, 1, 2, 3, 4, 5]);
}

/// Searches the table move deeper if all others are worse, so that the end of a forced line is seen
/// earlier; out of range nothing changes.
#[test]
fn singular_extension() {
    let with = |settings: SingularExtension| SearchParams {
        singular_extension: Some(settings),
        ..base()
    };
    let near = SingularExtension {
        min_depth: 4,
        slope: 100,
        double: 50,
        negative: 1,
        ..SingularExtension::default()
    };
    for fen in SMALL.into_iter().chain(LARGE) {
        let report = last(&with(near.clone()), fen, 5);
        play_all(&line(fen), &report.pv);
        assert_eq!(report.pv.first().copied(), report.best);
        assert_eq!(report, last(&with(near.clone()), fen, 5));
    }
    let nodes = |params: &SearchParams| last(params, LARGE[0], 6).nodes;
    // If another move cuts off too, the search of the first is skipped.
    let trusting = nodes(&with(near.clone()));
    let doubting = nodes(&with(SingularExtension {
        multi_cut: false,
        ..near
    }));
    assert_ne!(trusting, nodes(&base()));
    assert!(trusting < doubting);
    changes_nothing(&with(SingularExtension {
        min_depth: 64,
        ..SingularExtension::default()
    }));
}

#[test]
fn correction_history() {
    let with = |part| SearchParams {
        correction_history: Some(CorrectionHistory {
            pawns: part,
            pieces: part,
            moves: part,
            limit: 100,
        }),
        ..base()
    };
    changes_nothing(&with(0));
    assert_ne!(total(&with(100), 5), total(&base(), 5));
}

/// Capture history changes the order of captures, and without pruning no score.
#[test]
fn capture_history_changes_the_order_alone() {
    let without = SearchParams {
        ordering: vec![Stage::Tt, Stage::GoodExchanges, Stage::History],
        table_same_depth: true,
        rules: false,
        quiescence: None,
        ..base()
    };
    let with = SearchParams {
        capture_history: Some(CaptureHistory { unit: 100 }),
        ..without.clone()
    };
    for fen in SMALL.into_iter().chain(LARGE) {
        let [one, other] = [&with, &without].map(|params| last(params, fen, 4).score);
        assert_eq!(one, other, "{fen}");
    }
    assert_ne!(total(&with, 5), total(&without, 5));
}

#[test]
fn mate_distance_pruning_keeps_the_mate() {
    let params = SearchParams {
        mate_distance: true,
        ..base()
    };
    let mut saved = 0;
    for fen in SMALL {
        let (with, without) = (last(&params, fen, 5), last(&base(), fen, 5));
        assert_eq!(with.score, without.score, "{fen}");
        saved += without.nodes - with.nodes;
    }
    assert!(saved > 0);
}

/// A mate that starts with a check is found by an iteration that is one ply shallower.
#[test]
fn extended_checks_find_a_mate_at_a_smaller_depth() {
    let plain = SearchParams {
        quiescence: None,
        ..base()
    };
    let extended = SearchParams {
        check_extension: Some(CheckExtension::default()),
        ..plain.clone()
    };
    for (fen, depth, score) in [
        ("3k5/9/9/9/9/R8/1R7/9/9/4K4 w - - 0 1", 2, MATE - 1),
        ("3k1a3/9/9/4C4/9/9/9/9/R8/R3K4 w - - 0 1", 4, MATE - 3),
    ] {
        let found = |params: &SearchParams| {
            let reports = iterations(params.clone(), &line(fen), 6);
            let found = reports.iter().find(|report| report.score == score);
            found.map(|report| report.depth)
        };
        assert_eq!(found(&plain), Some(depth), "{fen}");
        assert_eq!(found(&extended), Some(depth - 1), "{fen}");
    }
    // A check that can be captured is not extended.
    let safe = SearchParams {
        check_extension: Some(CheckExtension {
            safe: true,
            ..CheckExtension::default()
        }),
        ..plain.clone()
    };
    assert!(total(&safe, 4) < total(&extended, 4));
    assert!(total(&safe, 4) > total(&plain, 4));
    changes_nothing_without_checks();
}

fn changes_nothing_without_checks() {
    // Neither side can give check.
    let quiet = "3k5/9/9/9/9/9/9/9/9/4KA3 w - - 0 1";
    let extended = SearchParams {
        check_extension: Some(CheckExtension::default()),
        ..base()
    };
    assert_eq!(last(&extended, quiet, 4), last(&base(), quiet, 4));
}

#[test]
fn quiescence_leaves_out_useless_captures() {
    let with = |quiescence: Quiescence| SearchParams {
        quiescence: Some(quiescence),
        ..base()
    };
    saves_nodes(&with(Quiescence {
        skip_losing: true,
        ..Quiescence::default()
    }));
    saves_nodes(&with(Quiescence {
        delta: 100,
        ..Quiescence::default()
    }));
    changes_nothing(&with(Quiescence {
        delta: 9_000,
        ..Quiescence::default()
    }));
    // With table entries of the quiescence search, scores stay the same.
    let remembering = with(Quiescence {
        table: true,
        ..Quiescence::default()
    });
    saves_nodes(&remembering);
    for fen in SMALL.into_iter().chain(LARGE) {
        let scores = [&remembering, &base()].map(|params| last(params, fen, 3).score);
        assert_eq!(scores[0], scores[1], "{fen}");
    }
}

/// A mate by a quiet check right beyond the horizon.
#[test]
fn quiescence_with_checks_sees_a_mating_check() {
    let fen = "4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 0 1";
    let at = |checks| {
        let quiescence = Quiescence {
            checks,
            ..Quiescence::default()
        };
        let params = SearchParams {
            quiescence: Some(quiescence),
            ..base()
        };
        // With Black to move, a6-a9 mates after any move.
        let fen = fen.replace('w', "b");
        last(&params, &fen, 1).score
    };
    assert!(at(0) > -MATE + 100);
    assert_eq!(at(1), 2 - MATE);
    changes_nothing(&base());
}

#[test]
fn everything_on_is_deterministic_and_finds_short_mates() {
    let full = leitai_config::search_preset(None, "full").unwrap();
    for fen in SMALL.into_iter().chain(LARGE) {
        assert_eq!(last(&full, fen, 8), last(&full, fen, 8), "{fen}");
        let exact = last(&base(), fen, 4).score;
        if let Some(plies) = mate_plies(exact) {
            assert_eq!(last(&full, fen, plies + 4).score, exact, "{fen}");
        }
    }
    assert!(total(&full, 6) < total(&base(), 6) / 10);
}

/// Terms are omitted only if they are costly and the score is beyond the margin.
#[test]
fn lazy_evaluation_counts_terms_near_the_window_only() {
    let full = XiangqiEvaluation::new(&preset("leitai"));
    let search = |eval: &XiangqiEvaluation, lazy_evaluation| {
        let params = SearchParams {
            lazy_evaluation,
            ..base()
        };
        let reports = LARGE.map(|fen| {
            let mut search = Search::new(params.clone(), eval.clone());
            run(&mut search, &line(fen), depth(4))
        });
        reports.to_vec()
    };
    assert_eq!(search(&full, 9_000), search(&full, 0), "beyond reach");
    assert_ne!(search(&full, 20), search(&full, 0));
    assert_eq!(
        search(&eval(), 20),
        search(&eval(), 0),
        "there are no terms"
    );
}
