//! The plan of a tune: the conditions of its batches, and its identity.

use std::collections::HashMap;
use std::ops::Deref;

use thiserror::Error;

use super::Plan;
use super::batch_runner::BatchRunner;
use super::plan::PlayerSetting;
use leitai_config::{Algorithm, BlockKind, Checks, Kept, Limits, Tune, Variant};
use leitai_players::player::Player;
use leitai_players::schedule::{numbered_generator, permutation};
use leitai_stats::tune::{
    BadMethod, BadSpace, Blocks, Dimension, HillClimb, Kind, Method, Perturbation, Plan as Budget,
    Space, Tuner,
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
                kept: &Kept::default(),
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
    Ok((space, method_of(tune, seed), budget_of(tune, seed)))
}

fn budget_of(tune: &Tune, seed: u64) -> Budget {
    let usual = Budget::usual(tune.games / 2, seed);
    Budget {
        batch: tune.batch.unwrap_or(usual.batch),
        window: tune.window.unwrap_or(usual.window),
        ..usual
    }
}

/// The algorithm, with its settings.
pub(super) fn method_of(tune: &Tune, seed: u64) -> Method {
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
        Algorithm::HillClimb => Method::HillClimb(hill_climb(tune, seed)),
    }
}

fn hill_climb(tune: &Tune, seed: u64) -> HillClimb {
    let Some(climb) = &tune.climb else {
        return HillClimb::default();
    };
    let blocks = climb.blocks.iter().map(|kind| Blocks {
        name: kind.name().to_owned(),
        block_of: match kind {
            BlockKind::Random => random_blocks(tune.dimensions.len(), seed),
            _ => numbered(&kind.blocks(&tune.dimensions)),
        },
    });
    HillClimb {
        blocks: blocks.collect(),
        race: climb.race,
    }
}

/// Numbers the blocks in the order of their first dimension.
fn numbered(names: &[Option<String>]) -> Vec<Option<usize>> {
    let mut known = HashMap::new();
    let blocks = names.iter().map(|name| {
        let next = known.len();
        Some(*known.entry(name.as_ref()?).or_insert(next))
    });
    blocks.collect()
}

/// Deals the dimensions, in random order, to about as many blocks as each block has dimensions.
fn random_blocks(dimensions: usize, seed: u64) -> Vec<Option<usize>> {
    /// No batch or trial of the tuner has this number.
    const STREAM: u64 = u64::MAX;
    let order = permutation(dimensions as u32, &mut numbered_generator(seed, STREAM));
    let count = dimensions.isqrt().max(1);
    let mut blocks = vec![None; dimensions];
    for (i, dimension) in order.into_iter().enumerate() {
        blocks[dimension as usize] = Some(i % count);
    }
    blocks
}
