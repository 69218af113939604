//! Bayesian regression: no gains to choose, an error bar for every parameter.
//!
//! *Model.* Near the best point x the loss in Elo is a parabola in each coordinate, `hᵢ(xᵢ - zᵢ)²`.
//! Two players on opposite sides of a centre m, dᵢ (signed, at random) away from it, then differ by
//! `4 Σ hᵢdᵢ(xᵢ - mᵢ)` Elo, so that in expectation the wins minus losses of a game are
//!
//! ```text
//! y = Σ dᵢ βᵢ (xᵢ - mᵢ),   βᵢ = 4hᵢ / 347.4
//! ```
//!
//! Signs are independent between coordinates, so each coordinate is regressed alone. The
//! contribution of the others to y is noise, after subtracting its known part (Spall's simultaneous
//! perturbation, IEEE Trans. Automatic Control 37, 1992, but with all past batches kept instead of
//! one step each).
//!
//! The loss is a parabola near x only, so batches lose weight with the distance of their centre
//! from the estimate: by a Gaussian of one step, wider while little is known (locally weighted
//! regression: Cleveland, JASA 74, 1979; Coulom's CLOP, 2011, serves the same purpose).
//!
//! *Prior.* `ln βᵢ ~ N(μ, 1.2²)`, `xᵢ ~ N(start, (τ steps)²)`. μ and τ are fitted to all
//! coordinates together (empirical Bayes; Robbins 1956, Morris, JASA 78, 1983): all coordinates
//! determine how steep parameters are in general and how far the start is off in general, and with
//! little evidence the estimate stays near the start.
//!
//! *Posterior.* Given β it is normal; β is integrated out on a grid. The reported value is
//! `E[βx]/E[β]`, which minimises the expected loss, within the interval that holds without the
//! prior ([`line`]).
//!
//! *Play.* The centre is the estimate. The perturbation is `(1 + s²)^½` steps, with s the error of
//! the typical parameter in steps: wide while the optimum may be far away, one step in the end. It
//! is multiplied by `(mean β/βᵢ)^½`, within a factor of 2 and with the same handicap `Σ hᵢcᵢ²` in
//! all: for a given handicap the regret `Σ v·347²/(16·T·hᵢcᵢ²)` is smallest if all `hᵢcᵢ²` are
//! equal. Some perturbations are half as long, and replace the long ones if those mislead
//! ([`coordinate`]).

mod coordinate;
mod line;
mod local;
mod misfit;
mod posterior;
mod prior;
mod slopes;

use std::fmt::Write as _;

use coordinate::{HALF, SHORT};
use posterior::MISFIT;
pub(super) use posterior::{Drawn, Posterior};

use super::Purpose;
use super::played::{coordinates, games, lead, near_bounds, sides};
use super::{
    ELO_PER_LEAD, GAME_VARIANCE, NoEffect, Plan, Players, Proposal, Reading, Space, Strategy,
};
use crate::Pentanomial;
use crate::RandomNumbers;

/// Largest factor between a perturbation and the common one.
const MAX_UNEVEN: f64 = 2.0;
/// Shift of centres, as a share of the perturbation. If a coordinate has an effect with probability
/// `KNOWN`, the shift may be smaller: so that all shifts together add at most the share
/// `SHIFT_NOISE` of a game's variance, and so that the perturbation has room between the bounds, but
/// at least the share `MIN_SHIFT` of that limit.
const SHIFT: f64 = 0.5;
const KNOWN: f64 = 0.99;
const SHIFT_NOISE: f64 = 0.04;
const MIN_SHIFT: f64 = 0.25;
/// Largest batch, in pairs, for which the test of the parabola is valid: in larger ones the
/// contributions of other coordinates exceed the noise of the games, and the test rejects parabolas
/// (all of 4 tunes with 30 parameters and batches of 10, none with 4).
const MAX_TESTED_PAIRS: f64 = 4.0;
/// Maximum number of names in a note.
const MAX_NAMES: usize = 12;
/// Growth of the number of batches after which the centre moves, as a fraction, and at least as a
/// number of batches.
const REFRESH: f64 = 0.02;
const FIRST: f64 = 4.0;

/// The regression as a tuner.
#[derive(Clone, Debug)]
pub(super) struct Regression {
    posterior: Posterior,
    /// Perturbations, in steps.
    reach: Vec<f64>,
    /// The common factor of the perturbations.
    scale: f64,
    /// Shifts of the centres, in steps.
    shifts: Vec<f64>,
    refresh_at: f64,
    seed: u64,
    /// Number of pairs per batch.
    pairs: f64,
    /// Number of batches under way at once.
    window: u64,
    no_effect: NoEffect,
}

impl Regression {
    pub(super) fn new(space: &Space, scale: f64, plan: &Plan, no_effect: NoEffect) -> Self {
        let n = space.len();
        Self {
            seed: plan.seed,
            pairs: f64::from(plan.batch.max(1)),
            window: u64::from(plan.window.max(1)),
            posterior: Posterior::new(n),
            reach: vec![scale; n],
            scale,
            shifts: vec![SHIFT * scale; n],
            refresh_at: 1.0,
            no_effect,
        }
    }

