//! Output on a thread of its own: the caller does not wait for a reader that has stalled, such as a
//! terminal after Ctrl-S.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::threads::lock;

/// Writes bytes in order, without delay for the caller.
#[derive(Debug)]
pub struct BackgroundWriter {
    shared: Arc<Shared>,
    /// The largest number of waiting bytes.
    most: usize,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<u8>,
    is_writing: bool,
    /// True if no further bytes come.
    is_closed: bool,
    error: Option<io::Error>,
}

impl BackgroundWriter {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(out: impl Write + Send + 'static, most: usize) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let writer = Arc::clone(&shared);
        let thread = thread::Builder::new().name("output".to_owned());
        thread.spawn(move || writer.write(out))?;
        Ok(Self { shared, most })
    }

    /// Appends bytes to the output.
    ///
    /// # Errors
    /// Earlier bytes could not be written; or too many wait for the reader
    /// ([`io::ErrorKind::TimedOut`]).
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut state = lock(&self.shared.state);
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        if state.waiting.len() + bytes.len() > self.most {
            let reason = format!("the last {} MiB are not read", self.most >> 20);
            return Err(io::Error::new(io::ErrorKind::TimedOut, reason));
        }
        state.waiting.extend_from_slice(bytes);
        self.shared.changed.notify_all();
        Ok(())
    }

    /// Returns whether all bytes are written.
    pub fn is_idle(&self) -> bool {
        lock(&self.shared.state).is_idle()
    }

    /// Waits until all bytes are written, at most for `patience`.
    pub fn flush(&self, patience: Duration) {
        let state = lock(&self.shared.state);
        let changed = &self.shared.changed;
        let is_waiting = |state: &mut State| !state.is_idle() && !state.is_closed;
        let flushed = changed.wait_timeout_while(state, patience, is_waiting);
        drop(flushed.unwrap_or_else(PoisonError::into_inner));
    }

    /// Drops bytes that are not written yet.
    pub fn abandon(self) {
        let mut state = lock(&self.shared.state);
        state.waiting.clear();
        state.is_closed = true;
    }
}

impl Drop for BackgroundWriter {
    /// Waits until all bytes are written.
    fn drop(&mut self) {
        self.flush(Duration::MAX);
        lock(&self.shared.state).is_closed = true;
        self.shared.changed.notify_all();
    }
}

impl State {
    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && !self.is_writing
    }
}

impl Shared {
    /// The work of the thread.
    fn write(&self, mut out: impl Write) {
        let mut state = lock(&self.state);
        while !state.is_closed {
            if state.waiting.is_empty() {
                let waited = self.changed.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let bytes = std::mem::take(&mut state.waiting);
            state.is_writing = true;
            drop(state);
            let written = out.write_all(&bytes).and_then(|()| out.flush());
            state = lock(&self.state);
            state.is_writing = false;
            state.error = state.error.take().or(written.err());
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// A stream that waits for permission before each write.
    struct Stalled(Receiver<()>, Sender<Vec<u8>>);

    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
            self.0.recv().map_err(gone)?;
            let _ = self.1.send(bytes.to_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stalled_reader_delays_no_caller_and_loses_nothing() {
        let ((reader, permission), (sender, written)) = (channel(), channel());
        let writer = BackgroundWriter::start(Stalled(permission, sender), 8).unwrap();
        writer.write(b"one").unwrap();
        while !lock(&writer.shared.state).is_writing {
            thread::yield_now();
        }
        writer.write(b"two, ").unwrap();
        writer.write(b"3").unwrap();
        let refused = writer.write(b"four").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::TimedOut);
        assert!(!writer.is_idle());
        reader.send(()).unwrap();
        reader.send(()).unwrap();
        writer.flush(Duration::MAX);
        assert_eq!(written.recv().unwrap(), b"one");
        assert_eq!(written.recv().unwrap(), b"two, 3");
        drop(reader);
        writer.write(b"five").unwrap();
        writer.flush(Duration::MAX);
        let broken = writer.write(b"six").unwrap_err();
        assert_eq!(broken.kind(), io::ErrorKind::BrokenPipe);
    }
}
