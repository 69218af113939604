use super::*;
use crate::RandomNumbers;
use crate::{Gsprt, PairLaw, simulate, summarize};

fn variance() -> GameVariance {
    GameVariance::from_rates(0.2, 0.0).expect("some")
}

fn rate(prior: &str, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> f64 {
    let prior: IdeaPrior = prior.parse().expect("a law");
    let hypotheses = Hypotheses::new(elo0, elo1, Model::Logistic).expect("in order");
    let rates = ErrorRates::new(alpha, beta).expect("rates");
    let plan = TestPlan::new(hypotheses, rates, variance()).expect("apart");
    prior.gain_by_formula(&plan, None).elo_per_game
}

/// Against an independent computation (Python, 241 points to six deviations, Wald's formulas) and
/// the review that asked for it: 2.5 and 1.4 times the gain of (0, 5).
#[test]
fn a_coarser_test_wins_more() {
    for (prior, usual, ratio) in [
        ("N(-1,4)", 5.098_828_8e-5, 2.478_417_8),
        ("N(-3,6)", 7.667_875_5e-5, 3.064_797_4),
        ("N(-1,2)", 8.764_477_9e-6, 1.387_429_1),
    ] {
        let five = rate(prior, 0.0, 5.0, 0.05, 0.05);
        assert!((five / usual - 1.0).abs() < 1e-4, "{prior}: {five}");
        let coarse = rate(prior, 1.75, 8.75, 0.05, 0.4);
        assert!(
            (coarse / five / ratio - 1.0).abs() < 1e-3,
            "{prior}: {}",
            coarse / five
        );
    }
}

#[test]
fn the_best_is_better_than_all_others_in_its_region() {
    let prior: IdeaPrior = "N(-1,4)".parse().expect("a law");
    let best = prior.best(0.05, variance(), None).expect("some");
    let most = best.choice.gain.elo_per_game;
    assert!(
        most > 2.5 * rate("N(-1,4)", 0.0, 5.0, 0.05, 0.05),
        "{best:?}"
    );
    for (elo0, elo1, beta) in [(1.75, 8.75, 0.4), (0.0, 10.0, 0.3), (3.0, 20.0, 0.4)] {
        assert!(most >= rate("N(-1,4)", elo0, elo1, 0.05, beta));
    }
    assert!(best.choice.elo0 >= 0.0 && best.choice.beta <= 0.4 + 1e-12);
    assert!(best.alike.elo1[0] < best.choice.elo1 && best.choice.elo1 < best.searched.elo1[1]);
}

/// A stream of ideas, each simulated with the real test.
#[test]
fn a_stream_of_ideas_gains_by_the_formula() {
    let prior: IdeaPrior = "N(-10,30)".parse().expect("a law");
    let hypotheses = Hypotheses::new(0.0, 40.0, Model::Logistic).expect("in order");
    let rates = ErrorRates::new(0.05, 0.2).expect("rates");
    let plan = TestPlan::new(hypotheses, rates, variance()).expect("apart");
    let want = prior.gain_by_formula(&plan, None);
    let (mut won, mut squares, mut games) = (0.0, 0.0, 0.0);
    let ideas = 2_000;
    for idea in 0..ideas {
        let elo = prior.mean + prior.deviation * RandomNumbers::new(5, idea << 2 | 2).normal();
        let law = PairLaw::from_rates(0.2, 0.0, elo).expect("a law");
        let gate = simulate(Gsprt::new(hypotheses, rates), &law, 9, idea, 1_000_000);
        let fared = summarize(&[gate], &law, hypotheses, rates);
        let gain = elo * fared.accepted as f64;
        won += gain;
        squares += gain * gain;
        games += fared.mean_games.expect("decided");
    }
    let error = (squares - won * won / ideas as f64).sqrt() / games;
    let got = won / games;
    // Bounds are overshot: a gate takes a little longer than the formula says.
    assert!(
        (got - want.elo_per_game).abs() < 3.0 * error + 0.08 * want.elo_per_game,
        "{got} ± {error}, {want:?}"
    );
}

#[test]
fn the_law_is_estimated_from_results() {
    let mut covered = [0, 0];
    for seed in 0..200 {
        let mut random = RandomNumbers::new(seed, 14);
        let results: Vec<(f64, f64)> = (0..60)
            .map(|i| {
                let error = 2.0 + f64::from(i % 5);
                (
                    -2.0 + 6.0 * random.normal() + error * random.normal(),
                    error,
                )
            })
            .collect();
        let fitted = IdeaPrior::fit(&results).expect("enough");
        let within = |got: f64, want: f64, error: f64| u32::from((got - want).abs() < 1.96 * error);
        covered[0] += within(fitted.prior.mean, -2.0, fitted.mean_error);
        covered[1] += within(fitted.prior.deviation, 6.0, fitted.deviation_error);
    }
    assert!(
        covered.iter().all(|n| (174..=199).contains(n)),
        "{covered:?}"
    );
    let few = IdeaPrior::fit(&[(1.0, 2.0); 9]);
    assert_eq!(few, Err(BadPrior::TooFew { got: 9, want: 10 }));
}

#[test]
fn laws_are_read() {
    for (text, mean, deviation) in [("N(-1,4)", -1.0, 4.0), (" n( 0.5 , 2 )", 0.5, 2.0)] {
        let prior: IdeaPrior = text.parse().expect("a law");
        assert_eq!((prior.mean, prior.deviation), (mean, deviation));
    }
    for text in [
        "", "N", "N(1)", "N(1,0)", "N(a,2)", "N(1,-2)", "N(nan,1)", "N(1,inf)", "M(1,2)",
    ] {
        assert!(text.parse::<IdeaPrior>().is_err(), "{text}");
    }
    assert_eq!(
        "N(-1,4)".parse::<IdeaPrior>().expect("a law").to_string(),
        "N(-1,4)"
    );
}
