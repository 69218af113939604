use super::*;
use crate::tune::synthetic::{Benchmark, Outcomes, Surface, run_on};
use crate::tune::{Dimension, Kind, Method, Tuner, standard_space};

fn plan(pairs: u64, seed: u64) -> Plan {
    Plan::usual(pairs, seed)
}

fn method(blocks: &[(&str, &[Option<usize>])], race: f64) -> Method {
    let blocks = blocks.iter().map(|(name, of)| Blocks {
        name: (*name).to_owned(),
        block_of: of.to_vec(),
    });
    Method::HillClimb(HillClimb {
        blocks: blocks.collect(),
        race,
    })
}

/// Runs the climber on a surface; `loss` is the loss in Elo at a point given in steps.
fn climbed(method: &Method, space: &Space, pairs: u64, loss: impl Fn(&[f64]) -> f64) -> Tuner {
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    let mut tuner = Tuner::new(space.clone(), method, plan(pairs, 3)).expect("a tuner");
    while let Some(proposal) = tuner.ask(tuner.results_seen()) {
        let of = |values: &[f64]| loss(&space.to_steps(values));
        let elo = of(&proposal.minus) - of(&proposal.plus);
        let (number, pairs) = (proposal.number, proposal.pairs);
        let mut random = crate::tune::Purpose::Result.random(3, number);
        let result = outcomes.draw(elo, pairs, &mut random);
        tuner.tell(number, &result).expect("the result of a batch");
    }
    tuner
}

/// Mean Elo left of 100, with batches of some pairs.
fn mean_left(n: usize, games: u64, batch: u32, seeds: u64) -> f64 {
    let (space, usual) = (standard_space(n).expect("a space"), Benchmark::usual(games));
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    let left = (0..seeds).map(|seed| {
        let surface = Surface::draw(&usual, n, seed).expect("a surface");
        let plan = Plan {
            batch,
            ..plan(games / 2, seed)
        };
        run_on(&Method::hill_climb(), &space, plan, &surface, &outcomes).expect("a climb")
    });
    left.sum::<f64>() / seeds as f64
}

#[test]
fn most_of_the_elo_is_gained_with_few_and_with_many_numbers() {
    let few = mean_left(7, 5_000, 1, 8);
    assert!(few < 2.0, "{few} of 100 are left with 7 numbers");
    let many = mean_left(100, 20_000, 1, 1);
    assert!(many < 35.0, "{many} of 100 are left with 100 numbers");
}

/// Rounds are as long in pairs, however large the batches are.
#[test]
fn large_batches_gain_as_much() {
    let left = mean_left(7, 20_000, 50, 4);
    assert!(left < 4.0, "{left} of 100");
}

/// The first race begins after 48 pairs and ends after 51.
#[test]
fn a_budget_that_ends_in_a_race_keeps_the_evidence() {
    for games in [60, 80, 98, 100] {
        let left = mean_left(7, games, 1, 24);
        assert!(left < 75.0, "{left} of 100 after {games} games");
    }
}

#[test]
fn an_optimum_beyond_a_bound_ends_at_the_bound() {
    let space = standard_space(3).expect("a space");
    let loss = |x: &[f64]| 5.0 * ((x[0] - 6.0).powi(2) + x[1] * x[1] + x[2] * x[2]);
    let tuner = climbed(&Method::hill_climb(), &space, 4_000, loss);
    let end = tuner.estimate();
    assert!(end[0] > 2.7 && end[0] <= 3.0, "{end:?}");
}

#[test]
fn numbers_without_effect_return_to_their_start() {
    let space = standard_space(6).expect("a space");
    let loss = |x: &[f64]| 20.0 * ((x[0] - 1.5).powi(2) + (x[1] + 1.5).powi(2));
    let tuner = climbed(&Method::hill_climb(), &space, 5_000, loss);
    let end = tuner.estimate();
    let returned = end[2..].iter().filter(|x| **x == 0.0).count();
    assert!(returned >= 1, "{end:?}");
    assert!(
        (end[0] - 1.5).abs() < 0.5 && (end[1] + 1.5).abs() < 0.5,
        "{end:?}"
    );
    let notes = tuner.notes();
    assert!(
        notes[1].contains(&format!("returned {returned} numbers")),
        "{notes:?}"
    );
}

/// Eight numbers in two tables: each table has an optimum of its own.
#[test]
fn blocks_move_together() {
    let space = standard_space(8).expect("a space");
    let tables: Vec<Option<usize>> = (0..8).map(|i| Some(i / 4)).collect();
    let level = Level::new(
        &space,
        Blocks {
            name: "tables".to_owned(),
            block_of: tables.clone(),
        },
    );
    let level = level.expect("a level");
    assert_eq!(
        level.probe(&[1.0, -1.0]),
        [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0]
    );
    let loss = |x: &[f64]| {
        let from = |best: f64| move |x: &f64| (x - best).powi(2);
        let sum =
            x[..4].iter().map(from(1.0)).sum::<f64>() + x[4..].iter().map(from(-1.0)).sum::<f64>();
        10.0 * sum
    };
    let tuner = climbed(&method(&[("tables", &tables)], 0.2), &space, 5_000, loss);
    let left = loss(&tuner.estimate());
    assert!(left < 5.0, "{left} of 80");
    assert!(
        Level::new(
            &space,
            Blocks {
                name: "none".to_owned(),
                block_of: vec![None; 8]
            }
        )
        .is_none()
    );
}

