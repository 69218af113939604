//! A pair: two games from one opening, colours swapped.

use std::sync::atomic::AtomicBool;

use super::game::{Terms, play_game};
use super::record::PairRecord;
use crate::game::Position;
use crate::player::Player;
use crate::schedule::PairSpec;

/// The players of one worker thread, made when first needed and kept.
pub struct Players<'a, P: Position> {
    make: &'a (dyn Fn(usize) -> Box<dyn Player<P>> + Sync),
    warm: Vec<Option<Box<dyn Player<P>>>>,
}

impl<'a, P: Position> Players<'a, P> {
    /// Players for `count` variants, each made by `make` from its index.
    pub fn new(make: &'a (dyn Fn(usize) -> Box<dyn Player<P>> + Sync), count: usize) -> Self {
        Self {
            make,
            warm: (0..count).map(|_| None).collect(),
        }
    }

    /// Two different players; `None` for indices that are equal or too large.
    fn two(&mut self, indices: [usize; 2]) -> Option<[&mut dyn Player<P>; 2]> {
        let make = self.make;
        let slots = self.warm.get_disjoint_mut(indices).ok()?;
        let mut index = indices.into_iter();
        Some(slots.map(|slot| {
            let index = index.next().unwrap_or_default();
            slot.get_or_insert_with(|| make(index)).as_mut() as &mut dyn Player<P>
        }))
    }
}

/// Plays a pair of the schedule from its opening. `None` if it was cancelled.
/// For node and depth limits a pure function of the variants, the opening and
/// the terms.
pub fn play_pair<P: Position>(
    spec: &PairSpec,
    opening: &P,
    players: &mut Players<'_, P>,
    terms: &Terms<P>,
    cancel: &AtomicBool,
) -> Option<PairRecord> {
    let [a, b] = spec.variants;
    let mut game = |variants| play_game(opening, players.two(variants)?, variants, terms, cancel);
    let games = [game([a, b])?, game([b, a])?];
    let hashes = [
        games[0].transcript_hash(opening),
        games[1].transcript_hash(opening),
    ];
    Some(PairRecord {
        index: spec.index,
        games,
        hashes,
    })
}
