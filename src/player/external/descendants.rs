//! The end of everything that a program has started, whatever it did to get away.
//!
//! A process that has left its group by `setsid` is not reached by killing the
//! group. Once [`adopt_orphans`] has been called, Linux makes it a child of ours
//! when the process that started it is gone; it is known by a variable in its
//! environment, which children inherit. Where such a program is this one again, and
//! starts programs, theirs is a list: they are known to both. [`end_programs`] ends all
//! that run at once.

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

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, kill_process_group, waitid,
};

/// The variable of the environment that marks a program and all that it starts: marks with
/// blanks between them, that of whoever started it last at the end.
pub const MARK: &str = "LEITAI_PROGRAM";

/// Generations of a family that are looked for: a child of a child of a child...
const GENERATIONS: usize = 32;

/// How often a child is looked at that has no environment (yet).
const DOUBTS: usize = 25;
/// How long between two looks.
const MOMENT: Duration = Duration::from_micros(200);
/// How long the end of what has been killed may take.
pub(crate) const DEATH: Duration = Duration::from_secs(5);

static ADOPTING: AtomicBool = AtomicBool::new(false);

/// The groups of the programs that run.
static RUNNING: Mutex<BTreeSet<NonZeroI32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<NonZeroI32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes this process the parent of all orphans among its descendants, so that
/// what a program leaves behind can be found and ended. A command calls it before
/// it starts programs; it is no business of a library to do it unasked, because
/// every orphan has to be waited for from then on. Without effect where the system
/// does not know this (it takes Linux).
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(getpid())).is_ok() {
        ADOPTING.store(true, Ordering::Relaxed);
    }
}

/// A text that marks one program.
pub(crate) fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}.{number}", getpid())
}

/// Starts a program that bears this mark and leads a group.
///
/// # Errors
/// The system refuses.
pub(crate) fn spawn(command: &mut Command, mark: &str) -> io::Result<Child> {
    // Held so that `end_programs` misses none.
    let mut running = running();
    // Whoever started us ends all that bears its mark.
    let marks = env::var(MARK).map_or_else(|_| mark.to_owned(), |outer| format!("{outer} {mark}"));
    let child = command.env(MARK, marks).spawn()?;
    running.extend(NonZeroI32::new(child.id() as i32));
    Ok(child)
}

/// Kills the group of a program that was not waited for yet.
pub(crate) fn kill_group(group: Pid) {
    let mut running = running();
    // Fails only where nobody is left.
    let _ = kill_process_group(group, Signal::KILL);
    // Once it is waited for, its number may be another's.
    running.remove(&group.as_raw_nonzero());
}

/// Kills every program that runs, with all that it has started, and lets no other be
/// started: for a process that ends without further ado.
pub fn end_programs() {
    let running = running();
    let groups = running
        .iter()
        .filter_map(|&group| Pid::from_raw(group.get()));
    let groups: Vec<Pid> = groups.collect();
    for &group in &groups {
        let _ = kill_process_group(group, Signal::KILL);
    }
    if ADOPTING.load(Ordering::Relaxed) {
        for group in groups {
            while ends(&WaitId::Pgid(Some(group))) == Death::Noted {}
        }
        end_marked(&|mark| mark.starts_with(&format!("{}.", getpid())));
    }
    std::mem::forget(running);
}

/// Takes note of the end of all in the group, which have been killed, and ends
/// what has left it.
pub(crate) fn end_descendants(group: Pid, mark: &str) {
    if !ADOPTING.load(Ordering::Relaxed) {
        return;
    }
    // Whoever was in the group is a child of ours by now, or will be.
    while ends(&WaitId::Pgid(Some(group))) == Death::Noted {}
    end_marked(&|other| other == mark);
}

/// Ends all orphans whose mark is one of these.
fn end_marked(is_meant: &dyn Fn(&str) -> bool) {
    let (mut generations, mut doubts) = (0, 0);
    while generations < GENERATIONS && doubts < DOUBTS {
        let (mut found, mut doubtful) = (false, false);
        for pid in children() {
            match bears(pid, is_meant) {
                Some(true) => {
                    let killed = kill_process(pid, Signal::KILL).is_ok();
                    // Another thread may take note of its end first.
                    found |= killed && ends(&WaitId::Pid(pid)) != Death::Awaited;
                }
                Some(false) => {}
                None => doubtful = true,
            }
        }
        if found {
            // What it has started is an orphan now.
            generations += 1;
        } else if doubtful {
            doubts += 1;
            thread::sleep(MOMENT);
        } else {
            break;
        }
    }
}

/// What became of a child that has been killed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Death {
    /// It has ended, and note has been taken of it.
    Noted,
    /// There is no such child (any more).
    Nobody,
    /// It lives on: it runs with rights that we do not have, or hangs in the system.
    Awaited,
}

/// Waits for the end of a child that has been killed.
fn ends(child: &WaitId<'_>) -> Death {
    let until = Instant::now() + DEATH;
    loop {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        match waitid(child.clone(), look) {
            Ok(Some(_)) => return Death::Noted,
            Err(_) => return Death::Nobody,
            Ok(None) if Instant::now() >= until => return Death::Awaited,
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
    pids.filter(|&pid| !buried(pid))
}

/// Whether it was an orphan that has ended by itself, which is taken note of here.
/// What we start ourselves is in our session; its end is left to whoever waits for
/// it.
fn buried(pid: Pid) -> bool {
    let is_dead_orphan = || {
        let (state, session) = standing(&pid.to_string())?;
        let (_, ours) = standing("self")?;
        Some(state == "Z" && session != ours)
    };
    is_dead_orphan() == Some(true)
        && waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOHANG,
        )
        .is_ok()
}

/// State and session of a process, by its folder in `/proc`. The session is 0 if its
/// leader is outside of our namespace of processes, as it may be in a container;
/// `getsid` has no answer that its types could hold then.
fn standing(process: &str) -> Option<(String, i32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // `PID (NAME) STATE PARENT GROUP SESSION ...`; the name may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?.to_owned();
    Some((state, fields.nth(2)?.parse().ok()?))
}

/// Whether a process bears such a mark; `None` if it cannot be told, as in the midst
/// of `exec`.
fn bears(pid: Pid, is_meant: &dyn Fn(&str) -> bool) -> Option<bool> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut entries = environment.split(|&byte| byte == 0);
    let marked = entries.any(|entry| {
        let marks = str::from_utf8(entry).ok().and_then(|it| it.split_once('='));
        marks.is_some_and(|(name, marks)| name == MARK && marks.split(' ').any(is_meant))
    });
    (!environment.is_empty()).then_some(marked)
}
