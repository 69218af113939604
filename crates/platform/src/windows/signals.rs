//! Requests to end this process: the events of its console.

use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::api::{self, ConsoleEvent};
pub use crate::shared::StopSignal;

static EVENTS: OnceLock<Sender<StopSignal>> = OnceLock::new();

/// The requests to end this process, which no longer end it by themselves. The iterator waits for the
/// next one.
#[derive(Debug)]
pub struct StopSignals(Receiver<StopSignal>);

impl StopSignals {
    /// Starts to catch the events.
    ///
    /// # Errors
    /// The system refuses.
    pub fn catch() -> io::Result<Self> {
        let (sender, receiver) = channel();
        EVENTS.get_or_init(|| sender);
        api::handle_console_events(|event| {
            let signal = match event {
                ConsoleEvent::CtrlC => StopSignal::Interrupt,
                ConsoleEvent::CtrlBreak => StopSignal::Quit,
                ConsoleEvent::End => StopSignal::HangUp,
            };
            let _ = EVENTS.get().map(|events| events.send(signal));
        })?;
        Ok(Self(receiver))
    }

    /// The signals since the last call.
    pub fn pending(&mut self) -> impl Iterator<Item = StopSignal> {
        self.0.try_iter()
    }
}

/// Does nothing: [`StopSignals::catch`] handles Ctrl-C.
///
/// # Errors
/// None.
pub fn catch_interrupts() -> io::Result<()> {
    Ok(())
}

impl Iterator for StopSignals {
    type Item = StopSignal;

    fn next(&mut self) -> Option<StopSignal> {
        self.0.recv().ok()
    }
}

/// Returns no changes: no event asks for one thread more or less.
///
/// # Errors
/// None here.
pub fn thread_changes() -> io::Result<impl Iterator<Item = isize> + Send> {
    Ok(std::iter::empty())
}

/// Ends this process at once, without any cleanup.
pub fn exit(code: i32) -> ! {
    api::exit(code)
}
