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

/// Set while something is calculated that leaves nothing behind.
static CALCULATING: AtomicBool = AtomicBool::new(false);

/// Signals that come so soon after the first are the same wish: `timeout` sends
/// its signal to the process and to its group, and a terminal may do likewise.
const SAME: Duration = Duration::from_secs(1);

/// Does `work`, which neither writes nor plays and so does not look at the flag: a signal
/// ends the process at once.
pub(super) fn calculating<T>(work: impl FnOnce() -> T) -> T {
    CALCULATING.store(true, Ordering::SeqCst);
    if CANCEL.load(Ordering::SeqCst) {
        low_level::exit(Exit::Interrupted as i32);
    }
    let done = work();
    CALCULATING.store(false, Ordering::SeqCst);
    done
}

/// Sets the returned flag at the first signal; one that comes more than a second
/// later ends the process.
pub(super) fn install() -> Result<&'static AtomicBool, Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut first: Option<Instant> = None;
            for _ in signals.forever() {
                CANCEL.store(true, Ordering::SeqCst);
                if CALCULATING.load(Ordering::SeqCst) {
                    low_level::exit(Exit::Interrupted as i32);
                }
                if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                    low_level::exit(Exit::Interrupted as i32);
                }
            }
        })?;
    Ok(&CANCEL)
}
