//! Tests that strategies can be read from the memory.

use super::graph::{Graph, Shape};
use super::{NEVER, variants};
use crate::search::proof::{AndOr, SolveLimits, Solver};

/// Follows the stored moves of the winning side against all moves of the other; returns the number
/// of positions visited.
fn follow(solver: &Solver<Graph>, game: &mut Graph, proved: bool, plies: u32) -> u32 {
    if let Some(end) = game.places[game.at()].end {
        assert_eq!(end, proved);
        return 1;
    }
    let known = solver.known(game).expect("nothing is forgotten");
    assert_eq!(known.proved, proved);
    assert!(known.plies <= plies, "{} then {}", plies, known.plies);
    if game.is_or() == proved {
        let mv = known.best.expect("a move");
        game.play(mv);
        let seen = 1 + follow(solver, game, proved, known.plies - 1);
        game.undo();
        return seen;
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut seen = 1;
    for mv in moves {
        game.play(mv);
        seen += follow(solver, game, proved, known.plies - 1);
        game.undo();
    }
    seen
}

#[test]
fn a_proof_is_complete() {
    let mut seen = 0;
    for seed in 0..150 {
        let shape = [Shape::Tree, Shape::Acyclic][seed as usize % 2];
        let graph = Graph::random(shape, 40, seed);
        for params in variants().into_iter().filter(|params| params.table >= 18) {
            let mut game = graph.clone();
            let mut solver = Solver::new(&params);
            let limits = SolveLimits {
                nodes: None,
                stop: NEVER,
            };
            let solution = solver.solve(&mut game, limits, None);
            let proved = solution.verdict.is_proved().expect("a verdict");
            seen += follow(&solver, &mut game, proved, u32::MAX);
            // The line leads to an end.
            for mv in solution.pv {
                game.play(mv);
            }
            assert_eq!(game.places[game.at()].end.unwrap_or(proved), proved);
        }
    }
    assert!(seen > 10_000, "{seen}");
}
