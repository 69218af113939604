//! The error of an estimate from any number of clusters.
//!
//! The estimate is a sum over clusters plus a constant. The contributions ψ of the clusters have
//! the sum 0. With few clusters the sandwich Σ ψ² (Liang and Zeger, Biometrika 73, 1986) is too
//! small, and the normal distribution too narrow: at 20 openings its 95 % intervals cover 93 % if
//! all openings have equal weight, and less if players differ in few of them. This module uses:
//!
//! ```text
//! V = Σ ψ²/(1-h)  +  2·v/G · 1/(1+k)²          variance
//! ν = 2 S² / (Q - S²/(G+1)),  1 ≤ ν ≤ G - 1    degrees of freedom
//! ```
//!
//! - h is the cluster's share in the information on the estimate: CR2 of Bell and `McCaffrey`
//!   (Survey Methodology 28, 2002) for one number, exact if games are independent; with G equal
//!   clusters the factor is G/(G-1).
//! - G = 1/Σ h² is the effective number of clusters of the estimate.
//! - S and Q are the sums of squares and fourth powers in V. ν is Satterthwaite's (Biometrics 2,
//!   1946) with the variance of S as observed in the ψ themselves: near G if they are normal, and
//!   small if a few clusters dominate, as between players that play alike in most openings.
//! - k = S²/Q is the effective number of clusters that cause the scatter. If it is small, more such
//!   clusters may exist unobserved, so one cluster is added in which each pair was won or lost as a
//!   whole; v is the variance of the estimate if games were coin tosses. The addition vanishes with
//!   1/k².
//!
//! Limits are `± t(ν)·√V`. [`ErrorSums::claimed`] returns the variance with which the customary `±
//! 1.96` errors give the same limits.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::normal::Z95;

/// Largest share of one cluster that is fully corrected: with two equal clusters it is ½.
const MAX_SHARE: f64 = 0.5;

/// Variance of a pair that is won or lost as a whole, divided by that of two coin tosses.
const TOGETHER: f64 = 2.0;

/// Scatter below this share of the variance of coin tosses is a rounding error: one odd cluster of a billion has more.
const ROUNDING: f64 = 1e-13;

/// Assumption about unobserved kinds of clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unseen {
    /// Assumed: a rare opening can decide its games.
    Expected,
    /// Not assumed: each worker differs slightly from the others.
    None,
}

/// Sums over the clusters for one estimate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ErrorSums {
    squares: f64,
    fourths: f64,
    shares: f64,
}

impl ErrorSums {
    /// Adds `copies` clusters that each contribute `part` to the estimate and have the share
    /// `share`, 0..=1, in the information on it.
    pub(super) fn add(&mut self, part: f64, share: f64, copies: f64) {
        let square = part * part / (1.0 - share.min(MAX_SHARE));
        self.squares += copies * square;
        self.fourths += copies * square * square;
        self.shares += copies * share * share;
    }

    /// The effective number of clusters of the estimate, 1 or more.
    fn clusters(&self) -> f64 {
        (1.0 / self.shares).max(1.0)
    }

    /// V; `by_model` is the variance if all games were coin tosses.
    pub(super) fn variance(&self, by_model: f64) -> f64 {
        self.squares + self.unseen(by_model)
    }

    /// Returns the contribution of the assumed unobserved cluster.
    fn unseen(&self, by_model: f64) -> f64 {
        // Contributions that are rounding errors are no scatter.
        let seen = if self.squares > ROUNDING * by_model {
            self.squares * self.squares / self.fourths
        } else {
            0.0
        };
        TOGETHER * by_model / self.clusters() / (1.0 + seen).powi(2)
    }

    /// Returns the variance whose square root times 1.96 is the half-width of the 95 % interval: V
    /// with Student's factor.
    pub(super) fn claimed(&self, by_model: f64) -> f64 {
        let unseen = self.unseen(by_model);
        let variance = self.squares + unseen;
        let square = variance * variance;
        let scatter = self.fourths + unseen * unseen - square / (self.clusters() + 1.0);
        let freedom = if scatter > 0.0 {
            2.0 * square / scatter
        } else {
            f64::INFINITY
        };
        let most = (self.clusters() - 1.0).max(1.0);
        let factor = student_point(freedom.clamp(1.0, most)) / Z95;
        variance * factor * factor
    }
}

