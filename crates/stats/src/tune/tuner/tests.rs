use proptest::prelude::*;

use super::*;
use crate::tune::synthetic::{Benchmark, Outcomes, Surface};
use crate::tune::{Dimension, Kind, NoEffect, Perturbation, standard_space};

fn mixed_space() -> Space {
    let dimension = |name: &str, max: f64, step: f64, kind: Kind| Dimension {
        name: name.to_owned(),
        min: -max,
        max,
        start: 0.0,
        step,
        kind,
    };
    Space::new(vec![
        dimension("whole", 30.0, 10.0, Kind::Integer),
        dimension("coarse", 4.0, 1.0, Kind::Integer),
        dimension("real", 0.3, 0.1, Kind::Real),
    ])
    .expect("a space")
}

fn methods() -> Vec<Method> {
    vec![
        Method::default(),
        Method::Regression {
            perturbation: Perturbation::Measured { handicap: 30.0 },
            no_effect: NoEffect::Keep,
        },
        Method::averaged_spsa(),
        Method::fishtest(),
        Method::hill_climb(),
    ]
}

struct Table {
    surface: Surface,
    outcomes: Outcomes,
}

impl Table {
    fn new(space: &Space) -> Self {
        let usual = Benchmark::usual(0);
        Self {
            surface: Surface::draw(&usual, space.len(), 5).expect("a surface"),
            outcomes: Outcomes::new(0.4, 60.0).expect("laws"),
        }
    }

    fn play(&self, space: &Space, proposal: &Proposal) -> Pentanomial {
        let loss = |values: &[f64]| self.surface.loss(&space.to_steps(values));
        let elo = loss(&proposal.minus) - loss(&proposal.plus);
        let mut random = Purpose::Result.random(1, proposal.number);
        self.outcomes.draw(elo, proposal.pairs, &mut random)
    }
}

