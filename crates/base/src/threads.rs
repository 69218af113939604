//! Pools of worker threads: each of as many as are asked for, never rayon's global one,
//! whose number nobody chooses.

use std::num::NonZeroUsize;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool of so many threads, which end when it is dropped.
///
/// # Panics
/// The system starts no more threads.
pub fn pool(threads: NonZeroUsize) -> ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(threads.get()).build();
    pool.unwrap_or_else(|error| panic!("{threads} threads cannot be started: {error}"))
}
