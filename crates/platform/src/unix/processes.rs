//! Other processes: their state from `/proc` on Linux (nothing on other systems), their end, and
//! the program of this process.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, setpriority_process, test_kill_process};

use super::children::PROGRAM_MARK;
pub use crate::shared::Priority;

/// The state of a process; its start time distinguishes it from a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessInfo {
    id: u32,
    /// True if the process has ended and was not waited for.
    pub(super) is_zombie: bool,
    parent: u32,
    group: u32,
    /// 0 if the leader of the session is outside of our PID namespace, which happens in containers;
    /// the types of `getsid` cannot represent that.
    pub(super) session: i32,
    started: u64,
}

impl ProcessInfo {
    /// Reads the state of the process with this ID, or of `self`.
    pub(super) fn read(process: impl Display) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
    }

    /// Parses `/proc/ID/stat`; see proc(5). The name, in brackets, may contain any character.
    fn parse(stat: &str) -> Option<Self> {
        let (id, _) = stat.split_once(' ')?;
        let (_, rest) = stat.rsplit_once(')')?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        Some(Self {
            id: id.parse().ok()?,
            is_zombie: matches!(*words.first()?, "Z" | "X"),
            parent: words.get(1)?.parse().ok()?,
            group: words.get(2)?.parse().ok()?,
            session: words.get(3)?.parse().ok()?,
            started: words.get(19)?.parse().ok()?,
        })
    }

    /// All processes.
    fn all() -> Vec<Self> {
        let entries = fs::read_dir("/proc").into_iter().flatten();
        let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        ids.filter_map(|id: u32| Self::read(id)).collect()
    }
}

/// Sets the scheduling priority of this process, and of programs that it starts later. On Linux, of
/// the calling thread and of those that it starts later.
///
/// # Errors
/// The system refuses it.
pub fn set_priority(priority: Priority) -> io::Result<()> {
    let nice = match priority {
        Priority::Low => 10,
        Priority::Normal => 0,
        Priority::High => -10,
    };
    Ok(setpriority_process(None, nice)?)
}

/// A program with all its descendants: its process group, and processes that have left the group
/// while their parent still runs.
pub fn family(id: u32) -> Vec<ProcessInfo> {
    let (mut all, mut family) = (ProcessInfo::all(), Vec::<ProcessInfo>::new());
    loop {
        let is_child = |it: &ProcessInfo| family.iter().any(|known| known.id == it.parent);
        let belongs = |it: &mut ProcessInfo| it.id == id || it.group == id || is_child(it);
        let found: Vec<ProcessInfo> = all.extract_if(.., belongs).collect();
        if found.is_empty() {
            return family;
        }
        family.extend(found);
    }
}

/// All processes with the marks: a program's children inherit them in any group and with any
/// parent, and may append their own.
pub fn marked(wanted: &str) -> Vec<ProcessInfo> {
    let mut all = ProcessInfo::all();
    all.retain(|process| {
        let marks = marks(process.id).unwrap_or_default();
        let added = marks.strip_prefix(wanted);
        added.is_some_and(|added| added.is_empty() || added.starts_with(' '))
    });
    all
}

/// The marks in the environment of a process; empty without marks, and `None` if the environment is
/// unknown, as during `exec`.
pub fn marks(process: impl Display) -> Option<String> {
    let environment = fs::read(format!("/proc/{process}/environ")).ok()?;
    let mut entries = environment.split(|&byte| byte == 0);
    let marks = entries.find_map(|entry| {
        let (name, marks) = str::from_utf8(entry).ok()?.split_once('=')?;
        (name == PROGRAM_MARK).then(|| marks.to_owned())
    });
    (!environment.is_empty()).then(|| marks.unwrap_or_default())
}

/// Members of a family that still run.
pub fn still_running(family: &[ProcessInfo]) -> Vec<u32> {
    let running = family.iter().filter(|it| !has_ended(it.id, it.started));
    running.map(|process| process.id).collect()
}

/// Resident memory of a family in KiB; `None` if the system does not report it.
pub fn resident_kib(family: &[ProcessInfo]) -> Option<u64> {
    let path = |process: &ProcessInfo| format!("/proc/{}/status", process.id);
    let sizes = family.iter().filter_map(|it| kib(&path(it), "VmRSS:"));
    sizes.reduce(u64::saturating_add)
}

/// The value of a line `NAME: NUMBER kB` of a file under `/proc`.
pub(super) fn kib(path: &str, name: &str) -> Option<u64> {
    let value = value(path, name)?;
    value.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The value of a line `NAME: VALUE` of a file under `/proc`.
pub(super) fn value(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines()
        .find_map(|line| line.strip_prefix(name))
        .map(str::to_owned)
}

/// The scope of process numbers: the machine since its start, and the namespace. Empty parts if the
/// system does not report them.
pub fn scope() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{}/{}", boot.trim(), space.to_str().unwrap_or_default())
}

/// The start time of a process, in a unit of the system; `None` if unknown.
pub fn start_time(id: u32) -> Option<u64> {
    ProcessInfo::read(id).map(|process| process.started)
}

/// Returns whether the process with this number and start time, in this [`scope`], is known to have
/// ended.
pub fn has_ended(id: u32, started: u64) -> bool {
    if let Some(now) = ProcessInfo::read(id) {
        return now.is_zombie || now.started != started;
    }
    // The processes of other users may be hidden in `/proc`.
    let id = i32::try_from(id).ok().and_then(Pid::from_raw);
    id.is_some_and(|id| test_kill_process(id) == Err(Errno::SRCH))
}

/// Keeps the terminal's signals from the program that the command starts.
pub fn detach(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Asks a detached program to end.
pub fn terminate(child: &Child) {
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
}

/// Passes a stop request on to a program that is not detached.
pub fn pass_stop_on(child: &Child) {
    terminate(child);
}

/// The system's shell with a command line.
pub fn shell(line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line);
    shell
}

/// Continues as another program, with the arguments of this process. Returns only on failure.
pub fn execute(program: &OsStr) {
    let mut words = std::env::args_os();
    let mut command = Command::new(program);
    if let Some(name) = words.next() {
        command.arg0(name);
    }
    let _ = command.args(words).exec();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let rest = "1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 0";
        let process = ProcessInfo::parse(&format!("9 (a) R 3 (b) S {rest}")).unwrap();
        assert_eq!((process.id, process.parent, process.group), (9, 1, 7));
        assert_eq!((process.started, process.is_zombie), (12_345, false));
        let zombie = ProcessInfo::parse(&format!("9 (x) Z {rest}")).unwrap();
        assert!(zombie.is_zombie);
        assert_eq!(ProcessInfo::parse("9 (x) S 1"), None);
        assert_eq!(ProcessInfo::parse(""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn marked_processes_are_found() {
        let value = format!("test.{}", std::process::id());
        let mut child = Command::new("sleep")
            .arg("60")
            .env(PROGRAM_MARK, &value)
            .spawn()
            .unwrap();
        let mut found = Vec::new();
        // The environment is the new one only after `exec`.
        for _ in 0..200 {
            found = marked(&value);
            if !found.is_empty() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(marks(child.id()), Some(value.clone()));
        assert_eq!(still_running(&found), [child.id()]);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(marked(&value).is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_belongs_to_the_family_until_it_is_gone() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let family = family(std::process::id());
        assert!(family.iter().any(|process| process.id == child.id()));
        assert!(resident_kib(&family) > Some(0));
        assert!(still_running(&family).contains(&child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!still_running(&family).contains(&child.id()));
    }
}
