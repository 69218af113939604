use super::prior::Prior;
use super::slopes::Slopes;
use super::*;
use crate::tune::synthetic::{Benchmark, Outcomes, Surface};
use crate::tune::{Method, Purpose, Tuner, standard_space};

/// Against a Gaussian integral done by hand: two batches at the centres 0 and
/// 1, β = 0.5, prior N(0, 1), a game's variance 0.5.
#[test]
fn the_posterior_given_a_curvature() {
    let mut slopes = Slopes::default();
    slopes.add(10.0, 0.0, 1.0, 0.3);
    slopes.add(10.0, 1.0, -2.0, 0.1);
    // ln L(x) = -½·(1/0.5)·[10(0.3 - 0.5x)² + 10(0.1 + (x - 1))²]; numerically
    // integrated with exp(-x²/2)/√2π below.
    let (mut all, mut mean, mut square) = (0.0, 0.0, 0.0);
    let width = 1e-4;
    for i in -80_000..80_000 {
        let x = f64::from(i) * width;
        let misfit = 10.0 * (0.3 - 0.5 * x).powi(2) + 10.0 * (0.1 + (x - 1.0)).powi(2);
        // The likelihood's constant, that of y alone, is left out.
        let constant = 10.0 * 0.09 + 10.0 * 0.01;
        let log = -(misfit - constant) - 0.5 * x * x;
        let weight = log.exp() * width / std::f64::consts::TAU.sqrt();
        all += weight;
        mean += weight * x;
        square += weight * x * x;
    }
    let given = slopes.given(0.5, 1.0, 2.0);
    assert!(
        (given.evidence - all.ln()).abs() < 1e-6,
        "{given:?} {}",
        all.ln()
    );
    assert!((given.mean - mean / all).abs() < 1e-6);
    let variance = square / all - (mean / all).powi(2);
    assert!((given.variance - variance).abs() < 1e-6);
}

#[test]
fn without_games_the_prior_stands() {
    let mut prior = Prior::new(3);
    prior.fit(&[Slopes::default(); 3], 1.75);
    let marginal = prior.marginal(&Slopes::default(), 1.75);
    assert!(marginal.best.abs() < 1e-12);
    assert!((0.5..2.0).contains(&marginal.deviation), "{marginal:?}");
}

#[test]
fn perturbations_even_out_the_handicaps() {
    let betas = [0.1, 0.4, 0.2];
    let reach = even_handicaps(&betas, 1.0);
    let handicaps: Vec<f64> = betas.iter().zip(&reach).map(|(b, c)| b * c * c).collect();
    assert!((handicaps.iter().sum::<f64>() - 0.7).abs() < 1e-12);
    assert!(
        (handicaps[0] - handicaps[1]).abs() < 1e-12,
        "within a factor of 2"
    );
    let reach = even_handicaps(&[1e-3, 1.0], 0.5);
    assert!(
        (reach[0] / reach[1] - 4.0).abs() < 1e-9,
        "a factor of 2 to each side"
    );
}

/// Error bars must mean what they say. For a normal law 68 and 95 % would lie
/// within one and two of them; over many seeds it is 75 to 80 and 92 %.
#[test]
fn error_bars_cover() {
    let space = standard_space(10).expect("a space");
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    let benchmark = Benchmark::usual(8_000);
    let (mut one, mut two, mut all) = (0.0, 0.0, 0.0);
    for seed in 900..912 {
        let surface = Surface::draw(&benchmark, 10, seed).expect("a surface");
        let method = Method::default();
        let mut tuner =
            Tuner::new(space.clone(), &method, method.plan(4_000, seed)).expect("a tuner");
        while let Some(proposal) = tuner.ask(tuner.told()) {
            let elo = surface.loss(&proposal.minus) - surface.loss(&proposal.plus);
            let mut dice = Dice::new(seed, Purpose::Result, proposal.number);
            let (number, pairs) = (proposal.number, proposal.pairs);
            let result = outcomes.draw(elo, pairs, &mut dice);
            tuner.tell(number, &result).expect("in order");
        }
        let errors = tuner.errors().expect("games");
        for (i, (x, error)) in tuner.estimate().into_iter().zip(errors).enumerate() {
            let away = (x - surface.optimum()[i]).abs() / error;
            one += f64::from(u8::from(away < 1.0));
            two += f64::from(u8::from(away < 2.0));
            all += 1.0;
        }
        assert!(tuner.notes()[0].contains("Elo weaker than the centre"));
    }
    let shares: [f64; 2] = [one / all, two / all];
    assert!((0.65..0.88).contains(&shares[0]), "{shares:?}");
    assert!((0.87..0.99).contains(&shares[1]), "{shares:?}");
}
