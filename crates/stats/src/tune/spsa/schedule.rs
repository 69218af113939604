//! The gains of fishtest and `OpenBench`.

use serde::{Deserialize, Serialize};

/// Exponents and stabiliser of the schedule; the defaults are fishtest's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decay {
    /// α, the exponent of the step size.
    pub alpha: f64,
    /// γ, the exponent of the perturbation.
    pub gamma: f64,
    /// A, as a share of all pairs.
    pub a_ratio: f64,
}

impl Default for Decay {
    fn default() -> Self {
        Self {
            alpha: 0.602,
            gamma: 0.101,
            a_ratio: 0.1,
        }
    }
}

/// The gains of one parameter over N pairs.
///
/// ```text
/// c₀ = c_end · N^γ        c_k = c₀ / k^γ
/// a_end = r_end · c_end²  a₀ = a_end · (A + N)^α   a_k = a₀ / (A + k)^α
/// R_k = a_k / c_k²        θ += R_k · c_k · Δ · (wins - losses of the pair)
/// ```
///
/// fishtest, `server/fishtest/spsa_handler.py` and `run_db.py`; `OpenBench`
/// counts batches instead of pairs, with the same gains at the same completed
/// fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    c0: f64,
    a0: f64,
    stabiliser: f64,
    decay: Decay,
}

impl Schedule {
    /// Creates a schedule from the values at the end: the perturbation `c_end` in the parameter's
    /// unit, the learning rate `r_end`, and N pairs (at least 1).
    pub fn new(pairs: u64, c_end: f64, r_end: f64, decay: Decay) -> Self {
        let n = pairs.max(1) as f64;
        let stabiliser = decay.a_ratio * n;
        Self {
            c0: c_end * libm::pow(n, decay.gamma),
            a0: r_end * c_end * c_end * libm::pow(stabiliser + n, decay.alpha),
            stabiliser,
            decay,
        }
    }

    /// `c_k` of pair k, from 1, in the parameter's unit.
    pub fn perturbation(&self, k: u64) -> f64 {
        self.c0 / libm::pow(k.max(1) as f64, self.decay.gamma)
    }

    /// `R_k` of pair k, from 1.
    pub fn rate(&self, k: u64) -> f64 {
        let a = self.a0 / libm::pow(self.stabiliser + k.max(1) as f64, self.decay.alpha);
        let c = self.perturbation(k);
        a / (c * c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against values from an independent Python program with fishtest's formulas: N = 30,000,
    /// `c_end` = 10, `r_end` = 0.002.
    #[test]
    fn the_numbers_of_fishtest() {
        let schedule = Schedule::new(30_000, 10.0, 0.002, Decay::default());
        for (k, c, r) in [
            (1, 28.326_260_626_654_783, 0.001_055_559_611_888_643),
            (100, 17.790_544_760_495_11, 0.002_624_201_348_511_365),
            (3_000, 12.618_275_345_906_707, 0.003_505_325_359_070_663),
            (15_000, 10.725_166_168_179_424, 0.002_504_339_942_571_36),
            (30_000, 10.0, 0.002),
        ] {
            assert!(
                (schedule.perturbation(k) / c - 1.0).abs() < 1e-12,
                "c of {k}"
            );
            assert!((schedule.rate(k) / r - 1.0).abs() < 1e-12, "r of {k}");
        }
    }

    #[test]
    fn a_schedule_ends_at_its_ends() {
        for pairs in [1, 7, 1_000_000] {
            let schedule = Schedule::new(pairs, 3.5, 0.004, Decay::default());
            assert!((schedule.perturbation(pairs) - 3.5).abs() < 1e-12);
            assert!((schedule.rate(pairs) - 0.004).abs() < 1e-12);
        }
    }

    #[test]
    fn openbench_has_the_same_gains_at_the_same_fraction() {
        let pairs = Schedule::new(8_000, 5.0, 0.002, Decay::default());
        let batches = Schedule::new(1_000, 5.0, 0.002, Decay::default());
        for k in [1, 10, 999] {
            assert!((pairs.rate(8 * k) / batches.rate(k) - 1.0).abs() < 1e-12);
            assert!((pairs.perturbation(8 * k) / batches.perturbation(k) - 1.0).abs() < 1e-12);
        }
    }
}
