use crate::tune::synthetic::{Benchmark, Outcomes, Surface};
use crate::tune::{Method, NoEffect, Perturbation, Plan, Purpose, Tuner, standard_space};

/// Steps that cost 1100, 100 and 11 Elo are all scaled to a useful handicap.
#[test]
fn any_step_is_brought_to_a_useful_handicap() {
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    for (distance, seed) in [(0.3, 1), (1.0, 2), (3.0, 3)] {
        let space = standard_space(20).expect("a space");
        let benchmark = Benchmark {
            distance,
            ..Benchmark::usual(0)
        };
        let surface = Surface::draw(&benchmark, 20, seed).expect("a surface");
        let method = Method::Regression {
            perturbation: Perturbation::Measured { handicap: 30.0 },
            no_effect: NoEffect::Keep,
        };
        let mut tuner = Tuner::new(space, &method, Plan::usual(24_000, seed)).expect("a tuner");
        // All rounds take 6 · 500 pairs.
        for number in 0..3_100 {
            let proposal = tuner.ask(number).expect("asked in order");
            let elo = surface.loss(&proposal.minus) - surface.loss(&proposal.plus);
            let mut random = Purpose::Result.random(seed, number);
            let result = outcomes.draw(elo, proposal.pairs, &mut random);
            tuner.tell(number, &result).expect("in order");
        }
        let note = tuner.notes().remove(0);
        assert!(!note.contains("outside"), "{note}");
        // The true handicap at the start, with the same sign everywhere.
        let reach = note
            .split_whitespace()
            .nth(6)
            .and_then(|word| word.parse::<f64>().ok());
        let reach = reach.expect("the steps");
        let handicap: f64 = (0..200)
            .map(|i| {
                let signs = Purpose::Shift.random(9, i).signs(20);
                let point: Vec<f64> = signs.iter().map(|sign| sign * reach).collect();
                (surface.loss(&point) - surface.loss(&[0.0; 20])) / 200.0
            })
            .sum();
        assert!((12.0..70.0).contains(&handicap), "{distance}: {handicap}");
    }
}

/// If no perturbation costs anything at the start, the note reports it, and the handicap is
/// measured again later.
#[test]
fn a_start_that_means_nothing_is_measured_again() {
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    let space = standard_space(10).expect("a space");
    let benchmark = Benchmark::usual(0);
    let surface = Surface::draw(&benchmark, 10, 4).expect("a surface");
    let method = Method::Regression {
        perturbation: Perturbation::Measured { handicap: 30.0 },
        no_effect: NoEffect::Keep,
    };
    let mut tuner = Tuner::new(space, &method, Plan::usual(24_000, 1)).expect("a tuner");
    let mut is_level = true;
    for number in 0..24_000 {
        let proposal = tuner.ask(number).expect("asked in order");
        is_level &= proposal.trial > 0;
        let elo = surface.loss(&proposal.minus) - surface.loss(&proposal.plus);
        let elo = if is_level { 0.0 } else { elo };
        let mut random = Purpose::Result.random(1, number);
        let result = outcomes.draw(elo, proposal.pairs, &mut random);
        tuner.tell(number, &result).expect("in order");
    }
    let notes = tuner.notes();
    assert!(notes[0].contains("19 to 47 Elo are wanted"), "{notes:?}");
    assert!(notes[1].starts_with("after 25 % of the games"), "{notes:?}");
    assert!(notes[1].ends_with("too much: shortened"), "{notes:?}");
    assert!(surface.loss(&tuner.estimate()) < 5.0);
}

/// Returns the note of the start for a perturbation that costs `elo` Elo, with a budget of `pairs`
/// pairs.
fn said_of(elo: f64, pairs: u64, seed: u64) -> String {
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    let space = standard_space(1).expect("a space");
    let method = Method::Regression {
        perturbation: Perturbation::Measured { handicap: 50.0 },
        no_effect: NoEffect::Keep,
    };
    let mut tuner = Tuner::new(space, &method, Plan::usual(pairs, seed)).expect("a tuner");
    for number in 0..pairs / 7 {
        let proposal = tuner.ask(number).expect("asked in order");
        let mut random = Purpose::Result.random(seed, number);
        let result = outcomes.draw(elo, proposal.pairs, &mut random);
        tuner.tell(number, &result).expect("in order");
    }
    tuner.notes().remove(0)
}

fn steps_of(note: &str) -> f64 {
    let word = note.split_whitespace().nth(6);
    word.and_then(|word| word.parse().ok()).expect("steps")
}

/// Rounds of 20 pairs have an error of 45 Elo, which does not justify the longest perturbation.
#[test]
fn few_games_hardly_lengthen_a_perturbation() {
    let mut unchanged = 0;
    for seed in 0..60 {
        let note = said_of(0.0, 1_000, seed);
        let steps = steps_of(&note);
        assert!(steps < 3.0, "{seed}: {note}");
        assert!(!note.contains("-0.0 ±"), "{note}");
        unchanged += u32::from((steps - 1.0).abs() < 1e-9);
    }
    assert!(unchanged >= 48, "{unchanged} of 60");
}

#[test]
fn stronger_players_give_no_evidence_about_steps() {
    let note = said_of(-60.0, 10_000, 1);
    assert!(note.contains("of 1.000 steps costs -"), "{note}");
    assert!(note.contains("after 1 rounds"), "{note}");
    assert!(note.contains("are stronger than the start"), "{note}");
}
