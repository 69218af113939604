//! A test whether one coordinate's slopes lie on a line, as those of a parabola do.
//!
//! The batches around the best value, which determine the interval, are grouped by the length of
//! the perturbation and by their centres, half a perturbation to a group g. With w, m, y and V the
//! sums of a group of `kNd²`, `kNd²m`, `kNdy` and `k²Nd²`, and v the variance of a game,
//!
//! ```text
//! J = min over a, b of Σ (y - aw + bm)² / vV
//! ```
//!
//! is χ² distributed with two degrees of freedom fewer than groups if `g(m) = a - bm`: a batch's
//! centre and perturbation are chosen before it is played, so that its residual has expectation 0
//! for any earlier results (Hansen's test of more moments than parameters, Econometrica 50, 1982).
//! The number of batches in a group depends on results, which costs a little: measured,
//! docs/tuning.md.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::slopes::Side;

/// Minimum size of a group, in games with unit perturbations: a smaller sum is not normal.
const MIN: f64 = 16.0;

/// Returns the probability of a J at least as large as that of these groups, if the slopes lie on a
/// line; `None` with too few groups. The perturbations are `scale` steps long.
pub(super) fn chance(mut groups: Vec<Side>, scale: f64, variance: f64) -> Option<f64> {
    let least = MIN * scale * scale;
    groups.retain(|group| group.w * group.w > least * group.variance);
    let freedom = groups.len().checked_sub(2).filter(|&freedom| freedom > 0)?;
    let law = ChiSquared::new(freedom as f64).ok()?;
    let misfit = misfit(&groups, variance);
    misfit.is_finite().then(|| law.sf(misfit.max(0.0)))
}

/// J.
fn misfit(groups: &[Side], variance: f64) -> f64 {
    let sum = |of: &dyn Fn(&Side) -> f64| -> f64 {
        let terms = groups.iter().map(|group| of(group) / group.variance);
        terms.sum::<f64>() / variance
    };
    let (ww, wm, mm) = (
        sum(&|g| g.w * g.w),
        sum(&|g| g.w * g.m),
        sum(&|g| g.m * g.m),
    );
    let (wy, my) = (sum(&|g| g.w * g.y), sum(&|g| g.m * g.y));
    let determinant = ww * mm - wm * wm;
    let (level, change) = (
        (mm * wy - wm * my) / determinant,
        (ww * my - wm * wy) / determinant,
    );
    sum(&|g| (g.y - level * g.w - change * g.m).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a group of batches with unit perturbations around a centre.
    fn group(center: f64, slope: f64) -> Side {
        let w = 1_000.0;
        Side {
            w,
            m: w * center,
            mm: w * center * center,
            y: w * slope,
            ym: w * slope * center,
            variance: w,
        }
    }

    #[test]
    fn slopes_on_a_line_fit_and_others_do_not() {
        let of = |slope: &dyn Fn(f64) -> f64| {
            let groups = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|x| group(x, slope(x)));
            chance(groups.to_vec(), 1.0, 0.5)
        };
        assert!(of(&|x| 0.1 - 0.2 * x) > Some(0.999));
        // By hand J is 96: residuals -0.08, 0.04, 0.16, -0.12, 0.
        let cliff = of(&|x| if x > 0.0 { -0.4 } else { 0.0 });
        assert!(cliff < Some(1e-15), "{cliff:?}");
        // The 95 % point of χ² with three degrees of freedom is 7.81.
        let near = of(&|x| if x > 0.0 { -0.114 } else { 0.0 });
        assert!(
            near.is_some_and(|near| (near - 0.05).abs() < 0.002),
            "{near:?}"
        );
    }

    #[test]
    fn few_groups_give_no_estimate() {
        let two = vec![group(0.0, 0.1), group(1.0, 0.0)];
        assert_eq!(chance(two.clone(), 1.0, 0.5), None);
        let mut small = group(2.0, 0.3);
        for sum in [
            &mut small.w,
            &mut small.m,
            &mut small.y,
            &mut small.variance,
        ] {
            *sum /= 100.0;
        }
        assert_eq!(chance([two, vec![small]].concat(), 1.0, 0.5), None);
        assert_eq!(chance(Vec::new(), 1.0, 0.5), None);
    }
}
