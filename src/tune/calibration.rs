//! How far perturbed players stand from the centre, measured with games.
//!
//! The regret that SPSA or the regression leaves falls as the handicap of a
//! perturbed player grows, but a perturbation that leaves the neighbourhood in
//! which the loss is a parabola misleads. So the start plays perturbed players
//! in rounds of pairs, and after each round the perturbation is multiplied by
//! `√(target/measured)`, until a handicap of 20 to 50 Elo is measured. These
//! games are not used for anything else.

use super::dice::Dice;
use super::played::sides;
use super::{Draft, Plan, Proposal, Space, Strategy};
use crate::stats::Pentanomial;
use crate::stats::logistic::ELO_PER_LOGIT;

/// Accepted handicaps, in Elo.
pub const HANDICAPS: (f64, f64) = (20.0, 50.0);
/// What is aimed at, in Elo: the geometric mean of both.
const TARGET: f64 = 31.6;
/// Rounds at most.
const ROUNDS: u32 = 6;
/// Pairs of a round at most, and at most so large a part of the budget: with
/// all rounds an eighth.
const PAIRS: u64 = 500;
const PART: u64 = 48;
/// One round changes the perturbation by at most this factor.
const MOST: f64 = 4.0;

/// The perturbation is at most so many steps: where the loss does not grow with it,
/// as at a start of zeros only, whose scale means nothing, no factor would be enough.
const FARTHEST: f64 = 4.0;

/// A strategy whose perturbation is measured first.
pub(super) struct Calibrated {
    inner: Box<dyn Strategy + Send>,
    scale: f64,
    round: u32,
    counts: Pentanomial,
    pairs: u64,
    center: Vec<f64>,
    /// The handicap last measured.
    measured: Option<f64>,
    done: bool,
}

impl Calibrated {
    /// Measures before `inner`, whose perturbation is one step, begins.
    pub(super) fn new(space: &Space, plan: &Plan, inner: Box<dyn Strategy + Send>) -> Self {
        Self {
            inner,
            scale: 1.0,
            round: 1,
            counts: Pentanomial::default(),
            pairs: (plan.pairs / PART).clamp(1, PAIRS),
            center: vec![0.0; space.len()],
            measured: None,
            done: false,
        }
    }

    fn end_round(&mut self) {
        // Half a level pair on each side: finite where one side won all.
        let score = self.counts.mean().unwrap_or(0.5);
        let pairs = self.counts.pairs() as f64;
        let score = (score * pairs + 0.5) / (pairs + 1.0);
        let handicap = ELO_PER_LOGIT * (score / (1.0 - score)).ln();
        self.measured = Some(handicap);
        self.counts = Pentanomial::default();
        let inside = (HANDICAPS.0..=HANDICAPS.1).contains(&handicap);
        if inside || self.round >= ROUNDS {
            self.done = true;
            self.inner.scale_perturbation(self.scale);
        } else {
            let factor = (TARGET / handicap.max(0.1)).sqrt().clamp(1.0 / MOST, MOST);
            self.scale = (self.scale * factor).min(FARTHEST);
            self.round += 1;
        }
    }
}

impl Strategy for Calibrated {
    fn propose(&self, space: &Space, issued: u64, dice: Dice) -> Draft {
        if self.done {
            return self.inner.propose(space, issued, dice);
        }
        // Both players of a drawn direction in turn would halve the linear
        // part of the noise; fresh directions do so on average.
        let (perturbed, _) = sides(space, &self.center, |_| self.scale, dice);
        Draft {
            trial: u64::from(self.round),
            plus: space.nearest(&space.start()),
            minus: perturbed,
        }
    }

    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        if self.done {
            // Late results of the last round have another purpose.
            if proposal.trial == 0 {
                self.inner.absorb(space, proposal, result);
            }
        } else if proposal.trial == u64::from(self.round) {
            self.counts += *result;
            if self.counts.pairs() >= self.pairs {
                self.end_round();
            }
        }
    }

    fn estimate(&self, space: &Space) -> Vec<f64> {
        self.inner.estimate(space)
    }

    fn errors(&self, space: &Space) -> Option<Vec<f64>> {
        self.inner.errors(space)
    }

    fn notes(&self, space: &Space) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(handicap) = self.measured {
            let (low, high) = HANDICAPS;
            let verdict = if (low..=high).contains(&handicap) {
                String::new()
            } else {
                format!(", outside {low} to {high}: the steps are far from what is useful")
            };
            notes.push(format!(
                "a perturbation of {:.3} steps costs {handicap:.1} Elo by {} pairs per round, \
                 {} rounds{verdict}",
                self.scale, self.pairs, self.round
            ));
        }
        notes.extend(self.inner.notes(space));
        notes
    }
}

#[cfg(test)]
mod tests;
