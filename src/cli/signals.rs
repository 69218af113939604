//! Signals that end a command: Ctrl-C, SIGTERM, SIGQUIT, and SIGHUP of a terminal that is
//! closed. The first asks to stop, a later one kills, the programs that play included.
//!
//! Commands that install nothing leave nothing behind either: the system ends them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::Exit;
use super::common::Failure;
use crate::player::end_programs;

static CANCEL: AtomicBool = AtomicBool::new(false);

/// Set while something is calculated that leaves nothing behind.
static CALCULATING: AtomicBool = AtomicBool::new(false);

/// Set when the terminal is gone.
static HUNG_UP: AtomicBool = AtomicBool::new(false);

/// Signals that come so soon after the first are the same wish: `timeout` sends
/// its signal to the process and to its group, and a terminal may do likewise.
const SAME: Duration = Duration::from_secs(1);

/// Does `work`, which neither writes nor plays and so does not look at the flag: a signal
/// ends the process at once.
pub(super) fn calculating<T>(work: impl FnOnce() -> T) -> T {
    CALCULATING.store(true, Ordering::SeqCst);
    if CANCEL.load(Ordering::SeqCst) {
        end();
    }
    let done = work();
    CALCULATING.store(false, Ordering::SeqCst);
    done
}

/// Whether the terminal is gone, so that nothing can be written to it.
pub(super) fn has_hung_up() -> bool {
    HUNG_UP.load(Ordering::SeqCst)
}

/// Sets the returned flag at the first signal; one that comes more than a second
/// later ends the process.
pub(super) fn install() -> Result<&'static AtomicBool, Failure> {
    let mut wanted = vec![SIGINT, SIGTERM, SIGQUIT];
    if !ignores(SIGHUP) {
        wanted.push(SIGHUP);
    }
    let mut signals = Signals::new(wanted)?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut first: Option<Instant> = None;
            for signal in signals.forever() {
                if signal == SIGHUP {
                    HUNG_UP.store(true, Ordering::SeqCst);
                }
                CANCEL.store(true, Ordering::SeqCst);
                if CALCULATING.load(Ordering::SeqCst) {
                    end();
                }
                if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                    end();
                }
            }
        })?;
    Ok(&CANCEL)
}

/// Ends the process, and the programs that it has started.
fn end() -> ! {
    end_programs();
    low_level::exit(Exit::Interrupted as i32);
}

/// Whether whoever started this process had it ignore the signal, as `nohup` does: then it
/// is to go on. What cannot be known is no.
fn ignores(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or_default() >> (signal - 1) & 1 == 1
}
