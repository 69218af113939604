//! Child processes with pipes, which end together with all of their descendants.
//!
//! Killing the process group misses a process that has left it by `setsid`. After a call of
//! [`adopt_orphans`], Linux makes such a process a child of ours when its parent ends; an inherited
//! environment variable identifies it. If a program is Leitai itself and starts programs, the
//! variable is a list, so that both processes recognise them. [`end_programs`] ends all running
//! programs at once.

use std::env;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, ioctl_fionread, read, retry_on_intr, write};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, kill_process_group, waitid,
};

use super::processes::{ProcessInfo, marks};
pub use crate::shared::{ChildPipe, PROGRAM_MARK, Shortage};

/// Largest number of generations to search: a child of a child of a child...
const GENERATIONS: usize = 32;

/// Number of looks at a child that has no environment (yet).
const DOUBTS: usize = 25;
/// Time between two looks.
const MOMENT: Duration = Duration::from_micros(200);
/// Time limit for the end of a killed process.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest single wait on systems that do not signal the end of a process.
const BLIND_PULSE: Duration = Duration::from_millis(2);

/// Size of an enlarged pipe in bytes; the usual one is a quarter.
#[cfg(target_os = "linux")]
const LARGE_PIPE: usize = 1 << 18;

#[cfg(target_os = "linux")]
fn enlarge(pipe: &OwnedFd) {
    // A user's pipes share a limit: this one then keeps its size.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, LARGE_PIPE);
}

#[cfg(not(target_os = "linux"))]
fn enlarge(_: &OwnedFd) {}

/// Asks for the end of a process and waits for it, if it has ended.
const REAP: WaitIdOptions = WaitIdOptions::EXITED.union(WaitIdOptions::NOHANG);
/// Asks for the end of a process, and leaves it a zombie.
const LOOK: WaitIdOptions = REAP.union(WaitIdOptions::NOWAIT);

static ADOPTING: AtomicBool = AtomicBool::new(false);

/// The process groups of the running programs.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program as a child process in a group of its own, with pipes that do not block: one poll
/// covers all of them, so that a command and its reply cost one write, one poll and one read, and
/// no thread. Dropping it kills it and all of its descendants.
#[derive(Debug)]
pub struct ChildTree {
    group: Pid,
    /// Mark that identifies the descendants.
    mark: String,
    /// The pipes in the order of [`ChildPipe`]; each is `None` once closed.
    pipes: [Option<OwnedFd>; 3],
    /// A file descriptor that becomes readable when the process ends; `None` if the system has
    /// none.
    end: Option<OwnedFd>,
}

