//! Definitions that are the same on every system; the modules of the systems export them.

use std::fs::File;
use std::io;
use std::path::Path;

/// The environment variable that marks a program and all of its descendants. On Unix it has marks
/// separated by blanks, with that of the innermost starter at the end.
pub const PROGRAM_MARK: &str = "LEITAI_PROGRAM";

/// Identity of an existing file: the same for all of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId(pub(crate) u64, pub(crate) u128);

/// Kind of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A folder.
    Folder,
    /// A named pipe of Unix.
    Pipe,
    /// A device, a socket, or a named pipe of Windows.
    Device,
}

/// Facts about an existing file.
#[derive(Clone, Copy, Debug)]
pub struct FileStatus {
    /// Its identity.
    pub id: FileId,
    /// Its kind.
    pub kind: FileKind,
    /// Length in bytes.
    pub length: u64,
    /// Number of its names.
    pub links: u64,
}

/// A request to end this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSignal {
    /// The key Ctrl-C.
    Interrupt,
    /// A request by another process.
    Terminate,
    /// The key Ctrl-\, or Ctrl-Break on Windows.
    Quit,
    /// The terminal has closed, or the user of Windows logs off.
    HangUp,
}

/// A limit of the machine that keeps a program from starting: no fault of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// No further process or thread.
    Processes,
    /// No memory for another process.
    Memory,
    /// No further open file of this process.
    OpenFiles,
    /// No further open file of the system.
    SystemFiles,
    /// No disk space.
    Disk,
    /// The program's file is being written.
    BusyFile,
}

/// A pipe of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildPipe {
    /// The standard input of the child.
    Input,
    /// Its standard output.
    Output,
    /// Its standard error.
    Errors,
}

/// A processor with its place in the machine. Core and cache are named by their first processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    /// The number of the processor.
    pub number: usize,
    /// The core: the processor itself if the system does not report it.
    pub core: usize,
    /// The last level of cache; `None` if the system reports no third level.
    pub cache: Option<usize>,
    /// The NUMA node: 0 if the system does not report it.
    pub node: usize,
}

/// Scheduling priority of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Below that of other programs.
    Low,
    /// The usual one.
    Normal,
    /// Above that of other programs; the system may refuse it.
    High,
}

/// Creates a file without a name in a folder, which disappears with this process.
///
/// # Errors
/// The folder refuses new files.
pub fn create_unnamed(folder: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder)
}
