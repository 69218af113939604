//! Other processes: their state and their end, and the program of this process.

use std::ffi::OsStr;
use std::os::windows::process::CommandExt as _;
use std::process::{Child, Command};

use super::api::{self, Process};
use super::children::members;
use super::machine::host_name;
pub use crate::shared::Priority;

/// A process; its start time distinguishes it from a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessInfo {
    id: u32,
    started: u64,
}

/// A program with all its descendants: the processes in its job.
pub fn family(id: u32) -> Vec<ProcessInfo> {
    let ids = members(id).unwrap_or_default().into_iter();
    let found = ids.filter_map(|id| {
        let started = start_time(id)?;
        Some(ProcessInfo { id, started })
    });
    found.collect()
}

/// All processes with the marks of [`marks`].
pub fn marked(wanted: &str) -> Vec<ProcessInfo> {
    wanted.parse().map(family).unwrap_or_default()
}

/// The marks of a running program: its process number.
pub fn marks(process: u32) -> Option<String> {
    members(process).map(|_| process.to_string())
}

/// Sets the scheduling priority of this process, and of programs that it starts later.
///
/// # Errors
/// The system refuses it.
pub fn set_priority(priority: Priority) -> std::io::Result<()> {
    api::set_priority(priority)
}

/// Members of a family that still run.
pub fn still_running(family: &[ProcessInfo]) -> Vec<u32> {
    let running = family.iter().filter(|it| !has_ended(it.id, it.started));
    running.map(|process| process.id).collect()
}

/// Resident memory of a family in KiB; `None` if the system does not report it.
pub fn resident_kib(family: &[ProcessInfo]) -> Option<u64> {
    let sizes = family
        .iter()
        .filter_map(|it| Process::open(it.id).ok()?.resident_bytes());
    sizes.reduce(u64::saturating_add).map(|bytes| bytes / 1024)
}

/// The scope of process numbers: the machine. It needs no part for the machine's start, because start
/// times are dates.
pub fn scope() -> String {
    format!("windows/{}", host_name())
}

/// The start time of a process, in a unit of the system; `None` if unknown.
pub fn start_time(id: u32) -> Option<u64> {
    Process::open(id).ok()?.start_time()
}

/// Returns whether the process with this number and start time, in this [`scope`], is known to have
/// ended.
pub fn has_ended(id: u32, started: u64) -> bool {
    match Process::open(id) {
        Ok(process) => process.has_ended() || process.start_time() != Some(started),
        Err(error) => api::means_no_process(&error),
    }
}

/// Keeps the terminal's signals from the program that the command starts.
pub fn detach(command: &mut Command) -> &mut Command {
    command.creation_flags(api::NEW_GROUP)
}

/// Asks a detached program to end.
pub fn terminate(child: &Child) {
    api::send_break(child.id());
}

/// Does nothing: the console already sends its events to all programs that are not detached, and an
/// event for one of them would reach all again.
pub fn pass_stop_on(_child: &Child) {}

/// The system's shell with a command line.
pub fn shell(line: &str) -> Command {
    let mut shell = Command::new("cmd");
    // With `/s` the shell removes only these outer quotes.
    shell.args(["/s", "/c"]).raw_arg(format!("\"{line}\""));
    shell
}

/// Runs another program with the arguments of this process, and ends with its exit status. Returns
/// only on failure.
pub fn execute(program: &OsStr) {
    super::children::adopt_orphans();
    // The other program handles Ctrl-C and Ctrl-Break.
    let _ = api::handle_console_events(|_| ());
    let status = Command::new(program)
        .args(std::env::args_os().skip(1))
        .status();
    if let Some(code) = status.ok().and_then(|status| status.code()) {
        api::exit(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_shell_keeps_its_quotes() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a b.cmd"), "@echo %*").unwrap();
        for line in ["\"a b\" \"c d\"", "\"a b.cmd\" \"c d\"", "echo \"c d\""] {
            let output = shell(line).current_dir(&folder).output().unwrap();
            assert_eq!(output.stdout.trim_ascii(), b"\"c d\"", "{line}");
        }
    }

    #[test]
    fn a_process_runs_until_it_is_killed() {
        let mut child = Command::new("cmd")
            .args(["/c", "pause"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let started = start_time(child.id()).unwrap();
        assert!(!has_ended(child.id(), started));
        assert!(has_ended(child.id(), started + 1));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(has_ended(child.id(), started));
    }
}
