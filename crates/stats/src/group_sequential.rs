//! A test with a fixed number of looks on the way to a fixed number of pairs.
//!
//! It is for a gate with a limited number of pairs: a likelihood ratio test may be cut off before
//! it has decided, while this one spends its whole error rate by the last pair, and always decides.
//!
//! With c the counts after n pairs, s the score of a hypothesis and p the likeliest law whose mean
//! is s (the one of the likelihood ratio test), the score statistic against that hypothesis is
//!
//! ```text
//! z = Σ cᵢ (aᵢ - s) / √(n v),   v = Σ pᵢ (aᵢ - s)²,   γ = Σ pᵢ (aᵢ - s)³ / v^(3/2)
//! Z(s) = z - γ (z² - 1) / (6√n)
//! ```
//!
//! (Rao 1948; the correction for skewness is Cornish and Fisher's, 1938). The variance is that of
//! the hypothesis, not of the sample: for normal scores z is Student's t, transformed so that
//! normal bounds err on the safe side, and it stays valid if all pairs so far were alike. Without
//! the correction skewed pairs pass up to a fifth too often on one side, and too rarely on the
//! other.
//!
//! At look k, with the information t = (pairs that count)/(pairs planned),
//!
//! ```text
//! accept  if Z(s₀) ≥ bₖ
//! reject  if Z(s₁) ≤ -cₖ          (futility)
//! at the last look, reject if not accepted
//! ```
//!
//! The bₖ spend α, the cₖ spend β, each as O'Brien and Fleming's test does: hardly anything at the
//! first looks ([`looks::spent`]; Lan and `DeMets`, Biometrika 70, 1983; Jennison and Turnbull,
//! *Group Sequential Methods*, 2000, chapter 7). They depend on the information available at the
//! looks: pairs that do not count leave the error rates unchanged and cost only power.
//!
//! Futility is *not binding*: the bₖ are those of a test without futility, so α holds whether or
//! not the test stops for it. β is the probability that a candidate as strong as H1 is rejected
//! *before* the last look; the power at the last look depends on the number of pairs.

mod looks;

use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

use self::looks::{Going, bounds, spent};
use super::bisection::bisect;
use super::gsprt::score_statistic;
use super::logistic::{elo_from_score, score_from_elo};
use super::stopped::{AfterSprt, StopNote};
use super::{
    CellOutOfRange, Decision, ErrorRates, GameVariance, Hypotheses, Level, Model, Pentanomial,
    SequentialTest,
};

/// The reason why a group-sequential test cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadLooks {
    /// Hypotheses on the normalized scale.
    #[error(
        "the group-sequential test takes logistic hypotheses only; use the logistic model, or \
         the GSPRT"
    )]
    Normalized,
    /// No pairs or no looks.
    #[error("a group-sequential test needs at least one pair and one look")]
    Nothing,
}

/// Parameters fixed before the first pair.
#[derive(Clone, Debug, PartialEq)]
struct Design {
    hypotheses: Hypotheses,
    rates: ErrorRates,
    pairs: u64,
    /// Numbers of pairs after which there is a look, in ascending order; the last is `pairs`.
    looks: Vec<u64>,
    /// The bₖ and cₖ if every pair counts.
    bounds: Vec<[f64; 2]>,
}

impl Design {
    /// The bₖ and cₖ of looks with these numbers of counted pairs. If the last of them is the last
    /// of all, it spends the rest, regardless of the number of pairs. The first bounds may be
    /// `known`.
    fn bounds(&self, counted: &[u64], last: bool, known: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let all = self.pairs as f64;
        let times: Vec<f64> = counted.iter().map(|&n| n as f64 / all).collect();
        let [upper, lower] = [0, 1].map(|side: usize| {
            let rate = [self.rates.alpha(), self.rates.beta()][side];
            let known: Vec<f64> = known.iter().map(|bounds| bounds[side]).collect();
            let mut shares: Vec<f64> = times.iter().map(|&t| spent(rate, t)).collect();
            if let Some(share) = shares.last_mut().filter(|_| last) {
                *share = rate;
            }
            bounds(&times, &shares, &known)
        });
        upper.into_iter().zip(lower).map(Into::into).collect()
    }

