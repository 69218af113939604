//! The sequential test that a gate's config names.

use thiserror::Error;

use leitai_config::{Control, Gate, TestKind};
use leitai_stats::gsprt::GameSprt;
use leitai_stats::{
    AfterSprt, BadLooks, BadTest, CellOutOfRange, Decision, ErrorRates, GroupSequential, Gsprt,
    Level, Memo, Model, NormalizedUnsupported, SequentialTest, Stretch, Strict,
};

/// A test of one candidate.
#[derive(Clone, Debug)]
pub enum Test {
    /// A likelihood ratio.
    Gsprt(Gsprt),
    /// A likelihood ratio of single games.
    Games(GameSprt),
    /// An e-process.
    Strict(Strict),
    /// A fixed number of pairs with interim looks.
    GroupSequential(GroupSequential),
}

/// A gate whose test does not support its hypotheses; the config's checks refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum Untestable {
    /// The strict test does not support normalized hypotheses.
    #[error(transparent)]
    Normalized(#[from] NormalizedUnsupported),
    /// The group-sequential test does not support normalized hypotheses, or has too few pairs for
    /// its looks.
    #[error(transparent)]
    Looks(#[from] BadLooks),
    /// The error rates are not valid for a test.
    #[error(transparent)]
    Rates(#[from] BadTest),
}

impl Test {
    /// The test of one candidate, before the first of at most `rounds` pairs.
    ///
    /// # Errors
    /// The test does not support the hypotheses.
    pub fn new(gate: &Gate, rounds: u64) -> Result<Self, Untestable> {
        let hypotheses = gate.pair_hypotheses();
        match gate.test {
            TestKind::Gsprt { overshoot } => {
                let test = Gsprt::new(hypotheses, gate.errors);
                Ok(Self::Gsprt(if overshoot {
                    test
                } else {
                    test.without_overshoot_correction()
                }))
            }
            TestKind::Trinomial => Ok(Self::Games(match gate.bayes_elo {
                Some(elo) => GameSprt::of_bayes_elo(elo, gate.errors)?,
                None => GameSprt::new(gate.hypotheses, gate.errors),
            })),
            TestKind::Strict => Ok(Self::Strict(Strict::new(hypotheses, own_rates(gate)?)?)),
            TestKind::GroupSequential { looks } => {
                let test = GroupSequential::new(hypotheses, gate.errors, rounds, looks)?;
                Ok(Self::GroupSequential(test))
            }
        }
    }

    /// The scaled-down version of a test before its first pair; `None` for a likelihood ratio,
    /// which has formulas.
    pub fn in_small(&self, stretch: &Stretch) -> Option<Self> {
        let hypotheses = stretch.hypotheses();
        match self {
            Self::Gsprt(_) | Self::Games(_) => None,
            Self::Strict(test) => test.with_hypotheses(hypotheses).ok().map(Self::Strict),
            Self::GroupSequential(test) => {
                let small = test.with_hypotheses(hypotheses, stretch.pairs(test.pairs()));
                small.ok().map(Self::GroupSequential)
            }
        }
    }

    /// The number of pairs before which no decision is possible.
    pub fn fewest_pairs(&self) -> u64 {
        match self {
            Self::Gsprt(_) | Self::Games(_) | Self::Strict(_) => 1,
            Self::GroupSequential(test) => test.progress().next_in.unwrap_or(1),
        }
    }

    /// Pairs that one core simulates in about a second. A likelihood ratio under the normalized
    /// model costs four times as much.
    pub fn simulated_per_second(&self, model: Model) -> f64 {
        match (self, model) {
            (Self::Gsprt(_) | Self::Games(_), Model::Normalized) => 5e5,
            (Self::Gsprt(_) | Self::Games(_), Model::Logistic) => 2e6,
            (Self::Strict(_) | Self::GroupSequential(_), _) => 8e6,
        }
    }

    /// Name of the test in a config.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Gsprt(_) => "gsprt",
            Self::Games(_) => "trinomial",
            Self::Strict(_) => "strict",
            Self::GroupSequential(_) => "group-sequential",
        }
    }

    /// Returns whether the test ended for lack of pairs and not because it excluded a hypothesis.
    pub fn is_at_end(&self) -> bool {
        matches!(self, Self::GroupSequential(test) if test.is_at_end())
    }

    /// Distance of the evidence from rejection and from acceptance, in units of the log-likelihood
    /// ratio or the log e-value. A group-sequential test has no such unit and counts as new.
    pub fn remaining(&self) -> [f64; 2] {
        match self {
            Self::Gsprt(test) => {
                let (lower, upper) = test.rates().wald_bounds();
                let level = test.level().value;
                [level - lower, upper - level]
            }
            Self::Games(test) => {
                let level = test.level();
                [level.value - level.lower, level.upper - level.value]
            }
            Self::Strict(test) => test.remaining(),
            Self::GroupSequential(test) => {
                let (lower, upper) = test.rates().wald_bounds();
                [-lower, upper]
            }
        }
    }

    /// Logarithm of the e-value against H0; `None` for a likelihood ratio, which is no e-value
    /// under a composite hypothesis.
    pub fn ln_e_value(&self) -> Option<f64> {
        match self {
            Self::Gsprt(_) | Self::Games(_) | Self::GroupSequential(_) => None,
            Self::Strict(test) => Some(test.ln_evidence_against_h0()),
        }
    }
}

/// The error rates of one candidate's own test.
///
/// If `k` candidates are judged together, its bound is that of the first to be accepted, `k/α`: a
/// candidate that reaches it is accepted regardless of the others, and below it the evidence of all
/// decides.
pub(super) fn own_rates(gate: &Gate) -> Result<ErrorRates, BadTest> {
    let together = match gate.control {
        Control::None => 1,
        Control::FamilyWise | Control::FalseDiscovery => gate.candidates.len(),
    };
    let rates = gate.errors;
    ErrorRates::new(rates.alpha() / together as f64, rates.beta())
}

impl Test {
    /// Adds the next pair: its cell, and the half points of its games.
    pub(super) fn record_pair(
        &mut self,
        cell: usize,
        games: impl Iterator<Item = u8>,
    ) -> Result<(), CellOutOfRange> {
        match self {
            Self::Games(test) => games.for_each(|half_points| test.record_game(half_points)),
            _ => self.record(cell)?,
        }
        Ok(())
    }

    fn inner(&self) -> &dyn SequentialTest {
        match self {
            Self::Gsprt(test) => test,
            Self::Games(test) => test,
            Self::Strict(test) => test,
            Self::GroupSequential(test) => test,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn SequentialTest {
        match self {
            Self::Gsprt(test) => test,
            Self::Games(test) => test,
            Self::Strict(test) => test,
            Self::GroupSequential(test) => test,
        }
    }
}

impl SequentialTest for Test {
    fn record(&mut self, cell: usize) -> Result<(), CellOutOfRange> {
        self.inner_mut().record(cell)
    }

    fn record_shared(&mut self, cell: usize, memo: &mut Memo) -> Result<(), CellOutOfRange> {
        self.inner_mut().record_shared(cell, memo)
    }

    fn skip(&mut self) {
        self.inner_mut().skip();
    }

    fn level(&self) -> Level {
        self.inner().level()
    }

    fn decision(&self) -> Option<Decision> {
        self.inner().decision()
    }

    fn after_stop(&self) -> Option<AfterSprt> {
        self.inner().after_stop()
    }
}
