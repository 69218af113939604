//! Processors, and binding of threads to them: on Linux only.

use std::io;
use std::path::Path;

pub use crate::shared::Processor;

/// The processors that the calling thread may use, in the order of their numbers.
///
/// # Errors
/// The system does not report them.
pub fn allowed() -> io::Result<Vec<Processor>> {
    #[cfg(target_os = "linux")]
    {
        let set = rustix::thread::sched_getaffinity(None)?;
        let numbers = 0..rustix::thread::CpuSet::MAX_CPU;
        let numbers = numbers.filter(|&number| set.is_set(number));
        Ok(numbers.map(processor).collect())
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

/// A processor as `/sys` describes it.
#[cfg(target_os = "linux")]
fn processor(number: usize) -> Processor {
    let folder = format!("/sys/devices/system/cpu/cpu{number}");
    let first = |file| first_of(&std::fs::read_to_string(format!("{folder}/{file}")).ok()?);
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut nodes = entries.filter_map(|entry| {
        let name = entry.file_name();
        name.to_str()?.strip_prefix("node")?.parse().ok()
    });
    Processor {
        number,
        core: first("topology/thread_siblings_list").unwrap_or(number),
        cache: first("cache/index3/shared_cpu_list"),
        node: nodes.next().unwrap_or(0),
    }
}

/// The first number of a list such as `0,2-5`.
#[cfg(any(test, target_os = "linux"))]
fn first_of(list: &str) -> Option<usize> {
    list.trim().split([',', '-']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_begin_with_their_first_number() {
        let lists = ["0,8\n", "12-15\n", "7", "", "none"];
        let first = [Some(0), Some(12), Some(7), None, None];
        assert_eq!(lists.map(first_of), first);
    }
}
