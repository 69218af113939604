//! The games of a tuner's batches.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::ExecutionOptions;
use super::conduct::{Answer, answer};
use leitai_config::{FailurePolicies, Variant};
use leitai_game::card::AnyPosition;
use leitai_players::play::{Players, Terms, Unit, play_pair};
use leitai_players::player::Player;
use leitai_players::schedule::{Opening, PairSpec, Variations};

/// The setting of a batch's games.
pub struct BatchRunner<'a> {
    /// The terms of play; both players have the limits at 0 and 1.
    pub terms: &'a Terms,
    /// The openings.
    pub openings: &'a [Opening],
    /// The indices of the openings in the order in which pairs take them, repeatedly; not empty.
    pub order: &'a [usize],
    /// The start positions of games that repeat an opening.
    pub variations: &'a Variations,
    /// The consequences of a player's failure.
    pub policies: &'a FailurePolicies,
    /// The options of play that do not affect results.
    pub execution_options: &'a ExecutionOptions,
    /// The variant with these values of the dimensions.
    pub variant: Box<Values<'a>>,
    /// Creates the players.
    pub factory: &'a PlayerFactory<'a>,
}

/// Returns the variant with these values of the dimensions.
pub type Values<'a> = dyn Fn(&[f64]) -> Variant + Sync + 'a;

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
    pub(super) fn spec(&self, pair: u64) -> PairSpec {
        let laps = self.order.len() as u64;
        PairSpec {
            index: pair,
            pairing: 0,
            variants: [0, 1],
            opening: self.order[(pair % laps) as usize],
            lap: pair / laps,
        }
    }

    /// The start position of a pair.
    pub(super) fn start(&self, spec: &PairSpec) -> Box<dyn AnyPosition> {
        self.variations
            .start(&self.openings[spec.opening], spec.lap)
    }

    /// Plays a pair with the reused players if they fit; `Err` if a failure stops the run, `None`
    /// if the pair was cancelled.
    pub(super) fn play(
        &self,
        unit: &Unit,
        reused: &mut ReusedPlayers,
        cancel: &AtomicBool,
    ) -> Option<Answer> {
        let started = Instant::now();
        let values = unit.values.as_ref()?;
        let variants = values.each_ref().map(|values| (self.variant)(values));
        let make = |index: usize| (self.factory)(index, &variants[index]);
        let mut adopted = std::mem::take(&mut reused.players);
        if reused.values.as_ref() != Some(values) {
            for (player, variant) in adopted.iter_mut().zip(&variants) {
                let is_it = player.as_mut().is_some_and(|player| player.adopt(variant));
                *player = player.take().filter(|_| is_it);
            }
            reused.values = Some(values.clone());
        }
        let mut players = Players::resume(&make, adopted);
        let spec = self.spec(unit.pair);
        let position = self.start(&spec);
        let (terms, policies) = (self.terms, self.policies);
        let played = play_pair(&spec, &*position, &mut players, terms, policies, cancel)?;
        let answer = answer(played, &spec, started);
        if answer.is_ok() {
            reused.players = players.rest();
        }
        Some(answer)
    }
}
