//! Plays the pairs of a plan that the record does not hold yet.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use thiserror::Error;

use super::{Plan, Standings};
use crate::play::{PairRecord, Players, Sequencer, play_pair, work};
use crate::player::{Playable, Player};
use crate::store::{Appended, Opening, PairRow, RunHandle, RunMeta, Store, StoreError};

/// What happens during a run, for whoever watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// The record has been read; play begins.
    Begun {
        /// What the recorded prefix adds up to.
        standings: &'a Standings,
        /// Pairs recorded, those beyond the prefix included.
        recorded: u64,
        /// Pairs in the whole schedule.
        total: u64,
    },
    /// The next pair in schedule order has been counted.
    Pair {
        /// What all pairs so far add up to.
        standings: &'a Standings,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every pair of the schedule is recorded.
    Complete,
    /// It was cancelled; the same command carries on.
    Cancelled,
}

/// Why a run could not go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The record cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A recorded pair is not the one that the plan has under its number.
    #[error(
        "pair {0} of the record is not that of the plan: the run was played by another version \
         of leitai"
    )]
    OtherPlan(u64),
}

/// What the config file was called and said, to be kept with the run.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name, as given.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// Plays what is left of `plan` on `threads` threads into `store`. Every
/// finished pair is recorded before it is counted, and pairs are counted in
/// schedule order, so the standings at any point do not depend on timing.
///
/// # Errors
/// The record cannot be read or written. What was recorded stays.
pub fn play<P: Playable>(
    plan: &Plan<P>,
    source: Source<'_>,
    store: &Store,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    mut watch: impl FnMut(Event<'_>),
) -> Result<(Ending, Standings), RunError> {
    let run = begin(plan, source, store)?;
    // Notices a recorded book that was damaged before anything is added to it.
    store.openings(&run)?;
    let total = plan.schedule.len();
    let recorded = store.recorded_indices(&run)?;
    let mut fold = recorded_fold(plan, store, &run)?;
    watch(Event::Begun {
        standings: &fold.standings,
        recorded: recorded.count(),
        total,
    });

    let todo = (0..total).filter(|&index| !recorded.contains(index));
    let make = |index| make_player(plan, index);
    let worker = || {
        let mut players = Players::new(&make, plan.config.variants.len());
        move |index| {
            let started = Instant::now();
            let spec = plan.schedule.pair(index);
            let opening = &plan.book.openings[spec.opening].position;
            let record = play_pair(&spec, opening, &mut players, &plan.terms, cancel)?;
            let elapsed_us = started.elapsed().as_micros() as u64;
            Some(PairRow {
                record,
                pairing: spec.pairing,
                variants: spec.variants,
                opening: spec.opening,
                elapsed_us,
            })
        }
    };
    work(todo, threads, cancel, worker, |index, mut row: PairRow| {
        if store.append(&run, &row)? == Appended::AlreadyThere
            && let Some(recorded) = store.pair(&run, index)?
        {
            // Another process was faster. What is recorded counts.
            row = recorded;
        }
        fold.put(row, |standings| watch(Event::Pair { standings }))
    })?;
    let ending = if fold.standings.played == total {
        Ending::Complete
    } else {
        Ending::Cancelled
    };
    Ok((ending, fold.standings))
}

/// The standings of a recorded run: what its pairs, in schedule order up to
/// the first that is missing, add up to.
///
/// # Errors
/// The record cannot be read.
pub fn standings_of<P: Playable>(
    plan: &Plan<P>,
    store: &Store,
    run: &RunHandle,
) -> Result<Standings, RunError> {
    recorded_fold(plan, store, run).map(|fold| fold.standings)
}

fn recorded_fold<'a, P: Playable>(
    plan: &'a Plan<P>,
    store: &Store,
    run: &RunHandle,
) -> Result<Fold<'a, P>, RunError> {
    let mut fold = Fold::new(plan);
    for row in store.pairs(run) {
        fold.put(row?, |_| {})?;
    }
    Ok(fold)
}

/// A player for a variant that the plan has checked to be of its game.
#[expect(
    clippy::expect_used,
    reason = "a plan is only made of variants of its own game"
)]
pub(super) fn make_player<P: Playable>(plan: &Plan<P>, index: usize) -> Box<dyn Player<P>> {
    plan.player(index).expect("a variant of the plan's game")
}

fn begin<P: Playable>(
    plan: &Plan<P>,
    source: Source<'_>,
    store: &Store,
) -> Result<RunHandle, StoreError> {
    let meta = RunMeta {
        id: plan.id().to_owned(),
        game: P::NAME.to_owned(),
        config: plan.config_json(),
        source_name: source.name.to_owned(),
        source_text: source.text.to_owned(),
        seed: plan.config.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        variants: plan
            .config
            .variants
            .iter()
            .map(|variant| variant.name.clone())
            .collect(),
        pairs: plan.schedule.len(),
        reproducible: plan.config.limits.time.is_none(),
    };
    let openings = plan.book.openings.iter();
    store.begin_run(
        &meta,
        openings.map(|opening| Opening {
            id: opening.id.clone(),
            fen: opening.fen.clone(),
        }),
    )
}

/// Counts pairs in schedule order, whatever the order in which they come.
struct Fold<'a, P: Playable> {
    plan: &'a Plan<P>,
    sequencer: Sequencer<PairRecord>,
    standings: Standings,
}

impl<'a, P: Playable> Fold<'a, P> {
    fn new(plan: &'a Plan<P>) -> Self {
        let standings = Standings::new(plan.schedule.pairings());
        Self {
            plan,
            sequencer: Sequencer::from(0),
            standings,
        }
    }

    /// Takes in a pair and calls `counted` after each pair that this brings
    /// into order.
    fn put(&mut self, row: PairRow, mut counted: impl FnMut(&Standings)) -> Result<(), RunError> {
        let index = row.record.index;
        let spec = self.plan.schedule.pair(index);
        let planned = (spec.pairing, spec.variants, spec.opening);
        if planned != (row.pairing, row.variants, row.opening) {
            return Err(RunError::OtherPlan(index));
        }
        self.sequencer.put(index, row.record);
        while let Some(record) = self.sequencer.take() {
            self.standings
                .add(&self.plan.schedule.pair(record.index), &record);
            counted(&self.standings);
        }
        Ok(())
    }
}
