//! The services on Unix. Some need Linux: on other systems their functions return nothing.

pub mod children;
pub mod files;
pub mod machine;
mod memory;
pub mod processes;
pub mod processors;
pub mod signals;