impl ChildTree {
    /// Starts the command and sets its pipes.
    ///
    /// # Errors
    /// The system cannot start the program, or cannot make a pipe non-blocking.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mark = format!("{}.{}", getpid(), COUNT.fetch_add(1, Ordering::Relaxed));
        // The process that started us ends all processes with its mark.
        let outer = env::var(PROGRAM_MARK);
        let marks = outer.map_or_else(|_| mark.clone(), |outer| format!("{outer} {mark}"));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .env(PROGRAM_MARK, marks);
        // Held so that `end_programs` misses no program.
        let mut running = running();
        let child = command.spawn()?;
        let group = Pid::from_child(&child);
        running.push(group);
        drop(running);
        #[cfg(target_os = "linux")]
        let end = rustix::process::pidfd_open(group, rustix::process::PidfdFlags::empty()).ok();
        #[cfg(not(target_os = "linux"))]
        let end = None;
        let (input, output, errors) = (child.stdin, child.stdout, child.stderr);
        let pipes = [
            input.map(Into::into),
            output.map(Into::into),
            errors.map(Into::into),
        ];
        let tree = Self {
            group,
            mark,
            pipes,
            end,
        };
        for pipe in tree.pipes.iter().flatten() {
            ioctl_fionbio(pipe, true)?;
        }
        Ok(tree)
    }

    /// Gives the output room for more data before the process must wait for its reader, if the
    /// system can.
    pub fn enlarge_output(&self) {
        if let Some(output) = &self.pipes[ChildPipe::Output as usize] {
            enlarge(output);
        }
    }

    /// The ID of the process, and of its group.
    pub fn id(&self) -> u32 {
        self.group.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits until a pipe is ready or the process has ended, at most for `patience`; for the input
    /// only with `wants_input`. Returns whether the process has ended, and for each pipe whether it
    /// accepts data, or has data or its end to read.
    pub fn wait(&self, wants_input: bool, patience: Duration) -> (bool, [bool; 3]) {
        let patience = match self.end {
            Some(_) => patience,
            None => patience.min(BLIND_PULSE),
        };
        let [input, output, errors, end] = self.poll(wants_input, self.end.as_ref(), patience);
        let has_ended = end || self.end.is_none() && self.has_ended();
        (has_ended, [input, output, errors])
    }

    /// Like [`wait`](Self::wait) and cheaper: looks at the pipes only. Does not notice the end of the
    /// process while a descendant keeps them open.
    pub fn wait_for_pipes(&self, wants_input: bool, patience: Duration) -> [bool; 3] {
        let [input, output, errors, _] = self.poll(wants_input, None, patience);
        [input, output, errors]
    }

    /// Returns which of the pipes and of the file descriptor for the end are ready.
    fn poll(&self, wants_input: bool, end: Option<&OwnedFd>, patience: Duration) -> [bool; 4] {
        let [input, output, errors] = &self.pipes;
        let sources = [
            (input.as_ref().filter(|_| wants_input), PollFlags::OUT),
            (output.as_ref(), PollFlags::IN),
            (errors.as_ref(), PollFlags::IN),
            (end, PollFlags::IN),
        ];
        let polled = |(fd, events): (Option<_>, _)| Some(PollFd::new(fd?, events));
        let mut fds: ArrayVec<PollFd<'_>, 4> = sources.into_iter().filter_map(polled).collect();
        let timeout = Timespec::try_from(patience).ok();
        // An interruption by a signal counts as no event.
        let _ = poll(&mut fds, timeout.as_ref());
        let mut events = fds.iter().map(|fd| !fd.revents().is_empty());
        sources.map(|(fd, _)| fd.is_some() && events.next() == Some(true))
    }

    /// Writes as much as the input accepts, and returns the number of bytes: all of them, which are
    /// lost, if the program has closed it.
    pub fn write(&mut self, bytes: &[u8]) -> usize {
        let mut written = 0;
        while let (Some(pipe), true) = (&self.pipes[0], written < bytes.len()) {
            match retry_on_intr(|| write(pipe, &bytes[written..])) {
                Ok(more) => written += more,
                Err(Errno::AGAIN) => break,
                Err(_) => self.close(ChildPipe::Input),
            }
        }
        let is_open = self.is_open(ChildPipe::Input);
        if is_open { written } else { bytes.len() }
    }

    /// Returns whether the program has not read all of its input; false if the system does not report it.
    pub fn has_unread_input(&self) -> bool {
        let input = self.pipes[ChildPipe::Input as usize].as_ref();
        input.is_some_and(|pipe| ioctl_fionread(pipe).is_ok_and(|bytes| bytes > 0))
    }

    /// Reads once into the spare capacity of the buffer, and returns the number of bytes. Closes
    /// the pipe at its end.
    pub fn read(&mut self, pipe: ChildPipe, buffer: &mut Vec<u8>) -> usize {
        let Some(open) = &self.pipes[pipe as usize] else {
            return 0;
        };
        match retry_on_intr(|| read(open, spare_capacity(buffer))) {
            Err(Errno::AGAIN) => return 0,
            Ok(bytes @ 1..) => return bytes,
            _ => self.close(pipe),
        }
        0
    }

    /// Returns whether the pipe is open.
    pub fn is_open(&self, pipe: ChildPipe) -> bool {
        self.pipes[pipe as usize].is_some()
    }

    /// Closes the pipe.
    pub fn close(&mut self, pipe: ChildPipe) {
        self.pipes[pipe as usize] = None;
    }

    /// The exit status of an ended process, or the signal that killed it.
    pub fn exit(&self) -> Option<String> {
        let status = waitid(WaitId::Pid(self.group), LOOK).ok()??;
        if let Some(code) = status.exit_status() {
            return Some(format!("exit status {code}"));
        }
        // `signal: 9 (SIGKILL)`
        let number = status.terminating_signal()?;
        let signal = ExitStatus::from_raw(number).to_string();
        let signal = signal.replacen("signal: ", "signal ", 1);
        // Linux kills like this when memory runs out.
        let cause = if number == Signal::KILL.as_raw() {
            ", perhaps for lack of memory"
        } else {
            ""
        };
        Some(format!("killed by {signal}{cause}"))
    }

    /// Kills the process and its group.
    pub fn kill(&self) {
        // Fails only if the group is empty.
        let _ = kill_process_group(self.group, Signal::KILL);
    }

    /// Returns whether the process has ended. Leaves it a zombie, so that its ID, which is that of
    /// the group too, is not reused meanwhile.
    fn has_ended(&self) -> bool {
        // An error means that it no longer exists.
        !matches!(waitid(WaitId::Pid(self.group), LOOK), Ok(None))
    }
}

impl Drop for ChildTree {
    fn drop(&mut self) {
        self.kill();
        // After the wait the number may belong to another process.
        running().retain(|&group| group != self.group);
        // The process is dead, unless it runs with rights that we lack.
        let _ = wait_for_end(&WaitId::Pid(self.group));
        if ADOPTING.load(Ordering::Relaxed) {
            end_group(self.group);
            let others = || running().clone();
            end_marked(&others, &|mark| mark == self.mark);
        }
    }
}