/// Single numbers do not take back the gain of their tables.
#[test]
fn kinds_of_blocks_add_their_gains() {
    let (n, tables) = (96, 3);
    let space = standard_space(n).expect("a space");
    let of: Vec<Option<usize>> = (0..n).map(|i| Some(i * tables / n)).collect();
    let best = |i: usize| if i < n / 2 { 1.5 } else { -1.5 };
    let loss = |x: &[f64]| {
        let places = x.iter().enumerate().map(|(i, x)| (x - best(i)).powi(2));
        places.sum::<f64>()
    };
    let alone = climbed(&method(&[], 0.2), &space, 1_500, loss);
    let both = climbed(&method(&[("tables", &of)], 0.2), &space, 1_500, loss);
    let (alone, both) = (loss(&alone.estimate()), loss(&both.estimate()));
    assert!(both < 0.7 * alone, "{both} with tables, {alone} without");
}

#[test]
fn a_race_prefers_the_mutant_that_wins() {
    let race = |gain: f64, results| Race {
        level: 0,
        from: 0,
        until: 8,
        step: Step {
            moves: vec![1.0],
            slope: 2.0 * gain,
            curve: gain,
            variance: 0.57,
        },
        results,
    };
    let level = (200.0, 0.0);
    assert_eq!(
        race(20.0, [level; 2]).winner().map(|best| best.0),
        Some(1.0)
    );
    let (lost, won) = ((200.0, -100.0), (200.0, 100.0));
    assert_eq!(
        race(20.0, [level, won]).winner().map(|best| best.0),
        Some(2.0)
    );
    assert_eq!(race(20.0, [lost, lost]).winner(), None);
    // Without games the model decides.
    assert_eq!(race(20.0, [(0.0, 0.0); 2]).winner(), Some((1.0, 20.0)));
}

/// Probes that are under way at the end of a round count for the kind that proposed them.
#[test]
fn no_game_is_lost_between_rounds() {
    let space = standard_space(4).expect("a space");
    let halves = [Some(0), Some(0), Some(1), Some(1)];
    let method = method(&[("halves", &halves)], 0.25);
    let Method::HillClimb(options) = &method else {
        panic!("{method:?}");
    };
    let mut climber = Climber::new(&space, options, &plan(10_000, 1)).expect("a climber");
    let mut open = std::collections::VecDeque::new();
    let mut races = 0;
    for number in 0..1_000 {
        let random = crate::tune::Purpose::Batch.random(1, number);
        let (trial, (plus, minus)) = climber.propose(&space, number, number, random);
        open.push_back(Proposal {
            number,
            trial,
            plus,
            minus,
            pairs: 1,
        });
        if open.len() == 32 {
            let proposal = open.pop_front().expect("a proposal");
            races += u64::from(proposal.trial == RACE);
            climber.absorb(&space, &proposal, &Pentanomial([0, 0, 0, 1, 0]));
        }
    }
    let probes: f64 = climber.levels.iter().map(|level| level.pairs).sum();
    assert_eq!(probes as u64 + races, 1_000 - 31);
    assert!(races > 50, "{races}");
    assert!(climber.levels.iter().all(|level| level.pairs > 0.0));
}

/// Integers of one unit per step: both sides of a probe differ.
#[test]
fn probes_of_whole_numbers_differ() {
    let dimension = |i: usize| Dimension {
        name: format!("x{i}"),
        min: -3.0,
        max: 3.0,
        start: 0.0,
        step: 1.0,
        kind: Kind::Integer,
    };
    let space = Space::new((0..4).map(dimension).collect()).expect("a space");
    let surface = Surface::draw(&Benchmark::usual(0), 4, 3).expect("a surface");
    let tuner = climbed(&Method::hill_climb(), &space, 2_000, |x| surface.loss(x));
    for number in 0..1_000 {
        let random = crate::tune::Purpose::Batch.random(3, number);
        let climber = Climber::new(&space, &HillClimb::default(), &plan(2_000, 3));
        let (_, (plus, minus)) = climber
            .expect("a climber")
            .propose(&space, number, 0, random);
        assert!(
            plus.iter()
                .zip(&minus)
                .all(|(plus, minus)| (plus - minus).abs() >= 1.0),
            "{plus:?} {minus:?}"
        );
    }
    let left = surface.loss(&space.to_steps(&space.nearest(&tuner.estimate())));
    assert!(left < 60.0, "{left}");
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    let refused = |method: &Method| {
        let space = standard_space(2).expect("a space");
        Tuner::new(space, method, plan(10, 1))
            .err()
            .map(|it| it.to_string())
    };
    let blocks = refused(&method(&[("rows", &[Some(0)])], 0.2)).expect("a refusal");
    assert!(
        blocks.contains("`rows` do not fit 2 dimensions"),
        "{blocks}"
    );
    let gap = refused(&method(&[("rows", &[Some(0), Some(2)])], 0.2));
    assert!(gap.is_some());
    let race = refused(&method(&[], 1.5)).expect("a refusal");
    assert!(race.contains("(1.5) must be 0 to 1"), "{race}");
    assert_eq!(refused(&method(&[], 0.0)), None);
}
