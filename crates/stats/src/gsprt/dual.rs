//! The nearest law under one linear constraint, by its dual problem.

/// A law nearest to the counts `c` among those with `Σ pᵢxᵢ = 0`.
///
/// `pᵢ = cᵢ / (N wᵢ)` with `wᵢ = 1 + θxᵢ`, where θ is the root of `Σ cᵢxᵢ / (1 + θxᵢ) = 0` between
/// the poles (Van den Bergh, `support_MLE_multinomial`, proposition 1.1). θ also maximises the
/// concave `Σ cᵢ ln(1 + θxᵢ)`, the loss of log-likelihood against the counts' own law: an error of
/// θ therefore affects the loss only by its square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest<const K: usize> {
    pub(super) theta: f64,
    /// The wᵢ, all positive.
    pub(super) weights: [f64; K],
}

/// Sum of a function of the index. Reversing the terms gives bit for bit the same value.
#[inline]
pub(super) fn total_of<const K: usize>(term: impl Fn(usize) -> f64) -> f64 {
    let mut outer = 0.0;
    for i in 0..K / 2 {
        outer += term(i) + term(K - 1 - i);
    }
    outer + term(K / 2)
}

/// Sum of an array, by [`total_of`].
#[inline]
pub(super) fn total<const K: usize>(terms: &[f64; K]) -> f64 {
    total_of::<K>(|i| terms[i])
}

/// Maximum number of Newton steps; bisection alone needs about half of it.
const STEPS: usize = 200;

impl<const K: usize> Nearest<K> {
    /// The counts' own law.
    pub(super) const OWN: Self = Self {
        theta: 0.0,
        weights: [1.0; K],
    };

    /// Finds θ. `c` are positive, `sum` is `Σ cᵢxᵢ` (the caller knows it with less cancellation),
    /// `guess` an earlier θ, or 0.
    ///
    /// `None` if no law on these outcomes meets the constraint: all `x` have the sign of `sum`.
    pub(super) fn find(c: &[f64; K], x: &[f64; K], sum: f64, guess: f64) -> Option<Self> {
        if sum == 0.0 {
            return Some(Self::OWN);
        }
        // θ has the sign of `sum`; on that side the pole is at -1/x of the outcome that is farthest
        // on the other side.
        let side = sum.signum();
        let pole = (0..K).fold(0, |e, i| if side * x[i] < side * x[e] { i } else { e });
        if side * x[pole] >= 0.0 {
            return None;
        }
        // The unknown is the pole's own weight w = 1 + θx, which stays exact even if the root is
        // very near to the pole. The others follow without cancellation: wᵢ = (1 - ρᵢ) + ρᵢw.
        let ratio: [f64; K] = std::array::from_fn(|i| x[i] / x[pole]);
        let rest: [f64; K] = std::array::from_fn(|i| (x[pole] - x[i]) / x[pole]);
        let squares = total_of::<K>(|i| c[i] * x[i] * x[i]);
        let theta = if guess * side > 0.0 {
            guess
        } else {
            sum / squares
        };
        // No probability exceeds 1, so w is at least the pole's share.
        let (mut low, mut high) = (c[pole] / total(c), 1.0);
        let mut w = 1.0 + theta * x[pole];
        if !(w > low && w < high) {
            w = (2.0 * low).min(f64::midpoint(low, high));
        }
        for _ in 0..STEPS {
            // w·Σ cᵢρᵢ/wᵢ has no pole at w = 0 and is nearly linear near it.
            let mut terms = ratio;
            for (term, rest) in terms.iter_mut().zip(&rest) {
                *term /= rest + *term * w;
            }
            terms[pole] = 0.0;
            let others = total_of::<K>(|i| c[i] * terms[i]);
            let slope = -total_of::<K>(|i| c[i] * terms[i] * terms[i]);
            let value = c[pole] + w * others;
            if value > 0.0 {
                low = w;
            } else {
                high = w;
            }
            let newton = w - value / (others + w * slope);
            let is_newton = newton >= low && newton <= high;
            let next = if is_newton {
                newton
            } else if high > 4.0 * low {
                (low * high).sqrt()
            } else {
                f64::midpoint(low, high)
            };
            let step = (next - w).abs();
            w = next;
            // The error after a Newton step is of the order of its square.
            let near = if is_newton { 1e-7 } else { 1e-9 };
            if step <= near * w.min(1.0 - w) || step <= 1e-15 * w {
                break;
            }
        }
        let mut weights: [f64; K] = std::array::from_fn(|i| rest[i] + ratio[i] * w);
        weights[pole] = w;
        Some(Self {
            theta: (w - 1.0) / x[pole],
            weights,
        })
    }

