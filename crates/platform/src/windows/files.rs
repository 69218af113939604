//! File identity and permissions, and opening of devices and pipes.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt as _, OpenOptionsExt as _};
use std::os::windows::io::AsHandle as _;
use std::path::{Component, Path, PathBuf, Prefix, absolute};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::api;
pub use crate::shared::{FileId, FileKind, FileStatus, create_unnamed};

/// Longest wait for another program that uses a file: the limit of `robustio` in the Go project.
const USE: Duration = Duration::from_secs(2);
/// Interval between attempts.
const LOOK: Duration = Duration::from_millis(20);

impl FileStatus {
    /// The status of the file at a path; follows links.
    ///
    /// # Errors
    /// The file does not exist, or the system refuses.
    pub fn of(path: &Path) -> io::Result<Self> {
        if is_device(path) {
            return Ok(Self {
                id: FileId(0, 0),
                kind: FileKind::Device,
                length: 0,
                links: 0,
            });
        }
        let mut options = OpenOptions::new();
        // Folders open only with this flag; the status needs no right to read.
        let options = options.access_mode(0).custom_flags(api::BACKUP_SEMANTICS);
        Self::of_open(&options.open(path)?)
    }

    /// The status of an open file.
    ///
    /// # Errors
    /// The system refuses.
    pub fn of_open(file: &File) -> io::Result<Self> {
        let found = file.metadata()?;
        let (volume, number, links) = api::identity(file.as_handle())?;
        Ok(Self {
            id: FileId(volume, number),
            kind: if found.is_dir() {
                FileKind::Folder
            } else {
                FileKind::Regular
            },
            length: found.len(),
            links,
        })
    }

    /// The identity of a regular file; `None` for folders, and for devices, which have none.
    pub fn exclusive_id(self) -> Option<FileId> {
        (self.kind == FileKind::Regular).then_some(self.id)
    }
}

/// Returns whether the path names a device, such as `NUL`, or a pipe.
fn is_device(path: &Path) -> bool {
    let full = absolute(path).unwrap_or_default();
    let first = full.components().next();
    matches!(first, Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::DeviceNS(_)))
}

/// Standard input, output and error output of this process, opened once more.
pub fn standard_streams() -> [io::Result<File>; 3] {
    let (input, output, errors) = (io::stdin(), io::stdout(), io::stderr());
    let streams = [input.as_handle(), output.as_handle(), errors.as_handle()];
    streams.map(|stream| stream.try_clone_to_owned().map(File::from))
}

/// Returns false: a console that closes ends its processes.
pub fn is_output_gone() -> bool {
    false
}

/// Opens a device or a pipe for writing; a pipe without a reader is an error at once.
///
/// # Errors
/// The system refuses.
pub fn open_stream(file: &Path, _patience: Duration) -> io::Result<File> {
    OpenOptions::new().write(true).open(file)
}

/// Creates a file that only its owner may read and write.
///
/// # Errors
/// The file exists already, or the system refuses.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // Not shared: no other program can open the file before its access list is set.
    let options = options.write(true).create_new(true).share_mode(0);
    let file = options.open(path)?;
    make_private(path)?;
    Ok(file)
}

/// Fills `bytes` from a place in a file, independently of other readers of the same file.
///
/// # Errors
/// The file is shorter, or the system refuses.
pub fn read_at(file: &File, mut bytes: &mut [u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_read(bytes, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                place += read as u64;
            }
        }
    }
    Ok(())
}

/// As on Linux, where alone it is possible.
///
/// # Errors
/// Always.
pub fn create_whole(_: &Path, _: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Renames a file, which replaces another one. Retries while another program locks one of them: virus
/// scanners lock every new file for a moment.
///
/// # Errors
/// The system refuses.
pub fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match fs::rename(from, to) {
            Err(error) if api::may_be_in_use(&error) && begun.elapsed() < USE => sleep(LOOK),
            renamed => return renamed,
        }
    }
}

/// Lets only the owner of a file read and write it.
///
/// # Errors
/// The system refuses.
pub fn make_private(path: &Path) -> io::Result<()> {
    api::make_private(path)
}

/// Creates a folder in the folder of a user, where it is private.
///
/// # Errors
/// The folder exists already, its parent does not, or the system refuses.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Returns whether general groups of users have no access to a file. Ignores entries for single users.
///
/// # Errors
/// The file does not exist, or the system refuses.
pub fn is_private(path: &Path) -> io::Result<bool> {
    has_no_general_entry(path, |_| true)
}

