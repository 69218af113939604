//! A program as a child process in a group of its own, with pipes that do not
//! block: whoever waits for it looks at all of them at once, so that a message
//! and its answer cost one write, one poll and one read, and no thread. Nothing
//! here waits longer than it is told to.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, write};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::lines::{Line, Lines};

/// Bytes that a program may leave unread, beyond those in its pipe.
const UNREAD: usize = 1 << 20;
/// Bytes that are read of an output that nobody needs any more.
const UNHEARD: usize = 1 << 20;
/// Lines of the error output that are kept.
const ERRORS_KEPT: usize = 5;
/// How long a program that is no longer needed may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(100);
/// How long whoever waits for a program is away at most.
const PULSE: Duration = Duration::from_millis(20);
/// The same where the system does not tell when a process ends.
const BLIND_PULSE: Duration = Duration::from_millis(2);

/// What comes from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// A line.
    Line(Line),
    /// Nothing yet.
    Silence,
    /// The program has ended.
    Ended,
    /// It has closed its output, and goes on.
    Closed,
}

/// A running program. Dropping it ends it and all that it has started, unless
/// they have left its process group.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Option<Pid>,
    /// Becomes readable when the program ends; `None` where there is no such
    /// thing.
    end: Option<OwnedFd>,
    /// `None` once closed, as the other pipes.
    input: Option<ChildStdin>,
    /// What does not fit into the pipe.
    unsent: Vec<u8>,
    output: Option<ChildStdout>,
    lines: Lines,
    error_output: Option<ChildStderr>,
    error_lines: Lines,
    errors: VecDeque<String>,
    /// Bytes that were read after the program had ended: by a program that it
    /// has started, if they do not end.
    posthumous: usize,
}

/// What can be waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Input,
    Output,
    Errors,
    End,
}

/// What waiting has brought.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    ended: bool,
    read: usize,
}

