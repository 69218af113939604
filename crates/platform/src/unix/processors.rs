//! Processors, and binding of threads to them: on Linux only.

use std::io;
use std::path::Path;

/// The numbers of the processors that the calling thread may use.
///
/// # Errors
/// The system does not report them.
#[cfg(target_os = "linux")]
pub fn allowed() -> io::Result<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None)?;
    let numbers = 0..CpuSet::MAX_CPU;
    Ok(numbers.filter(|&number| set.is_set(number)).collect())
}

/// Binds the calling thread to these processors.
///
/// # Errors
/// The system does not allow it.
#[cfg(target_os = "linux")]
pub fn bind(numbers: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    for &number in numbers {
        set.set(number);
    }
    Ok(sched_setaffinity(None, &set)?)
}

/// The numbers of the processors that the calling thread may use.
///
/// # Errors
/// Always: the system does not report them.
#[cfg(not(target_os = "linux"))]
pub fn allowed() -> io::Result<Vec<usize>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Binds the calling thread to these processors.
///
/// # Errors
/// Always: the system cannot.
#[cfg(not(target_os = "linux"))]
pub fn bind(_: &[usize]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns whether there is a processor with this number.
pub fn exists(number: usize) -> bool {
    Path::new(&format!("/sys/devices/system/cpu/cpu{number}")).exists()
}

/// A name of the core that a processor is a part of, if known.
pub fn core(number: usize) -> Option<String> {
    let path = format!("/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list");
    std::fs::read_to_string(path).ok()
}
