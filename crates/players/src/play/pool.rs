//! Tasks on worker threads that claim numbers in order, and the sequencer that restores the order
//! of their results.
//!
//! Claiming from one counter keeps the finished numbers close together for any number of threads: a
//! decision on the prefix is never far behind. A work-stealing split of the range (rayon's
//! `par_iter`) would play its second half before the first is done. Each task has a thread of the
//! pool to itself, since it may block, for instance on an engine.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use leitai_base::threads::pool;

/// The results of `play` for the numbers below `count`, in order; `None` if it was cancelled.
/// Reports the number of finished items.
pub fn in_order<T: Send>(
    count: u64,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    play: impl Fn(u64) -> T + Sync,
    progress: impl FnMut(u64),
) -> Option<Vec<T>> {
    let worker = || |number| Some(play(number));
    work_all(count, threads, cancel, worker, progress)
}

/// The workers' results for the numbers below `count`, in order; `None` if `cancel` was set
/// meanwhile. Reports the number of finished items. See [`work`].
pub fn work_all<T: Send, W: FnMut(u64) -> Option<T>>(
    count: u64,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    make_worker: impl Fn() -> W + Sync,
    mut progress: impl FnMut(u64),
) -> Option<Vec<T>> {
    let mut done = BTreeMap::new();
    let Ok(()) = work(0..count, threads, cancel, make_worker, |number, result| {
        done.insert(number, result);
        progress(done.len() as u64);
        Ok::<_, Infallible>(())
    });
    (done.len() as u64 == count).then(|| done.into_values().collect())
}

