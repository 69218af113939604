use proptest::prelude::*;

use super::super::selfcheck::{Simulator, play_out};
use super::super::{PairLaw, simulate, wilson};
use super::*;

fn logistic(elo0: f64, elo1: f64) -> Hypotheses {
    Hypotheses::new(elo0, elo1, Model::Logistic).expect("in order")
}

fn rates(alpha: f64, beta: f64) -> ErrorRates {
    ErrorRates::new(alpha, beta).expect("rates")
}

fn test(elo0: f64, elo1: f64, pairs: u64, looks: u64) -> GroupSequential {
    GroupSequential::new(logistic(elo0, elo1), rates(0.05, 0.05), pairs, looks).expect("a test")
}

/// The decisions of `runs` matches, and the number of pairs of each.
fn decide(test: &GroupSequential, law: &PairLaw, runs: u64, seed: u64) -> Vec<(Decision, u64)> {
    let threads = std::thread::available_parallelism().expect("threads");
    Simulator::new(threads).run_all(runs, |number, memo| {
        let mut test = test.clone();
        let pairs = play_out(&mut test, law, (seed, number), u64::MAX, memo).pairs();
        (test.decision().expect("a decision"), pairs)
    })
}

/// Share of accepted among `runs`, and the mean number of pairs.
fn play(test: &GroupSequential, law: &PairLaw, runs: u64, seed: u64) -> (f64, f64) {
    let played = decide(test, law, runs, seed);
    let accepted = played.iter().filter(|m| m.0 == Decision::Accepted).count();
    let pairs: u64 = played.iter().map(|m| m.1).sum();
    (accepted as f64 / runs as f64, pairs as f64 / runs as f64)
}

/// Laws of all kinds, each tilted to the strength: draws, decisive games, biased openings, level
/// pairs, skewed to either side.
fn laws(elo: f64) -> Vec<(&'static str, PairLaw)> {
    let rates = |draws, bias| PairLaw::from_rates(draws, bias, elo).expect("a law");
    let pilot = |counts| PairLaw::from_pilot(Pentanomial(counts), elo).expect("a law");
    vec![
        ("draws .2", rates(0.2, 0.0)),
        ("draws .9", rates(0.9, 0.0)),
        ("no draws", rates(0.0, 0.0)),
        ("draws .49, bias 191", rates(0.49, 191.0)),
        ("95 % level", pilot([5, 20, 950, 20, 5])),
        ("skewed down", pilot([60, 20, 900, 10, 10])),
        ("skewed up", pilot([10, 10, 900, 20, 60])),
        ("few large losses", pilot([3, 0, 80, 17, 0])),
        ("few large wins", pilot([0, 17, 80, 0, 3])),
    ]
}

/// The target of a capped gate: power 74 % where the likelihood ratio test has 62 %.
#[test]
fn a_capped_gate_has_the_power_of_its_pairs() {
    let law = PairLaw::from_rates(0.2, 0.0, 30.0).expect("a law");
    let (power, pairs) = play(&test(0.0, 30.0, 300, 6), &law, 4_000, 1);
    assert!((0.725..0.775).contains(&power), "{power}");
    assert!(pairs < 250.0, "{pairs}");
    let null = PairLaw::from_rates(0.2, 0.0, 0.0).expect("a law");
    let (_, pairs) = play(&test(0.0, 30.0, 300, 6), &null, 4_000, 1);
    assert!(pairs < 240.0, "{pairs}");
}

/// At most α at H0, for all laws, pairs and looks.
#[test]
fn errors_stay_below_alpha() {
    for (pairs, looks) in [(300, 6), (100, 3), (60, 6)] {
        let test = test(0.0, 30.0, pairs, looks);
        for (name, law) in laws(0.0) {
            let (accepted, _) = play(&test, &law, 800, 7);
            // Five per cent and three standard errors.
            assert!(accepted < 0.073, "{name}, {pairs} pairs: {accepted}");
        }
    }
}

#[test]
#[ignore = "prints the table of the docs; a minute"]
fn error_and_power_table() {
    for (pairs, looks) in [(300, 6), (300, 1), (100, 6), (100, 3), (50, 6), (30, 3)] {
        for elo in [0.0, 30.0] {
            let test = test(0.0, 30.0, pairs, looks);
            for (name, law) in laws(elo) {
                let (accepted, mean) = play(&test, &law, 20_000, 7);
                println!("{pairs} pairs, {looks} looks, {name}, {elo}: {accepted:.4} {mean:.1}");
            }
        }
    }
}

/// A candidate as strong as H1 is rejected early with probability β at most.
#[test]
fn futility_costs_at_most_beta() {
    for (name, law) in laws(30.0) {
        let played = decide(&test(0.0, 30.0, 900, 6), &law, 1_500, 3);
        let early = |m: &&(Decision, u64)| m.0 == Decision::Rejected && m.1 < 900;
        let given_up = played.iter().filter(early).count() as u64;
        let low = wilson(given_up, 1_500).low.expect("some");
        assert!(low < 0.05, "{name}: {given_up} of 1500");
    }
}

#[test]
fn looks_are_spread_over_the_schedule() {
    let looks = |pairs, looks| test(0.0, 30.0, pairs, looks).design.looks.clone();
    assert_eq!(looks(300, 6), [50, 100, 150, 200, 250, 300]);
    assert_eq!(looks(10, 4), [3, 5, 8, 10]);
    assert_eq!(looks(3, 6), [1, 2, 3]);
    assert_eq!(looks(1, 1), [1]);
    assert_eq!(looks(u64::MAX, 1), [u64::MAX]);
    let none = GroupSequential::new(logistic(0.0, 5.0), rates(0.05, 0.05), 0, 6);
    assert_eq!(none, Err(BadLooks::Nothing));
}

