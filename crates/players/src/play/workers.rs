//! Worker pools: a leader offers units of work, workers claim and complete them.

use std::collections::VecDeque;
use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::Duration;

use super::pool::OnDrop;
use leitai_base::threads::NoThread;

/// Upper limit of the total length of queued units: another process with the same record might be
/// free sooner.
const AHEAD: Duration = Duration::from_millis(20);
/// Largest number of queued units per thread.
const MAX_AHEAD: u128 = 32;

/// A unit of work: a pair of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The number of the pair in its run, from 0.
    pub pair: u64,
    /// In a tune, the values of the dimensions for the first player and for the second.
    pub values: Option<[Vec<f64>; 2]>,
}

impl Unit {
    /// The given pair, between players that its run knows.
    pub fn of(pair: u64) -> Self {
        Self { pair, values: None }
    }
}

/// The interface of a worker pool to its leader; the workers are threads of this process or remote
/// ones. The leader offers units and collects their results.
///
/// Every offered unit either gets a result or is returned by [`retract`](WorkerPool::retract). If a
/// remote worker claims a unit and neither completes it nor responds, the pool offers it again.
pub trait WorkerPool<T> {
    /// Offers a unit. Workers claim units in the order of the offers.
    fn offer(&self, unit: Unit);

    /// Returns the next completed unit, in the order of completion; waits for it at most
    /// `patience`.
    fn collect(&self, patience: Duration) -> Option<Completed<T>>;

    /// Waits until `count` completed units can be collected or a worker has panicked, at most
    /// `patience`. The default returns at once.
    fn wait_for_completed(&self, count: usize, patience: Duration) {
        let _ = (count, patience);
    }

    /// Withdraws units that `keep` rejects and that need not be waited for: those that no thread
    /// has claimed, and all remote ones.
    fn retract(&self, keep: &mut dyn FnMut(&Unit) -> bool) -> Vec<Unit>;

    /// The number of units to offer at once, so that no worker is idle. `threads` is the requested
    /// number of parallel units in this process, `mean` the average duration of a unit, if known.
    fn window(&self, threads: NonZeroUsize, mean: Option<Duration>) -> Window;

    /// Sets the number of threads of this process.
    fn set_threads(&self, threads: NonZeroUsize);

    /// Returns whether no more results will come, because a worker has panicked or remote workers
    /// are unreachable. The leader must end; the owner of the pool reports the reason.
    fn is_broken(&self) -> bool;

    /// Returns whether other workers repeat units to verify their results: the leader waits a
    /// moment for them at the end.
    fn is_checking(&self) -> bool {
        false
    }

    /// Stops waiting for repeated units without a result: the leader plays them itself
    /// ([`dispute`](Self::dispute)).
    fn end_checks(&self) {}

    /// The next unit with different results, or with none where there should be one; only one
    /// result can be right. The leader plays the unit and [rejects](Self::reject) the workers with
    /// another result.
    fn dispute(&self) -> Option<Dispute> {
        None
    }

    /// Ignores all further results of a worker.
    fn reject(&self, worker: &str) {
        let _ = worker;
    }
}

/// A completed unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Completed<T> {
    /// The unit.
    pub unit: Unit,
    /// The result; `None` if the unit was not finished.
    pub answer: Option<T>,
    /// The remote worker that played it; `None` for a local thread.
    pub worker: Option<String>,
}

/// The number of units to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Units that can be played at once.
    pub seats: usize,
    /// Units that are queued meanwhile.
    pub ahead: usize,
}

/// A unit with different results.
#[derive(Clone, Debug)]
pub struct Dispute {
    /// The unit.
    pub unit: Unit,
    /// The workers, and the fingerprints of their results.
    pub answers: Vec<(String, u64)>,
}

/// Worker threads of this process.
pub struct LocalWorkers<T> {
    state: Mutex<State<T>>,
    /// Notified when workers have something to do.
    offers: Condvar,
    /// Notified when the leader has something to do.
    answers: Condvar,
}

struct State<T> {
    offered: VecDeque<Unit>,
    completed: VecDeque<Completed<T>>,
    /// The number of completed units at which the leader is notified.
    wake_at: usize,
    /// True if no further unit may be claimed.
    is_drained: bool,
    /// True if a worker has panicked.
    is_broken: bool,
    /// Requested and current number of workers.
    wanted: usize,
    running: usize,
}

