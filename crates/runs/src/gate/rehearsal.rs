//! Simulation of a gate to measure its error rates.

use serde::Serialize;

use super::forecast::{NoForecast, Result, note, strengths};
use super::test::own_rates;
use super::{Spread, Test, Trials, UsualSpread};
use leitai_stats::{PairLaw, SelfCheck, Simulated, simulate, summarize};

/// A gate to simulate at one true strength of the candidate. Each candidate is simulated
/// separately, at the bound of the first to be accepted.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    trials: Trials,
    test: Test,
    law: PairLaw,
    /// The candidate's advantage in logistic Elo.
    pub elo: f64,
    /// Source of the spread of the results.
    pub spread: Spread,
    /// A note on effects that the rehearsal ignores, if any.
    pub note: Option<String>,
}

/// The summary of the rehearsals at one strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rehearsed {
    /// The candidate's advantage in logistic Elo.
    pub elo: f64,
    /// Counts of the gates' verdicts.
    #[serde(flatten)]
    pub check: SelfCheck,
}

impl Rehearsal {
    /// The rehearsals at H0 and at H1. Uses the spread of the pairs in `trials` if there are enough
    /// of them, else `usual`, the usual spread of the game.
    ///
    /// # Errors
    /// No law of pairs has such a strength.
    pub fn of(trials: &Trials, usual: UsualSpread) -> Result<[Self; 2]> {
        let (spread, one_sided) = Spread::of(trials, usual)?;
        let [low, high] = strengths(&trials.gate, spread)?;
        let test = Test::new(&trials.gate, trials.rounds)?;
        let at = |elo| {
            Ok::<_, NoForecast>(Self {
                trials: trials.clone(),
                test: test.clone(),
                law: spread.law(elo)?,
                elo,
                spread,
                note: note(&trials.gate, one_sided),
            })
        };
        Ok([at(low)?, at(high)?])
    }

    /// Simulates gate `number`; equal numbers give equal gates.
    pub fn play(&self, seed: u64, number: u64) -> Simulated {
        let most = self.trials.different_pairs();
        simulate(self.test.clone(), &self.law, seed, number, most)
    }

    /// Summarizes the gates.
    ///
    /// # Errors
    /// The error rates are not valid for a test.
    pub fn sum_up(&self, gates: &[Simulated]) -> Result<Rehearsed> {
        let gate = &self.trials.gate;
        Ok(Rehearsed {
            elo: self.elo,
            check: summarize(gates, &self.law, gate.pair_hypotheses(), own_rates(gate)?),
        })
    }
}