/// With only level pairs: accepted if H0 is far enough below, never if H0 is equality; every test
/// ends.
#[test]
fn level_pairs_are_evidence_against_a_loss() {
    for (elo0, elo1, pairs, accepted) in [
        (0.0, 30.0, 300, false),
        (-30.0, 0.0, 300, true),
        (-30.0, 0.0, 10, false),
    ] {
        let mut test = test(elo0, elo1, pairs, 6);
        for _ in 0..pairs {
            test.record(2).expect("a cell");
        }
        let got = test.decision() == Some(Decision::Accepted);
        assert_eq!(got, accepted, "{elo0} {pairs}: {:?}", test.looks());
        assert!(test.level().value.is_finite());
    }
}

/// With pairs that do not count, the looks stay in place, the bounds follow the information, and
/// the last look spends all of α.
#[test]
fn pairs_that_do_not_count_cost_no_error() {
    let law = PairLaw::from_rates(0.2, 0.0, 0.0).expect("a law");
    let mut random = 9_u64;
    let (mut accepted, runs) = (0, 300);
    for _ in 0..runs {
        let mut test = test(0.0, 30.0, 120, 3);
        for pair in 0..120 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695);
            let point = (random >> 11) as f64 / (1_u64 << 53) as f64;
            // Half of the middle pairs do not count, nor do any of the last.
            if pair >= 110 || (40..80).contains(&pair) && pair % 2 == 0 {
                test.skip();
            } else {
                test.record(law.result_at(point)).expect("a cell");
            }
        }
        assert!(test.decision().is_some());
        accepted += u64::from(test.decision() == Some(Decision::Accepted));
    }
    let share = wilson(accepted, runs);
    assert!(share.low.expect("some") < 0.05, "{share:?}");
    assert!(share.high.expect("some") > 0.03, "{share:?}");

    let mut nothing = test(0.0, 30.0, 20, 4);
    (0..20).for_each(|_| nothing.skip());
    assert_eq!(nothing.decision(), Some(Decision::Rejected));
    assert_eq!(nothing.after_stop(), None);
}

/// Coverage and median-unbiasedness after the stop, where the naive interval fails.
#[test]
fn the_estimate_after_the_stop_is_centred() {
    for elo in [0.0, 30.0] {
        let law = PairLaw::from_rates(0.3, 60.0, elo).expect("a law");
        let (mut above, mut covered, runs) = (0, 0, 80_u64);
        for number in 0..runs {
            let played = simulate(test(0.0, 30.0, 240, 6), &law, 100, number, u64::MAX);
            let after = played.after.expect("an estimate");
            let (low, high) = (after.ci_low.expect("low"), after.ci_high.expect("high"));
            above += u64::from(after.elo_median_unbiased.expect("some") > elo);
            covered += u64::from(low <= elo && elo <= high);
        }
        assert!((27..=53).contains(&above), "{elo}: {above} of {runs} above");
        assert!(covered >= 70, "{elo}: {covered} of {runs}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn total(
        elo0 in -1000.0..999.0_f64,
        above in 0.001..1000.0_f64,
        alpha in 1e-9..0.5_f64,
        beta in 1e-9..0.499_f64,
        pairs in 1..60_u64,
        looks in 1..9_u64,
        cells in proptest::collection::vec(0..7_usize, 60),
    ) {
        let hypotheses = logistic(elo0, (elo0 + above).min(1000.0));
        let mut test = GroupSequential::new(hypotheses, rates(alpha, beta), pairs, looks).expect("a test");
        for cell in cells {
            prop_assert!(test.decision().is_some() || !test.is_at_end());
            if cell > 4 { test.skip() } else { test.record(cell).expect("a cell") }
            let level = test.level();
            prop_assert!(level.value.is_finite() && level.lower.is_finite() && level.upper.is_finite());
        }
        prop_assert!(test.decision().is_some());
        if let Some(after) = test.after_stop() {
            let [low, middle, high] = [after.ci_low, after.elo_median_unbiased, after.ci_high].map(|x| x.expect("some"));
            prop_assert!(low <= middle + 1e-6 && middle <= high + 1e-6, "{after:?}");
        }
    }
}

/// The normal approximation of the power, compared with simulated tests: `±` three errors and three
/// points.
#[test]
fn the_power_is_that_of_the_test() {
    let rates = ErrorRates::new(0.05, 0.05).expect("rates");
    for (elo1, pairs, looks) in [(30.0, 300, 6), (30.0, 60, 3), (100.0, 40, 2)] {
        let hypotheses = Hypotheses::new(0.0, elo1, Model::Logistic).expect("in order");
        let test = GroupSequential::new(hypotheses, rates, pairs, looks).expect("looks");
        let law = PairLaw::from_rates(0.2, 0.0, elo1).expect("a law");
        let planned = test.power(elo1, law.game_variance().expect("some"));
        let runs = 400;
        let accepted = (0..runs).filter(|&number| {
            let played = simulate(test.clone(), &law, 3, number, pairs);
            played.decision == Some(Decision::Accepted)
        });
        let share = accepted.count() as f64 / runs as f64;
        assert!(
            (share - planned).abs() < 0.075 + 0.03,
            "{elo1}, {pairs}: {share}, {planned}"
        );
    }
}
