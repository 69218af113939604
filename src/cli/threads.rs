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
        let asked = self
            .threads
            .and_then(|threads| NonZeroUsize::new(threads.into()));
        asked.unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}
