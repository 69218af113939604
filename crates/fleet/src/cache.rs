//! The files at a worker, in a folder of bounded size that no other user may write to.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail};
use tokio::runtime::Handle;

use super::files::{Files, LARGEST};
use leitai_base::foreign::{read_bytes, shown_path};
use leitai_base::threads::lock;
use leitai_platform::files::{create_private_folder, is_own, make_executable, own_command};
use leitai_players::player::file_digest;
use leitai_session::output::{CommandFiles, prepare_folder};
use leitai_session::{Failure, FileSource};

/// A file that was used this recently may be in use.
const IN_USE: Duration = Duration::from_hours(24);

/// The files at a worker, in a folder of bounded size.
pub(super) struct Cache {
    pub(super) folder: PathBuf,
    pub(super) most_bytes: u64,
    pub(super) files: Files,
    pub(super) runtime: Handle,
    /// Files that were found in the folder.
    pub(super) used: Mutex<BTreeSet<PathBuf>>,
}

impl Cache {
    /// Creates the folder if it is missing.
    ///
    /// # Errors
    /// The folder cannot be written, or another user may write to it: workers start the programs in
    /// it.
    pub(super) fn prepare(folder: Option<PathBuf>) -> Result<PathBuf, Failure> {
        let folder = folder.or_else(usual_folder).context(
            "there is no folder for a cache: neither XDG_CACHE_HOME nor HOME is set\n\
             help: `--cache FOLDER`",
        )?;
        create_own(&folder)?;
        prepare_folder(&folder)?;
        Ok(folder)
    }

    pub(super) fn read(&self, sha256: &str) -> Result<Vec<u8>, Failure> {
        Ok(read_bytes(&self.find(sha256, "run")?, LARGEST)?)
    }

    /// Marks the files that were found here as used.
    pub(super) fn touch(&self) {
        for path in &*lock(&self.used) {
            if let Ok(file) = File::open(path) {
                let _ = file.set_modified(SystemTime::now());
            }
        }
    }

    /// Removes the least recently used files until the folder is within its limit; files that were
    /// used within a day may be in use, and stay.
    fn make_room(&self) -> Result<(), Failure> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let (mut bytes, mut used) = (0, SystemTime::UNIX_EPOCH);
            for file in fs::read_dir(&path).into_iter().flatten().flatten() {
                let meta = file.metadata()?;
                bytes += meta.len();
                used = used.max(meta.modified()?);
            }
            entries.push((used, bytes, path));
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        for (used, bytes, path) in entries {
            let is_unused = used.elapsed().is_ok_and(|unused| unused > IN_USE);
            if total > self.most_bytes && is_unused {
                fs::remove_dir_all(&path)?;
                total -= bytes;
            }
        }
        if total > self.most_bytes {
            bail!(
                "{} holds {} MB of files that were used within a day, and may hold {} MB\n\
                 help: `--cache-size` lets it hold more",
                shown_path(&self.folder),
                total >> 20,
                self.most_bytes >> 20
            );
        }
        Ok(())
    }
}

impl FileSource for Cache {
    fn find(&self, sha256: &str, name: &str) -> Result<PathBuf, Failure> {
        if sha256.len() != 64 || !sha256.bytes().all(|it| it.is_ascii_hexdigit()) {
            bail!("`{}` is not a SHA-256", leitai_base::foreign::shown(sha256));
        }
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-_.+".contains(&it);
        let name = match name {
            "" | "." | ".." => "file",
            name if name.bytes().all(is_plain) && name.len() <= 100 => name,
            _ => "file",
        };
        let folder = self.folder.join(sha256);
        let path = folder.join(name);
        let is_checked = !lock(&self.used).insert(path.clone());
        create_own(&folder)?;
        if path.is_file() {
            check_own(&path)?;
            // The file may have been damaged since.
            if is_checked || file_digest(&path).is_ok_and(|digest| digest == sha256) {
                self.touch();
                return Ok(path);
            }
            fs::remove_file(&path)?;
        }
        let mut output = CommandFiles::default().prepare(&path)?.begin()?;
        self.runtime
            .block_on(self.files.get(sha256, output.raw()))?;
        output.finish()?;
        make_executable(&path)?;
        self.make_room()?;
        Ok(path)
    }
}

/// Creates a folder, if it is missing, that no other user may write to.
fn create_own(folder: &Path) -> Result<(), Failure> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    match create_private_folder(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(error).with_context(|| format!("cannot create {}", shown_path(folder)))
        }
        _ => check_own(folder),
    }
}

/// Refuses a folder or file that belongs to another user, or to which others may write.
fn check_own(path: &Path) -> Result<(), Failure> {
    let name = shown_path(path);
    if !is_own(path).with_context(|| name.to_string())? {
        bail!(
            "{name} belongs to another user, or others may write to it: the worker would start \
             their programs\n\
             help: `{}` if it is yours, else `--cache FOLDER` with another folder",
            own_command(&name.to_string())
        );
    }
    Ok(())
}

/// The default folder for a worker's files; `None` if the user has none.
fn usual_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        let value = std::env::var_os(name).filter(|it| !it.is_empty());
        value.map(PathBuf::from)
    };
    let base = folder("XDG_CACHE_HOME")
        .or_else(|| Some(folder("HOME")?.join(".cache")))
        .or_else(|| folder("LOCALAPPDATA"));
    Some(base?.join("leitai"))
}
