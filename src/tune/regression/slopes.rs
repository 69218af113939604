//! What batches say about one coordinate.

/// Sufficient statistics of one coordinate.
///
/// A batch of N games about the centre m with the signed half-difference d is
/// expected to score, per game and as wins less losses, y = dβ(x - m): the
/// slope of a parabola with its top at x. Sums of w = N (times a weight):
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slopes {
    /// Σ w d², Σ w d² m, Σ w d² m².
    dd: f64,
    ddm: f64,
    ddmm: f64,
    /// Σ w d y, Σ w d y m.
    dy: f64,
    dym: f64,
}

/// What a given curvature makes of a coordinate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conditional {
    /// Logarithm of the marginal likelihood, up to a constant of the data.
    pub(super) evidence: f64,
    /// Posterior mean of the optimum, in steps.
    pub(super) mean: f64,
    /// Posterior variance of the optimum.
    pub(super) variance: f64,
}

impl Slopes {
    /// One more batch.
    pub(super) fn add(&mut self, weight: f64, center: f64, difference: f64, score: f64) {
        let dd = weight * difference * difference;
        self.dd += dd;
        self.ddm += dd * center;
        self.ddmm += dd * center * center;
        let dy = weight * difference * score;
        self.dy += dy;
        self.dym += dy * center;
    }

    /// Adds other batches, weighted.
    pub(super) fn merge(&mut self, other: &Self, weight: f64) {
        self.dd += weight * other.dd;
        self.ddm += weight * other.ddm;
        self.ddmm += weight * other.ddmm;
        self.dy += weight * other.dy;
        self.dym += weight * other.dym;
    }

    /// With curvature β, the prior x ~ N(0, `spread`²) and `precision`, the
    /// reciprocal of one game's variance:
    ///
    /// ```text
    /// ln L(x) = [β(x·Σdy - Σdym) - ½β²(x²·Σdd - 2x·Σddm + Σddmm)] · precision
    /// ```
    pub(super) fn given(&self, beta: f64, spread: f64, precision: f64) -> Conditional {
        let square = beta * beta;
        let information = square * self.dd * precision;
        let pull = (beta * self.dy + square * self.ddm) * precision;
        let rest = (beta * self.dym + 0.5 * square * self.ddmm) * precision;
        let total = information + 1.0 / (spread * spread);
        Conditional {
            evidence: 0.5 * pull * pull / total
                - 0.5 * (spread * spread * information).ln_1p()
                - rest,
            mean: pull / total,
            variance: 1.0 / total,
        }
    }
}
