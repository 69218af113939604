//! A program as a child process in a group of its own, with threads that read
//! and write its pipes. Nothing here waits longer than it is told to.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::lines::{Line, next_line};

/// Lines that are kept for whoever reads them; a program that writes more waits
/// in its pipe.
const LINES_KEPT: usize = 256;
/// Messages that a program may leave unread, beyond those in its pipe.
const UNREAD: usize = 64;
/// Lines of the error output that are kept.
const ERRORS_KEPT: usize = 5;
/// How long a program that is no longer needed may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(100);
/// How long what an ended program has written may take to be read.
const LAST_WORDS: Duration = Duration::from_millis(10);
/// How often a program is looked at that says nothing.
const PULSE: Duration = Duration::from_millis(20);

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
    input: Option<SyncSender<String>>,
    output: Receiver<Line>,
    errors: Arc<Mutex<VecDeque<String>>>,
    error_reader: Option<JoinHandle<()>>,
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
        let (sender, output) = sync_channel(LINES_KEPT);
        if let Some(out) = child.stdout.take() {
            thread::spawn(move || {
                let mut out = BufReader::new(out);
                while let Some(line) = next_line(&mut out) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let errors = Arc::default();
        let error_reader = child.stderr.take().map(|out| {
            let kept = Arc::clone(&errors);
            thread::spawn(move || keep_last(out, &kept))
        });
        let (input, commands) = sync_channel::<String>(UNREAD);
        if let Some(mut pipe) = child.stdin.take() {
            // A program that does not read must not hold up whoever writes.
            thread::spawn(move || {
                for text in commands {
                    if pipe.write_all(text.as_bytes()).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self {
            child,
            group,
            input: Some(input),
            output,
            errors,
            error_reader,
        })
    }

    /// Sends lines; false if the program has left too many unread, or ended.
    pub(super) fn send<S: AsRef<str>>(&self, lines: &[S]) -> bool {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.as_ref());
            text.push('\n');
        }
        let input = self.input.as_ref();
        input.is_some_and(|input| input.try_send(text).is_ok())
    }

    /// What comes next, waiting for it until `deadline` or, at most, a moment.
    pub(super) fn next(&self, deadline: Instant) -> Output {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(patience.min(PULSE)) {
            Ok(line) => Output::Line(line),
            // Its last words may have come since the clock was looked at. If a
            // program that it has started goes on writing, it has ended itself
            // all the same.
            Err(RecvTimeoutError::Timeout) if self.has_ended() => self.last_words(),
            Err(RecvTimeoutError::Timeout) => Output::Silence,
            Err(RecvTimeoutError::Disconnected) if self.ends_within(FAREWELL) => Output::Ended,
            Err(RecvTimeoutError::Disconnected) => Output::Closed,
        }
    }

    fn last_words(&self) -> Output {
        let line = self.output.recv_timeout(LAST_WORDS);
        line.map_or(Output::Ended, Output::Line)
    }

    /// Forgets what has come unasked, as far as it has been read.
    pub(super) fn forget_output(&self) {
        // A flood refills the queue as fast as it is emptied.
        for _ in 0..LINES_KEPT {
            if self.output.try_recv().is_err() {
                break;
            }
        }
    }

    /// The number of the process, and of its group.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The last lines of its error output: all that an ended program wrote.
    pub(super) fn errors(&self) -> Vec<String> {
        let reader = self.error_reader.as_ref();
        if self.has_ended() {
            within(LAST_WORDS, || reader.is_none_or(JoinHandle::is_finished));
        }
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().cloned().collect()
    }

    /// Whether the program has ended. Leaves it a zombie, so that its number,
    /// which is that of the group too, is not given to another meanwhile.
    fn has_ended(&self) -> bool {
        let Some(pid) = self.group else { return true };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error says that it is gone altogether.
        !matches!(waitid(WaitId::Pid(pid), look), Ok(None))
    }

    fn ends_within(&self, time: Duration) -> bool {
        within(time, || self.has_ended())
    }
}

/// Whether something comes true within the time.
fn within(time: Duration, is_so: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + time;
    loop {
        if is_so() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send(&["quit"]);
        // Closes the input, once what is under way has been written.
        self.input = None;
        self.ends_within(FAREWELL);
        if let Some(group) = self.group {
            // Fails only where nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// Reads to the end and keeps the last lines.
fn keep_last(out: impl Read, kept: &Mutex<VecDeque<String>>) {
    let mut out = BufReader::new(out);
    while let Some(line) = next_line(&mut out) {
        let Line::Text(line) = line else { continue };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == ERRORS_KEPT {
            kept.pop_front();
        }
        kept.push_back(line.chars().take(300).collect());
    }
}
