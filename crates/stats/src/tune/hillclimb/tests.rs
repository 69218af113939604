use super::*;
use crate::tune::synthetic::{Benchmark, Outcomes, Surface};
use crate::tune::{Dimension, Kind, Method, standard_space};

fn climber(space: &Space) -> Climber {
    let plan = Method::hill_climb().plan(1_000_000, 7);
    Climber::new(space, &HillClimb::default(), &plan).expect("a climber")
}

/// Plays one batch of the current stage with the result `cells`.
fn feed(climber: &mut Climber, space: &Space, number: u64, cells: [u64; 5]) -> Proposal {
    let (trial, (plus, minus)) = climber.propose(space, 0, 0, Purpose::Batch.random(0, 0));
    let proposal = Proposal {
        number,
        trial,
        plus,
        minus,
        pairs: 4,
    };
    climber.absorb(space, &proposal, &Pentanomial(cells));
    proposal
}

#[test]
fn a_mutant_is_accepted_by_fresh_games_only() {
    let space = standard_space(4).expect("a space");
    let mut climber = climber(&space);
    let mut number = 0;
    while matches!(climber.stage, Stage::Probe { .. }) {
        feed(&mut climber, &space, number, [0, 0, 0, 0, 4]);
        number += 1;
    }
    let Stage::Test(test) = &climber.stage else {
        panic!("{:?}", climber.stage);
    };
    assert_eq!(test.counts().pairs(), 0, "no probe counts in the test");
    assert_eq!(climber.incumbent, [0.0; 4]);
    let mutant = climber.players.0.clone();
    assert_eq!(climber.players.1, climber.incumbent);
    while matches!(climber.stage, Stage::Test(_)) {
        feed(&mut climber, &space, number, [0, 0, 1, 2, 1]);
        number += 1;
    }
    assert_eq!(climber.incumbent, mutant);
    assert_eq!(climber.accepted, 1);
}

#[test]
fn late_games_of_a_stage_that_is_over_do_not_count() {
    let space = standard_space(4).expect("a space");
    let mut climber = climber(&space);
    let late = feed(&mut climber, &space, 0, [0, 0, 0, 0, 4]);
    let mut number = 1;
    while !matches!(climber.stage, Stage::Test(_)) {
        feed(&mut climber, &space, number, [0, 0, 0, 0, 4]);
        number += 1;
    }
    climber.absorb(&space, &late, &Pentanomial([0, 0, 0, 0, 4]));
    let Stage::Test(test) = &climber.stage else {
        panic!("{:?}", climber.stage);
    };
    assert_eq!(test.counts().pairs(), 0);
}

/// Every mutant passes, but the test against the start fails.
#[test]
fn a_failed_retest_rolls_back() {
    let space = standard_space(4).expect("a space");
    let mut climber = climber(&space);
    for number in 0.. {
        let cells = match climber.stage {
            Stage::Probe { .. } => [0, 0, 2, 2, 0],
            Stage::Test(_) => [0, 0, 1, 2, 1],
            Stage::Retest(_) => [2, 1, 1, 0, 0],
        };
        let before = climber.incumbent.clone();
        feed(&mut climber, &space, number, cells);
        if climber.retests > 0 {
            assert_ne!(before, climber.start);
            break;
        }
    }
    assert_eq!(climber.rolled_back, 1);
    assert_eq!(climber.incumbent, climber.start);
    let notes = climber.notes(&space);
    assert!(notes[1].contains("at most 0.2 acceptances"), "{notes:?}");
    assert!(notes[2].contains("1 of them rolled back"), "{notes:?}");
}

#[test]
fn e1_halves_after_a_row_of_rejections() {
    let space = standard_space(2).expect("a space");
    let mut climber = climber(&space);
    let mut seen = Vec::new();
    for number in 0..20_000 {
        let e1 = climber.ladder.first().expect("a test").hypotheses().elo1();
        if seen.last() != Some(&e1) {
            seen.push(e1);
        }
        let cells = match climber.stage {
            Stage::Probe { .. } => [0, 0, 2, 2, 0],
            Stage::Test(_) | Stage::Retest(_) => [0, 2, 1, 1, 0],
        };
        feed(&mut climber, &space, number, cells);
    }
    assert_eq!(seen, [20.0, 10.0, 5.0]);
    assert_eq!(climber.incumbent, climber.start);
}

/// Integers of one unit per step: every mutant differs from the incumbent.
#[test]
fn no_mutant_meets_itself() {
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
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    let mut climber = climber(&space);
    for number in 0..5_000 {
        let (plus, minus) = climber.players.clone();
        assert_ne!(plus, minus, "{:?}", climber.stage);
        let elo = surface.loss(&minus) - surface.loss(&plus);
        let mut random = Purpose::Result.random(1, number);
        feed(
            &mut climber,
            &space,
            number,
            outcomes.draw(elo, 4, &mut random).0,
        );
    }
    assert!(climber.tests > 10);
    let left = surface.loss(&climber.incumbent);
    assert!(left < 60.0, "{left}");
}

/// Without any effect, mutants pass no more often than the tests' α.
#[test]
fn false_acceptances_are_rare() {
    let space = standard_space(3).expect("a space");
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    let mut climber = climber(&space);
    let mut number = 0;
    while climber.tests < 150 {
        let mut random = Purpose::Result.random(1, number);
        let cells = outcomes.draw(0.0, 4, &mut random).0;
        feed(&mut climber, &space, number, cells);
        number += 1;
    }
    // 7.5 expected; P(more than 15 | 7.5) is 0.4 %.
    assert!(climber.accepted <= 15, "{climber:?}");
}
