//! The machine and its limits: memory, open files, clocks, the terminal, the host name.

use std::io;
use std::time::Duration;

use rustix::process::{Resource, getrlimit, setrlimit};
use rustix::termios::tcgetwinsize;
use rustix::time::{ClockId, clock_gettime};

pub use super::memory::{available_mib, total_mib};

/// Raises the limit of open files to `needed`, if it is lower. Returns false if the system does not
/// allow that.
pub fn allow_open_files(needed: u64) -> bool {
    let mut limits = getrlimit(Resource::Nofile);
    if limits.current.is_none_or(|now| now >= needed) {
        return true;
    }
    limits.current = Some(needed);
    let is_allowed = limits.maximum.is_none_or(|most| most >= needed);
    is_allowed && setrlimit(Resource::Nofile, limits).is_ok()
}

/// Time of a clock that also runs while the machine sleeps, if the system has such a clock.
pub fn time_with_sleep() -> Duration {
    #[cfg(target_os = "linux")]
    let clock = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = ClockId::Monotonic;
    read(clock).unwrap_or_default()
}

/// Time since the start of the machine, the same for all of its processes, on a clock that cannot be set.
pub fn uptime() -> Duration {
    read(ClockId::Monotonic).unwrap_or_default()
}

/// Processor time of the calling thread.
pub fn thread_time() -> Option<Duration> {
    read(ClockId::ThreadCPUTime)
}

fn read(clock: ClockId) -> Option<Duration> {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

/// Number of columns of the terminal at standard output, or else at standard error.
pub fn terminal_columns() -> Option<usize> {
    let size = tcgetwinsize(io::stdout()).or_else(|_| tcgetwinsize(io::stderr()));
    size.ok().map(|size| size.ws_col.into())
}

/// Number of rows of the terminal at standard error.
pub fn terminal_rows() -> Option<usize> {
    let size = tcgetwinsize(io::stderr());
    size.ok().map(|size| size.ws_row.into())
}

/// Returns true: terminals show colours.
pub fn enable_colours() -> bool {
    true
}

/// The name of this machine in its network.
pub fn host_name() -> String {
    let name = rustix::system::uname();
    String::from_utf8_lossy(name.nodename().to_bytes()).into_owned()
}
