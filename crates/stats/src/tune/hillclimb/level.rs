//! One kind of blocks, with the evidence on their slopes.

use super::settings::Blocks;
use crate::tune::regression::{Drawn, Posterior, even_handicaps};
use crate::tune::{Dimension, ELO_PER_LEAD, Kind, Space};

/// Longest proposed step of a block, in lengths of its probes.
const LONGEST: f64 = 2.0;

/// A kind of blocks. A block is placed at the mean of its dimensions, in steps from the start.
#[derive(Clone, Debug)]
pub(super) struct Level {
    blocks: Blocks,
    /// Number of dimensions in each block.
    sizes: Vec<f64>,
    /// One real dimension for each block, in steps.
    space: Space,
    posterior: Posterior,
    /// Distance between probes and incumbent, in steps.
    reach: Vec<f64>,
    /// Pairs of this level's probes.
    pub(super) pairs: f64,
    /// Expected gain of the last step per pair of its probes, in Elo; infinite before the first
    /// step.
    pub(super) rate: f64,
    /// Factor of the proposed steps: halved by each race that refuses a step, doubled by others, at
    /// most 1.
    trust: f64,
    /// True if the last race refused the step.
    is_refused: bool,
    /// Number of finished rounds.
    pub(super) rounds: u64,
}

/// A proposed step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// Distance of each dimension from the incumbent, in steps.
    pub(super) moves: Vec<f64>,
    /// Expected gain of a short step divided by its length, and loss by the curvature of a step
    /// divided by the squared length; in Elo.
    pub(super) slope: f64,
    pub(super) curve: f64,
    /// Variance of one game's wins minus losses.
    pub(super) variance: f64,
}

impl Step {
    /// Expected gain in Elo of a step of this length.
    pub(super) fn gain(&self, length: f64) -> f64 {
        length * (self.slope - length * self.curve)
    }
}

impl Level {
    /// Creates a level without evidence; `None` if it has no blocks.
    pub(super) fn new(space: &Space, blocks: Blocks) -> Option<Self> {
        let n = blocks.count();
        let mut sizes = vec![0.0; n];
        let mut bounds = vec![(0.0, 0.0); n];
        for (i, block) in blocks.block_of.iter().enumerate() {
            let Some(block) = *block else { continue };
            let (low, high) = space.bounds_in_steps(i);
            sizes[block] += 1.0;
            bounds[block].0 += low;
            bounds[block].1 += high;
        }
        let dimension = |(block, (low, high)): (usize, (f64, f64))| Dimension {
            name: block.to_string(),
            min: low / sizes[block],
            max: high / sizes[block],
            start: 0.0,
            step: 1.0,
            kind: Kind::Real,
        };
        let dimensions = bounds.into_iter().enumerate().map(dimension).collect();
        Some(Self {
            space: Space::new(dimensions).ok()?,
            posterior: Posterior::new(n),
            reach: vec![1.0; n],
            blocks,
            sizes,
            pairs: 0.0,
            rate: f64::INFINITY,
            trust: 1.0,
            is_refused: false,
            rounds: 0,
        })
    }

