//! A Brownian motion observed at discrete looks: the distribution of its exits.
//!
//! S(t) has mean θt and variance t. The density of S at a look, over the paths that have not left
//! at an earlier look, is the density at the previous look, cut to the paths that continued, and
//! spread by the increment (Armitage, `McPherson` and Rowe, JRSS-A 132, 1969; Jennison and
//! Turnbull, *Group Sequential Methods*, 2000, chapter 19). It is stored at Gauss's points on
//! panels one standard deviation of the increment wide: five points each leave an error below 1e-8.
//!
//! That is computed without drift. With drift θ the distribution of a path until t has the density
//! `exp(θS(t) - θ²t/2)` relative to the one without (Cameron and Martin), so the same masses serve
//! for every strength.

use std::f64::consts::TAU;

use crate::bisection::bisect;
use crate::normal;

/// Gauss's five points and weights on -1..1.
const POINTS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];
/// Standard deviations, without drift, beyond which paths are ignored.
const FAR: f64 = 9.0;
/// Maximum number of panels, for increments that are tiny compared with the time so far.
const MAX_PANELS: f64 = 300.0;

/// The paths that have not left at any look so far.
#[derive(Clone, Debug)]
pub(super) struct Going {
    time: f64,
    /// Values of S and the probability near each, without drift.
    masses: Vec<(f64, f64)>,
}

impl Going {
    /// All paths, at 0 at time 0.
    pub(super) fn all() -> Self {
        Self {
            time: 0.0,
            masses: vec![(0.0, 1.0)],
        }
    }

    /// With this drift, the probability of having continued so far and being above `place` at
    /// `time`.
    pub(super) fn above(&self, time: f64, place: f64, drift: f64) -> f64 {
        self.sum(time, drift, |from, deviation| {
            normal::cdf((from - place) / deviation)
        })
    }

    /// With this drift, the probability of having continued so far and being below `place` at
    /// `time`.
    pub(super) fn below(&self, time: f64, place: f64, drift: f64) -> f64 {
        self.sum(time, drift, |from, deviation| {
            normal::cdf((place - from) / deviation)
        })
    }

    /// Sum over the masses of their weight times `part`, a function of the expected value at `time`
    /// and of the standard deviation around it.
    fn sum(&self, time: f64, drift: f64, part: impl Fn(f64, f64) -> f64) -> f64 {
        let more = self.more(time);
        let terms = self.masses.iter().map(|(from, mass)| {
            let tilt = drift * from - 0.5 * drift * drift * self.time;
            let weight = mass * libm::exp(tilt);
            if weight < 1e-18 {
                // Negligible, even compared with the tail of a normal distribution.
                return 0.0;
            }
            weight * part(from + drift * more, more.sqrt())
        });
        terms.sum()
    }

    /// The paths that are between `low` and `high` at `time` and continue.
    pub(super) fn between(&self, time: f64, low: f64, high: f64) -> Self {
        let (deviation, far) = (self.more(time).sqrt(), FAR * time.sqrt());
        let (low, high) = (low.max(-far), high.min(far));
        let mut masses = Vec::new();
        if high > low {
            let panels = ((high - low) / deviation).ceil().clamp(1.0, MAX_PANELS);
            let half = (high - low) / panels / 2.0;
            for panel in 0..panels as u32 {
                let centre = low + half * f64::from(2 * panel + 1);
                for (point, weight) in POINTS {
                    let place = centre + half * point;
                    let density: f64 = self
                        .masses
                        .iter()
                        .map(|(from, mass)| {
                            let z = (place - from) / deviation;
                            mass * libm::exp(-0.5 * z * z)
                        })
                        .sum();
                    masses.push((place, weight * half * density / (deviation * TAU.sqrt())));
                }
            }
        }
        Self { time, masses }
    }

    /// The bound of Z that this share exceeds at `time`, without drift.
    fn bound(&self, time: f64, share: f64) -> f64 {
        let is_below = |z: f64| self.above(time, z * time.sqrt(), 0.0) > share;
        bisect([-40.0, 40.0], 48, is_below)[1]
    }

