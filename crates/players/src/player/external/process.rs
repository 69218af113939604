//! An engine as a child process: its lines, with a time limit for every wait.

use std::collections::VecDeque;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use leitai_platform::children::{ChildPipe, ChildTree};

use super::dialogue::Dialogue;
use super::engine::StartError;
use super::lines::{Line, Lines};
use super::shortage;

/// Largest number of bytes that an engine may leave unread, in addition to those in its pipe.
const UNREAD: usize = 1 << 20;
/// Number of lines kept of the error output.
const ERRORS_KEPT: usize = 5;
/// Number of bytes to read of output that is no longer needed.
const MAX_IGNORED: usize = 1 << 20;
/// Time limit for an unneeded engine to exit by itself.
const EXIT_GRACE: Duration = Duration::from_millis(100);
/// Longest single wait for an engine.
const PULSE: Duration = Duration::from_millis(20);

/// An event of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A line of output.
    Line(Line),
    /// No event yet.
    Silence,
    /// The process has ended.
    Ended,
    /// The output is closed, while the process continues.
    Closed,
}

/// A running engine. Dropping it ends it and all of its descendants.
#[derive(Debug)]
pub struct Process {
    /// The process and its descendants.
    pub tree: ChildTree,
    /// The command that ends the engine.
    quit: &'static str,
    /// Data that did not fit into the pipe.
    unsent: Vec<u8>,
    pub(super) lines: Lines,
    error_lines: Lines,
    errors: VecDeque<String>,
    /// The log of the communication.
    pub(super) dialogue: Dialogue,
    /// Time of the last check whether the process has ended. The check costs more than polling the
    /// pipes, so it is skipped while lines arrive quickly.
    end_checked: Instant,
    /// True if a look has found the end of the process.
    has_ended: bool,
    /// Number of bytes read after the end of the process: a descendant that keeps writing can make
    /// them endless.
    read_after_end: usize,
}

impl Process {
    /// Starts the command and sets its pipes. `quit` is the command that ends it. While the machine
    /// lacks processes, memory or files, waits up to six times `startup`.
    ///
    /// # Errors
    /// The system cannot start the program, or the start is cancelled.
    pub fn start(
        command: &mut Command,
        quit: &'static str,
        dialogue: Dialogue,
        startup: Duration,
        cancel: &AtomicBool,
    ) -> Result<Self, StartError> {
        Ok(Self {
            tree: shortage::spawn(command, startup, cancel)?,
            quit,
            unsent: Vec::new(),
            lines: Lines::default(),
            error_lines: Lines::default(),
            errors: VecDeque::new(),
            dialogue,
            end_checked: Instant::now(),
            has_ended: false,
            read_after_end: 0,
        })
    }

    /// Sends lines; returns false if the engine has left too many unread, or its input is closed.
    pub fn send<S: AsRef<str>>(&mut self, lines: &[S]) -> bool {
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
        self.tree.is_open(ChildPipe::Input)
    }

    /// Returns whether the engine has not read all lines, as far as the system reports it.
    pub(super) fn has_unread_input(&self) -> bool {
        !self.unsent.is_empty() || self.tree.has_unread_input()
    }

    /// Writes as much as the pipe accepts.
    fn write(&mut self) {
        let written = self.tree.write(&self.unsent);
        self.unsent.drain(..written);
    }

    /// The next complete line of the output that was read.
    pub(super) fn take(&mut self) -> Option<Line> {
        let line = self.lines.take()?;
        self.dialogue.received(&line);
        Some(line)
    }

    /// Reads output once; returns the number of bytes.
    fn read_output(&mut self) -> usize {
        self.tree.read(ChildPipe::Output, self.lines.buffer())
    }

