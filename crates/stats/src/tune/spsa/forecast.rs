//! The expected result of a run of SPSA, computed before the run.

use serde::Serialize;

use super::AVERAGE_FROM;
use crate::tune::{ELO_PER_LEAD, GAME_VARIANCE};

/// Assumptions about a run with constant gains.
///
/// Van den Bergh's theory (`vdbergh/spsa_simul`, `theoretical_basis.pdf`): with rate r,
/// perturbation c and curvature h, the distance from the optimum falls as `e^(-t/λ)` over t games,
/// `λ = 347.4/(4rhc²)`, and n parameters leave `E∞ = 347.4·n·v/8·r` Elo after any number of games.
/// The mean over w games of such a process (Ornstein and Uhlenbeck's) has `2(a - 1 + e^-a)/a²` of
/// its variance, a = w/λ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// Number of parameters.
    pub dimensions: usize,
    /// Number of games of the budget.
    pub games: f64,
    /// Elo that a perturbed player loses against the centre, `Σ hᵢcᵢ²`.
    pub handicap: f64,
    /// Elo lost at the start.
    pub start_loss: f64,
    /// Variance of wins minus losses of one game.
    pub variance: f64,
    /// Ratio of largest to smallest curvature; curvatures are log-uniform between.
    pub condition: f64,
}

/// Number of quantiles that represent the distribution of curvatures.
const QUANTILES: u32 = 7;

impl Forecast {
    /// Default assumptions: 100 Elo of handicap, 100 lost at the start, a game's variance of 0.57,
    /// condition number 10.
    pub fn usual(dimensions: usize, games: f64) -> Self {
        Self {
            dimensions,
            games,
            handicap: 100.0,
            start_loss: 100.0,
            variance: GAME_VARIANCE,
            condition: 10.0,
        }
    }

    /// Shares of the parameters in the sum of all curvatures, as quantiles.
    fn parts(&self) -> impl Iterator<Item = f64> {
        let spread = libm::log(self.condition.max(1.0));
        let quantile = move |j: u32| ((f64::from(j) + 0.5) / f64::from(QUANTILES) - 0.5) * spread;
        let sum: f64 = (0..QUANTILES).map(|j| libm::exp(quantile(j))).sum();
        let mean = self.dimensions as f64 * sum / f64::from(QUANTILES);
        (0..QUANTILES).map(move |j| libm::exp(quantile(j)) / mean)
    }

    /// Expected remaining loss of SPSA with rate r, in Elo, with the second half averaged.
    pub fn regret(&self, rate: f64) -> f64 {
        let n = self.dimensions as f64;
        let window = self.games * (1.0 - AVERAGE_FROM);
        let noise = ELO_PER_LEAD * self.variance / 8.0 * rate;
        let per_parameter = self.parts().map(|part| {
            let lambda = ELO_PER_LEAD / (4.0 * rate * self.handicap * part);
            let a = window / lambda;
            let kept = if a < 1e-4 {
                1.0
            } else {
                2.0 * (a - 1.0 + libm::exp(-a)) / (a * a)
            };
            let begun = libm::exp(-self.games * AVERAGE_FROM / lambda);
            let bias = begun * -libm::expm1(-a) / a.max(1e-300);
            self.start_loss * part * bias * bias + noise * kept
        });
        n * per_parameter.sum::<f64>() / f64::from(QUANTILES)
    }

    /// Returns the rate with the smallest remaining loss, and that loss; searches rates from 0.0002
    /// to 0.02.
    pub fn best_rate(&self) -> (f64, f64) {
        (0..=80)
            .map(|i| 2e-4 * libm::pow(100.0, f64::from(i) / 80.0))
            .map(|rate| (rate, self.regret(rate)))
            .fold((2e-4, f64::INFINITY), |best, now| {
                if now.1 < best.1 { now } else { best }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Forecast {
        /// Remaining loss of the regression in Elo if it knew every curvature: the posterior of the
        /// prior's loss and of the bound, parameter by parameter. Simulated runs leave 1 to 2.3
        /// times as much.
        pub(in crate::tune) fn posterior(&self) -> f64 {
            let n = self.dimensions as f64;
            let square = self.variance * ELO_PER_LEAD * ELO_PER_LEAD;
            let information = 16.0 * self.games * self.handicap / (n * square);
            let left = |part: f64| {
                let prior = (self.start_loss * part).max(f64::MIN_POSITIVE);
                1.0 / (1.0 / prior + information)
            };
            n * self.parts().map(left).sum::<f64>() / f64::from(QUANTILES)
        }

        /// Lower bound of the remaining loss of unbiased estimates on average:
        /// `n²·v·347.4²/(16·handicap·games)` Elo, for equal `hᵢcᵢ²` (the Fisher information of the
        /// games); at most the loss at the start.
        pub(in crate::tune) fn bound(&self) -> f64 {
            let n = self.dimensions as f64;
            let square = n * n * self.variance * ELO_PER_LEAD * ELO_PER_LEAD;
            (square / (16.0 * self.handicap * self.games)).min(self.start_loss)
        }
    }

    #[test]
    fn the_floor_is_van_den_berghs() {
        // After a run long enough to forget the start, a window too short to average would leave
        // 347.4·30·0.57/8·0.002 = 1.485.
        let forecast = Forecast {
            variance: 0.57,
            ..Forecast::usual(30, 1e9)
        };
        assert!(forecast.regret(0.002) < 0.01);
        let short = Forecast {
            start_loss: 0.0,
            games: 10.0,
            ..forecast
        };
        assert!((short.regret(0.002) - 1.485).abs() < 0.01);
    }

    #[test]
    fn the_bound_is_fishers() {
        // 30²·0.57·347.4356²/(16·100·20,000) = 1.935.
        let forecast = Forecast {
            variance: 0.57,
            ..Forecast::usual(30, 20_000.0)
        };
        assert!((forecast.bound() - 1.935).abs() < 1e-3);
        assert!(forecast.best_rate().1 > forecast.bound());
        // The prior helps little here, and nearly halves the loss with 300 parameters.
        assert!((0.9..1.0).contains(&(forecast.posterior() / forecast.bound())));
        let many = Forecast::usual(300, 20_000.0);
        assert!((50.0..70.0).contains(&many.posterior()));
    }

    #[test]
    fn longer_runs_take_smaller_rates_and_leave_less() {
        let mut before = (1.0, f64::INFINITY);
        for games in [1e3, 1e4, 1e5, 1e6, 1e7] {
            let now = Forecast::usual(30, games).best_rate();
            assert!(now.0 <= before.0 && now.1 < before.1, "{games}: {now:?}");
            before = now;
        }
    }

    #[test]
    fn total() {
        for games in [0.0, 1.0, 1e300] {
            for n in [1, 1_000_000] {
                let forecast = Forecast::usual(n, games);
                assert!(forecast.best_rate().1.is_finite(), "{forecast:?}");
                assert!(forecast.bound().is_finite(), "{forecast:?}");
                assert!(forecast.posterior().is_finite(), "{forecast:?}");
            }
        }
    }
}
