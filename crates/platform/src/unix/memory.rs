//! Memory of the machine, within the limits of control groups.

use std::fs;
use std::path::{Path, PathBuf};

use super::processes::kib;

/// The free memory in MiB, if the system reports it.
pub fn available_mib() -> Option<u64> {
    let machine = kib("/proc/meminfo", "MemAvailable:")? / 1024;
    let groups = groups().into_iter().filter_map(|group| group.free());
    Some(groups.map(mib).fold(machine, u64::min))
}

/// The memory in MiB that this process can have at most, if the system reports it.
pub fn total_mib() -> Option<u64> {
    let machine = kib("/proc/meminfo", "MemTotal:")? / 1024;
    let groups = groups().into_iter().filter_map(|group| group.limit());
    Some(groups.map(mib).fold(machine, u64::min))
}

fn mib(bytes: u64) -> u64 {
    bytes >> 20
}

/// A control group.
#[derive(Debug, PartialEq, Eq)]
struct Group {
    folder: PathBuf,
    /// The files of its limit and of its use, and the pages in `memory.stat` that can be freed.
    names: [&'static str; 3],
}

/// The names of version 1, and of version 2.
const NAMES: [[&str; 3]; 2] = [
    [
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "total_inactive_file ",
    ],
    ["memory.max", "memory.current", "inactive_file "],
];

impl Group {
    fn number(&self, name: &str) -> Option<u64> {
        let text = fs::read_to_string(self.folder.join(name)).ok()?;
        text.trim().parse().ok()
    }

    /// The limit in bytes, if it has one.
    fn limit(&self) -> Option<u64> {
        self.number(self.names[0])
    }

    /// The free part of the limit in bytes.
    fn free(&self) -> Option<u64> {
        let [limit, used, cache] = self.names;
        let stat = fs::read_to_string(self.folder.join("memory.stat")).ok()?;
        let cache = stat.lines().find_map(|line| line.strip_prefix(cache));
        let cache = cache.and_then(|cache| cache.parse().ok());
        let used = self.number(used)?.saturating_sub(cache.unwrap_or(0));
        Some(self.number(limit)?.saturating_sub(used))
    }
}

/// The groups of this process that may limit memory.
fn groups() -> Vec<Group> {
    groups_of(&fs::read_to_string("/proc/self/cgroup").unwrap_or_default())
}

/// The groups of a process by its `/proc/ID/cgroup`: its own and all around it.
fn groups_of(text: &str) -> Vec<Group> {
    let of_line = |line: &str| -> Option<Vec<Group>> {
        let mut words = line.splitn(3, ':').skip(1);
        let (root, names) = match words.next()? {
            "" => ("/sys/fs/cgroup", NAMES[1]),
            kinds if kinds.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", NAMES[0])
            }
            _ => return None,
        };
        let own = Path::new(words.next()?.trim_start_matches('/'));
        let folders = own.ancestors().map(|around| Path::new(root).join(around));
        Some(folders.map(|folder| Group { folder, names }).collect())
    };
    text.lines().filter_map(of_line).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_both_versions_and_all_around_them_count() {
        let folders = |text: &str| -> Vec<String> {
            let groups = groups_of(text).into_iter();
            groups
                .map(|it| it.folder.join(it.names[0]).to_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(
            folders("12:cpu,memory:/docker/7f\n3:cpuset:/\n"),
            [
                "/sys/fs/cgroup/memory/docker/7f/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            ]
        );
        let two = folders("0::/user.slice\n");
        assert_eq!(
            two,
            [
                "/sys/fs/cgroup/user.slice/memory.max",
                "/sys/fs/cgroup/memory.max"
            ]
        );
    }

    #[test]
    fn a_limit_and_its_use_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let group = Group {
            folder: folder.path().to_owned(),
            names: NAMES[1],
        };
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        write("memory.stat", "anon 5\ninactive_file 200\n");
        assert_eq!((group.limit(), group.free()), (None, None));
        write("memory.max", "1000\n");
        assert_eq!((group.limit(), group.free()), (Some(1000), Some(500)));
        let (free, total) = (available_mib(), total_mib());
        assert!(free <= total, "{free:?} of {total:?}");
    }
}
