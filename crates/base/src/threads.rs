//! Thread pools of a chosen size, in place of rayon's global pool, whose size no user chooses.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Creates a pool of `threads` threads, which end when the pool is dropped.
///
/// # Panics
/// The system cannot start the threads.
pub fn pool(threads: NonZeroUsize) -> ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(threads.get()).build();
    pool.unwrap_or_else(|error| panic!("{threads} threads cannot be started: {error}"))
}

/// Locks a mutex, even if a thread has panicked with it.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
