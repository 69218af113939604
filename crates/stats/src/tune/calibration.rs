//! How far perturbed players stand from the centre, measured with games.
//!
//! The regret that SPSA or the regression leaves falls as the handicap of a
//! perturbed player grows, but a perturbation that leaves the neighbourhood in
//! which the loss is a parabola misleads. So the start plays perturbed players
//! in rounds of pairs, and after each round the perturbation is multiplied by
//! `√(wanted/shown)`, until the handicap lies in a [`band`] about what is wanted, as
//! far as the games tell. What they show is the measured handicap, two standard errors
//! nearer to the band: noise changes next to nothing. Perturbed players that are
//! stronger than the centre change nothing either.
//!
//! At the start the handicap may mean nothing: from numbers that are all 0 a
//! perturbed player is no weaker. Where no perturbation reached the band, the
//! handicap is measured again when a quarter and half of the budget are spent, by
//! one round of perturbed players as they are played then against their centre.
//! (Where the band was reached, checking it costs more than it brings: docs/tuning.md.)
//! The games of all rounds are not used for anything else.

use super::dice::Dice;
use super::played::sides;
use super::{Draft, ELO_PER_LEAD, Plan, Proposal, Reading, Space, Strategy};
use crate::Pentanomial;
use crate::logistic::ELO_PER_LOGIT;

/// What is accepted: from the handicap wanted divided by this to as many times it.
const BAND: f64 = 1.58;
/// Standard errors that a handicap must lie outside, and that it is believed less far
/// outside than measured: rounds of few pairs would else follow noise.
const MARGIN: f64 = 2.0;
/// Rounds at the start, at most.
const ROUNDS: u32 = 6;
/// Pairs of a round at most, and at most so large a part of the budget: with
/// all rounds a sixth.
const PAIRS: u64 = 500;
const PART: u64 = 48;
/// One round changes the perturbation by at most this factor.
const MOST: f64 = 4.0;
/// The perturbation is at most so many steps: where the loss does not grow with it,
/// as at a start of zeros only, whose scale means nothing, no factor would be enough.
const FARTHEST: f64 = 4.0;
/// Parts of the budget after which a handicap that was not reached is checked.
const CHECKS: [f64; 2] = [0.25, 0.5];

/// The handicaps that are accepted where one is wanted, in Elo: the wanted one
/// divided by 1.58 to 1.58 times it, 19 to 47 for 30.
pub fn band(wanted: f64) -> (f64, f64) {
    (wanted / BAND, wanted * BAND)
}

/// What is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Round so-and-so at the start, from 1.
    Start(u32),
    /// The inner strategy; so many checks are over.
    Inner(usize),
    /// A check; so many were before.
    Check(usize),
}

/// A handicap and its standard error, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measured {
    handicap: f64,
    error: f64,
}

impl Measured {
    fn of(counts: &Pentanomial) -> Self {
        // Half a level pair on each side: finite where one side won all.
        let pairs = counts.pairs() as f64;
        let score = (counts.mean().unwrap_or(0.5) * pairs + 0.5) / (pairs + 1.0);
        let squares = counts.0.iter().zip([4.0, 1.0, 0.0, 1.0, 4.0]);
        let squares: f64 = squares.map(|(&n, square)| n as f64 * square).sum();
        let games = 2.0 * (pairs + 1.0);
        // Of wins less losses per game, not less than a tenth: few pairs that all
        // ended alike are no proof that all will.
        let variance = (squares + 1.0) / games;
        Self {
            handicap: ELO_PER_LOGIT * (score / (1.0 - score)).ln(),
            error: ELO_PER_LEAD * (variance.max(0.1) / games).sqrt(),
        }
    }

    /// Whether it lies in the band, give or take its standard error.
    fn is_within(self, (low, high): (f64, f64)) -> bool {
        self.handicap + self.error > low && self.handicap - self.error < high
    }

