//! Processors, and binding of threads to them. Only for the processor group of this process, which has
//! at most 64.

use std::cell::Cell;
use std::io;

use super::api::{self, PartKind};
pub use crate::shared::Processor;

thread_local! {
    /// The processors of the thread's binding, as a mask.
    static BOUND: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The processors of the calling thread's binding, for its programs: they do not inherit it.
pub(super) fn bound() -> Option<usize> {
    BOUND.get()
}

/// The processors that the calling thread may use, in the order of their numbers.
///
/// # Errors
/// The system does not report them.
pub fn allowed() -> io::Result<Vec<Processor>> {
    let mask = match BOUND.get() {
        Some(mask) => mask,
        None => api::process_affinity()?,
    };
    let parts = api::parts();
    let place = |number| {
        let of = |kind| {
            let mut parts = parts.iter().filter(|part| part.kind == kind);
            let part = parts.find(|part| part.mask >> number & 1 == 1);
            part.map(|part| part.number)
        };
        Processor {
            number,
            core: of(PartKind::Core).unwrap_or(number),
            cache: of(PartKind::Cache),
            node: of(PartKind::Node).unwrap_or(0),
        }
    };
    Ok(numbers(mask).map(place).collect())
}

/// Binds the calling thread, and the programs that it starts, to these processors.
///
/// # Errors
/// The system does not allow it.
pub fn bind(numbers: &[usize]) -> io::Result<()> {
    let mask = numbers.iter().fold(0, |mask, number| mask | 1 << number);
    api::bind_thread(mask)?;
    BOUND.set(Some(mask));
    Ok(())
}

/// Returns whether there is a processor with this number.
pub fn exists(number: usize) -> bool {
    let all = api::parts().iter().fold(0, |all, part| all | part.mask);
    numbers(all).any(|it| it == number)
}

fn numbers(mask: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS as usize).filter(move |number| mask >> number & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_processor_beyond_the_group() {
        assert!(exists(0));
        for number in [64, 1 << 32, usize::MAX] {
            assert!(!exists(number), "{number}");
        }
    }
}
