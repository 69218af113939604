//! Open files for the pipes to other programs.

use anyhow::bail;
use rustix::process::{Resource, getrlimit, setrlimit};

use super::Failure;
use crate::count::count;

/// Those of the command itself: streams, config, book, record.
const OWN: u64 = 32;
/// Of a thread: what is open while a program is started, a dialogue.
const OF_A_THREAD: u64 = 8;
/// Of a program that runs: three pipes, and who waits for them.
const OF_A_PROGRAM: u64 = 4;

/// Lets this process have as many open files as it takes to play with so many programs on
/// each of so many threads. Without them programs could not be started, and would be blamed.
///
/// # Errors
/// The system does not allow it.
pub(super) fn provide(programs: u64, threads: u64) -> Result<(), Failure> {
    if programs == 0 {
        return Ok(());
    }
    let of_thread = programs.saturating_mul(OF_A_PROGRAM) + OF_A_THREAD;
    let needed = threads.saturating_mul(of_thread).saturating_add(OWN);
    let mut limits = getrlimit(Resource::Nofile);
    if limits.current.is_none_or(|now| now >= needed) {
        return Ok(());
    }
    limits.current = Some(needed);
    let is_allowed = limits.maximum.is_none_or(|most| most >= needed);
    if !is_allowed || setrlimit(Resource::Nofile, limits).is_err() {
        bail!(
            "{} on {} may need {needed} open files, more than this process is allowed to have\n\
             help: play on fewer --threads, or allow more (`ulimit -n {needed}`)",
            count(programs, "program", "programs"),
            count(threads, "thread", "threads"),
        );
    }
    Ok(())
}