    /// -1 shown to be below the band, 1 above, 0 neither.
    fn side(self, (low, high): (f64, f64)) -> i8 {
        let margin = MARGIN * self.error;
        i8::from(self.handicap - margin > high) - i8::from(self.handicap + margin < low)
    }
}

/// A strategy whose perturbation is measured first.
pub(super) struct Calibrated {
    inner: Box<dyn Strategy + Send>,
    wanted: f64,
    /// Steps before the run, and in all.
    first: f64,
    scale: f64,
    stage: Stage,
    /// Number of the present measurement, from 1: the trial of its games.
    trial: u64,
    counts: Pentanomial,
    /// Pairs of a measurement.
    pairs: u64,
    told: u64,
    budget: u64,
    center: Vec<f64>,
    /// Whether the last measurement lay in the band: no reason to check it later.
    is_settled: bool,
    /// Of the last round at the start.
    at_start: Option<(Measured, u32)>,
    /// Of the checks that are over.
    checks: Vec<Measured>,
}

impl Calibrated {
    /// Measures before `inner`, whose perturbation is one step, begins.
    pub(super) fn new(
        space: &Space,
        plan: &Plan,
        wanted: f64,
        inner: Box<dyn Strategy + Send>,
    ) -> Self {
        Self {
            inner,
            wanted,
            first: 1.0,
            scale: 1.0,
            stage: Stage::Start(1),
            trial: 1,
            counts: Pentanomial::default(),
            pairs: (plan.pairs / PART).clamp(1, PAIRS),
            told: 0,
            budget: plan.pairs,
            center: vec![0.0; space.len()],
            is_settled: false,
            at_start: None,
            checks: Vec::new(),
        }
    }

    /// By what a perturbation with this handicap is to be multiplied: by no more than
    /// the games show.
    fn factor(&self, measured: Measured) -> f64 {
        let side = f64::from(measured.side(band(self.wanted)));
        let shown = measured.handicap - side * MARGIN * measured.error;
        // Perturbed players that are stronger than the centre say that it is no
        // optimum, not how long a perturbation should be.
        if side == 0.0 || shown <= 0.0 {
            return 1.0;
        }
        let factor = (self.wanted / shown).sqrt();
        factor.clamp(1.0 / MOST, MOST).min(FARTHEST / self.scale)
    }

    fn end_of_round(&mut self, round: u32) {
        let measured = Measured::of(&self.counts);
        self.is_settled = measured.is_within(band(self.wanted));
        self.at_start = Some((measured, round));
        let factor = self.factor(measured);
        if is_one(factor) || round >= ROUNDS {
            self.inner.scale_perturbation(self.scale);
            self.first = self.scale;
            self.stage = Stage::Inner(0);
        } else {
            self.scale *= factor;
            self.stage = Stage::Start(round + 1);
        }
    }

    fn end_of_check(&mut self, number: usize) {
        let measured = Measured::of(&self.counts);
        self.is_settled = measured.is_within(band(self.wanted));
        self.checks.push(measured);
        let factor = self.factor(measured);
        self.scale *= factor;
        self.inner.scale_perturbation(factor);
        self.stage = Stage::Inner(number + 1);
    }

    /// A game of the present measurement.
    fn measure(&mut self, result: &Pentanomial) {
        self.counts += *result;
        if self.counts.pairs() < self.pairs {
            return;
        }
        match self.stage {
            Stage::Start(round) => self.end_of_round(round),
            Stage::Check(number) => self.end_of_check(number),
            Stage::Inner(_) => {}
        }
        self.counts = Pentanomial::default();
        self.trial += 1;
    }

    fn begin_check_if_due(&mut self) {
        if let Stage::Inner(number) = self.stage
            && !self.is_settled
            && CHECKS
                .get(number)
                .is_some_and(|part| self.told as f64 >= part * self.budget as f64)
        {
            self.stage = Stage::Check(number);
        }
    }
}

/// As it is shown with one decimal, without a sign of zero.
fn tenths(elo: f64) -> f64 {
    (10.0 * elo).round() / 10.0 + 0.0
}

