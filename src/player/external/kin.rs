//! The end of everything that a program has started, whatever it did to get away.
//!
//! A process that has left its group by `setsid` is not reached by killing the
//! group. Once [`adopt_orphans`] has been called, Linux makes it a child of ours
//! when the process that started it is gone; it is known by a variable in its
//! environment, which children inherit.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, waitid};

/// The variable that marks a program and all that it starts.
pub(super) const MARK: &str = "LEITAI_PROGRAM";

/// Generations of a family that are looked for: a child of a child of a child...
const GENERATIONS: usize = 32;

/// How long the end of what has been killed may take.
pub(super) const DEATH: Duration = Duration::from_secs(5);

static ADOPTING: AtomicBool = AtomicBool::new(false);

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
pub(super) fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}.{number}", getpid())
}

/// Takes note of the end of all in the group, which have been killed, and ends
/// what has left it.
pub(super) fn end_kin(group: Pid, mark: &str) {
    if !ADOPTING.load(Ordering::Relaxed) {
        return;
    }
    // Whoever was in the group is a child of ours by now, or will be.
    while ends(&WaitId::Pgid(Some(group))) {}
    let mark = format!("{MARK}={mark}");
    for _ in 0..GENERATIONS {
        let kin: Vec<Pid> = children().filter(|&pid| bears(pid, &mark)).collect();
        for &pid in &kin {
            let _ = kill_process(pid, Signal::KILL);
            ends(&WaitId::Pid(pid));
        }
        if kin.is_empty() {
            break;
        }
    }
}

/// Waits for the end of a child that has been killed; false if there is none, or
/// it was beyond our power.
fn ends(child: &WaitId<'_>) -> bool {
    let until = Instant::now() + DEATH;
    loop {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        match waitid(child.clone(), look) {
            Ok(Some(_)) => return true,
            Err(_) => return false,
            Ok(None) if Instant::now() >= until => return false,
            Ok(None) => thread::sleep(Duration::from_micros(200)),
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
    let is_zombie = || {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // `PID (NAME) STATE PARENT GROUP SESSION ...`; the name may hold anything.
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_whitespace();
        let state = fields.next()?;
        let session: i32 = fields.nth(2)?.parse().ok()?;
        let ours = rustix::process::getsid(None).ok()?;
        Some(state == "Z" && session != ours.as_raw_nonzero().get())
    };
    is_zombie() == Some(true)
        && waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOHANG,
        )
        .is_ok()
}

fn bears(pid: Pid, mark: &str) -> bool {
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
        environment
            .split(|&byte| byte == 0)
            .any(|entry| entry == mark.as_bytes())
    })
}