    fn more(&self, time: f64) -> f64 {
        (time - self.time).max(f64::MIN_POSITIVE)
    }
}

/// Upper bounds of Z = S/√t at looks at these times, with which a motion without drift has left
/// upwards with the probabilities `spent` (cumulative, rising) by each look. The first of them may
/// be `known`. A bound for which nothing is spent is 40.
pub(super) fn bounds(times: &[f64], spent: &[f64], known: &[f64]) -> Vec<f64> {
    let mut going = Going::all();
    let mut before = 0.0;
    let mut bounds = Vec::with_capacity(times.len());
    for (number, (&time, &spent)) in times.iter().zip(spent).enumerate() {
        let bound = known.get(number).copied();
        let bound = bound.unwrap_or_else(|| going.bound(time, spent - before));
        bounds.push(bound);
        if number + 1 < times.len() {
            going = going.between(time, f64::NEG_INFINITY, bound * time.sqrt());
        }
        before = spent;
    }
    bounds
}

/// The part of a probability `all` that may be spent by the time `t` (1: all of it), after O'Brien
/// and Fleming's test: `2 - 2Φ(z/√t)`, Φ(z) = 1 - all/2 (Lan and `DeMets`, Biometrika 70, 1983).
pub(super) fn spent(all: f64, t: f64) -> f64 {
    if t >= 1.0 {
        all
    } else {
        2.0 * normal::cdf(normal::quantile(all / 2.0) / t.max(1e-9).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal steps of information.
    fn equal(looks: u32) -> Vec<f64> {
        (1..=looks)
            .map(|k| f64::from(k) / f64::from(looks))
            .collect()
    }

    /// Independent computations: the head of the table has the source.
    #[test]
    fn bounds_agree_with_the_table() {
        let table = include_str!("../../../../tests/data/planning/group-sequential.csv");
        let mut rows = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split(',');
            let alpha: f64 = fields.next().expect("alpha").parse().expect("f64");
            let numbers = |text: Option<&str>| -> Vec<f64> {
                let text = text.expect("a list");
                text.split(' ').map(|n| n.parse().expect("f64")).collect()
            };
            let times = numbers(fields.next());
            let want = numbers(fields.next());
            let shares: Vec<f64> = times.iter().map(|&t| spent(alpha, t)).collect();
            for (got, want) in bounds(&times, &shares, &[]).iter().zip(want) {
                assert!((got - want).abs() < 2e-6, "{line}: {got}");
            }
            rows += 1;
        }
        assert!(rows >= 8, "{rows}");
    }

    /// O'Brien and Fleming's own bounds, C √(K/k), C = 2.040 for five looks and 2.053 for six
    /// (two-sided 5 %; Jennison and Turnbull, table 2.3): the upper side has half of their error.
    #[test]
    fn the_published_constants_have_their_error() {
        for (looks, constant) in [(2, 1.977), (3, 2.004), (4, 2.024), (5, 2.040), (6, 2.053)] {
            let mut going = Going::all();
            let mut left = 0.0;
            for time in equal(looks) {
                // C √(K/k) as a bound of Z is C as a bound of S.
                left += going.above(time, constant, 0.0);
                left += going.below(time, -constant, 0.0);
                going = going.between(time, -constant, constant);
            }
            assert!((left - 0.05).abs() < 1e-4, "{looks}: {left}");
        }
    }

    #[test]
    fn with_drift_the_paths_add_up() {
        for drift in [-3.0, 0.5, 2.4] {
            let mut going = Going::all();
            let mut left = 0.0;
            for time in [0.1, 0.101, 0.5, 0.9, 1.0] {
                left += going.above(time, 1.2, drift) + going.below(time, -0.8, drift);
                going = going.between(time, -0.8, 1.2);
            }
            let rest = going.above(2.0, -40.0, drift);
            assert!((left + rest - 1.0).abs() < 1e-6, "{drift}: {left} {rest}");
        }
    }
}
