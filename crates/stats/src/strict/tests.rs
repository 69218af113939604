use proptest::prelude::*;

use super::super::simulation::independent;
use super::*;
use crate::RandomNumbers;

fn logistic(elo0: f64, elo1: f64) -> Strict {
    let hypotheses = Hypotheses::new(elo0, elo1, Model::Logistic).expect("in order");
    Strict::new(hypotheses, ErrorRates::new(0.05, 0.05).expect("rates")).expect("logistic")
}

/// Returns the shares of accepted and of undecided runs, and the mean number of games.
fn play(start: Strict, law: &[f64; 5], runs: u32, most: u32, seed: u64) -> (f64, f64, f64) {
    let (mut accepted, mut open, mut games) = (0, 0, 0_u64);
    for run in 0..runs {
        // Every test gets the same matches.
        let mut dice = RandomNumbers::new((seed << 32) + u64::from(run), 0);
        let mut test = start;
        for _ in 0..most {
            test.record(dice.outcome(law)).expect("a cell");
            if test.decision().is_some() {
                break;
            }
        }
        accepted += u32::from(test.decision() == Some(Decision::Accepted));
        open += u32::from(test.decision().is_none());
        games += 2 * test.pairs;
    }
    let share = |n: u32| f64::from(n) / f64::from(runs);
    (share(accepted), share(open), games as f64 / f64::from(runs))
}

/// Exponential tilting to a mean, by bisection.
fn with_mean(law: [f64; 5], mean: f64) -> [f64; 5] {
    let at = |theta: f64| {
        let mut tilted = law;
        for (i, p) in tilted.iter_mut().enumerate() {
            *p *= libm::exp(theta * i as f64);
        }
        let all: f64 = tilted.iter().sum();
        tilted.map(|p| p / all)
    };
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let got: f64 = (0..5).map(|i| at(middle)[i] * i as f64 / 4.0).sum();
        if got < mean {
            low = middle;
        } else {
            high = middle;
        }
    }
    at(low)
}

#[test]
fn two_pairs_by_hand() {
    // Hypotheses 0 and 100 Elo: s = 0.5 and 0.640065, δ = 0.140065.
    let mut test = logistic(0.0, 100.0);
    test.record(4).expect("a cell");
    // v = 1/16: δ/(v + δ²) = 1.7057, above the caps ½/0.5 and ½/0.359935.
    assert!((test.ln_evidence_against_h0() - libm::log(1.5)).abs() < 1e-15);
    assert!((test.ln_evidence_against_h1() - libm::log(0.5)).abs() < 1e-15);
    // One pair of 1 and four of ½ with variance 1/16: mean 0.6,
    // E(x-½)² = (¼ + ¼)/5 = 0.1, v = 0.1 - 0.01 = 0.09.
    assert!((test.variance().0 - 0.09).abs() < 1e-15);

    // Hypotheses 0 and 20 Elo: no cap. λ = δ/(1/16 + δ²), then δ/(0.09 + δ²).
    let mut test = logistic(0.0, 20.0);
    let delta: f64 = score_from_elo(20.0) - 0.5;
    let (first, second) = (
        delta / (0.0625 + delta * delta),
        delta / (0.09 + delta * delta),
    );
    test.record(4).expect("a cell");
    test.record(1).expect("a cell");
    let e0 = (1.0 + first * 0.5) * (1.0 - second * 0.25);
    let e1 = (1.0 - first * (0.5 - delta)) * (1.0 + second * (0.25 + delta));
    assert!((test.ln_evidence_against_h0() - libm::log(e0)).abs() < 1e-9);
    assert!((test.ln_evidence_against_h1() - libm::log(e1)).abs() < 1e-9);
    assert!(
        (test.level().value - libm::log(e0)).abs() < 1e-9,
        "e0 leads"
    );
}

/// Four streams, computed independently: see the head of the table.
#[test]
fn evidence_agrees_with_the_table() {
    let table = include_str!("../../../../tests/data/planning/strict-streams.csv");
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        let elo = |i: usize| fields[i].parse::<f64>().expect("Elo");
        let mut wanted = fields[3].split(' ').map(|point| {
            let mut numbers = point
                .split(':')
                .map(|n| n.parse::<f64>().expect("a number"));
            std::array::from_fn::<f64, 3, _>(|_| numbers.next().expect("three"))
        });
        let mut next = wanted.next();
        let mut test = logistic(elo(0), elo(1));
        for digit in fields[2].bytes() {
            test.record(usize::from(digit - b'0')).expect("a cell");
            let Some([pairs, e0, e1]) = next else { break };
            if test.pairs as f64 >= pairs {
                assert!((test.ln_evidence_against_h0() - e0).abs() < 1e-9, "{line}");
                assert!((test.ln_evidence_against_h1() - e1).abs() < 1e-9, "{line}");
                next = wanted.next();
            }
        }
        assert!(next.is_none(), "{line}");
        rows += 1;
    }
    assert_eq!(rows, 4);
}