    /// Updates centres, perturbations and shifts from the batch `next` on.
    fn refresh(&mut self, space: &Space, next: u64) {
        self.posterior.conclude(space, next);
        let marginals = &self.posterior.marginals;
        let betas: Vec<f64> = marginals.iter().map(|m| m.beta).collect();
        let typical = self.posterior.typical;
        let widened = self.scale * (1.0 + typical * typical).sqrt();
        self.reach = even_handicaps(&betas, widened);
        for (reach, scale) in self.reach.iter_mut().zip(self.posterior.scales()) {
            *reach *= scale;
        }
        // A coordinate that is c·shift off adds (βc² shift)² to the variance that the others see.
        // Large batches need shifts as long: these are their only evidence of an effect.
        let most = (SHIFT_NOISE * GAME_VARIANCE / betas.len() as f64).sqrt();
        let likely = &self.posterior.effects.likely;
        let shifts = self.posterior.centers().zip(&self.reach).enumerate();
        let shifts = shifts.map(|(i, (center, reach))| {
            if likely[i] < KNOWN {
                return SHIFT * reach;
            }
            // Without room, perturbations would shrink and be less informative.
            let (low, high) = space.bounds_in_steps(i);
            let room = (center - low).min(high - center) - reach;
            let most = SHIFT.min(most / (betas[i] * reach * reach)) * reach;
            room.clamp(MIN_SHIFT * most, most)
        });
        self.shifts = shifts.collect();
        let batches = self.posterior.batches;
        self.refresh_at = batches + (batches * REFRESH).floor().max(FIRST);
    }

    /// Draws, for each coordinate of a batch, the side of its shift and the length of its
    /// perturbation.
    fn drawn(&self, space: &Space, number: u64) -> Vec<Drawn> {
        let mut random = Purpose::Shift.random(self.seed, number);
        let signs = random.signs(space.len()).into_iter();
        let drawn = signs.map(|sign| Drawn {
            sign,
            is_short: random.uniform() < SHORT,
        });
        drawn.collect()
    }

    /// Returns a note with the number of parameters that keep their start though they probably have
    /// an effect, and the config key that moves them.
    fn kept(&self, readings: &[Reading]) -> Option<String> {
        if self.no_effect == NoEffect::Move {
            return None;
        }
        let rows = readings.iter().enumerate();
        let kept = rows.filter(|&(i, reading)| !reading.is_seen && self.posterior.is_likely(i));
        let these = match kept.count() {
            0 => return None,
            1 => "1 of them probably has an effect but keeps its start".to_owned(),
            many => format!("{many} of them probably have an effect but keep their starts"),
        };
        Some(format!(
            "{these}: `no_effect = \"move\"` under `[tune]` moves them, using the same games"
        ))
    }

    /// Returns the values to report, with their evidence.
    fn evidence(&self, space: &Space) -> Vec<Reading> {
        let mut readings = self.posterior.readings(space, self.no_effect);
        if self.pairs > MAX_TESTED_PAIRS {
            for reading in &mut readings {
                reading.is_parabola = None;
            }
        }
        readings
    }

    /// Estimated loss in Elo of a perturbed player against the centre, in the coordinates with a
    /// visible effect.
    fn handicap(&self, readings: &[Reading]) -> f64 {
        let marginals = self
            .posterior
            .marginals
            .iter()
            .zip(&self.reach)
            .zip(readings);
        let seen = marginals.filter(|(_, reading)| reading.is_seen);
        let sum: f64 = seen.map(|((m, c), _)| m.beta * c * c).sum();
        sum * ELO_PER_LEAD / 4.0
    }
}

fn values(readings: &[Reading]) -> Vec<f64> {
    readings.iter().map(|reading| reading.value).collect()
}

/// Returns a note about dimensions without a visible effect, with the largest effect that they
/// could have.
fn unseen(space: &Space, readings: &[Reading]) -> Option<String> {
    let name = |name: &str, reading: &Reading| match (reading.is_seen, reading.steepest) {
        (true, _) => None,
        (false, Some(elo)) => Some(format!("{name} ({elo:.1})")),
        (false, None) => Some(name.to_owned()),
    };
    let (count, names) = listed(space, readings, name)?;
    let these = match count {
        1 => "this parameter matters",
        _ => "these parameters matter",
    };
    let is_limited = readings.iter().any(|reading| reading.steepest.is_some());
    let limits = if is_limited {
        "; in brackets the largest possible effect of a step in Elo (95 %)"
    } else {
        ""
    };
    Some(format!(
        "the games do not show that {these}: {names}{limits}"
    ))
}

/// Returns a note about parameters whose strength is not a parabola.
fn no_parabola(space: &Space, readings: &[Reading]) -> Option<String> {
    let name = |name: &str, reading: &Reading| {
        (reading.is_parabola == Some(false)).then(|| name.to_owned())
    };
    let (_, names) = listed(space, readings, name)?;
    Some(format!(
        "the strength does not follow a parabola in {names} (test at {:.0} %): do not rely on values \
         and errors there; errors of other parameters may be too small; tune again from the tuned \
         values with a smaller `step`, and let the proof decide",
        100.0 * MISFIT
    ))
}

