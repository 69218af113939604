//! The files of a record: where its name leads, and what SQLite keeps beside it.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Most links from one name to the next that are followed to a file that is not
/// there yet, as the system follows them.
const MOST_LINKS: u32 = 40;

/// What SQLite adds to a name for the log, the index of the log, and the journal.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Where the name of a file leads, whether the file is there or not.
///
/// # Errors
/// Its folder is not there, or is none; or its links lead in a circle.
pub fn resolve(file: &Path) -> io::Result<PathBuf> {
    if let Ok(found) = file.canonicalize() {
        return Ok(found);
    }
    let mut file = file.to_owned();
    for _ in 0..MOST_LINKS {
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
    Err(io::Error::other("its links lead in a circle"))
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// The file beside `path` whose name ends in `suffix`. SQLite puts it beside the file,
/// not beside a link to it.
pub(super) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let real = resolve(path).unwrap_or_else(|_| path.to_owned());
    with_ending(&real, suffix)
}

/// The files that SQLite may keep beside a record, whether they are there or not.
pub fn siblings(record: &Path) -> [PathBuf; 3] {
    BESIDE.map(|suffix| sibling(record, suffix))
}

/// The file that, by its name, this one would be a log, an index or a journal of.
pub fn main_of(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.as_bytes();
    let mut stems = BESIDE
        .iter()
        .filter_map(|suffix| name.strip_suffix(suffix.as_bytes()));
    let stem = stems.find(|stem| !stem.is_empty())?;
    Some(file.with_file_name(OsStr::from_bytes(stem)))
}

/// The name with something behind it.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Most copies of a file that are kept beside it.
const COPIES: u32 = 100;

/// The first name like that of a file that nothing has, for what cannot take its place:
/// NAME.saved, NAME.saved-2 and so on; `None` if there are too many.
pub fn free_beside(path: &Path) -> Option<PathBuf> {
    let mut names = (1..=COPIES).map(|number| match number {
        1 => with_ending(path, ".saved"),
        _ => with_ending(path, &format!(".saved-{number}")),
    });
    names.find(|name| fs::symlink_metadata(name).is_err())
}

/// Device and number of a file.
pub(super) type Id = (u64, u64);

pub(super) fn id(found: &Metadata) -> Id {
    (found.dev(), found.ino())
}

/// Other names of a file (hard links) in its folder.
pub(super) fn other_names(path: &Path, found: &Metadata) -> Vec<PathBuf> {
    let real = resolve(path).unwrap_or_else(|_| path.to_owned());
    let entries = fs::read_dir(folder_of(&real)).into_iter().flatten();
    let paths = entries.flatten().map(|entry| entry.path());
    let is_other = |other: &PathBuf| {
        *other != real && fs::symlink_metadata(other).is_ok_and(|it| id(&it) == id(found))
    };
    let mut names: Vec<PathBuf> = paths.filter(is_other).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

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

    #[test]
    fn other_names_of_a_file_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        fs::write(at("k"), "").unwrap();
        fs::write(at("other"), "").unwrap();
        symlink("k", at("soft")).unwrap();
        fs::hard_link(at("k"), at("hard")).unwrap();
        let found = fs::metadata(at("soft")).unwrap();
        assert_eq!(other_names(&at("soft"), &found), [at("hard")]);
    }
}
