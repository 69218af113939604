//! Child processes with pipes, which end together with all of their descendants.
//!
//! Every program runs in a job object of its own, which its descendants cannot leave. The system
//! ends the job's processes when its last handle is closed, so they end whenever this process ends,
//! even if it is killed. A program starts suspended and joins its job before its first instruction.
//!
//! Pipes of Windows do not report readiness: a thread for each moves data between the pipe and memory.

use std::io::{self, Read, Write};
use std::os::windows::io::AsHandle as _;
use std::os::windows::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::api::{self, Job};
use super::processors;
pub use crate::shared::{ChildPipe, PROGRAM_MARK, Shortage};

/// Bytes in memory for one pipe: as many as the pipe itself holds.
const HELD: usize = 1 << 16;
/// Maximum bytes of a read.
const CHUNK: usize = 1 << 14;
/// Time limit for the end of killed processes.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest gap in the last output of an ended program, whose descendants may keep the pipes open. A
/// reading thread may wait that long for a processor.
const LAST_OUTPUT: Duration = Duration::from_millis(200);
/// Interval between two checks of a job.
const MOMENT: Duration = Duration::from_millis(1);

/// The jobs of the running programs, with the ID of each first process.
static RUNNING: Mutex<Vec<(u32, Arc<Job>)>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<(u32, Arc<Job>)>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes in the job of a running program; `None` if there is no such program.
pub(super) fn members(id: u32) -> Option<Vec<u32>> {
    let running = running();
    let found = running.iter().find(|(own, _)| *own == id);
    found.map(|(_, job)| job.members())
}

/// A program as a child process in a job of its own. Dropping it kills it and all of its
/// descendants.
#[derive(Debug)]
pub struct ChildTree {
    id: u32,
    job: Arc<Job>,
    shared: Arc<Shared>,
}

/// State that the threads of a child share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The pipes in the order of [`ChildPipe`].
    pipes: [Pipe; 3],
    /// Number of bytes read from the outputs.
    received: usize,
    /// The exit status, once the process has ended and its output has been read.
    exit: Option<ExitStatus>,
}

#[derive(Debug, Default)]
struct Pipe {
    bytes: Vec<u8>,
    /// True after the owner of the tree or the program has closed it.
    is_closed: bool,
    /// True if no more output will come.
    is_at_end: bool,
}

impl Pipe {
    /// Returns whether the filling thread waits for the reader.
    fn is_full(&self) -> bool {
        !self.is_closed && self.bytes.len() > HELD
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the condition does not hold, at most for `patience`.
    fn wait_while(
        &self,
        patience: Duration,
        condition: impl Fn(&State) -> bool,
    ) -> MutexGuard<'_, State> {
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), patience, |state| condition(state));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Reads a pipe to its end; waits while its data in memory is too long.
    fn fill(&self, pipe: ChildPipe, mut source: impl Read) {
        let pipe = pipe as usize;
        let mut chunk = [0; CHUNK];
        loop {
            let read = source.read(&mut chunk).unwrap_or(0);
            let is_full = |state: &State| state.pipes[pipe].is_full();
            let mut state = self.wait_while(Duration::MAX, is_full);
            state.received += read;
            let pipe = &mut state.pipes[pipe];
            pipe.bytes.extend_from_slice(&chunk[..read]);
            pipe.is_at_end = read == 0 || pipe.is_closed;
            let is_at_end = pipe.is_at_end;
            drop(state);
            self.changed.notify_all();
            if is_at_end {
                return;
            }
        }
    }

    /// Writes the data in memory to the input, until the input is closed.
    fn drain(&self, mut sink: impl Write) {
        loop {
            let is_idle = |state: &State| {
                let input = &state.pipes[ChildPipe::Input as usize];
                input.bytes.is_empty() && !input.is_closed
            };
            let mut state = self.wait_while(Duration::MAX, is_idle);
            let bytes = std::mem::take(&mut state.pipes[ChildPipe::Input as usize].bytes);
            drop(state);
            if bytes.is_empty() {
                return;
            }
            let is_written = sink.write_all(&bytes).is_ok();
            self.lock().pipes[ChildPipe::Input as usize].is_closed |= !is_written;
            self.changed.notify_all();
        }
    }

    /// Waits for the end of the process and for its last output: until the pipes end, pause, or give
    /// more data than they hold, which only descendants can have written.
    fn await_end(&self, mut child: Child) {
        let exit = child.wait();
        let any = |state: &State, is: fn(&Pipe) -> bool| {
            state.pipes[ChildPipe::Output as usize..].iter().any(is)
        };
        let mut state = self.lock();
        let most = state.received + 2 * (HELD + CHUNK);
        loop {
            let before = state.received;
            drop(state);
            drop(self.wait_while(Duration::MAX, |state| any(state, Pipe::is_full)));
            let is_coming = |pipe: &Pipe| !pipe.is_at_end;
            state = self.wait_while(LAST_OUTPUT, |state| {
                state.received == before && any(state, is_coming)
            });
            if state.received == before || state.received > most {
                break;
            }
        }
        state.exit = exit.ok().or(Some(ExitStatus::default()));
        drop(state);
        self.changed.notify_all();
    }
}