impl<T> LocalWorkers<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Claims a unit, or waits for one. `None` if the worker must end.
    fn claim(&self) -> Option<Unit> {
        let mut state = self.state();
        loop {
            if state.is_drained || state.is_broken || state.running > state.wanted {
                state.running -= 1;
                return None;
            }
            if let Some(unit) = state.offered.pop_front() {
                return Some(unit);
            }
            let waited = self.offers.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The work of one thread. If it panics, all other workers end, because its unit will never be
    /// completed.
    fn run(&self, mut worker: impl FnMut(&Unit) -> Option<T>) {
        while let Some(unit) = self.claim() {
            let answer = worker(&unit);
            let mut state = self.state();
            state.completed.push_back(Completed {
                unit,
                answer,
                worker: None,
            });
            let wakes_leader = state.completed.len() >= state.wake_at;
            drop(state);
            if wakes_leader {
                self.answers.notify_one();
            }
        }
    }

    fn end_after_panic(&self) {
        if thread::panicking() {
            self.state().is_broken = true;
            self.offers.notify_all();
            self.answers.notify_all();
        }
    }
}

impl<T: Send> LocalWorkers<T> {
    /// Runs the requested number of threads while `drive` runs. Each makes its own worker,
    /// which turns a unit into a result, or into `None` if it was cancelled.
    ///
    /// # Panics
    /// A worker panics, or the system refuses to start the first thread ([`NoThread`]).
    pub fn work<W, R>(
        make_worker: impl Fn() -> W + Sync,
        drive: impl FnOnce(&dyn WorkerPool<T>) -> R,
    ) -> R
    where
        W: FnMut(&Unit) -> Option<T>,
    {
        let threads = Self {
            state: Mutex::new(State {
                offered: VecDeque::new(),
                completed: VecDeque::new(),
                wake_at: 1,
                is_drained: false,
                is_broken: false,
                wanted: 0,
                running: 0,
            }),
            offers: Condvar::new(),
            answers: Condvar::new(),
        };
        let run = || {
            let _guard = OnDrop(|| threads.end_after_panic());
            threads.run(make_worker());
        };
        thread::scope(|scope| {
            let handles: Mutex<Vec<ScopedJoinHandle<'_, ()>>> = Mutex::default();
            let spawn = || {
                let started = Builder::new().spawn_scoped(scope, run)?;
                let mut handles = handles.lock().unwrap_or_else(PoisonError::into_inner);
                // Drop handles of threads that ended without a panic.
                handles.retain(|handle| !handle.is_finished() || threads.state().is_broken);
                handles.push(started);
                Ok(())
            };
            // All workers end with `drive`, even if it panics.
            let guard = OnDrop(|| {
                threads.state().is_drained = true;
                threads.offers.notify_all();
            });
            let driven = drive(&LocalPool {
                threads: &threads,
                spawn: &spawn,
            });
            drop(guard);
            let handles = handles.into_inner().unwrap_or_else(PoisonError::into_inner);
            for handle in handles {
                handle.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            driven
        })
    }
}

/// The threads, with the means to start more.
struct LocalPool<'a, T> {
    threads: &'a LocalWorkers<T>,
    spawn: &'a dyn Fn() -> io::Result<()>,
}

impl<T> WorkerPool<T> for LocalPool<'_, T> {
    fn offer(&self, unit: Unit) {
        self.threads.state().offered.push_back(unit);
        self.threads.offers.notify_one();
    }

    fn collect(&self, patience: Duration) -> Option<Completed<T>> {
        let mut state = self.threads.state();
        if state.completed.is_empty() && !state.is_broken {
            let waited = self.threads.answers.wait_timeout(state, patience);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.completed.pop_front()
    }

    fn wait_for_completed(&self, count: usize, patience: Duration) {
        let mut state = self.threads.state();
        state.wake_at = count;
        let are_few = |state: &mut State<T>| state.completed.len() < count && !state.is_broken;
        let answers = &self.threads.answers;
        let waited = answers.wait_timeout_while(state, patience, are_few);
        waited.unwrap_or_else(PoisonError::into_inner).0.wake_at = 1;
    }

    fn retract(&self, keep: &mut dyn FnMut(&Unit) -> bool) -> Vec<Unit> {
        let offered = &mut self.threads.state().offered;
        let (kept, taken) = offered.drain(..).partition(|unit| keep(unit));
        *offered = kept;
        Vec::from(taken)
    }

    fn window(&self, threads: NonZeroUsize, mean: Option<Duration>) -> Window {
        let ahead = mean.map_or(0, |mean| AHEAD.as_nanos() / mean.as_nanos().max(1));
        Window {
            seats: threads.get(),
            ahead: threads.get() * ahead.min(MAX_AHEAD) as usize,
        }
    }

    fn set_threads(&self, threads: NonZeroUsize) {
        let mut state = self.threads.state();
        if state.wanted == threads.get() && state.running >= state.wanted {
            return;
        }
        state.wanted = threads.get();
        let missing = state.wanted.saturating_sub(state.running);
        state.running += missing;
        drop(state);
        self.threads.offers.notify_all();
        for _ in 0..missing {
            if let Err(error) = (self.spawn)() {
                let mut state = self.threads.state();
                state.running -= 1;
                // The existing threads continue.
                if state.running == 0 {
                    drop(state);
                    NoThread::unwind(error);
                }
            }
        }
    }

    fn is_broken(&self) -> bool {
        self.threads.state().is_broken
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const MOMENT: Duration = Duration::from_millis(20);

    fn two() -> NonZeroUsize {
        NonZeroUsize::new(2).unwrap()
    }

    #[test]
    fn units_are_answered_in_the_order_in_which_they_end() {
        let squares = || |unit: &Unit| Some(unit.pair * unit.pair);
        let mut answers = LocalWorkers::work(squares, |pool| {
            pool.set_threads(two());
            (0..100).for_each(|pair| pool.offer(Unit::of(pair)));
            let all = (0..100).map(|_| {
                loop {
                    if let Some(completed) = pool.collect(MOMENT) {
                        break (completed.unit.pair, completed.answer.unwrap());
                    }
                }
            });
            all.collect::<Vec<_>>()
        });
        answers.sort_unstable();
        assert!(answers.into_iter().eq((0..100).map(|n| (n, n * n))));
    }

    #[test]
    fn unclaimed_units_are_retracted() {
        let taken = LocalWorkers::<()>::work(
            || |_: &Unit| None,
            |pool| {
                (0..6).for_each(|pair| pool.offer(Unit::of(pair)));
                let taken = pool.retract(&mut |unit| unit.pair % 2 == 0);
                pool.set_threads(NonZeroUsize::MIN);
                while pool
                    .collect(MOMENT)
                    .is_none_or(|completed| completed.unit.pair < 4)
                {}
                taken
            },
        );
        let taken: Vec<u64> = taken.iter().map(|unit| unit.pair).collect();
        assert_eq!(taken, [1, 3, 5]);
    }

    #[test]
    fn threads_come_and_go() {
        let (at_work, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let worker = || {
            |_: &Unit| {
                most.fetch_max(at_work.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                thread::sleep(MOMENT / 4);
                at_work.fetch_sub(1, Ordering::SeqCst);
                Some(())
            }
        };
        let round = |pool: &dyn WorkerPool<()>, threads| {
            pool.set_threads(NonZeroUsize::new(threads).unwrap());
            // A surplus worker ends after its current unit.
            (0..8).for_each(|pair| pool.offer(Unit::of(pair)));
            let mut left = 8;
            while left > 0 {
                left -= usize::from(pool.collect(MOMENT).is_some());
            }
            most.swap(0, Ordering::SeqCst)
        };
        let most = LocalWorkers::work(worker, |pool| [1, 4, 2].map(|threads| round(pool, threads)));
        assert_eq!(most[0], 1);
        assert!(most[1] > 1 && most[1] <= 4, "{most:?}");
        assert!(most[2] <= 2, "{most:?}");
    }

    #[test]
    fn a_panic_ends_all() {
        let worker = || {
            |unit: &Unit| {
                assert_ne!(unit.pair, 3, "a bug");
                Some(())
            }
        };
        let worked = catch_unwind(AssertUnwindSafe(|| {
            LocalWorkers::work(worker, |pool| {
                pool.set_threads(two());
                (0..9).for_each(|pair| pool.offer(Unit::of(pair)));
                while !pool.is_broken() {
                    pool.collect(MOMENT);
                }
            });
        }));
        let panic = worked.unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("a bug"));
    }
}
