//! Services of the operating system: processes, files, signals, processors, memory and terminals.
//! No other crate names an operating system.
//!
//! Each module is one service, and its public functions and types are the interface that another
//! system has to implement: no signature names a file descriptor, a handle, a signal number or a
//! type of `rustix`. [`replacement`] needs only the other services. Thresholds, decisions and messages are
//! in the crates that call them.

pub mod replacement;
mod shared;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{children, files, machine, processes, processors, signals};
#[cfg(windows)]
pub use windows::{children, files, machine, processes, processors, signals};
