use proptest::prelude::*;

use super::super::simulation::independent;
use super::super::{
    Gsprt, PairLaw, Pentanomial, SequentialTest, Simulated, Strict, Trinomial, simulate_all,
};
use super::*;
use crate::RandomNumbers;

fn rates(alpha: f64, beta: f64) -> ErrorRates {
    ErrorRates::new(alpha, beta).expect("rates")
}

fn logistic(elo0: f64, elo1: f64) -> Hypotheses {
    Hypotheses::new(elo0, elo1, Model::Logistic).expect("in order")
}

/// Against the results of fishtest's own code.
#[test]
fn agrees_with_fishtest() {
    let table = include_str!("../../../../tests/data/planning/after-sprt.csv");
    let mut rows = 0;
    for line in table.lines().skip(3) {
        let columns: Vec<&str> = line.split(',').collect();
        let counts: Vec<u64> = columns[0]
            .split(' ')
            .map(|n| n.parse().expect("u64"))
            .collect();
        let model = match columns[1] {
            "logistic" => Model::Logistic,
            _ => Model::Normalized,
        };
        let number = |i: usize| columns[i].parse::<f64>().expect("f64");
        let hypotheses = Hypotheses::new(number(2), number(3), model).expect("in order");
        let rates = rates(number(4), number(5));
        let results: Multinomial = match <[u64; 5]>::try_from(&counts[..]) {
            Ok(pairs) => Pentanomial(pairs).into(),
            Err(_) => Trinomial {
                losses: counts[0],
                draws: counts[1],
                wins: counts[2],
            }
            .into(),
        };
        let got = after_sprt(results, hypotheses, rates);
        let near = |got: Option<f64>, want: f64| {
            got.is_some_and(|got| (got - want).abs() < 1e-6 * want.abs().max(1.0))
        };
        assert!(near(got.elo_median_unbiased, number(6)), "{line}: {got:?}");
        assert!(near(got.ci_low, number(7)), "{line}: {got:?}");
        assert!(near(got.ci_high, number(8)), "{line}: {got:?}");
        assert!(near(got.los, number(9)), "{line}: {got:?}");
        assert_eq!(got.clamped, columns[10] == "1", "{line}");
        rows += 1;
    }
    assert!(rows >= 55);
}

#[test]
fn other_stops_are_not_genuine() {
    let after = |counts| after_sprt(Pentanomial(counts), logistic(0.0, 5.0), rates(0.05, 0.05));
    assert_eq!(after([0; 5]).note, Some(StopNote::NoResults));
    assert_eq!(after([0; 5]).elo_median_unbiased, None);
    assert_eq!(
        after([10, 40, 100, 60, 15]).note,
        Some(StopNote::NotStopped)
    );
    let beyond = after([0, 0, 10_000, 0, 0]);
    assert!(beyond.clamped && beyond.note == Some(StopNote::BeyondBound));
    // Few skewed pairs: the normal approximation is far beyond a bound, the ratio is not.
    let skewed = after_sprt(
        Pentanomial([0, 0, 20, 1, 0]),
        logistic(0.0, 30.0),
        rates(0.05, 0.05),
    );
    assert!(
        skewed.clamped && skewed.note == Some(StopNote::NotStopped),
        "{skewed:?}"
    );
    let close = after_sprt(
        Pentanomial([1, 2, 3, 2, 1]),
        logistic(0.0, 1e-200),
        rates(0.05, 0.05),
    );
    assert_eq!(close.note, Some(StopNote::SameHypotheses));
}

/// Skewed pairs, mostly level pairs, decisive pairs; tests tilt them to a strength.
const SKEWED: [[u64; 5]; 7] = [
    [60, 20, 900, 10, 10],
    [10, 10, 900, 20, 60],
    [2, 2, 6, 14, 76],
    [76, 14, 6, 2, 2],
    [5, 20, 950, 20, 5],
    [3, 0, 80, 17, 0],
    [20, 10, 40, 10, 20],
];

