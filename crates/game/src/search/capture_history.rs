//! Capture history: how well captures have done, by the piece that takes, the square
//! and the victim.

use super::Tactics;
use super::history::saturated;
use crate::Move;

/// Values of victims that are told apart.
const VICTIMS: usize = 16;

/// Scores that saturate and do not age.
pub(super) struct Captures {
    scores: Vec<i16>,
    /// What a unit of the victim's value counts for.
    unit: i32,
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
    fn slot<P: Tactics>(position: &P, mv: Move, victim: i32) -> usize {
        position.history_slot(mv) * VICTIMS + (victim.max(0) as usize).min(VICTIMS - 1)
    }

    /// The higher, the earlier a capture is tried: what it takes, and how well it has done.
    #[inline]
    pub(super) fn rank<P: Tactics>(&self, position: &P, mv: Move) -> i32 {
        let (victim, _) = position.victim_and_attacker(mv);
        let score = self.scores.get(Self::slot(position, mv, victim));
        victim * self.unit + score.map_or(0, |&score| i32::from(score))
    }

    #[inline]
    pub(super) fn add<P: Tactics>(&mut self, position: &P, mv: Move, bonus: i32) {
        let (victim, _) = position.victim_and_attacker(mv);
        if let Some(score) = self.scores.get_mut(Self::slot(position, mv, victim)) {
            // Within the limit of saturation, which fits.
            *score = saturated(i32::from(*score), bonus) as i16;
        }
    }
}
