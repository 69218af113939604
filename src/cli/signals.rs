//! Ctrl-C and SIGTERM: the first asks to stop, the second kills.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::Exit;
use super::common::Failure;

static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Sets the returned flag at the first signal; the second ends the process.
pub(super) fn install() -> Result<&'static AtomicBool, Failure> {
    for signal in [SIGINT, SIGTERM] {
        // In this order: at the first signal the shutdown is not armed yet.
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, CANCEL.clone())?;
        flag::register(signal, CANCEL.clone())?;
    }
    Ok(&CANCEL)
}
