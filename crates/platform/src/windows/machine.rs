//! The machine and its limits: memory, open files, clocks, the terminal, the host name.

use std::env;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use super::api;

/// The free memory in MiB, if the system reports it.
pub fn available_mib() -> Option<u64> {
    Some(api::available_bytes()? >> 20)
}

/// The memory of the machine in MiB, if the system reports it.
pub fn total_mib() -> Option<u64> {
    Some(api::total_bytes()? >> 20)
}

/// Returns true: Windows has no limit of open files.
pub fn allow_open_files(_needed: u64) -> bool {
    true
}

/// Time of a clock that also runs while the machine sleeps, as [`Instant`] does here.
pub fn time_with_sleep() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// Time since the start of the machine, the same for all of its processes, on a clock that cannot be set.
pub fn uptime() -> Duration {
    api::uptime()
}

/// Processor time of the calling thread.
pub fn thread_time() -> Option<Duration> {
    api::thread_time()
}

/// Number of columns of the terminal at standard output, or else at standard error.
pub fn terminal_columns() -> Option<usize> {
    api::console_columns()
}

/// Returns `None`: not asked for.
pub fn terminal_rows() -> Option<usize> {
    None
}

/// Lets the console show colours; returns whether it can. Other terminals always can.
pub fn enable_colours() -> bool {
    static CAN: LazyLock<bool> = LazyLock::new(api::enable_escape_sequences);
    *CAN
}

/// The name of this machine in its network.
pub fn host_name() -> String {
    env::var("COMPUTERNAME").unwrap_or_default()
}
