//! The log-likelihood ratio of counts.

use super::cells::Cells;
use super::logistic::{self, lead_from_elo};
use super::normalized::{self, LastSolution, ratio_from_elo};
use crate::{Hypotheses, Model, Multinomial};

/// Computes log-likelihood ratios of slowly changing counts: each computation starts from the
/// previous solution.
///
/// Earlier computations affect the result in no more than the last digits.
#[derive(Clone, Copy, Debug)]
pub struct Likelihood {
    hypotheses: Hypotheses,
    sides: [Side; 2],
}

/// The previous solution for one hypothesis.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    theta: f64,
    warm: Option<LastSolution>,
}

impl Likelihood {
    /// A computation for these hypotheses.
    pub fn new(hypotheses: Hypotheses) -> Self {
        Self {
            hypotheses,
            sides: [Side::default(); 2],
        }
    }

    /// The hypotheses.
    pub fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// The log-likelihood ratio of H1 against H0, natural logarithm.
    ///
    /// Finite for all counts; 0 without results. Relative error below 1e-12 up to 10⁷ units (the
    /// tests' table) if the two hypotheses fit differently well: if they fit alike, the error is
    /// relative to the loss of each.
    pub fn llr(&mut self, results: impl Into<Multinomial>) -> f64 {
        let results = results.into();
        if results.is_empty() {
            0.0
        } else if results.counts().len() == 3 {
            self.of(&Cells::<3>::new(&results), 1.0)
        } else {
            self.of(&Cells::<5>::new(&results), 2.0)
        }
    }

    fn of<const K: usize>(&mut self, cells: &Cells<K>, games: f64) -> f64 {
        let model = self.hypotheses.model();
        let mut loss = |number: usize, elo: f64| {
            let side = &mut self.sides[number];
            match model {
                Model::Logistic => logistic::loss(cells, lead_from_elo(elo), &mut side.theta),
                Model::Normalized => {
                    normalized::loss(cells, ratio_from_elo(elo, games), &mut side.warm)
                }
            }
        };
        loss(0, self.hypotheses.elo0()) - loss(1, self.hypotheses.elo1())
    }
}

/// The log-likelihood ratio of H1 against H0 for a single computation: see [`Likelihood::llr`].
pub fn llr(results: impl Into<Multinomial>, hypotheses: &Hypotheses) -> f64 {
    Likelihood::new(*hypotheses).llr(results)
}
