//! Path resolution of a record, and the files that SQLite keeps next to it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use leitai_platform::files::{FileId, FileStatus, strip_ending};

/// Greatest number of symbolic links that are followed to a file that does not exist yet, as in the
/// operating system.
const MAX_LINKS: u32 = 40;

/// SQLite's suffixes for the log, the index of the log, and the journal.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Resolves a path, even if the file does not exist.
///
/// # Errors
/// Its parent does not exist or is not a directory; or its links form a cycle.
pub fn resolve(file: &Path) -> io::Result<PathBuf> {
    if let Ok(found) = file.canonicalize() {
        return Ok(found);
    }
    let mut file = file.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&file) else {
            let name = file.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
            let folder = folder_of(&file).canonicalize()?;
            if !folder.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            return Ok(folder.join(name));
        };
        file = folder_of(&file).join(next);
    }
    Err(io::Error::other("its symbolic links form a cycle"))
}

/// Returns the directory of a file.
fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Returns the path next to `path` with that suffix. SQLite puts it next to the file, not next to a
/// link to the file.
pub(super) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let real = resolve(path).unwrap_or_else(|_| path.to_owned());
    with_ending(&real, suffix)
}

/// Returns the files that SQLite may keep next to a record, whether they exist or not.
pub fn siblings(record: &Path) -> [PathBuf; 3] {
    BESIDE.map(|suffix| sibling(record, suffix))
}

/// Returns the file whose log, index or journal this one is, according to its name.
pub fn main_of(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?;
    let mut stems = BESIDE
        .iter()
        .filter_map(|suffix| strip_ending(name, suffix));
    let stem = stems.find(|stem| !stem.is_empty())?;
    Some(file.with_file_name(stem))
}

/// Appends an ending to the path.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Greatest number of copies of a file in its directory.
const COPIES: u32 = 100;

/// Returns the first unused name for a saved copy of a file: NAME.saved, NAME.saved-2 and so on;
/// `None` if there are too many.
pub fn unused_copy_path(path: &Path) -> Option<PathBuf> {
    let mut names = (1..=COPIES).map(|number| match number {
        1 => with_ending(path, ".saved"),
        _ => with_ending(path, &format!(".saved-{number}")),
    });
    let is_there = |name: &Path| fs::symlink_metadata(name).is_ok();
    names.find(|name| !is_there(name) && !siblings(name).iter().any(|it| is_there(it)))
}

/// Returns other names of a file (hard links) in its directory.
pub(super) fn other_names(path: &Path, id: FileId) -> Vec<PathBuf> {
    let real = resolve(path).unwrap_or_else(|_| path.to_owned());
    let entries = fs::read_dir(folder_of(&real)).into_iter().flatten();
    let paths = entries.flatten().map(|entry| entry.path());
    let is_other = |other: &PathBuf| {
        let is_same = FileStatus::of(other).is_ok_and(|found| found.id == id);
        *other != real && !other.is_symlink() && is_same
    };
    let mut names: Vec<PathBuf> = paths.filter(is_other).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::symlink;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn siblings_stand_beside_the_file_and_not_beside_a_link_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        let at = |name: &str| real.join(name);
        fs::create_dir(at("deep")).unwrap();
        symlink("deep", at("folder")).unwrap();
        symlink("folder/k", at("link")).unwrap();
        let expected = ["k-wal", "k-shm", "k-journal"].map(|name| at("deep").join(name));
        for is_there in [false, true] {
            for name in ["deep/k", "folder/k", "link", "deep/../link"] {
                assert_eq!(siblings(&at(name)), expected, "{name}, {is_there}");
            }
            fs::write(at("deep/k"), "").unwrap();
        }
    }

    #[test]
    fn a_name_may_be_that_of_a_log() {
        for (name, main) in [
            ("a/k.sqlite-wal", Some("a/k.sqlite")),
            ("k-shm", Some("k")),
            ("k-journal", Some("k")),
            ("-wal", None),
            ("k-wal.pgn", None),
            ("a-wal/k", None),
        ] {
            assert_eq!(main_of(Path::new(name)), main.map(PathBuf::from), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn other_names_of_a_file_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        fs::write(at("k"), "").unwrap();
        fs::write(at("other"), "").unwrap();
        symlink("k", at("soft")).unwrap();
        fs::hard_link(at("k"), at("hard")).unwrap();
        let found = FileStatus::of(&at("soft")).unwrap();
        assert_eq!(other_names(&at("soft"), found.id), [at("hard")]);
    }
}