impl ChildTree {
    /// Starts the command and sets its pipes.
    ///
    /// # Errors
    /// The system cannot start the program.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .creation_flags(api::SUSPENDED | api::NO_WINDOW | api::own_priority())
            .env(PROGRAM_MARK, std::process::id().to_string());
        let job = Arc::new(Job::new(processors::bound())?);
        // The lock lasts until the program is listed: `end_programs` finds it.
        let mut running = running();
        let mut child = command.spawn()?;
        let id = child.id();
        let started = job.assign(child.as_handle()).and_then(|()| api::resume(id));
        if let Err(error) = started {
            let _ = child.kill().and_then(|()| child.wait());
            return Err(error);
        }
        running.push((id, Arc::clone(&job)));
        drop(running);
        let shared = Arc::new(Shared::default());
        let (input, output, errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let start = |work: Box<dyn FnOnce(&Shared) + Send>| {
            let shared = Arc::clone(&shared);
            let name = "engine".to_owned();
            let thread = thread::Builder::new().name(name).stack_size(CHUNK * 16);
            thread.spawn(move || work(&shared)).map(drop)
        };
        let tree = Self {
            id,
            job,
            shared: Arc::clone(&shared),
        };
        if let (Some(input), Some(output), Some(errors)) = (input, output, errors) {
            start(Box::new(move |shared| shared.drain(input)))?;
            start(Box::new(move |shared| {
                shared.fill(ChildPipe::Output, output);
            }))?;
            start(Box::new(move |shared| {
                shared.fill(ChildPipe::Errors, errors);
            }))?;
        }
        start(Box::new(move |shared| shared.await_end(child)))?;
        Ok(tree)
    }

    /// Keeps the size of the output: the system offers no larger one for a running process.
    #[expect(clippy::unused_self, reason = "other systems enlarge it")]
    pub fn enlarge_output(&self) {}

    /// The ID of the process.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Waits at most for `patience` until the process has ended or a pipe is ready: the input accepts
    /// data (only with `wants_input`), or an output has data or its end. Returns whether the process
    /// has ended, and whether each pipe is ready.
    pub fn wait(&self, wants_input: bool, patience: Duration) -> (bool, [bool; 3]) {
        let ready = |state: &State| {
            let [input, output, errors] = &state.pipes;
            let has_data =
                |pipe: &Pipe| !pipe.is_closed && (pipe.is_at_end || !pipe.bytes.is_empty());
            let accepts = wants_input && (input.is_closed || input.bytes.len() < HELD);
            [accepts, has_data(output), has_data(errors)]
        };
        let is_idle = |state: &State| state.exit.is_none() && !ready(state).contains(&true);
        let state = self.shared.wait_while(patience, is_idle);
        (state.exit.is_some(), ready(&state))
    }

    /// Like [`wait`](Self::wait), without the end of the process.
    pub fn wait_for_pipes(&self, wants_input: bool, patience: Duration) -> [bool; 3] {
        self.wait(wants_input, patience).1
    }

    /// Writes as much as the input accepts, and returns the number of bytes. If the program has closed
    /// its input, all bytes are lost and counted.
    pub fn write(&mut self, bytes: &[u8]) -> usize {
        let mut state = self.shared.lock();
        let input = &mut state.pipes[ChildPipe::Input as usize];
        if input.is_closed {
            return bytes.len();
        }
        let accepted = HELD.saturating_sub(input.bytes.len()).min(bytes.len());
        input.bytes.extend_from_slice(&bytes[..accepted]);
        drop(state);
        self.shared.changed.notify_all();
        accepted
    }

