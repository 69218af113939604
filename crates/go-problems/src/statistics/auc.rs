//! Area under the ROC curve: the probability that an item of the positive kind has the greater
//! number than one of the other kind (Mann and Whitney; ties count half).
//!
//! The interval is method 5 of Newcombe (Statistics in Medicine 25, 2006, part 2): all θ with
//!
//! ```text
//! |A - θ| ≤ z √(D θ(1-θ) (1 + N ((1-θ)/(2-θ) + θ/(1+θ))) / (m n)),   N = (m+n)/2 - 1
//! ```
//!
//! for m items of one kind and n of the other: it is the variance of Hanley and `McNeil` (Radiology
//! 143, 1982) at θ, so that the interval is not a single point if the two kinds do not overlap. D
//! is the design effect of correlated items: the variance of Obuchowski (Biometrics 53, 1997)
//! divided by that of `DeLong` et al. (Biometrics 44, 1988), at least 1; if the ratio is not
//! finite, the mean cluster size.

use std::collections::BTreeMap;

use serde::Serialize;

use leitai_stats::normal::Z95;
use leitai_stats::{Ranged, bisect};

/// An item with its number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// Items of the same cluster are correlated.
    pub cluster: usize,
    /// The number.
    pub value: f64,
    /// True for the kind that should have the greater numbers.
    pub positive: bool,
}

/// An area under the ROC curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Auc {
    /// The area, 0 to 1, with its 95 % interval; nothing if one kind is missing. A number without
    /// information has the area ½.
    pub area: Ranged,
    /// Count of items of the kind that should have the greater numbers.
    pub positives: usize,
    /// Count of items of the other kind.
    pub negatives: usize,
}

/// The area for these items. Items whose number is NaN are ignored.
pub fn auc(things: &[Scored]) -> Auc {
    let of = |positive: bool| -> Vec<(usize, f64)> {
        let things = things.iter().filter(|thing| !thing.value.is_nan());
        let things = things.filter(|thing| thing.positive == positive);
        // Adding 0 turns -0 into 0.
        things
            .map(|thing| (thing.cluster, thing.value + 0.0))
            .collect()
    };
    let (positives, negatives) = (of(true), of(false));
    let mut answer = Auc {
        area: Ranged::NOTHING,
        positives: positives.len(),
        negatives: negatives.len(),
    };
    if positives.is_empty() || negatives.is_empty() {
        return answer;
    }
    let above = placements(&positives, &negatives);
    // The share of positives above a negative is 1 minus the share below it.
    let below = placements(&negatives, &positives)
        .into_iter()
        .map(|(cluster, share)| (cluster, 1.0 - share))
        .collect::<Vec<_>>();
    let area = above.iter().map(|(_, share)| share).sum::<f64>() / above.len() as f64;
    let area = area.clamp(0.0, 1.0);
    let effect = design_effect(area, &above, &below);
    let sizes = [positives.len() as f64, negatives.len() as f64];
    let limit = |end: f64| limit(area, end, sizes, effect);
    answer.area = Ranged::new(Some(area), Some(limit(0.0)), Some(limit(1.0)));
    answer
}