/// Returns the share of genuine stops that are not recognized, and the share of matches cut off at
/// half their length that are not reported as unfinished.
fn misjudged<T: SequentialTest + Clone + Sync>(
    test: &T,
    hypotheses: Hypotheses,
    law: &PairLaw,
    runs: u64,
) -> [f64; 2] {
    let rates = rates(0.05, 0.05);
    let threads = std::thread::available_parallelism().expect("threads");
    let stopped = simulate_all(test, law, 3, runs, 1_000_000, threads);
    let not_stopped = |m: &&Simulated| {
        let note = after_sprt(m.counts, hypotheses, rates).note;
        note == Some(StopNote::NotStopped)
    };
    let missed = stopped.iter().filter(not_stopped).count();
    let halves: Vec<_> = stopped
        .iter()
        .zip(0..)
        .map(|(whole, number)| {
            let half = whole.counts.pairs() / 2;
            super::super::simulate(test.clone(), law, 3, number, half)
        })
        .collect();
    let believed = halves.len() - halves.iter().filter(not_stopped).count();
    [missed, believed].map(|n| n as f64 / runs as f64)
}

/// Genuine stops of every test are recognized on skewed pairs, and so are matches that are half
/// over.
#[test]
fn a_genuine_stop_is_known() {
    // Some of the laws; the table in the docs has all of them.
    genuine_stops(15, SKEWED.into_iter().step_by(6), false);
}

#[test]
#[ignore = "prints the table of the docs; some minutes"]
fn genuine_stop_table() {
    genuine_stops(1_000, SKEWED.into_iter(), true);
}

fn genuine_stops(runs: u64, pilots: impl Iterator<Item = [u64; 5]>, print: bool) {
    let rates = rates(0.05, 0.05);
    let (mut missed, mut believed, mut cells) = (0.0, 0.0, 0.0);
    for pilot in pilots {
        for (elo0, elo1) in [(0.0, 30.0), (-50.0, 10.0), (200.0, 230.0)] {
            for truth in [elo0, f64::midpoint(elo0, elo1), elo1] {
                let Ok(law) = PairLaw::from_pilot(Pentanomial(pilot), truth) else {
                    continue;
                };
                let plain = logistic(elo0, elo1);
                let scaled = Hypotheses::new(elo0, elo1, Model::Normalized).expect("in order");
                let gsprt = |hypotheses| Gsprt::new(hypotheses, rates);
                let strict = Strict::new(plain, rates).expect("logistic");
                for (name, [miss, belief]) in [
                    ("gsprt", misjudged(&gsprt(plain), plain, &law, runs)),
                    (
                        "gsprt, Wald's bounds",
                        misjudged(
                            &gsprt(plain).without_overshoot_correction(),
                            plain,
                            &law,
                            runs,
                        ),
                    ),
                    (
                        "gsprt, normalized",
                        misjudged(&gsprt(scaled), scaled, &law, runs),
                    ),
                    ("strict", misjudged(&strict, plain, &law, runs)),
                ] {
                    if print {
                        println!(
                            "{pilot:?} ({elo0}, {elo1}) at {truth}, {name}: missed {miss:.4}, \
                             believed {belief:.4}"
                        );
                    }
                    missed += miss;
                    believed += belief;
                    cells += 1.0;
                    assert!(
                        miss <= 0.034,
                        "{pilot:?} ({elo0}, {elo1}) {truth} {name}: {miss}"
                    );
                }
            }
        }
    }
    println!(
        "missed {:.5}, believed {:.4}",
        missed / cells,
        believed / cells
    );
    assert!(missed / cells < 0.005, "{}", missed / cells);
    // Counts do not contain their order: the price of missing no genuine stop.
    assert!(believed / cells < 0.1, "{}", believed / cells);
}

/// The series and the images agree where both converge.
#[test]
fn series_and_images_agree() {
    let bounds = Bounds {
        lower: -2.944,
        upper: 2.944,
    };
    for drift in [-0.2, -0.01, 0.0, 0.003, 0.1] {
        let motion = Motion {
            drift,
            variance: 0.07,
        };
        for (time, level) in [(8.0, 2.944), (8.0, 0.0), (12.0, -2.944), (10.0, 1.0)] {
            let series = motion.by_series(bounds, time, level);
            let images = motion.by_images(bounds, time, level);
            // The images' tails are cut after two terms, for compatibility.
            let near = if drift < -0.1 { 5e-4 } else { 1e-5 };
            assert!(
                (series - images).abs() < near,
                "{drift} {time} {level}: {series} {images}"
            );
        }
    }
}

