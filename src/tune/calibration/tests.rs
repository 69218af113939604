use super::*;
use crate::tune::synthetic::{Benchmark, Outcomes, Surface};
use crate::tune::{Method, Perturbation, Purpose, Tuner, standard_space};

/// Steps that cost 1100, 100 and 11 Elo.
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
        };
        let mut tuner = Tuner::new(space, &method, method.plan(24_000, seed)).expect("a tuner");
        // All rounds take 6 · 500 pairs.
        for number in 0..3_100 {
            let proposal = tuner.ask(number).expect("asked in order");
            let elo = surface.loss(&proposal.minus) - surface.loss(&proposal.plus);
            let mut dice = Dice::new(seed, Purpose::Result, number);
            let result = outcomes.draw(elo, proposal.pairs, &mut dice);
            tuner.tell(number, &result).expect("in order");
        }
        let note = tuner.notes().remove(0);
        assert!(!note.contains("outside"), "{note}");
        // The true handicap at the start, of all signs alike.
        let reach = note
            .split_whitespace()
            .nth(6)
            .and_then(|word| word.parse::<f64>().ok());
        let reach = reach.expect("the steps");
        let handicap: f64 = (0..200)
            .map(|i| {
                let signs = Dice::new(9, Purpose::Mutant, i).signs(20);
                let point: Vec<f64> = signs.iter().map(|sign| sign * reach).collect();
                (surface.loss(&point) - surface.loss(&[0.0; 20])) / 200.0
            })
            .sum();
        assert!((12.0..70.0).contains(&handicap), "{distance}: {handicap}");
    }
}
