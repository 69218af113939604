//! The plan of a tune: the conditions of its batches, and its identity.

use std::borrow::Cow;

use thiserror::Error;

use super::batch_runner::BatchRunner;
use super::driver::{Source, add_speeds, begin};
use super::plan::{ExecutionOptions, PlayerSetting, identity, versioned};
use crate::store::{RunHandle, Speed, Store, StoreError};
use leitai_config::{Algorithm, Checks, Config, Limits, Tune, Variant};
use leitai_game::card::{AnyPosition, OpenTables};
use leitai_players::play::{RepeatBudget, Terms};
use leitai_players::player::{Openings, Player};
use leitai_players::schedule::{Book, OpeningVariations, PairSpec, opening_order};
use leitai_stats::tune::{
    BadMethod, BadSpace, Dimension, Kind, Method, Perturbation, Plan as Budget, Space, Tuner,
};

/// All that determines the batches of a tune.
#[derive(Debug)]
pub struct TunePlan {
    /// The checked config.
    pub config: Config,
    /// The tuned numbers, and the algorithm.
    pub tune: Tune,
    /// The openings.
    pub book: Book,
    /// The origin of the openings, for programs that need their moves.
    pub origins: Openings,
    /// Options of play that are not part of the identity.
    pub execution_options: ExecutionOptions,
    /// The speed of the machine at each start; see [`Plan`](super::Plan).
    pub speeds: Vec<Speed>,
    pub(super) terms: Terms,
    order: Vec<usize>,
    variations: OpeningVariations,
    id: String,
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
    /// There are no openings.
    #[error("the book is empty")]
    NoOpenings,
}

impl TunePlan {
    /// The plan of a config with a `[tune]` for the game `P`; `None` without `[tune]` or for
    /// another game.
    ///
    /// # Errors
    /// The book is empty.
    pub fn new(config: Config, book: Book) -> Result<Option<Self>, BadTune> {
        let Some(tune) = config.tune.clone() else {
            return Ok(None);
        };
        if book.openings.is_empty() {
            return Err(BadTune::NoOpenings);
        }
        let limits = config.limits_by_variant();
        let own = limits.get(tune.variant).copied().unwrap_or(config.limits);
        let terms = Terms {
            rules: config.game.rules,
            limits: vec![own; 2],
            adjudication: config.adjudication.clone(),
            spare: RepeatBudget::new(tune.games / 2),
        };
        let order = opening_order(&config, book.len());
        let method = method_of(&tune);
        let variations = OpeningVariations::new(config.game, config.seed);
        let goes_round = goes_round(&tune, &book);
        let id = identity(&config, &book, goes_round.then_some(&variations));
        let id = versioned(id, method.name(), method.version());
        Ok(Some(Self {
            origins: Openings::of(&config, &book),
            config,
            tune,
            book,
            execution_options: ExecutionOptions::default(),
            speeds: Vec::new(),
            terms,
            order,
            variations,
            id,
        }))
    }

    /// The run's identity: that of [`Plan`](super::Plan) with the version of the algorithm
    /// ([`Method::version`]).
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The remaining number of pairs that may be repeated after a pause of the machine.
    pub fn spare(&self) -> &RepeatBudget {
        &self.terms.spare
    }

    /// Sets endgame tables that were opened again for the plan of a recorded run.
    pub fn take_tables(&mut self, opened: OpenTables) {
        if let Some(tables) = &mut self.terms.adjudication.syzygy {
            tables.opened = opened;
        }
    }

    /// Scales the times of limits that name a reference speed.
    pub fn scale_clocks(&mut self, nps: f64) {
        let limits = self.config.limits_by_variant();
        let own = limits.get(self.tune.variant).copied();
        self.terms.limits = vec![own.unwrap_or(self.config.limits).scaled(nps); 2];
    }

    /// Returns the tuned variant with the values of the config.
    pub fn start(&self) -> &Variant {
        &self.config.variants[self.tune.variant]
    }

