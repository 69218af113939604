//! Settings of the hill climber, and the tests that follow from them.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::tune::method::{BadMethod, positive};
use crate::{BadTest, ErrorRates, Gsprt, Hypotheses, Model};

/// Maximum number of parameters.
pub const MAX_DIMENSIONS: usize = 30;
/// Number of games after which 30 parameters are within 15 Elo of the best.
const GAMES_OF_MOST: f64 = 500_000.0;
/// Settings of the hill climber.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HillClimb {
    /// Minimum number of pairs of one probe.
    pub probe_pairs: u64,
    /// Number of probes before a full mutation; `None` is 16 plus one for every second parameter.
    pub probes: Option<u64>,
    /// First e1, in Elo.
    pub e1: f64,
    /// Smallest e1, in Elo.
    pub least_e1: f64,
    /// α and β of every test.
    pub error: f64,
    /// Maximum number of pairs of one test.
    pub cap_pairs: u64,
    /// Number of acceptances between tests against the start.
    pub retest_every: u64,
}

impl Default for HillClimb {
    fn default() -> Self {
        Self {
            probe_pairs: 32,
            probes: None,
            e1: 20.0,
            least_e1: 5.0,
            error: 0.05,
            cap_pairs: 5_000,
            retest_every: 5,
        }
    }
}

impl HillClimb {
    /// Refuses settings and spaces with which the hill climber cannot run.
    pub(super) fn check(&self, dimensions: usize) -> Result<(), BadMethod> {
        if dimensions > MAX_DIMENSIONS {
            let factor = dimensions as f64 / MAX_DIMENSIONS as f64;
            return Err(BadMethod::Settings(format!(
                "hill climbing with {dimensions} parameters: every mutant is paid with a test of \
                 its own, which would take about {} games (500,000 for {MAX_DIMENSIONS}, growing \
                 with the square); tune at most {MAX_DIMENSIONS} parameters so, or use the \
                 regression",
                (GAMES_OF_MOST * factor * factor) as u64
            )));
        }
        positive("e1", self.e1)?;
        positive("the least e1", self.least_e1)?;
        Ok(())
    }

    /// Returns the tests of all e1 from the first to the smallest, and the test against the start.
    /// They decide only after every `batch` pairs, because the order within a batch is unknown.
    pub(super) fn tests(&self, batch: NonZeroU64) -> Result<(Vec<Gsprt>, Gsprt), BadTest> {
        let test = |e1: f64| -> Result<Gsprt, BadTest> {
            let hypotheses = Hypotheses::new(0.0, e1, Model::Logistic)?;
            let rates = ErrorRates::new(self.error, self.error)?;
            Ok(Gsprt::new(hypotheses, rates).in_batches_of(batch))
        };
        let mut ladder = vec![test(self.e1)?];
        let mut e1 = self.e1;
        while e1 > self.least_e1 {
            e1 = (e1 / 2.0).max(self.least_e1);
            ladder.push(test(e1)?);
        }
        Ok((ladder, test(self.least_e1)?))
    }
}
