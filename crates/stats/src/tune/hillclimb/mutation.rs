//! Mutations and their sizes.

use serde::Serialize;

use crate::RandomNumbers;
use crate::tune::Space;

/// The coordinates that a mutation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mutation {
    /// One coordinate, towards the side that won the probe.
    Single,
    /// About √n coordinates, towards the side that won the probe.
    Block,
    /// All coordinates, in the direction of all probes so far.
    Full,
}

/// Factors of the size after a success and after a failure.
const LONGER: f64 = 1.2;
const SHORTER: f64 = 0.85;
/// Smallest mutation of a real number, as a share of a step: no test of affordable length detects
/// less.
const MIN_REAL: f64 = 1.0 / 64.0;
/// Initial and largest root mean square of a full mutation.
const FULL: f64 = 0.5;
const MAX_FULL: f64 = 2.0;

/// Sizes of mutations in steps, which adapt to results.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    /// Size for each coordinate.
    single: Vec<f64>,
    /// Smallest size for each coordinate: one unit of an integer.
    least: Vec<f64>,
    /// Additional factor of blocks.
    block: f64,
    /// Root mean square of a full mutation over all coordinates.
    pub(super) full: f64,
}

impl Sizes {
    pub(super) fn new(space: &Space) -> Self {
        let dimensions = space.dimensions().iter();
        let least = dimensions.map(|d| d.kind.grain().map_or(MIN_REAL, |grain| grain / d.step));
        Self {
            single: vec![1.0; space.len()],
            least: least.collect(),
            block: 1.0,
            full: FULL,
        }
    }

    /// Draws a kind: one mutant in six changes a single coordinate, one a block, four all.
    pub(super) fn draw(random: &mut RandomNumbers) -> Mutation {
        match random.below(6) {
            0 => Mutation::Single,
            1 => Mutation::Block,
            _ => Mutation::Full,
        }
    }

    /// Draws a direction, in steps, to be probed on both sides.
    pub(super) fn probe(&self, kind: Mutation, random: &mut RandomNumbers) -> Vec<f64> {
        let n = self.single.len();
        let mut direction = vec![0.0; n];
        match kind {
            Mutation::Single => {
                let i = random.below(n);
                direction[i] = self.single[i];
            }
            Mutation::Block => {
                let size = (n as f64).sqrt().round().max(1.0) as usize;
                for _ in 0..size {
                    let i = random.below(n);
                    let length = self.block * self.single[i] * random.normal();
                    direction[i] = length.abs().max(self.least[i]).copysign(length);
                }
            }
            Mutation::Full => direction = random.signs(n),
        }
        direction
    }

    /// Adapts the sizes to the result of a test.
    pub(super) fn adapt(&mut self, kind: Mutation, direction: &[f64], success: bool) {
        let factor = if success { LONGER } else { SHORTER };
        match kind {
            Mutation::Single => {
                let sizes = self.single.iter_mut().zip(&self.least);
                for ((size, least), _) in sizes.zip(direction).filter(|(_, d)| **d != 0.0) {
                    *size = (*size * factor).max(*least);
                }
            }
            Mutation::Block => self.block = (self.block * factor).max(MIN_REAL),
            // Half of the tests are full mutations, which adapt for all coordinates at once.
            Mutation::Full => {
                self.full = (self.full * factor * factor).clamp(MIN_REAL, MAX_FULL);
            }
        }
    }
}
