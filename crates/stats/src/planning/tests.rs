use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::*;
use crate::{PairLaw, Simulator, Strict};

fn plan(elo0: f64, elo1: f64, model: Model, variance: GameVariance) -> TestPlan {
    let hypotheses = Hypotheses::new(elo0, elo1, model).expect("in order");
    let rates = ErrorRates::new(0.05, 0.05).expect("rates");
    TestPlan::new(hypotheses, rates, variance).expect("apart")
}

/// Against the results of fishtest's own calculator code.
#[test]
fn agrees_with_fishtests_calculator() {
    let table = include_str!("../../../../tests/data/planning/expectations.csv");
    let mut rows = 0;
    for line in table.lines().skip(2) {
        let (model, numbers) = line.split_once(',').expect("columns");
        let numbers: Vec<f64> = numbers
            .split(',')
            .map(|x| x.parse().expect("f64"))
            .collect();
        let &[elo0, elo1, alpha, beta, draws, bias, elo, pass, games] = &numbers[..] else {
            panic!("{line}")
        };
        let model = match model {
            "logistic" => Model::Logistic,
            _ => Model::Normalized,
        };
        let plan = TestPlan::new(
            Hypotheses::new(elo0, elo1, model).expect("in order"),
            ErrorRates::new(alpha, beta).expect("rates"),
            GameVariance::from_rates(draws, bias).expect("some"),
        )
        .expect("apart");
        let got = plan.sequential(elo);
        // At h = 1e-6 the calculator's own formula has lost half its digits.
        let near = if (pass - 0.5).abs() < 1e-4 {
            3e-6
        } else {
            1e-8
        };
        assert!(
            (got.pass_probability - pass).abs() < 1e-9,
            "{line}: {got:?}"
        );
        assert!(
            (got.expected_games / games - 1.0).abs() < near,
            "{line}: {got:?}"
        );
        rows += 1;
    }
    assert!(rows >= 35);
}

/// Known values for the defaults of the two calculators.
#[test]
fn worked_values() {
    let whole = |plan: &TestPlan, elo| plan.sequential(elo).expected_games.round() as u64;
    let even = GameVariance::from_rates(0.5, 0.0).expect("some");
    let logistic = plan(0.0, 5.0, Model::Logistic, even);
    for (elo, games) in [(0.0, 12_797), (2.5, 20_934), (5.0, 12_797)] {
        assert_eq!(whole(&logistic, elo), games);
    }
    let lopsided = GameVariance::from_rates(0.49, 191.0).expect("some");
    let normalized = plan(0.0, 2.0, Model::Normalized, lopsided);
    assert_eq!(whole(&normalized, 0.0), 159_942);
    let middle = elo_from_score(0.5 + (normalized.s1 - 0.5) / 2.0).expect("inside");
    assert_eq!(whole(&normalized, middle), 261_634);
}

/// Against Wald's identity, the mirrored motion and the limits.
#[test]
fn passage_at_small_and_large_drift() {
    let even = ErrorRates::new(0.05, 0.05).expect("rates").wald_bounds();
    let (a, b) = ErrorRates::new(0.01, 0.1).expect("rates").wald_bounds();
    assert!((passage_time(0.0, even.0, even.1) - even.1 * even.1).abs() < 1e-14);
    assert!((passage_time(0.0, a, b) + a * b).abs() < 1e-14);
    for h in [1e-300, 1e-12, 1e-4, 0.01, 0.0739, 0.0741, 0.3, 1.0] {
        // Wald's identity E(level) = h/2 · E(time), in both directions.
        for h in [h, -h] {
            let (p, t) = (pass_probability(h, a, b), passage_time(h, a, b));
            let level = b * p + a * (1.0 - p);
            assert!((level - h / 2.0 * t).abs() < 3e-15, "{h}");
            let mirrored = passage_time(-h, -b, -a);
            assert!((t / mirrored - 1.0).abs() < 1e-12, "{h}");
        }
    }
    for h in [1e3, 1e6, 1e15] {
        assert!((passage_time(h, a, b) - 2.0 * b / h).abs() < 1e-12 / h);
        assert!((passage_time(-h, a, b) + 2.0 * a / h).abs() < 1e-12 / h);
        assert!((pass_probability(h, a, b) - 1.0).abs() < 1e-15);
        assert!(pass_probability(-h, a, b) < 1e-300);
    }
}

#[test]
fn a_pilot_stands_for_its_rates() {
    // Independent games, draws .5: variance of a game 1/8.
    let pilot = Pentanomial([1, 4, 6, 4, 1]);
    let measured = GameVariance::from_pilot(pilot).expect("spread");
    let stated = GameVariance::from_rates(0.5, 0.0).expect("some");
    assert!((measured.get() - stated.get()).abs() < 1e-15);
    for none in [Pentanomial::default(), Pentanomial([0, 0, 9, 0, 0])] {
        assert_eq!(GameVariance::from_pilot(none), Err(BadPlan::Pilot));
    }
}

