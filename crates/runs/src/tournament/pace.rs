//! The time that a pair takes on this machine.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::unrecorded::play_pairs;
use super::{Plan, RunError};
use crate::store::{RunHandle, Store};

/// Total time of a pilot's pairs below which they are played again.
const SHORT: Duration = Duration::from_secs(2);

/// The duration of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Timed pairs.
    pub pairs: u64,
    /// Mean time of one pair on one thread while the other threads play.
    pub per_pair: Duration,
}

impl Pace {
    fn of(pairs: u64, total: Duration) -> Option<Self> {
        (pairs > 0).then(|| Self {
            pairs,
            per_pair: Duration::from_secs_f64(total.as_secs_f64() / pairs as f64),
        })
    }

    /// The time for this number of pairs on this number of threads.
    pub fn time_for(&self, pairs: f64, threads: NonZeroUsize) -> Duration {
        let seconds = self.per_pair.as_secs_f64() * pairs / threads.get() as f64;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

/// Plays the last pairs of the schedule, one per thread and at least four, and keeps only their
/// time: a user who sees results before choosing a test has already tested. Short pairs are played
/// twice, because the first ones also set up tables and threads. `None` if it was cancelled.
pub fn pilot(plan: &Plan, threads: NonZeroUsize, cancel: &AtomicBool) -> Option<Pace> {
    let total = plan.schedule.len();
    let some = threads.get().max(4) as u64;
    let timed = || {
        let (mut pairs, mut spent) = (0, Duration::ZERO);
        let todo = total.saturating_sub(some)..total;
        let Ok(()) = play_pairs(plan, todo, threads, cancel, |row| {
            pairs += 1;
            spent += Duration::from_micros(row.elapsed_us);
            Ok::<(), std::convert::Infallible>(())
        });
        (pairs, spent)
    };
    let (pairs, spent) = match timed() {
        (_, spent) if spent < SHORT => timed(),
        first => first,
    };
    Pace::of(pairs, spent)
}

/// The pace of the recorded pairs of a run; `None` if there are none.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_pace(store: &Store, run: &RunHandle) -> Result<Option<Pace>, RunError> {
    let (mut pairs, mut spent) = (0, Duration::ZERO);
    for row in store.pairs(run) {
        pairs += 1;
        spent += Duration::from_micros(row?.elapsed_us);
    }
    Ok(Pace::of(pairs, spent))
}