/// Returns a note about shortened perturbations, with their current lengths in the parameters'
/// units.
fn shortened(space: &Space, scales: impl Iterator<Item = f64>, reach: &[f64]) -> Option<String> {
    let dimensions = space.dimensions().iter().zip(reach);
    let lengths = dimensions.map(|(dimension, reach)| {
        let shown = dimension.kind.shown_decimals();
        format!("{:.shown$}", reach * dimension.step)
    });
    let lengths: Vec<(f64, String)> = scales.zip(lengths).collect();
    let name = |name: &str, (scale, length): &(f64, String)| {
        (*scale < 1.0).then(|| format!("{name} (now {length})"))
    };
    let (_, names) = listed(space, &lengths, name)?;
    Some(format!(
        "longer perturbations misled, so they were shortened: {names}; the strength is not a \
         parabola there, and more games may move the value again"
    ))
}

/// Returns the number of dimensions with a name for a note, and the first of these names.
fn listed<T>(
    space: &Space,
    rows: &[T],
    name: impl Fn(&str, &T) -> Option<String>,
) -> Option<(usize, String)> {
    let rows = space.dimensions().iter().zip(rows);
    let names: Vec<String> = rows.filter_map(|(d, row)| name(&d.name, row)).collect();
    let mut list = names[..names.len().min(MAX_NAMES)].join(", ");
    if names.len() > MAX_NAMES {
        let _ = write!(list, " and {} more", names.len() - MAX_NAMES);
    }
    (!names.is_empty()).then_some((names.len(), list))
}

/// Returns perturbations that make the handicaps βc² as equal as a factor of [`MAX_UNEVEN`]
/// allows, with the same sum as with `scale` everywhere.
pub(super) fn even_handicaps(betas: &[f64], scale: f64) -> Vec<f64> {
    let mean = betas.iter().map(|&b| libm::log(b)).sum::<f64>() / betas.len() as f64;
    let even = |b: &f64| libm::exp(0.5 * (mean - libm::log(*b)));
    let reach = betas
        .iter()
        .map(|b| even(b).clamp(1.0 / MAX_UNEVEN, MAX_UNEVEN));
    let reach: Vec<f64> = reach.collect();
    let wanted: f64 = betas.iter().sum();
    let have: f64 = betas.iter().zip(&reach).map(|(b, c)| b * c * c).sum();
    let factor = scale * (wanted / have).sqrt();
    reach.into_iter().map(|c| c * factor).collect()
}

impl Strategy for Regression {
    fn propose(&self, space: &Space, number: u64, _: u64, random: RandomNumbers) -> (u64, Players) {
        let drawn = self.drawn(space, number);
        let centers = self.posterior.centers().zip(&self.shifts).zip(&drawn);
        let centers = centers.map(|((center, shift), drawn)| center + drawn.sign * shift);
        let centers: Vec<f64> = centers.collect();
        // On average c² is the same as with one length.
        let long = (1.0 - SHORT + SHORT * HALF * HALF).sqrt().recip();
        let length = |i: usize| long * if drawn[i].is_short { HALF } else { 1.0 };
        let reach = |i: usize| length(i) * self.reach[i];
        (0, sides(space, &centers, reach, random))
    }

    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        let drawn = self.drawn(space, proposal.number);
        let played: Vec<(f64, f64)> = coordinates(space, proposal).collect();
        let games = games(proposal);
        let scored = (games, lead(result) / games);
        let number = proposal.number;
        self.posterior.add(number, scored, &played, &drawn);
        if self.posterior.batches >= self.refresh_at {
            self.refresh(space, proposal.number + self.window);
        }
    }

    fn estimate(&self, space: &Space) -> Vec<f64> {
        values(&self.evidence(space))
    }

    fn readings(&self, space: &Space) -> Option<Vec<Reading>> {
        (self.posterior.batches > 0.0).then(|| self.evidence(space))
    }

    fn notes(&self, space: &Space) -> Vec<String> {
        let readings = self.evidence(space);
        let mut notes = Vec::new();
        if readings.iter().any(|reading| reading.is_seen) {
            notes.push(format!(
                "perturbed players are about {:.0} Elo weaker than the centre, as the regression \
                 estimates it",
                self.handicap(&readings)
            ));
        }
        notes.extend(unseen(space, &readings));
        notes.extend(self.kept(&readings));
        notes.extend(no_parabola(space, &readings));
        notes.extend(shortened(space, self.posterior.scales(), &self.reach));
        // A parameter without a visible effect keeps the start, wherever the start lies.
        let reach = |i: usize| {
            if readings[i].is_seen {
                self.reach[i]
            } else {
                0.0
            }
        };
        notes.extend(near_bounds(space, &values(&readings), reach));
        notes
    }

    fn scale_perturbation(&mut self, factor: f64) {
        self.scale *= factor;
        for c in self.reach.iter_mut().chain(&mut self.shifts) {
            *c *= factor;
        }
    }
}

#[cfg(test)]
mod tests;
