//! Who plays: units of work are offered to a crew, claimed by its members, and completed.

use std::collections::VecDeque;
use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::Duration;

/// Units that wait for a thread last no longer than this together: whoever shares the record
/// might be free sooner.
const AHEAD: Duration = Duration::from_millis(20);
/// And are not more than so many.
const MOST_AHEAD: u128 = 32;

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

/// Those who play units of work, as whoever leads them sees them: threads of this process, or
/// workers elsewhere. They are offered units, and their answers are collected.
///
/// Of a unit that was offered an answer comes, or it is given back by
/// [`retract`](Crew::retract): what a member elsewhere has claimed and neither completes nor
/// is heard of, is for the crew to offer again.
pub trait Crew<T> {
    /// Offers a unit. Those that are offered first are claimed first.
    fn offer(&self, unit: Unit);

    /// Takes what was completed, in the order in which it comes, and waits for it so long.
    fn collect(&self, patience: Duration) -> Option<Completed<T>>;

    /// Takes back units that `keep` does not want and that nobody is to be waited for with:
    /// those that no thread has claimed, all that are elsewhere.
    fn retract(&self, keep: &mut dyn FnMut(&Unit) -> bool) -> Vec<Unit>;

    /// How many units are to be out at once, so that nobody waits for one: `threads` is how
    /// many are to be played at once by this process, `mean` how long one took, if that is
    /// known.
    fn window(&self, threads: NonZeroUsize, mean: Option<Duration>) -> Window;

    /// Has so many threads of this process play from now on.
    fn want(&self, threads: NonZeroUsize);

    /// Whether no more answers will come: a member has panicked, or those elsewhere cannot be
    /// reached any more. The leader is to end; whoever gave it the crew says why.
    fn is_broken(&self) -> bool;

    /// Whether units are played again by others, to see whether they come out the same: at the
    /// end they are waited for, for a moment.
    fn is_checking(&self) -> bool {
        false
    }

    /// What is played again by others and was not answered is not waited for any more: the leader
    /// plays it itself ([`dispute`](Self::dispute)).
    fn end_checks(&self) {}

    /// The next unit of which different answers came, or none where there should be, and only
    /// one can be right. The leader
    /// finds out, and [rejects](Self::reject) whoever gave another.
    fn dispute(&self) -> Option<Dispute> {
        None
    }

    /// Takes no answer of that worker any more.
    fn reject(&self, worker: &str) {
        let _ = worker;
    }
}

/// A unit that was completed.
#[derive(Clone, Debug, PartialEq)]
pub struct Completed<T> {
    /// It.
    pub unit: Unit,
    /// The answer; `None` if it was not played to its end.
    pub answer: Option<T>,
    /// Who played it, if that is a worker elsewhere.
    pub worker: Option<String>,
}

/// How many units are to be out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Those that can be played at once.
    pub seats: usize,
    /// Those that wait meanwhile.
    pub ahead: usize,
}

/// A unit of which different answers came.
#[derive(Clone, Debug)]
pub struct Dispute {
    /// It.
    pub unit: Unit,
    /// The workers, and the fingerprints of their answers.
    pub answers: Vec<(String, u64)>,
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
    completed: VecDeque<Completed<T>>,
    /// Whether no further unit is claimed.
    is_drained: bool,
    /// Whether a member has panicked.
    is_broken: bool,
    /// Members that are wanted, and those that there are.
    wanted: usize,
    there: usize,
}

impl<T> Threads<T> {
    /// Claims a unit, and waits for one. `None` if there are none any more.
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

    fn complete(&self, unit: Unit, answer: Option<T>) {
        self.state().completed.push_back(Completed {
            unit,
            answer,
            worker: None,
        });
        self.answers.notify_one();
    }
}

impl<T: Send> Threads<T> {
    /// Has as many threads as are wanted play while `lead` leads them. Each makes its own
    /// worker, which turns a unit into an answer, or into `None` where it was cancelled.
    ///
    /// # Panics
    /// A worker does, or the system starts no more threads.
    pub fn work<W, R>(make_worker: impl Fn() -> W + Sync, lead: impl FnOnce(&dyn Crew<T>) -> R) -> R
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

    fn drain(&self) {
        self.state().is_drained = true;
        self.offers.notify_all();
    }
}

/// Threads, and how further ones are started.
struct Leader<'a, 'h, T> {
    crew: &'a Threads<T>,
    hire: &'h dyn Fn() -> io::Result<()>,
}

impl<T> Crew<T> for Leader<'_, '_, T> {
    fn offer(&self, unit: Unit) {
        self.crew.state().offered.push_back(unit);
        self.crew.offers.notify_one();
    }

    fn collect(&self, patience: Duration) -> Option<Completed<T>> {
        let mut state = self.crew.state();
        if state.completed.is_empty() && !state.is_broken {
            let waited = self.crew.answers.wait_timeout(state, patience);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.completed.pop_front()
    }

    fn retract(&self, keep: &mut dyn FnMut(&Unit) -> bool) -> Vec<Unit> {
        let offered = &mut self.crew.state().offered;
        let (kept, taken) = offered.drain(..).partition(|unit| keep(unit));
        *offered = kept;
        Vec::from(taken)
    }

    fn window(&self, threads: NonZeroUsize, mean: Option<Duration>) -> Window {
        let ahead = mean.map_or(0, |mean| AHEAD.as_nanos() / mean.as_nanos().max(1));
        Window {
            seats: threads.get(),
            ahead: threads.get() * ahead.min(MOST_AHEAD) as usize,
        }
    }

    fn want(&self, threads: NonZeroUsize) {
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

    fn is_broken(&self) -> bool {
        self.crew.is_broken()
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
        let mut answers = Threads::work(squares, |crew| {
            crew.want(two());
            (0..100).for_each(|pair| crew.offer(Unit::of(pair)));
            let all = (0..100).map(|_| {
                loop {
                    if let Some(completed) = crew.collect(MOMENT) {
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
    fn what_nobody_has_claimed_is_taken_back() {
        let taken = Threads::<()>::work(
            || |_: &Unit| None,
            |crew| {
                (0..6).for_each(|pair| crew.offer(Unit::of(pair)));
                let taken = crew.retract(&mut |unit| unit.pair % 2 == 0);
                crew.want(NonZeroUsize::MIN);
                while crew
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
        let round = |crew: &dyn Crew<()>, threads| {
            crew.want(NonZeroUsize::new(threads).unwrap());
            // Whoever is too many goes when it has completed what it plays.
            (0..8).for_each(|pair| crew.offer(Unit::of(pair)));
            let mut left = 8;
            while left > 0 {
                left -= usize::from(crew.collect(MOMENT).is_some());
            }
            most.swap(0, Ordering::SeqCst)
        };
        let most = Threads::work(worker, |crew| [1, 4, 2].map(|threads| round(crew, threads)));
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
            Threads::work(worker, |crew| {
                crew.want(two());
                (0..9).for_each(|pair| crew.offer(Unit::of(pair)));
                while !crew.is_broken() {
                    crew.collect(MOMENT);
                }
            });
        }));
        let panic = worked.unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("a bug"));
    }
}
