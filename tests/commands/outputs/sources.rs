//! Places in the source that open files.

use std::fs;
use std::path::Path;

use crate::common::project;

/// Sources that open files, and the number of places in each. The door for writing is
/// `crates/session/src/output.rs` with `crates/platform/src/replacement.rs`; those for reading are
/// `crates/base/src/foreign/file.rs`, `src/cli/input.rs` and `crates/session/src/books/file.rs`, which
/// pass streams to the readers of `crates/interchange`. Others: the record, which is SQLite's;
/// dialogues, in new files of a folder that the door has prepared; digests and tables of endgames,
/// which are streamed; readers of binary formats, which read a passed stream to a limit; private and executable files and the kernel's files under `/proc` and `/sys`,
/// by the platform; files of a fleet, in a folder of its own.
const OPENS: &[(&str, &str, usize)] = &[
    ("crates/chess/src/tables/file.rs", "File::open", 2),
    ("crates/chess/src/tables/file.rs", "read_to_end", 1),
    ("src/cli/input.rs", "File::open", 1),
    ("crates/fleet/src/cache.rs", "File::open", 1),
    ("crates/fleet/src/cache.rs", "create_dir", 1),
    ("crates/fleet/src/cache.rs", "remove_file", 1),
    ("crates/fleet/src/files.rs", "read_to_end", 1),
    ("crates/fleet/src/storage.rs", "File::open", 1),
    ("crates/base/src/foreign/file.rs", "File::open", 1),
    ("crates/base/src/foreign/file.rs", "read_to_end", 1),
    ("crates/interchange/src/bytes.rs", "read_to_end", 1),
    ("crates/interchange/src/decoder.rs", "read_to_end", 3),
    ("crates/interchange/src/unpack.rs", "read_to_end", 1),
    ("crates/session/src/books/file.rs", "File::open", 1),
    ("crates/session/src/known.rs", "read_to_end", 1),
    ("crates/session/src/output.rs", "OpenOptions", 2),
    ("crates/session/src/output.rs", "set_len(", 1),
    ("crates/session/src/output.rs", "create_dir", 1),
    ("crates/session/src/output.rs", "fs::read(", 1),
    ("crates/session/src/output.rs", "read_to_end", 1),
    (
        "crates/players/src/player/external/dialogue.rs",
        "File::create",
        1,
    ),
    (
        "crates/players/src/player/external/dialogue.rs",
        "create_new",
        1,
    ),
    (
        "crates/players/src/player/external/identify.rs",
        "File::open",
        1,
    ),
    ("crates/platform/src/replacement.rs", "File::create", 1),
    ("crates/platform/src/replacement.rs", "File::open", 1),
    ("crates/platform/src/replacement.rs", "OpenOptions", 2),
    ("crates/platform/src/replacement.rs", "create_new", 1),
    ("crates/platform/src/replacement.rs", "remove_file", 4),
    ("crates/platform/src/replacement.rs", "set_permissions", 1),
    ("crates/platform/src/unix/children.rs", "read_to_string", 1),
    ("crates/platform/src/unix/files.rs", "OFlags", 8),
    ("crates/platform/src/unix/files.rs", "OpenOptions", 3),
    ("crates/platform/src/unix/files.rs", "create_new", 1),
    ("crates/platform/src/unix/files.rs", "fs::rename", 1),
    ("crates/platform/src/unix/files.rs", "set_permissions", 2),
    ("crates/platform/src/unix/memory.rs", "read_to_string", 3),
    ("crates/platform/src/unix/processes.rs", "fs::read(", 1),
    ("crates/platform/src/unix/processes.rs", "read_to_string", 3),
    (
        "crates/platform/src/unix/processors.rs",
        "read_to_string",
        1,
    ),
    ("crates/platform/src/windows/files.rs", "OpenOptions", 5),
    ("crates/platform/src/windows/files.rs", "create_dir", 1),
    ("crates/platform/src/windows/files.rs", "create_new", 1),
    ("crates/platform/src/windows/files.rs", "fs::rename", 1),
    ("src/cli/fastchess/record.rs", "fs::rename", 1),
    ("src/cli/fastchess/record.rs", "remove_file", 2),
    ("crates/runs/src/texel/positions.rs", "read_to_end", 1),
    ("crates/session/src/tune/warm/positions.rs", "File::open", 1),
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
    sources(&project("src"), &mut files);
    sources(&project("crates"), &mut files);
    assert!(files.len() > 100);
    files.sort();
    let mut found = Vec::new();
    for path in &files {
        let name = path.strip_prefix(project("")).unwrap().to_str().unwrap();
        if name.starts_with("crates/runs/src/store/")
            || name.ends_with("tests.rs")
            || name.contains("tests/")
        {
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
