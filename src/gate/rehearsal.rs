//! The gate played with dice, to see how often it errs.

use serde::Serialize;

use super::forecast::{NoForecast, note, strengths};
use super::test::own_rates;
use super::{Spread, Test, Trials, UsualSpread};
use crate::stats::{PairLaw, SelfCheck, Simulated, simulate, sum_up};

/// A gate to be played with dice, at one true strength of the candidate. Each
/// candidate is rehearsed by itself, at the bound of the first to be accepted.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    trials: Trials,
    test: Test,
    law: PairLaw,
    /// By how much the candidate is stronger, in logistic Elo.
    pub elo: f64,
    /// What the spread of the results is taken from.
    pub spread: Spread,
    /// What the rehearsal leaves out, if anything.
    pub note: Option<String>,
}

/// What the rehearsals at one strength add up to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rehearsed {
    /// By how much the candidate is stronger, in logistic Elo.
    pub elo: f64,
    /// How the gates ended.
    #[serde(flatten)]
    pub check: SelfCheck,
}

impl Rehearsal {
    /// The rehearsals at H0 and at H1, with the spread of what `trials` has seen
    /// if that is enough, else what is `usual` in the game.
    ///
    /// # Errors
    /// No law of pairs has such a strength.
    pub fn of(trials: &Trials, usual: UsualSpread) -> Result<[Self; 2], NoForecast> {
        let (spread, one_sided) = Spread::of(trials, usual);
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

    /// Plays gate number `number`; equal numbers give equal gates.
    pub fn play(&self, seed: u64, number: u64) -> Simulated {
        let most = self.trials.different_pairs();
        simulate(self.test.clone(), &self.law, seed, number, most)
    }

    /// What the gates add up to.
    ///
    /// # Errors
    /// The error rates make no test.
    pub fn sum_up(&self, gates: &[Simulated]) -> Result<Rehearsed, NoForecast> {
        let gate = &self.trials.gate;
        Ok(Rehearsed {
            elo: self.elo,
            check: sum_up(gates, &self.law, gate.hypotheses, own_rates(gate)?),
        })
    }
}
