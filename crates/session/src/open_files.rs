//! Limit of open files for the pipes to engines.

use anyhow::bail;
use rustix::process::{Resource, getrlimit, setrlimit};

use super::Failure;
use leitai_base::count::count;

/// Open files of the command itself: streams, config, book, record.
const OWN: u64 = 32;
/// Open files of a thread: those during the start of an engine, and a dialogue.
const OF_A_THREAD: u64 = 8;
/// Open files of a running engine: three pipes, and one to wait for it.
const OF_A_PROGRAM: u64 = 4;

/// Raises the limit of open files to the number for `programs` engines on each of `threads`
/// threads. Without enough files engines could not start, and would be reported as failing.
///
/// # Errors
/// The system does not allow the limit.
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
