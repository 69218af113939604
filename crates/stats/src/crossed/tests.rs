//! Tests of the formula on small cases, and of the coverage of intervals with several workers.

use super::*;
use crate::RandomNumbers;
use crate::gsprt::Gsprt;
use crate::{
    Basis, Decision, ErrorRates, Hypotheses, Model, PairLaw, SequentialTest as _,
    estimate_clustered, same_means,
};

fn counts(pairs: &[[usize; 3]]) -> Pentanomial {
    let mut counts = Pentanomial::default();
    for &[_, _, cell] in pairs {
        counts.record(cell).expect("a cell");
    }
    counts
}

/// Results of pairs, each with its opening, worker and cell.
fn crossed(pairs: &[[usize; 3]]) -> Crossed {
    let mut crossed = Crossed::of(counts(pairs));
    for &[opening, worker, cell] in pairs {
        crossed.add(opening, worker, 1, cell as u64);
    }
    crossed
}

#[test]
fn one_worker_changes_nothing() {
    let pairs = [0, 0, 1, 1, 2, 3].map(|opening| [opening, 7, (2 * opening + 1) % 5]);
    let one = crossed(&pairs);
    assert!(one.of_openings().shared);
    assert_eq!(one.effect(), one.of_openings());
    // Several workers change nothing if all pairs are equal, or if each played one pair.
    let level: Vec<_> = (0..60).map(|pair| [pair, pair % 3, 2]).collect();
    assert_eq!(crossed(&level).effect(), Effect::NONE);
    let each: Vec<_> = (0..60).map(|pair| [pair / 2, pair, pair % 5]).collect();
    assert_eq!(crossed(&each).effect(), crossed(&each).of_openings());
    // If all pairs have one opening, the error is unknown for any workers.
    let one_opening: Vec<_> = (0..60).map(|pair| [0, pair % 3, pair % 5]).collect();
    assert!(crossed(&one_opening).effect().is_unknown());
    assert_eq!(crossed(&one_opening).effect_of_one_opening().clusters, 1);
    assert_eq!(
        crossed(&one_opening).effect_of_one_opening().workers,
        Some(1.0)
    );
}

/// If each pair has an opening of its own, the variance is that by workers; also if each worker has
/// openings of its own, because all pairs of an opening are from one worker.
#[test]
fn nested_clusters_are_the_larger_ones() {
    let of_three = |opening: fn(usize) -> usize| {
        let pairs: Vec<_> = (0..60)
            .map(|pair| [opening(pair), pair / 20, [1, 2, 3, 2, pair / 15][pair % 5]])
            .collect();
        crossed(&pairs)
    };
    let (own, shared) = (of_three(|pair| pair), of_three(|pair| pair / 2));
    let workers = own.workers.scatter(Unseen::None);
    assert!(workers.design > 1.5, "{workers:?}");
    let effect = own.effect();
    assert!((effect.design - workers.design).abs() < 1e-12);
    assert!((effect.interval - workers.interval).abs() < 1e-12);
    assert_eq!((effect.clusters, effect.workers), (3, Some(1.0)));
    assert!((shared.effect().design - workers.design).abs() < 1e-12);
}

#[test]
fn both_ways_add_and_neither_is_lost() {
    for ([one, other, both], expected) in [
        ([3.0, 4.0, 1.0], 6.0),
        ([1.0, 0.3, 1.0], 1.0),
        ([0.5, 2.0, 1.0], 2.0),
    ] {
        assert!((two_way(one, other, both) - expected).abs() < 1e-12);
    }
    // Six openings that each decide their pairs, on three equal workers.
    let pairs: Vec<_> = (0..90)
        .map(|pair| [pair % 6, pair / 6 % 3, [0, 1, 2, 2, 3, 4][pair % 6]])
        .collect();
    let effect = crossed(&pairs).effect();
    let openings = crossed(&pairs).of_openings();
    assert!(effect.design >= openings.design && openings.design > 10.0);
    assert_eq!(effect.superiority, openings.superiority);
}

/// With few openings, the signs of their leads do not establish superiority if workers disagree.
#[test]
fn superiority_is_that_of_the_more_doubtful() {
    let pairs: Vec<_> = (0..300)
        .map(|pair| [pair % 10, pair / 100, [4, 3, 0][pair / 100]])
        .collect();
    let crossed = crossed(&pairs);
    let counts = Pentanomial([100, 0, 0, 100, 100]);
    let of = |effect| {
        estimate_clustered(counts, effect)
            .los_cautious
            .expect("known")
    };
    assert!(of(crossed.of_openings()) > 0.99);
    assert!((0.5..0.7).contains(&of(crossed.effect())));
}

