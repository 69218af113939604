//! Shared arguments of the calculators.

use super::counts::pentanomial;
use crate::cli::prelude::*;
use leitai_runs::gate::Test;
use leitai_stats::{
    ErrorRates, GameVariance, GroupSequential, Gsprt, Hypotheses, Model, PairLaw, Pentanomial,
    Strict,
};

/// The hypotheses of a sequential test and its error rates.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Terms {
    /// H0: the first player is this many Elo stronger (or weaker, below 0).
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(super) elo0: f64,
    /// H1: the first player is this many Elo stronger.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(super) elo1: f64,
    /// The Elo scale of both hypotheses.
    #[arg(long, default_value = "logistic", value_parser = choice(&MODELS))]
    pub(super) model: Model,
    /// Probability of accepting H1 when H0 is true.
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    pub(super) alpha: f64,
    /// Probability of accepting H0 when H1 is true.
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    pub(super) beta: f64,
}

/// The Elo scales of hypotheses.
const MODELS: [Choice<Model>; 2] = [
    (
        "logistic",
        "Customary Elo, a function of the expected score",
        Model::Logistic,
    ),
    (
        "normalized",
        "The lead in units of its standard deviation per game",
        Model::Normalized,
    ),
];

impl Terms {
    pub(super) fn hypotheses(&self) -> Result<Hypotheses, Failure> {
        Hypotheses::new(self.elo0, self.elo1, self.model).context("--elo0, --elo1")
    }

    pub(super) fn rates(&self) -> Result<ErrorRates, Failure> {
        ErrorRates::new(self.alpha, self.beta).context("--alpha, --beta")
    }

    /// One line for the text output.
    pub(super) fn line(&self) -> String {
        format!(
            "H0: {} Elo, H1: {} Elo ({}), alpha {:?}, beta {:?}",
            self.elo0,
            self.elo1,
            self.model.name(),
            self.alpha,
            self.beta
        )
    }
}

/// The tests, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TestName {
    /// The likelihood ratio test that fishtest uses
    Gsprt,
    /// The test that may be watched and stopped at will
    Strict,
    /// A few looks on the way to --max-pairs pairs
    GroupSequential,
}

/// The test and its limits.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct TestChoice {
    /// The sequential test.
    #[arg(long, default_value = "gsprt")]
    pub(super) test: TestName,
    /// End after this many pairs: undecided, or for group-sequential with the last
    /// look.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=500_000_000))]
    pub(super) max_pairs: Option<u64>,
    /// Looks of the group-sequential test; 6 if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=GroupSequential::MAX_LOOKS))]
    pub(super) looks: Option<u64>,
}

impl TestChoice {
    /// Creates the test.
    pub(super) fn new_test(
        &self,
        hypotheses: Hypotheses,
        rates: ErrorRates,
    ) -> Result<Test, Failure> {
        if self.looks.is_some() && self.test != TestName::GroupSequential {
            anyhow::bail!("`--looks` requires `--test group-sequential`");
        }
        Ok(match self.test {
            TestName::Gsprt => Test::Gsprt(Gsprt::new(hypotheses, rates)),
            TestName::Strict => {
                Test::Strict(Strict::new(hypotheses, rates).context("--test strict, --model")?)
            }
            TestName::GroupSequential => {
                let pairs = self
                    .max_pairs
                    .context("`--test group-sequential` requires `--max-pairs`")?;
                if let Some(looks) = self.looks.filter(|&looks| looks > pairs) {
                    anyhow::bail!(
                        "`--looks {looks}` are more than `--max-pairs {pairs}`: give at most {pairs} \
                         looks, or more pairs"
                    );
                }
                let test = GroupSequential::new(hypotheses, rates, pairs, self.looks.unwrap_or(6))
                    .context("--test group-sequential, --model")?;
                Test::GroupSequential(test)
            }
        })
    }
}

/// The spread of results: from rates, or from a pilot match.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Spread {
    /// Share of drawn games between equal players, 0 to 1.
    #[arg(long, value_name = "RATE", required_unless_present = "pentanomial")]
    pub(super) draw_rate: Option<f64>,
    /// Advantage that the openings give one side: root mean square, in Elo.
    #[arg(long, value_name = "ELO", default_value_t = 0.0)]
    pub(super) opening_bias: f64,
    /// Pair counts of a pilot match, in place of both.
    #[arg(long, value_name = "LL,LD,MID,WD,WW", value_parser = pentanomial,
          conflicts_with_all = ["draw_rate", "opening_bias"])]
    pub(super) pentanomial: Option<Pentanomial>,
}

impl Spread {
    pub(super) fn variance(&self) -> Result<GameVariance, Failure> {
        match (self.pentanomial, self.draw_rate) {
            (Some(counts), _) => GameVariance::from_pilot(counts).context("--pentanomial"),
            (None, rate) => GameVariance::from_rates(rate.unwrap_or(0.0), self.opening_bias)
                .context("--draw-rate, --opening-bias"),
        }
    }

    pub(super) fn law(&self, elo: f64) -> Result<PairLaw, Failure> {
        match (self.pentanomial, self.draw_rate) {
            (Some(counts), _) => PairLaw::from_pilot(counts, elo).context("--pentanomial, --elo"),
            (None, rate) => PairLaw::from_rates(rate.unwrap_or(0.0), self.opening_bias, elo)
                .context("--draw-rate, --opening-bias, --elo"),
        }
    }

    /// The variance at a strength. With a pilot, that of the pilot tilted to the strength, if it
    /// differs by more than 1 %; with rates, the variance between equal players.
    pub(super) fn variance_at(&self, elo: f64) -> Result<GameVariance, Failure> {
        let usual = self.variance()?;
        if self.pentanomial.is_none() {
            return Ok(usual);
        }
        let tilted = self.law(elo)?.game_variance()?;
        let other = (tilted.get() / usual.get() - 1.0).abs() > 0.01;
        Ok(if other { tilted } else { usual })
    }

    /// One line for the text output.
    pub(super) fn line(&self, variance: GameVariance) -> String {
        let source = match (self.pentanomial, self.draw_rate) {
            (Some(_), _) => "from the pilot".to_owned(),
            (None, rate) => format!(
                "draw rate {}, opening bias {} Elo",
                rate.unwrap_or(0.0),
                self.opening_bias
            ),
        };
        format!(
            "variance of a game within its pair: {:.5} ({source})",
            variance.get()
        )
    }
}

/// Parses an Elo difference from -4000 to 4000.
pub(super) fn elo(text: &str) -> Result<f64, String> {
    number("not a number of Elo between -4000 and 4000", text, |elo| {
        elo.abs() <= 4000.0
    })
}

/// Parses a positive number.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    number("not a number above 0 (and at most 1e15)", text, |x| {
        x > 0.0 && x <= 1e15
    })
}
