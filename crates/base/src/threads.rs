//! Thread pools of a chosen size, in place of rayon's global pool, whose size no user chooses.

use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Bytes of stack of a thread that searches: 64 plies with lists of some thousand moves. The system
/// provides memory only for the part in use.
pub const SEARCH_STACK: usize = 8 << 20;

/// Creates a pool of `threads` threads, or of half as many again and again while the system cannot
/// start them; no result depends on their number. They end when the pool is dropped.
///
/// # Panics
/// The system cannot start one thread.
pub fn pool(threads: NonZeroUsize) -> ThreadPool {
    let mut threads = threads.get();
    loop {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        match builder.stack_size(SEARCH_STACK).build() {
            Ok(pool) => return pool,
            Err(error) if threads == 1 => panic!("no thread can be started: {error}"),
            Err(_) => threads /= 2,
        }
    }
}

/// Runs a function on a thread with [`SEARCH_STACK`] and waits for it.
///
/// # Errors
/// The system cannot start a thread.
pub fn on_search_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("main".to_owned());
        let started = builder.stack_size(SEARCH_STACK).spawn_scoped(scope, work)?;
        Ok(started.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Locks a mutex, even if a thread has panicked with it.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
