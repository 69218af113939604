//! The games of one batch of a tuner.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::{ExecutionOptions, Stop};
use crate::config::{FailurePolicies, Variant};
use crate::play::{Played, Players, Terms, play_pair};
use crate::player::Player;
use crate::schedule::{Opening, PairSpec, varied};
use crate::stats::Pentanomial;
use crate::store::{BatchFailure, BatchRow};
use crate::tune::Proposal;

/// What the players of a batch meet over.
pub struct BatchRunner<'a> {
    /// The terms of play; both players have the limits at 0 and 1.
    pub terms: &'a Terms,
    /// The openings.
    pub openings: &'a [Opening],
    /// The places of the openings in the order in which pairs take them, again and
    /// again; not empty.
    pub order: &'a [usize],
    /// The seed of the plies after an opening that is taken for a second time.
    pub seed: u64,
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

/// The two players of one thread between its batches, once they are made.
pub(super) type ReusedPlayers = [Option<Box<dyn Player>>; 2];

impl BatchRunner<'_> {
    /// Plays a batch, whose pairs count from `first`, by the players that are reused, as
    /// far as they can play it; `Err` if a failure is to stop the run, `None` if it
    /// was cancelled.
    pub(super) fn play(
        &self,
        proposal: &Proposal,
        first: u64,
        reused: &mut ReusedPlayers,
        cancel: &AtomicBool,
    ) -> Option<Result<BatchRow, Stop>> {
        let started = Instant::now();
        let variants = [&proposal.plus, &proposal.minus].map(|values| (self.variant)(values));
        let make = |index: usize| (self.factory)(index, &variants[index]);
        let mut factory = 0..;
        let adopted = std::mem::take(reused).map(|player| {
            let variant = &variants[factory.next().unwrap_or_default()];
            player.and_then(|mut player| player.adopt(variant).then_some(player))
        });
        let mut players = Players::resume(&make, adopted);
        let (mut counts, mut failures) = ([0; 5], Vec::new());
        for pair in first..first + u64::from(proposal.pairs) {
            let laps = self.order.len() as u64;
            let opening = self.order[(pair % laps) as usize];
            let spec = PairSpec {
                index: pair,
                pairing: 0,
                variants: [0, 1],
                opening,
                lap: pair / laps,
            };
            let mut position = self.openings[opening].position.clone();
            if spec.lap > 0 {
                position = varied(&*position, self.seed, pair);
            }
            let (terms, policies) = (self.terms, self.policies);
            match play_pair(&spec, &*position, &mut players, terms, policies, cancel)? {
                Played::Finished(record) => {
                    counts[record.cell()] += 1;
                    failures.extend(BatchFailure::of(&record));
                }
                Played::Stopped(fault) => {
                    return Some(Err(Stop {
                        pair,
                        opening,
                        fault,
                    }));
                }
            }
        }
        *reused = players.rest();
        Some(Ok(BatchRow {
            number: proposal.number,
            plus: proposal.plus.clone(),
            minus: proposal.minus.clone(),
            result: Pentanomial(counts),
            failures,
            elapsed_us: started.elapsed().as_micros() as u64,
        }))
    }
}
