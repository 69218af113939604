//! The number of threads of a command.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use clap::Args;

/// The number of concurrent games.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Threads {
    /// Games, searches or problems at once, 1 to 1024; by default one per processor.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn get(self) -> NonZeroUsize {
        self.within(None)
    }

    /// The number of threads; by default at most this one.
    pub(crate) fn within(self, most: Option<NonZeroUsize>) -> NonZeroUsize {
        let given = self
            .threads
            .and_then(|threads| NonZeroUsize::new(threads.into()));
        given.unwrap_or_else(|| {
            let all = available_parallelism().unwrap_or(NonZeroUsize::MIN);
            most.map_or(all, |most| most.min(all))
        })
    }

    /// Returns whether the user gave the number.
    pub(crate) fn is_given(self) -> bool {
        self.threads.is_some()
    }
}