/// The error of a mean of clusters with random offsets of equal variance, such as workers:
///
/// ```text
/// V = S₂/(1-S₂) · (T - (G-1)·w) + w,  T/(G-1) at least      variance
/// ν = (1-S₂)² / (S₂ - 2·S₃ + S₂²)                            degrees of freedom
/// ```
///
/// S₂ and S₃ are the sums of squares and cubes of the shares h of the pairs, T = Σ h(x̄-μ)² and w
/// the variance of the mean from the scatter of pairs within clusters. With offsets of variance τ²
/// the mean has variance τ²·S₂ + w, and T has the expectation τ²(1-S₂) + (G-1)·w: τ² is that of
/// `DerSimonian` and Laird (Controlled Clinical Trials 7, 1986). ν is Satterthwaite's (Biometrics
/// 2, 1946) of T for normal offsets. With G equal clusters V is T/(G-1), the usual variance, and ν
/// is G - 1. That V is also the minimum, because the difference may be small by chance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offsets {
    number: f64,
    squares: f64,
    freedom: f64,
}

impl Offsets {
    /// Creates offsets from the shares of clusters, whose sum is 1.
    pub(super) fn of(shares: &[f64]) -> Self {
        let sum = |power: i32| shares.iter().map(|share| share.powi(power)).sum::<f64>();
        let [squares, cubes] = [2, 3].map(sum);
        let scatter = squares - 2.0 * cubes + squares * squares;
        Self {
            number: shares.len() as f64,
            squares,
            freedom: ((1.0 - squares).powi(2) / scatter).max(1.0),
        }
    }

    /// The effective number of clusters of the mean: 1/S₂.
    pub(super) fn clusters(&self) -> f64 {
        1.0 / self.squares
    }

    /// Returns V, and the variance whose square root times 1.96 is the half-width of the 95 %
    /// interval, from T and w.
    pub(super) fn variance(&self, between: f64, within: f64) -> [f64; 2] {
        let (even, factor) = (
            1.0 / (self.number - 1.0),
            self.squares / (1.0 - self.squares),
        );
        let beyond = between - within / even;
        let variance = (between * even).max(factor * beyond + within);
        let student = student_point(self.freedom) / Z95;
        [variance, variance * student * student]
    }
}

