//! Requests to end this process, and other signals to it.

use std::io;
use std::sync::{Arc, OnceLock};

use nix::sys::signal::{SigSet, SigmaskHow};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::{flag, low_level};

use super::processes::value;
pub use crate::shared::StopSignal;

static CAUGHT: OnceLock<Handle> = OnceLock::new();

/// The requests to end this process, which no longer end it by themselves. The iterator waits for the
/// next one.
#[derive(Debug)]
pub struct StopSignals(Signals);

impl StopSignals {
    /// Starts to catch the signals, except those that the parent process set to ignored: SIGHUP by
    /// `nohup`, SIGINT and SIGQUIT by a shell's `&`. From then on, exceeding the file size limit is
    /// a write error and not the end of the process.
    ///
    /// # Errors
    /// The system refuses.
    pub fn catch() -> io::Result<Self> {
        flag::register(SIGXFSZ, Arc::default())?;
        let ignored = ignored();
        let mut signals = vec![SIGINT, SIGTERM, SIGQUIT, SIGHUP];
        signals.retain(|signal| ignored >> (signal - 1) & 1 == 0);
        // A signal would be lost after its default action is replaced, and before the handler knows
        // its purpose: meanwhile it waits.
        let former = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
        let signals = Signals::new(signals);
        former.thread_set_mask()?;
        let signals = signals?;
        CAUGHT.get_or_init(|| signals.handle());
        Ok(Self(signals))
    }

    /// The signals since the last call.
    pub fn pending(&mut self) -> impl Iterator<Item = StopSignal> {
        self.0.pending().map(stop_signal)
    }
}

impl Iterator for StopSignals {
    type Item = StopSignal;

    fn next(&mut self) -> Option<StopSignal> {
        self.0.forever().next().map(stop_signal)
    }
}

/// Also catches SIGINT if the parent process set it to ignored. Does nothing before
/// [`StopSignals::catch`].
///
/// # Errors
/// The system refuses.
pub fn catch_interrupts() -> io::Result<()> {
    CAUGHT.get().map_or(Ok(()), |it| it.add_signal(SIGINT))
}

fn stop_signal(number: i32) -> StopSignal {
    match number {
        SIGINT => StopSignal::Interrupt,
        SIGTERM => StopSignal::Terminate,
        SIGQUIT => StopSignal::Quit,
        _ => StopSignal::HangUp,
    }
}

/// The signals that the parent process set to ignored, as a bit mask with signal 1 in the lowest
/// bit; 0 if unknown.
fn ignored() -> u64 {
    let mask = value("/proc/self/status", "SigIgn:");
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or_default()
}

/// Starts to catch the signals that ask for one thread more or less, SIGUSR1 and SIGUSR2. The
/// iterator waits for the next change of the number.
///
/// # Errors
/// The system refuses.
pub fn thread_changes() -> io::Result<impl Iterator<Item = isize> + Send> {
    let mut signals = Signals::new([SIGUSR1, SIGUSR2])?;
    let mut next = move || signals.forever().next();
    let change = move || Some(if next()? == SIGUSR1 { 1 } else { -1 });
    Ok(std::iter::from_fn(change))
}

/// Ends this process at once, without any cleanup.
pub fn exit(code: i32) -> ! {
    low_level::exit(code)
}
