//! Calibration of the perturbation, by measuring the handicap of perturbed players in games.
//!
//! The larger the handicap of a perturbed player, the smaller the regret of SPSA or the regression,
//! but a perturbation that leaves the neighbourhood in which the loss is a parabola misleads. So
//! perturbed players first play rounds of pairs, and after each round the perturbation is
//! multiplied by `√(wanted/shown)`, until the handicap lies in a [`band`] around the wanted value,
//! within the precision of the games. The shown handicap is the measured one, moved two standard
//! errors towards the band, so that noise changes almost nothing. Perturbed players that are
//! stronger than the centre change nothing either.
//!
//! A handicap at the start can be meaningless: if all start values are 0, a perturbed player is not
//! weaker. If no perturbation reached the band, the handicap is measured again after a quarter and
//! half of the budget, by one round of the current perturbed players against their centre. (If the
//! band was reached, a check costs more than it gains: docs/tuning.md.) The games of all rounds are
//! used for nothing else.

use super::played::sides;
use super::{BoxedStrategy, ELO_PER_LEAD, Plan, Players, Proposal, Reading, Space, Strategy};
use crate::Pentanomial;
use crate::RandomNumbers;
use crate::logistic::ELO_PER_LOGIT;

/// Factor of the accepted band: from the wanted handicap divided by it to the wanted handicap times
/// it.
const BAND: f64 = 1.58;
/// Standard errors by which a handicap must lie outside the band, and by which it is moved towards
/// the band: otherwise rounds of few pairs would follow noise.
const MARGIN: f64 = 2.0;
/// Maximum number of rounds at the start.
const ROUNDS: u32 = 6;
/// Maximum number of pairs of a round, also limited to 1/48 of the budget: at most a sixth of it
/// for all rounds.
const PAIRS: u64 = 500;
const PART: u64 = 48;
/// Largest factor by which one round changes the perturbation.
const MAX: f64 = 4.0;
/// Largest perturbation in steps. Without it, no factor would be enough if the loss does not grow
/// with the perturbation, for example with start values of 0, whose scale is meaningless.
const FARTHEST: f64 = 4.0;
/// Shares of the budget after which a handicap outside the band is checked.
const CHECKS: [f64; 2] = [0.25, 0.5];

/// Returns the accepted range around a wanted handicap, in Elo: the wanted one divided by 1.58 to
/// 1.58 times it, 19 to 47 for 30.
pub fn band(wanted: f64) -> (f64, f64) {
    (wanted / BAND, wanted * BAND)
}

/// The purpose of the current games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A round at the start, with its number from 1.
    Start(u32),
    /// The inner strategy, with the number of finished checks.
    Inner(usize),
    /// A check, with the number of earlier checks.
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
        // Half a level pair is added to each side, so that the handicap is finite if one side won
        // all.
        let pairs = counts.pairs() as f64;
        let score = (counts.mean().unwrap_or(0.5) * pairs + 0.5) / (pairs + 1.0);
        let squares = counts.0.iter().zip([4.0, 1.0, 0.0, 1.0, 4.0]);
        let squares: f64 = squares.map(|(&n, square)| n as f64 * square).sum();
        let games = 2.0 * (pairs + 1.0);
        // Variance of wins minus losses per game, at least 0.1 below: a few equal pairs do not prove
        // that all pairs are equal.
        let variance = (squares + 1.0) / games;
        Self {
            handicap: ELO_PER_LOGIT * libm::log(score / (1.0 - score)),
            error: ELO_PER_LEAD * (variance.max(0.1) / games).sqrt(),
        }
    }

    /// Returns whether the handicap lies in the band, within its standard error.
    fn is_within(self, (low, high): (f64, f64)) -> bool {
        self.handicap + self.error > low && self.handicap - self.error < high
    }

    /// Returns -1 for a handicap significantly below the band, 1 above, 0 otherwise.
    fn side(self, (low, high): (f64, f64)) -> i8 {
        let margin = MARGIN * self.error;
        i8::from(self.handicap - margin > high) - i8::from(self.handicap + margin < low)
    }
}

/// A strategy that measures its perturbation first.
pub(super) struct Calibrated {
    inner: BoxedStrategy,
    wanted: f64,
    /// Perturbation in steps at the start of the run, and now.
    first: f64,
    scale: f64,
    stage: Stage,
    /// Number of the current measurement, from 1; it is the trial of its games.
    trial: u64,
    counts: Pentanomial,
    /// Number of pairs per measurement.
    pairs: u64,
    absorbed_pairs: u64,
    budget: u64,
    center: Vec<f64>,
    /// True if the last measurement was in the band, so that no later check is needed.
    is_settled: bool,
    /// Result of the last round at the start, with its number.
    at_start: Option<(Measured, u32)>,
    /// Results of the finished checks.
    checks: Vec<Measured>,
}

