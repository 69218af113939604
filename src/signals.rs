//! Handles the signals that end a command, from its start on: Ctrl-C, SIGTERM, SIGQUIT, and SIGHUP
//! of a closed terminal.
//!
//! The first signal ends the process at once, together with the engines that it has started and its
//! temporary files, unless the command [handles](install_handler) a flag: then the command may stop by itself.
//! A later signal, or a timeout of ten seconds, ends it in any case. The record stays intact, as
//! after a kill.

use std::io::{IsTerminal, stdin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use leitai_platform::children::end_programs;
use leitai_platform::replacement::remove_temporary_files;
pub(crate) use leitai_platform::signals::catch_interrupts;
use leitai_platform::signals::{StopSignal, StopSignals, exit, thread_changes};

use leitai_session::Cancel;

/// The exit code of a process that a signal has ended.
pub(crate) const INTERRUPTED: u8 = 130;

static CANCEL: Cancel = Cancel::new();

/// Set when the command handles the flag.
static HANDLED: AtomicBool = AtomicBool::new(false);

/// Set when the result is final and only the cleanup remains.
static SETTLED: AtomicBool = AtomicBool::new(false);

/// Set while the key Ctrl-\ lets running games finish.
static PLAYING: AtomicBool = AtomicBool::new(false);

/// Set if any first signal lets running games finish.
static DRAINING: AtomicBool = AtomicBool::new(false);

/// Set when the terminal has closed.
static HUNG_UP: AtomicBool = AtomicBool::new(false);

/// Held forever by the thread that ends the process.
static END: Mutex<()> = Mutex::new(());

/// Signals within this time after the first count as the same one: `timeout` sends its signal to
/// the process and to its group, and a terminal may do likewise.
const SAME: Duration = Duration::from_secs(1);

/// Polling interval for the end of the process.
const TICK: Duration = Duration::from_millis(10);

/// The time before a command that handles the flag is ended, without the time in which the process
/// is suspended: less than the ten seconds of a promise.
const PATIENCE: Duration = Duration::from_millis(9_500);
/// The most time that a poll counts, if it took longer because the process was suspended.
const LONGEST_TICK: Duration = Duration::from_millis(250);

/// Starts to handle the signals, except those that the parent process set to ignored.
///
/// # Errors
/// The system refuses.
pub(crate) fn watch() -> std::io::Result<()> {
    let mut signals = StopSignals::catch()?;
    let name = "signals".to_owned();
    thread::Builder::new().name(name).spawn(move || {
        let record = |signal| {
            if signal == StopSignal::HangUp {
                HUNG_UP.store(true, Ordering::SeqCst);
            }
            CANCEL.set();
        };
        let Some(first) = signals.next() else {
            return;
        };
        let drains = match first {
            StopSignal::Interrupt | StopSignal::Terminate => DRAINING.load(Ordering::SeqCst),
            // Probably the key Ctrl-\, since the input is a terminal.
            StopSignal::Quit => PLAYING.load(Ordering::SeqCst) && stdin().is_terminal(),
            StopSignal::HangUp => false,
        };
        if drains && !CANCEL.is_uninterruptible() {
            CANCEL.drain();
            let begun = Instant::now();
            let again = signals.find(|_| begun.elapsed() > SAME);
            again.into_iter().for_each(record);
        } else {
            record(first);
        }
        let begun = Instant::now();
        let mut waited = Duration::ZERO;
        while waited < PATIENCE {
            let polled = Instant::now();
            if SETTLED.load(Ordering::SeqCst) {
                return;
            }
            let is_handled = HANDLED.load(Ordering::SeqCst) && !CANCEL.is_uninterruptible();
            let is_repeated = signals.pending().inspect(|&it| record(it)).count() > 0;
            if !is_handled || is_repeated && begun.elapsed() > SAME {
                break;
            }
            thread::sleep(TICK);
            waited += polled.elapsed().min(LONGEST_TICK);
        }
        end();
    })?;
    Ok(())
}

/// Declares that the command handles the returned flag, which the first signal sets, and stops by
/// itself.
pub(crate) fn install_handler() -> &'static Cancel {
    HANDLED.store(true, Ordering::SeqCst);
    &CANCEL
}

/// Declares the same for a command that plays games: the key Ctrl-\, and with `drain` also the
/// first Ctrl-C or SIGTERM, lets running games finish.
pub(crate) fn install_game_handler(drain: bool) -> &'static Cancel {
    PLAYING.store(true, Ordering::SeqCst);
    DRAINING.store(drain, Ordering::SeqCst);
    install_handler()
}

/// Ends the process together with its standard input, which another process holds open.
///
/// # Errors
/// The system refuses a thread.
#[cfg(feature = "fleet")]
pub(crate) fn end_with_input() -> std::io::Result<()> {
    at_input_end(|| end())
}

/// Calls a function at the end of the standard input.
///
/// # Errors
/// The system refuses a thread.
#[cfg(feature = "fleet")]
pub(crate) fn at_input_end(act: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let thread = thread::Builder::new().name("input".to_owned());
    let wait = || {
        let _ = std::io::copy(&mut stdin().lock(), &mut std::io::sink());
        act();
    };
    thread.spawn(wait).map(drop)
}

/// Disables the end of the process by earlier signals, so that the cleanup can take its time.
pub(crate) fn ignore_signals() {
    SETTLED.store(true, Ordering::SeqCst);
}

/// Starts to handle the signals that increase and decrease the number of simultaneous
/// pairs by one.
///
/// # Errors
/// The system refuses.
pub(crate) fn install_thread_signals() -> std::io::Result<()> {
    let changes = thread_changes()?;
    let thread = thread::Builder::new().name("threads".to_owned());
    let change = move || changes.for_each(|change| CANCEL.add_threads(change));
    thread.spawn(change).map(drop)
}

/// Runs `work` that does not handle the flag: a signal ends the process at once. It must not leave
/// temporary state.
pub(crate) fn without_handler<T>(work: impl FnOnce() -> T) -> T {
    CANCEL.run_uninterruptible(work)
}

/// Returns whether the terminal has closed and cannot be written to.
pub(crate) fn has_hung_up() -> bool {
    HUNG_UP.load(Ordering::SeqCst)
}

/// Blocks if the process is being ended, so that its exit code stays the signal's.
pub(crate) fn settle() {
    drop(END.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Ends the process, the engines that it has started, and removes its temporary files.
fn end() -> ! {
    let _end = END.lock().unwrap_or_else(PoisonError::into_inner);
    remove_temporary_files();
    end_programs();
    exit(INTERRUPTED.into());
}
