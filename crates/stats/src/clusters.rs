//! Clusters of pairs that are correlated because they started from the same opening.

use std::collections::BTreeMap;

use super::Pentanomial;
use super::sign_flip::sign_flip;
use super::small_sample::{ErrorSums, Offsets, Unseen};

/// The effect of correlated pairs on the error of their mean score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Variance of the mean score, divided by that of independent pairs. Below 1 if pairs of a
    /// cluster are opposites.
    pub design: f64,
    /// The same for an interval of ± 1.96 errors that covers 95 % even with few clusters.
    pub interval: f64,
    /// True if any cluster of openings has two pairs or more.
    pub shared: bool,
    /// Number of clusters from which the variance between clusters is known: `u64::MAX` if each
    /// pair is a cluster, 1 if all pairs are equal, 0 if all pairs are one cluster.
    pub clusters: u64,
    /// Likelihood of superiority with few clusters, 0..=1: 1 minus the share of all sign choices of
    /// the clusters' leads whose sum is no smaller. It increases with every result; a lead divided
    /// by its error does not, because a result that is better than the others increases the error.
    /// `None` if that hardly matters.
    pub superiority: Option<f64>,
    /// The value of `interval` without workers, if the error also depends on workers
    /// ([`Crossed`](super::Crossed)).
    pub workers: Option<f64>,
}

/// Number of clusters needed to estimate errors: with fewer, intervals can miss the effect of a
/// rare opening (docs/rating.md).
pub const FEW_CLUSTERS: u64 = 20;

impl Effect {
    /// Independent pairs.
    pub const NONE: Self = Self {
        design: 1.0,
        interval: 1.0,
        shared: false,
        clusters: u64::MAX,
        superiority: None,
        workers: None,
    };

    /// Pairs of one opening, which are independent of each other if they have nothing but the
    /// opening in common. They give no information about other openings.
    pub const ONE_OPENING: Self = Self {
        clusters: 1,
        ..Self::NONE
    };

    /// The effect of the openings on intervals; `None` if the effect includes nothing else.
    pub(super) fn without_workers(self) -> Option<Self> {
        self.workers.map(|interval| Self {
            interval,
            workers: None,
            ..self
        })
    }

    /// Returns whether the error of the mean score is unknown because all pairs are one cluster.
    pub fn is_unknown(self) -> bool {
        self.shared && self.clusters == 0
    }

    /// The square of the interval's width divided by that of as many independent pairs, as far as
    /// the clusters support it: `None` without information, and with few clusters at least 1,
    /// because a lower value may be luck.
    pub fn supported(self) -> Option<f64> {
        match self.clusters {
            0..2 => None,
            2..FEW_CLUSTERS => Some(self.interval.max(1.0)),
            _ => Some(self.interval),
        }
    }
}

/// Pair results by opening.
///
/// Contains only sums of integers, so the order of pairs does not matter.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// By opening, or another pair of indices: number of pairs, and the sum of their outcomes (0 to
    /// 4 each).
    sums: BTreeMap<[usize; 2], (u64, u64)>,
    counts: Pentanomial,
}

impl Clusters {
    /// Pairs with these outcomes; [`Clusters::add`] then supplies their openings.
    pub fn of(counts: Pentanomial) -> Self {
        Self {
            counts,
            ..Self::default()
        }
    }

    /// Adds an opening with `pairs` of the pairs and the sum of their outcomes, from 0 (both games
    /// lost) to 4 (both won).
    pub fn add(&mut self, opening: usize, pairs: u64, sum: u64) {
        self.add_to([opening, 0], pairs, sum);
    }

    /// The same for a cluster with two indices.
    pub(super) fn add_to(&mut self, cluster: [usize; 2], pairs: u64, sum: u64) {
        let sums = self.sums.entry(cluster).or_default();
        *sums = (sums.0 + pairs, sums.1 + sum);
    }

    /// Counts one more pair from `opening`: 0 (both games lost) to 4 (both won). Numbers above 4
    /// count as 4.
    pub fn record(&mut self, opening: usize, cell: usize) {
        self.record_in([opening, 0], cell);
    }

    /// The same for a cluster with two indices.
    pub(super) fn record_in(&mut self, cluster: [usize; 2], cell: usize) {
        let cell = cell.min(4);
        self.counts.0[cell] += 1;
        self.add_to(cluster, 1, cell as u64);
    }

    /// The number of clusters.
    pub(super) fn number(&self) -> u64 {
        self.sums.len() as u64
    }

    /// The error due to an independent offset of each cluster.
    pub(super) fn offsets(&self) -> Offsets {
        let mut pairs: Vec<u64> = self.sums.values().map(|&(pairs, _)| pairs).collect();
        // Sorted, so that sums do not depend on the numbering of clusters.
        pairs.sort_unstable();
        let all: u64 = pairs.iter().sum();
        let shares: Vec<f64> = pairs.iter().map(|&own| own as f64 / all as f64).collect();
        Offsets::of(&shares)
    }

