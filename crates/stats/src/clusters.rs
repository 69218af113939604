//! Pairs that hang together because they began from the same opening.

use std::collections::BTreeMap;

use super::Pentanomial;
use super::sign_flip::sign_flip;
use super::small_sample::{ErrorSums, Offsets, Unseen};

/// How much pairs that hang together say about their mean score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Variance of the mean score over what it would be if pairs were
    /// independent. Below 1 if pairs of a cluster are opposites.
    pub design: f64,
    /// The same for an interval of ± 1.96 errors that covers 95 % with few
    /// clusters too.
    pub interval: f64,
    /// Whether any cluster of openings has two pairs or more.
    pub shared: bool,
    /// Clusters that tell how far clusters scatter: no end of them where each pair is
    /// one, 1 where none scatters, 0 where all pairs are one cluster.
    pub clusters: u64,
    /// Likelihood of superiority where clusters are few, 0..=1: one less the share of
    /// all choices of signs of the clusters' leads whose sum is no smaller. It rises with
    /// every result, which a lead over its error does not: the error grows with a result
    /// that is better than the others. `None` where that hardly matters.
    pub superiority: Option<f64>,
    /// Where the error rests on workers too ([`Crossed`](super::Crossed)), what `interval`
    /// would be without them.
    pub workers: Option<f64>,
}

/// Clusters from which errors can be estimated: below, intervals can miss what an opening
/// does that is rarely met (docs/rating.md).
pub const FEW_CLUSTERS: u64 = 20;

impl Effect {
    /// Pairs that are independent.
    pub const NONE: Self = Self {
        design: 1.0,
        interval: 1.0,
        shared: false,
        clusters: u64::MAX,
        superiority: None,
        workers: None,
    };

    /// Pairs of one opening, which are independent of each other where nothing but the
    /// opening is the same; of other openings they tell nothing.
    pub const ONE_OPENING: Self = Self {
        clusters: 1,
        ..Self::NONE
    };

    /// What the openings do to intervals; `None` where that is all that is in it.
    pub(super) fn without_workers(self) -> Option<Self> {
        self.workers.map(|interval| Self {
            interval,
            workers: None,
            ..self
        })
    }

    /// Whether nothing tells how far the mean score may be off: all pairs hang together.
    pub fn is_unknown(self) -> bool {
        self.shared && self.clusters == 0
    }

    /// The square of the interval's width over that of as many independent pairs, as far
    /// as the clusters bear it out: `None` where they tell nothing, and where they are
    /// few not below 1, for that may be luck.
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
/// Sums of integers only, so that the order of pairs does not matter.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// By opening, or by whatever pairs share: pairs, and the sum of their outcomes (0 to 4
    /// each).
    sums: BTreeMap<[usize; 2], (u64, u64)>,
    counts: Pentanomial,
}

impl Clusters {
    /// Clusters of pairs with these outcomes, to which [`Clusters::add`] gives
    /// their openings.
    pub fn of(counts: Pentanomial) -> Self {
        Self {
            counts,
            ..Self::default()
        }
    }

    /// Says that `pairs` of the pairs came from `opening`, and the sum of their
    /// outcomes, 0 lost both to 4 won both.
    pub fn add(&mut self, opening: usize, pairs: u64, sum: u64) {
        self.add_to([opening, 0], pairs, sum);
    }

    /// The same of what two numbers tell apart.
    pub(super) fn add_to(&mut self, cluster: [usize; 2], pairs: u64, sum: u64) {
        let all = self.sums.entry(cluster).or_default();
        all.0 += pairs;
        all.1 += sum;
    }

    /// Counts one more pair from `opening`: 0 lost both to 4 won both. Numbers
    /// above 4 count as 4.
    pub fn record(&mut self, opening: usize, cell: usize) {
        self.record_in([opening, 0], cell);
    }

    /// The same of what two numbers tell apart.
    pub(super) fn record_in(&mut self, cluster: [usize; 2], cell: usize) {
        let cell = cell.min(4);
        self.counts.0[cell] += 1;
        self.add_to(cluster, 1, cell as u64);
    }

    /// The same clusters, told apart by this number too from those to come.
    pub(super) fn all_beside(&self, number: usize) -> Self {
        let sums = self.sums.iter();
        let sums = sums.map(|(&[opening, _], &sum)| ([opening, number], sum));
        Self {
            sums: sums.collect(),
            counts: self.counts,
        }
    }

    /// How many clusters there are.
    pub(super) fn number(&self) -> u64 {
        self.sums.len() as u64
    }

