//! File identity, and opening of devices and pipes.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
use rustix::io::Errno;

/// Time to wait for a reader of a pipe: both ends may be started at once.
const READER_PATIENCE: Duration = Duration::from_secs(2);

/// Device and inode number of a file or a pipe; `None` for devices and sockets, which can be
/// written twice, or read and written.
pub(crate) fn inode(found: &Metadata) -> Option<(u64, u64)> {
    let kind = found.file_type();
    (kind.is_file() || kind.is_fifo()).then(|| (found.dev(), found.ino()))
}

/// Metadata of an open stream of this process.
pub(crate) fn opened(stream: impl AsFd) -> Option<Metadata> {
    let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
    file.metadata().ok()
}

/// Opens a device or a pipe. Waits a little for a reader of a pipe: opened in the usual way it
/// would wait forever.
pub(crate) fn open_to_write(file: &Path) -> io::Result<File> {
    let begun = Instant::now();
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = loop {
        match open(file, flags, Mode::empty()) {
            Err(Errno::NXIO) if begun.elapsed() < READER_PATIENCE => {
                sleep(READER_PATIENCE / 100);
            }
            opened => break opened,
        }
    };
    let opened = File::from(opened?);
    fcntl_setfl(&opened, OFlags::empty())?;
    Ok(opened)
}

/// Returns standard output or standard error, if it is this file: `/dev/stdout` and similar names
/// resolve to the file that the stream is redirected to, and a replacement of that file would lose
/// the printed text.
pub(crate) fn standard(found: &Metadata) -> io::Result<Option<File>> {
    let (out, error) = (io::stdout(), io::stderr());
    for stream in [out.as_fd(), error.as_fd()] {
        let file = File::from(stream.try_clone_to_owned()?);
        if file.metadata().is_ok_and(|it| inode(&it) == inode(found)) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}
