//! Tests that the score is the value by definition, with any move ordering.

use proptest::prelude::*;

use super::reference::Reference;
use super::*;
use leitai_game::search::Quiescence;
use leitai_game::search::internals::Budget;

fn reference(line: &Line<Xiangqi>, params: &SearchParams, depth: u32) -> i32 {
    let reference = Reference {
        eval: &eval(),
        quiescence: params.quiescence.is_some(),
        rules: params.rules.then_some(line.len()),
    };
    reference.value(&mut line.clone(), depth, 0)
}

/// Compares the scores of all iterations to `deepest`.
fn agrees(line: &Line<Xiangqi>, params: &SearchParams, deepest: u32) {
    for report in iterations(params.clone(), line, deepest) {
        assert_eq!(
            report.score,
            reference(line, params, report.depth),
            "depth {} of {} by {params:?}",
            report.depth,
            line.position().to_fen()
        );
    }
}

#[test]
fn every_ordering_finds_the_minimax_value() {
    let positions = SMALL.map(line);
    let eval = eval();
    let values = positions
        .each_ref()
        .map(|line| [1, 2, 3, 4].map(|depth| reference(line, &plain(&[]), depth)));
    for ordering in all_orderings() {
        let mut search = Search::new(plain(&ordering), eval.clone());
        for (line, values) in positions.iter().zip(values) {
            let found = [1, 2, 3, 4].map(|deepest| {
                search.new_game();
                run(&mut search, line, depth(deepest)).score
            });
            assert_eq!(found, values, "{ordering:?}: {}", line.position().to_fen());
        }
    }
}

#[test]
fn middlegames_have_the_minimax_value() {
    for fen in LARGE {
        for ordering in [&FIGURE_2[..], &[Stage::ByPiece], &[]] {
            agrees(&line(fen), &plain(ordering), 3);
        }
    }
}

/// An entry of a deeper search is also used at lower depths, so with a table a score can be more
/// accurate than its depth. That needs the same position at two plies of the tree, which is first
/// possible at plies 2 and 4, after both sides have wasted a move: up to depth 4, where positions
/// at ply 4 are not looked up, the values of a new game are those of the definition.
#[test]
fn the_table_changes_no_value_up_to_depth_4() {
    for quiescence in [false, true] {
        let params = SearchParams {
            quiescence: quiescence.then(Quiescence::default),
            table_mb: 1,
            ..plain(&FIGURE_2)
        };
        for fen in SMALL {
            agrees(&line(fen), &params, 4);
        }
    }
    for fen in LARGE {
        let params = SearchParams {
            table_mb: 1,
            ..plain(&FIGURE_2)
        };
        agrees(&line(fen), &params, 3);
    }
}

#[test]
fn a_table_of_the_same_depth_changes_no_value_at_all() {
    for fen in SMALL {
        let with = |table_mb| SearchParams {
            table_mb,
            table_same_depth: true,
            ..plain(&FIGURE_2)
        };
        let scores = |params| -> Vec<i32> {
            let reports = iterations(params, &line(fen), 7);
            reports.iter().map(|report| report.score).collect()
        };
        assert_eq!(scores(with(1)), scores(with(0)), "{fen}");
    }
}

#[test]
fn rules_and_quiescence_are_searched_exactly_without_a_table() {
    for fen in SMALL {
        for (quiescence, rules) in [(false, true), (true, false), (true, true)] {
            let params = SearchParams {
                quiescence: quiescence.then(Quiescence::default),
                rules,
                ..plain(&FIGURE_2)
            };
            // A repetition inside the tree takes at least five plies.
            agrees(&line(fen), &params, if quiescence { 4 } else { 5 });
        }
    }
}

#[test]
fn a_repetition_ends_a_line_of_the_tree() {
    // Without captures, only repetition rules apply.
    let start = line("3k5/9/9/9/9/9/9/8p/9/5K3 w - - 0 1");
    let nodes = |rules, deepest| {
        let params = SearchParams {
            rules,
            ..plain(&[])
        };
        iterations(params, &start, deepest)
            .pop()
            .map(|report| report.nodes)
    };
    assert_eq!(
        nodes(true, 5),
        nodes(false, 5),
        "ply 5 is the first to repeat"
    );
    assert!(nodes(true, 7) < nodes(false, 7));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_positions_have_the_value_by_definition(
        line in any_line(0..160),
        ordering in any_ordering(),
        rules in any::<bool>(),
        table_mb in 0_u32..2,
    ) {
        // The value of a repetition depends on the path; the table ignores it.
        let rules = rules && table_mb == 0;
        let params = SearchParams { table_mb, rules, ..plain(&ordering) };
        agrees(&line, &params, 2);
    }
}

/// A position of the game that occurs again, at the root or below, is nearer to the third
/// occurrence than when it was stored: it has an entry of its own.
#[test]
fn a_repetition_in_the_game_has_table_entries_of_its_own() {
    let mut game = line("3k5/9/9/9/4R4/9/9/r8/1r7/5K3 w - - 0 1");
    let own_entry = |line: &Line<Xiangqi>, moves: &[&str], rules| {
        let params = SearchParams {
            rules,
            ..plain(&FIGURE_2)
        };
        let mut search = Search::new(params, eval());
        let tree = search.tree(line, XiangqiRules::default(), Budget::new(None, &|| false));
        for text in moves {
            let mv = tree.line.position().parse_move(text).unwrap();
            tree.line.play(mv);
        }
        tree.key() != tree.line.position().key()
    };
    assert!(!own_entry(&game, &[], true));
    assert!(!own_entry(&game, &["e5d5", "d9e9"], true));
    // At the root again, but not where the search itself repeats.
    let round = ["e5d5", "d9e9", "d5e5", "e9d9"];
    assert!(own_entry(&game, &round, true));
    assert!(!own_entry(&game, &[&round[..], &["e5d5"]].concat(), true));
    for text in round {
        let mv = game.position().parse_move(text).unwrap();
        game.play(mv);
    }
    assert!(own_entry(&game, &[], true), "the root came up before");
    assert!(own_entry(&game, &["e5d5"], true));
    assert!(
        !own_entry(&game, &["e5d5"], false),
        "nobody asks for repetitions"
    );
    assert!(!own_entry(&game, &["e5f5"], true));
}
