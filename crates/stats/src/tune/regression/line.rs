//! The slope of one coordinate as a straight line, and the points where it can be zero.
//!
//! The [`Slopes`] of both sides give a line `g(m) = a - bm` with a covariance: the slope of the
//! strength at m, per step. At the best value the slope is zero and falls, `b ≥ 0`. The games do
//! not contradict a point x if a line of that kind through `g(x) = 0` is likely enough:
//!
//! ```text
//! D(x) = min Q(a, b | a = bx, b ≥ 0) - min Q(a, b | b ≥ 0) ≤ c²
//! ```
//!
//! Q is the squared distance from the least-squares line in its own covariance, c the 97.5 % point
//! of Student's distribution. Without the condition on b this is Fieller's set (J. Roy. Statist.
//! Soc. B 16, 1954) for the ratio a/b; with it, the likelihood-ratio set of a cone (Silvapulle and
//! Sen, Constrained Statistical Inference, 2005, chapter 3), an interval without an end on a side
//! where the games do not determine one. There is no prior: a coordinate without effect has the
//! slope 0 everywhere, and every x is likely.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::slopes::Slopes;
use crate::bisection::bisect;
use crate::normal::Z95;

/// The 95 % point of `½χ²₁ + ½χ²₂`.
const HALF_PLANE: f64 = 5.138;

/// A fitted line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Slope of the strength at the start, wins minus losses per game and step.
    level: f64,
    /// Change of the slope per step: -b.
    change: f64,
    /// Covariance of level and change: level, level with change, change.
    covariance: [f64; 3],
}

impl Line {
    /// Fits the line for which the sums of both sides are 0, with the variance of a game; `None` if
    /// the shifts do not determine it.
    pub(super) fn fit(slopes: &Slopes, variance: f64) -> Option<Self> {
        let [below, above] = slopes.0;
        let determinant = below.w * above.m - above.w * below.m;
        // If all centres are equal, rounding leaves a remainder of this size.
        let size = below.w * above.m.abs() + above.w * below.m.abs() + below.w * above.w;
        if determinant.abs() <= 1e-12 * size || !determinant.is_finite() {
            return None;
        }
        // (y below, y above) = level·(w, w) + change·(m, m).
        let (level, change) = (
            (above.m / determinant, -below.m / determinant),
            (-above.w / determinant, below.w / determinant),
        );
        let both = |p: (f64, f64), (below, above): (f64, f64)| p.0 * below + p.1 * above;
        let scores = (below.y, above.y);
        let moment = |p: (f64, f64), q: (f64, f64)| {
            variance * both((p.0 * q.0, p.1 * q.1), (below.variance, above.variance))
        };
        Some(Self {
            level: both(level, scores),
            change: both(change, scores),
            covariance: [
                moment(level, level),
                moment(level, change),
                moment(change, change),
            ],
        })
    }

    /// `p'V⁻¹q` times the determinant of V.
    fn inner(&self, p: (f64, f64), q: (f64, f64)) -> f64 {
        let [ll, lc, cc] = self.covariance;
        cc * p.0 * q.0 - lc * (p.0 * q.1 + p.1 * q.0) + ll * p.1 * q.1
    }

    /// D(x).
    pub(super) fn distance(&self, x: f64) -> f64 {
        let [ll, lc, cc] = self.covariance;
        let determinant = ll * cc - lc * lc;
        let found = (self.level, self.change);
        let rising = self.change.max(0.0);
        let free = rising * rising / cc;
        // The falling lines through g(x) = 0: b(x, -1).
        let ray = (x, -1.0);
        let along = self.inner(ray, found).max(0.0);
        let all = self.inner(found, found);
        (all - along * along / self.inner(ray, ray)) / determinant - free
    }

    /// Returns whether the games contradict, at 95 %, the absence of an effect: a slope of 0
    /// everywhere.
    ///
    /// The likelihood ratio against all falling lines is `½χ²₁ + ½χ²₂` distributed. If it does not
    /// exceed its 95 % point, the best value is unknown and every x is allowed. Without this check,
    /// [`Line::interval`] would exclude a start in 10 % of cases instead of 5 if the slope is 0 and
    /// the centres followed noise away from it.
    pub(super) fn is_effect(&self, point: f64) -> bool {
        let [ll, lc, cc] = self.covariance;
        let found = (self.level, self.change);
        let all = self.inner(found, found) / (ll * cc - lc * lc);
        let outside = self.change.max(0.0);
        all - outside * outside / cc > HALF_PLANE * (point / Z95).powi(2)
    }

    /// Returns the likeliest x between the bounds; likelihood falls with the distance from it.
    pub(super) fn best(&self, (low, high): (f64, f64)) -> f64 {
        let [_, lc, cc] = self.covariance;
        if self.change < 0.0 {
            (-self.level / self.change).clamp(low, high)
        } else if self.level > self.change * lc / cc {
            high
        } else {
            low
        }
    }

    /// Returns the lowest and highest x between the bounds that the games do not contradict.
    pub(super) fn interval(&self, (low, high): (f64, f64), point: f64) -> (f64, f64) {
        let best = self.best((low, high));
        let most = self.distance(best).max(0.0) + point * point;
        let allows = |x: f64| self.distance(x) <= most;
        let edge = |bound: f64| {
            if allows(bound) {
                return bound;
            }
            let [inside, outside] = bisect([best, bound], 50, allows);
            f64::midpoint(inside, outside)
        };
        (edge(low), edge(high))
    }

    /// Returns the size of the steepest slope at x that the games do not contradict.
    pub(super) fn steepest(&self, x: f64, point: f64) -> f64 {
        let [ll, lc, cc] = self.covariance;
        let error = (ll + 2.0 * x * lc + x * x * cc).max(0.0).sqrt();
        (self.level + x * self.change).abs() + point * error
    }
}

/// The 97.5 % point of Student's distribution; infinite below one degree of freedom.
pub(super) fn point(freedom: f64) -> f64 {
    if freedom < 1.0 {
        return f64::INFINITY;
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(Z95, |law| law.inverse_cdf(0.975))
}
