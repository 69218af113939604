//! Capture history: how well captures have done, by the piece that takes, the square
//! and the victim.

use super::Tactics;
use super::history::saturated;
use crate::game::Move;

/// Values of victims that are told apart.
const VICTIMS: usize = 16;

/// Scores that saturate and do not age.
pub(super) struct Captures {
    scores: Vec<i16>,
    /// What a unit of the victim's value counts for.
    pub(super) unit: i32,
}

impl Captures {
    pub(super) fn new(slots: usize, unit: u32) -> Self {
        Self {
            scores: vec![0; slots * VICTIMS],
            unit: unit as i32,
        }
    }

    pub(super) fn clear(&mut self) {
        self.scores.fill(0);
    }

    #[inline]
    fn slot<P: Tactics>(position: &P, mv: Move) -> usize {
        let (victim, _) = position.victim_and_attacker(mv);
        position.history_slot(mv) * VICTIMS + (victim.max(0) as usize).min(VICTIMS - 1)
    }

    #[inline]
    pub(super) fn score<P: Tactics>(&self, position: &P, mv: Move) -> i32 {
        let slot = Self::slot(position, mv);
        self.scores.get(slot).map_or(0, |&score| i32::from(score))
    }

    #[inline]
    pub(super) fn add<P: Tactics>(&mut self, position: &P, mv: Move, bonus: i32) {
        if let Some(score) = self.scores.get_mut(Self::slot(position, mv)) {
            // Within the limit of saturation, which fits.
            *score = saturated(i32::from(*score), bonus) as i16;
        }
    }
}
