//! Openings that lead into each other: what is played from one may be played from the
//! other, and two pairs are one piece of evidence.

use std::collections::{HashMap, HashSet};

use super::Generated;
use crate::game::{MoveList, Position};

/// Within so many plies no opening of a suite leads into another.
const PLIES: usize = 2;

/// The openings of a suite and the positions on the way to them, by their symmetric
/// keys.
#[derive(Debug)]
pub(super) struct Paths {
    openings: HashSet<u64>,
    on_the_way: HashSet<u64>,
    /// Whether openings may not be on each other's way.
    unrelated: bool,
}

impl Paths {
    /// Those of `openings`.
    pub(super) fn of<P: Position>(openings: &[Generated<P>], unrelated: bool) -> Self {
        let mut paths = Self {
            openings: HashSet::new(),
            on_the_way: HashSet::new(),
            unrelated,
        };
        for opening in openings {
            paths.take(opening);
        }
        paths
    }

    /// Takes an opening that is none of those taken, and where they are to be
    /// unrelated, neither on the way to one nor behind one; returns whether it is taken.
    pub(super) fn take<P: Position>(&mut self, opening: &Generated<P>) -> bool {
        let key = opening.position.symmetric_key();
        if self.openings.contains(&key) {
            return false;
        }
        if self.unrelated {
            let way = way_to(opening);
            let is_behind = |passed: &u64| *passed == key || self.openings.contains(passed);
            if self.on_the_way.contains(&key) || way.iter().any(is_behind) {
                return false;
            }
            self.on_the_way.extend(way);
        }
        self.openings.insert(key);
        true
    }
}

/// The symmetric keys of the positions before the opening.
fn way_to<P: Position>(opening: &Generated<P>) -> Vec<u64> {
    let mut position = P::initial();
    let mut way = Vec::with_capacity(opening.moves.len());
    for &mv in &opening.moves {
        way.push(position.symmetric_key());
        position.make(mv);
    }
    way
}

/// Drops the later of any two openings of which one leads into the other within
/// [`PLIES`] plies.
pub(super) fn drop_related<P: Position>(openings: &mut Vec<Generated<P>>) {
    let places: HashMap<u64, usize> = (0..)
        .zip(openings.iter())
        .map(|(place, opening)| (opening.position.symmetric_key(), place))
        .collect();
    let mut dropped = vec![false; openings.len()];
    for place in 0..openings.len() {
        let mut position = openings[place].position.clone();
        below(&mut position, PLIES, &mut |key| {
            if let Some(&other) = places.get(&key)
                && other != place
                && !dropped[other.min(place)]
            {
                dropped[other.max(place)] = true;
            }
        });
    }
    let mut dropped = dropped.into_iter();
    openings.retain(|_| !dropped.next().unwrap_or(false));
}

/// Shows `see` the symmetric keys of the positions up to `plies` plies below.
fn below<P: Position>(position: &mut P, plies: usize, see: &mut impl FnMut(u64)) {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        let undo = position.make(mv);
        see(position.symmetric_key());
        if plies > 1 {
            below(position, plies - 1, see);
        }
        position.unmake(mv, undo);
    }
}
