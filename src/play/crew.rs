//! Who plays: units of work are offered to a crew, claimed by its members, and completed.

use std::collections::VecDeque;
use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::Duration;

/// A unit of work: a pair of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The number of the pair in its run, from 0.
    pub pair: u64,
    /// In a tune, the values of the dimensions that the first player has in it, and those of
    /// the second.
    pub values: Option<[Vec<f64>; 2]>,
}

impl Unit {
    /// The pair of that number, between players that its run knows.
    pub fn of(pair: u64) -> Self {
        Self { pair, values: None }
    }
}

/// Those who play units of work, whether they are threads of this process or others. Whoever
/// leads them offers units and collects answers, the members claim units and complete them.
///
/// A unit that is offered is completed by somebody, or given back by
/// [`retract`](Crew::retract): what a member of a crew elsewhere has claimed and neither
/// completes nor is heard of, is for the crew to offer again.
pub trait Crew<T> {
    /// Offers a unit. Those that are offered first are claimed first.
    fn offer(&self, unit: Unit);

    /// Claims a unit, and waits for one. `None` if there are none any more.
    fn claim(&self) -> Option<Unit>;

    /// Says that a claimed unit is still worked on.
    fn heartbeat(&self, unit: &Unit);

    /// Gives the answer to a claimed unit; `None` if it was not played to its end.
    fn complete(&self, unit: Unit, answer: Option<T>);

    /// Takes an answer in the order in which they come, and waits for it so long.
    fn collect(&self, patience: Duration) -> Option<(Unit, Option<T>)>;

    /// Takes back the units that nobody has claimed and `keep` does not want.
    fn retract(&self, keep: &mut dyn FnMut(&Unit) -> bool) -> Vec<Unit>;

    /// Has no further unit claimed: whoever waits for one is told that there are none.
    fn drain(&self);
}

/// Threads of this process.
pub struct Threads<T> {
    state: Mutex<State<T>>,
    /// Told when members have something to do.
    offers: Condvar,
    /// Told when their leader has.
    answers: Condvar,
}

struct State<T> {
    offered: VecDeque<Unit>,
    completed: VecDeque<(Unit, Option<T>)>,
    /// Whether no further unit is claimed.
    is_drained: bool,
    /// Whether a member has panicked.
    is_broken: bool,
    /// Members that are wanted, and those that there are.
    wanted: usize,
    there: usize,
}

impl<T> Crew<T> for Threads<T> {
    fn offer(&self, unit: Unit) {
        self.state().offered.push_back(unit);
        self.offers.notify_one();
    }

