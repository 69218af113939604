//! The games of a tuner's batches.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::ExecutionOptions;
use super::conduct::{Answer, answer};
use crate::card::AnyPosition;
use crate::config::{FailurePolicies, Variant};
use crate::play::{Players, Terms, Unit, play_pair};
use crate::player::Player;
use crate::schedule::{Opening, PairSpec, Variations};

/// What the players of a batch meet over.
pub struct BatchRunner<'a> {
    /// The terms of play; both players have the limits at 0 and 1.
    pub terms: &'a Terms,
    /// The openings.
    pub openings: &'a [Opening],
    /// The places of the openings in the order in which pairs take them, again and
    /// again; not empty.
    pub order: &'a [usize],
    /// Where games begin that meet an opening again.
    pub variations: &'a Variations,
    /// What a failing player entails.
    pub policies: &'a FailurePolicies,
    /// How games are played.
    pub execution_options: &'a ExecutionOptions,
    /// The variant with these values of the dimensions.
    pub variant: Box<Values<'a>>,
    /// Who plays.
    pub factory: &'a PlayerFactory<'a>,
}

/// The variant with these values of the dimensions.
pub type Values<'a> = dyn Fn(&[f64]) -> Variant + Sync + 'a;

/// Makes a player that is the variant, for the first (0) or the second (1) player of
/// a batch.
pub type PlayerFactory<'a> = dyn Fn(usize, &Variant) -> Box<dyn Player> + Sync + 'a;

/// The two players of one thread between its pairs, once they are made, and the values of
/// the dimensions that they have.
#[derive(Default)]
pub(super) struct ReusedPlayers {
    players: [Option<Box<dyn Player>>; 2],
    values: Option<[Vec<f64>; 2]>,
}

impl BatchRunner<'_> {
    /// The pair of that number.
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

    /// The position from which a pair is played.
    pub(super) fn start(&self, spec: &PairSpec) -> Box<dyn AnyPosition> {
        self.variations
            .start(&self.openings[spec.opening], spec.lap)
    }

    /// Plays a pair by the players that are reused, as far as they can play it; `Err` if a
    /// failure is to stop the run, `None` if it was cancelled.
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