impl Calibrated {
    /// Creates a strategy that measures before `inner`, whose perturbation is one step, begins.
    pub(super) fn new(space: &Space, plan: &Plan, wanted: f64, inner: BoxedStrategy) -> Self {
        Self {
            inner,
            wanted,
            first: 1.0,
            scale: 1.0,
            stage: Stage::Start(1),
            trial: 1,
            counts: Pentanomial::default(),
            pairs: (plan.pairs / PART).clamp(1, PAIRS),
            absorbed_pairs: 0,
            budget: plan.pairs,
            center: vec![0.0; space.len()],
            is_settled: false,
            at_start: None,
            checks: Vec::new(),
        }
    }

    /// Returns the factor for a perturbation with this handicap, no larger than the games justify.
    fn factor(&self, measured: Measured) -> f64 {
        let side = f64::from(measured.side(band(self.wanted)));
        let shown = measured.handicap - side * MARGIN * measured.error;
        // Perturbed players that are stronger than the centre show that the centre is no optimum;
        // they do not show the right length of a perturbation.
        if side == 0.0 || shown <= 0.0 {
            return 1.0;
        }
        let factor = (self.wanted / shown).sqrt();
        factor.clamp(1.0 / MAX, MAX).min(FARTHEST / self.scale)
    }

    /// Adds a result to the current measurement, and ends it after enough pairs.
    fn measure(&mut self, result: &Pentanomial) {
        self.counts += *result;
        if self.counts.pairs() < self.pairs {
            return;
        }
        let measured = Measured::of(&std::mem::take(&mut self.counts));
        self.trial += 1;
        self.is_settled = measured.is_within(band(self.wanted));
        let factor = self.factor(measured);
        match self.stage {
            Stage::Start(round) => {
                self.at_start = Some((measured, round));
                if is_one(factor) || round >= ROUNDS {
                    self.inner.scale_perturbation(self.scale);
                    self.first = self.scale;
                    self.stage = Stage::Inner(0);
                } else {
                    self.scale *= factor;
                    self.stage = Stage::Start(round + 1);
                }
            }
            Stage::Check(number) => {
                self.checks.push(measured);
                self.scale *= factor;
                self.inner.scale_perturbation(factor);
                self.stage = Stage::Inner(number + 1);
            }
            Stage::Inner(_) => {}
        }
    }

    fn begin_check_if_due(&mut self) {
        if let Stage::Inner(number) = self.stage
            && let Some(part) = CHECKS.get(number).filter(|_| !self.is_settled)
            && self.absorbed_pairs as f64 >= part * self.budget as f64
        {
            self.stage = Stage::Check(number);
        }
    }
}

/// Rounds to one decimal for display, without negative zero.
fn tenths(elo: f64) -> f64 {
    (10.0 * elo).round() / 10.0 + 0.0
}

fn is_one(factor: f64) -> bool {
    (factor - 1.0).abs() < 1e-9
}

impl Strategy for Calibrated {
    fn propose(
        &self,
        space: &Space,
        number: u64,
        issued: u64,
        random: RandomNumbers,
    ) -> (u64, Players) {
        match self.stage {
            Stage::Inner(_) => self.inner.propose(space, number, issued, random),
            Stage::Start(_) => {
                // Playing both perturbed players of each direction would halve the linear part of
                // the noise; fresh directions do so on average.
                let (perturbed, _) = sides(space, &self.center, |_| self.scale, random);
                (self.trial, (space.nearest(&space.start()), perturbed))
            }
            Stage::Check(_) => {
                let (_, (plus, minus)) = self.inner.propose(space, number, issued, random);
                let sides = plus.iter().zip(&minus);
                let center = sides.map(|(plus, minus)| 0.5 * plus + 0.5 * minus);
                let center: Vec<f64> = center.collect();
                (self.trial, (space.nearest(&center), minus))
            }
        }
    }

    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        self.absorbed_pairs += u64::from(proposal.pairs);
        if proposal.trial == 0 {
            // A batch of the inner strategy, perhaps begun before a check.
            self.inner.absorb(space, proposal, result);
        } else if proposal.trial == self.trial && !matches!(self.stage, Stage::Inner(_)) {
            // Late games of a finished measurement do not count.
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