    /// The error of clusters that are each off by an amount of their own.
    pub(super) fn offsets(&self) -> Offsets {
        let all: u64 = self.sums.values().map(|&(pairs, _)| pairs).sum();
        let mut pairs: Vec<u64> = self.sums.values().map(|&(pairs, _)| pairs).collect();
        // The same sums however clusters are numbered.
        pairs.sort_unstable();
        let shares: Vec<f64> = pairs.iter().map(|&it| it as f64 / all as f64).collect();
        Offsets::of(&shares)
    }

    /// Whether every pair has the same outcome.
    pub(super) fn is_constant(&self) -> bool {
        self.counts.0.iter().filter(|&&count| count > 0).count() < 2
    }

    /// By how much the openings change the variance of the mean score:
    ///
    /// ```text
    /// Σ_o (Σ_{i in o} (x_i - μ))² / (1 - n_o/N)  /  Σ_i (x_i - μ)²
    /// ```
    ///
    /// with `n_o` of all N pairs from opening o, which is CR2 of Bell and
    /// `McCaffrey` for a mean; and the same with Student's factor for intervals,
    /// both as `stats::small_sample` has them. 1 where no opening has two pairs.
    /// Where all pairs are equal an opening counts as one pair; from a single opening
    /// nothing can be told ([`Effect::is_unknown`]).
    pub fn effect(&self) -> Effect {
        let effect = self.scatter(Unseen::Expected);
        let few = (2..FEW_CLUSTERS).contains(&self.number());
        Effect {
            superiority: (effect.shared && few).then(|| self.superiority()),
            ..effect
        }
    }

    /// The same without the signs of the clusters' leads.
    pub(super) fn scatter(&self, unseen: Unseen) -> Effect {
        let pairs: u64 = self.counts.0.iter().sum();
        let openings = self.sums.len() as u64;
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
        // The same sum however openings are numbered.
        let mut clusters: Vec<(u64, u64)> = self.sums.values().copied().collect();
        clusters.sort_unstable();
        let mut sums = ErrorSums::default();
        let mut between = 0.0;
        for (number, sum) in clusters {
            let part = deviation(sum, number) as f64 / alone;
            sums.add(part, number as f64 / all, 1.0);
            between += part * part / number as f64;
        }
        // A pair of two tosses that score μ: μ(1-μ)/2, in quarters of a point
        // and times the pairs, as the deviations are.
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

    /// See [`Effect::superiority`]: from the sign-flip test of the clusters' leads, which
    /// is exact where they are as likely to be behind as ahead by as much.
    fn superiority(&self) -> f64 {
        let leads: Vec<i64> = self
            .sums
            .values()
            .map(|&(pairs, sum)| sum as i64 - 2 * pairs as i64)
            .collect();
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
        // Sums of deviations 3, -3, 0; their squares over 1 - 2/5; alone 4+1+1+4 = 10.
        let effect = clusters.effect();
        // and of three clusters of 2.78, two of which scatter, comes another.
        let unseen = 2.0 * (5.0 * 10.0 * 10.0 / 2.0 / 250.0) / (25.0 / 9.0) / 9.0;
        assert!((effect.design - (18.0 / 0.6 / 10.0 + unseen)).abs() < 1e-14);
        assert!(effect.interval > effect.design && effect.shared);
        // A single opening: nothing tells how openings differ.
        let mut one = Clusters::default();
        for cell in [4, 3, 1] {
            one.record(7, cell);
        }
        assert!(one.effect().is_unknown() && !effect.is_unknown());
        assert_eq!(one.effect().supported(), None);
        assert_eq!(Effect::ONE_OPENING.supported(), None);
        assert!(!Effect::ONE_OPENING.is_unknown());
    }

    /// However much one of few openings is better than the others.
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
                // Two openings are sure of nothing.
                assert!(Some(0.2) < here && here < Some(0.8), "{here:?}");
                let mirrored = los(&[24 - one, 24 - other]);
                let both = here.zip(mirrored).map(|(one, other)| one + other);
                assert!(both.is_some_and(|sum| (sum - 1.0).abs() < 1e-12));
            }
        }
        assert!(los(&[20; 6]) > Some(0.975));
    }

    /// Where all pairs are equal there is no scatter to see: the pairs of an opening
    /// are worth no more than one.
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

    /// With few openings the scatter between them may be small by luck: that is worth
    /// no more pairs than there are.
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

    /// Five opponents meet from each opening, and three outcomes in four are
    /// the opening's: intervals that know it cover, plain ones do not.
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