    /// The name of the first player (0) or the second (1) of a batch.
    pub fn player_name(&self, player: usize) -> String {
        let sign = if player == 0 { '+' } else { '-' };
        format!("{}{sign}", self.start().name)
    }

    /// Pairs of each batch, except the last, which may have fewer.
    pub fn batch_size(&self) -> u64 {
        u64::from(budget_of(&self.tune, self.config.seed).batch.max(1))
    }

    /// The limits of each player.
    pub fn limits(&self) -> Limits {
        self.terms.limits[0]
    }

    /// The start position of a pair.
    pub fn start_of(&self, pair: u64) -> Box<dyn AnyPosition> {
        self.start_position(&self.spec(pair))
    }

    /// The place of a pair in the schedule.
    pub(super) fn spec(&self, pair: u64) -> PairSpec {
        let openings = self.order.len() as u64;
        PairSpec {
            index: pair,
            pairing: 0,
            variants: [0, 1],
            opening: self.order[(pair % openings) as usize],
            lap: pair / openings,
        }
    }

    pub(super) fn start_position(&self, spec: &PairSpec) -> Box<dyn AnyPosition> {
        let opening = &self.book.openings[spec.opening];
        self.variations.start(opening, spec.lap)
    }

    /// The ID of the opening of a pair.
    pub fn opening_of(&self, pair: u64) -> Cow<'_, str> {
        self.book.openings[self.spec(pair).opening].id()
    }

    /// The variant with these values of the dimensions, rounded.
    pub fn variant(&self, values: &[f64]) -> Variant {
        self.with_values(self.start(), values)
    }

    /// Another variant with these values of the dimensions, rounded.
    pub fn with_values(&self, variant: &Variant, values: &[f64]) -> Variant {
        let values: Vec<i64> = values.iter().map(|value| value.round() as i64).collect();
        self.tune.apply(variant, &values)
    }

    /// The tuner before its first batch.
    ///
    /// # Errors
    /// The space or the algorithm's settings are unsound.
    pub fn tuner(&self) -> Result<Tuner, BadTune> {
        let (space, method, budget) = tune_parts(&self.tune, self.config.seed)?;
        Ok(Tuner::new(space, &method, budget)?)
    }

    /// Creates the players. A player's name is the variant's with `+` for the first player of a
    /// batch and `-` for the second.
    ///
    /// # Panics
    /// The game has no evaluation with numbers within their ranges, against its promise.
    #[expect(clippy::expect_used, reason = "a game that breaks its promise")]
    pub fn factory(&self) -> impl Fn(usize, &Variant) -> Box<dyn Player> + Sync + '_ {
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
    pub fn runner(&self) -> BatchRunner<'_> {
        BatchRunner {
            plan: self,
            factory: Box::new(self.factory()),
        }
    }

    /// Returns whether an opening is played more than once.
    pub fn goes_round(&self) -> bool {
        goes_round(&self.tune, &self.book)
    }

    /// Begins the run in the store, or continues it.
    ///
    /// # Errors
    /// The record cannot be read or written.
    pub fn begin(&self, source: Source<'_>, store: &Store) -> Result<RunHandle, StoreError> {
        let (contents, varies) = ((&self.config, &self.book), self.goes_round());
        let (pairs, others) = (self.tune.games / 2, std::iter::empty());
        let run = begin(&self.id, contents, varies, pairs, source, store, others)?;
        add_speeds(&self.speeds, store, &run)?;
        Ok(run)
    }
}

fn goes_round(tune: &Tune, book: &Book) -> bool {
    tune.games / 2 > book.len() as u64
}

/// The parts of a tuner: the space, the algorithm and the budget.
///
/// # Errors
/// The space is unsound.
pub fn tune_parts(tune: &Tune, seed: u64) -> Result<(Space, Method, Budget), BadSpace> {
    let dimensions = tune.dimensions.iter().map(|dimension| Dimension {
        name: dimension.name.clone(),
        min: dimension.min as f64,
        max: dimension.max as f64,
        start: dimension.start as f64,
        step: dimension.step,
        kind: Kind::Integer,
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
fn method_of(tune: &Tune) -> Method {
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
