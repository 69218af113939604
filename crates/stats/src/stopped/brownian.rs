//! A Brownian motion from 0 between two absorbing bounds: the distribution of its end in place and
//! time.

use std::f64::consts::{PI, TAU};

use crate::normal;

/// The bounds, `lower` < 0 < `upper`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) lower: f64,
    pub(super) upper: f64,
}

/// Drift and variance per unit of time, the variance above 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    pub(super) drift: f64,
    pub(super) variance: f64,
}

impl Motion {
    /// Probability of an outcome worse than `level` after `time` > 0: leaving at the lower bound
    /// earlier, being lower at that time, or leaving at the upper bound later. 0..=1.
    pub(super) fn worse(self, bounds: Bounds, time: f64, level: f64) -> f64 {
        let width = bounds.upper - bounds.lower;
        let pull = self.drift / self.variance * width;
        let p = if self.variance * time / (width * width) < 1e-2 || pull.abs() > 15.0 {
            self.by_images(bounds, time, level)
        } else {
            self.by_series(bounds, time, level)
        };
        // Corrects rounding, and the error of the images (measured below 5e-6).
        p.clamp(0.0, 1.0)
    }

    /// The probability by a series. With λₙ = (nπ/A)²σ²/2 + μ²/(2σ²), γ = μ/σ², A = b - a, x = -a,
    /// y' = y - a:
    ///
    /// ```text
    /// (1 - e^(2γ(A-x))) / (1 - e^(2γA))
    ///   + e^(-λ₁T - γx + γy') Σ e^(-(λₙ-λ₁)T) sin(nπx/A)
    ///     · (2Aγ sin(nπy'/A) - 2πn cos(nπy'/A)) / (A²γ² + π²n²)
    /// ```
    ///
    /// Needs |γA| ≤ 15 and σ²T/A² not far below 1e-2: then no exponential overflows, and a hundred
    /// terms are more than enough.
    pub(super) fn by_series(self, bounds: Bounds, time: f64, level: f64) -> f64 {
        let width = bounds.upper - bounds.lower;
        let (start, end) = (-bounds.lower, level - bounds.lower);
        let gamma = self.drift / self.variance;
        let pull = gamma * width;
        // Time in units in which width and variance are 1.
        let scaled = self.variance * time / (width * width);
        let decay = |n: f64| 0.5 * scaled * (n * PI).powi(2);
        let outside = libm::exp(gamma * (end - start) - decay(1.0) - 0.5 * scaled * pull * pull);
        let mut sum = 0.0;
        for n in 1..=100 {
            let n = f64::from(n);
            let weight = libm::exp(decay(1.0) - decay(n));
            if weight < 1e-18 {
                break;
            }
            let angle = n * PI * end / width;
            sum += weight
                * (2.0 * pull * libm::sin(angle) - 2.0 * PI * n * libm::cos(angle))
                * libm::sin(n * PI * start / width)
                / (pull * pull + (n * PI).powi(2));
        }
        let forever = if pull.abs() < 1e-8 {
            1.0 - start / width
        } else {
            libm::expm1(2.0 * (pull - gamma * start)) / libm::expm1(2.0 * pull)
        };
        forever + outside * sum
    }

    /// The probability by images:
    ///
    /// ```text
    /// Φ(z) + e^(2γa) Φ(z_a) - e^(2γb) Φ(z_b)
    /// z = (y-μT)/(σ√T), z_a = (μT-y+2a)/(σ√T), z_b = (y-μT-2b)/(σ√T)
    /// ```
    pub(super) fn by_images(self, bounds: Bounds, time: f64, level: f64) -> f64 {
        let gamma = self.drift / self.variance;
        let deviation = (self.variance * time).sqrt();
        let way = level - self.drift * time;
        let Bounds { lower, upper } = bounds;
        normal::cdf(way / deviation) + image(2.0 * gamma * lower, (2.0 * lower - way) / deviation)
            - image(2.0 * gamma * upper, (way - 2.0 * upper) / deviation)
    }
}

/// e^w Φ(z). For w ≥ 10, where z is below -4, uses the first two terms of the tail; the exponents
/// are added first, because e^w alone overflows.
fn image(w: f64, z: f64) -> f64 {
    if w < 10.0 {
        return libm::exp(w) * normal::cdf(z);
    }
    -libm::exp(w - 0.5 * z * z) / TAU.sqrt() * (1.0 / z - 1.0 / z.powi(3))
}
