//! The services on Windows. All calls of the system without a safe interface are in [`api`].

mod api;
pub mod children;
pub mod files;
pub mod machine;
pub mod processes;
pub mod processors;
pub mod signals;
