//! Binding of worker threads to processors of their own.

mod placement;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;

use self::placement::{cores, place};
use super::Processors;
use leitai_base::count::count;
use leitai_platform::processors::{Processor, allowed, bind, exists};

/// Sets of processors, one for each worker thread. A program that a thread starts inherits its
/// binding.
#[derive(Debug)]
pub struct Cores {
    sets: Vec<Vec<Processor>>,
    next: AtomicUsize,
}

/// Selection of the processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pin {
    /// All processors that this process may use: one of every core before the second of any.
    Any {
        /// The number of cores, from the first one, that are left to the system.
        reserve: usize,
    },
    /// Processors from a list, from its beginning.
    These(Processors),
}

/// An error while binding threads to processors.
#[derive(Debug, Error)]
pub enum CoresError {
    /// Fewer processors than the threads need.
    #[error(
        "{} cannot have {} each: {} only {processors}\nhelp: {}, or {}",
        count(threads.get() as u64, "thread", "threads"),
        if *size == 1 { "a processor".to_owned() } else { format!("{size} processors") },
        if *named { "`--pin` names" } else { "this process may use" },
        match processors / size {
            0 => "give the programs fewer `Threads` under `options`".to_owned(),
            fitting => format!("use `--threads {fitting}`"),
        },
        if *named { "name more" } else { "leave out `--pin` and `--reserve`" },
    )]
    TooFew {
        /// The number of threads.
        threads: NonZeroUsize,
        /// The number of processors for each thread.
        size: usize,
        /// Processors that this process may use and that are not reserved, or those of the list.
        processors: usize,
        /// True for a list.
        named: bool,
    },
    /// A list with a processor that this process may not use, or that does not exist.
    #[error(
        "cannot bind threads to the processor {number}: {}\n\
         help: choose from the processors that this process may use: {allowed}",
        if *.exists { "this process may not use it" } else { "it does not exist" }
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
    #[error("cannot bind threads to processors: {0}\nhelp: leave out `--pin`")]
    Refused(std::io::Error),
}

impl Cores {
    /// Selects `size` processors for each of `threads` threads.
    ///
    /// # Errors
    /// There are fewer processors, a list has one that this process may not use, or the system does
    /// not report them.
    pub fn for_threads(
        threads: NonZeroUsize,
        size: NonZeroUsize,
        pin: &Pin,
    ) -> Result<Self, CoresError> {
        let allowed = allowed().map_err(CoresError::Refused)?;
        // Binds to the current set, to check that the system allows binding.
        bind(&numbers(&allowed)).map_err(CoresError::Refused)?;
        let (usable, sets) = match pin {
            Pin::Any { reserve } => {
                let usable = unreserved(&allowed, *reserve);
                let sets = place(&usable, threads.get(), size.get());
                (usable, sets)
            }
            Pin::These(list) => {
                let usable = named(list, &allowed)?;
                let sets = usable.chunks_exact(size.get()).take(threads.get());
                let sets: Vec<_> = sets.map(<[Processor]>::to_vec).collect();
                let is_enough = sets.len() == threads.get();
                (usable, is_enough.then_some(sets))
            }
        };
        let sets = sets.ok_or(CoresError::TooFew {
            threads,
            size: size.get(),
            processors: usable.len(),
            named: matches!(pin, Pin::These(_)),
        })?;
        Ok(Self {
            sets,
            next: AtomicUsize::new(0),
        })
    }

