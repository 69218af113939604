//! The services on Windows. [`api`] has all system calls without a safe interface.

mod api;
pub mod children;
pub mod files;
pub mod machine;
pub mod processes;
pub mod processors;
pub mod signals;
