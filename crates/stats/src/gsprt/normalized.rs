//! The nearest law with a given ratio of lead to standard deviation.
//!
//! With y = score - ½, m = E y, s = E y² the constraint is m = tσ. Assume t > 0 (otherwise the
//! results are mirrored; at t = 0 the constraint is linear). The laws with m ≤ tσ are those with `m
//! √(1+t²) ≤ t √s`: a convex set, because √s is concave in the law. Its supporting half-spaces are
//!
//! ```text
//! E φ ≤ 0,   φ(y) = (1+t²)(y - tσ/2) - t y² / (2σ),   σ > 0
//! ```
//!
//! and each touches the set in the laws of standard deviation σ. (This is the φ of Van den Bergh,
//! `normalized_elo_practical`, section 4.1, with its μ replaced by tσ.) So the nearest law on the
//! border is found by one search over σ around the linear problem of `dual`, whose loss is L(σ):
//!
//! - results above the hypothesis (m̂ > tσ̂) are projected onto a convex set: the loss sought is
//!   the greatest L(σ), and L has one maximum;
//! - results below it are projected onto the complement, the union of the opposite half-spaces: the
//!   loss sought is the least L(σ), which can have several minima. A minimum with |θ| ≤ 2/(1+t²) is
//!   the least: at constant θ each 1 + θφ is then a sum of exponentials of ln σ with non-negative
//!   coefficients, its logarithm therefore convex in ln σ, and L lies above that convex function
//!   and touches it at its minimum. Ordinary results pass this test at once; for others the whole
//!   range of σ is searched.
//!
//! At the optimum s = (1+t²)σ², and if s is greater, σ is too small. Both cases use Newton's method
//! on dL/d ln σ inside a bracket kept by that sign.

use super::cells::Cells;
use super::dual::{Nearest, total_of};
use crate::logistic::ELO_PER_LOGIT;

/// m/σ of one unit with `games` games, for a player `elo` stronger: elo · ln 10 / 800 per game, √2
/// times that per pair.
pub(super) fn ratio_from_elo(elo: f64, games: f64) -> f64 {
    elo / (2.0 * ELO_PER_LOGIT) * games.sqrt()
}

/// The result of the previous search.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastSolution {
    sigma: f64,
    theta: f64,
}

/// Number of points in each window in the search for minima.
const GRID: usize = 32;

/// Maximum number of Newton steps; bisection alone needs about 100.
const STEPS: usize = 300;

/// The loss of log-likelihood of the likeliest law with `m = ratio · σ`, against the counts' own
/// law. Always defined. `warm` is updated.
pub(super) fn loss<const K: usize>(
    cells: &Cells<K>,
    ratio: f64,
    warm: &mut Option<LastSolution>,
) -> f64 {
    if ratio == 0.0 {
        let mut theta = warm.map_or(0.0, |warm| warm.theta);
        let loss = super::logistic::loss(cells, 0.0, &mut theta);
        *warm = Some(LastSolution { sigma: 0.0, theta });
        return loss;
    }
    let cells = if ratio < 0.0 { cells.mirror() } else { *cells };
    let problem = Problem::new(&cells, ratio.abs());
    let (loss, end) = problem.solve(*warm);
    *warm = Some(end);
    loss
}

/// One or two ranges of σ.
type Windows = ((f64, f64), Option<(f64, f64)>);

struct Problem<const K: usize> {
    counts: [f64; K],
    units: f64,
    lead: f64,
    square: f64,
    /// t, above 0.
    t: f64,
    /// 1 + t².
    one_t2: f64,
    /// True if the results are above the hypothesis.
    above: bool,
}

/// The linear problem at one σ.
struct Point {
    loss: f64,
    theta: f64,
    /// True if the optimum lies at a larger σ.
    rise: bool,
    /// dL/d ln σ and its derivative.
    slope: f64,
    curve: f64,
    /// σ of the next step of the fixed point σ² = s / (1+t²).
    fixed: f64,
}

impl<const K: usize> Problem<K> {
    fn new(cells: &Cells<K>, t: f64) -> Self {
        let (units, lead, square) = (cells.units(), cells.lead(), cells.square());
        let one_t2 = 1.0 + t * t;
        Self {
            counts: cells.counts,
            units,
            lead,
            square,
            t,
            one_t2,
            above: lead > 0.0 && lead * one_t2.sqrt() > t * (square * units).sqrt(),
        }
    }

    /// The greatest σ: s is at most ¼.
    fn top(&self) -> f64 {
        0.5 / self.one_t2.sqrt()
    }

    /// Solves the linear problem at `sigma`; `None` if no law meets the constraint.
    fn at(&self, sigma: f64, guess: f64) -> Option<Point> {
        let (t, one_t2) = (self.t, self.one_t2);
        let y = Cells::<K>::leads();
        let phi = y.map(|y| one_t2 * (y - 0.5 * t * sigma) - 0.5 * t * (y / sigma) * y);
        let sum =
            one_t2 * (self.lead - 0.5 * t * sigma * self.units) - 0.5 * t * self.square / sigma;
        let nearest = if self.above == (sum > 0.0) {
            Nearest::find(&self.counts, &phi, sum, guess)?
        } else {
            // The counts' own law is inside the half-space.
            Nearest::OWN
        };
        let law: [f64; K] = std::array::from_fn(|i| self.counts[i] / nearest.weights[i]);
        let square = total_of::<K>(|i| law[i] * y[i] * y[i]) / self.units;
        // Derivatives by ln σ at constant θ, then along the path of θ.
        let first = y.map(|y| -0.5 * t * (one_t2 * sigma - (y / sigma) * y));
        let second = y.map(|y| -0.5 * t * (one_t2 * sigma + (y / sigma) * y));
        let w = &nearest.weights;
        let theta = nearest.theta;
        let across = total_of::<K>(|i| law[i] * first[i] / w[i]);
        let theta_theta = total_of::<K>(|i| law[i] * phi[i] * phi[i] / w[i]);
        Some(Point {
            loss: nearest.loss(&self.counts, &phi, sum),
            theta,
            rise: square > one_t2 * sigma * sigma,
            slope: theta * total_of::<K>(|i| law[i] * first[i]),
            curve: theta * total_of::<K>(|i| law[i] * second[i])
                - theta * theta * total_of::<K>(|i| law[i] * first[i] * first[i] / w[i])
                + across * across / theta_theta,
            fixed: (square / one_t2).sqrt(),
        })
    }

