//! The slope of one coordinate as a straight line, and where it can be zero.
//!
//! Of a batch about the centre m with the half-difference d, `y/d` measures the
//! slope of the strength at m, per step: `g(m) = a - bm`. At the best value the slope
//! is zero and falls, `b ≥ 0`. What the games do not contradict are the x for which
//! a line of that kind through `g(x) = 0` is likely enough:
//!
//! ```text
//! D(x) = min Q(a, b | a = bx, b ≥ 0) - min Q(a, b | b ≥ 0) ≤ c²
//! ```
//!
//! Q is the squared distance from the least-squares line in its own covariance, c the
//! 97.5 % point of Student's law. Without the condition on b this is Fieller's set (J.
//! Roy. Statist. Soc. B 16, 1954) for the ratio a/b; with it, the likelihood-ratio set
//! of a cone (Silvapulle and Sen, Constrained Statistical Inference, 2005, chapter 3),
//! an interval that has no end on a side where the games set none. No prior: a
//! coordinate without effect has the slope 0 everywhere, and every x is likely.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::stats::normal::Z95;

/// The 95 % point of `½χ²₁ + ½χ²₂`.
const HALF_PLANE: f64 = 5.138;

/// What batches say of a coordinate whose centres were shifted by a drawn sign.
///
/// Centres follow what the games seemed to say, noise included: a least-squares line
/// through slopes at such centres falls even where there is no effect (as regressions
/// on their own past do: Dickey and Fuller, JASA 74, 1979). The sign s of the shift is
/// independent of all that was before, an instrument: at the true line the sums of
/// `d(y - dg(m))` and of `sd(y - dg(m))` are martingales with known variances, normal
/// however the centres were chosen. The line is the one for which both are 0. Sums of
/// w = Nd²:
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shifts {
    /// Σ w, Σ ws.
    w: f64,
    ws: f64,
    /// Σ wm, Σ wms.
    m: f64,
    ms: f64,
    /// Σ Ndy, Σ Ndys.
    y: f64,
    ys: f64,
    /// Σ wm², Σ Ndym.
    mm: f64,
    ym: f64,
}

impl Shifts {
    /// One more batch: N games about the centre m, with the signed half-difference d
    /// and the sign s of the shift, that scored y.
    pub(super) fn add(&mut self, games: f64, (m, d): (f64, f64), sign: f64, score: f64) {
        let weight = games * d * d;
        let points = games * d * score;
        self.w += weight;
        self.ws += weight * sign;
        self.m += weight * m;
        self.ms += weight * m * sign;
        self.y += points;
        self.ys += points * sign;
        self.mm += weight * m * m;
        self.ym += points * m;
    }
}

/// The line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Slope of the strength at the start, wins less losses per game and step.
    level: f64,
    /// Its change per step: -b.
    change: f64,
    /// Covariance of both: level, level with change, change.
    covariance: [f64; 3],
}

impl Line {
    /// From what was seen in so many batches, with `squares` = Σ Ny²; `None` where the
    /// shifts have told nothing apart. Of the squares, what the line explains is no noise.
    pub(super) fn fit(shifts: &Shifts, squares: f64, batches: f64) -> Option<Self> {
        let Shifts {
            w,
            ws,
            m,
            ms,
            y,
            ys,
            mm,
            ym,
        } = *shifts;
        let determinant = ws * m - w * ms;
        // Rounding leaves as much where all centres are one.
        if determinant.abs() <= 1e-12 * w * (w + m.abs()) || !determinant.is_finite() {
            return None;
        }
        // (y, ys) = (level·w + change·m, level·ws + change·ms).
        let level = (m * ys - ms * y) / determinant;
        let change = (ws * y - w * ys) / determinant;
        let (p, q) = ((-ms, m), (ws, -w));
        let explained = 2.0 * (level * y + change * ym)
            - (level * level * w + 2.0 * level * change * m + change * change * mm);
        let residual = squares - explained.clamp(0.0, 0.5 * squares);
        let scale = residual / (batches - 2.0).max(1.0) / (determinant * determinant);
        let moment = |p: (f64, f64), q: (f64, f64)| {
            scale * (w * (p.0 * q.0 + p.1 * q.1) + ws * (p.0 * q.1 + p.1 * q.0))
        };
        Some(Self {
            level,
            change,
            covariance: [moment(p, p), moment(p, q), moment(q, q)],
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
        let free = if self.change > 0.0 {
            self.change * self.change / cc
        } else {
            0.0
        };
        // The lines through g(x) = 0 that fall: b(x, -1).
        let ray = (x, -1.0);
        let along = self.inner(ray, found).max(0.0);
        let all = self.inner(found, found);
        (all - along * along / self.inner(ray, ray)) / determinant - free
    }

    /// Whether the games contradict, at 95 %, that there is no effect: a slope that is 0
    /// everywhere.
    ///
    /// The likelihood ratio against all lines that fall is `½χ²₁ + ½χ²₂` distributed.
    /// Where it does not exceed its 95 % point nothing is known of the best value, and
    /// every x is allowed: centres that have followed noise away from a start, on a slope
    /// of 0, would have the set of [`Line::interval`] leave it out in 10 % and not in 5.
    pub(super) fn is_effect(&self, point: f64) -> bool {
        let [ll, lc, cc] = self.covariance;
        let found = (self.level, self.change);
        let all = self.inner(found, found) / (ll * cc - lc * lc);
        let outside = self.change.max(0.0);
        all - outside * outside / cc > HALF_PLANE * (point / Z95).powi(2)
    }

    /// Lowest and highest x between the bounds that the games do not contradict.
    pub(super) fn interval(&self, (low, high): (f64, f64), point: f64) -> (f64, f64) {
        // The x that is likeliest; the farther from it, the less likely.
        let [_, lc, cc] = self.covariance;
        let best = if self.change < 0.0 {
            (-self.level / self.change).clamp(low, high)
        } else if self.level > self.change * lc / cc {
            high
        } else {
            low
        };
        let most = self.distance(best).max(0.0) + point * point;
        let allows = |x: f64| self.distance(x) <= most;
        let edge = |bound: f64| {
            if allows(bound) {
                return bound;
            }
            let (mut inside, mut outside) = (best, bound);
            for _ in 0..50 {
                let middle = f64::midpoint(inside, outside);
                if allows(middle) {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            f64::midpoint(inside, outside)
        };
        (edge(low), edge(high))
    }

    /// The steepest slope at x that the games do not contradict, in size.
    pub(super) fn steepest(&self, x: f64, point: f64) -> f64 {
        let [ll, lc, cc] = self.covariance;
        let error = (ll + 2.0 * x * lc + x * x * cc).max(0.0).sqrt();
        (self.level + x * self.change).abs() + point * error
    }
}

/// The 97.5 % point of Student's law; infinite without a degree of freedom.
pub(super) fn point(freedom: f64) -> f64 {
    if freedom < 1.0 {
        return f64::INFINITY;
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(Z95, |law| law.inverse_cdf(0.975))
}
