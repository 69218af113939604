//! A tournament that is played for a figure and not recorded.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use super::driver::make_player;
use super::{Plan, Replay, Standings};
use crate::config::FailurePolicies;
use crate::play::{PairRecord, Players, Sequencer, play_pair, work};
use crate::schedule::PairSpec;

/// Plays all pairs of the plan and keeps their sums alone, by schedule order: the same
/// for any number of threads. Pairs whose two games went move by move alike are left
/// out: they tell of the players, not of the opening. What was played before it was
/// `cancel`led, if it was.
pub fn play_aside(plan: &Plan, threads: NonZeroUsize, cancel: &AtomicBool) -> Standings {
    let mut standings = Standings::new(plan.schedule.pairings());
    let mut sequencer = Sequencer::from(0);
    let todo = 0..plan.schedule.len();
    let done = play_pairs(plan, todo, threads, cancel, |index, (_, record)| {
        sequencer.put(index, record);
        while let Some(record) = sequencer.take() {
            if !record.is_alike() {
                let spec = plan.schedule.pair(record.index);
                standings.add(&spec, &record, &Replay::default());
            }
        }
        Ok::<(), Infallible>(())
    });
    match done {
        Ok(()) => standings,
        Err(never) => match never {},
    }
}

/// Plays pairs of the schedule that nothing is recorded of, as if nobody failed, and
/// hands them on as they come.
///
/// # Errors
/// The first of `finished`.
pub(super) fn play_pairs<E>(
    plan: &Plan,
    todo: impl Iterator<Item = u64> + Send,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    finished: impl FnMut(u64, (PairSpec, PairRecord)) -> Result<(), E>,
) -> Result<(), E> {
    let make = |index| make_player(plan, index);
    let worker = || {
        let mut players = Players::new(&make, plan.config.variants.len());
        move |index| {
            let spec = plan.schedule.pair(index);
            let start = plan.start(&spec)?;
            let (terms, policies) = (&plan.terms, &FailurePolicies::default());
            let played = play_pair(&spec, &*start, &mut players, terms, policies, cancel)?;
            Some((spec, played.finished()?))
        }
    };
    work(todo, threads, cancel, worker, finished)
}
