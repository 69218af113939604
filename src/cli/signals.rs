//! Ctrl-C and SIGTERM: the first asks to stop, a later one kills.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::Exit;
use super::common::Failure;

static CANCEL: AtomicBool = AtomicBool::new(false);

/// Signals that come so soon after the first are the same wish: `timeout` sends
/// its signal to the process and to its group, and a terminal may do likewise.
const SAME: Duration = Duration::from_secs(1);

/// Sets the returned flag at the first signal; one that comes more than a second
/// later ends the process.
pub(super) fn install() -> Result<&'static AtomicBool, Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut first: Option<Instant> = None;
            for _ in signals.forever() {
                CANCEL.store(true, Ordering::Relaxed);
                if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                    low_level::exit(Exit::Interrupted as i32);
                }
            }
        })?;
    Ok(&CANCEL)
}
