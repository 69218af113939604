//! The evidence of batches on one coordinate.
//!
//! A batch of N games around the centre m with the signed half-difference d scores, per game and as
//! wins minus losses, `y = d·g(m)` in expectation, with g the slope of the strength. The model is a
//! line that falls to 0 at the best value x: `g(m) = β(x - m)`.
//!
//! *Estimates.* A likelihood does not depend on whether the centres were chosen before or after
//! seeing results (the likelihood principle: Berger and Wolpert 1988): [`Slopes::given`], from all
//! batches.
//!
//! *Error rates.* Centres follow the results, noise included: a least-squares line through slopes
//! at such centres falls even without an effect (as regressions on their own past do: Dickey and
//! Fuller, JASA 74, 1979). So every centre is shifted to a random side s, independent of all
//! earlier results: an instrument (Wald, Ann. Math. Statist. 11, 1940). For either side the sum of
//! `Nd(y - d·g(m))` is a martingale with a known variance, normal for any choice of the centres.
//! Two sums determine two unknowns: those of the [`super::line::Line`].

/// Batches whose centres were shifted to one side, with weights k: sums of `kNd²`, `kNd²m`,
/// `kNd²m²`, `kNdy`, `kNdym`, and `k²Nd²`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Side {
    pub(super) w: f64,
    pub(super) m: f64,
    pub(super) mm: f64,
    pub(super) y: f64,
    pub(super) ym: f64,
    pub(super) variance: f64,
}

/// Both sides: first the centres shifted below, then those shifted above.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Slopes(pub(super) [Side; 2]);

/// One batch in one coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) games: f64,
    /// The weight k.
    pub(super) weight: f64,
    /// Centre, in steps from the start.
    pub(super) center: f64,
    /// Signed half-difference, in steps.
    pub(super) difference: f64,
    /// True if the centre was shifted upwards.
    pub(super) is_above: bool,
    /// Wins minus losses per game.
    pub(super) score: f64,
}

/// The posterior of a coordinate for a given curvature.
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
    /// Adds a batch.
    pub(super) fn add(&mut self, batch: &Batch) {
        let side = &mut self.0[usize::from(batch.is_above)];
        let once = batch.games * batch.difference * batch.difference;
        let w = batch.weight * once;
        let y = batch.weight * batch.games * batch.difference * batch.score;
        side.w += w;
        side.m += w * batch.center;
        side.mm += w * batch.center * batch.center;
        side.y += y;
        side.ym += y * batch.center;
        side.variance += batch.weight * w;
    }

    /// Adds other batches, multiplied by a weight.
    pub(super) fn merge(&mut self, other: &Self, weight: f64) {
        for (side, other) in self.0.iter_mut().zip(&other.0) {
            side.merge(other, weight);
        }
    }

    /// Returns the sum of both sides.
    pub(super) fn pooled(&self) -> Side {
        let [mut pooled, above] = self.0;
        pooled.merge(&above, 1.0);
        pooled
    }

    /// Returns the same evidence with places measured from `origin`.
    pub(super) fn relative_to(&self, origin: f64) -> Self {
        Self(self.0.map(|side| Side {
            m: side.m - origin * side.w,
            mm: side.mm - 2.0 * origin * side.m + origin * origin * side.w,
            ym: side.ym - origin * side.y,
            ..side
        }))
    }

    /// Computes the posterior with curvature β, the prior x ~ N(0, `spread`²) and `precision`, the
    /// reciprocal of one game's variance:
    ///
    /// ```text
    /// ln L(x) = [β(x·Σdy - Σdym) - ½β²(x²·Σdd - 2x·Σddm + Σddmm)] · precision
    /// ```
    ///
    /// Weighted batches count as the number of batches with the same variance of the mean:
    /// `(Σk)²/Σk²` (Kish, Survey Sampling, 1965).
    pub(super) fn given(&self, beta: f64, spread: f64, precision: f64) -> Conditional {
        let all = self.pooled();
        let precision = if all.variance > 0.0 {
            precision * all.w / all.variance
        } else {
            0.0
        };
        let square = beta * beta;
        let information = square * all.w * precision;
        let pull = (beta * all.y + square * all.m) * precision;
        let rest = (beta * all.ym + 0.5 * square * all.mm) * precision;
        let total = information + 1.0 / (spread * spread);
        Conditional {
            evidence: 0.5 * pull * pull / total
                - 0.5 * libm::log1p(spread * spread * information)
                - rest,
            mean: pull / total,
            variance: 1.0 / total,
        }
    }
}

impl Side {
    pub(super) fn merge(&mut self, other: &Self, weight: f64) {
        self.w += weight * other.w;
        self.m += weight * other.m;
        self.mm += weight * other.mm;
        self.y += weight * other.y;
        self.ym += weight * other.ym;
        self.variance += weight * weight * other.variance;
    }
}
