//! The choice of an algorithm.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::calibration::Calibrated;
use super::hillclimb::Climber;
use super::regression::Regression;
use super::spsa::{Decay, Gains, Spsa, ends};
use super::{BoxedStrategy, HillClimb, Plan, Space};
use leitai_base::settings::choice;

/// Distance of the two players of a batch from the centre.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Perturbation {
    /// A fixed number of steps.
    Steps(f64),
    /// The number of steps that costs `handicap`, measured with games at the start, with at most an
    /// eighth of the budget; if that fails, measured again after a quarter and half of the budget,
    /// with a fiftieth of it each time.
    Measured {
        /// Wanted difference in strength between the centre and perturbed players, in Elo.
        handicap: f64,
    },
}

choice! {
    /// The value of a parameter if the games show no effect of it.
    #[derive(Default, Deserialize)]
    pub enum NoEffect {
        /// The start.
        #[default]
        Keep = "keep",
        /// The best value: many gains that are too small to be visible are large together.
        Move = "move",
    }
}

/// An algorithm with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Bayesian regression of the slope on each parameter: the default.
    Regression {
        /// Distance of the players from the centre.
        perturbation: Perturbation,
        /// Value of a parameter without a visible effect.
        #[serde(default)]
        no_effect: NoEffect,
    },
    /// SPSA.
    Spsa {
        /// Distance of the players from the centre; fishtest's schedule has its own.
        perturbation: Perturbation,
        /// Step sizes.
        gains: Gains,
    },
    /// Hill climbing in blocks.
    HillClimb(HillClimb),
}

/// Settings with which no algorithm can run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadMethod {
    /// A number or a list is invalid.
    #[error("{0}")]
    Settings(String),
}

impl Default for Method {
    fn default() -> Self {
        Self::Regression {
            perturbation: Perturbation::Steps(1.0),
            no_effect: NoEffect::default(),
        }
    }
}

impl Method {
    /// SPSA with averaging; the rate is chosen from the budget.
    pub fn averaged_spsa() -> Self {
        Self::Spsa {
            perturbation: Perturbation::Steps(1.0),
            gains: Gains::Averaged { rate: None },
        }
    }

    /// fishtest's defaults: `c_end` a twentieth of the range, `r_end` 0.002.
    pub fn fishtest() -> Self {
        Self::Spsa {
            perturbation: Perturbation::Steps(1.0),
            gains: Gains::Fishtest {
                c_end: None,
                r_end: 0.002,
                decay: Decay::default(),
            },
        }
    }

    /// The hill climber with its defaults.
    pub fn hill_climb() -> Self {
        Self::HillClimb(HillClimb::default())
    }

    /// The name of the method in configs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Regression { .. } => "regression",
            Self::Spsa {
                gains: Gains::Averaged { .. },
                ..
            } => "spsa",
            Self::Spsa { .. } => "fishtest-spsa",
            Self::HillClimb(_) => "hill-climb",
        }
    }

    /// Version of the algorithm's behaviour since its records first existed: a tune by another
    /// version is another run. Since its second version, the regression shifts its centres and
    /// recognizes parameters without effect, and the hill climber takes steps on estimates.
    pub fn version(&self) -> u32 {
        match self {
            Self::Regression { .. } => 4,
            Self::HillClimb(_) => 3,
            Self::Spsa { .. } => 1,
        }
    }

    /// Loss of a perturbed player against the centre, `Σ hᵢcᵢ²` in Elo, if one step in every
    /// dimension costs `unit` Elo.
    pub(super) fn handicap(&self, space: &Space, unit: f64) -> f64 {
        match self {
            Self::Regression { perturbation, .. }
            | Self::Spsa {
                perturbation,
                gains: Gains::Averaged { .. },
            } => match perturbation {
                Perturbation::Steps(steps) => unit * steps * steps,
                Perturbation::Measured { handicap } => *handicap,
            },
            Self::Spsa {
                gains: Gains::Fishtest { c_end, .. },
                ..
            } => {
                let squares = ends(space, c_end.as_deref()).map(|c| c * c);
                unit * squares.sum::<f64>() / space.len() as f64
            }
            Self::HillClimb(_) => unit,
        }
    }

    /// Creates the algorithm, ready to propose.
    ///
    /// # Errors
    /// [`BadMethod`] for settings with which it cannot run.
    pub(super) fn strategy(&self, space: &Space, plan: &Plan) -> Result<BoxedStrategy, BadMethod> {
        match self {
            Self::Regression {
                perturbation,
                no_effect,
            } => {
                let strategy = Regression::new(space, perturbation.steps()?, plan, *no_effect);
                Ok(perturbation.measured(space, plan, Box::new(strategy)))
            }
            Self::Spsa {
                perturbation,
                gains,
            } => {
                check(gains, space)?;
                let strategy = Box::new(Spsa::new(space, plan, gains, perturbation.steps()?));
                Ok(match gains {
                    Gains::Averaged { .. } => perturbation.measured(space, plan, strategy),
                    Gains::Fishtest { .. } => strategy,
                })
            }
            Self::HillClimb(options) => Ok(Box::new(Climber::new(space, options, plan)?)),
        }
    }
}

impl Perturbation {
    fn steps(self) -> Result<f64, BadMethod> {
        match self {
            Self::Steps(steps) => positive("the perturbation in steps", steps),
            Self::Measured { handicap } => positive("the handicap", handicap).map(|_| 1.0),
        }
    }

    fn measured(self, space: &Space, plan: &Plan, strategy: BoxedStrategy) -> BoxedStrategy {
        match self {
            Self::Steps(_) => strategy,
            Self::Measured { handicap } => {
                Box::new(Calibrated::new(space, plan, handicap, strategy))
            }
        }
    }
}

fn check(gains: &Gains, space: &Space) -> Result<(), BadMethod> {
    match gains {
        Gains::Averaged { rate } => {
            positive("the rate", rate.unwrap_or(1.0))?;
        }
        Gains::Fishtest {
            c_end,
            r_end,
            decay,
        } => {
            positive("r_end", *r_end)?;
            positive("alpha", decay.alpha)?;
            positive("gamma", decay.gamma)?;
            positive("the ratio of A", decay.a_ratio)?;
            let (want, given) = (space.len(), c_end.as_deref().unwrap_or_default());
            if c_end.is_some() && given.len() != want {
                return Err(BadMethod::Settings(format!(
                    "c_end has {} values for {want} parameters: give one for each",
                    given.len()
                )));
            }
            for &c in given {
                positive("c_end", c)?;
            }
        }
    }
    Ok(())
}

pub(super) fn positive(field: &str, value: f64) -> Result<f64, BadMethod> {
    let is_positive = value > 0.0 && value.is_finite();
    let wrong = || BadMethod::Settings(format!("{field} ({value}) must be a number above 0"));
    is_positive.then_some(value).ok_or_else(wrong)
}
