//! Information about processes from `/proc` on Linux; empty on other systems.

use std::fs;

use crate::player::PROGRAM_MARK;

/// A process; its start time distinguishes it from a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    id: u32,
    parent: u32,
    group: u32,
    started: u64,
    is_over: bool,
}

/// All processes.
fn all() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers.filter_map(read).collect()
}

fn read(id: u32) -> Option<Process> {
    parse(id, &fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
}

/// Parses `/proc/ID/stat`; see proc(5). The name, in brackets, may contain any character.
fn parse(id: u32, stat: &str) -> Option<Process> {
    let (_, rest) = stat.rsplit_once(')')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    Some(Process {
        id,
        is_over: matches!(*words.first()?, "Z" | "X"),
        parent: words.get(1)?.parse().ok()?,
        group: words.get(2)?.parse().ok()?,
        started: words.get(19)?.parse().ok()?,
    })
}

/// A program with all its descendants: its process group, and processes that have left the group
/// while their parent still runs.
pub(super) fn family(id: u32) -> Vec<Process> {
    let all = all();
    let mut family: Vec<Process> = Vec::new();
    loop {
        let size = family.len();
        for process in &all {
            let belongs = process.id == id
                || process.group == id
                || family.iter().any(|known| known.id == process.parent);
            if belongs && !family.contains(process) {
                family.push(*process);
            }
        }
        if family.len() == size {
            return family;
        }
    }
}

/// The mark in the environment of a program; `None` if the system does not report it.
pub(super) fn mark(id: u32) -> Option<Vec<u8>> {
    let environment = fs::read(format!("/proc/{id}/environ")).ok()?;
    let mut entries = environment.split(|&byte| byte == 0);
    let is_mark = |entry: &&[u8]| {
        let value = entry.strip_prefix(PROGRAM_MARK.as_bytes());
        value.is_some_and(|value| value.starts_with(b"="))
    };
    entries.find(is_mark).map(<[u8]>::to_vec)
}

/// All processes with the mark: a program's children inherit it in any group and with any parent,
/// and may append their own.
pub(super) fn marked(wanted: &[u8]) -> Vec<Process> {
    let is_wanted = |mark: Vec<u8>| {
        let more = mark.strip_prefix(wanted);
        more.is_some_and(|more| matches!(more.first(), None | Some(b' ')))
    };
    let mut all = all();
    all.retain(|process| mark(process.id).is_some_and(is_wanted));
    all
}

/// Members of a family that still run.
pub(super) fn still_running(family: &[Process]) -> Vec<u32> {
    let runs = |process: &&Process| {
        let now = read(process.id);
        now.is_some_and(|now| now.started == process.started && !now.is_over)
    };
    family
        .iter()
        .filter(runs)
        .map(|process| process.id)
        .collect()
}

/// Resident memory of a family in KiB; `None` if the system does not report it.
pub(super) fn resident_kib(family: &[Process]) -> Option<u64> {
    let sizes = family.iter().filter_map(|process| {
        let status = fs::read_to_string(format!("/proc/{}/status", process.id)).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    sizes.reduce(u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let rest = "1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 0";
        let process = parse(9, &format!("9 (a) R 3 (b) S {rest}")).unwrap();
        assert_eq!((process.parent, process.group), (1, 7));
        assert_eq!((process.started, process.is_over), (12_345, false));
        assert!(parse(9, &format!("9 (x) Z {rest}")).unwrap().is_over);
        assert_eq!(parse(9, "9 (x) S 1"), None);
        assert_eq!(parse(9, ""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn whoever_bears_the_mark_is_found() {
        let value = format!("test.{}", std::process::id());
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .env(PROGRAM_MARK, &value)
            .spawn()
            .unwrap();
        let wanted = format!("{PROGRAM_MARK}={value}").into_bytes();
        let mut found = Vec::new();
        // The environment is the new one only after `exec`.
        for _ in 0..200 {
            found = marked(&wanted);
            if !found.is_empty() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(mark(child.id()), Some(wanted.clone()));
        assert_eq!(still_running(&found), [child.id()]);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(marked(&wanted).is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_belongs_to_the_family_until_it_is_gone() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let family = family(std::process::id());
        assert!(family.iter().any(|process| process.id == child.id()));
        assert!(resident_kib(&family) > Some(0));
        assert!(still_running(&family).contains(&child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!still_running(&family).contains(&child.id()));
    }
}
