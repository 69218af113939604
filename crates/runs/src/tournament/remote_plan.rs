//! A run whose units a worker plays for a coordinator, and the checks of a worker's answers.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::Plan;
use super::batch_runner::ReusedPlayers;
use super::dispatch::PairReply;
use super::driver::play_one;
use crate::store::PairRow;
use leitai_config::FailurePolicy;
use leitai_game::card::AnyPosition;
use leitai_players::play::{Fault, PairRecord, Players, Unit};
use leitai_players::player::PvWarnings;
use leitai_players::schedule::PairSpec;

/// The longest duration of a pair.
const LONGEST_PAIR: Duration = Duration::from_hours(365 * 24);
/// The most warnings of a game: each fault of each side once.
const MAX_WARNINGS: usize = 64;
/// The most bytes of a word in a warning.
const LONGEST_WORD: usize = 64 << 10;

impl Plan {
    /// Returns whether the unit belongs to the run.
    pub fn has(&self, unit: &Unit) -> bool {
        let dimensions = self.tune().map(|plan| &plan.tune.dimensions);
        let has_values = match (dimensions, &unit.values) {
            (None, None) => true,
            (Some(dimensions), Some(values)) => values.iter().all(|values| {
                let mut both = values.iter().zip(dimensions);
                values.len() == dimensions.len()
                    && both.all(|(&value, dimension)| {
                        (dimension.min as f64..=dimension.max as f64).contains(&value)
                    })
            }),
            _ => false,
        };
        has_values && unit.pair < self.schedule.len()
    }

    /// Calls `work` with a function that plays a unit of the run, with the players left from the
    /// unit before; the function returns `None` if the unit was cancelled.
    pub fn work<R>(
        &self,
        cancel: &AtomicBool,
        work: impl FnOnce(&mut dyn FnMut(&Unit) -> Option<PairReply>) -> R,
    ) -> R {
        if let Some(plan) = self.tune() {
            let runner = plan.runner();
            let mut reused = ReusedPlayers::default();
            return work(&mut |unit| runner.play(unit, &mut reused, cancel));
        }
        let make = |index| self.player(index);
        let mut players = Players::new(&make, self.config.variants.len());
        let policies = self.policies();
        work(&mut |unit| play_one(self, unit.pair, &mut players, policies, cancel))
    }

    /// The reason why a worker's answer cannot belong to this run; `None` if it can. This does not
    /// prove that the games replay.
    pub(super) fn refusal(&self, answer: &PairReply) -> Option<&'static str> {
        let pair = reply_pair(answer);
        if pair >= self.schedule.len() {
            return Some("a pair beyond the schedule");
        }
        let spec = self.schedule.pair(pair);
        let start = self.start(&spec)?;
        let is_player = |fault: &Fault| spec.variants.contains(&fault.variant) && fault.game < 2;
        match answer {
            Err(stop) => {
                let is_right = stop.opening == spec.opening
                    && is_player(&stop.fault)
                    && stop.fault.cause.is_failure()
                    && self.policies().of(stop.fault.cause) == FailurePolicy::Stop;
                (!is_right).then_some("a failure that stops no such pair")
            }
            Ok(row) => row_refusal(row, &spec, &*start).or_else(|| {
                let is_right = row.record.spoilt.iter().all(is_player);
                (!is_right).then_some("a failure of a variant that is not in the pair")
            }),
        }
    }
}

/// The number of the answer's pair.
pub fn reply_pair(answer: &PairReply) -> u64 {
    match answer {
        Ok(row) => row.record.index,
        Err(stop) => stop.pair,
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
    if games.len() != spec.games().count() || hashes.len() != games.len() {
        return Some("another number of games than requested");
    }
    for ((game, &hash), players) in games.iter().zip(hashes).zip(spec.games()) {
        if [game.first, game.second] != players {
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
        if game.pv_warnings.len() > MAX_WARNINGS || !game.pv_warnings.iter().all(fits) {
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
