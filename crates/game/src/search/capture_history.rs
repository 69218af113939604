//! Capture history: the success of captures, by capturing piece, square and victim.

use super::history::saturated;
use super::{OrderValues, Tactics};
use crate::Move;

/// Number of distinct victim values.
const VICTIMS: usize = 16;

/// Scores that saturate and do not age.
pub(super) struct Captures {
    scores: Vec<i16>,
    /// The weight of one unit of the victim's value.
    unit: i32,
    values: OrderValues,
}

impl Captures {
    pub(super) fn new(slots: usize, unit: u32, values: OrderValues) -> Self {
        Self {
            scores: vec![0; slots * VICTIMS],
            unit: unit as i32,
            values,
        }
    }

    pub(super) fn clear(&mut self) {
        self.scores.fill(0);
    }

    #[inline]
    fn slot<P: Tactics>(position: &P, mv: Move, victim: i32) -> usize {
        position.history_slot(mv) * VICTIMS + (victim.max(0) as usize).min(VICTIMS - 1)
    }

    /// Rank of a capture, from its victim and its history score; higher ranks are tried first.
    #[inline]
    pub(super) fn rank<P: Tactics>(&self, position: &P, mv: Move) -> i32 {
        let (victim, _) = position.victim_and_attacker(mv, &self.values);
        let score = self.scores.get(Self::slot(position, mv, victim));
        victim * self.unit + score.map_or(0, |&score| i32::from(score))
    }

    #[inline]
    pub(super) fn add<P: Tactics>(&mut self, position: &P, mv: Move, bonus: i32) {
        let (victim, _) = position.victim_and_attacker(mv, &self.values);
        if let Some(score) = self.scores.get_mut(Self::slot(position, mv, victim)) {
            // Fits: saturation limits the score.
            *score = saturated(i32::from(*score), bonus) as i16;
        }
    }
}