#[test]
fn contradictions_are_named() {
    assert_eq!(
        GameVariance::from_rates(1.0, 0.0),
        Err(BadPlan::DrawRate(1.0))
    );
    assert!(GameVariance::from_rates(f64::NAN, 0.0).is_err());
    assert_eq!(
        GameVariance::from_rates(0.5, -1.0),
        Err(BadPlan::Bias(-1.0))
    );
    let error = GameVariance::from_rates(0.9, 191.0).expect_err("contradiction");
    let text = error.to_string();
    assert!(
        text.contains("0.9") && text.contains("191") && text.contains("113.8"),
        "{text}"
    );
    // The bias in the message is the limit: there is variance just below it and none just above.
    let BadPlan::Contradiction { most, .. } = error else {
        panic!("{error}")
    };
    assert!(GameVariance::from_rates(0.9, most - 1e-6).is_ok());
    assert!(GameVariance::from_rates(0.9, most + 1e-6).is_err());
    let close = Hypotheses::new(1.0, 1.0 + 1e-15, Model::Logistic).expect("in order");
    let rates = ErrorRates::new(0.05, 0.05).expect("rates");
    let even = GameVariance::from_rates(0.5, 0.0).expect("some");
    assert_eq!(
        TestPlan::new(close, rates, even),
        Err(BadPlan::SameHypotheses)
    );
}

#[test]
fn fixed_length() {
    let even = GameVariance::from_rates(0.5, 0.0).expect("some");
    let plan = plan(0.0, 5.0, Model::Logistic, even);
    // (1.644854 + 1.644854)² · 0.125 / 0.00719508² = 26 131 by hand.
    let games = plan.fixed_games(5.0).expect("above H0");
    assert!((games - 26_131.2).abs() < 1.0, "{games}");
    assert!((plan.fixed_power(5.0, games) - 0.95).abs() < 1e-12);
    assert!((plan.fixed_power(0.0, games) - 0.05).abs() < 1e-12);
    assert_eq!(plan.fixed_games(0.0), None);
    // 1.959964 · √(0.125/10000) · 694.87 = 4.815 Elo.
    let half = plan.half_width(10_000.0).expect("inside");
    assert!((half - 4.815).abs() < 1e-3, "{half}");
    let back = plan.games_for_half_width(half).expect("above 0");
    assert!((back - 10_000.0).abs() < 1e-6, "{back}");
    assert_eq!(plan.half_width(1.0), None);
    assert_eq!(plan.games_for_half_width(0.0), None);
}

proptest! {
    #[test]
    fn total_and_rising(
        elo0 in -1000.0..990.0_f64,
        above in 0.01..100.0_f64,
        draws in 0.0..0.99_f64,
        bias in 0.0..600.0_f64,
        alpha in 1e-6..0.5_f64,
        beta in 1e-6..0.49_f64,
        normalized: bool,
    ) {
        let model = if normalized { Model::Normalized } else { Model::Logistic };
        let hypotheses = Hypotheses::new(elo0, (elo0 + above).min(1000.0), model).expect("order");
        let rates = ErrorRates::new(alpha, beta).expect("rates");
        if let Ok(variance) = GameVariance::from_rates(draws, bias) {
            let plan = TestPlan::new(hypotheses, rates, variance).expect("apart");
            let mut before = -1.0;
            for step in -40..=40 {
                let elo = f64::from(step) * 50.0;
                let got = plan.sequential(elo);
                prop_assert!((0.0..=1.0).contains(&got.pass_probability));
                prop_assert!(got.pass_probability >= before - 1e-12);
                prop_assert!(got.expected_games.is_finite() && got.expected_games >= 0.0);
                before = got.pass_probability;
                let power = plan.fixed_power(elo, 1000.0);
                prop_assert!((0.0..=1.0).contains(&power));
            }
        }
    }
}

#[test]
fn a_test_in_small_passes_as_often_after_fewer_pairs() {
    let hypotheses = Hypotheses::new(0.0, 20.0, Model::Logistic).expect("in order");
    let rates = ErrorRates::new(0.05, 0.05).expect("rates");
    let stretch = Stretch::new(hypotheses, 4.0).expect("fewer");
    let small = stretch.hypotheses();
    assert_eq!((small.elo0(), small.elo1()), (-10.0, 30.0));
    assert_eq!((stretch.elo(10.0), stretch.elo(25.0)), (10.0, 40.0));
    assert_eq!([stretch.pairs(1001), stretch.pairs(1)], [251, 1]);
    assert_eq!(Stretch::new(hypotheses, 1.0), None);
    assert_eq!(Stretch::new(hypotheses, 1e9), None, "beyond the limit");

    let simulator = Simulator::new(NonZeroUsize::MIN);
    let test = Strict::new(hypotheses, rates).expect("logistic");
    for elo in [0.0, 8.0] {
        let played = |test: &Strict, elo| {
            let law = PairLaw::from_rates(0.5, 50.0, elo).expect("a law");
            Matches::new(test, &law, 1_000_000, &simulator).numbered(0..600)
        };
        let long = played(&test, elo);
        let short = test.with_hypotheses(small).expect("logistic");
        let short = stretch.back(played(&short, stretch.elo(elo)));
        let apart = |of: fn(&SimulatedTest) -> f64, error: fn(&SimulatedTest) -> f64| {
            (of(&long) - of(&short)).abs() / libm::hypot(error(&long), error(&short))
        };
        assert!(
            apart(|it| it.pass, |it| it.pass_error) < 4.0,
            "{long:?} {short:?}"
        );
        assert!(
            apart(|it| it.pairs, |it| it.pairs_error) < 4.0,
            "{long:?} {short:?}"
        );
    }
}