    /// Returns whether all pairs have the same outcome.
    pub(super) fn is_constant(&self) -> bool {
        self.counts.0.iter().filter(|&&count| count > 0).count() < 2
    }

    /// The effect of the openings on the variance of the mean score:
    ///
    /// ```text
    /// Σ_o (Σ_{i in o} (x_i - μ))² / (1 - n_o/N)  /  Σ_i (x_i - μ)²
    /// ```
    ///
    /// with `n_o` of all N pairs from opening o, which is CR2 of Bell and `McCaffrey` for a mean;
    /// and the same with Student's factor for intervals, with their degrees of freedom. 1 if no
    /// opening has two pairs. If all pairs are equal an opening counts as one pair; with a single
    /// opening the error is unknown ([`Effect::is_unknown`]).
    pub fn effect(&self) -> Effect {
        let effect = self.scatter(Unseen::Expected);
        let few = (2..FEW_CLUSTERS).contains(&self.number());
        Effect {
            superiority: (effect.shared && few).then(|| self.superiority()),
            ..effect
        }
    }

    /// The same without `superiority`.
    pub(super) fn scatter(&self, unseen: Unseen) -> Effect {
        let pairs: u64 = self.counts.0.iter().sum();
        let openings = self.number();
        if openings == pairs {
            return Effect::NONE;
        }
        if openings < 2 {
            return Effect {
                shared: true,
                clusters: 0,
                ..Effect::NONE
            };
        }
        let cells = || (0..5_u64).zip(self.counts.0);
        let total: u64 = cells().map(|(cell, count)| cell * count).sum();
        // Deviations times the number of pairs are integers.
        let deviation = |sum: u64, number: u64| {
            i128::from(sum) * i128::from(pairs) - i128::from(number) * i128::from(total)
        };
        let alone: i128 = cells()
            .map(|(cell, count)| i128::from(count) * deviation(cell, 1).pow(2))
            .sum();
        if alone == 0 {
            let in_each = pairs as f64 / openings as f64;
            return Effect {
                design: in_each,
                interval: in_each,
                shared: true,
                clusters: 1,
                ..Effect::NONE
            };
        }
        // In units of the error of independent pairs.
        let (alone, all) = ((alone as f64).sqrt(), pairs as f64);
        // Sorted, so that the sum does not depend on the numbering of openings.
        let mut clusters: Vec<(u64, u64)> = self.sums.values().copied().collect();
        clusters.sort_unstable();
        let mut sums = ErrorSums::default();
        let mut between = 0.0;
        for (number, sum) in clusters {
            let part = deviation(sum, number) as f64 / alone;
            sums.add(part, number as f64 / all, 1.0);
            between += part * part / number as f64;
        }
        // Variance of a pair of two coin tosses with the mean score μ: μ(1-μ)/2, in quarters of a
        // point and times the number of pairs, as the deviations are.
        let tosses = (total as f64) * (4.0 * all - total as f64) / 2.0;
        let (by_model, [offset, offset_claimed]) = match unseen {
            Unseen::Expected => (all * tosses / (alone * alone), [0.0; 2]),
            Unseen::None => {
                let within = all * (1.0 - between).max(0.0) / (all - openings as f64);
                (0.0, self.offsets().variance(all * between, within))
            }
        };
        Effect {
            design: sums.variance(by_model).max(offset),
            interval: sums.claimed(by_model).max(offset_claimed),
            shared: true,
            clusters: openings,
            ..Effect::NONE
        }
    }