/// Processes the numbers of `todo` on `threads` threads. Each thread makes its own worker, which
/// turns a number into a result, or into `None` once `cancel` is set. `finished` receives every
/// result on the calling thread, in the order of completion; if it fails, everything stops and its
/// error is returned.
///
/// # Errors
/// The first error of `finished`.
pub fn work<T, W, E>(
    todo: impl Iterator<Item = u64> + Send,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    make_worker: impl Fn() -> W + Sync,
    mut finished: impl FnMut(u64, T) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send,
    W: FnMut(u64) -> Option<T>,
{
    let todo = Mutex::new(todo);
    let broken = AtomicBool::new(false);
    let (sender, results) = sync_channel(threads.get().saturating_mul(4));
    pool(threads).in_place_scope(|scope| {
        for _ in 0..threads.get() {
            let sender = sender.clone();
            let (todo, make_worker, broken) = (&todo, &make_worker, &broken);
            scope.spawn(move |_| {
                let _guard = OnDrop(|| {
                    // The number of a worker that panics will never arrive.
                    if thread::panicking() {
                        broken.store(true, Ordering::Relaxed);
                    }
                });
                let mut worker = make_worker();
                while !cancel.load(Ordering::Relaxed) && !broken.load(Ordering::Relaxed) {
                    let claim = todo.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(number) = claim else { break };
                    let Some(result) = worker(number) else { break };
                    if sender.send((number, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (number, result) in results {
            if broken.load(Ordering::Relaxed) {
                // A worker has panicked; leaving the scope propagates the panic.
                break;
            }
            if let Err(error) = finished(number, result) {
                // Dropping the receiver ends the workers at their next result.
                broken.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Calls a function when it is dropped, also by a panic.
pub(super) struct OnDrop<F: FnMut()>(pub(super) F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Restores the order of numbered items.
#[derive(Debug)]
pub struct Sequencer<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> Sequencer<T> {
    /// A sequencer that returns `next` first.
    pub fn from(next: u64) -> Self {
        Self {
            next,
            waiting: BTreeMap::new(),
        }
    }

    /// Adds an item in any order.
    pub fn put(&mut self, number: u64, thing: T) {
        if number >= self.next {
            self.waiting.insert(number, thing);
        }
    }

    /// The next number.
    pub fn next_number(&self) -> u64 {
        self.next
    }

    /// Returns whether an item has arrived and waits for earlier ones.
    pub fn is_waiting(&self, number: u64) -> bool {
        self.waiting.contains_key(&number)
    }

    /// Skips the next item.
    pub fn skip(&mut self) {
        self.waiting.remove(&self.next);
        self.next += 1;
    }

    /// The next item in order, if it has arrived.
    pub fn take(&mut self) -> Option<T> {
        let thing = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    static CALM: AtomicBool = AtomicBool::new(false);

    #[test]
    fn whatever_the_threads_do_the_order_comes_back() {
        for threads in [1, 2, 8] {
            let mut sequencer = Sequencer::from(0);
            let mut order = Vec::new();
            let threads = NonZeroUsize::new(threads).unwrap();
            let slow_start = |number: u64| {
                thread::sleep(Duration::from_micros(if number.is_multiple_of(7) {
                    900
                } else {
                    50
                }));
                Some(number * number)
            };
            let done: Result<(), ()> = work(
                0..200,
                threads,
                &CALM,
                || slow_start,
                |number, it| {
                    sequencer.put(number, it);
                    order.extend(std::iter::from_fn(|| sequencer.take()));
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert_eq!(
                order,
                (0..200).map(|number| number * number).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_failing_sink_stops_the_workers() {
        let threads = NonZeroUsize::new(4).unwrap();
        let result = work(
            0..u64::MAX,
            threads,
            &CALM,
            || Some,
            |number, _| {
                if number == 5 {
                    Err("disk full")
                } else {
                    Ok(())
                }
            },
        );
        assert_eq!(result, Err("disk full"));
    }

    #[test]
    fn a_panic_in_a_worker_stops_the_others() {
        let threads = NonZeroUsize::new(3).unwrap();
        let worker = || {
            |number: u64| {
                if number == 9 {
                    panic!("a bug")
                } else {
                    Some(number)
                }
            }
        };
        let outcome = std::panic::catch_unwind(|| {
            work(0..u64::MAX, threads, &CALM, worker, |_, _| Ok::<(), ()>(()))
        });
        let words = outcome.expect_err("a panic");
        assert_eq!(words.downcast_ref(), Some(&"a bug"));
    }

    #[test]
    fn waiting_blocks_no_other_thread() {
        let threads = NonZeroUsize::new(5).unwrap();
        let all = std::sync::Barrier::new(threads.get());
        let waits = |number| {
            all.wait();
            Some(number)
        };
        let done = work_all(20, threads, &CALM, || waits, |_| {});
        assert_eq!(done, Some((0..20).collect()));
    }

    #[test]
    fn cancelling_ends_an_endless_job() {
        let cancel = AtomicBool::new(false);
        let threads = NonZeroUsize::new(2).unwrap();
        let mut count = 0;
        let done: Result<(), ()> = work(
            0..,
            threads,
            &cancel,
            || Some,
            |_, _| {
                count += 1;
                if count == 10 {
                    cancel.store(true, Ordering::Relaxed);
                }
                Ok(())
            },
        );
        assert_eq!(done, Ok(()));
        assert!(count >= 10);
    }

    #[test]
    fn abandoned_results_are_skipped() {
        let mut sequencer = Sequencer::from(0);
        sequencer.put(0, 'a');
        sequencer.put(2, 'c');
        sequencer.skip();
        assert_eq!((sequencer.next_number(), sequencer.take()), (1, None));
        sequencer.skip();
        assert_eq!((sequencer.take(), sequencer.next_number()), (Some('c'), 3));
    }

    #[test]
    fn past_pairs_are_not_kept() {
        let mut sequencer = Sequencer::from(3);
        sequencer.put(1, 'x');
        sequencer.put(4, 'b');
        assert_eq!(sequencer.take(), None);
        sequencer.put(3, 'a');
        assert_eq!(
            (sequencer.take(), sequencer.take(), sequencer.take()),
            (Some('a'), Some('b'), None)
        );
    }
}