/// Pair laws of ordinary games, in steps of half an Elo.
struct Laws(Vec<PairLaw>);

impl Laws {
    fn new() -> Self {
        let law = |elo| PairLaw::from_rates(0.5, 60.0, f64::from(elo) / 2.0).expect("rates");
        Self((-1000..=1000).map(law).collect())
    }

    fn outcome(&self, elo: f64, dice: &mut RandomNumbers) -> usize {
        let law = &self.0[(2.0 * elo + 1000.5).clamp(0.0, 2000.0) as usize];
        dice.outcome(law.probabilities())
    }
}

/// Workers that agree by luck do not narrow an interval: neither with few results nor with rare
/// ones.
#[test]
fn intervals_hold_those_without_workers() {
    let few: Vec<_> = (0..12)
        .map(|pair| [pair, pair % 2, [0, 4, 2][pair / 2 % 3]])
        .collect();
    let rare: Vec<_> = (0..400)
        .map(|pair| [pair, pair % 4, if pair < 4 { 3 } else { 2 }])
        .collect();
    for (pairs, basis) in [(few, Basis::FewResults), (rare, Basis::Skewed)] {
        let crossed = crossed(&pairs);
        assert!(crossed.effect().workers.is_some());
        let [with, without] = [crossed.effect(), crossed.of_openings()]
            .map(|effect| estimate_clustered(counts(&pairs), effect));
        assert_eq!(without.basis, basis);
        assert!(with.score.low <= without.score.low && with.score.high >= without.score.high);
        assert!(with.elo.low <= without.elo.low && with.elo.high >= without.elo.high);
    }
}

/// A group of workers, each with its own true strength difference.
struct Fleet {
    workers: usize,
    /// Standard deviation of the workers' strength differences, in Elo.
    offset: f64,
    pairs: usize,
    /// Number of pairs from each opening.
    repeats: usize,
    /// True if some workers play many times as many pairs as others: of three 76, 14 and 10 %.
    uneven: bool,
}

/// Results of many runs: the share whose interval covers the truth, the same share when workers are
/// ignored, and the ratio of the mean widths.
#[derive(Debug)]
struct EstimateQuality {
    crossed: f64,
    openings: f64,
    width: f64,
}

impl Fleet {
    const EVEN: Self = Self {
        workers: 3,
        offset: 0.0,
        pairs: 600,
        repeats: 1,
        uneven: false,
    };

    /// Measures coverage. The truth is the expected score of the mean worker among all possible
    /// ones, for which both players are equal.
    fn measure(&self, runs: u32, seed: u64) -> EstimateQuality {
        // Openings that occur several times favour one of the players.
        let suit = if self.repeats > 1 { 100.0 } else { 0.0 };
        let laws = Laws::new();
        let mut dice = RandomNumbers::new(seed, 0);
        let (mut covered, mut widths) = ([0_u32; 2], [0.0; 2]);
        for _ in 0..runs {
            let strengths: Vec<f64> = (0..self.workers)
                .map(|_| self.offset * dice.normal())
                .collect();
            let mut leaning = 0.0;
            let pairs: Vec<_> = (0..self.pairs)
                .map(|pair| {
                    if pair % self.repeats == 0 {
                        leaning = suit * dice.normal();
                    }
                    let of = dice.uniform();
                    let of = if self.uneven { of.powi(4) } else { of };
                    let worker = (of * self.workers as f64) as usize;
                    let cell = laws.outcome(strengths[worker] + leaning, &mut dice);
                    [pair / self.repeats, worker, cell]
                })
                .collect();
            let (crossed, counts) = (crossed(&pairs), counts(&pairs));
            for (at, effect) in [crossed.effect(), crossed.of_openings()].iter().enumerate() {
                let score = estimate_clustered(counts, *effect).score;
                let (low, high) = (score.low.unwrap_or(0.0), score.high.unwrap_or(1.0));
                covered[at] += u32::from(low <= 0.5 && high >= 0.5);
                widths[at] += high - low;
            }
        }
        let [crossed, openings] = covered.map(|count| f64::from(count) / f64::from(runs));
        EstimateQuality {
            crossed,
            openings,
            width: widths[0] / widths[1],
        }
    }
}