    /// The scores of the hypotheses.
    fn scores(&self) -> [f64; 2] {
        [self.hypotheses.elo0(), self.hypotheses.elo1()].map(score_from_elo)
    }
}

/// The result of a look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Look {
    /// Number of pairs that counted.
    pub pairs: u64,
    /// Z(s₀).
    pub z: f64,
    /// Accepts from this value on.
    pub upper: f64,
    /// Rejects for futility up to this value: -cₖ on the scale of Z(s₀).
    pub lower: f64,
}

/// Progress of a test from look to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Number of past looks.
    pub looks: usize,
    /// Number of looks in all.
    pub of: usize,
    /// Pairs of the schedule until the next look; `None` after the last look or the decision.
    pub next_in: Option<u64>,
}

/// The group-sequential test of two logistic hypotheses.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupSequential {
    design: Arc<Design>,
    counts: Pentanomial,
    /// Pairs of the schedule so far, including those that do not count.
    taken: u64,
    /// Looks at the schedule so far, including those without a new pair.
    passed: usize,
    looks: Vec<Look>,
    /// The bₖ and cₖ of these looks.
    bounds: Vec<[f64; 2]>,
    decision: Option<Decision>,
}

impl GroupSequential {
    /// Maximum number of looks.
    pub const MAX_LOOKS: u64 = 20;

    /// A test that ends after `pairs` pairs of the schedule, with `looks` looks (at most
    /// [`MAX_LOOKS`](Self::MAX_LOOKS), and no more than pairs), spaced as evenly as whole pairs
    /// allow.
    ///
    /// # Errors
    /// [`BadLooks`]: normalized hypotheses, no pairs, no looks.
    pub fn new(
        hypotheses: Hypotheses,
        rates: ErrorRates,
        pairs: u64,
        looks: u64,
    ) -> Result<Self, BadLooks> {
        if hypotheses.model() == Model::Normalized {
            return Err(BadLooks::Normalized);
        }
        let number = looks.min(pairs).min(Self::MAX_LOOKS);
        if number == 0 {
            return Err(BadLooks::Nothing);
        }
        // k·pairs/number, rounded up; wide enough for any u64.
        let look = |k: u64| (u128::from(k) * u128::from(pairs)).div_ceil(u128::from(number)) as u64;
        let mut design = Design {
            hypotheses,
            rates,
            pairs,
            looks: (1..=number).map(look).collect(),
            bounds: Vec::new(),
        };
        design.bounds = design.bounds(&design.looks, true, &[]);
        Ok(Self {
            design: Arc::new(design),
            counts: Pentanomial::default(),
            taken: 0,
            passed: 0,
            looks: Vec::new(),
            bounds: Vec::new(),
            decision: None,
        })
    }

    /// The error rates of the test.
    pub fn rates(&self) -> &ErrorRates {
        &self.design.rates
    }