    /// Reads error output once, and keeps the last lines; returns the number of bytes.
    fn read_errors(&mut self) -> usize {
        let bytes = self.tree.read(ChildPipe::Errors, self.error_lines.buffer());
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

    /// Returns the next event; waits from `now`, the present time, until `deadline`, at most
    /// `PULSE`.
    pub fn next(&mut self, now: Instant, deadline: Instant) -> Output {
        if let Some(line) = self.take() {
            return Output::Line(line);
        }
        // Descendants wrote this after the end.
        if self.read_after_end > MAX_IGNORED {
            return Output::Ended;
        }
        let until = deadline.min(now + PULSE);
        let mut patience = until.saturating_duration_since(now);
        let looks_for_end = self.has_ended || now.duration_since(self.end_checked) >= PULSE;
        if looks_for_end {
            self.end_checked = now;
        }
        loop {
            let wants_input = !self.unsent.is_empty();
            let ready = if looks_for_end {
                self.tree.wait(wants_input, patience)
            } else {
                (false, self.tree.wait_for_pipes(wants_input, patience))
            };
            let (has_ended, read) = self.handle(ready);
            self.has_ended |= has_ended;
            if let Some(line) = self.take() {
                return Output::Line(line);
            }
            if !self.tree.is_open(ChildPipe::Output) {
                let ended = has_ended || self.ends_within(EXIT_GRACE);
                return if ended { Output::Ended } else { Output::Closed };
            }
            // All output of the process is in the pipe before it ends. Output of its descendants
            // does not delay the end.
            if has_ended && (read == 0 || self.read_after_end > MAX_IGNORED) {
                return Output::Ended;
            }
            patience = until.saturating_duration_since(Instant::now());
            if patience.is_zero() {
                return Output::Silence;
            }
        }
    }

    /// Discards unsolicited output that can be read now, after `look` has seen it.
    pub fn discard_output(&mut self, mut look: impl FnMut(Line)) {
        let mut forgotten = 0;
        loop {
            while let Some(line) = self.take() {
                look(line);
            }
            match self.read_output() {
                // A flood refills the pipe as fast as it is emptied.
                bytes @ 1.. if forgotten < MAX_IGNORED => forgotten += bytes,
                _ => break,
            }
        }
    }

    /// The last lines of the error output: complete after the end of the process.
    pub fn errors(&mut self) -> Vec<String> {
        let mut read = 0;
        while let bytes @ 1.. = self.read_errors() {
            read += bytes;
            if read > MAX_IGNORED {
                break;
            }
        }
        let half = self.error_lines.unfinished().map(|line| shortened(&line));
        self.errors.iter().cloned().chain(half).collect()
    }

    /// Returns whether the process ends within the time, and reads its output meanwhile.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut ignored = 0;
        loop {
            let patience = until.saturating_duration_since(Instant::now());
            let ready = self.tree.wait(!self.unsent.is_empty(), patience);
            let (has_ended, read) = self.handle(ready);
            if has_ended || patience.is_zero() {
                return has_ended;
            }
            // The output is not needed, but the process must not block on it.
            while self.take().is_some() {}
            ignored += read;
            if ignored > MAX_IGNORED {
                self.tree.close(ChildPipe::Output);
            }
        }
    }

    /// Handles the end of the process and pipes that are ready. Returns whether the process has
    /// ended, and the number of bytes that were read.
    fn handle(&mut self, (has_ended, pipes): (bool, [bool; 3])) -> (bool, usize) {
        let [input, output, errors] = pipes;
        if input {
            self.write();
        }
        if errors {
            self.read_errors();
        }
        let can_read = output || has_ended;
        let read = if can_read { self.read_output() } else { 0 };
        if has_ended {
            self.read_after_end += read;
        }
        (has_ended, read)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send(&[self.quit]);
        let until = Instant::now() + EXIT_GRACE;
        // The input is closed after the pending data has been read.
        while !self.unsent.is_empty() && Instant::now() < until && !self.ends_within(PULSE) {}
        self.tree.close(ChildPipe::Input);
        self.ends_within(until.saturating_duration_since(Instant::now()));
        self.tree.kill();
        // Reads the last output, for the dialogue.
        self.ends_within(EXIT_GRACE);
    }
}

/// The kept part of a line of the error output.
fn shortened(line: &str) -> String {
    line.chars().take(300).collect()
}
