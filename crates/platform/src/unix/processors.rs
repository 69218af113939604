//! Processors, and binding of threads to them: on Linux only.

use std::io;
use std::path::Path;

/// The numbers of the processors that the calling thread may use.
///
/// # Errors
/// The system does not report them.
pub fn allowed() -> io::Result<Vec<usize>> {
    #[cfg(target_os = "linux")]
    {
        let set = rustix::thread::sched_getaffinity(None)?;
        let numbers = 0..rustix::thread::CpuSet::MAX_CPU;
        Ok(numbers.filter(|&number| set.is_set(number)).collect())
    }
    #[cfg(not(target_os = "linux"))]
    Err(io::ErrorKind::Unsupported.into())
}

/// Binds the calling thread to these processors.
///
/// # Errors
/// The system does not allow it.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables))]
pub fn bind(numbers: &[usize]) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        for &number in numbers {
            set.set(number);
        }
        Ok(rustix::thread::sched_setaffinity(None, &set)?)
    }
    #[cfg(not(target_os = "linux"))]
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
