//! Tests of the expanded leaves and their order.

use std::collections::HashMap;

use super::graph::{Graph, Shape};
use super::{NEVER, solved};
use crate::search::proof::numbers::{INFINITE, Numbers};
use crate::search::proof::{Counting, Effort, SolveLimits, Solver, SolverKind, SolverParams};

fn params(kind: SolverKind, counting: Counting) -> SolverParams {
    SolverParams {
        kind,
        counting,
        epsilon: 0,
        ..SolverParams::default()
    }
}

/// The expanded part of a tree.
struct Grown<'a> {
    graph: &'a Graph,
    is_expanded: Vec<bool>,
}

impl Grown<'_> {
    /// The numbers of a position by definition.
    fn numbers(&self, at: usize) -> Numbers {
        let place = &self.graph.places[at];
        match place.end {
            Some(true) => return Numbers::PROVED,
            Some(false) => return Numbers::DISPROVED,
            None if !self.is_expanded[at] => return Numbers::NEW,
            None => {}
        }
        let children = place.next.iter().map(|&to| self.numbers(to));
        let (mut own, mut other) = (INFINITE, 0_u32);
        for child in children {
            let (its_own, its_other) = child.seen_by(place.or);
            own = own.min(its_own);
            other = other.saturating_add(its_other);
        }
        Numbers::from_view(place.or, own, other)
    }

    /// Returns whether each step from the root to a position goes to a child with the least number.
    fn is_most_proving(&self, leaf: usize, parents: &HashMap<usize, usize>) -> bool {
        let mut at = leaf;
        while let Some(&parent) = parents.get(&at) {
            let place = &self.graph.places[parent];
            let own = |to: usize| self.numbers(to).seen_by(place.or).0;
            if place.next.iter().any(|&to| own(to) < own(at)) {
                return false;
            }
            at = parent;
        }
        true
    }
}

/// Asserts that every leaf was most proving when it was expanded.
fn assert_most_proving(kind: SolverKind, seed: u64) -> usize {
    let mut game = Graph::random(Shape::Tree, 150, seed);
    solved(&params(kind, Counting::Sum), &mut game, None);
    let parents: HashMap<usize, usize> = (0..game.places.len())
        .flat_map(|at| game.places[at].next.iter().map(move |&to| (to, at)))
        .collect();
    let mut grown = Grown {
        graph: &game,
        is_expanded: vec![false; game.places.len()],
    };
    let mut leaves = 0;
    for &leaf in &game.expanded {
        if grown.is_expanded[leaf] {
            continue;
        }
        assert!(
            grown.is_most_proving(leaf, &parents),
            "{kind:?} {seed}: {leaf} after {leaves} leaves"
        );
        grown.is_expanded[leaf] = true;
        leaves += 1;
    }
    assert!(grown.numbers(0).is_decided());
    leaves
}

#[test]
fn every_expanded_leaf_is_most_proving() {
    for kind in [SolverKind::Pn, SolverKind::DfPn] {
        let leaves: usize = (0..150).map(|seed| assert_most_proving(kind, seed)).sum();
        assert!(leaves > 2000, "{leaves}");
    }
}

#[test]
fn both_sides_are_treated_alike() {
    for shape in [Shape::Tree, Shape::Acyclic] {
        for seed in 0..60 {
            let graph = Graph::random(shape, 60, seed);
            for kind in [SolverKind::Pn, SolverKind::DfPn] {
                for &counting in Counting::ALL {
                    let params = SolverParams {
                        epsilon: 25,
                        tca: seed % 2 == 0,
                        ..params(kind, counting)
                    };
                    let one = solved(&params, &mut graph.clone(), None);
                    let other = solved(&params, &mut graph.mirrored(), None);
                    let mirrored = other.verdict.is_proved().map(|proved| !proved);
                    assert_eq!(one.verdict.is_proved(), mirrored);
                    assert_eq!(one.effort, other.effort, "{seed} {params:?}");
                    assert_eq!((one.pn, one.dn), (other.dn, other.pn));
                    assert_eq!(one.pv, other.pv);
                }
            }
        }
    }
}

#[test]
fn a_search_depends_on_nothing_before_it() {
    for params in super::variants() {
        let mut used = Solver::new(&params);
        for seed in 0..12 {
            let shape = [Shape::Acyclic, Shape::Cyclic, Shape::Tree][seed as usize % 3];
            let graph = Graph::random(shape, 20, seed);
            let limits = SolveLimits {
                nodes: Some(5000),
                stop: NEVER,
            };
            let mut events = Vec::new();
            let mut watch = |event| events.push(event);
            used.new_problem();
            let one = used.solve(&mut graph.clone(), limits, Some(&mut watch));
            let two = solved(&params, &mut graph.clone(), Some(5000));
            assert_eq!(one.verdict, two.verdict);
            assert_eq!(one.effort, two.effort);
            assert_eq!(one.pv, two.pv);
            assert_eq!((one.pn, one.dn, one.value), (two.pn, two.dn, two.value));
            assert!(one.effort == Effort::default() || !events.is_empty());
        }
    }
}