/// Returns whether general groups of users may not write to a file or folder. Ignores its owner,
/// and entries for single users.
///
/// # Errors
/// It does not exist, or the system refuses.
pub fn is_own(path: &Path) -> io::Result<bool> {
    has_no_general_entry(path, may_write)
}

/// Returns whether the access list has no entry for a general group whose rights match.
fn has_no_general_entry(path: &Path, matches: fn(&str) -> bool) -> io::Result<bool> {
    let list = api::access_list(path)?;
    // Everyone, users, domain users, authenticated, interactive and anonymous users, guests, network
    // users.
    let others = ["WD", "BU", "DU", "AU", "IU", "AN", "BG", "DG", "NU"];
    let mut entries = list.split('(').skip(1);
    let is_open = entries.any(|entry| {
        let is_general = |other: &&str| entry.contains(&format!(";{other})"));
        let rights = entry.split(';').nth(2).unwrap_or_default();
        others.iter().any(is_general) && matches(rights)
    });
    // Everyone has access to a file without a list.
    Ok(!is_open && list.starts_with("D:") && !list.contains("NO_ACCESS_CONTROL"))
}

/// Returns whether rights in SDDL allow more than to read and execute.
fn may_write(rights: &str) -> bool {
    // Read, execute, synchronize and read permissions, attributes and extended attributes, and the
    // generic rights to read and execute.
    const READ: u32 = 0xa012_00a9;
    match rights.strip_prefix("0x") {
        Some(number) => u32::from_str_radix(number, 16).is_ok_and(|mask| mask & !READ != 0),
        None => !["FR", "FX", "FRFX", "GR", "GX", "GRGX", "GXGR"].contains(&rights),
    }
}

/// The command of a shell after which other users cannot write to a folder and its files.
pub fn own_command(path: &str) -> String {
    format!("icacls {path} /inheritance:r /grant:r %USERNAME%:(OI)(CI)F")
}

/// The shell command that does the same as [`make_private`].
pub fn private_command(path: &str) -> String {
    format!("icacls {path} /inheritance:r /grant:r %USERNAME%:F")
}

/// Does nothing: the ending of its name makes a file executable.
///
/// # Errors
/// None here.
pub fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// The path of a program, with the ending that the system would add, if it is a file.
pub fn executable(path: &Path) -> Option<PathBuf> {
    let endings = env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned());
    // A final semicolon is no empty ending, which every file would have.
    let endings = || endings.split(';').filter(|ending| !ending.is_empty());
    let is_program = |ending: &OsStr| {
        let mut endings = endings().map(|known| known.trim_start_matches('.'));
        endings.any(|known| ending.eq_ignore_ascii_case(known))
    };
    if path.extension().is_some_and(is_program) {
        return path.is_file().then(|| path.to_owned());
    }
    let with_ending = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let mut paths = endings().map(with_ending);
    paths.find(|path| path.is_file())
}

/// The name without an ending, if it has that ending.
pub fn strip_ending<'a>(name: &'a OsStr, ending: &str) -> Option<&'a OsStr> {
    name.to_str()?.strip_suffix(ending).map(OsStr::new)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_device_is_no_regular_file() {
        for name in ["NUL", "nul", "CON", r"\\.\pipe\leitai"] {
            let found = FileStatus::of(Path::new(name)).unwrap();
            assert_eq!(found.kind, FileKind::Device, "{name}");
        }
        FileStatus::of(Path::new("NULL")).unwrap_err();
    }

    #[test]
    fn files_are_the_same_by_all_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "").unwrap();
        fs::write(at("b"), "").unwrap();
        fs::hard_link(at("a"), at("c")).unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| FileStatus::of(&at(name)).unwrap());
        assert_eq!((a.id, a.links), (c.id, 2));
        assert_ne!(a.id, b.id);
    }

    #[test]
    fn rights_to_write_are_told_from_those_to_read() {
        for rights in ["0x1200a9", "FR", "GXGR"] {
            assert!(!may_write(rights), "{rights}");
        }
        for rights in ["0x1301bf", "FA", "GA", "FW", "0x1f01ff"] {
            assert!(may_write(rights), "{rights}");
        }
    }

    #[test]
    fn a_private_file_cannot_be_opened_before_it_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let mut file = create_private(&path).unwrap();
        file.write_all(b"secret").unwrap();
        File::open(&path).unwrap_err();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"secret");
        assert!(is_private(&path).unwrap());
    }
}
