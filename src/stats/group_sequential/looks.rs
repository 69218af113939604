//! A Brownian motion that is looked at now and then: the law of where it leaves.
//!
//! S(t) has mean θt and variance t. The density of S at a look, over the paths that
//! left at none before, is the density at the look before, cut to what went on, and
//! spread by the increment (Armitage, McPherson and Rowe, JRSS-A 132, 1969; Jennison
//! and Turnbull, *Group Sequential Methods*, 2000, chapter 19). It is kept at Gauss's
//! points on panels one standard deviation of the increment wide: five points each
//! leave an error below 1e-8.

use std::f64::consts::TAU;

use crate::stats::normal;

/// Gauss's five points and weights on -1..1.
const POINTS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];
/// Standard deviations beyond which no path goes: 1e-15.
const FAR: f64 = 8.0;
/// Panels at most, for increments that are tiny beside the time so far.
const MOST_PANELS: f64 = 300.0;

/// The paths that have left at no look so far.
#[derive(Clone, Debug)]
pub(super) struct Going {
    drift: f64,
    time: f64,
    /// Places and the probability near each.
    masses: Vec<(f64, f64)>,
}

impl Going {
    /// All paths, at 0 at time 0, with drift `drift`.
    pub(super) fn all(drift: f64) -> Self {
        Self {
            drift,
            time: 0.0,
            masses: vec![(0.0, 1.0)],
        }
    }

    /// Probability of going on until now and being above `place` at `time`, after
    /// the time so far.
    pub(super) fn above(&self, time: f64, place: f64) -> f64 {
        let (way, deviation) = self.increment(time);
        let terms = self.masses.iter();
        terms
            .map(|(from, mass)| mass * normal::cdf((from + way - place) / deviation))
            .sum()
    }

    /// Probability of going on until now and being below `place` at `time`.
    pub(super) fn below(&self, time: f64, place: f64) -> f64 {
        let (way, deviation) = self.increment(time);
        let terms = self.masses.iter();
        terms
            .map(|(from, mass)| mass * normal::cdf((place - from - way) / deviation))
            .sum()
    }

    /// Those that are between `low` and `high` at `time` and go on.
    pub(super) fn between(&self, time: f64, low: f64, high: f64) -> Self {
        let (way, deviation) = self.increment(time);
        let (mean, far) = (self.drift * time, FAR * time.sqrt());
        let (low, high) = (low.max(mean - far), high.min(mean + far));
        let mut masses = Vec::new();
        if high > low {
            let panels = ((high - low) / deviation).ceil().clamp(1.0, MOST_PANELS);
            let half = (high - low) / panels / 2.0;
            for panel in 0..panels as u32 {
                let centre = low + half * f64::from(2 * panel + 1);
                for (point, weight) in POINTS {
                    let place = centre + half * point;
                    let density: f64 = self
                        .masses
                        .iter()
                        .map(|(from, mass)| {
                            let z = (place - from - way) / deviation;
                            mass * (-0.5 * z * z).exp()
                        })
                        .sum();
                    masses.push((place, weight * half * density / (deviation * TAU.sqrt())));
                }
            }
        }
        Self {
            drift: self.drift,
            time,
            masses,
        }
    }

    /// Mean and standard deviation of the way until `time`.
    fn increment(&self, time: f64) -> (f64, f64) {
        let more = (time - self.time).max(f64::MIN_POSITIVE);
        (self.drift * more, more.sqrt())
    }
}

/// Upper bounds of Z = S/√t at looks at these times, with which a motion without
/// drift has left upwards with the probabilities `spent` (cumulative, rising) by
/// each look. A bound that nothing is spent for is 40.
pub(super) fn bounds(times: &[f64], spent: &[f64]) -> Vec<f64> {
    let mut going = Going::all(0.0);
    let mut before = 0.0;
    let mut bounds = Vec::with_capacity(times.len());
    for (&time, &spent) in times.iter().zip(spent) {
        let share = spent - before;
        let (mut low, mut high) = (-40.0, 40.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if going.above(time, middle * time.sqrt()) > share {
                low = middle;
            } else {
                high = middle;
            }
        }
        bounds.push(high);
        going = going.between(time, f64::NEG_INFINITY, high * time.sqrt());
        before = spent;
    }
    bounds
}

/// What may be spent by the time `t` (1: all of it) of a probability `all`, after
/// O'Brien and Fleming's test: `2 - 2Φ(z/√t)`, Φ(z) = 1 - all/2 (Lan and DeMets,
/// Biometrika 70, 1983).
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

    /// Independent computations: see the head of the table.
    #[test]
    fn bounds_agree_with_the_table() {
        let table = include_str!("../../../tests/data/planning/group-sequential.csv");
        let mut rows = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split(',');
            let alpha: f64 = fields.next().expect("alpha").parse().expect("f64");
            let mut numbers = |text: Option<&str>| -> Vec<f64> {
                let text = text.expect("a list");
                text.split(' ').map(|n| n.parse().expect("f64")).collect()
            };
            let times = numbers(fields.next());
            let want = numbers(fields.next());
            let shares: Vec<f64> = times.iter().map(|&t| spent(alpha, t)).collect();
            for (got, want) in bounds(&times, &shares).iter().zip(want) {
                assert!((got - want).abs() < 2e-6, "{line}: {got}");
            }
            rows += 1;
        }
        assert!(rows >= 8, "{rows}");
    }

    /// O'Brien and Fleming's own bounds, C √(K/k), C = 2.040 for five looks and
    /// 2.053 for six (two-sided 5 %; Jennison and Turnbull, table 2.3): half of
    /// their error is the upper side's.
    #[test]
    fn the_published_constants_have_their_error() {
        for (looks, constant) in [(2, 1.977), (3, 2.004), (4, 2.024), (5, 2.040), (6, 2.053)] {
            let mut going = Going::all(0.0);
            let mut left = 0.0;
            for time in equal(looks) {
                // C √(K/k) as a bound of Z is C as a bound of S.
                left += going.above(time, constant);
                left += going.below(time, -constant);
                going = going.between(time, -constant, constant);
            }
            assert!((left - 0.05).abs() < 1e-4, "{looks}: {left}");
        }
    }

    #[test]
    fn with_drift_the_paths_add_up() {
        for drift in [-3.0, 0.5, 2.4] {
            let mut going = Going::all(drift);
            let mut left = 0.0;
            for time in [0.1, 0.101, 0.5, 0.9, 1.0] {
                left += going.above(time, 1.2) + going.below(time, -0.8);
                going = going.between(time, -0.8, 1.2);
            }
            let rest: f64 = going.masses.iter().map(|(_, mass)| mass).sum();
            assert!((left + rest - 1.0).abs() < 1e-6, "{drift}: {left} {rest}");
        }
    }
}
