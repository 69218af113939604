//! Checks all entries of the transposition table against the definition.

use std::collections::HashMap;

use super::reference::Reference;
use super::*;
use leitai_game::eval::Evaluation;
use leitai_game::search::internals::{Bound, StoredScore};
use leitai_game::search::{Algorithm, Aspiration, Quiescence};

/// Positions with few pieces and many captures, good ones and bad ones, on both sides.
const TRADES: [&str; 4] = [
    "3k5/9/4b4/2n1p4/2R3p2/9/2P1N4/2r1B4/9/4K4 w - - 0 1",
    "4k4/4a4/9/p1r3n2/9/P1R3C2/9/9/4A4/4K4 b - - 0 1",
    "2b1k4/9/1c7/1R2p2r1/9/5C1N1/9/9/4A4/3K1A3 w - - 0 1",
    "3a1k3/9/n3b4/C3p1p2/2b6/2B1P1P2/R3c4/9/9/3K5 b - - 0 1",
];

/// Values by definition, each computed once: several searches are checked against the same ones.
struct Values<'a> {
    reference: Reference<'a>,
    known: HashMap<(String, u32, u32), i32>,
}

impl Values<'_> {
    fn value(&mut self, line: &mut Line<Xiangqi>, depth: u32, ply: u32) -> i32 {
        let key = (line.position().to_fen(), depth, ply);
        let reference = &self.reference;
        *self
            .known
            .entry(key)
            .or_insert_with(|| reference.value(line, depth, ply))
    }

    /// Searches, then checks the table's entries for positions up to two plies below the root;
    /// returns the entries.
    fn check(&mut self, params: &SearchParams, fen: &str, deepest: u32) -> Vec<StoredScore> {
        let mut line = line(fen);
        let mut search = Search::new(params.clone(), self.reference.eval.clone());
        run(&mut search, &line, depth(deepest));
        let mut entries = Vec::new();
        self.check_below(&search, &mut line, 0, deepest, &mut entries);
        entries
    }

    fn check_below(
        &mut self,
        search: &XiangqiSearch,
        line: &mut Line<Xiangqi>,
        ply: u32,
        depth: u32,
        entries: &mut Vec<StoredScore>,
    ) {
        if let Some(known) = search.entry(line.position().key(), ply) {
            let value = self.value(line, known.depth, ply);
            let holds = match known.bound {
                Bound::Exact => value == known.score,
                Bound::Lower => value >= known.score,
                Bound::Upper => value <= known.score,
            };
            let fen = line.position().to_fen();
            assert!(holds, "{known:?}, {value}: {fen} by {:?}", search.params());
            assert!(known.depth <= depth);
            assert!(known.best.is_none_or(|mv| line.position().is_legal(mv)));
            entries.push(known);
        }
        if ply < 2 {
            for mv in legal_moves(line.position()) {
                line.play(mv);
                self.check_below(search, line, ply + 1, depth - 1, entries);
                line.undo();
            }
        }
    }
}

fn values(eval: &XiangqiEvaluation, quiescence: bool) -> Values<'_> {
    Values {
        reference: Reference {
            eval,
            quiescence,
            rules: None,
        },
        known: HashMap::new(),
    }
}

/// Every algorithm with a table, with an open window and with two narrow ones, which cause repeated
/// searches.
fn searches() -> Vec<SearchParams> {
    let mut searches = Vec::new();
    for &algorithm in Algorithm::ALL {
        if algorithm == Algorithm::Minimax {
            continue;
        }
        let open = SearchParams {
            algorithm,
            table_mb: 1,
            ..plain(&FIGURE_2)
        };
        for delta in [1, 40] {
            let aspiration = Some(Aspiration {
                delta,
                min_depth: 2,
                swing: 200,
            });
            searches.extend(algorithm.has_window().then(|| SearchParams {
                aspiration,
                mate_distance: delta == 40,
                ..open.clone()
            }));
        }
        searches.push(open);
    }
    searches
}

#[test]
fn every_algorithm_stores_true_bounds() {
    let eval = eval();
    let mut values = values(&eval, false);
    let mut bounds = HashMap::new();
    for fen in SMALL {
        for params in searches() {
            let entries = values.check(&params, fen, 4);
            assert!(!entries.is_empty(), "{fen}");
            for known in entries {
                *bounds
                    .entry(format!("{:?} {:?}", params.algorithm, known.bound))
                    .or_insert(0) += 1;
            }
        }
        let minimax = SearchParams {
            algorithm: Algorithm::Minimax,
            table_mb: 1,
            ..plain(&FIGURE_2)
        };
        assert!(values.check(&minimax, fen, 2).is_empty());
    }
    // The checks must not be vacuous: each possible bound of an algorithm occurred.
    for algorithm in [Algorithm::FailHard, Algorithm::FailSoft, Algorithm::Pvs] {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            let name = format!("{algorithm:?} {bound:?}");
            assert!(bounds.get(&name).is_some_and(|&count| count > 20), "{name}");
        }
    }
    assert!(bounds["BetaOnly Lower"] > 20 && bounds["Negamax Exact"] > 20);
}

/// The margin of delta pruning is an estimate; if it covers all that a capture can win in addition
/// to its victim, pruning keeps the entries correct.
#[test]
fn delta_pruning_stores_true_bounds() {
    let eval = eval();
    let mut values = values(&eval, true);
    let mut saved = 0;
    for fen in TRADES {
        for params in searches() {
            let with = |delta, table| SearchParams {
                quiescence: Some(Quiescence {
                    delta,
                    table,
                    ..Quiescence::default()
                }),
                // A result of a deeper search beyond the horizon would not match the definition.
                table_same_depth: table,
                ..params.clone()
            };
            // To depth 2 the table contains entries of the quiescence search itself, at ply 2.
            for (table, deepest) in [(false, 3), (true, 3), (true, 2)] {
                let entries = values.check(&with(DELTA, table), fen, deepest);
                assert!(!entries.is_empty());
            }
            let nodes = |params| {
                let mut search = Search::new(params, eval.clone());
                run(&mut search, &line(fen), depth(3)).nodes
            };
            saved += nodes(with(0, false)) - nodes(with(DELTA, false));
        }
    }
    assert!(saved > 100, "{saved}: it takes part");
}

/// More than any capture in these trees wins in addition to its victim; a rook is 200.
const DELTA: u32 = 250;

/// More than the sum of the costly terms anywhere in these trees.
const MARGIN: u32 = 400;

/// The same for lazy evaluation: with a margin above the sum of the omitted terms, the bound that
/// replaces the evaluation holds.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn lazy_evaluation_stores_true_bounds() {
    let eval = XiangqiEvaluation::new(&preset("leitai"));
    assert!(eval.is_costly());
    for quiescence in [false, true] {
        let mut values = values(&eval, quiescence);
        let mut differ = 0;
        for fen in TRADES {
            for params in searches() {
                let with = |lazy_evaluation| SearchParams {
                    lazy_evaluation,
                    quiescence: quiescence.then(Quiescence::default),
                    ..params.clone()
                };
                let [lazy, full] = [MARGIN, 0].map(|margin| values.check(&with(margin), fen, 3));
                assert!(!lazy.is_empty());
                differ += usize::from(lazy != full);
            }
        }
        assert!(differ > 10, "{differ}: it takes part");
    }
}