    /// Returns whether the program has not read all of its input: Windows does not report it.
    pub fn has_unread_input(&self) -> bool {
        false
    }

    /// Reads once into the spare capacity of the buffer, and returns the number of bytes. Closes
    /// the pipe at its end.
    pub fn read(&mut self, pipe: ChildPipe, buffer: &mut Vec<u8>) -> usize {
        let mut state = self.shared.lock();
        let pipe = &mut state.pipes[pipe as usize];
        let read = pipe.bytes.len().min(buffer.capacity() - buffer.len());
        buffer.extend(pipe.bytes.drain(..read));
        pipe.is_closed |= pipe.is_at_end && pipe.bytes.is_empty();
        drop(state);
        self.shared.changed.notify_all();
        read
    }

    /// Returns whether the pipe is open.
    pub fn is_open(&self, pipe: ChildPipe) -> bool {
        !self.shared.lock().pipes[pipe as usize].is_closed
    }

    /// Closes the pipe; the input closes after its earlier data.
    pub fn close(&mut self, pipe: ChildPipe) {
        self.shared.lock().pipes[pipe as usize].is_closed = true;
        self.shared.changed.notify_all();
    }

    /// The exit status of an ended process.
    pub fn exit(&self) -> Option<String> {
        let code = self.shared.lock().exit?.code()?;
        // Negative codes are faults: 0xc0000005 is an access violation.
        Some(match code {
            0.. => format!("exit status {code}"),
            _ => format!("exit status {code:#010x}"),
        })
    }

    /// Kills the process and its descendants.
    pub fn kill(&self) {
        self.job.terminate();
    }
}

impl Drop for ChildTree {
    fn drop(&mut self) {
        self.kill();
        for pipe in [ChildPipe::Input, ChildPipe::Output, ChildPipe::Errors] {
            self.close(pipe);
        }
        let until = Instant::now() + KILL_TIMEOUT;
        let is_running = |state: &State| state.exit.is_none();
        drop(self.shared.wait_while(KILL_TIMEOUT, is_running));
        while !self.job.members().is_empty() && Instant::now() < until {
            thread::sleep(MOMENT);
        }
        // Compares jobs, because another program may have the same ID by now.
        running().retain(|(_, job)| !Arc::ptr_eq(job, &self.job));
    }
}

/// The limit of the machine behind an error of [`ChildTree::spawn`], if it is one.
pub fn shortage(error: &io::Error) -> Option<Shortage> {
    // The codes of winerror.h.
    Some(match error.raw_os_error()? {
        1450 => Shortage::Processes,
        8 | 1455 => Shortage::Memory,
        4 => Shortage::OpenFiles,
        112 => Shortage::Disk,
        32 => Shortage::BusyFile,
        _ => return None,
    })
}

/// Makes all later descendants of this process end with it, and without dialogs of the system. A command
/// calls it before it starts programs.
pub fn adopt_orphans() {
    /// Closed by the system at the end of this process.
    static OWN: OnceLock<Option<Job>> = OnceLock::new();
    OWN.get_or_init(|| {
        api::hide_error_dialogs();
        let job = Job::new(None).ok()?;
        job.assign_self().ok().map(|()| job)
    });
}

/// Kills all running programs with their descendants, and blocks the start of others: the process exits
/// next.
pub fn end_programs() {
    let running = running();
    running.iter().for_each(|(_, job)| job.terminate());
    std::mem::forget(running);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_reader_gets_all_output_of_an_ended_process() {
        let folder = tempfile::tempdir().unwrap();
        // Longer than the data in memory; the pipe holds the rest, and the process can end.
        let length = HELD + CHUNK + HELD / 2;
        std::fs::write(folder.path().join("text"), vec![b'x'; length]).unwrap();
        let mut command = Command::new("cmd");
        command.args(["/c", "type", "text"]).current_dir(&folder);
        let mut tree = ChildTree::spawn(&mut command).unwrap();
        while !members(tree.id()).unwrap().is_empty() {
            thread::sleep(MOMENT);
        }
        thread::sleep(2 * LAST_OUTPUT);
        let (mut buffer, mut found) = (Vec::with_capacity(HELD), 0);
        loop {
            let (has_ended, _) = tree.wait(false, Duration::from_secs(1));
            let read = tree.read(ChildPipe::Output, &mut buffer);
            if has_ended && read == 0 {
                break;
            }
            found += read;
            buffer.clear();
        }
        assert_eq!(found, length);
    }
}