/// For each item of `own`, its cluster and the share of `others` below it; ties count half.
fn placements(own: &[(usize, f64)], others: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut sorted: Vec<f64> = others.iter().map(|(_, value)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    let place = |value: f64| {
        let less = sorted.partition_point(|other| other.total_cmp(&value).is_lt());
        let most = sorted.partition_point(|other| other.total_cmp(&value).is_le());
        0.5 * (less + most) as f64 / sorted.len() as f64
    };
    own.iter()
        .map(|&(cluster, value)| (cluster, place(value)))
        .collect()
}

/// The factor by which clusters increase the variance of the area; at least 1.
fn design_effect(area: f64, above: &[(usize, f64)], below: &[(usize, f64)]) -> f64 {
    // By cluster and kind: the number of items, and the sum of their deviations.
    let mut clusters = BTreeMap::<usize, [(f64, f64); 2]>::new();
    for (kind, shares) in [above, below].into_iter().enumerate() {
        for (cluster, share) in shares {
            let (count, sum) = &mut clusters.entry(*cluster).or_default()[kind];
            *count += 1.0;
            *sum += share - area;
        }
    }
    let things = (above.len() + below.len()) as f64;
    let mean_size = things / clusters.len() as f64;
    // DeLong: the variance of each kind's mean placement.
    let alone = |shares: &[(usize, f64)]| {
        let squares = shares.iter().map(|(_, share)| (share - area).powi(2));
        let count = shares.len() as f64;
        squares.sum::<f64>() / (count * (count - 1.0))
    };
    let independent = alone(above) + alone(below);
    // Obuchowski: the same over clusters, plus the covariance of the kinds.
    let counts = [above.len() as f64, below.len() as f64];
    let few = |count: f64| count / (count - 1.0);
    let own = |kind: usize| {
        let with = clusters.values().filter(|both| both[kind].0 > 0.0).count();
        let squares = clusters.values().map(|both| both[kind].1.powi(2));
        few(with as f64) * squares.sum::<f64>() / counts[kind].powi(2)
    };
    let shared = clusters.values().map(|[one, other]| one.1 * other.1);
    let shared = few(clusters.len() as f64) * shared.sum::<f64>() / (counts[0] * counts[1]);
    let clustered = own(0) + own(1) + 2.0 * shared;
    let effect = clustered / independent;
    if effect.is_finite() {
        effect.max(1.0)
    } else {
        mean_size
    }
}

/// The limit of the interval towards `end`, 0 or 1, found by bisection.
fn limit(area: f64, end: f64, [m, n]: [f64; 2], effect: f64) -> f64 {
    let within = |theta: f64| {
        let more = 0.5 * (m + n) - 1.0;
        let shape = 1.0 + more * ((1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta));
        let variance = effect * theta * (1.0 - theta) * shape / (m * n);
        (area - theta).abs() <= Z95 * variance.max(0.0).sqrt()
    };
    // The variance is 0 at θ = 0 and 1: if the area is `end`, so is the limit.
    if (area - end).abs() < f64::EPSILON {
        return end;
    }
    bisect([area, end], 60, within)[0]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use leitai_stats::{RandomNumbers, normal};

    use super::*;

    fn things(positives: &[f64], negatives: &[f64]) -> Vec<Scored> {
        let kind = |positive: bool, values: &[f64]| -> Vec<(bool, f64)> {
            values.iter().map(|value| (positive, *value)).collect()
        };
        let all = kind(true, positives)
            .into_iter()
            .chain(kind(false, negatives));
        all.enumerate()
            .map(|(cluster, (positive, value))| Scored {
                cluster,
                value,
                positive,
            })
            .collect()
    }

    /// scipy 1.17.1, `mannwhitneyu(p, n).statistic / (len(p) * len(n))`; the limits
    /// are the roots of the formula by `scipy.optimize.brentq`.
    #[test]
    fn known_values() {
        let positives = [0.9, 0.8, 0.7, 0.6, 0.55];
        let negatives = [0.65, 0.5, 0.4, 0.3, 0.2, 0.1, 0.8];
        let got = auc(&things(&positives, &negatives)).area;
        assert!((got.value.unwrap() - 0.842_857_142_857_142_9).abs() < 1e-12);
        assert!((got.low.unwrap() - 0.498_038_127_545_452).abs() < 1e-9);
        assert!((got.high.unwrap() - 0.962_624_764_903_126).abs() < 1e-9);
    }

    #[test]
    fn kinds_that_do_not_overlap_leave_doubt() {
        let got = auc(&things(&[3.0, 4.0, 5.0], &[1.0, 2.0])).area;
        assert_eq!((got.value, got.high), (Some(1.0), Some(1.0)));
        assert!(got.low.unwrap() < 0.75 && got.low.unwrap() > 0.2, "{got:?}");
        let got = auc(&things(&[1.0], &[2.0])).area;
        assert_eq!((got.value, got.low), (Some(0.0), Some(0.0)));
        assert!(got.high.unwrap() > 0.75);
    }

    #[test]
    fn one_kind_has_no_area() {
        assert_eq!(auc(&things(&[1.0], &[f64::NAN])).area, Ranged::NOTHING);
        let got = auc(&things(&[], &[1.0, 2.0]));
        assert_eq!((got.area, got.negatives), (Ranged::NOTHING, 2));
        // -0 and 0 are one value.
        assert_eq!(auc(&things(&[0.0], &[-0.0])).area.value, Some(0.5));
    }

    proptest! {
        /// Compares with counting by definition; mirrored numbers have the mirrored area.
        #[test]
        fn the_area_is_its_definition(
            positives in prop::collection::vec(-5_i8..5, 1..9),
            negatives in prop::collection::vec(-5_i8..5, 1..9),
        ) {
            let [p, n] = [&positives, &negatives]
                .map(|values| values.iter().map(|v| f64::from(*v)).collect::<Vec<_>>());
            let mut wins = 0.0;
            for a in &p {
                for b in &n {
                    wins += if a > b { 1.0 } else if a < b { 0.0 } else { 0.5 };
                }
            }
            let got = auc(&things(&p, &n)).area;
            let want = wins / (p.len() * n.len()) as f64;
            prop_assert!((got.value.unwrap() - want).abs() < 1e-12);
            let mirrored = auc(&things(&n, &p)).area;
            prop_assert!((mirrored.low.unwrap() - (1.0 - got.high.unwrap())).abs() < 1e-9);
        }
    }

    /// Share of the intervals that cover the truth, with `clusters` clusters of `size` items each;
    /// half of the variance is common to a cluster, and all its items are of one kind.
    fn coverage(clusters: usize, size: usize, shift: f64, know: bool) -> f64 {
        let mut random = RandomNumbers::new(9, 0);
        let mut number = move || (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0;
        let truth = normal::cdf(shift / 2_f64.sqrt());
        let runs = 800;
        let mut hits = 0;
        for _ in 0..runs {
            let mut all = Vec::new();
            for cluster in 0..clusters {
                let positive = cluster % 2 == 0;
                let shared = number();
                for one in 0..size {
                    let own = if size > 1 {
                        (shared + number()) / 2_f64.sqrt()
                    } else {
                        shared
                    };
                    all.push(Scored {
                        cluster: if know { cluster } else { cluster * size + one },
                        value: own + if positive { shift } else { 0.0 },
                        positive,
                    });
                }
            }
            let got = auc(&all).area;
            hits += u32::from(got.low.unwrap() <= truth && truth <= got.high.unwrap());
        }
        f64::from(hits) / f64::from(runs)
    }

    #[test]
    fn intervals_cover() {
        for shift in [0.0, 1.0, 2.5] {
            // 0.95 minus three standard errors of the simulation.
            let alone = coverage(30, 1, shift, true);
            assert!(alone > 0.926, "shift {shift}: {alone}");
        }
        let clustered = coverage(40, 3, 1.0, true);
        assert!(clustered > 0.92, "{clustered}");
        let unaware = coverage(40, 3, 1.0, false);
        assert!(unaware < 0.90, "{unaware}");
    }
}
