//! A tournament that is played for its standings and not recorded.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use super::driver::play_one;
use super::{Plan, Replay, Standings};
use crate::store::PairRow;
use leitai_config::FailurePolicies;
use leitai_players::play::{Players, Sequencer, work};

/// Plays all pairs of the plan and keeps only their sums, by schedule order: the same for any
/// number of threads. Leaves out pairs with two equal games, which measure the players, not the
/// opening. Returns the standings so far if `cancel` is set.
pub fn play_unrecorded(plan: &Plan, threads: NonZeroUsize, cancel: &AtomicBool) -> Standings {
    let mut standings = Standings::of(plan);
    let mut sequencer = Sequencer::from(0);
    let todo = 0..plan.schedule.len();
    let Ok(()) = play_pairs(plan, todo, threads, cancel, |row| {
        sequencer.put(row.record.index, row.record);
        while let Some(record) = sequencer.take() {
            if !record.is_alike() {
                let spec = plan.schedule.pair(record.index);
                standings.add(&spec, &record, &Replay::default());
            }
        }
        Ok::<(), Infallible>(())
    });
    standings
}

/// Plays unrecorded pairs of the schedule with the default policies on failures, and passes the
/// pairs on in the order in which they finish.
///
/// # Errors
/// The first error of `finished`.
pub(super) fn play_pairs<E>(
    plan: &Plan,
    todo: impl Iterator<Item = u64> + Send,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    mut finished: impl FnMut(PairRow) -> Result<(), E>,
) -> Result<(), E> {
    let make = |index| plan.player(index);
    let worker = || {
        let mut players = Players::new(&make, plan.config.variants.len());
        let policies = FailurePolicies::default();
        move |index| play_one(plan, index, &mut players, &policies, cancel)?.ok()
    };
    work(todo, threads, cancel, worker, |_, row| finished(row))
}