/// Plays to the end, passing results as soon as possible, and returns the journal and the tuner.
fn played(method: &Method, plan: Plan) -> (Vec<(Proposal, Pentanomial)>, Tuner) {
    let space = mixed_space();
    let table = Table::new(&space);
    let mut tuner = Tuner::new(space.clone(), method, plan).expect("a tuner");
    let mut journal = Vec::new();
    while let Some(proposal) = tuner.ask(tuner.results_seen()).cloned() {
        let result = table.play(&space, &proposal);
        tuner.tell(proposal.number, &result).expect("in order");
        journal.push((proposal, result));
    }
    (journal, tuner)
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn plan() -> Plan {
    Plan {
        pairs: 1_501,
        batch: 3,
        window: 5,
        seed: 11,
    }
}

#[test]
fn the_journal_restores_the_tuner() {
    for method in methods() {
        let (journal, end) = played(&method, plan());
        assert!(end.is_done());
        assert_eq!(end.pairs_seen(), 1_501, "{}", method.name());
        for stop in [0, 1, 40, journal.len() - 1] {
            let mut resumed = Tuner::new(mixed_space(), &method, plan()).expect("a tuner");
            for (number, (_, result)) in journal[..stop].iter().enumerate() {
                resumed.tell(number as u64, result).expect("in order");
            }
            for (proposal, result) in &journal[stop..] {
                assert_eq!(
                    resumed.ask(proposal.number),
                    Some(proposal),
                    "{}",
                    method.name()
                );
                resumed.tell(proposal.number, result).expect("in order");
            }
            assert_eq!(bits(&resumed.estimate()), bits(&end.estimate()));
            assert_eq!(
                resumed.errors().map(|e| bits(&e)),
                end.errors().map(|e| bits(&e))
            );
            assert_eq!(resumed.notes(), end.notes());
        }
    }
}

/// A driver with many threads asks as far ahead as possible; one with few asks for the next batch
/// only. Both get the same proposals.
#[test]
fn schedules_do_not_depend_on_the_order_of_requests() {
    for method in methods() {
        let (journal, _) = played(&method, plan());
        let mut eager = Tuner::new(mixed_space(), &method, plan()).expect("a tuner");
        for (number, (_, result)) in journal.iter().enumerate() {
            let number = number as u64;
            for ahead in 0..5 {
                let asked = eager.ask(number + ahead);
                let want = journal.get((number + ahead) as usize).map(|entry| &entry.0);
                assert_eq!(asked, want, "{}", method.name());
            }
            assert_eq!(eager.ask(number + 5), None, "beyond the window");
            eager.tell(number, result).expect("in order");
        }
    }
}

#[test]
fn batches_know_only_results_before_the_window() {
    let (journal, _) = played(&Method::default(), plan());
    let mut other = Tuner::new(mixed_space(), &Method::default(), plan()).expect("a tuner");
    let won = Pentanomial([0, 0, 0, 0, 3]);
    assert_ne!(journal[0].1, won);
    other.tell(0, &won).expect("in order");
    for (number, (proposal, _)) in journal.iter().enumerate().take(6).skip(1) {
        let same = other.ask(number as u64) == Some(proposal);
        assert_eq!(same, number < 5, "batch {number}");
    }
}

#[test]
fn other_seeds_play_otherwise() {
    for method in methods() {
        let players = |seed: u64| {
            let (journal, _) = played(&method, Plan { seed, ..plan() });
            let players = journal.into_iter().take(40).map(|entry| entry.0);
            players.collect::<Vec<_>>()
        };
        assert_ne!(players(11), players(12), "{}", method.name());
    }
}

#[test]
fn reported_values_are_checked() {
    let mut tuner = Tuner::new(mixed_space(), &Method::default(), plan()).expect("a tuner");
    let (three, two) = (Pentanomial([1, 0, 1, 0, 1]), Pentanomial([1, 0, 0, 0, 1]));
    let told = |result: Result<(), BadResult>| result.unwrap_err().to_string();
    assert_eq!(
        told(tuner.tell(1, &three)),
        "result of batch 1, but batch 0 is next: pass results in the order of batches"
    );
    assert_eq!(
        told(tuner.tell(0, &two)),
        "batch 0 has 3 pairs, but the result has 2"
    );
    assert_eq!(tuner.results_seen(), 0);
    let nothing = Plan { pairs: 0, ..plan() };
    let mut tuner = Tuner::new(mixed_space(), &Method::default(), nothing).expect("a tuner");
    assert!(tuner.is_done());
    assert_eq!(
        told(tuner.tell(0, &three)),
        "result of batch 0, but the budget is spent"
    );
    assert_eq!(tuner.estimate(), [0.0, 0.0, 0.0]);
    assert_eq!(tuner.errors(), None);
}

#[test]
fn bad_settings_are_refused() {
    let refusal = |method: &Method| {
        let space = standard_space(3).expect("a space");
        let refused = Tuner::new(space, method, plan()).err().expect("refused");
        refused.to_string()
    };
    let far = Method::Regression {
        perturbation: Perturbation::Steps(-1.0),
        no_effect: NoEffect::Keep,
    };
    assert!(refusal(&far).contains("must be a number above 0"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Any results, even one-sided ones, give finite estimates within the bounds.
    #[test]
    fn total(
        method in 0..5_usize,
        cells in proptest::collection::vec(0..5_usize, 1..60),
        batch in 1..40_u32,
    ) {
        let method = &methods()[method];
        let space = mixed_space();
        let plan = Plan { pairs: 2_000, batch, window: 3, seed: 3 };
        let mut tuner = Tuner::new(space.clone(), method, plan).expect("a tuner");
        let mut cells = cells.iter().cycle();
        while let Some(proposal) = tuner.ask(tuner.results_seen()).cloned() {
            for (d, value) in space.dimensions().iter().cycle()
                .zip(proposal.plus.iter().chain(&proposal.minus))
            {
                prop_assert!((d.min..=d.max).contains(value), "{proposal:?}");
                prop_assert!(d.kind == Kind::Real || value.fract() == 0.0);
            }
            let mut result = Pentanomial::default();
            let cell = cells.next().copied().unwrap_or(2);
            result.0[cell] = u64::from(proposal.pairs);
            tuner.tell(proposal.number, &result).expect("in order");
        }
        for (d, value) in space.dimensions().iter().zip(tuner.estimate()) {
            prop_assert!((d.min..=d.max).contains(&value));
        }
        for error in tuner.errors().unwrap_or_default() {
            prop_assert!(error.is_finite() && error >= 0.0);
        }
        for note in tuner.notes() {
            prop_assert!(!note.contains("NaN") && !note.contains("inf"), "{}", note);
        }
    }
}

/// Limits of an interval remain within bounds that lie between two whole numbers.
#[test]
fn limits_of_whole_numbers_lie_within_the_bounds() {
    let dimension = Dimension {
        name: "whole".to_owned(),
        min: -100.0,
        max: 500.0,
        start: 0.0,
        step: 60.0,
        kind: Kind::Integer,
    };
    // 500/60 steps times 60 is slightly more than 500.
    let bounds = (-100.0 / 60.0, 500.0 / 60.0 + 1e-12);
    let reading = Reading::new(&dimension, 0.0, bounds, true, None, None);
    assert_eq!((reading.low, reading.high), (-100.0, 500.0));
}
