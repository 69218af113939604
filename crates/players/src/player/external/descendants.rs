//! Termination of all processes that an engine has started.
//!
//! Killing the process group misses a process that has left it by `setsid`. After a call of
//! [`adopt_orphans`], Linux makes such a process a child of ours when its parent ends; an inherited
//! environment variable identifies it. If an engine is Leitai itself and starts engines, the
//! variable is a list, so that both processes recognise them. [`end_programs`] ends all running
//! engines at once.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::num::NonZeroI32;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::proc::{ProcessStat, marks};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, kill_process_group, waitid,
};

/// The environment variable that marks an engine and all of its descendants: marks separated by
/// blanks, with that of the innermost starter at the end.
pub const MARK: &str = "LEITAI_PROGRAM";

/// Largest number of generations to search: a child of a child of a child...
const GENERATIONS: usize = 32;

/// Number of looks at a child that has no environment (yet).
const DOUBTS: usize = 25;
/// Time between two looks.
const MOMENT: Duration = Duration::from_micros(200);
/// Time limit for the end of a killed process.
pub(crate) const KILL_TIMEOUT: Duration = Duration::from_secs(5);

static ADOPTING: AtomicBool = AtomicBool::new(false);

/// The process groups of the running engines.
static RUNNING: Mutex<BTreeSet<NonZeroI32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<NonZeroI32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes this process the parent of all orphans among its descendants, so that it can find and end
/// processes that an engine leaves behind. A command calls it before it starts engines; a library
/// should not do it unasked, because from then on every orphan has to be waited for. Without effect
/// on systems other than Linux.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(getpid())).is_ok() {
        ADOPTING.store(true, Ordering::Relaxed);
    }
}

/// Returns a unique mark for one engine.
pub(crate) fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}.{number}", getpid())
}

/// Starts an engine with this mark as the leader of a process group.
///
/// # Errors
/// The system refuses.
pub(crate) fn spawn(command: &mut Command, mark: &str) -> io::Result<Child> {
    // Held so that `end_programs` misses no engine.
    let mut running = running();
    // The process that started us ends all processes with its mark.
    let marks = env::var(MARK).map_or_else(|_| mark.to_owned(), |outer| format!("{outer} {mark}"));
    let child = command.env(MARK, marks).spawn()?;
    running.extend(NonZeroI32::new(child.id() as i32));
    Ok(child)
}

/// Kills the group of an engine that has not been waited for.
pub(crate) fn kill_group(group: Pid) {
    let mut running = running();
    // Fails only if the group is empty.
    let _ = kill_process_group(group, Signal::KILL);
    // After the wait the number may belong to another process.
    running.remove(&group.as_raw_nonzero());
}

/// Kills all running engines with their descendants and blocks the start of others, for a process
/// that exits immediately.
pub fn end_programs() {
    let running = running();
    let groups = running.iter().map(|group| group.get());
    let groups: Vec<Pid> = groups.filter_map(Pid::from_raw).collect();
    for &group in &groups {
        let _ = kill_process_group(group, Signal::KILL);
    }
    if ADOPTING.load(Ordering::Relaxed) {
        for group in groups {
            while wait_for_end(&WaitId::Pgid(Some(group))) == KillOutcome::Ended {}
        }
        end_marked(&|mark| mark.starts_with(&format!("{}.", getpid())));
    }
    std::mem::forget(running);
}

/// Waits for all processes of a killed group, and ends those that have left it.
pub(crate) fn end_descendants(group: Pid, mark: &str) {
    if !ADOPTING.load(Ordering::Relaxed) {
        return;
    }
    // All processes of the group are children of ours by now, or will be.
    while wait_for_end(&WaitId::Pgid(Some(group))) == KillOutcome::Ended {}
    end_marked(&|other| other == mark);
}

/// Ends all orphans with one of these marks.
fn end_marked(is_meant: &dyn Fn(&str) -> bool) {
    let (mut generations, mut doubts) = (0, 0);
    while generations < GENERATIONS && doubts < DOUBTS {
        let (mut found, mut doubtful) = (false, false);
        for pid in children() {
            match marks(pid).map(|marks| marks.split(' ').any(is_meant)) {
                Some(true) => {
                    let killed = kill_process(pid, Signal::KILL).is_ok();
                    // Another thread may wait for it first.
                    found |= killed && wait_for_end(&WaitId::Pid(pid)) != KillOutcome::Running;
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

/// The state of a killed child.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KillOutcome {
    /// It has ended and was waited for.
    Ended,
    /// There is no such child (any more).
    Missing,
    /// Still running: it has rights that we lack, or hangs in the system.
    Running,
}

/// Waits for the end of a killed child.
fn wait_for_end(child: &WaitId<'_>) -> KillOutcome {
    let until = Instant::now() + KILL_TIMEOUT;
    loop {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        match waitid(child.clone(), look) {
            Ok(Some(_)) => return KillOutcome::Ended,
            Err(_) => return KillOutcome::Missing,
            Ok(None) if Instant::now() >= until => return KillOutcome::Running,
            Ok(None) => thread::sleep(MOMENT),
        }
    }
}

/// The children of all threads of this process.
fn children() -> impl Iterator<Item = Pid> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
    let lists = threads.filter_map(|thread| {
        let path = thread.ok()?.path().join("children");
        fs::read_to_string(path).ok()
    });
    let pids = lists.flat_map(|list| {
        let pids = list.split_whitespace();
        let pids = pids.filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
        pids.collect::<Vec<_>>()
    });
    pids.filter(|&pid| !is_reaped(pid))
}

/// Returns whether the process was an orphan that has ended by itself, and waits for it. Processes
/// that we start ourselves are in our session; the code that started them waits for them.
fn is_reaped(pid: Pid) -> bool {
    let is_dead_orphan = || {
        let (process, own) = (ProcessStat::read(pid)?, ProcessStat::read("self")?);
        Some(process.is_zombie && process.session != own.session)
    };
    is_dead_orphan() == Some(true)
        && waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOHANG,
        )
        .is_ok()
}