/// The 97.5 % point of Student's distribution with `freedom` degrees of freedom, 1 or more;
/// relative error below 1e-4.
///
/// Source: Hill, algorithm 396, Communications of the ACM 13, 1970; below 2.5, where it is less
/// accurate, `statrs`.
pub(super) fn student_point(freedom: f64) -> f64 {
    const TAILS: f64 = 0.05;
    if !freedom.is_finite() || freedom > 1e7 {
        return Z95;
    }
    if freedom < 2.5 {
        let student = StudentsT::new(0.0, 1.0, freedom.max(1.0));
        return student.map_or(Z95, |student| student.inverse_cdf(1.0 - TAILS / 2.0));
    }
    let step = 1.0 / (freedom - 0.5);
    let scale = 48.0 / (step * step);
    let mut bend = ((20_700.0 * step / scale - 98.0) * step - 16.0) * step + 96.36;
    let width = ((94.5 / (scale + bend) - 3.0) / scale + 1.0)
        * (step * std::f64::consts::FRAC_PI_2).sqrt()
        * freedom;
    let mut square = libm::pow(width * TAILS, 2.0 / freedom);
    if square > 0.05 + step {
        let normal = -Z95;
        square = normal * normal;
        if freedom < 5.0 {
            bend += 0.3 * (freedom - 4.5) * (normal + 0.6);
        }
        bend += (((0.05 * width * normal - 5.0) * normal - 7.0) * normal - 2.0) * normal + scale;
        square = (((((0.4 * square + 6.3) * square + 36.0) * square + 94.5) / bend - square - 3.0)
            / scale
            + 1.0)
            * normal;
        square = libm::expm1(step * square * square);
    } else {
        square = ((1.0
            / (((freedom + 6.0) / (freedom * square) - 0.089 * width - 0.822)
                * (freedom + 2.0)
                * 3.0)
            + 0.5 / (freedom + 4.0))
            * square
            - 1.0)
            * (freedom + 1.0)
            / (freedom + 2.0)
            + 1.0 / square;
    }
    (freedom * square).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.16, `scipy.stats.t.ppf(0.975, n)`.
    #[test]
    fn points_of_student() {
        for (freedom, point) in [
            (1.0, 12.706_204_736_174_694),
            (1.5, 6.016_663_104_427_929),
            (2.0, 4.302_652_729_749_462),
            (2.5, 3.574_654_842_003_677_4),
            (4.0, 2.776_445_105_197_793_4),
            (19.0, 2.093_024_054_408_308_7),
            (200.0, 1.971_896_223_633_908_6),
            (1e5, 1.959_987_707_534_609_5),
            (f64::INFINITY, Z95),
        ] {
            let got = student_point(freedom);
            assert!((got / point - 1.0).abs() < 2e-5, "{freedom}: {got} {point}");
        }
    }

    #[test]
    fn rounding_errors_are_no_scatter() {
        let constant = of(&[0.0; 40]).variance(1.0);
        let rounded = of(&[1e-17, -1e-17].repeat(20)).variance(1.0);
        assert!(
            (rounded / constant - 1.0).abs() < 1e-12,
            "{rounded} {constant}"
        );
    }

    fn of(parts: &[f64]) -> ErrorSums {
        let mut sums = ErrorSums::default();
        for &part in parts {
            sums.add(part, 1.0 / parts.len() as f64, 1.0);
        }
        sums
    }

    #[test]
    fn equal_clusters_give_students_interval() {
        // Contributions like a normal sample: at most G - 1 degrees of freedom.
        let parts: Vec<f64> = (0..20).map(|i| f64::from(i) - 9.5).collect();
        let sums = of(&parts);
        let squares: f64 = parts.iter().map(|x| x * x).sum();
        assert!((sums.variance(0.0) - squares * 20.0 / 19.0).abs() < 1e-9);
        let factor = (student_point(19.0) / Z95).powi(2);
        assert!((sums.claimed(0.0) / (sums.variance(0.0) * factor) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn offsets_of_equal_clusters_are_the_usual_sample() {
        for number in [2_u32, 3, 20] {
            let offsets = Offsets::of(&vec![1.0 / f64::from(number); number as usize]);
            let freedom = f64::from(number - 1);
            for within in [0.0, 0.5, 7.0] {
                let [variance, claimed] = offsets.variance(3.0 * freedom, within);
                assert!((variance - 3.0).abs() < 1e-9);
                let factor = (student_point(freedom) / Z95).powi(2);
                assert!((claimed / variance / factor - 1.0).abs() < 1e-9);
            }
            assert!((offsets.clusters() - f64::from(number)).abs() < 1e-9);
        }
    }

    /// Against the quadratic form of T: with offsets u it is u'Cu, C = diag(h) - hh'.
    #[test]
    fn offsets_of_uneven_clusters() {
        let shares = [0.7, 0.2, 0.06, 0.04];
        let entry = |g: usize, k: usize| {
            let own = if g == k { shares[g] } else { 0.0 };
            own - shares[g] * shares[k]
        };
        let trace: f64 = (0..4).map(|g| entry(g, g)).sum();
        let all: f64 = (0..16).map(|at| entry(at / 4, at % 4).powi(2)).sum();
        let squares: f64 = shares.iter().map(|h| h * h).sum();
        let offsets = Offsets::of(&shares);
        assert!((offsets.freedom - trace * trace / all).abs() < 1e-9);
        // The expectation of T with offsets of variance 2 and no scatter within gives 2·S₂.
        let [variance, _] = offsets.variance(2.0 * trace, 0.0);
        assert!((variance - 2.0 * squares).abs() < 1e-12);
    }

    #[test]
    fn few_clusters_that_differ_leave_room() {
        // One of twenty clusters dominates: about two degrees of freedom, not nineteen.
        let mut parts = [-0.05; 20];
        parts[0] = 0.95;
        let few = of(&parts);
        let ratio = (few.claimed(0.0) / few.variance(0.0)).sqrt() * Z95;
        assert!((3.5..4.5).contains(&ratio), "{ratio}");
        // No observed differences: only the unobserved cluster remains.
        let none = of(&[0.0; 20]);
        let half = Z95 * none.claimed(20.0).sqrt();
        assert!(
            (half / (student_point(2.1) * 2_f64.sqrt()) - 1.0).abs() < 0.02,
            "{half}"
        );
        // The error of a single cluster is finite.
        let one = of(&[0.0]);
        assert!(one.claimed(1.0).is_finite() && one.claimed(1.0) > 1.0);
        assert!(ErrorSums::default().claimed(1.0).is_finite());
    }
}
