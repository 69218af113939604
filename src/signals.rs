//! Signals that end a command, caught from its first moment on: Ctrl-C, SIGTERM, SIGQUIT,
//! and SIGHUP of a terminal that is closed.
//!
//! The first ends the process at once, with the programs that it has started and the files
//! on their way, unless the command [heeds](heed) a flag: then it may stop by itself. A later
//! signal, or ten seconds, end it all the same. What is recorded stays as after a kill.

use std::io::{IsTerminal, stdin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::output::remove_passing;
use crate::player::end_programs;
use crate::session::Cancel;

/// The exit code of a process that a signal has ended.
pub(crate) const INTERRUPTED: u8 = 130;

static CANCEL: Cancel = Cancel::new();

/// Set once the command looks at the flag.
static HEEDED: AtomicBool = AtomicBool::new(false);

/// Set once the outcome is known, and only what is to be done at the end is left.
static SETTLED: AtomicBool = AtomicBool::new(false);

/// Set where games are played that the key Ctrl-\ lets come to their end.
static PLAYING: AtomicBool = AtomicBool::new(false);

/// Set if any first signal lets them.
static DRAINING: AtomicBool = AtomicBool::new(false);

/// Set when the terminal is gone.
static HUNG_UP: AtomicBool = AtomicBool::new(false);

/// Held for ever by whoever ends the process.
static END: Mutex<()> = Mutex::new(());

/// Signals that come so soon after the first are the same wish: `timeout` sends
/// its signal to the process and to its group, and a terminal may do likewise.
const SAME: Duration = Duration::from_secs(1);

/// How often it is looked whether the process has to be ended.
const TICK: Duration = Duration::from_millis(10);

/// Looks for which a command that heeds the flag may go on: ten seconds. Those in which the
/// process is stopped are none.
const LOOKS: u32 = 1_000;

/// Catches the signals from now on, but for those that whoever started this process had it
/// ignore: SIGHUP by `nohup`, SIGINT and SIGQUIT by a shell's `&`.
///
/// # Errors
/// The system refuses.
pub(crate) fn watch() -> std::io::Result<()> {
    // A limit on the size of files is an error of those who write, and no end.
    flag::register(SIGXFSZ, Arc::default())?;
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGQUIT, SIGHUP];
    let wanted = wanted
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(wanted)?;
    let name = "signals".to_owned();
    thread::Builder::new().name(name).spawn(move || {
        let note = |signal| {
            if signal == SIGHUP {
                HUNG_UP.store(true, Ordering::SeqCst);
            }
            CANCEL.set();
        };
        let Some(first) = signals.forever().next() else {
            return;
        };
        let drains = match first {
            SIGINT | SIGTERM => DRAINING.load(Ordering::SeqCst),
            // The key, as far as can be told.
            SIGQUIT => PLAYING.load(Ordering::SeqCst) && stdin().is_terminal(),
            _ => false,
        };
        if drains && !CANCEL.is_unheeded() {
            CANCEL.drain();
            let begun = Instant::now();
            let again = signals.forever().find(|_| begun.elapsed() > SAME);
            again.into_iter().for_each(note);
        } else {
            note(first);
        }
        let begun = Instant::now();
        for _ in 0..LOOKS {
            if SETTLED.load(Ordering::SeqCst) {
                return;
            }
            let is_heeded = HEEDED.load(Ordering::SeqCst) && !CANCEL.is_unheeded();
            let is_repeated = signals.pending().inspect(|&it| note(it)).count() > 0;
            if !is_heeded || is_repeated && begun.elapsed() > SAME {
                break;
            }
            thread::sleep(TICK);
        }
        end();
    })?;
    Ok(())
}

/// From now on the command looks at the flag that is returned, which the first signal sets,
/// and stops by itself.
pub(crate) fn heed() -> &'static Cancel {
    HEEDED.store(true, Ordering::SeqCst);
    &CANCEL
}

/// The same where games are played: the key Ctrl-\, and if they `drain` the first Ctrl-C or
/// SIGTERM too, lets those that were begun come to their end.
pub(crate) fn heed_in_games(drain: bool) -> &'static Cancel {
    PLAYING.store(true, Ordering::SeqCst);
    DRAINING.store(drain, Ordering::SeqCst);
    heed()
}

/// From now on no signal that has come ends the process: what is done at the end takes its
/// time.
pub(crate) fn let_end() {
    SETTLED.store(true, Ordering::SeqCst);
}

/// From now on SIGUSR1 has one pair more be played at once, and SIGUSR2 one fewer.
///
/// # Errors
/// The system refuses.
pub(crate) fn heed_threads() -> std::io::Result<()> {
    let mut signals = Signals::new([SIGUSR1, SIGUSR2])?;
    let thread = thread::Builder::new().name("threads".to_owned());
    let change = move || {
        for signal in signals.forever() {
            CANCEL.add_threads(if signal == SIGUSR1 { 1 } else { -1 });
        }
    };
    thread.spawn(change).map(drop)
}

/// Does `work` in which nobody looks at the flag: a signal ends the process at once. It must
/// leave nothing behind.
pub(crate) fn unheeded<T>(work: impl FnOnce() -> T) -> T {
    CANCEL.unheeded(work)
}

/// Whether the terminal is gone, so that nothing can be written to it.
pub(crate) fn has_hung_up() -> bool {
    HUNG_UP.load(Ordering::SeqCst)
}

/// Waits for the end of the process if it is being ended, so that it has no other exit code.
pub(crate) fn settle() {
    drop(END.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Ends the process, the programs that it has started, and its files on their way.
fn end() -> ! {
    let _end = END.lock().unwrap_or_else(PoisonError::into_inner);
    remove_passing();
    end_programs();
    low_level::exit(INTERRUPTED.into());
}

/// The signals that whoever started this process had it ignore, a bit for each from that of
/// signal 1. What cannot be known is none.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or_default()
}
