//! Families of processes, on Linux; empty on other systems.

use std::fs;

use crate::player::external::proc::{ProcessStat, marks};

/// A program with all its descendants: its process group, and processes that have left the group
/// while their parent still runs.
pub(super) fn family(id: u32) -> Vec<ProcessStat> {
    let all = ProcessStat::all();
    let mut family: Vec<ProcessStat> = Vec::new();
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

/// All processes with the marks: a program's children inherit them in any group and with any
/// parent, and may append their own.
pub(super) fn marked(wanted: &str) -> Vec<ProcessStat> {
    let mut all = ProcessStat::all();
    all.retain(|process| {
        let marks = marks(process.id).unwrap_or_default();
        let added = marks.strip_prefix(wanted);
        added.is_some_and(|added| added.is_empty() || added.starts_with(' '))
    });
    all
}

/// Members of a family that still run.
pub(super) fn still_running(family: &[ProcessStat]) -> Vec<u32> {
    let runs = |process: &&ProcessStat| {
        let now = ProcessStat::read(process.id);
        now.is_some_and(|now| now.started == process.started && !now.is_zombie)
    };
    let running = family.iter().filter(runs);
    running.map(|process| process.id).collect()
}

/// Resident memory of a family in KiB; `None` if the system does not report it.
pub(super) fn resident_kib(family: &[ProcessStat]) -> Option<u64> {
    let sizes = family.iter().filter_map(|process| {
        let status = fs::read_to_string(format!("/proc/{}/status", process.id)).ok()?;
        let mut lines = status.lines();
        let line = lines.find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    sizes.reduce(u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn marked_processes_are_found() {
        let value = format!("test.{}", std::process::id());
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .env(crate::player::PROGRAM_MARK, &value)
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