fn is_one(factor: f64) -> bool {
    (factor - 1.0).abs() < 1e-9
}

impl Strategy for Calibrated {
    fn propose(&self, space: &Space, number: u64, issued: u64, dice: Dice) -> Draft {
        match self.stage {
            Stage::Inner(_) => self.inner.propose(space, number, issued, dice),
            Stage::Start(_) => {
                // Both players of a drawn direction in turn would halve the linear
                // part of the noise; fresh directions do so on average.
                let (perturbed, _) = sides(space, &self.center, |_| self.scale, dice);
                Draft {
                    trial: self.trial,
                    plus: space.nearest(&space.start()),
                    minus: perturbed,
                }
            }
            Stage::Check(_) => {
                let draft = self.inner.propose(space, number, issued, dice);
                let sides = draft.plus.iter().zip(&draft.minus);
                let center: Vec<f64> = sides
                    .map(|(plus, minus)| 0.5 * plus + 0.5 * minus)
                    .collect();
                Draft {
                    trial: self.trial,
                    plus: space.nearest(&center),
                    minus: draft.minus,
                }
            }
        }
    }

    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        self.told += u64::from(proposal.pairs);
        if proposal.trial == 0 {
            // Under way when a check began, or its turn.
            self.inner.absorb(space, proposal, result);
        } else if proposal.trial == self.trial && !matches!(self.stage, Stage::Inner(_)) {
            // Late games of a measurement that is over do not count.
            self.measure(result);
        }
        self.begin_check_if_due();
    }

    fn estimate(&self, space: &Space) -> Vec<f64> {
        self.inner.estimate(space)
    }

    fn readings(&self, space: &Space) -> Option<Vec<Reading>> {
        self.inner.readings(space)
    }

    fn notes(&self, space: &Space) -> Vec<String> {
        let band = band(self.wanted);
        let (low, high) = band;
        let mut notes = Vec::new();
        if let Some((measured, round)) = self.at_start {
            let Measured { handicap, error } = measured;
            let handicap = tenths(handicap);
            let steps = match self.stage {
                Stage::Start(_) => self.scale,
                _ => self.first,
            };
            let verdict = match measured.side(band) {
                0 if (low..high).contains(&handicap) => String::new(),
                0 => format!(
                    ": {low:.0} to {high:.0} Elo are wanted, and so few games do not show that it \
                     costs more or less"
                ),
                side if side < 0 && handicap < -MARGIN * error => {
                    ": perturbed players are stronger than the start, which says nothing about \
                     the length of the steps: they are taken as they are"
                        .to_owned()
                }
                side if side < 0 => format!(
                    ": less than the {low:.0} to {high:.0} Elo that are wanted, and {FARTHEST} \
                     steps are the most that is tried: either the steps are far too short, or the \
                     start is so weak that changing it costs nothing"
                ),
                _ => format!(
                    ": more than the {low:.0} to {high:.0} Elo that are wanted: the steps are far \
                     too long"
                ),
            };
            notes.push(format!(
                "at the start a perturbation of {steps:.3} steps costs {handicap:.1} ± {error:.1} \
                 Elo, after {round} rounds of {} pairs{verdict}",
                self.pairs
            ));
        }
        for (measured, part) in self.checks.iter().zip(CHECKS) {
            let Measured { handicap, error } = *measured;
            let handicap = tenths(handicap);
            let verdict = match measured.side(band) {
                0 => "left as it is",
                side if side < 0 && handicap < -MARGIN * error => {
                    "perturbed players are stronger: left as it is"
                }
                side if side < 0 => "too little: lengthened as far as allowed",
                _ => "too much: shortened",
            };
            notes.push(format!(
                "after {:.0} % of the games the perturbation cost {handicap:.1} ± {error:.1} Elo: \
                 {verdict}",
                100.0 * part
            ));
        }
        notes.extend(self.inner.notes(space));
        notes
    }
}

#[cfg(test)]
mod tests;
