//! The games of a tuner's batches.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::TunePlan;
use super::dispatch::{PairReply, reply_of};
use super::node_pairs::search_pair;
use leitai_config::Variant;
use leitai_players::play::{PairOutcome, Players, Unit, play_pair};
use leitai_players::player::Player;

/// Plays the games of a tune's batches.
pub struct BatchRunner<'a> {
    /// The plan of the tune.
    pub plan: TunePlan<'a>,
    /// Creates the players.
    pub factory: Box<PlayerFactory<'a>>,
}

/// Creates a player of the variant, for the first (0) or the second (1) player of a batch.
pub type PlayerFactory<'a> = dyn Fn(usize, &Variant) -> Box<dyn Player> + Sync + 'a;

/// The two players of one thread, kept between pairs once created, and their values of the
/// dimensions.
#[derive(Default)]
pub(super) struct ReusedPlayers {
    players: [Option<Box<dyn Player>>; 2],
    values: Option<[Vec<f64>; 2]>,
}

impl BatchRunner<'_> {
    /// Plays a pair with the reused players if they fit; `Err` if a failure stops the run, `None`
    /// if the pair was cancelled. With the objective `nodes`, searches once with each player.
    pub(super) fn play(
        &self,
        unit: &Unit,
        reused: &mut ReusedPlayers,
        cancel: &AtomicBool,
    ) -> Option<PairReply> {
        let started = Instant::now();
        let (plan, values) = (self.plan, unit.values.as_ref()?);
        let variants = values.each_ref().map(|values| plan.variant(values));
        let spec = plan.schedule.pair(unit.pair);
        let start = plan.start(&spec)?;
        if let Some(depth) = plan.tune.depth {
            let pair = search_pair(plan.plan, &spec, &*start, &variants, depth, cancel)?;
            return Some(reply_of(PairOutcome::Finished(pair), &spec, started));
        }
        let make = |index: usize| (self.factory)(index, &variants[index]);
        let mut adopted = std::mem::take(&mut reused.players);
        if reused.values.as_ref() != Some(values) {
            for (player, variant) in adopted.iter_mut().zip(&variants) {
                let is_adopted = player.as_mut().is_some_and(|player| player.adopt(variant));
                *player = player.take().filter(|_| is_adopted);
            }
            reused.values = Some(values.clone());
        }
        let mut players = Players::resume(&make, adopted);
        let policies = &plan.config.failures;
        let played = play_pair(&spec, &*start, &mut players, &plan.terms, policies, cancel)?;
        let answer = reply_of(played, &spec, started);
        if answer.is_ok() {
            reused.players = players.rest();
        }
        Some(answer)
    }
}
