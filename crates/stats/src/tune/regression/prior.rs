//! The common part of the coordinates, fitted to all of them.

use super::slopes::{Conditional, Slopes};
use crate::tune::ELO_PER_LEAD;

/// Number of points of the grid of curvatures.
const POINTS: usize = 28;
/// Distance of the points, in logarithms: the grid spans a factor of 49,000.
const SPACING: f64 = 0.4;
/// Spread of ln β among the coordinates: a factor of 3.3 to either side.
const CURVATURE_SPREAD: f64 = 1.2;
/// Prior loss of a player by a step in every coordinate, in Elo: the middle of the grid.
const HANDICAP: f64 = 80.0;
/// Spread of that prior, in logarithms.
const HANDICAP_SPREAD: f64 = 1.5;
/// Spreads of the optimum around the start, in steps, and the spread of their prior around one
/// step.
const SPREADS: [f64; 11] = [0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0];
const SPREAD_SPREAD: f64 = 0.6;
/// Shares of coordinates with an effect. The prior is ρ⁸, with a mean of nine in ten, because users
/// tune numbers that they expect to matter.
const SHARES: [f64; 6] = [0.1, 0.3, 0.5, 0.7, 0.9, 0.98];
const SHARE_POWER: f64 = 8.0;

/// The prior of every coordinate: `ln β ~ N(curvature, 1.2²)` and `x ~ N(0, spread²)`; both
/// parameters are fitted to the data.
#[derive(Clone, Debug)]
pub(super) struct Prior {
    /// Curvatures β at the points.
    betas: [f64; POINTS],
    /// Probabilities of `betas` as of the last fit.
    weights: [f64; POINTS],
    spread: f64,
}

/// The posterior of one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::tune) struct Marginal {
    /// The value with the least expected loss: E[βx] / E[β].
    pub(in crate::tune) best: f64,
    /// `(E[β(x - best)²] / E[β])^½`, in steps: the standard deviation of the optimum, weighted by
    /// its effect on the loss. (The unweighted one is dominated by curvatures near 0, with which x
    /// can be anywhere and does not matter.)
    pub(super) deviation: f64,
    /// Mean curvature: wins minus losses per game and step².
    pub(in crate::tune) beta: f64,
}

/// Probabilities of effects of the coordinates.
#[derive(Clone, Debug)]
pub(super) struct Effects {
    /// Probability of an effect of each coordinate.
    pub(super) likely: Vec<f64>,
    /// Logarithm of the Bayes factor against no effect of any coordinate.
    pub(super) evidence: f64,
}

impl Prior {
    pub(super) fn new(dimensions: usize) -> Self {
        let middle = libm::log(4.0 * HANDICAP / (dimensions as f64 * ELO_PER_LEAD));
        let offset = |i: usize| (i as f64 - (POINTS as f64 - 1.0) / 2.0) * SPACING;
        Self {
            betas: std::array::from_fn(|i| libm::exp(middle + offset(i))),
            weights: weights_about((POINTS as f64 - 1.0) / 2.0),
            spread: 1.0,
        }
    }

    /// Fits both parameters by empirical Bayes: mean logarithms under their posterior on the grid,
    /// with independent coordinates given the parameters.
    pub(super) fn fit(&mut self, slopes: &[Slopes], precision: f64) {
        let priors: [[f64; POINTS]; POINTS] = std::array::from_fn(|i| weights_about(i as f64));
        let mut cells = Vec::with_capacity(POINTS * SPREADS.len());
        for spread in SPREADS {
            let mut sums = [0.0; POINTS];
            for coordinate in slopes {
                let conditionals = self.conditionals(coordinate, spread, precision);
                let (top, likelihoods) = relative(&conditionals);
                for (sum, prior) in sums.iter_mut().zip(&priors) {
                    let terms = prior.iter().zip(&likelihoods);
                    *sum += top + libm::log(terms.map(|(p, l)| p * l).sum());
                }
            }
            for (i, sum) in sums.into_iter().enumerate() {
                cells.push((sum + prior_of(i, spread), i as f64, libm::log(spread)));
            }
        }
        let top = cells.iter().fold(f64::MIN, |top, cell| top.max(cell.0));
        let (mut all, mut curvature, mut spread) = (0.0, 0.0, 0.0);
        for (log, i, ln_spread) in cells {
            let weight = libm::exp(log - top);
            all += weight;
            curvature += weight * i;
            spread += weight * ln_spread;
        }
        if all > 0.0 {
            self.weights = weights_about(curvature / all);
            self.spread = libm::exp(spread / all);
        }
    }

