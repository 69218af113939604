use std::ops::Range;

use super::*;
use crate::tune::{Dimension, HillClimb, Kind, NoEffect, Perturbation, standard_space};

fn expected(method: &Method, n: usize, games: u64) -> Expectation {
    let space = standard_space(n).expect("a space");
    let plan = Plan::usual(games / 2, 1);
    expectation(&space, method, plan, &Assumptions::default()).expect("an expectation")
}

#[test]
fn it_agrees_with_the_benchmark() {
    agrees_with_the_benchmark(30, 20_000, 1.7..3.3);
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn it_agrees_with_the_benchmark_of_seven() {
    agrees_with_the_benchmark(7, 100_000, 0.015..0.08);
}

/// The table of docs/tuning.md, with batches of single pairs: 0.034 for seven numbers, 2.5 for
/// thirty.
fn agrees_with_the_benchmark(n: usize, games: u64, range: Range<f64>) {
    // Most of thirty effects are too small to be seen individually.
    let method = Method::Regression {
        perturbation: Perturbation::Steps(1.0),
        no_effect: NoEffect::Move,
    };
    let expected = expected(&method, n, games);
    let left = expected.left.mean.expect("seeds");
    assert!(range.contains(&left), "{n}, {games}: {left}");
    assert_eq!(expected.too_small, None);
    assert_eq!(expected.games, games);
    assert!(
        expected
            .left
            .standard_error
            .is_some_and(|error| error < left)
    );
}

/// Holds with at least ten thousand batches: with fewer, larger ones the contribution of the other
/// parameters to a result is no longer small compared with its noise.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn larger_batches_teach_the_same() {
    let space = standard_space(7).expect("a space");
    for method in [Method::default(), Method::averaged_spsa()] {
        let plan = Plan::usual(40_000, 0);
        let coarse = Plan {
            batch: 4,
            window: 8,
            ..plan
        };
        let [fine, coarse] = [plan, coarse].map(|plan| {
            let rehearsal = Rehearsal::new(&space, &method, plan, &Assumptions::default());
            let rehearsal = Rehearsal {
                plan,
                ..rehearsal.expect("a rehearsal")
            };
            let runs = (0..8).map(|seed| rehearsal.run(seed).expect("a run"));
            Simulated::new(runs.collect())
        });
        let ratio = coarse.mean.expect("runs") / fine.mean.expect("runs");
        assert!((0.6..1.7).contains(&ratio), "{}: {ratio}", method.name());
    }
}

#[test]
fn plans_are_made_coarser_only_where_they_are_long() {
    let short = Plan::usual(10_000, 3);
    assert_eq!(coarser(7, short), short);
    let long = coarser(7, Plan::usual(1_000_000, 3));
    assert_eq!((long.pairs, long.batch, long.window), (1_000_000, 50, 1));
    let many = coarser(300, Plan::usual(50_000, 3));
    assert_eq!((many.batch, many.window), (5, 7));
    let endless = coarser(7, Plan::usual(u64::MAX, 3));
    assert_eq!(endless.pairs, MAX_PAIRS);
}

#[test]
fn a_too_small_budget_is_reported() {
    for method in [Method::default(), Method::hill_climb()] {
        let expected = expected(&method, 20, 10);
        let needed = expected.too_small.expect("too small").games;
        let needed = needed.expect("some would do");
        assert!(
            (50..100_000).contains(&needed),
            "{}: {needed}",
            method.name()
        );
        let then = self::expected(&method, 20, needed);
        assert!(then.too_small.is_none(), "{}", method.name());
    }
    // fishtest's perturbations are a tenth of those needed for a twentieth of the loss.
    let fishtest = expected(&Method::fishtest(), 20, 200);
    assert!(fishtest.too_small.is_some(), "{fishtest:?}");
}

#[test]
fn the_bound_is_that_of_the_formula() {
    let space = standard_space(30).expect("a space");
    let usual = Assumptions::default();
    // 30²·0.571·347.4356²/(16·100·2) = 19,380 games.
    let pairs = bound(&space, &Method::default(), &usual, 2.0).expect("a law");
    assert_eq!(pairs, 9_700);
    let measured = Method::Regression {
        perturbation: Perturbation::Measured { handicap: 20.0 },
        no_effect: NoEffect::Keep,
    };
    // Five times the number above; 4,300·n²/(q·ε) in round numbers.
    assert_eq!(
        bound(&space, &measured, &usual, 2.0).expect("a law"),
        49_000
    );
    // c_end is 0.3 steps here.
    let fishtest = Method::fishtest().handicap(&space, 100.0);
    assert!((fishtest - 9.0).abs() < 1e-9, "{fishtest}");
}

#[test]
fn deterministic() {
    let first = expected(&Method::default(), 7, 1_000);
    assert_eq!(first, expected(&Method::default(), 7, 1_000));
}

/// A start one unit from its bound: unreachable gains do not count as left.
#[test]
fn the_best_values_lie_within_the_bounds() {
    let dimension = |i: usize| Dimension {
        name: format!("x{i}"),
        min: -1.0,
        max: 100.0,
        start: 0.0,
        step: 20.0,
        kind: Kind::Integer,
    };
    let space = Space::new((0..5).map(dimension).collect()).expect("a space");
    let method = Method::default();
    let expected = expectation(
        &space,
        &method,
        Plan::usual(5_000, 1),
        &Assumptions::default(),
    );
    let expected = expected.expect("an expectation");
    let left = expected.left.mean.expect("seeds");
    // If the best values could lie beyond the bounds, half of 100 would be left.
    assert!(left < 15.0, "{expected:?}");
}

#[test]
fn impossible_rehearsals_are_refused() {
    let refusal = |method: &Method, n: usize, assumptions: &Assumptions| {
        let space = standard_space(n).expect("a space");
        let refused = expectation(&space, method, Plan::usual(100, 1), assumptions);
        refused.expect_err("refused").to_string()
    };
    let usual = Assumptions::default();
    let race = Method::HillClimb(HillClimb {
        race: 2.0,
        ..HillClimb::default()
    });
    let message = refusal(&race, 40, &usual);
    assert!(message.contains("must be 0 to 1"), "{message}");
    for start_loss in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let message = refusal(
            &Method::default(),
            3,
            &Assumptions {
                start_loss,
                ..usual
            },
        );
        assert!(message.contains("the loss at the start"), "{message}");
    }
    let draws = Assumptions {
        draw_rate: 1.0,
        ..usual
    };
    assert!(!refusal(&Method::default(), 3, &draws).is_empty());
}

/// With one number, some draws of the best value would lie next to the start. Such surfaces are not
/// used, and the reported sufficient budget is sufficient.
#[test]
fn one_number_next_to_its_bound_is_tuned() {
    let space = Space::new(vec![Dimension {
        name: "tempo".to_owned(),
        min: 0.0,
        max: 100.0,
        start: 2.0,
        step: 15.0,
        kind: Kind::Integer,
    }]);
    let space = space.expect("a space");
    for method in [
        Method::default(),
        Method::averaged_spsa(),
        Method::hill_climb(),
    ] {
        let expected = |games: u64| {
            let plan = Plan::usual(games / 2, 1);
            expectation(&space, &method, plan, &Assumptions::default()).expect("an expectation")
        };
        // The hill climber may find the right side of the start in four games.
        if let Some(few) = expected(4).too_small {
            let enough = expected(few.games.expect("some would do"));
            assert_eq!(enough.too_small, None, "{}", method.name());
        }
        let left = expected(4_000).left.mean.expect("seeds");
        assert!(left < 20.0, "{}: {left}", method.name());
    }
}
