//! A program as a child process in a group of its own. Nothing here waits longer
//! than it is told to.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};

use super::descendants::{DEATH, end_descendants, kill_group, new_mark, spawn};
use super::dialogue::Dialogue;
use super::lines::Line;
use super::pipes::{Pipes, Source};

/// Bytes that are read of an output that nobody needs any more.
const UNHEARD: usize = 1 << 20;
/// How long a program that is no longer needed may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(100);
/// How long whoever waits for a program is away at most.
const PULSE: Duration = Duration::from_millis(20);
/// The same where the system does not tell when a process ends.
const BLIND_PULSE: Duration = Duration::from_millis(2);

/// What comes from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// A line.
    Line(Line),
    /// Nothing yet.
    Silence,
    /// The program has ended.
    Ended,
    /// It has closed its output, and goes on.
    Closed,
}

/// A running program. Dropping it ends it and all that it has started.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Option<Pid>,
    /// By which what it has started is known.
    mark: String,
    /// Becomes readable when the program ends; `None` where there is no such
    /// thing.
    end: Option<OwnedFd>,
    pub(super) pipes: Pipes,
    /// Bytes that were read after the program had ended: by a program that it
    /// has started, if they do not end.
    posthumous: usize,
}

/// What waiting has brought.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    ended: bool,
    read: usize,
}

impl Process {
    /// Starts the command, whose pipes are set here.
    pub(crate) fn start(command: &mut Command, dialogue: Dialogue) -> io::Result<Self> {
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
            posthumous: 0,
            child,
        })
    }

    /// Sends lines; false if the program has left too many unread, or takes no
    /// more.
    pub(crate) fn send<S: AsRef<str>>(&mut self, lines: &[S]) -> bool {
        self.pipes.send(lines)
    }

    /// What comes next, waiting for it until `deadline` or, at most, a moment.
    pub(crate) fn next(&mut self, deadline: Instant) -> Output {
        if let Some(line) = self.pipes.take() {
            return Output::Line(line);
        }
        let now = Instant::now();
        let until = deadline.min(now + PULSE);
        let mut patience = until.saturating_duration_since(now);
        loop {
            let seen = self.wait(patience);
            if let Some(line) = self.pipes.take() {
                return Output::Line(line);
            }
            if !self.pipes.is_open() {
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

    /// Forgets what has come unasked, as far as it can be read, after `look` has
    /// seen it.
    pub(crate) fn forget_output(&mut self, mut look: impl FnMut(Line)) {
        let mut forgotten = 0;
        loop {
            while let Some(line) = self.pipes.take() {
                look(line);
            }
            match self.pipes.read_output() {
                // A flood refills the pipe as fast as it is emptied.
                bytes @ 1.. if forgotten < UNHEARD => forgotten += bytes,
                _ => break,
            }
        }
    }

    /// The number of the process, and of its group.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The last lines of its error output: all that an ended program wrote.
    pub(crate) fn errors(&mut self) -> Vec<String> {
        let mut heard = 0;
        while let bytes @ 1.. = self.pipes.read_errors() {
            heard += bytes;
            if heard > UNHEARD {
                break;
            }
        }
        self.pipes.errors()
    }

    /// The exit status of a program that has ended, or the signal that killed it.
    pub(crate) fn exit(&self) -> Option<String> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.group?), look).ok()??;
        let code = status
            .exit_status()
            .map(|code| format!("exit status {code}"));
        code.or_else(|| status.terminating_signal().map(killed_by))
    }

    /// Whether the program ends within the time. What it has to say meanwhile is
    /// read.
    pub(crate) fn ends_within(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut unheard = 0;
        loop {
            let patience = until.saturating_duration_since(Instant::now());
            let seen = self.wait(patience);
            if seen.ended || patience.is_zero() {
                return seen.ended;
            }
            // Nobody needs what comes now; but it must not wait for a reader.
            while self.pipes.take().is_some() {}
            unheard += seen.read;
            if unheard > UNHEARD {
                self.pipes.close_output();
            }
        }
    }

    /// Waits until there is something to do with the pipes, and does it.
    fn wait(&mut self, patience: Duration) -> Seen {
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
        // Looked at before the last reading, or that could come too early.
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
            self.posthumous += read;
        }
        Seen { ended, read }
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
        while self.pipes.has_unsent() && Instant::now() < until {
            if self.ends_within(PULSE) {
                break;
            }
        }
        self.pipes.close_input();
        self.ends_within(until.saturating_duration_since(Instant::now()));
        if let Some(group) = self.group {
            kill_group(group);
        }
        // It is dead, unless it runs with rights that we do not have.
        self.ends_within(DEATH);
        let _ = self.child.try_wait();
        if let Some(group) = self.group {
            end_descendants(group, &self.mark);
        }
    }
}

/// A signal that ended a program, in words.
fn killed_by(number: i32) -> String {
    let name = Signal::from_named_raw(number).and_then(|signal| {
        let known = SIGNALS.iter().find(|(known, _)| *known == signal);
        known.map(|(_, name)| format!(" ({name})"))
    });
    format!("killed by signal {number}{}", name.unwrap_or_default())
}

/// Signals that end programs, by name.
const SIGNALS: [(Signal, &str); 14] = [
    (Signal::HUP, "SIGHUP"),
    (Signal::INT, "SIGINT"),
    (Signal::QUIT, "SIGQUIT"),
    (Signal::ILL, "SIGILL"),
    (Signal::TRAP, "SIGTRAP"),
    (Signal::ABORT, "SIGABRT"),
    (Signal::BUS, "SIGBUS"),
    (Signal::FPE, "SIGFPE"),
    (Signal::KILL, "SIGKILL"),
    (Signal::SEGV, "SIGSEGV"),
    (Signal::PIPE, "SIGPIPE"),
    (Signal::TERM, "SIGTERM"),
    (Signal::XCPU, "SIGXCPU"),
    (Signal::SYS, "SIGSYS"),
];

/// What becomes readable when the process ends.
#[cfg(target_os = "linux")]
fn end_of(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn end_of(_: Pid) -> Option<OwnedFd> {
    None
}
