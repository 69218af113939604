//! A run whose units a worker plays for a coordinator, and the checks of a worker's answers.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::batch_runner::ReusedPlayers;
use super::dispatch::Answer;
use super::driver::play_one;
use super::{Plan, TunePlan};
use crate::store::PairRow;
use leitai_config::{Config, FailurePolicies, FailurePolicy};
use leitai_game::card::AnyPosition;
use leitai_players::play::{Fault, PairRecord, Players, Unit};
use leitai_players::player::PvWarnings;
use leitai_players::schedule::PairSpec;

/// The longest duration of a pair.
const LONGEST_PAIR: Duration = Duration::from_hours(365 * 24);
/// The most warnings of a game: each fault of each side once.
const MOST_WARNINGS: usize = 64;
/// The most bytes of a word in a warning.
const LONGEST_WORD: usize = 64 << 10;

/// The plan of a run whose units this worker plays.
#[derive(Debug)]
pub enum RemotePlan {
    /// Pairs of a schedule.
    Pairs(Box<Plan>),
    /// Pairs of a tuner's batches.
    Batches(Box<TunePlan>),
}

impl RemotePlan {
    /// The run's identity.
    pub fn id(&self) -> &str {
        match self {
            Self::Pairs(plan) => plan.id(),
            Self::Batches(plan) => plan.id(),
        }
    }

    /// The run's config.
    pub fn config(&self) -> &Config {
        match self {
            Self::Pairs(plan) => &plan.config,
            Self::Batches(plan) => &plan.config,
        }
    }

    /// The config, for changes that do not affect the identity: the paths of programs.
    pub fn config_mut(&mut self) -> &mut Config {
        match self {
            Self::Pairs(plan) => &mut plan.config,
            Self::Batches(plan) => &mut plan.config,
        }
    }

    /// Scales the times of limits that name a reference speed.
    pub fn scale_clocks(&mut self, nps: f64) {
        match self {
            Self::Pairs(plan) => plan.scale_clocks(nps),
            Self::Batches(plan) => plan.scale_clocks(nps),
        }
    }

    /// Returns whether the unit belongs to the run.
    pub fn has(&self, unit: &Unit) -> bool {
        match (self, &unit.values) {
            (Self::Pairs(plan), None) => unit.pair < plan.schedule.len(),
            (Self::Batches(plan), Some(values)) => {
                let dimensions = &plan.tune.dimensions;
                let is_within = |values: &Vec<f64>| {
                    let mut both = values.iter().zip(dimensions);
                    values.len() == dimensions.len()
                        && both.all(|(&value, dimension)| {
                            (dimension.min as f64..=dimension.max as f64).contains(&value)
                        })
                };
                unit.pair < plan.tune.games / 2 && values.iter().all(is_within)
            }
            _ => false,
        }
    }

    /// Calls `work` with a function that plays a unit of the run, with the players left from the
    /// unit before; the function returns `None` if the unit was cancelled.
    pub fn work<R>(
        &self,
        cancel: &AtomicBool,
        work: impl FnOnce(&mut dyn FnMut(&Unit) -> Option<Answer>) -> R,
    ) -> R {
        match self {
            Self::Pairs(plan) => {
                let make = |index| plan.player(index);
                let mut players = Players::new(&make, plan.config.variants.len());
                let policies = plan.policies();
                work(&mut |unit| play_one(plan, unit.pair, &mut players, policies, cancel))
            }
            Self::Batches(plan) => {
                let runner = plan.runner();
                let mut reused = ReusedPlayers::default();
                work(&mut |unit| runner.play(unit, &mut reused, cancel))
            }
        }
    }
}

/// The number of the answer's pair.
pub fn pair_of(answer: &Answer) -> u64 {
    match answer {
        Ok(row) => row.record.index,
        Err(stop) => stop.pair,
    }
}

/// The reason why a worker's answer cannot belong to the pair of this plan, which begins at that
/// position and has this number of variants and these policies; `None` if it can. This does not
/// prove that the games replay.
pub(super) fn refusal(
    answer: &Answer,
    spec: &PairSpec,
    start: &dyn AnyPosition,
    policies: &FailurePolicies,
) -> Option<&'static str> {
    let is_player = |fault: &Fault| spec.variants.contains(&fault.variant) && fault.game < 2;
    match answer {
        Err(stop) => {
            let is_right = (stop.pair, stop.opening) == (spec.index, spec.opening)
                && is_player(&stop.fault)
                && stop.fault.cause.is_failure()
                && policies.of(stop.fault.cause) == FailurePolicy::Stop;
            (!is_right).then_some("a failure that stops no such pair")
        }
        Ok(row) => row_refusal(row, spec, start).or_else(|| {
            let is_right = row.record.spoilt.iter().all(is_player);
            (!is_right).then_some("a failure of a variant that is not in the pair")
        }),
    }
}

fn row_refusal(row: &PairRow, spec: &PairSpec, start: &dyn AnyPosition) -> Option<&'static str> {
    let place = (row.record.index, row.pairing, row.variants, row.opening);
    if place != (spec.index, spec.pairing, spec.variants, spec.opening) {
        return Some("another pair than requested");
    }
    if row.elapsed_us > LONGEST_PAIR.as_micros() as u64 {
        return Some("an impossible time");
    }
    let PairRecord { games, hashes, .. } = &row.record;
    let [a, b] = spec.variants;
    for ((game, &hash), players) in games.iter().zip(hashes).zip([(a, b), (b, a)]) {
        if (game.first, game.second) != players {
            return Some("other players than requested");
        }
        let plies = game.plies.len();
        let fits = |times: &[u32]| times.is_empty() || (plies..=plies + 1).contains(&times.len());
        if !fits(&game.times.micros) || !fits(&game.times.reported) {
            return Some("times of other moves");
        }
        let fits = |warnings: &PvWarnings| {
            let first = &warnings.first;
            let words = [&first.word, &first.position, &first.line];
            words.iter().all(|word| word.len() <= LONGEST_WORD)
        };
        if game.pv_warnings.len() > MOST_WARNINGS || !game.pv_warnings.iter().all(fits) {
            return Some("impossible warnings");
        }
        let mut position = start.boxed();
        for ply in &game.plies {
            if !position.is_legal(ply.mv) {
                return Some("a move that the rules forbid");
            }
            position.play(ply.mv);
        }
        if game.transcript_hash(start) != hash {
            return Some("a digest of other moves");
        }
    }
    None
}
