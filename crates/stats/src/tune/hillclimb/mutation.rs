//! Mutations and their sizes.

use serde::Serialize;

use crate::tune::dice::Dice;
use crate::tune::{Kind, Space};

/// What a mutation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mutation {
    /// One coordinate, to the side that won the probe.
    Single,
    /// About √n coordinates, to the side that won the probe.
    Block,
    /// All coordinates, as all probes so far advise.
    Full,
}

/// A success lengthens, a failure shortens.
const LONGER: f64 = 1.2;
const SHORTER: f64 = 0.85;
/// Real numbers have no unit; what is shorter than this part of a step, no
/// test of affordable length sees.
const LEAST_REAL: f64 = 1.0 / 64.0;
/// A full mutation moves by this root mean square at first, at most by that.
const FULL: f64 = 0.5;
const MOST_FULL: f64 = 2.0;

/// Sizes of mutations in steps, adapting themselves.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    /// Of each coordinate.
    single: Vec<f64>,
    /// Least of each: one unit of an integer.
    least: Vec<f64>,
    /// A factor for blocks.
    block: f64,
    /// Root mean square over all coordinates of a full mutation.
    pub(super) full: f64,
}

impl Sizes {
    pub(super) fn new(space: &Space) -> Self {
        let least = space.dimensions().iter().map(|d| match d.kind {
            Kind::Integer => 1.0 / d.step,
            Kind::Real => LEAST_REAL,
        });
        Self {
            single: vec![1.0; space.len()],
            least: least.collect(),
            block: 1.0,
            full: FULL,
        }
    }

    /// One mutant in six changes a single coordinate, one a block, four all.
    pub(super) fn draw(dice: &mut Dice) -> Mutation {
        match dice.below(6) {
            0 => Mutation::Single,
            1 => Mutation::Block,
            _ => Mutation::Full,
        }
    }

    /// A direction, in steps, to be probed on both sides.
    pub(super) fn probe(&self, kind: Mutation, dice: &mut Dice) -> Vec<f64> {
        let n = self.single.len();
        let mut direction = vec![0.0; n];
        match kind {
            Mutation::Single => {
                let i = dice.below(n);
                direction[i] = self.single[i];
            }
            Mutation::Block => {
                let size = (n as f64).sqrt().round().max(1.0) as usize;
                for _ in 0..size {
                    let i = dice.below(n);
                    let length = self.block * self.single[i] * dice.normal();
                    direction[i] = length.abs().max(self.least[i]).copysign(length);
                }
            }
            Mutation::Full => direction = dice.signs(n),
        }
        direction
    }

    /// Learns from the end of a test.
    pub(super) fn adapt(&mut self, kind: Mutation, direction: &[f64], success: bool) {
        let factor = if success { LONGER } else { SHORTER };
        match kind {
            Mutation::Single => {
                let sizes = self.single.iter_mut().zip(&self.least);
                for ((size, least), _) in sizes.zip(direction).filter(|(_, d)| **d != 0.0) {
                    *size = (*size * factor).max(*least);
                }
            }
            Mutation::Block => self.block = (self.block * factor).max(LEAST_REAL),
            // Half of the tests are of this kind, for all coordinates.
            Mutation::Full => {
                self.full = (self.full * factor * factor).clamp(LEAST_REAL, MOST_FULL);
            }
        }
    }
}