    /// Returns the posterior of a coordinate under the fitted prior.
    pub(super) fn marginal(&self, slopes: &Slopes, precision: f64) -> Marginal {
        let conditionals = self.conditionals(slopes, self.spread, precision);
        let (_, likelihoods) = relative(&conditionals);
        let (mut all, mut beta, mut x, mut xx) = (0.0, 0.0, 0.0, 0.0);
        for (i, given) in conditionals.iter().enumerate() {
            let weight = self.weights[i] * likelihoods[i];
            let weighty = weight * self.betas[i];
            all += weight;
            beta += weighty;
            x += weighty * given.mean;
            xx += weighty * (given.mean * given.mean + given.variance);
        }
        let best = x / beta;
        Marginal {
            best,
            deviation: (xx / beta - best * best).max(0.0).sqrt(),
            beta: beta / all,
        }
    }

    /// Computes the probabilities of effects: a share ρ of the coordinates has a curvature by the
    /// prior, all others have none, `β = 0` (a spike and a slab: Mitchell and Beauchamp, JASA 83,
    /// 1988). Share, curvature and spread are integrated out over all coordinates together.
    pub(super) fn effects(&self, slopes: &[Slopes], precision: f64) -> Effects {
        // Sums over the cells in units of e^top, the largest so far.
        let (mut top, mut all, mut before) = (0.0_f64, 0.0, 0.0);
        let mut sums = vec![0.0; slopes.len()];
        for spread in SPREADS {
            let conditionals = slopes
                .iter()
                .map(|c| self.conditionals(c, spread, precision));
            let conditionals: Vec<_> = conditionals.map(|c| relative(&c)).collect();
            for point in (0..POINTS).step_by(2) {
                let weights = weights_about(point as f64);
                // ln of the likelihood of the slab divided by that of the spike.
                let ratios = conditionals.iter().map(|(top, likelihoods)| {
                    let terms = weights.iter().zip(likelihoods);
                    top + libm::log(terms.map(|(p, l)| p * l).sum())
                });
                let ratios: Vec<f64> = ratios.collect();
                for share in SHARES {
                    let (likelihood, given) = mixture(&ratios, share);
                    let prior = prior_of(point, spread) + SHARE_POWER * libm::log(share);
                    before += libm::exp(prior);
                    let log = likelihood + prior;
                    if log > top {
                        let less = libm::exp(top - log);
                        all *= less;
                        for sum in &mut sums {
                            *sum *= less;
                        }
                        top = log;
                    }
                    let weight = libm::exp(log - top);
                    all += weight;
                    for (sum, given) in sums.iter_mut().zip(given) {
                        *sum += weight * given;
                    }
                }
            }
        }
        Effects {
            likely: sums.into_iter().map(|sum| sum / all).collect(),
            evidence: top + libm::log(all / before),
        }
    }

    fn conditionals(&self, slopes: &Slopes, spread: f64, precision: f64) -> [Conditional; POINTS] {
        std::array::from_fn(|i| slopes.given(self.betas[i], spread, precision))
    }
}

/// Logarithm of the prior probability of curvature and spread.
fn prior_of(point: usize, spread: f64) -> f64 {
    let curvature = (point as f64 - (POINTS as f64 - 1.0) / 2.0) * SPACING / HANDICAP_SPREAD;
    let distance = libm::log(spread) / SPREAD_SPREAD;
    -0.5 * (curvature * curvature + distance * distance)
}

/// Returns the logarithm of the likelihood of all coordinates with a share in the slab, and the
/// probability of each to be in it, from the logarithms of their likelihood ratios.
fn mixture(ratios: &[f64], share: f64) -> (f64, Vec<f64>) {
    let mut sum = 0.0;
    let given = ratios.iter().map(|&ratio| {
        // Both sides are divided by the larger one, so that nothing overflows.
        let top = ratio.max(0.0);
        let slab = share * libm::exp(ratio - top);
        let both = slab + (1.0 - share) * libm::exp(-top);
        sum += top + libm::log(both);
        slab / both
    });
    let given = given.collect();
    (sum, given)
}

/// Returns normal weights around a point of the grid; their sum is 1, none is 0.
fn weights_about(point: f64) -> [f64; POINTS] {
    let mut weights: [f64; POINTS] = std::array::from_fn(|i| {
        let z = (i as f64 - point) * SPACING / CURVATURE_SPREAD;
        libm::exp(-0.5 * z * z)
    });
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}

/// Returns the largest logarithm, and all likelihoods divided by its likelihood.
fn relative(conditionals: &[Conditional; POINTS]) -> (f64, [f64; POINTS]) {
    let top = conditionals
        .iter()
        .fold(f64::MIN, |top, c| top.max(c.evidence));
    let likelihoods = std::array::from_fn(|i| libm::exp(conditionals[i].evidence - top));
    (top, likelihoods)
}
