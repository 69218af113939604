//! Artificial games with known results.

use crate::search::proof::path::mixed;
use crate::search::proof::{AndOr, Outcome};

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

/// Random numbers for tests.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(mixed(seed.wrapping_mul(2) + 1))
    }

    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0) % sides
    }
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
        let mut dice = Dice::new(seed);
        let sides = 4 + dice.roll(12);
        let most = 2 + dice.roll(3);
        let is_alternating = dice.roll(4) > 0;
        let mut places: Vec<Place> = (0..size)
            .map(|at| Place {
                or: at == 0 || dice.roll(2) == 0,
                end: None,
                next: Vec::new(),
                value: dice.roll(12) as i32,
            })
            .collect();
        let mut open = 1;
        for at in 0..size {
            if at > 0 && dice.roll(sides) == 0 {
                places[at].end = Some(dice.roll(2) == 0);
                continue;
            }
            let mut next = Vec::new();
            for _ in 0..1 + dice.roll(most) + u64::from(at == 0) {
                let to = match shape {
                    Shape::Tree => open,
                    Shape::Acyclic => at + 1 + dice.roll(9) as usize,
                    Shape::Cyclic => dice.roll(size as u64) as usize,
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
