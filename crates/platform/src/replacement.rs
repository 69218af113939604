//! Atomic replacement of files.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf, absolute};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, TempPath};

use crate::files::{FileStatus, make_private, replace};

/// Beginning and end of the names of temporary files.
const PREFIX: &str = ".leitai-";
const SUFFIX: &str = ".tmp";
/// SQLite's ending of a journal.
const JOURNAL: &str = "-journal";

/// Temporary files of this process, including removed ones.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn temporary_files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files and blocks the creation and renaming of others, for a process that
/// exits immediately.
pub fn remove_temporary_files() {
    let files = temporary_files();
    for file in files.iter() {
        let _ = fs::remove_file(file);
        remove_journal(file);
    }
    std::mem::forget(files);
}

/// A temporary file in the folder of its target. It is removed if it is dropped before it is
/// finished.
#[derive(Debug)]
pub struct Replacement {
    /// The temporary file.
    pub out: BufWriter<File>,
    temporary: TempPath,
    /// The path that the file gets at the end.
    pub target: PathBuf,
}

impl Replacement {
    /// Creates a temporary file for `path`, which is a regular file or does not exist.
    ///
    /// # Errors
    /// The directory refuses new files, or the file may not be written.
    pub fn of(path: &Path) -> io::Result<Self> {
        // Of a symbolic link, the target is replaced and not the link.
        let former = path.canonicalize().ok();
        // A file without write permission must not be replaced either.
        let permissions = |former: &PathBuf| {
            let file = OpenOptions::new().write(true).open(former)?;
            Ok::<_, io::Error>(file.metadata()?.permissions())
        };
        let permissions = former.as_ref().map(permissions).transpose()?;
        let target = former.map_or_else(|| absolute(path), Ok)?;
        let (file, temporary) = create(target.parent().unwrap_or(Path::new("")))?.into_parts();
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        Ok(Self {
            out: BufWriter::new(file),
            temporary,
            target,
        })
    }

    /// Lets `write` fill the file under its temporary name.
    ///
    /// # Errors
    /// The system refuses to unlock the file.
    pub fn fill<T>(&self, write: impl FnOnce(&Path) -> T) -> io::Result<T> {
        // A lock of Windows keeps out all other writers. There an open file cannot be removed.
        if cfg!(windows) {
            self.out.get_ref().unlock()?;
        }
        Ok(write(&self.temporary))
    }

    /// Lets only the owner read the file, also under its final name.
    ///
    /// # Errors
    /// The system refuses.
    pub fn make_private(&self) -> io::Result<()> {
        make_private(&self.temporary)
    }

    /// Renames the file to its target.
    ///
    /// # Errors
    /// The file cannot be written or renamed; the former file is unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_all()?;
        let _blocks_removal = temporary_files();
        replace(&self.temporary, &self.target)?;
        self.temporary.disable_cleanup(true);
        Ok(())
    }
}

/// Creates a file with an unused name, locked while it is open. Removes unlocked ones, which killed
/// processes left behind.
fn create(folder: &Path) -> io::Result<NamedTempFile> {
    remove_abandoned(folder);
    let mut files = temporary_files();
    loop {
        // The target's own name could make this one too long.
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(PREFIX).suffix(SUFFIX);
        let file = builder.make_in(folder, |path| File::create_new(path))?;
        // A system that cannot lock is as good. Another process may have taken the file for abandoned
        // before it was locked.
        let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        let found = FileStatus::of_open(file.as_file());
        if !is_taken && found.is_ok_and(|found| found.links > 0) {
            files.insert(file.path().to_owned());
            return Ok(file);
        }
    }
}

/// Removes temporary files of dead processes, ignoring errors.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(PREFIX.as_bytes())
            && name.ends_with(SUFFIX.as_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            // Removal happens under the lock: a process that locks the file later can detect it.
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
            remove_journal(&entry.path());
        }
        // The journal of a file that is gone.
        if name.starts_with(PREFIX.as_bytes())
            && let Some(file) = entry
                .file_name()
                .to_str()
                .and_then(|it| it.strip_suffix(JOURNAL))
            && file.ends_with(SUFFIX)
            && !folder.join(file).exists()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes the journal that a killed SQLite has left next to a file.
fn remove_journal(file: &Path) {
    let mut journal = file.as_os_str().to_owned();
    journal.push(JOURNAL);
    let _ = fs::remove_file(journal);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn the_former_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, "old").unwrap();
        let mut broken = Replacement::of(&path).unwrap();
        broken.out.write_all(b"half").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(broken);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.pgn"]);

        let mut whole = Replacement::of(&path).unwrap();
        let mut other = Replacement::of(&path).unwrap();
        whole.out.write_all(b"new").unwrap();
        whole.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        other.out.write_all(b"newer").unwrap();
        other.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "newer");
        assert_eq!(names(folder.path()), ["a.pgn"]);
    }

    #[test]
    fn only_files_of_a_killed_process_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(folder.path().join(".leitai-1-1.tmp"), "abandoned").unwrap();
        fs::write(folder.path().join(".leitai-notes"), "somebody's").unwrap();
        let mut one = Replacement::of(&path).unwrap();
        let other = Replacement::of(&path).unwrap();
        assert_eq!(names(folder.path()).len(), 3, "both are on their way");
        one.out.write_all(b"whole").unwrap();
        one.finish().unwrap();
        drop(other);
        assert_eq!(names(folder.path()), [".leitai-notes", "a.pgn"]);
    }

    #[cfg(windows)]
    #[test]
    fn a_reader_that_blocks_the_file_for_a_moment_is_waited_for() {
        use std::os::windows::fs::OpenOptionsExt as _;
        use std::{thread, time::Duration};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, "old").unwrap();
        let mut new = Replacement::of(&path).unwrap();
        new.out.write_all(b"new").unwrap();
        // As virus scanners do: others may read and write, but not rename.
        let reader = OpenOptions::new().read(true).share_mode(3).open(&path);
        let reader = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            drop(reader.unwrap());
        });
        new.finish().unwrap();
        reader.join().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.pgn"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a", &link).unwrap();
        let mut new = Replacement::of(&link).unwrap();
        new.out.write_all(b"new").unwrap();
        new.finish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }
}
