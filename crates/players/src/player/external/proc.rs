//! Information about processes from `/proc` on Linux; none on other systems.

use std::fmt::Display;
use std::fs;

use super::PROGRAM_MARK;

/// The state of a process; its start time distinguishes it from a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessStat {
    pub(crate) id: u32,
    /// True if the process has ended and was not waited for.
    pub(crate) is_zombie: bool,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    /// 0 if the leader of the session is outside of our PID namespace, which happens in containers;
    /// the types of `getsid` cannot represent that.
    pub(crate) session: i32,
    pub(crate) started: u64,
}

impl ProcessStat {
    /// Reads the state of the process with this ID, or of `self`.
    pub(crate) fn read(process: impl Display) -> Option<Self> {
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
    pub(crate) fn all() -> Vec<Self> {
        let entries = fs::read_dir("/proc").into_iter().flatten();
        let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        ids.filter_map(|id: u32| Self::read(id)).collect()
    }
}

/// The marks in the environment of a process; empty without marks, and `None` if the environment is
/// unknown, as during `exec`.
pub(crate) fn marks(process: impl Display) -> Option<String> {
    let environment = fs::read(format!("/proc/{process}/environ")).ok()?;
    let mut entries = environment.split(|&byte| byte == 0);
    let marks = entries.find_map(|entry| {
        let (name, marks) = str::from_utf8(entry).ok()?.split_once('=')?;
        (name == PROGRAM_MARK).then(|| marks.to_owned())
    });
    (!environment.is_empty()).then(|| marks.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let rest = "1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 0";
        let process = ProcessStat::parse(&format!("9 (a) R 3 (b) S {rest}")).unwrap();
        assert_eq!((process.id, process.parent, process.group), (9, 1, 7));
        assert_eq!((process.started, process.is_zombie), (12_345, false));
        let zombie = ProcessStat::parse(&format!("9 (x) Z {rest}")).unwrap();
        assert!(zombie.is_zombie);
        assert_eq!(ProcessStat::parse("9 (x) S 1"), None);
        assert_eq!(ProcessStat::parse(""), None);
    }
}