#[test]
fn intervals_of_several_workers_cover() {
    for workers in [3, 10] {
        for offset in [0.0, 15.0] {
            let fleet = Fleet {
                workers,
                offset,
                ..Fleet::EVEN
            };
            let fared = fleet.measure(400, 3);
            // Three standard errors.
            assert!(
                fared.crossed > 0.917,
                "{workers} workers, {offset}: {fared:?}"
            );
        }
    }
    let large = Fleet {
        offset: 30.0,
        pairs: 1500,
        ..Fleet::EVEN
    };
    let fared = large.measure(300, 3);
    assert!(fared.crossed > 0.912 && fared.openings < 0.85, "{fared:?}");
}

/// Of two workers, one may play nine pairs in ten.
#[test]
fn one_that_plays_nearly_all_is_alone() {
    let of_shares = |first: usize, others: usize| {
        let pairs: Vec<_> = (0..1000)
            .map(|pair| {
                let worker = if pair < first { 0 } else { 1 + pair % others };
                [pair, worker, [1, 2, 3, 0, 4][pair % 5]]
            })
            .collect();
        crossed(&pairs).effect()
    };
    assert!(of_shares(900, 1).workers.is_some());
    assert!(of_shares(900, 9).workers.is_some());
    for (first, others) in [(920, 1), (990, 1), (930, 9)] {
        assert_eq!(of_shares(first, others), Effect::NONE, "{first} {others}");
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn coverage_of_several_workers() {
    println!("workers, offset, pairs, pairs of an opening, uneven: covered, by openings, width");
    for workers in [2, 3, 10, 50] {
        for offset in [0.0, 5.0, 15.0] {
            for (pairs, repeats, uneven) in [
                (1000, 1, false),
                (4000, 1, false),
                (4000, 1, true),
                (1000, 20, false),
            ] {
                let fleet = Fleet {
                    workers,
                    offset,
                    pairs,
                    repeats,
                    uneven,
                };
                let fared = fleet.measure(2000, 1);
                println!(
                    "{workers:3} {offset:4} {pairs:6} {repeats:3} {uneven:5}  {:.3}  {:.3}  {:.2}",
                    fared.crossed, fared.openings, fared.width
                );
                assert!(fared.crossed > if uneven { 0.92 } else { 0.935 });
            }
        }
    }
}

/// Among `runs` tests of a player that is no stronger than the other: the share that accepts it as
/// 5 Elo stronger; and among those, the share with a warning that workers differ.
fn wrongly_accepted(workers: usize, offset: f64, runs: u32, seed: u64) -> [f64; 2] {
    let hypotheses = Hypotheses::new(0.0, 5.0, Model::Logistic).expect("a test");
    let fresh = Gsprt::new(hypotheses, ErrorRates::new(0.05, 0.05).expect("rates"));
    let (laws, mut dice) = (Laws::new(), RandomNumbers::new(seed, 0));
    let (mut accepted, mut told) = (0_u32, 0_u32);
    for _ in 0..runs {
        let strengths: Vec<f64> = (0..workers).map(|_| offset * dice.normal()).collect();
        let mut rows = vec![Pentanomial::default(); workers];
        let mut test = fresh.clone();
        while test.decision().is_none() {
            let worker = (dice.uniform() * workers as f64) as usize;
            let cell = laws.outcome(strengths[worker], &mut dice);
            rows[worker].record(cell).expect("a cell");
            test.record(cell).expect("a cell");
        }
        if test.decision() == Some(Decision::Accepted) {
            accepted += 1;
            told += u32::from(same_means(&rows).is_some_and(|test| test.p < 0.01));
        }
    }
    [
        f64::from(accepted) / f64::from(runs),
        f64::from(told) / f64::from(accepted.max(1)),
    ]
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn tests_of_several_workers() {
    println!("workers, offset: accepted although no stronger, of those with a warning");
    for workers in [1, 3, 10, 50] {
        for offset in [0.0, 5.0, 15.0] {
            let [accepted, told] = wrongly_accepted(workers, offset, 2000, 1);
            println!("{workers:3} {offset:4}  {accepted:.3}  {told:.2}");
            assert!(offset > 0.0 || accepted < 0.07);
        }
    }
}