    fn claim(&self) -> Option<Unit> {
        let mut state = self.state();
        loop {
            if state.is_drained || state.is_broken || state.there > state.wanted {
                state.there -= 1;
                return None;
            }
            if let Some(unit) = state.offered.pop_front() {
                return Some(unit);
            }
            let waited = self.offers.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn heartbeat(&self, _: &Unit) {
        // The end of a thread of ours is noticed at once.
    }

    fn complete(&self, unit: Unit, answer: Option<T>) {
        self.state().completed.push_back((unit, answer));
        self.answers.notify_one();
    }

    fn collect(&self, patience: Duration) -> Option<(Unit, Option<T>)> {
        let mut state = self.state();
        if state.completed.is_empty() && !state.is_broken {
            let waited = self.answers.wait_timeout(state, patience);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.completed.pop_front()
    }

    fn retract(&self, keep: &mut dyn FnMut(&Unit) -> bool) -> Vec<Unit> {
        let offered = &mut self.state().offered;
        let (kept, taken) = offered.drain(..).partition(|unit| keep(unit));
        *offered = kept;
        Vec::from(taken)
    }

    fn drain(&self) {
        self.state().is_drained = true;
        self.offers.notify_all();
    }
}

impl<T: Send> Threads<T> {
    /// Has as many threads as are wanted play while `lead` leads them. Each makes its own
    /// worker, which turns a unit into an answer, or into `None` where it was cancelled.
    ///
    /// # Panics
    /// A worker does, or the system starts no more threads.
    pub fn work<W, R>(
        make_worker: impl Fn() -> W + Sync,
        lead: impl FnOnce(&Leader<'_, '_, T>) -> R,
    ) -> R
    where
        W: FnMut(&Unit) -> Option<T>,
    {
        let crew = Self {
            state: Mutex::new(State {
                offered: VecDeque::new(),
                completed: VecDeque::new(),
                is_drained: false,
                is_broken: false,
                wanted: 0,
                there: 0,
            }),
            offers: Condvar::new(),
            answers: Condvar::new(),
        };
        let member = || {
            let _guard = PanicGuard(&crew);
            let mut worker = make_worker();
            while let Some(unit) = crew.claim() {
                let answer = worker(&unit);
                crew.complete(unit, answer);
            }
        };
        thread::scope(|scope| {
            let handles: Mutex<Vec<ScopedJoinHandle<'_, ()>>> = Mutex::default();
            let hire = || {
                let started = Builder::new().spawn_scoped(scope, member)?;
                let mut handles = handles.lock().unwrap_or_else(PoisonError::into_inner);
                // Those that have ended without a panic are of no interest.
                handles.retain(|handle| !handle.is_finished() || crew.is_broken());
                handles.push(started);
                Ok(())
            };
            let guard = DrainGuard(&crew);
            let led = lead(&Leader {
                crew: &crew,
                hire: &hire,
            });
            drop(guard);
            let handles = handles.into_inner().unwrap_or_else(PoisonError::into_inner);
            for handle in handles {
                handle.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            led
        })
    }
}

impl<T> Threads<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_broken(&self) -> bool {
        self.state().is_broken
    }
}

/// Whoever leads threads: offers them units, and says how many there are to be.
pub struct Leader<'a, 'h, T> {
    crew: &'a Threads<T>,
    hire: &'h dyn Fn() -> io::Result<()>,
}

impl<T> Leader<'_, '_, T> {
    /// The crew.
    pub fn crew(&self) -> &dyn Crew<T> {
        self.crew
    }

    /// Whether a member has panicked: the others end, and so is the leader to.
    pub fn is_broken(&self) -> bool {
        self.crew.is_broken()
    }

    /// Has so many threads from now on: more begin at once, fewer as they complete what they
    /// play.
    pub fn want(&self, threads: NonZeroUsize) {
        let mut state = self.crew.state();
        if state.wanted == threads.get() && state.there >= state.wanted {
            return;
        }
        state.wanted = threads.get();
        let missing = state.wanted.saturating_sub(state.there);
        state.there += missing;
        drop(state);
        self.crew.offers.notify_all();
        for _ in 0..missing {
            if let Err(error) = (self.hire)() {
                let mut state = self.crew.state();
                state.there -= 1;
                // Those that there are play on.
                assert!(state.there > 0, "no thread can be started: {error}");
            }
        }
    }
}

/// Ends all others when a member panics, for its unit will never be completed.
struct PanicGuard<'a, T>(&'a Threads<T>);

impl<T> Drop for PanicGuard<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.state().is_broken = true;
            self.0.offers.notify_all();
            self.0.answers.notify_all();
        }
    }
}

/// Ends all members when their leader is gone, however it ended.
struct DrainGuard<'a, T>(&'a Threads<T>);

impl<T> Drop for DrainGuard<'_, T> {
    fn drop(&mut self) {
        self.0.drain();
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
        let mut answers = Threads::work(squares, |leader| {
            leader.want(two());
            (0..100).for_each(|pair| leader.crew().offer(Unit::of(pair)));
            let all = (0..100).map(|_| {
                loop {
                    if let Some((unit, answer)) = leader.crew().collect(MOMENT) {
                        break (unit.pair, answer.unwrap());
                    }
                }
            });
            all.collect::<Vec<_>>()
        });
        answers.sort_unstable();
        assert!(answers.into_iter().eq((0..100).map(|n| (n, n * n))));
    }

    #[test]
    fn what_nobody_has_claimed_is_taken_back() {
        let taken = Threads::<()>::work(
            || |_: &Unit| None,
            |leader| {
                (0..6).for_each(|pair| leader.crew().offer(Unit::of(pair)));
                let taken = leader.crew().retract(&mut |unit| unit.pair % 2 == 0);
                leader.want(NonZeroUsize::MIN);
                while leader
                    .crew()
                    .collect(MOMENT)
                    .is_none_or(|(unit, _)| unit.pair < 4)
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
        let round = |leader: &Leader<'_, '_, ()>, threads| {
            leader.want(NonZeroUsize::new(threads).unwrap());
            // Whoever is too many goes when it has completed what it plays.
            (0..8).for_each(|pair| leader.crew().offer(Unit::of(pair)));
            let mut left = 8;
            while left > 0 {
                left -= usize::from(leader.crew().collect(MOMENT).is_some());
            }
            most.swap(0, Ordering::SeqCst)
        };
        let most = Threads::work(worker, |leader| {
            [1, 4, 2].map(|threads| round(leader, threads))
        });
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
            Threads::work(worker, |leader| {
                leader.want(two());
                (0..9).for_each(|pair| leader.crew().offer(Unit::of(pair)));
                while !leader.is_broken() {
                    leader.crew().collect(MOMENT);
                }
            });
        }));
        let panic = worked.unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("a bug"));
    }
}
