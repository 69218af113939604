//! The standard normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

use super::bisection::bisect;

/// The 97.5 % point of the normal distribution: half-width, in standard errors, of a two-sided 95 %
/// interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Φ(x), the probability that a standard normal variable is below `x`.
///
/// Total: ±∞ give 1 and 0, NaN gives ½ ("nothing known"). Absolute error below 4e-16; relative
/// error of the lower tail below 1e-12 down to 1e-300, where that of `statrs::Normal::cdf` is
/// 9e-11.
pub fn cdf(x: f64) -> f64 {
    if x.is_nan() {
        0.5
    } else {
        0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
    }
}

/// The x with Φ(x) = `p`, for 0 < p < 1; otherwise the nearest of -40 and 40, and 0 for NaN.
/// Absolute error below 1e-12 between 1e-300 and 1 - 1e-10.
///
/// Bisection: meant for planning and tables, not for hot loops.
pub fn quantile(p: f64) -> f64 {
    if p.is_nan() {
        return 0.0;
    }
    if p > 0.5 {
        // Only the lower tail keeps its digits.
        return -quantile(1.0 - p);
    }
    let [low, high] = bisect([-40.0, 0.0], 70, |x| cdf(x) < p);
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // mpmath 1.3 ncdf, 40 digits.
        for (x, phi) in [
            (0.0, 0.5),
            (Z95, 0.975),
            (1.0, 0.841_344_746_068_542_9),
            (-1.0, 0.158_655_253_931_457_05),
            (-2.9, 0.001_865_813_300_384_038),
            (-3.0, 0.001_349_898_031_630_094_5),
            (-5.0, 2.866_515_718_791_939e-7),
            (-10.0, 7.619_853_024_160_526e-24),
            (-37.0, 5.725_571_222_524_577e-300),
        ] {
            let got = cdf(x);
            assert!((got - phi).abs() <= 1e-12 * phi, "Φ({x}) = {got:e}");
            assert!((cdf(-x) - (1.0 - phi)).abs() < 4e-16);
        }
    }

    #[test]
    fn quantiles() {
        // mpmath 1.3, roots of ncdf.
        for (p, x) in [
            (0.5, 0.0),
            (0.975, Z95),
            (0.95, 1.644_853_626_951_472_7),
            (0.001, -3.090_232_306_167_813_5),
            (1e-20, -9.262_340_089_798_408),
        ] {
            assert!((quantile(p) - x).abs() < 1e-12, "{p}: {}", quantile(p));
        }
        assert!((quantile(0.0) + 40.0).abs() < 1e-9 && (quantile(2.0) - 40.0).abs() < 1e-9);
        assert!(quantile(f64::NAN).abs() < 1e-300);
    }

    #[test]
    fn total_and_never_falling() {
        assert!(cdf(f64::NAN).is_finite());
        assert!(cdf(f64::NEG_INFINITY).abs() < 1e-300);
        assert!((cdf(f64::INFINITY) - 1.0).abs() < 1e-300);
        let mut before = 0.0;
        for step in -45_000..=45_000 {
            let now = cdf(f64::from(step) / 1000.0);
            assert!(now >= before);
            before = now;
        }
    }
}
