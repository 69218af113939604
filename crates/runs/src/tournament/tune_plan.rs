//! The plan of a tune: the conditions of its batches, and its identity.

use std::ops::Deref;

use thiserror::Error;

use super::Plan;
use super::batch_runner::BatchRunner;
use super::plan::PlayerSetting;
use leitai_config::{Algorithm, Checks, Limits, Tune, Variant};
use leitai_players::player::Player;
use leitai_stats::tune::{
    BadMethod, BadSpace, Dimension, Kind, Method, Perturbation, Plan as Budget, Space, Tuner,
};

/// The plan of a tune: its pairs are between two players of the tuned variant.
#[derive(Clone, Copy, Debug)]
pub struct TunePlan<'a> {
    pub(super) plan: &'a Plan,
    /// The tuned numbers, and the algorithm.
    pub tune: &'a Tune,
}

impl Deref for TunePlan<'_> {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        self.plan
    }
}

/// The reason why a config cannot be tuned.
#[derive(Debug, Error)]
pub enum BadTune {
    /// The tuned numbers are not a valid space.
    #[error(transparent)]
    Space(#[from] BadSpace),
    /// The settings of the algorithm are not valid.
    #[error(transparent)]
    Method(#[from] BadMethod),
}

impl<'a> TunePlan<'a> {
    /// Returns the tuned variant with the values of the config.
    pub fn start_variant(&self) -> &'a Variant {
        &self.plan.config.variants[self.tune.variant]
    }

    /// Pairs of each batch, except the last, which may have fewer.
    pub fn batch_size(&self) -> u64 {
        u64::from(budget_of(self.tune, self.config.seed).batch.max(1))
    }

    /// The limits of each player.
    pub fn limits(&self) -> Limits {
        self.terms.limits[0]
    }

    /// The variant with these values of the dimensions, rounded.
    pub fn variant(&self, values: &[f64]) -> Variant {
        self.with_values(self.start_variant(), values)
    }

    /// Another variant with these values of the dimensions, rounded.
    pub fn with_values(&self, variant: &Variant, values: &[f64]) -> Variant {
        let pairs = self.tune.dimensions.iter().zip(values);
        let units = pairs.map(|(dimension, &value)| dimension.nearest_units(value));
        self.tune.apply(variant, &units.collect::<Vec<_>>())
    }

    /// The tuner before its first batch.
    ///
    /// # Errors
    /// The space or the algorithm's settings are unsound.
    pub fn tuner(&self) -> Result<Tuner, BadTune> {
        let (space, method, budget) = tune_parts(self.tune, self.config.seed)?;
        Ok(Tuner::new(space, &method, budget)?)
    }

    /// Creates the players. A player's name is the variant's with `+` for the first player of a
    /// batch and `-` for the second.
    ///
    /// # Panics
    /// The game has no evaluation with numbers within their ranges, against its promise.
    #[expect(clippy::expect_used, reason = "a game that breaks its promise")]
    pub fn factory(self) -> impl Fn(usize, &Variant) -> Box<dyn Player> + Sync + 'a {
        move |index, variant| {
            let setting = PlayerSetting {
                limits: &self.terms.limits[0],
                game: &self.config.game,
                openings: &self.origins,
                options: &self.execution_options,
                // Only the results of a batch's games are kept.
                checks: Checks::NONE,
            };
            let player = setting.create(variant, &self.player_name(index));
            player.expect("the game has an evaluation of any numbers within their ranges")
        }
    }

    /// The games of the batches, with players of this process.
    pub fn runner(self) -> BatchRunner<'a> {
        BatchRunner {
            plan: self,
            factory: Box::new(self.factory()),
        }
    }
}

/// The parts of a tuner: the space, the algorithm and the budget.
///
/// # Errors
/// The space is unsound.
pub fn tune_parts(tune: &Tune, seed: u64) -> Result<(Space, Method, Budget), BadSpace> {
    let dimensions = tune.dimensions.iter().map(|dimension| Dimension {
        name: dimension.name.clone(),
        min: dimension.decimal(dimension.min).value(),
        max: dimension.decimal(dimension.max).value(),
        start: dimension.decimal(dimension.start).value(),
        step: dimension.step * dimension.unit(),
        kind: match dimension.decimals() {
            0 => Kind::Integer,
            decimals => Kind::Decimal(decimals),
        },
    });
    let space = Space::new(dimensions.collect())?;
    Ok((space, method_of(tune), budget_of(tune, seed)))
}

fn budget_of(tune: &Tune, seed: u64) -> Budget {
    let usual = method_of(tune).plan(tune.games / 2, seed);
    Budget {
        batch: tune.batch.unwrap_or(usual.batch),
        window: tune.window.unwrap_or(usual.window),
        ..usual
    }
}

/// The algorithm, with its settings.
pub(super) fn method_of(tune: &Tune) -> Method {
    let perturbation = match tune.handicap {
        Some(handicap) => Perturbation::Measured {
            handicap: f64::from(handicap),
        },
        None => Perturbation::Steps(1.0),
    };
    match tune.algorithm {
        Algorithm::Regression => Method::Regression {
            perturbation,
            no_effect: tune.no_effect,
        },
        Algorithm::Spsa => match Method::averaged_spsa() {
            Method::Spsa { gains, .. } => Method::Spsa {
                perturbation,
                gains,
            },
            other => other,
        },
        Algorithm::Fishtest => Method::fishtest(),
        Algorithm::HillClimb => Method::hill_climb(),
    }
}
