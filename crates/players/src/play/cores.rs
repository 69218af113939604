//! Binding of worker threads to processors of their own.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;

use super::Processors;
use leitai_platform::processors::{allowed, bind, core, exists};

/// Processors that worker threads are bound to, one each. A program that a thread starts inherits
/// the binding.
#[derive(Debug)]
pub struct Cores {
    numbers: Vec<usize>,
    next: AtomicUsize,
}

/// Selection of the processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pin {
    /// Processors that this process may use: one of every core before the second of any.
    Any,
    /// Processors from a list, from its beginning.
    These(Processors),
}

/// An error while binding threads to processors.
#[derive(Debug, Error)]
pub enum CoresError {
    /// Fewer processors than threads.
    #[error(
        "{threads} threads cannot have a processor each: {} {processors}\n\
         help: use `--threads {processors}`, or {}",
        if *.named { "`--pin` names" } else { "this process may use" },
        if *.named { "name more" } else { "leave out `--pin`" },
    )]
    TooFew {
        /// The number of threads.
        threads: NonZeroUsize,
        /// Processors that this process may use, or those of the list.
        processors: usize,
        /// True for a list.
        named: bool,
    },
    /// A list with a processor that this process may not use, or that does not exist.
    #[error(
        "threads cannot be bound to the processor {number}: {}\n\
         help: name some of those that this process may use: {allowed}",
        if *.exists { "this process may not use it" } else { "there is none" }
    )]
    Barred {
        /// The processor.
        number: usize,
        /// True if the processor exists.
        exists: bool,
        /// Processors that this process may use.
        allowed: Processors,
    },
    /// The system does not report the processors, or refuses to bind to them.
    #[error("threads cannot be bound to processors here: {0}\nhelp: leave out `--pin`")]
    Refused(std::io::Error),
}

impl Cores {
    /// Selects processors for `threads` threads.
    ///
    /// # Errors
    /// There are fewer, a list names some that this process may not use, or the system does not
    /// report them.
    pub fn for_threads(threads: NonZeroUsize, pin: &Pin) -> Result<Self, CoresError> {
        let allowed = allowed().map_err(CoresError::Refused)?;
        // Binds to the current set, only to learn whether the system allows it.
        bind(&allowed).map_err(CoresError::Refused)?;
        let mut numbers = match pin {
            Pin::Any => one_of_each_core_first(&allowed, core),
            Pin::These(list) => named(list, allowed)?,
        };
        if numbers.len() < threads.get() {
            return Err(CoresError::TooFew {
                threads,
                processors: numbers.len(),
                named: *pin != Pin::Any,
            });
        }
        numbers.truncate(threads.get());
        Ok(Self {
            numbers,
            next: AtomicUsize::new(0),
        })
    }

    /// Binds the calling thread to the next processor, in rotation.
    ///
    /// # Errors
    /// The system does not allow it (any more).
    pub fn take(&self) -> Result<(), CoresError> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let number = self.numbers[turn % self.numbers.len()];
        bind(&[number]).map_err(CoresError::Refused)
    }
}

/// The processors of the list, if this process may use all of them.
fn named(list: &Processors, allowed: Vec<usize>) -> Result<Vec<usize>, CoresError> {
    let numbers = list.numbers();
    match numbers.iter().find(|number| !allowed.contains(number)) {
        None => Ok(numbers.to_vec()),
        Some(&number) => Err(CoresError::Barred {
            number,
            exists: exists(number),
            allowed: Processors(allowed),
        }),
    }
}

/// The processors in order, with the second of a core after the first of each; `core` names a
/// processor's core.
fn one_of_each_core_first(allowed: &[usize], core: impl Fn(usize) -> Option<String>) -> Vec<usize> {
    let mut seen = Vec::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for &number in allowed {
        match core(number) {
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
        let cores = Cores::for_threads(one, &Pin::Any).unwrap();
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
        let error = Cores::for_threads(NonZeroUsize::MAX, &Pin::Any).unwrap_err();
        assert!(matches!(
            error,
            CoresError::TooFew {
                processors: 1..,
                ..
            }
        ));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn threads_are_bound_to_the_processors_of_a_list() {
        let allowed = allowed().unwrap();
        // Reversed, to show that the order of the list counts.
        let list: Vec<usize> = allowed.iter().rev().copied().collect();
        let pin = Pin::These(Processors(list.clone()));
        let one = Cores::for_threads(NonZeroUsize::MIN, &pin).unwrap();
        assert_eq!(one.numbers, list[..1]);
        let all = NonZeroUsize::new(list.len()).unwrap();
        assert_eq!(Cores::for_threads(all, &pin).unwrap().numbers, list);
        let more = all.saturating_add(1);
        let error = Cores::for_threads(more, &pin).unwrap_err();
        assert!(
            matches!(error, CoresError::TooFew { processors, named: true, .. } if processors == list.len())
        );
        let absent = Pin::These("65535".parse().unwrap());
        let error = Cores::for_threads(NonZeroUsize::MIN, &absent).unwrap_err();
        let told = error.to_string();
        assert!(
            told.contains("the processor 65535: there is none"),
            "{told}"
        );
        let may = Processors(allowed).to_string();
        assert!(told.ends_with(&format!("may use: {may}")), "{told}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_processor_that_is_not_allowed_is_refused() {
        let Some((&other, rest)) = allowed()
            .unwrap()
            .split_last()
            .map(|(a, b)| (a, b.to_vec()))
        else {
            return;
        };
        if rest.is_empty() {
            return;
        }
        let bound = std::thread::spawn(move || {
            bind(&rest).unwrap();
            let pin = Pin::These(Processors(vec![other]));
            Cores::for_threads(NonZeroUsize::MIN, &pin)
                .unwrap_err()
                .to_string()
        });
        let told = bound.join().unwrap();
        assert!(told.contains("this process may not use it"), "{told}");
    }
}