/// At the edge of the null hypothesis, with many kinds of laws, and with hypotheses so far apart
/// that the GSPRT is not calibrated.
#[test]
fn errors_stay_below_their_rates() {
    let runs = 1500;
    // Five per cent plus three standard errors.
    let most = 0.05 + 3.0 * (0.05_f64 * 0.95 / f64::from(runs)).sqrt();
    for (law, elo0, elo1) in [
        (independent(0.25, 0.5), 0.0, 30.0),
        (independent(0.475, 0.05), 0.0, 100.0),
        ([0.005, 0.02, 0.95, 0.02, 0.005], 0.0, 20.0),
        ([0.3, 0.05, 0.3, 0.05, 0.3], -50.0, 50.0),
        ([0.02, 0.02, 0.06, 0.14, 0.76], 300.0, 400.0),
    ] {
        let start = logistic(elo0, elo1);
        let null = with_mean(law, start.s0);
        let (passed, ..) = play(start, &null, runs, 4000, 11);
        assert!(passed <= most, "{law:?} {elo0} {elo1}: {passed}");
        let other = with_mean(law, start.s1);
        let (passed, open, _) = play(start, &other, runs, 4000, 12);
        let failed = 1.0 - passed - open;
        assert!(failed <= most, "{law:?} {elo0} {elo1}: {failed}");
    }
}

/// Pairs whose law changes with the opening, always with the mean of H0.
#[test]
fn a_changing_law_is_covered() {
    let runs = 1500;
    let mut dice = RandomNumbers::new(5, 0);
    let mut accepted = 0;
    let laws = [
        independent(0.25, 0.5),
        [0.5, 0.0, 0.0, 0.0, 0.5],
        [0.0, 0.01, 0.98, 0.01, 0.0],
    ];
    for _ in 0..runs {
        let mut test = logistic(0.0, 40.0);
        for pair in 0..3000 {
            test.record(dice.outcome(&laws[pair / 7 % 3]))
                .expect("a cell");
        }
        accepted += u32::from(test.decision() == Some(Decision::Accepted));
    }
    let share = f64::from(accepted) / f64::from(runs);
    assert!(share <= 0.067, "{share}");
}

/// Expected games are within a tenth of Wald's for the same hypotheses.
#[test]
fn costs_little_more_than_the_walds_test() {
    // (0, 30), draws .5: expected games of the Brownian SPRT at its bounds.
    let start = logistic(0.0, 30.0);
    let (_, _, games) = play(start, &independent(0.25, 0.5), 1500, 100_000, 3);
    let (a, b) = ErrorRates::new(0.05, 0.05).expect("rates").wald_bounds();
    let wald = -2.0 * (0.05 * b + 0.95 * a) * 0.125 / (start.s1 - start.s0).powi(2);
    assert!((0.95..1.12).contains(&(games / wald)), "{games} {wald}");
}

#[test]
fn normalized_hypotheses_are_refused() {
    let hypotheses = Hypotheses::new(0.0, 2.0, Model::Normalized).expect("in order");
    let rates = ErrorRates::new(0.05, 0.05).expect("rates");
    let refused = Strict::new(hypotheses, rates).expect_err("refused");
    assert!(refused.to_string().contains("logistic"));
}

proptest! {
    /// The level is finite, and reaches a bound if and only if there is a decision.
    #[test]
    fn total_and_consistent(
        elo0 in -1000.0..999.0_f64,
        above in 0.001..1000.0_f64,
        alpha in 1e-6..0.5_f64,
        beta in 1e-6..0.499_f64,
        cells in proptest::collection::vec(0..5_usize, 1..300),
    ) {
        let elo1 = (elo0 + above).min(1000.0);
        let hypotheses = Hypotheses::new(elo0, elo1, Model::Logistic).expect("in order");
        let rates = ErrorRates::new(alpha, beta).expect("rates");
        let mut test = Strict::new(hypotheses, rates).expect("logistic");
        let mut before = None;
        for cell in cells {
            test.record(cell).expect("a cell");
            let level = test.level();
            prop_assert!(level.value.is_finite());
            if before.is_some() {
                prop_assert_eq!(before, test.decision());
                continue;
            }
            // The bound itself counts as reached, up to rounding.
            let high = level.value / level.upper >= 1.0;
            let low = level.value / level.lower >= 1.0;
            match test.decision() {
                Some(Decision::Accepted) => prop_assert!(high && !low),
                Some(Decision::Rejected) => prop_assert!(low && !high),
                None => prop_assert!(!high && !low),
            }
            before = test.decision();
        }
    }

    /// The mirrored match with mirrored hypotheses gives the opposite decision.
    #[test]
    fn mirrored(cells in proptest::collection::vec(0..5_usize, 1..300), elo in 1.0..200.0_f64) {
        let (mut one, mut other) = (logistic(-elo, elo / 2.0), logistic(-elo / 2.0, elo));
        for cell in cells {
            one.record(cell).expect("a cell");
            other.record(4 - cell).expect("a cell");
        }
        prop_assert!((one.ln_e0 - other.ln_e1).abs() < 1e-9);
        prop_assert!((one.ln_e1 - other.ln_e0).abs() < 1e-9);
    }
}

#[test]
fn a_level_of_nothing_has_no_sign() {
    let hypotheses = Hypotheses::new(-5.0, 200.0, Model::Logistic).expect("in order");
    let rates = ErrorRates::new(0.05, 0.05).expect("rates");
    for cells in [vec![], vec![2], vec![4], vec![4, 0], vec![0, 4], vec![3, 1]] {
        let mut test = Strict::new(hypotheses, rates).expect("logistic");
        for cell in cells {
            test.record(cell).expect("a cell");
        }
        let value = test.level().value;
        assert!(value != 0.0 || value.is_sign_positive(), "{value}");
    }
}
