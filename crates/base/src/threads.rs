//! Thread pools of a chosen size, in place of rayon's global pool, whose size no user chooses.

use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle, available_parallelism};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Bytes of stack of a thread that searches: 64 plies with lists of some thousand moves. The system
/// provides memory only for the part in use.
pub const SEARCH_STACK: usize = 8 << 20;

/// The system refuses a thread that work depends on. Code that cannot return a
/// `Result` unwinds with this error, which closes engines and files; the command reports it.
#[derive(Debug)]
pub struct NoThread(pub io::Error);

/// The message of an error without a thread.
pub const NO_THREAD: &str = "no thread can be started";

impl NoThread {
    /// Unwinds to the command, without the message of a panic.
    pub fn unwind(error: io::Error) -> ! {
        resume_unwind(Box::new(Self(error)))
    }
}

/// Starts a thread of a scope, or unwinds with [`NoThread`].
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> ScopedJoinHandle<'scope, T> {
    let started = thread::Builder::new().spawn_scoped(scope, work);
    started.unwrap_or_else(|error| NoThread::unwind(error))
}

/// A pool with a thread for each processor, which lasts as long as the process.
pub fn shared_pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| pool(available_parallelism().unwrap_or(NonZeroUsize::MIN)))
}

/// Creates a pool of `threads` threads, or of half as many again and again while the system cannot
/// start them; no result depends on their number. They end when the pool is dropped. Unwinds with
/// [`NoThread`] if the system cannot start one thread.
pub fn pool(threads: NonZeroUsize) -> ThreadPool {
    let mut threads = threads.get();
    loop {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        match builder.stack_size(SEARCH_STACK).build() {
            Ok(pool) => return pool,
            Err(error) if threads == 1 => NoThread::unwind(io::Error::other(error)),
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
