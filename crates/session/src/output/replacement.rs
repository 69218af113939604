//! Atomic replacement of files.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};

use leitai_runs::store::free_beside;

/// Largest number of names to try for a temporary file.
const NAMES: u32 = 100;

/// Temporary files of this process.
static PASSING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn all_passing() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PASSING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files and blocks the creation and renaming of others, for a process that
/// exits immediately.
pub fn remove_passing() {
    let all = all_passing();
    for file in all.iter() {
        let _ = fs::remove_file(file);
    }
    std::mem::forget(all);
}

/// A temporary file in the folder of its target. It is removed if it is dropped before it is
/// finished.
pub struct Replacement {
    file: File,
    passing: PathBuf,
    target: PathBuf,
    finished: bool,
}

impl Replacement {
    /// Creates a temporary file for `path`, which is a regular file or does not exist.
    ///
    /// # Errors
    /// The directory refuses new files.
    pub fn of(path: &Path) -> io::Result<Self> {
        // Of a symbolic link, the target is replaced and not the link.
        let former = path.canonicalize().ok();
        let permissions = match &former {
            None => None,
            Some(former) => {
                // A file without write permission must not be replaced either.
                let file = OpenOptions::new().write(true).open(former)?;
                Some(file.metadata()?.permissions())
            }
        };
        let target = former.unwrap_or_else(|| path.to_owned());
        let (file, passing) = create(target.parent().unwrap_or(Path::new("")))?;
        let replacement = Self {
            file,
            passing,
            target,
            finished: false,
        };
        if let Some(permissions) = permissions {
            fs::set_permissions(&replacement.passing, permissions)?;
        }
        Ok(replacement)
    }

    /// Makes the file readable by its owner only.
    ///
    /// # Errors
    /// The file system refuses the permissions.
    pub fn keep_secret(&self) -> io::Result<()> {
        fs::set_permissions(&self.passing, Permissions::from_mode(0o600))
    }

    /// Returns whether the target exists.
    pub(crate) fn replaces(&self) -> bool {
        self.target.exists()
    }

    /// The path of the target.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Renames the file to an unused name similar to that of its target, and returns it.
    pub(crate) fn finish_beside(&mut self) -> io::Result<PathBuf> {
        let name = free_beside(&self.target).ok_or(io::ErrorKind::AlreadyExists)?;
        self.target.clone_from(&name);
        self.finish()?;
        Ok(name)
    }

    /// Renames the file to its target.
    ///
    /// # Errors
    /// The file cannot be written or renamed.
    pub fn finish(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        let mut all = all_passing();
        fs::rename(&self.passing, &self.target)?;
        all.remove(&self.passing);
        self.finished = true;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.finished {
            let mut all = all_passing();
            // An error here cannot be reported.
            let _ = fs::remove_file(&self.passing);
            all.remove(&self.passing);
        }
    }
}

/// Creates a file with an unused name, locked while it is open. Removes unlocked ones, which killed
/// processes left behind.
fn create(folder: &Path) -> io::Result<(File, PathBuf)> {
    remove_abandoned(folder);
    let mut all = all_passing();
    let mut number = 1;
    loop {
        // The target's own name could make this one too long.
        let name = format!(".leitai-{}-{number}.tmp", std::process::id());
        let path = folder.join(name);
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < NAMES => {
                number += 1;
            }
            // Another process took it for abandoned before it was locked.
            Ok(file) if !is_ours(&file) && number < NAMES => number += 1,
            Ok(file) => {
                all.insert(path.clone());
                return Ok((file, path));
            }
            Err(error) => return Err(error),
        }
    }
}

/// Locks a file, if the system can. Returns whether no other process has locked it, or has just
/// removed it.
fn is_ours(file: &File) -> bool {
    let is_locked = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    !is_locked && file.metadata().is_ok_and(|found| found.nlink() > 0)
}

/// Removes temporary files of dead processes, ignoring errors.
fn remove_abandoned(folder: &Path) {
    let here = folder.as_os_str().is_empty();
    let folder = if here { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_passing(entry.file_name().as_encoded_bytes())
            || !entry.file_type().is_ok_and(|it| it.is_file())
        {
            continue;
        }
        // Removal happens under the lock: a process that locks the file later can detect it.
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns whether a name has the form of a temporary file.
fn is_passing(name: &[u8]) -> bool {
    let numbers = name.strip_prefix(b".leitai-");
    let numbers = numbers.and_then(|name| name.strip_suffix(b".tmp"));
    numbers.is_some_and(|it| it.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-'))
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
        broken.write_all(b"half").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(broken);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.pgn"]);

        let mut whole = Replacement::of(&path).unwrap();
        let mut other = Replacement::of(&path).unwrap();
        whole.write_all(b"new").unwrap();
        whole.finish().unwrap();
        drop(whole);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        other.write_all(b"newer").unwrap();
        other.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "newer");
        assert_eq!(names(folder.path()), ["a.pgn"]);
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(folder.path().join(".leitai-1-1.tmp"), "abandoned").unwrap();
        fs::write(folder.path().join(".leitai-notes"), "somebody's").unwrap();
        let mut one = Replacement::of(&path).unwrap();
        let other = Replacement::of(&path).unwrap();
        assert_eq!(names(folder.path()).len(), 3, "both are on their way");
        one.write_all(b"whole").unwrap();
        one.finish().unwrap();
        drop((one, other));
        assert_eq!(names(folder.path()), [".leitai-notes", "a.pgn"]);
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
        new.write_all(b"new").unwrap();
        new.finish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }
}
