//! A processor of its own for every worker thread.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;

/// Processors that worker threads are bound to, one each. A program that a
/// thread starts is bound with it.
#[derive(Debug)]
pub struct Cores {
    numbers: Vec<usize>,
    next: AtomicUsize,
}

/// Why threads cannot be bound to processors.
#[derive(Debug, Error)]
pub enum CoresError {
    /// There are not so many.
    #[error(
        "{threads} threads cannot have a processor each: this process may use {processors}\n\
         help: give it `--threads {processors}`, or leave out `--pin`"
    )]
    TooFew {
        /// Threads that want one.
        threads: NonZeroUsize,
        /// Processors that this process may use.
        processors: usize,
    },
    /// This system does not say, or does not allow it.
    #[error("threads cannot be bound to processors here: {0}\nhelp: leave out `--pin`")]
    Refused(std::io::Error),
}

impl Cores {
    /// Processors for so many threads, of those that this process may use: one of
    /// every core before the second of any.
    ///
    /// # Errors
    /// There are fewer, or the system does not say.
    pub fn for_threads(threads: NonZeroUsize) -> Result<Self, CoresError> {
        let allowed = allowed().map_err(CoresError::Refused)?;
        // As it is: only to learn whether it may be done.
        bind(&allowed).map_err(CoresError::Refused)?;
        let mut numbers = one_of_each_core_first(&allowed, siblings);
        if numbers.len() < threads.get() {
            return Err(CoresError::TooFew {
                threads,
                processors: numbers.len(),
            });
        }
        numbers.truncate(threads.get());
        Ok(Self {
            numbers,
            next: AtomicUsize::new(0),
        })
    }

    /// Binds the calling thread to the next processor, round and round.
    ///
    /// # Errors
    /// The system does not allow it (any more).
    pub fn take(&self) -> Result<(), CoresError> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let number = self.numbers[turn % self.numbers.len()];
        bind(&[number]).map_err(CoresError::Refused)
    }
}

/// The processors in their order, but the second of a core after the first of
/// each; `siblings` names those of a processor's core.
fn one_of_each_core_first(
    allowed: &[usize],
    siblings: impl Fn(usize) -> Option<String>,
) -> Vec<usize> {
    let mut seen = Vec::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for &number in allowed {
        match siblings(number) {
            Some(core) if seen.contains(&core) => rest.push(number),
            core => {
                seen.extend(core);
                first.push(number);
            }
        }
    }
    first.append(&mut rest);
    first
}

fn siblings(number: usize) -> Option<String> {
    let path = format!("/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list");
    std::fs::read_to_string(path).ok()
}

#[cfg(target_os = "linux")]
fn allowed() -> std::io::Result<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU)
        .filter(|&number| set.is_set(number))
        .collect())
}

#[cfg(target_os = "linux")]
fn bind(numbers: &[usize]) -> std::io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    for &number in numbers {
        set.set(number);
    }
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> std::io::Result<Vec<usize>> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn bind(_: &[usize]) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_core_is_shared_before_all_are_used() {
        let pairs = |number: usize| Some(format!("{},{}", number % 4, number % 4 + 4));
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(one_of_each_core_first(&all, pairs), all);
        let neighbours = |number: usize| Some(format!("{}", number / 2));
        assert_eq!(
            one_of_each_core_first(&[0, 1, 2, 3, 6], neighbours),
            [0, 2, 6, 1, 3]
        );
        assert_eq!(one_of_each_core_first(&[5, 3], |_| None), [5, 3]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_is_bound_and_too_many_are_refused() {
        let one = NonZeroUsize::MIN;
        let cores = Cores::for_threads(one).unwrap();
        let bound = std::thread::spawn(move || {
            cores.take().unwrap();
            (allowed().unwrap(), cores.numbers)
        });
        let (bound, wanted) = bound.join().unwrap();
        assert_eq!(bound, wanted);
        assert!(
            allowed().unwrap().contains(&bound[0]),
            "this thread is as free as before"
        );
        let error = Cores::for_threads(NonZeroUsize::MAX).unwrap_err();
        assert!(matches!(
            error,
            CoresError::TooFew {
                processors: 1..,
                ..
            }
        ));
    }
}