impl Process {
    /// Starts the command, whose pipes are set here.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let group = Pid::from_raw(child.id() as i32);
        let process = Self {
            group,
            end: group.and_then(end_of),
            input: child.stdin.take(),
            unsent: Vec::new(),
            output: child.stdout.take(),
            lines: Lines::default(),
            error_output: child.stderr.take(),
            error_lines: Lines::default(),
            errors: VecDeque::new(),
            posthumous: 0,
            child,
        };
        // From here on an error ends the program again.
        process.input.as_ref().map_or(Ok(()), unblocked)?;
        process.output.as_ref().map_or(Ok(()), unblocked)?;
        process.error_output.as_ref().map_or(Ok(()), unblocked)?;
        Ok(process)
    }

    /// Sends lines; false if the program has left too many unread, or takes no
    /// more.
    pub(super) fn send<S: AsRef<str>>(&mut self, lines: &[S]) -> bool {
        if self.unsent.len() > UNREAD {
            return false;
        }
        for line in lines {
            self.unsent.extend_from_slice(line.as_ref().as_bytes());
            self.unsent.push(b'\n');
        }
        self.write();
        self.input.is_some()
    }

    /// What comes next, waiting for it until `deadline` or, at most, a moment.
    pub(super) fn next(&mut self, deadline: Instant) -> Output {
        if let Some(line) = self.lines.take() {
            return Output::Line(line);
        }
        let now = Instant::now();
        let until = deadline.min(now + PULSE);
        let mut patience = until.saturating_duration_since(now);
        loop {
            let seen = self.wait(patience);
            if let Some(line) = self.lines.take() {
                return Output::Line(line);
            }
            if self.output.is_none() {
                let ended = seen.ended || self.ends_within(FAREWELL);
                return if ended { Output::Ended } else { Output::Closed };
            }
            // What it has written is in the pipe before it ends. If a program that
            // it has started goes on writing, it has ended itself all the same.
            if seen.ended && (seen.read == 0 || self.posthumous > UNHEARD) {
                return Output::Ended;
            }
            patience = until.saturating_duration_since(Instant::now());
            if patience.is_zero() {
                return Output::Silence;
            }
        }
    }

    /// Forgets what has come unasked, as far as it can be read.
    pub(super) fn forget_output(&mut self) {
        let mut forgotten = 0;
        loop {
            while self.lines.take().is_some() {}
            match self.read_output() {
                // A flood refills the pipe as fast as it is emptied.
                bytes @ 1.. if forgotten < UNHEARD => forgotten += bytes,
                _ => break,
            }
        }
    }

    /// The last lines of its error output: all that an ended program wrote.
    pub(super) fn errors(&mut self) -> Vec<String> {
        let mut heard = 0;
        while let bytes @ 1.. = self.read_errors() {
            heard += bytes;
            if heard > UNHEARD {
                break;
            }
        }
        self.errors.iter().cloned().collect()
    }

    /// Whether the program ends within the time. What it has to say meanwhile is
    /// read.
    pub(super) fn ends_within(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut unheard = 0;
        loop {
            let patience = until.saturating_duration_since(Instant::now());
            let seen = self.wait(patience);
            if seen.ended || patience.is_zero() {
                return seen.ended;
            }
            // Nobody needs what comes now; but it must not wait for a reader.
            while self.lines.take().is_some() {}
            unheard += seen.read;
            if unheard > UNHEARD {
                self.output = None;
            }
        }
    }

    /// Waits until there is something to do with the pipes, and does it.
    fn wait(&mut self, patience: Duration) -> Seen {
        let patience = match self.end {
            Some(_) => patience,
            None => patience.min(BLIND_PULSE),
        };
        let ready = self.ready(patience);
        let is_ready = |source| ready.contains(&source);
        if is_ready(Source::Input) {
            self.write();
        }
        if is_ready(Source::Errors) {
            self.read_errors();
        }
        // Looked at before the last reading, or that could come too early.
        let ended = match self.end {
            Some(_) => is_ready(Source::End),
            None => self.has_ended(),
        };
        let read = if is_ready(Source::Output) || ended {
            self.read_output()
        } else {
            0
        };
        if ended {
            self.posthumous += read;
        }
        Seen { ended, read }
    }

    /// What of the pipes is ready, waiting for it so long.
    fn ready(&self, patience: Duration) -> ArrayVec<Source, 4> {
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
        if let Some(end) = &self.end {
            ask(Source::End, end.as_fd(), PollFlags::IN);
        }
        if let (Some(pipe), false) = (&self.input, self.unsent.is_empty()) {
            ask(Source::Input, pipe.as_fd(), PollFlags::OUT);
        }
        let timeout = Timespec {
            tv_sec: patience.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: patience.subsec_nanos().into(),
        };
        // Interrupted by a signal is nothing yet.
        let _ = poll(&mut fds, Some(&timeout));
        sources
            .into_iter()
            .zip(&fds)
            .filter(|(_, fd)| !fd.revents().is_empty())
            .map(|(source, _)| source)
            .collect()
    }

    /// Writes as much as the pipe takes.
    fn write(&mut self) {
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

    /// Reads once; how many bytes.
    fn read_output(&mut self) -> usize {
        let Some(pipe) = &self.output else { return 0 };
        match self.lines.read_from(pipe) {
            Err(Errno::AGAIN) => 0,
            Ok(bytes @ 1..) => bytes,
            _ => {
                self.output = None;
                0
            }
        }
    }

    /// Reads once, and keeps the last lines; how many bytes.
    fn read_errors(&mut self) -> usize {
        let Some(pipe) = &self.error_output else {
            return 0;
        };
        let bytes = match self.error_lines.read_from(pipe) {
            Err(Errno::AGAIN) => 0,
            Ok(bytes @ 1..) => bytes,
            _ => {
                self.error_output = None;
                0
            }
        };
        while let Some(line) = self.error_lines.take() {
            let Line::Text(line) = line else { continue };
            if self.errors.len() == ERRORS_KEPT {
                self.errors.pop_front();
            }
            self.errors.push_back(line.chars().take(300).collect());
        }
        bytes
    }

    /// Whether the program has ended. Leaves it a zombie, so that its number,
    /// which is that of the group too, is not given to another meanwhile.
    fn has_ended(&self) -> bool {
        let Some(pid) = self.group else { return true };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error says that it is gone altogether.
        !matches!(waitid(WaitId::Pid(pid), look), Ok(None))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send(&["quit"]);
        let until = Instant::now() + FAREWELL;
        // The input is closed once what is under way has been read.
        while !self.unsent.is_empty() && self.input.is_some() && Instant::now() < until {
            if self.ends_within(PULSE) {
                break;
            }
        }
        self.input = None;
        self.ends_within(until.saturating_duration_since(Instant::now()));
        if let Some(group) = self.group {
            // Fails only where nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

fn unblocked(pipe: &impl AsFd) -> io::Result<()> {
    Ok(ioctl_fionbio(pipe, true)?)
}

/// What becomes readable when the process ends.
#[cfg(target_os = "linux")]
fn end_of(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn end_of(_: Pid) -> Option<OwnedFd> {
    None
}
