//! The pipes of an engine. None of them blocks: one poll covers all of them, so that a command and
//! its reply cost one write, one poll and one read, and no thread.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, write};

use super::dialogue::Dialogue;
use super::lines::{Line, Lines};

/// Largest number of bytes that an engine may leave unread, in addition to those in its pipe.
const UNREAD: usize = 1 << 20;
/// Number of lines kept of the error output.
const ERRORS_KEPT: usize = 5;

/// The pipes of an engine; each is `None` once closed.
#[derive(Debug, Default)]
pub(crate) struct Pipes {
    pub(super) input: Option<ChildStdin>,
    /// Data that did not fit into the pipe.
    unsent: Vec<u8>,
    pub(super) output: Option<ChildStdout>,
    pub(super) lines: Lines,
    error_output: Option<ChildStderr>,
    error_lines: Lines,
    errors: VecDeque<String>,
    /// The log of the communication.
    pub(super) dialogue: Dialogue,
}

/// An event source to wait for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Input,
    Output,
    Errors,
    /// The end of the process.
    End,
}

impl Pipes {
    /// Takes the pipes of a child.
    ///
    /// # Errors
    /// A pipe cannot be made non-blocking.
    pub(crate) fn of(child: &mut Child, dialogue: Dialogue) -> io::Result<Self> {
        let pipes = Self {
            input: child.stdin.take(),
            output: child.stdout.take(),
            error_output: child.stderr.take(),
            dialogue,
            ..Self::default()
        };
        pipes.input.as_ref().map_or(Ok(()), unblock)?;
        pipes.output.as_ref().map_or(Ok(()), unblock)?;
        pipes.error_output.as_ref().map_or(Ok(()), unblock)?;
        Ok(pipes)
    }

    /// Sends lines; returns false if the engine has left too many unread, or its input is closed.
    pub(crate) fn send<S: AsRef<str>>(&mut self, lines: &[S]) -> bool {
        if self.unsent.len() > UNREAD {
            return false;
        }
        for line in lines {
            self.unsent.extend_from_slice(line.as_ref().as_bytes());
            self.unsent.push(b'\n');
        }
        if self.dialogue.is_kept() {
            for line in lines {
                self.dialogue.sent(line.as_ref());
            }
            self.dialogue.flush();
        }
        self.write();
        self.input.is_some()
    }

    /// The next complete line of output.
    pub(crate) fn take(&mut self) -> Option<Line> {
        let line = self.lines.take()?;
        self.dialogue.received(&line);
        Some(line)
    }

    /// The last lines of the error output, including an unfinished one.
    pub(crate) fn errors(&self) -> Vec<String> {
        let half = self.error_lines.unfinished().map(|line| shortened(&line));
        self.errors.iter().cloned().chain(half).collect()
    }

    /// Returns whether data is waiting to be sent.
    pub(crate) fn has_unsent(&self) -> bool {
        self.input.is_some() && !self.unsent.is_empty()
    }

    /// Waits at most `patience` and returns the ready pipes, and `end` if the process has ended.
    pub(crate) fn ready(&self, end: Option<&OwnedFd>, patience: Duration) -> ArrayVec<Source, 4> {
        let mut sources = ArrayVec::<Source, 4>::new();
        let mut fds = ArrayVec::<PollFd<'_>, 4>::new();
        let mut ask = |source, fd, events| {
            sources.push(source);
            fds.push(PollFd::from_borrowed_fd(fd, events));
        };
        if let Some(pipe) = &self.output {
            ask(Source::Output, pipe.as_fd(), PollFlags::IN);
        }
        if let Some(pipe) = &self.error_output {
            ask(Source::Errors, pipe.as_fd(), PollFlags::IN);
        }
        if let Some(end) = end {
            ask(Source::End, end.as_fd(), PollFlags::IN);
        }
        if let (Some(pipe), false) = (&self.input, self.unsent.is_empty()) {
            ask(Source::Input, pipe.as_fd(), PollFlags::OUT);
        }
        let timeout = Timespec {
            tv_sec: patience.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: patience.subsec_nanos().into(),
        };
        // An interruption by a signal counts as no event.
        let _ = poll(&mut fds, Some(&timeout));
        let all = sources.into_iter().zip(&fds);
        let ready = all.filter(|(_, fd)| !fd.revents().is_empty());
        ready.map(|(source, _)| source).collect()
    }

    /// Writes as much as the pipe accepts.
    pub(crate) fn write(&mut self) {
        let Some(pipe) = &self.input else { return };
        let mut written = 0;
        while written < self.unsent.len() {
            match write(pipe, &self.unsent[written..]) {
                Ok(bytes) => written += bytes,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => {
                    self.input = None;
                    break;
                }
            }
        }
        self.unsent.drain(..written);
    }

    /// Reads once; returns the number of bytes.
    pub(crate) fn read_output(&mut self) -> usize {
        read_once(&mut self.output, &mut self.lines)
    }

    /// Reads once, and keeps the last lines; returns the number of bytes.
    pub(crate) fn read_errors(&mut self) -> usize {
        let bytes = read_once(&mut self.error_output, &mut self.error_lines);
        while let Some(line) = self.error_lines.take() {
            self.dialogue.received_error(&line);
            let (Line::Text(line) | Line::Binary(line) | Line::TooLong(line)) = line;
            if line.trim().is_empty() {
                continue;
            }
            if self.errors.len() == ERRORS_KEPT {
                self.errors.pop_front();
            }
            self.errors.push_back(shortened(&line));
        }
        bytes
    }
}

/// The kept part of a line of the error output.
fn shortened(line: &str) -> String {
    line.chars().take(300).collect()
}

/// Reads once from a pipe, and closes it at its end; returns the number of bytes.
fn read_once(pipe: &mut Option<impl AsFd>, lines: &mut Lines) -> usize {
    let Some(open) = pipe else { return 0 };
    match lines.read_from(open) {
        Err(Errno::AGAIN) => 0,
        Ok(bytes @ 1..) => bytes,
        _ => {
            *pipe = None;
            0
        }
    }
}

fn unblock(pipe: &impl AsFd) -> io::Result<()> {
    Ok(ioctl_fionbio(pipe, true)?)
}
