//! Tests that solvers keep limits, and report partial results.

use std::cell::Cell;

use super::graph::{Graph, Place, Shape};
use super::{NEVER, solved, variants};
use crate::search::proof::path::mixed;
use crate::search::proof::{
    AndOr, Counting, End, Event, Outcome, SolveLimits, Solver, SolverKind, SolverParams,
};

#[test]
fn no_move_more_than_allowed() {
    for params in variants() {
        let graph = Graph::random(Shape::Acyclic, 60, 4);
        let truth = graph.truth()[0];
        let all = solved(&params, &mut graph.clone(), Some(20_000))
            .effort
            .visited;
        for nodes in (0..40).chain([all - 1, all, all + 1]) {
            let mut game = graph.clone();
            let solution = solved(&params, &mut game, Some(nodes));
            assert!(solution.effort.visited <= nodes, "{params:?}");
            assert_eq!(game.line, [0], "{params:?} {nodes}");
            assert!(solution.best.is_some());
            if let Some(proved) = solution.verdict.is_proved() {
                assert_eq!(proved, truth);
            } else {
                assert_eq!((solution.end, solution.effort.visited), (End::Nodes, nodes));
                assert_ne!((solution.pn, solution.dn), (Some(0), Some(0)));
                assert_ne!(solution.pn, Some(u32::MAX));
                assert_ne!(solution.dn, Some(u32::MAX));
            }
            if nodes >= all && all < 20_000 {
                assert_eq!(solution.end, End::Decided);
            }
        }
    }
}

#[test]
fn a_search_goes_on_where_it_was_stopped() {
    for params in variants() {
        if matches!(params.kind, SolverKind::Pn | SolverKind::PnPlus) || params.table < 18 {
            continue;
        }
        let mut game = Graph::random(Shape::Acyclic, 60, 4);
        let mut solver = Solver::new(&params);
        let mut searches = 0;
        loop {
            searches += 1;
            let limits = SolveLimits {
                nodes: Some(150),
                stop: NEVER,
            };
            let solution = solver.solve(&mut game, limits, None);
            if solution.end == End::Decided {
                break;
            }
            assert!(searches < 400, "{params:?}");
        }
    }
}

/// A game that never ends. Contains the hashes of the line's positions.
struct Endless(Vec<u64>);

impl AndOr for Endless {
    type Move = u64;
    type Zone = ();

    fn key(&self) -> u128 {
        u128::from(self.0[self.0.len() - 1])
    }

    fn is_or(&self) -> bool {
        self.0.len() % 2 == 1
    }

    fn outcome(&mut self) -> Outcome<()> {
        Outcome::Open
    }

    fn moves(&mut self, moves: &mut Vec<u64>) {
        moves.extend(0..3);
    }

    fn play(&mut self, mv: u64) {
        let next = mixed((self.key() as u64).wrapping_mul(3) + mv);
        self.0.push(next);
    }

    fn undo(&mut self) {
        self.0.pop();
    }

    fn evaluate(&mut self) -> i32 {
        (self.key() % 20) as i32
    }
}

#[test]
fn a_stop_ends_the_search() {
    for &kind in SolverKind::ALL {
        let params = SolverParams {
            kind,
            ..SolverParams::default()
        };
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > 3
        };
        let limits = SolveLimits {
            nodes: None,
            stop: &stop,
        };
        let mut game = Endless(vec![1]);
        let solution = Solver::new(&params).solve(&mut game, limits, None);
        assert_eq!(solution.end, End::Stopped, "{kind:?}");
        assert_eq!(solution.effort.visited, 3 * 64);
        assert_eq!(game.0, [1]);
    }
}

