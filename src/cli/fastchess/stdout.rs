//! Standard output of a match. No game waits for its reader.

use std::io::{self, ErrorKind, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use leitai_base::background::BackgroundWriter;
use leitai_base::foreign::on_terminal;

use super::super::terminal::eprint;

/// The largest number of bytes that wait for the reader.
const MOST_WAITING: usize = 64 << 20;

/// Standard output of a match.
#[derive(Debug)]
pub(super) struct MatchOutput {
    /// `None` if the system refuses a thread: then games wait for the reader.
    writer: Option<BackgroundWriter>,
    /// True as soon as the reader has gone.
    is_unread: AtomicBool,
    /// True as soon as too much waits for the reader.
    is_cut: AtomicBool,
}

impl MatchOutput {
    pub(super) fn start() -> Self {
        Self {
            writer: BackgroundWriter::start(io::stdout(), MOST_WAITING).ok(),
            is_unread: AtomicBool::new(false),
            is_cut: AtomicBool::new(false),
        }
    }

    /// Prints whole lines.
    pub(super) fn print(&self, text: &str) {
        if self.is_unread() || self.is_cut.load(Ordering::Relaxed) {
            return;
        }
        let text = on_terminal(text);
        let written = if let Some(writer) = &self.writer {
            writer.write(text.as_bytes())
        } else {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        };
        match written {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                self.is_cut.store(true, Ordering::Relaxed);
                eprint(&format!(
                    "Warning; standard output ends here: {error}; the match goes on"
                ));
            }
            Err(_) => self.is_unread.store(true, Ordering::Relaxed),
        }
    }

    /// Returns whether the reader has gone.
    pub(super) fn is_unread(&self) -> bool {
        self.is_unread.load(Ordering::Relaxed)
    }

    /// Waits until everything is read.
    pub(super) fn flush(&self) {
        if let Some(writer) = &self.writer {
            writer.flush(Duration::MAX);
        }
    }
}