    /// The same test with other hypotheses, which ends after `pairs` pairs of the schedule.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn with_hypotheses(&self, hypotheses: Hypotheses, pairs: u64) -> Result<Self, BadLooks> {
        let looks = self.design.looks.len() as u64;
        Self::new(hypotheses, self.design.rates, pairs, looks)
    }

    /// Pairs of the schedule after which it ends.
    pub fn pairs(&self) -> u64 {
        self.design.pairs
    }

    /// The looks so far that had new pairs.
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// The progress of the test.
    pub fn progress(&self) -> Progress {
        let next = self.design.looks.get(self.passed);
        let next = next.filter(|_| self.decision.is_none());
        Progress {
            looks: self.passed,
            of: self.design.looks.len(),
            next_in: next.map(|next| next - self.taken),
        }
    }

    /// Returns whether the test has reached the last look: then a rejection means insufficient
    /// evidence, not that H1 was excluded.
    pub fn is_at_end(&self) -> bool {
        self.taken >= self.design.pairs
    }

    fn advance(&mut self) {
        self.taken = self.taken.saturating_add(1);
        if self.decision.is_none() && self.design.looks.get(self.passed) == Some(&self.taken) {
            self.passed += 1;
            self.look();
        }
    }

    fn look(&mut self) {
        let (pairs, last) = (self.counts.pairs(), self.is_at_end());
        if self.looks.last().is_some_and(|look| look.pairs == pairs) {
            if !last {
                return;
            }
            // No new pairs, but the last look may spend more.
            self.looks.pop();
            self.bounds.pop();
        }
        self.decision = if pairs == 0 {
            // No evidence for H1.
            last.then_some(Decision::Rejected)
        } else {
            let look = self.evaluate(pairs, last);
            self.looks.push(look);
            if look.z >= look.upper {
                Some(Decision::Accepted)
            } else if last || look.z <= look.lower {
                Some(Decision::Rejected)
            } else {
                None
            }
        };
    }

    fn evaluate(&mut self, pairs: u64, last: bool) -> Look {
        let design = Arc::clone(&self.design);
        let before = self.looks.iter().map(|look| look.pairs);
        let counted: Vec<u64> = before.chain([pairs]).collect();
        let [upper, lower] = if design.looks.starts_with(&counted) {
            design.bounds[counted.len() - 1]
        } else {
            design.bounds(&counted, last, &self.bounds)[counted.len() - 1]
        };
        self.bounds.push([upper, lower]);
        let against = |elo| score_statistic(self.counts, elo).z;
        let z = against(design.hypotheses.elo0());
        Look {
            pairs,
            z,
            upper,
            lower: z - against(design.hypotheses.elo1()) - lower,
        }
    }

    /// Probability of accepting, before the first pair, at a true strength of `elo` (logistic), if
    /// one game's score has this variance within its pair; in the normal approximation, with all
    /// pairs counted.
    pub fn power(&self, elo: f64, variance: GameVariance) -> f64 {
        let design = &self.design;
        let [low, high] = design.scores();
        let root = (2.0 * design.pairs as f64 / variance.get()).sqrt();
        let (drift, apart) = ((score_from_elo(elo) - low) * root, (high - low) * root);
        let mut going = Going::all();
        let mut pass = 0.0;
        for (&look, [upper, lower]) in design.looks.iter().zip(&design.bounds) {
            let time = look as f64 / design.pairs as f64;
            let place = upper * time.sqrt();
            pass += going.above(time, place, drift);
            going = going.between(time, (apart * time - lower * time.sqrt()).min(place), place);
        }
        pass
    }

    /// The looks so far, for the distribution of their outcomes.
    fn stages(&self) -> Vec<Stage> {
        let mut going = Going::all();
        let stages = self.looks.iter().map(|look| {
            let time = look.pairs as f64 / self.design.pairs as f64;
            let root = time.sqrt();
            let (high, low) = (look.upper * root, look.lower.min(look.upper) * root);
            let next = going.between(time, low, high);
            Stage {
                before: std::mem::replace(&mut going, next),
                time,
                here: look.z * root,
                low,
                high,
            }
        });
        stages.collect()
    }
}

/// A look, for the distribution of the outcomes.
#[derive(Clone, Debug)]
struct Stage {
    before: Going,
    time: f64,
    /// S, and the bounds between which the test continued.
    here: f64,
    low: f64,
    high: f64,
}