#[test]
fn a_tree_has_a_bound() {
    for kind in [SolverKind::Pn, SolverKind::PnPlus] {
        let params = |table| SolverParams {
            kind,
            table,
            ..SolverParams::default()
        };
        let mut ends = [0, 0];
        for seed in 0..40 {
            let graph = Graph::random(Shape::Tree, 100, seed);
            let solution = solved(&params(4), &mut graph.clone(), None);
            if solution.verdict == Outcome::Open {
                assert_eq!(solution.end, End::Memory);
                ends[0] += 1;
            } else {
                ends[1] += 1;
            }
            let solution = solved(&params(12), &mut graph.clone(), None);
            assert_eq!(solution.verdict.is_proved(), Some(graph.truth()[0]));
        }
        assert!(ends.iter().all(|&count| count > 3), "{ends:?}");
    }
}

/// A single line with this many positions.
fn corridor(length: usize) -> Graph {
    let places = (0..length)
        .map(|at| Place {
            or: at % 2 == 0,
            end: (at + 1 == length).then_some(true),
            next: vec![at + 1],
            value: 1,
        })
        .collect();
    Graph::new(places)
}

#[test]
fn depth_is_no_matter_of_the_stack() {
    for &kind in SolverKind::ALL {
        let params = SolverParams {
            kind,
            ..SolverParams::default()
        };
        let solution = solved(&params, &mut corridor(5001), None);
        if kind == SolverKind::AlphaBeta {
            assert_eq!(solution.end, End::Depth);
            assert_eq!(solution.effort.depth, params.max_depth);
        } else {
            assert_eq!(solution.verdict, Outcome::Proved(()));
            assert_eq!(solution.effort.depth, 5000);
        }
    }
}

#[test]
fn a_sum_that_is_full_decides_nothing() {
    // The attacker has one move, and then the defender five: each position after them has the
    // largest evaluation for the defender that a number can hold.
    let mut places = vec![Place {
        or: true,
        end: None,
        next: vec![1],
        value: 0,
    }];
    places.push(Place {
        or: false,
        end: None,
        next: (2..7).collect(),
        value: 60_000,
    });
    for at in 2..7 {
        places.push(Place {
            or: true,
            end: None,
            next: vec![at + 5],
            value: 60_000,
        });
    }
    for _ in 7..12 {
        places.push(Place {
            or: false,
            end: Some(true),
            next: vec![],
            value: 0,
        });
    }
    let graph = Graph::new(places);
    for kind in [SolverKind::PnPlus, SolverKind::DfPnPlus] {
        for &counting in Counting::ALL {
            let params = SolverParams {
                kind,
                counting,
                ..SolverParams::default()
            };
            let stopped = solved(&params, &mut graph.clone(), Some(7));
            assert_eq!(stopped.verdict, Outcome::Open);
            let pn = stopped.pn.expect("a number");
            assert!(pn > 3_000_000_000 && pn < u32::MAX, "{pn}");
            let solution = solved(&params, &mut graph.clone(), None);
            assert_eq!(solution.verdict, Outcome::Proved(()));
        }
    }
}

#[test]
fn a_watcher_receives_progress() {
    let graph = Graph::random(Shape::Acyclic, 80, 71);
    for &kind in SolverKind::ALL {
        let params = SolverParams {
            kind,
            ..SolverParams::default()
        };
        let mut events = Vec::new();
        let mut watch = |event| events.push(event);
        let limits = SolveLimits {
            nodes: Some(50_000),
            stop: NEVER,
        };
        let solution = Solver::new(&params).solve(&mut graph.clone(), limits, Some(&mut watch));
        assert!(events.len() > 3, "{events:?}");
        let mut before = 0;
        for event in &events {
            let (Event::Iteration { visited, .. } | Event::Numbers { visited, .. }) = *event;
            assert!(visited >= before);
            before = visited;
        }
        let proved = solution.verdict.is_proved().expect("a verdict");
        match *events.last().expect("an event") {
            Event::Iteration { value, depth, .. } => {
                assert_eq!(kind, SolverKind::AlphaBeta);
                assert_eq!(value, if proved { 0 } else { i32::MAX });
                assert_eq!(depth % 2, 0);
            }
            Event::Numbers { visited, pn, dn } => {
                assert_eq!((pn == 0, dn == 0), (proved, !proved));
                assert_eq!(visited, solution.effort.visited);
            }
        }
    }
}
