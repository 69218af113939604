//! Tests that every solver finds the correct result.

use super::graph::{Graph, Shape};
use super::{solved, variants};

/// Node limit of each solver.
const MAX: u64 = 300_000;

fn agree(shape: Shape, sizes: &[usize], seeds: u64) {
    let variants = variants();
    let mut counts = [0, 0];
    for seed in 0..seeds {
        let size = sizes[seed as usize % sizes.len()];
        let graph = Graph::random(shape, size, seed);
        let truth = graph.truth()[0];
        counts[usize::from(truth)] += 1;
        for params in &variants {
            if shape != Shape::Tree && size > 40 && params.table < 10 {
                // With so small a table the solver searches each path to a position separately.
                continue;
            }
            let mut game = graph.clone();
            let solution = solved(params, &mut game, Some(MAX));
            assert_eq!(
                solution.verdict.is_proved(),
                Some(truth),
                "{shape:?} {seed} {params:?} {:?}",
                solution.effort
            );
            assert_eq!(game.line, [0]);
        }
    }
    assert!(counts.iter().all(|&count| count > seeds / 10), "{counts:?}");
}

#[test]
fn random_trees() {
    agree(Shape::Tree, &[10, 40, 120], 120);
}

#[test]
fn random_acyclic_graphs() {
    agree(Shape::Acyclic, &[10, 25, 80], 120);
}

#[test]
fn random_cyclic_graphs() {
    agree(Shape::Cyclic, &[5, 10, 20], 300);
}