/// Returns the probability of an outcome at least as good as that of these looks, the last of which
/// ended the test, with this drift of S; `futile` if it was a rejection before the last look.
fn better(stages: &[Stage], drift: f64, futile: bool) -> f64 {
    let Some((end, earlier)) = stages.split_last() else {
        return 0.0;
    };
    // The paths that left at a look on the side of the outcome, as far as this place.
    let left = |stage: &Stage, place: f64| {
        if futile {
            stage.before.below(stage.time, place, drift)
        } else {
            stage.before.above(stage.time, place, drift)
        }
    };
    let bound = |stage: &Stage| if futile { stage.low } else { stage.high };
    let before: f64 = earlier.iter().map(|stage| left(stage, bound(stage))).sum();
    if futile {
        1.0 - before - left(end, end.here)
    } else {
        before + left(end, end.here)
    }
}

impl SequentialTest for GroupSequential {
    fn record(&mut self, cell: usize) -> Result<(), CellOutOfRange> {
        self.counts.record(cell)?;
        self.advance();
        Ok(())
    }

    fn skip(&mut self) {
        self.advance();
    }

    /// Z(s₀) at the last look, between its bounds; before the first look 0, between the bounds of
    /// the first look for pairs of the greatest variance.
    fn level(&self) -> Level {
        let design = &self.design;
        if let Some(look) = self.looks.last() {
            return Level {
                value: look.z,
                lower: look.lower,
                upper: look.upper,
            };
        }
        let [low, high] = design.scores();
        let apart = 2.0 * (high - low) * (design.looks[0] as f64).sqrt();
        Level {
            value: 0.0,
            lower: apart - design.bounds[0][1],
            upper: design.bounds[0][0],
        }
    }

    fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Elo after the stop, median-unbiased, with its 95 % interval; `None` before the decision,
    /// without pairs, and if all pairs scored exactly as H0 expects.
    ///
    /// The outcomes are ordered from the earliest rejection for futility over those of the last
    /// look, by Z, to the earliest acceptance (Tsiatis, Rosner and Mehta, Biometrics 40, 1984;
    /// Jennison and Turnbull, 2000, section 8.4); their distribution is that of a Brownian motion
    /// observed at the looks of the test, between its bounds.
    fn after_stop(&self) -> Option<AfterSprt> {
        let decision = self.decision?;
        let look = self.looks.last()?;
        if self.counts.variance()? <= 0.0 && look.z.abs() < 1e-6 {
            // All pairs alike, and as H0 expects: the variance is unknown.
            return None;
        }
        // Standard deviation of the mean of all planned pairs, as in Z.
        let elo0 = self.design.hypotheses.elo0();
        let variance = score_statistic(self.counts, elo0).variance;
        let error = (variance / self.design.pairs as f64).sqrt();
        let time = look.pairs as f64 / self.design.pairs as f64;
        let s0 = score_from_elo(elo0);
        let futile = decision == Decision::Rejected && !self.is_at_end();
        let stages = self.stages();
        let better = |drift: f64| better(&stages, drift, futile);
        // The drift's own standard error is 1/√time.
        let (middle, far) = (look.z / time.sqrt(), 12.0 / time.sqrt());
        let elo = |probability: f64| {
            let ends = [middle - far, middle + far];
            let [low, high] = bisect(ends, 30, |drift| better(drift) < probability);
            let score = s0 + error * f64::midpoint(low, high);
            let least = score_from_elo(-Hypotheses::LIMIT);
            elo_from_score(score.clamp(least, 1.0 - least)).unwrap_or(0.0)
        };
        let (low, high) = (elo(0.025), elo(0.975));
        let cut = |elo: f64| elo.abs() > Hypotheses::LIMIT - 1e-6;
        Some(AfterSprt {
            elo_median_unbiased: Some(elo(0.5)),
            ci_low: Some(low),
            ci_high: Some(high),
            los: Some(1.0 - better((0.5 - s0) / error)),
            clamped: false,
            llr: None,
            lower: look.lower,
            upper: look.upper,
            note: (cut(low) || cut(high)).then_some(StopNote::Farthest),
        })
    }
}

#[cfg(test)]
mod tests;
