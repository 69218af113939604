//! Places in the source that open files.

use std::fs;
use std::path::Path;

use crate::common::project;

/// Places that open files, with their number of calls. Writing goes through `src/output.rs` and its
/// folder, reading through `core/src/foreign/file.rs` and `src/cli/input.rs`. The exceptions: the
/// record, which SQLite opens; dialogues with programs, in new files of a folder that the output
/// module has prepared; digests and endgame tables, which are streamed; the token of a server,
/// which only its owner may read; files of a fleet, in a separate folder; and kernel data under
/// `/proc` and `/sys`.
const OPENS: &[(&str, &str, usize)] = &[
    ("cli/demo.rs", "create_dir", 1),
    ("cli/input.rs", "File::open", 1),
    ("cli/listening.rs", "OpenOptions", 3),
    ("cli/listening.rs", "create_new", 1),
    ("cli/rate.rs", "File::open", 1),
    ("signals.rs", "read_to_string", 1),
    ("doctor/processes.rs", "fs::read(", 1),
    ("doctor/processes.rs", "read_to_string", 2),
    ("fleet/coordinator.rs", "File::open", 1),
    ("fleet/files.rs", "File::open", 1),
    ("fleet/files.rs", "read_to_end", 1),
    ("fleet/files.rs", "remove_file", 1),
    ("fleet/files.rs", "set_permissions", 1),
    ("foreign/file.rs", "File::open", 1),
    ("foreign/file.rs", "read_to_end", 1),
    ("games/chess/tables/check.rs", "File::open", 1),
    ("output.rs", "OpenOptions", 3),
    ("output.rs", "set_len(", 1),
    ("output.rs", "create_dir", 1),
    ("output.rs", "fs::read(", 1),
    ("output.rs", "read_to_end", 1),
    ("output/replacement.rs", "File::create", 1),
    ("output/replacement.rs", "File::open", 1),
    ("output/replacement.rs", "OpenOptions", 2),
    ("output/replacement.rs", "create_new", 1),
    ("output/replacement.rs", "fs::rename", 1),
    ("output/replacement.rs", "remove_file", 3),
    ("output/replacement.rs", "set_permissions", 2),
    ("output/system.rs", "OFlags", 5),
    ("play/cores.rs", "read_to_string", 1),
    ("player/external/dialogue.rs", "File::create", 1),
    ("player/external/dialogue.rs", "create_new", 1),
    ("player/external/identify.rs", "File::open", 1),
    ("player/external/descendants.rs", "fs::read(", 1),
    ("player/external/descendants.rs", "read_to_string", 2),
    ("session/memory.rs", "read_to_string", 1),
];

#[test]
fn no_command_opens_a_file_elsewhere() {
    fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                found.push(path);
            }
        }
    }
    let mut files = Vec::new();
    let folders = ["src", "core/src"].map(project);
    for folder in &folders {
        sources(folder, &mut files);
    }
    assert!(files.len() > 100);
    files.sort();
    let mut found = Vec::new();
    for path in &files {
        let within = |folder| path.strip_prefix(folder).ok();
        let name = folders.iter().find_map(within).unwrap().to_str().unwrap();
        if name.starts_with("store/") || name.ends_with("tests.rs") || name.contains("tests/") {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let code: Vec<&str> = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        for opens in [
            "File::create",
            "File::open",
            "File::options",
            "OpenOptions",
            "create_new",
            "create_dir",
            "fs::write",
            "fs::read(",
            "fs::rename",
            "fs::copy",
            "hard_link",
            "symlink(",
            "set_len(",
            "remove_file",
            "set_permissions",
            "read_to_string",
            "read_to_end",
            "OFlags",
        ] {
            let times: usize = code.iter().map(|line| line.matches(opens).count()).sum();
            if times > 0 {
                found.push((name, opens, times));
            }
        }
    }
    found.sort_unstable();
    let names = found
        .iter()
        .map(|&(name, opens, times)| (name, opens, times));
    let wanted: std::collections::BTreeSet<_> = OPENS.iter().copied().collect();
    let found: std::collections::BTreeSet<_> = names.collect();
    let elsewhere: Vec<_> = found.difference(&wanted).collect();
    assert!(
        elsewhere.is_empty(),
        "files are opened elsewhere: {elsewhere:?}"
    );
    let gone: Vec<_> = wanted.difference(&found).collect();
    assert!(gone.is_empty(), "no longer there: {gone:?}");
}
