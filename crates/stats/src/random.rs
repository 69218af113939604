//! Reproducible random numbers.

use std::f64::consts::TAU;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers that depend only on a seed and the number of a stream (`ChaCha8`).
#[derive(Clone, Debug)]
pub struct RandomNumbers(ChaCha8Rng);

impl RandomNumbers {
    /// Starts a stream.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// Returns a uniform number in 0..1 (1 excluded) with 53 bits.
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Returns `n` signs, -1 or 1 with equal probability.
    pub fn signs(&mut self, n: usize) -> Vec<f64> {
        let mut word = 0_u32;
        let mut sign = |i: usize| {
            if i.is_multiple_of(32) {
                word = self.0.next_u32();
            }
            if word >> (i % 32) & 1 == 1 { 1.0 } else { -1.0 }
        };
        (0..n).map(&mut sign).collect()
    }

    /// Returns a normal number with mean 0 and variance 1 (Box and Muller, Ann. Math. Statist. 29,
    /// 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.uniform())).sqrt();
        radius * libm::cos(TAU * self.uniform())
    }

    /// Returns a uniform integer in 0..n; 0 if n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.uniform() * n as f64) as usize).min(n.saturating_sub(1))
    }
}