/// The limit of the machine behind an error of [`ChildTree::spawn`], if it is one.
pub fn shortage(error: &io::Error) -> Option<Shortage> {
    Some(match Errno::from_io_error(error)? {
        Errno::AGAIN => Shortage::Processes,
        Errno::NOMEM => Shortage::Memory,
        Errno::MFILE => Shortage::OpenFiles,
        Errno::NFILE => Shortage::SystemFiles,
        Errno::NOSPC => Shortage::Disk,
        Errno::TXTBSY => Shortage::BusyFile,
        _ => return None,
    })
}

/// Makes this process the parent of all orphans among its descendants, so that it can find and end
/// processes that a program leaves behind. A command calls it before it starts programs; a library
/// should not do it unasked, because from then on every orphan has to be waited for. Without effect
/// on systems other than Linux.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(getpid())).is_ok() {
        ADOPTING.store(true, Ordering::Relaxed);
    }
}

/// Kills all running programs with their descendants and blocks the start of others, for a process
/// that exits immediately.
pub fn end_programs() {
    let running = running();
    for &group in running.iter() {
        let _ = kill_process_group(group, Signal::KILL);
    }
    if ADOPTING.load(Ordering::Relaxed) {
        running.iter().copied().for_each(end_group);
        let own = format!("{}.", getpid());
        end_marked(&Vec::new, &|mark| mark.starts_with(&own));
    }
    std::mem::forget(running);
}

/// Waits for all processes of a killed group: all of them are children of ours by now, or will be.
fn end_group(group: Pid) {
    while wait_for_end(&WaitId::Pgid(Some(group))) == Ok(true) {}
}

/// Ends all orphans with one of these marks. `others` are programs that are no orphans.
fn end_marked(others: &dyn Fn() -> Vec<Pid>, is_meant: &dyn Fn(&str) -> bool) {
    let (mut generations, mut doubts) = (0, 0);
    while generations < GENERATIONS && doubts < DOUBTS {
        let (mut found, mut doubtful) = (false, false);
        for pid in children(&others()) {
            match marks(pid).map(|marks| marks.split(' ').any(is_meant)) {
                Some(true) => {
                    let killed = kill_process(pid, Signal::KILL).is_ok();
                    // Another thread may wait for it first.
                    found |= killed && wait_for_end(&WaitId::Pid(pid)) != Ok(false);
                }
                Some(false) => {}
                None => doubtful = true,
            }
        }
        if found {
            // Its children are orphans now.
            generations += 1;
        } else if doubtful {
            doubts += 1;
            thread::sleep(MOMENT);
        } else {
            break;
        }
    }
}

/// Waits for the end of a killed child. Returns false if it still runs: it has rights that we lack,
/// or hangs in the system.
///
/// # Errors
/// There is no such child (any more).
fn wait_for_end(child: &WaitId<'_>) -> rustix::io::Result<bool> {
    let until = Instant::now() + KILL_TIMEOUT;
    while waitid(child.clone(), REAP)?.is_none() {
        if Instant::now() >= until {
            return Ok(false);
        }
        thread::sleep(MOMENT);
    }
    Ok(true)
}

/// The children of all threads of this process, without these programs.
fn children(programs: &[Pid]) -> Vec<Pid> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
    let paths = threads
        .flatten()
        .map(|thread| thread.path().join("children"));
    let lists: Vec<String> = paths
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let pids = lists.iter().flat_map(|list| list.split_whitespace());
    let pids = pids.filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
    let orphans = pids.filter(|pid| !programs.contains(pid));
    orphans.filter(|&pid| !is_reaped(pid)).collect()
}

/// Returns whether the process was an orphan that has ended by itself, and waits for it. Processes
/// that we start ourselves are in our session; the code that started them waits for them.
fn is_reaped(pid: Pid) -> bool {
    let is_dead_orphan = || {
        let (process, own) = (ProcessInfo::read(pid)?, ProcessInfo::read("self")?);
        Some(process.is_zombie && process.session != own.session)
    };
    is_dead_orphan() == Some(true) && waitid(WaitId::Pid(pid), REAP).is_ok()
}

#[cfg(test)]
mod tests {
    /// A program's transparent huge pages and limits, such as that of memory, are those of its
    /// user.
    #[test]
    #[cfg(target_os = "linux")]
    fn programs_have_the_limits_and_huge_pages_of_this_process() {
        use super::*;
        let files = ["/proc/self/limits", "/proc/self/status"];
        let mut child = ChildTree::spawn(Command::new("cat").args(files)).unwrap();
        let mut output = Vec::with_capacity(1 << 16);
        while child.is_open(ChildPipe::Output) {
            child.wait(false, KILL_TIMEOUT);
            child.read(ChildPipe::Output, &mut output);
        }
        let theirs = String::from_utf8(output).unwrap();
        let own = files.map(|file| fs::read_to_string(file).unwrap()).concat();
        let facts = |text: &str| -> Vec<String> {
            let is_limit = |line: &&str| line.starts_with("Max ") || line.starts_with("THP");
            text.lines().filter(is_limit).map(str::to_owned).collect()
        };
        assert!(facts(&own).len() > 10, "{own}");
        assert_eq!(facts(&theirs), facts(&own));
    }
}
