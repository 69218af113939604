//! File identity and permissions, and opening of devices and pipes.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
#[cfg(target_os = "linux")]
use std::io::Write as _;
use std::os::fd::AsFd;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{
    DirBuilderExt as _, FileExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _,
    PermissionsExt,
};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use rustix::fs::{AtFlags, CWD, linkat};
use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
use rustix::io::Errno;
use rustix::termios::tcgetattr;

pub use crate::shared::{FileId, FileKind, FileStatus, create_unnamed};

impl FileStatus {
    /// The status of the file at a path; follows links.
    ///
    /// # Errors
    /// The file does not exist, or the system refuses.
    pub fn of(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|found| Self::new(&found))
    }

    /// The status of an open file.
    ///
    /// # Errors
    /// The system refuses.
    pub fn of_open(file: &File) -> io::Result<Self> {
        file.metadata().map(|found| Self::new(&found))
    }

    /// The identity of a regular file or a pipe; `None` for devices and sockets, which can be written
    /// twice, or read and written.
    pub fn exclusive_id(self) -> Option<FileId> {
        matches!(self.kind, FileKind::Regular | FileKind::Pipe).then_some(self.id)
    }

    fn new(found: &Metadata) -> Self {
        let kind = match found.file_type() {
            kind if kind.is_file() => FileKind::Regular,
            kind if kind.is_dir() => FileKind::Folder,
            kind if kind.is_fifo() => FileKind::Pipe,
            _ => FileKind::Device,
        };
        Self {
            id: FileId(found.dev(), found.ino().into()),
            kind,
            length: found.len(),
            links: found.nlink(),
        }
    }
}

/// Standard input, output and error output of this process, opened once more.
pub fn standard_streams() -> [io::Result<File>; 3] {
    let (input, output, errors) = (io::stdin(), io::stdout(), io::stderr());
    let streams = [input.as_fd(), output.as_fd(), errors.as_fd()];
    streams.map(|stream| stream.try_clone_to_owned().map(File::from))
}

/// Returns whether standard output is a terminal that has closed.
pub fn is_output_gone() -> bool {
    matches!(tcgetattr(io::stdout()), Err(Errno::IO))
}

/// Opens a device or a pipe for writing. Waits up to `patience` for a reader of a pipe: opened in
/// the usual way it would wait forever.
///
/// # Errors
/// The system refuses; [`io::ErrorKind::BrokenPipe`] if there is no reader.
pub fn open_stream(file: &Path, patience: Duration) -> io::Result<File> {
    let begun = Instant::now();
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = loop {
        match open(file, flags, Mode::empty()) {
            Err(Errno::NXIO) if begun.elapsed() < patience => sleep(patience / 100),
            Err(Errno::NXIO) => return Err(io::ErrorKind::BrokenPipe.into()),
            opened => break File::from(opened?),
        }
    };
    fcntl_setfl(&opened, OFlags::empty())?;
    Ok(opened)
}

/// Creates a file that only its owner may read and write.
///
/// # Errors
/// The file exists already, or the system refuses.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).open(path)
}

/// Creates a folder that only its owner may use.
///
/// # Errors
/// The folder exists already, its parent does not, or the system refuses.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}

/// Returns whether a file or folder belongs to this user, and no other user may write to it.
///
/// # Errors
/// It does not exist, or the system refuses.
pub fn is_own(path: &Path) -> io::Result<bool> {
    let found = path.metadata()?;
    Ok(found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o022 == 0)
}

/// The command of a shell after which a folder and its files are a user's own.
pub fn own_command(path: &str) -> String {
    format!("chmod -R go-w {path}")
}

/// Fills `bytes` from a place in a file, independently of other readers of the same file.
///
/// # Errors
/// The file is shorter, or the system refuses.
pub fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    file.read_exact_at(bytes, place)
}

/// Renames a file, which replaces another one.
///
/// # Errors
/// The system refuses.
pub fn replace(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// Creates a file with this content, which is on disk before the file has its name.
///
/// # Errors
/// There is a file of that name; or the system or the file system cannot do it.
#[cfg(target_os = "linux")]
pub fn create_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = std::path::absolute(path)?;
    let folder = path.parent().ok_or(io::ErrorKind::InvalidFilename)?;
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let mut file = File::from(open(folder, flags, Mode::from_raw_mode(0o644))?);
    file.write_all(bytes)?;
    file.sync_all()?;
    let nameless = format!("/proc/self/fd/{}", file.as_raw_fd());
    linkat(CWD, nameless, CWD, &path, AtFlags::SYMLINK_FOLLOW)?;
    Ok(())
}

/// As on Linux, where alone it is possible.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn create_whole(_: &Path, _: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Lets only the owner of a file read and write it.
///
/// # Errors
/// The system refuses.
pub fn make_private(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o600))
}

/// The command of a shell for [`make_private`].
pub fn private_command(path: &str) -> String {
    format!("chmod 600 {path}")
}

/// Returns whether only the owner of a file may read or write it.
///
/// # Errors
/// The file does not exist, or the system refuses.
pub fn is_private(path: &Path) -> io::Result<bool> {
    Ok(path.metadata()?.permissions().mode() % 0o100 == 0)
}

/// Lets all users execute a file, and its owner write it.
///
/// # Errors
/// The system refuses.
pub fn make_executable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o755))
}

/// The path, if it is a file that can be executed.
pub fn executable(path: &Path) -> Option<PathBuf> {
    let found = path.metadata().ok()?;
    (found.is_file() && found.mode() & 0o111 != 0).then(|| path.to_owned())
}

/// The name without an ending, if it has that ending.
pub fn strip_ending<'a>(name: &'a OsStr, ending: &str) -> Option<&'a OsStr> {
    let stem = name.as_bytes().strip_suffix(ending.as_bytes())?;
    Some(OsStr::from_bytes(stem))
}
