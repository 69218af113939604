//! An engine as a child process in a group of its own. All waits have a time limit.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::descendants::{KILL_TIMEOUT, end_descendants, kill_group, new_mark, spawn};
use super::dialogue::Dialogue;
use super::lines::Line;
use super::pipes::{Pipes, Source};

/// Number of bytes to read of output that is no longer needed.
const MOST_IGNORED: usize = 1 << 20;
/// Time limit for an unneeded engine to exit by itself.
const EXIT_GRACE: Duration = Duration::from_millis(100);
/// Longest single wait for an engine.
const PULSE: Duration = Duration::from_millis(20);
/// Longest single wait on systems that do not signal the end of a process.
const BLIND_PULSE: Duration = Duration::from_millis(2);

/// Asks for the end of a process, and leaves it a zombie.
const LOOK: WaitIdOptions = WaitIdOptions::EXITED
    .union(WaitIdOptions::NOHANG)
    .union(WaitIdOptions::NOWAIT);

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
    child: Child,
    group: Option<Pid>,
    /// Mark that identifies the engine's descendants.
    mark: String,
    /// A file descriptor that becomes readable when the process ends; `None` if the system has
    /// none.
    end: Option<OwnedFd>,
    pub(super) pipes: Pipes,
    /// Number of bytes read after the end of the process: a descendant that keeps writing can make
    /// them endless.
    read_after_end: usize,
}

impl Process {
    /// Starts the command and sets its pipes.
    ///
    /// # Errors
    /// The system cannot start the program.
    pub fn start(command: &mut Command, dialogue: Dialogue) -> io::Result<Self> {
        let mark = new_mark();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = spawn(command, &mark)?;
        let group = Pid::from_raw(child.id() as i32);
        let pipes = Pipes::of(&mut child, dialogue).inspect_err(|_| {
            let _ = child.kill().and_then(|()| child.wait());
        })?;
        Ok(Self {
            group,
            mark,
            end: group.and_then(end_of),
            pipes,
            read_after_end: 0,
            child,
        })
    }

    /// Sends lines; returns false if the engine has left too many unread, or its input is closed.
    pub fn send<S: AsRef<str>>(&mut self, lines: &[S]) -> bool {
        self.pipes.send(lines)
    }

    /// The next event; waits until `deadline`, at most for a moment.
    pub fn next(&mut self, deadline: Instant) -> Output {
        if let Some(line) = self.pipes.take() {
            return Output::Line(line);
        }
        let now = Instant::now();
        let until = deadline.min(now + PULSE);
        let mut patience = until.saturating_duration_since(now);
        loop {
            let (has_ended, read) = self.wait(patience);
            if let Some(line) = self.pipes.take() {
                return Output::Line(line);
            }
            if self.pipes.output.is_none() {
                let ended = has_ended || self.ends_within(EXIT_GRACE);
                return if ended { Output::Ended } else { Output::Closed };
            }
            // All output of the process is in the pipe before it ends. Output of its descendants
            // does not delay the end.
            if has_ended && (read == 0 || self.read_after_end > MOST_IGNORED) {
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
            while let Some(line) = self.pipes.take() {
                look(line);
            }
            match self.pipes.read_output() {
                // A flood refills the pipe as fast as it is emptied.
                bytes @ 1.. if forgotten < MOST_IGNORED => forgotten += bytes,
                _ => break,
            }
        }
    }

    /// The ID of the process, and of its group.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The last lines of the error output: complete after the end of the process.
    pub fn errors(&mut self) -> Vec<String> {
        let mut read = 0;
        while let bytes @ 1.. = self.pipes.read_errors() {
            read += bytes;
            if read > MOST_IGNORED {
                break;
            }
        }
        self.pipes.errors()
    }

    /// The exit status of an ended process, or the signal that killed it.
    pub fn exit(&self) -> Option<String> {
        let status = waitid(WaitId::Pid(self.group?), LOOK).ok()??;
        let code = status.exit_status();
        let code = code.map(|code| format!("exit status {code}"));
        code.or_else(|| status.terminating_signal().map(killed_by))
    }

    /// Returns whether the process ends within the time, and reads its output meanwhile.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut ignored = 0;
        loop {
            let patience = until.saturating_duration_since(Instant::now());
            let (has_ended, read) = self.wait(patience);
            if has_ended || patience.is_zero() {
                return has_ended;
            }
            // The output is not needed, but the process must not block on it.
            while self.pipes.take().is_some() {}
            ignored += read;
            if ignored > MOST_IGNORED {
                self.pipes.output = None;
            }
        }
    }

    /// Waits until a pipe is ready, and handles it. Returns whether the process has ended, and the
    /// number of bytes that were read.
    fn wait(&mut self, patience: Duration) -> (bool, usize) {
        let patience = match self.end {
            Some(_) => patience,
            None => patience.min(BLIND_PULSE),
        };
        let ready = self.pipes.ready(self.end.as_ref(), patience);
        let is_ready = |source| ready.contains(&source);
        if is_ready(Source::Input) {
            self.pipes.write();
        }
        if is_ready(Source::Errors) {
            self.pipes.read_errors();
        }
        // Checked before the last read, or the end could be seen before the last output.
        let ended = match self.end {
            Some(_) => is_ready(Source::End),
            None => self.has_ended(),
        };
        let read = if is_ready(Source::Output) || ended {
            self.pipes.read_output()
        } else {
            0
        };
        if ended {
            self.read_after_end += read;
        }
        (ended, read)
    }

    /// Returns whether the process has ended. Leaves it a zombie, so that its ID, which is that of
    /// the group too, is not reused meanwhile.
    fn has_ended(&self) -> bool {
        let Some(pid) = self.group else { return true };
        // An error means that it no longer exists.
        !matches!(waitid(WaitId::Pid(pid), LOOK), Ok(None))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send(&["quit"]);
        let until = Instant::now() + EXIT_GRACE;
        // The input is closed after the pending data has been read.
        while self.pipes.has_unsent() && Instant::now() < until && !self.ends_within(PULSE) {}
        self.pipes.input = None;
        self.ends_within(until.saturating_duration_since(Instant::now()));
        if let Some(group) = self.group {
            kill_group(group);
        }
        // The process is dead, unless it runs with rights that we lack.
        self.ends_within(KILL_TIMEOUT);
        let _ = self.child.try_wait();
        if let Some(group) = self.group {
            end_descendants(group, &self.mark);
        }
    }
}

/// The signal that ended a process, in words.
fn killed_by(signal: i32) -> String {
    // `signal: 9 (SIGKILL)`
    let status = ExitStatus::from_raw(signal).to_string();
    format!("killed by {}", status.replacen("signal: ", "signal ", 1))
}

/// A file descriptor that becomes readable when the process ends.
#[cfg(target_os = "linux")]
fn end_of(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn end_of(_: Pid) -> Option<OwnedFd> {
    None
}