    /// Binds the calling thread to the next set, in rotation.
    ///
    /// # Errors
    /// The system does not allow the binding.
    pub fn take(&self) -> Result<(), CoresError> {
        self.bind(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Binds the calling thread to the set of a thread, in rotation.
    ///
    /// # Errors
    /// As for [`take`](Self::take).
    pub fn bind(&self, thread: usize) -> Result<(), CoresError> {
        let set = &self.sets[thread % self.sets.len()];
        bind(&numbers(set)).map_err(CoresError::Refused)
    }

    /// The processors of each thread.
    pub fn sets(&self) -> &[Vec<Processor>] {
        &self.sets
    }

    /// The number of processors that share a core with another one in use.
    pub fn shared(&self) -> usize {
        let used: Vec<Processor> = self.sets.iter().flatten().copied().collect();
        let cores = cores(&used).into_iter();
        cores.map(|core| core.len()).filter(|&len| len > 1).sum()
    }
}

/// The cores that this process may use; `None` if the system does not report them.
pub fn count_cores() -> Option<usize> {
    Some(cores(&allowed().ok()?).len())
}

/// The number of processors without those of the first `reserve` cores; `None` if the system does not
/// report them.
pub fn count_unreserved(reserve: usize) -> Option<usize> {
    Some(unreserved(&allowed().ok()?, reserve).len())
}

fn unreserved(allowed: &[Processor], reserve: usize) -> Vec<Processor> {
    let mut cores = cores(allowed);
    // The system's own work prefers the first processors.
    cores.sort_by_key(|core| core[0].number);
    cores.into_iter().skip(reserve).flatten().collect()
}

fn numbers(processors: &[Processor]) -> Vec<usize> {
    processors.iter().map(|it| it.number).collect()
}

/// The processors of the list, if this process may use all of them.
fn named(list: &Processors, allowed: &[Processor]) -> Result<Vec<Processor>, CoresError> {
    let find = |&number: &usize| {
        let found = allowed.iter().find(|it| it.number == number);
        found.copied().ok_or_else(|| CoresError::Barred {
            number,
            exists: exists(number),
            allowed: Processors(numbers(allowed)),
        })
    };
    list.numbers().iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: NonZeroUsize = NonZeroUsize::MIN;
    const ANY: Pin = Pin::Any { reserve: 0 };

    #[cfg(target_os = "linux")]
    fn usable() -> Vec<usize> {
        numbers(&allowed().unwrap())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_is_bound_and_too_many_are_refused() {
        let cores = Cores::for_threads(ONE, ONE, &ANY).unwrap();
        let bound = std::thread::spawn(move || {
            cores.take().unwrap();
            (usable(), numbers(&cores.sets[0]))
        });
        let (bound, wanted) = bound.join().unwrap();
        assert_eq!(bound, wanted);
        assert!(usable().contains(&bound[0]), "this thread is not bound");
        let error = Cores::for_threads(NonZeroUsize::MAX, ONE, &ANY).unwrap_err();
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
        let allowed = usable();
        // Reversed, to show that the order of the list counts.
        let list: Vec<usize> = allowed.iter().rev().copied().collect();
        let pin = Pin::These(Processors(list.clone()));
        let one = Cores::for_threads(ONE, ONE, &pin).unwrap();
        assert_eq!(numbers(&one.sets.concat()), list[..1]);
        let all = NonZeroUsize::new(list.len()).unwrap();
        let each = Cores::for_threads(all, ONE, &pin).unwrap();
        assert_eq!(
            (each.sets.len(), numbers(&each.sets.concat())),
            (list.len(), list.clone())
        );
        // A thread whose player uses all of them.
        let one = Cores::for_threads(ONE, all, &pin).unwrap();
        assert_eq!(one.sets.len(), 1);
        assert_eq!(numbers(&one.sets[0]), list);
        let error = Cores::for_threads(ONE.saturating_add(1), all, &pin).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("2 threads cannot have"), "{message}");
        assert!(
            message.contains("use `--threads 1`, or name more"),
            "{message}"
        );
        let more = all.saturating_add(1);
        let error = Cores::for_threads(more, ONE, &pin).unwrap_err();
        assert!(
            matches!(error, CoresError::TooFew { processors, named: true, .. } if processors == list.len())
        );
        let absent = Pin::These("65535".parse().unwrap());
        let error = Cores::for_threads(ONE, ONE, &absent).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("the processor 65535: it does not exist"),
            "{message}"
        );
        let may = Processors(allowed).to_string();
        assert!(message.ends_with(&format!("may use: {may}")), "{message}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_processor_that_is_not_allowed_is_refused() {
        let Some((&other, rest)) = usable().split_last().map(|(a, b)| (a, b.to_vec())) else {
            return;
        };
        if rest.is_empty() {
            return;
        }
        let bound = std::thread::spawn(move || {
            bind(&rest).unwrap();
            let pin = Pin::These(Processors(vec![other]));
            Cores::for_threads(ONE, ONE, &pin).unwrap_err().to_string()
        });
        let message = bound.join().unwrap();
        assert!(message.contains("this process may not use it"), "{message}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn reserved_cores_stay_free() {
        let all = allowed().unwrap();
        let first = all.iter().filter(|it| it.core == all[0].core).count();
        assert_eq!(count_unreserved(1), Some(all.len() - first));
        let error = Cores::for_threads(ONE, ONE, &Pin::Any { reserve: all.len() });
        let message = error.unwrap_err().to_string();
        assert!(message.contains("this process may use only 0"), "{message}");
    }
}