    /// Number of blocks.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Converts values of the blocks to values of the dimensions; 0 outside all blocks.
    fn spread<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let blocks = self.blocks.block_of.iter();
        blocks.map(|block| block.map_or(0.0, |block| values[block]))
    }

    /// Converts values of the dimensions to means over the blocks.
    fn means(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut means = vec![0.0; self.len()];
        for (block, value) in self.blocks.block_of.iter().zip(values) {
            if let Some(block) = *block {
                means[block] += value / self.sizes[block];
            }
        }
        means
    }

    /// Returns the signed distance between a probe and the incumbent for each dimension, in steps,
    /// from the sign of each block.
    pub(super) fn probe(&self, signs: &[f64]) -> Vec<f64> {
        let signed = signs.iter().zip(&self.reach);
        let signed: Vec<f64> = signed.map(|(sign, reach)| sign * reach).collect();
        self.spread(&signed).collect()
    }

    /// Adds the batch of a probe: `scored` is the number of games with their wins minus losses per
    /// game, `played` centre and signed half-difference of each dimension.
    pub(super) fn add(&mut self, number: u64, scored: (f64, f64), played: &[(f64, f64)]) {
        let centers = self.means(played.iter().map(|p| p.0));
        let differences = self.means(played.iter().map(|p| p.1));
        let played: Vec<(f64, f64)> = centers.into_iter().zip(differences).collect();
        // Centres are not shifted: the side has no meaning here.
        let drawn = vec![Drawn::default(); played.len()];
        self.posterior.add(number, scored, &played, &drawn);
        self.pairs += 0.5 * scored.0;
    }

    /// Updates the posterior with all probes so far, for batches from `next` on, and proposes a
    /// step.
    pub(super) fn propose(&mut self, incumbent: &[f64], next: u64) -> Step {
        self.posterior.conclude(&self.space, next);
        let marginals = self.posterior.marginals.iter();
        let betas: Vec<f64> = marginals.map(|marginal| marginal.beta).collect();
        let typical = self.posterior.typical;
        self.reach = even_handicaps(&betas, (1.0 + typical * typical).sqrt());
        self.step(incumbent)
    }

    /// Returns the best step, with the prior of the last update.
    pub(super) fn step(&self, incumbent: &[f64]) -> Step {
        let here = self.means(incumbent.iter().copied());
        let marginals = self.posterior.current();
        let places = marginals.iter().zip(here).zip(&self.reach).enumerate();
        let (mut slope, mut curve) = (0.0, 0.0);
        let moves = places.map(|(block, ((marginal, here), reach))| {
            let (low, high) = self.space.bounds_in_steps(block);
            let longest = LONGEST * reach;
            let way = marginal.best.clamp(low, high) - here;
            let x = self.trust * way.clamp(-longest, longest);
            // A move by x gains βx(2·(best - here) - x), also if it is cut.
            slope += 2.0 * marginal.beta * x * (marginal.best - here);
            curve += marginal.beta * x * x;
            x
        });
        let moves: Vec<f64> = moves.collect();
        Step {
            slope: 0.25 * ELO_PER_LEAD * slope,
            curve: 0.25 * ELO_PER_LEAD * curve,
            variance: self.posterior.precision().recip(),
            moves: self.spread(&moves).collect(),
        }
    }

    /// Returns the step that the probes of an unfinished round propose; `None` if there are none,
    /// or if the last race refused a step.
    pub(super) fn unfinished_step(&self, incumbent: &[f64]) -> Option<Step> {
        (self.pairs > 0.0 && !self.is_refused).then(|| self.step(incumbent))
    }

    /// Ends a round, in which a race took the step or refused it.
    pub(super) fn end_round(&mut self, is_taken: bool) {
        self.rounds += 1;
        self.is_refused = !is_taken;
        self.trust = (self.trust * if is_taken { 2.0 } else { 0.5 }).min(1.0);
    }

    /// Moves the center of the prior: another kind of blocks has moved the dimensions.
    pub(super) fn follow(&mut self, moves: &[f64]) {
        let moves = self.means(moves.iter().copied());
        for (block, distance) in moves.into_iter().enumerate() {
            self.posterior.move_origin(block, distance);
        }
    }

    /// Name of the kind.
    pub(super) fn name(&self) -> &str {
        &self.blocks.name
    }

    /// Returns each block's expected gain in Elo from the start to a point; empty before the first
    /// update.
    pub(super) fn gains(&self, point: &[f64]) -> Vec<f64> {
        let here = self.means(point.iter().copied());
        let marginals = self.posterior.marginals.iter().zip(here);
        let gains = marginals.map(|(m, x)| m.beta * x * (2.0 * m.best - x));
        gains
            .map(|gain| 0.25 * ELO_PER_LEAD * gain.max(0.0))
            .collect()
    }
}
