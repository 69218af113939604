//! A file that takes the place of another when it is whole.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(feature = "cli")]
use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};

use crate::store::free_beside;

/// Most names that are tried for the file on its way.
const NAMES: u32 = 100;

/// The files of this process that are on their way.
static PASSING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn all_passing() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PASSING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files that are on their way, and lets no other begin or take its place: for
/// a process that ends without further ado.
pub(crate) fn remove_passing() {
    let all = all_passing();
    for file in all.iter() {
        let _ = fs::remove_file(file);
    }
    std::mem::forget(all);
}

/// A file under a passing name beside the one that it becomes. Dropped before it
/// is finished, it is removed.
pub(crate) struct Replacement {
    file: File,
    passing: PathBuf,
    target: PathBuf,
    finished: bool,
}

impl Replacement {
    /// Begins a file that becomes `path`, which is a regular file or none yet.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        // Of a link, what it points to is replaced and not the link.
        let former = path.canonicalize().ok();
        let permissions = match &former {
            None => None,
            Some(former) => {
                // A file that may not be written is not to be replaced either.
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

    /// Lets nobody but the owner read it.
    #[cfg(feature = "cli")]
    pub(crate) fn keep_secret(&self) -> io::Result<()> {
        fs::set_permissions(&self.passing, Permissions::from_mode(0o600))
    }

    /// Whether there is a file in its place.
    pub(crate) fn replaces(&self) -> bool {
        self.target.exists()
    }

    /// The file that it becomes.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Gives the file a name like that of its place that no other has; which.
    pub(crate) fn finish_beside(&mut self) -> io::Result<PathBuf> {
        let name = free_beside(&self.target).ok_or(io::ErrorKind::AlreadyExists)?;
        self.target.clone_from(&name);
        self.finish()?;
        Ok(name)
    }

    /// Puts the file in its place.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
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
            // There is nobody left to tell.
            let _ = fs::remove_file(&self.passing);
            all.remove(&self.passing);
        }
    }
}

/// A new file of a name that no other has, locked for as long as it is open. Those that
/// nobody holds locked were left by processes that were killed, and go.
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
            // Taken for abandoned in the moment before it was locked.
            Ok(file) if !is_ours(&file) && number < NAMES => number += 1,
            Ok(file) => {
                all.insert(path.clone());
                return Ok((file, path));
            }
            Err(error) => return Err(error),
        }
    }
}

/// Locks a file, where the system can; whether nobody else has it locked, or has removed
/// it just before.
fn is_ours(file: &File) -> bool {
    let is_locked = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    !is_locked && file.metadata().is_ok_and(|found| found.nlink() > 0)
}

/// Removes files on their way whose processes are gone, as far as that can be done.
fn remove_abandoned(folder: &Path) {
    let here = folder.as_os_str().is_empty();
    let folder = if here { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_passing(entry.file_name().as_encoded_bytes())
            || !entry.file_type().is_ok_and(|it| it.is_file())
        {
            continue;
        }
        // The lock is held until it is removed: who locks it later sees that.
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file on its way has such a name.
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