    fn solve(&self, warm: Option<LastSolution>) -> (f64, LastSolution) {
        let guess = warm.map_or(0.0, |warm| warm.theta);
        let start = warm.map_or(0.0, |warm| warm.sigma);
        if self.above {
            // At least one half-space excludes the results, and this one does.
            let own = (self.square / self.units / self.one_t2).sqrt();
            return self.refine(
                1e-30,
                self.top(),
                if start > 0.0 { start } else { own },
                guess,
            );
        }
        let near = self.near(start, guess);
        if near.1.theta.abs() * self.one_t2 <= 2.0 {
            return near;
        }
        let mut best = near;
        let (first, second) = self.windows();
        for (low, high) in [Some(first), second].into_iter().flatten() {
            for (low, high) in self.valleys(low, high, GRID) {
                let found = self.refine(low, high, (low * high).sqrt(), 0.0);
                if found.0 < best.0 {
                    best = found;
                }
            }
        }
        best
    }

    /// The minimum found by a search from `start`.
    fn near(&self, start: f64, guess: f64) -> (f64, LastSolution) {
        let (first, second) = self.windows();
        let inside = |&(low, high): &(f64, f64)| start > low && start < high;
        let (low, high) = second.filter(inside).unwrap_or(first);
        self.refine(low, high, start, guess)
    }

    /// The ranges of σ in which a law meets the constraint: φ(y) > 0 for a y > 0 means σ between
    /// y/κ₊ and y/κ₋, κ = (1 + t² ± √(1+t²)) / t.
    fn windows(&self) -> Windows {
        let root = self.one_t2.sqrt();
        let wide = (self.one_t2 + root) / self.t;
        // (1 + t² - √(1+t²)) / t without cancellation.
        let narrow = self.t * root / (1.0 + root);
        let window = |y: f64| (y / wide, (y / narrow).min(self.top()));
        let full = window(0.5);
        if K < 5 {
            return (full, None);
        }
        let half = window(0.25);
        if half.1 >= full.0 {
            ((half.0, full.1), None)
        } else {
            (half, Some(full))
        }
    }

    /// Brackets of the minima of L between two σ.
    fn valleys(&self, low: f64, high: f64, grid: usize) -> Vec<(f64, f64)> {
        let step = libm::log(high / low) / grid as f64;
        let sigma = |i: usize| match i {
            0 => low,
            i if i == grid => high,
            i => low * libm::exp(step * i as f64),
        };
        let losses: Vec<f64> = (0..=grid)
            .map(|i| {
                // The loss is unbounded at a window's lower end.
                let inside = i > 0 && i < grid;
                let point = inside.then(|| self.at(sigma(i), 0.0)).flatten();
                point.map_or(f64::INFINITY, |point| point.loss)
            })
            .collect();
        (1..grid)
            .filter(|&i| {
                losses[i].is_finite() && losses[i] <= losses[i - 1] && losses[i] <= losses[i + 1]
            })
            .map(|i| (sigma(i - 1), sigma(i + 1)))
            .collect()
    }

    /// The optimum between `low` and `high`.
    fn refine(&self, mut low: f64, mut high: f64, start: f64, guess: f64) -> (f64, LastSolution) {
        let middle = (low * high).sqrt();
        let mut sigma = if start > low && start < high {
            start
        } else {
            middle
        };
        let mut theta = guess;
        let mut loss = 0.0;
        for _ in 0..STEPS {
            let Some(point) = self.at(sigma, theta) else {
                // No law meets the constraint, because of rounding at a window's end.
                if sigma < middle {
                    low = sigma;
                } else {
                    high = sigma;
                }
                sigma = (low * high).sqrt();
                if high <= low * (1.0 + 1e-15) {
                    break;
                }
                continue;
            };
            theta = point.theta;
            loss = point.loss;
            if theta == 0.0 && !self.above {
                break;
            }
            if point.rise {
                low = sigma;
            } else {
                high = sigma;
            }
            let newton = -point.slope / point.curve;
            // Minima if L is minimised, the maximum if L is maximised.
            let bent = if self.above {
                point.curve < 0.0
            } else {
                point.curve > 0.0
            };
            if bent && newton.abs() <= 1e-7 {
                // The rest of the step changes the loss by its square.
                loss = (loss + 0.5 * point.slope * newton).max(0.0);
                break;
            }
            let next = sigma * libm::exp(newton);
            sigma = if bent && next > low && next < high {
                next
            } else if point.fixed > low && point.fixed < high {
                point.fixed
            } else {
                (low * high).sqrt()
            };
            if high <= low * (1.0 + 1e-15) {
                break;
            }
        }
        (loss, LastSolution { sigma, theta })
    }
}

#[cfg(test)]
mod tests;
