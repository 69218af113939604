//! Artificial games with known results.

use crate::search::proof::path::mixed;
use crate::search::proof::{AndOr, Outcome};
use leitai_stats::RandomNumbers;

/// A position of a graph.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) or: bool,
    /// The result that is known without search: proved or disproved.
    pub(super) end: Option<bool>,
    pub(super) next: Vec<usize>,
    pub(super) value: i32,
}

/// A directed graph as a game; a move is an index in the list of successors.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) places: Vec<Place>,
    pub(super) line: Vec<usize>,
    /// The positions whose moves were generated, in order.
    pub(super) expanded: Vec<usize>,
}

/// The successors in a random graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Each position has one predecessor.
    Tree,
    /// Only positions with a higher index.
    Acyclic,
    /// Any position, including the root.
    Cyclic,
}

impl Graph {
    pub(super) fn new(places: Vec<Place>) -> Self {
        Self {
            places,
            line: vec![0],
            expanded: Vec::new(),
        }
    }

    /// A random graph of `size` positions. Few of them are ends, so that a result is seldom found
    /// at once.
    pub(super) fn random(shape: Shape, size: usize, seed: u64) -> Self {
        let mut dice = RandomNumbers::new(seed, 0);
        let sides = 4 + dice.below(12);
        let most = 2 + dice.below(3);
        let is_alternating = dice.below(4) > 0;
        let mut places: Vec<Place> = (0..size)
            .map(|at| Place {
                or: at == 0 || dice.below(2) == 0,
                end: None,
                next: Vec::new(),
                value: dice.below(12) as i32,
            })
            .collect();
        let mut open = 1;
        for at in 0..size {
            if at > 0 && dice.below(sides) == 0 {
                places[at].end = Some(dice.below(2) == 0);
                continue;
            }
            let mut next = Vec::new();
            for _ in 0..1 + dice.below(most) + usize::from(at == 0) {
                let to = match shape {
                    Shape::Tree => open,
                    Shape::Acyclic => at + 1 + dice.below(9),
                    Shape::Cyclic => dice.below(size),
                };
                if to < size && !next.contains(&to) {
                    next.push(to);
                    open += 1;
                    if is_alternating && shape == Shape::Tree {
                        places[to].or = !places[at].or;
                    }
                }
            }
            places[at].next = next;
        }
        if is_alternating && shape != Shape::Tree {
            places = alternating(&places);
        }
        Self::new(places)
    }

    pub(super) fn at(&self) -> usize {
        *self.line.last().expect("the root is always there")
    }

    fn here(&self) -> &Place {
        &self.places[self.at()]
    }

    /// The proved positions: the least set with the proved ends, OR positions with a successor in
    /// it, and AND positions with all successors in it. A cycle alone proves nothing.
    pub(super) fn truth(&self) -> Vec<bool> {
        let mut proved = vec![false; self.places.len()];
        loop {
            let next: Vec<bool> = self
                .places
                .iter()
                .map(|place| match place.end {
                    Some(end) => end,
                    None if place.or => place.next.iter().any(|&to| proved[to]),
                    None => place.next.iter().all(|&to| proved[to]),
                })
                .collect();
            if next == proved {
                return proved;
            }
            proved = next;
        }
    }

    /// The same game with the sides exchanged.
    pub(super) fn mirrored(&self) -> Self {
        let mut mirror = self.clone();
        for place in &mut mirror.places {
            place.or = !place.or;
            place.end = place.end.map(|end| !end);
        }
        mirror
    }
}

/// Duplicates each position, once for each side to move.
fn alternating(places: &[Place]) -> Vec<Place> {
    let both = places.iter().enumerate().flat_map(|(at, place)| {
        [true, false].map(|or| Place {
            or,
            end: place.end.map(|end| end != (at % 5 == 0 && or)),
            next: place
                .next
                .iter()
                .map(|&to| 2 * to + usize::from(or))
                .collect(),
            value: place.value,
        })
    });
    both.collect()
}

impl AndOr for Graph {
    type Move = u16;
    type Zone = ();

    fn key(&self) -> u128 {
        let at = self.at() as u64 + 1;
        u128::from(mixed(at)) << 64 | u128::from(mixed(at + (1 << 40)))
    }

    fn is_or(&self) -> bool {
        self.here().or
    }

    fn outcome(&mut self) -> Outcome<()> {
        match self.here().end {
            Some(true) => Outcome::Proved(()),
            Some(false) => Outcome::Disproved(()),
            None => Outcome::Open,
        }
    }

    fn moves(&mut self, moves: &mut Vec<u16>) {
        self.expanded.push(self.at());
        moves.extend(0..self.here().next.len() as u16);
    }

    fn play(&mut self, mv: u16) {
        let to = self.here().next[usize::from(mv)];
        self.line.push(to);
    }

    fn undo(&mut self) {
        self.line.pop();
        assert!(!self.line.is_empty(), "the root has no predecessor");
    }

    fn evaluate(&mut self) -> i32 {
        self.here().value
    }
}