    /// `Σ cᵢ ln wᵢ`, never negative.
    pub(super) fn loss(&self, c: &[f64; K], x: &[f64; K], sum: f64) -> f64 {
        let lean = |i: usize| self.theta * x[i];
        let loss = if (0..K).all(|i| lean(i).abs() <= SMALL) {
            // The terms of first order nearly cancel; their sum is known.
            total_of::<K>(|i| c[i] * ln_1p_less(lean(i))) + self.theta * sum
        } else {
            total_of::<K>(|i| {
                let z = lean(i);
                c[i] * if z < -0.5 {
                    libm::log(self.weights[i])
                } else {
                    libm::log1p(z)
                }
            })
        };
        loss.max(0.0)
    }
}

/// Up to this |z| [`ln_1p_less`] is accurate to 1e-16.
const SMALL: f64 = 0.25;

/// `ln(1 + z) - z` for |z| ≤ ¼ without cancellation: with r = z / (2 + z),
/// ln(1 + z) = 2 artanh r, and 2r - z = -zr.
fn ln_1p_less(z: f64) -> f64 {
    let r = z / (2.0 + z);
    let square = r * r;
    let mut series = 0.0;
    for odd in [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        series = series * square + 1.0 / odd;
    }
    2.0 * r * square * series - z * r
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_less_its_argument() {
        // mpmath 1.3: log1p(z) - z.
        for (z, want) in [
            (1e-9, -4.999_999_996_666_667e-19),
            (-1e-3, -5.003_335_835_335_001e-7),
            (0.25, -0.026_856_448_685_790_244),
            (-0.25, -0.037_682_072_451_780_93),
            (0.01, -4.966_914_683_191_715e-5),
        ] {
            let got = ln_1p_less(z);
            assert!(((got - want) / want).abs() < 1e-15, "{z}: {got:e}");
        }
        assert!(ln_1p_less(0.0).abs() < f64::MIN_POSITIVE);
    }

    #[test]
    fn the_constraint_is_met_at_any_distance_from_the_pole() {
        for top in [1.0, 1e3, 1e7, 1e19] {
            let counts = [1e-3, 1e-3, 1e-3, 1e-3, top];
            let x = [-0.5, -0.25, 0.0, 0.25, 0.5];
            let sum = 0.5 * (top - 1e-3);
            let got = Nearest::find(&counts, &x, sum, 0.0).expect("feasible");
            let n = total(&counts);
            let law: [f64; 5] = std::array::from_fn(|i| counts[i] / n / got.weights[i]);
            assert!((total(&law) - 1.0).abs() < 1e-12, "{law:?}");
            let mean = total_of::<5>(|i| law[i] * x[i]);
            assert!(mean.abs() < 1e-12, "{mean}");
        }
    }

    #[test]
    fn no_law_where_all_outcomes_lie_on_one_side() {
        assert!(Nearest::find(&[1.0; 3], &[0.1, 0.2, 0.3], 0.6, 0.0).is_none());
        assert!(Nearest::find(&[1.0; 3], &[-0.1, -0.2, -0.3], -0.6, 0.0).is_none());
    }
}