    /// Computes [`Effect::superiority`] by the sign-flip test of the clusters' leads, which is
    /// exact if a lead of either sign and the same size is equally likely.
    fn superiority(&self) -> f64 {
        let leads = self
            .sums
            .values()
            .map(|&(pairs, sum)| sum as i64 - 2 * pairs as i64);
        let leads: Vec<i64> = leads.collect();
        let tail = sign_flip(&leads).p / 2.0;
        match leads.iter().sum::<i64>() {
            0 => 0.5,
            lead if lead > 0 => 1.0 - tail,
            _ => tail,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::estimate_clustered;

    #[test]
    fn the_formula_on_a_small_case() {
        let mut clusters = Clusters::default();
        assert_eq!(clusters.effect(), Effect::NONE);
        // Openings 0 and 1 twice, opening 2 once; mean 2.
        for (opening, cell) in [(0, 4), (0, 3), (1, 1), (1, 0), (2, 2)] {
            clusters.record(opening, cell);
        }
        // Sums of deviations 3, -3, 0; their squares over 1 - 2/5; alone 4+1+1+4 = 10,
        let effect = clusters.effect();
        // plus the contribution of 2.78 effective clusters, two with scatter.
        let unseen = 2.0 * (5.0 * 10.0 * 10.0 / 2.0 / 250.0) / (25.0 / 9.0) / 9.0;
        assert!((effect.design - (18.0 / 0.6 / 10.0 + unseen)).abs() < 1e-14);
        assert!(effect.interval > effect.design && effect.shared);
        // With a single opening, the variance between openings is unknown.
        let mut one = Clusters::default();
        for cell in [4, 3, 1] {
            one.record(7, cell);
        }
        assert!(one.effect().is_unknown() && !effect.is_unknown());
        assert_eq!(one.effect().supported(), None);
        assert_eq!(Effect::ONE_OPENING.supported(), None);
        assert!(!Effect::ONE_OPENING.is_unknown());
    }

    /// Also if one of few openings is much better than the others.
    #[test]
    fn superiority_rises_with_every_result() {
        let los = |sums: &[usize]| {
            let mut clusters = Clusters::default();
            let mut counts = Pentanomial::default();
            for (opening, &sum) in sums.iter().enumerate() {
                for pair in 0..6 {
                    let cell = (sum.saturating_sub(4 * pair)).min(4);
                    clusters.record(opening, cell);
                    counts.0[cell] += 1;
                }
            }
            estimate_clustered(counts, clusters.effect()).los_cautious
        };
        for one in 0..=24 {
            for other in 0..=24 {
                let here = los(&[one, other]);
                assert!(los(&[one + 1, other]) >= here, "{one} {other}");
                assert!(los(&[15, one, other]) <= los(&[16, one, other]));
                // Two openings never give certainty.
                assert!(Some(0.2) < here && here < Some(0.8), "{here:?}");
                let mirrored = los(&[24 - one, 24 - other]);
                let both = here.zip(mirrored).map(|(one, other)| one + other);
                assert!(both.is_some_and(|sum| (sum - 1.0).abs() < 1e-12));
            }
        }
        assert!(los(&[20; 6]) > Some(0.975));
    }

    /// If all pairs are equal no variance is visible: the pairs of an opening count as one.
    #[test]
    fn equal_pairs_count_by_openings() {
        let width = |pairs: usize| {
            let mut clusters = Clusters::default();
            for pair in 0..pairs {
                clusters.record(pair % 3, 2);
            }
            let counts = Pentanomial([0, 0, pairs as u64, 0, 0]);
            let score = estimate_clustered(counts, clusters.effect()).score;
            score.high.zip(score.low).map(|(high, low)| high - low)
        };
        let (few, many) = (width(6).unwrap(), width(600).unwrap());
        assert!((few - many).abs() < 1e-9, "{few} {many}");
    }

    /// With few openings the variance between them may be small by luck: they must not count as
    /// more pairs than there are.
    #[test]
    fn few_openings_are_not_worth_more_pairs_than_there_are() {
        let mut two = Clusters::default();
        for pair in 0..24 {
            two.record(pair % 2, 4 * (pair / 2 % 2));
        }
        let effect = two.effect();
        assert!(effect.design < 0.6, "{effect:?}");
        assert!(effect.supported() >= Some(1.0), "{effect:?}");
        let mut forty = Clusters::default();
        for pair in 0..80 {
            forty.record(pair % 40, 4 * (pair / 40));
        }
        assert!(forty.effect().supported() < Some(0.5));
    }

    #[test]
    fn nothing_hangs_together_where_each_opening_is_new() {
        let mut clusters = Clusters::default();
        for opening in 0..50 {
            clusters.record(opening, opening % 5);
        }
        assert_eq!(clusters.effect(), Effect::NONE);
        let mut equal = Clusters::default();
        for pair in 0..50 {
            equal.record(pair % 3, 2);
        }
        assert!((equal.effect().design - 50.0 / 3.0).abs() < 1e-12);
    }

    /// Five opponents play each opening, and it determines three outcomes in four: clustered
    /// intervals cover the truth, plain ones do not.
    #[test]
    fn clustered_intervals_cover() {
        let runs = 400;
        let (mut plain, mut robust) = (0, 0);
        for run in 0..runs {
            let mut random = ChaCha8Rng::seed_from_u64(run);
            let mut below = |n: u32| (random.next_u32() % n) as usize;
            let mut clusters = Clusters::default();
            let mut counts = Pentanomial::default();
            for opening in 0..80 {
                let shared = below(5);
                for _ in 0..5 {
                    let own = below(20);
                    let cell = if own < 5 { own } else { shared };
                    clusters.record(opening, cell);
                    counts.0[cell] += 1;
                }
            }
            let covers = |effect: Effect| {
                let score = estimate_clustered(counts, effect).score;
                u64::from(score.low <= Some(0.5) && score.high >= Some(0.5))
            };
            plain += covers(Effect::NONE);
            robust += covers(clusters.effect());
        }
        assert!(robust as f64 > 0.92 * runs as f64, "{robust} of {runs}");
        assert!((plain as f64) < 0.85 * runs as f64, "{plain} of {runs}");
    }
}