/// Compares the distribution with a simulated walk of small steps.
#[test]
fn the_law_is_that_of_a_walk() {
    let bounds = Bounds {
        lower: -2.0,
        upper: 3.0,
    };
    let (steps, runs) = (0.05_f64, 4000);
    for (drift, time, level) in [(0.0, 4.0, 1.0), (0.3, 6.0, 3.0), (-0.2, 3.0, -2.0)] {
        let motion = Motion {
            drift,
            variance: 1.0,
        };
        let mut dice = RandomNumbers::new(9, 0);
        let mut worse = 0;
        // A walk of ±√dt with the drift in its odds.
        let dt = steps * steps;
        let up = 0.5 * (1.0 + drift * steps);
        for _ in 0..runs {
            let (mut at, mut t) = (0.0, 0.0);
            worse += u32::from(loop {
                at += if dice.uniform() < up { steps } else { -steps };
                t += dt;
                if at <= bounds.lower + 1e-9 {
                    break t < time || level > bounds.lower;
                }
                if at >= bounds.upper - 1e-9 {
                    break level >= bounds.upper && t > time;
                }
                if level > bounds.lower && level < bounds.upper && t >= time {
                    break at < level;
                }
            });
        }
        let share = f64::from(worse) / f64::from(runs);
        let law = motion.worse(bounds, time, level);
        assert!(
            (share - law).abs() < 0.03,
            "{drift} {time} {level}: {share} {law}"
        );
    }
}

/// Coverage and centring at genuine stops, where the naive interval fails.
#[test]
fn covers_after_stopping() {
    let hypotheses = logistic(0.0, 20.0);
    let (s0, s1) = (0.5, score_from_elo(20.0));
    let law = independent(0.25, 0.5);
    let (lower, upper) = rates(0.05, 0.05).wald_bounds();
    let runs = 400;
    let (mut covered, mut above) = (0, 0);
    let mut dice = RandomNumbers::new(21, 0);
    for _ in 0..runs {
        let mut counts = Pentanomial::default();
        loop {
            counts.0[dice.outcome(&law)] += 1;
            let results = Multinomial::from(counts);
            let (Some(mean), Some(variance)) = (results.mean(), results.variance()) else {
                continue;
            };
            let units = results.units() as f64;
            let llr = units * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance.max(1e-3));
            if units > 20.0 && !(lower..upper).contains(&llr) {
                break;
            }
        }
        let got = after_sprt(counts, hypotheses, rates(0.05, 0.05));
        let (low, high) = (got.ci_low.expect("some"), got.ci_high.expect("some"));
        covered += u32::from(low <= 0.0 && 0.0 <= high);
        above += u32::from(got.elo_median_unbiased.expect("some") > 0.0);
    }
    // 95 % and 50 %, minus three standard errors.
    assert!(covered >= 366, "{covered} of {runs}");
    assert!((165..=235).contains(&above), "{above} of {runs}");
}

proptest! {
    #[test]
    fn total_and_in_order(
        counts in [0..50_u64, 0..1000, 0..100_000, 0..1000, 0..50],
        scale in 0..40_u32,
        elo0 in -1000.0..999.0_f64,
        above in 1e-6..1000.0_f64,
        alpha in 1e-9..0.5_f64,
        beta in 1e-9..0.49_f64,
        normalized: bool,
    ) {
        let model = if normalized { Model::Normalized } else { Model::Logistic };
        let hypotheses = Hypotheses::new(elo0, (elo0 + above).min(1000.0), model).expect("order");
        let counts = Pentanomial(counts.map(|n| n << scale));
        let got = after_sprt(counts, hypotheses, rates(alpha, beta));
        if let (Some(elo), Some(low), Some(high)) = (got.elo_median_unbiased, got.ci_low, got.ci_high) {
            prop_assert!(low <= elo && elo <= high, "{got:?}");
            prop_assert!(low >= -1000.0 && high <= 1000.0);
            prop_assert!((0.0..=1.0).contains(&got.los.expect("some")));
            prop_assert!(got.llr.expect("some").is_finite());
        } else {
            prop_assert!(got.note.is_some());
        }
    }
}
