use super::*;
use crate::RandomNumbers;
use crate::{Multinomial, Pentanomial};

/// The largest relative improvement over the optimum found by any σ of a much finer grid; 0 if
/// there is none.
fn shortfall(counts: [u64; 5], t: f64) -> f64 {
    let cells = Cells::<5>::new(&Multinomial::from(Pentanomial(counts)));
    let problem = Problem::new(&cells, t);
    let (found, _) = problem.solve(None);
    let (first, second) = problem.windows();
    let mut worst = 0.0_f64;
    for (low, high) in [Some(first), second].into_iter().flatten() {
        let step = libm::log(high / low) / 500.0;
        for i in 1..500 {
            let sigma = low * libm::exp(step * f64::from(i));
            let Some(point) = problem.at(sigma, 0.0) else {
                continue;
            };
            let missed = if problem.above {
                point.loss - found
            } else {
                found - point.loss
            };
            worst = worst.max(missed / found.max(1e-6));
        }
    }
    worst
}

#[test]
fn the_best_sigma_is_found() {
    let mut dice = RandomNumbers::new(5, 0);
    for round in 0..40 {
        let counts = std::array::from_fn(|_| {
            let size = libm::pow(10.0, 7.0 * dice.uniform()) as u64;
            if dice.uniform() < 0.35 { 0 } else { size }
        });
        for t in [0.001, 0.02, 0.1, 0.4, 0.7, 1.0, 1.7, 2.5, 4.0] {
            let short = shortfall(counts, t);
            assert!(short < 1e-9, "round {round}, {counts:?}, t {t}: {short:e}");
        }
    }
}

#[test]
fn several_minima() {
    // Found by the search above: the nearest minimum is not the least.
    assert!(shortfall([11, 0, 621_748, 30, 13], 0.02) < 1e-12);
    assert!(shortfall([0, 58, 214_844, 359, 50], 0.2) < 1e-12);
}
