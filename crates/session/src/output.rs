//! The only module that writes files.
//!
//! A command registers its inputs ([`CommandFiles::reads`]) and prepares its outputs ([`CommandFiles::prepare`])
//! before its work, so that a missing folder, a file without write permission, or an output that is
//! also an input fails early. Preparation neither creates nor changes a file. At the end the output
//! is written to a temporary file in the folder of the target, synced, and renamed: any earlier
//! failure leaves the former file unchanged. A pipe or a device has no contents to lose and cannot
//! be replaced: it is opened during preparation and written directly. Standard output is an output
//! too: two outputs that would mix there are refused. No command opens a file for writing
//! elsewhere.

#[cfg(test)]
mod tests;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf, is_separator};
use std::time::Duration;

use anyhow::Error as Failure;
use thiserror::Error;

use leitai_base::foreign::shown_path;
use leitai_config::{Loaded, TexelStage};
use leitai_platform::files::{FileId, FileKind, FileStatus, open_stream, standard_streams};
use leitai_platform::replacement::Replacement;
use leitai_runs::store::{is_sqlite, main_of, resolve, siblings, unused_copy_path};

/// Time to wait for a reader of a pipe: both ends may be started at once.
const READER_PATIENCE: Duration = Duration::from_secs(2);

/// Name of standard output in messages.
const STDOUT: &str = "standard output";

/// A file that cannot be written; its cause follows in the error chain.
#[derive(Debug, Error)]
#[error("cannot write {}", shown_path(path))]
pub struct CannotWrite {
    path: PathBuf,
    /// The user's remedy.
    pub help: String,
}

impl CannotWrite {
    /// Builds a failure with a reason in words.
    fn because(path: &Path, reason: impl Into<String>, help: impl Into<String>) -> Failure {
        Self::with_cause(path, Failure::msg(reason.into()), help)
    }

    fn with_cause(path: &Path, cause: Failure, help: impl Into<String>) -> Failure {
        let (path, help) = (path.to_owned(), help.into());
        cause.context(Self { path, help })
    }

    /// Builds a failure with the system's reason.
    fn by_system(path: &Path, error: io::Error) -> Failure {
        let help = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "name a file that you may write, in a folder that you may write"
            }
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => {
                "free disk space, or name a file on another disk, and repeat the command"
            }
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                "a file of that name is in the way: name another one"
            }
            _ => "name another file",
        };
        Self::with_cause(path, Failure::new(error), help)
    }
}

/// The inputs and outputs of a command: no output overwrites an input or a record, and no file is
/// written twice.
#[derive(Debug, Default)]
pub struct CommandFiles {
    files: Vec<KnownFile>,
}

/// A file that the command reads or writes.
#[derive(Debug)]
struct KnownFile {
    /// The name as given.
    name: PathBuf,
    /// Identity of an existing file or pipe.
    id: Option<FileId>,
    /// The resolved path of a file that does not exist yet.
    target: Option<PathBuf>,
    is_read: bool,
}

impl CommandFiles {
    /// Creates the door of a command that reads these files.
    pub fn reading<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> Self {
        let mut all_files = Self::default();
        files
            .into_iter()
            .for_each(|file| all_files.reads(file.as_ref()));
        all_files
    }

    /// Creates the door of a command that reads these records, or files that may be records.
    pub fn recording<P: AsRef<Path>>(stores: impl IntoIterator<Item = P>) -> Self {
        let mut all_files = Self::default();
        stores
            .into_iter()
            .for_each(|store| all_files.records(store.as_ref()));
        all_files
    }
    /// Registers a config and all files that it names as inputs.
    pub fn of(config: &Path, loaded: &Loaded) -> Self {
        let files = [
            Some(config),
            loaded.config.openings.file.as_deref(),
            loaded.study.as_ref().map(|study| &*study.suite),
            loaded.solver_study.as_ref().map(|study| &*study.suite),
        ];
        let texel = loaded.config.tune.as_ref();
        let texel = texel.and_then(|tune| tune.texel.as_ref());
        let positions = texel.into_iter().flat_map(TexelStage::files);
        let files = files.into_iter().flatten();
        let mut all_files = Self::reading(files.chain(positions.map(|file| &**file)));
        let programs = loaded.config.variants.iter();
        for program in programs.filter_map(|variant| variant.program.as_ref()) {
            all_files.reads(&program.executable);
            // Scripts, networks and books of a program.
            let folder = program.working_folder.as_deref().unwrap_or(Path::new(""));
            let words = program.command.iter().skip(1);
            for word in words.chain(program.profile.options.values()) {
                // A file, or an option with one: `--net=FILE`.
                let value = word.split_once('=').map(|(_, value)| value);
                let files = [Some(word.as_str()), value].into_iter().flatten();
                let files = files.map(|file| folder.join(file));
                files
                    .filter(|file| file.is_file())
                    .for_each(|file| all_files.reads(&file));
            }
        }
        all_files
    }

    /// Registers an input; `-` is standard input.
    pub fn reads(&mut self, file: &Path) {
        let (found, target) = if file == Path::new("-") {
            let [input, ..] = standard_streams();
            (opened(input), None)
        } else {
            (FileStatus::of(file).ok(), resolve(file).ok())
        };
        self.register(file, found, target, true);
    }

    fn register(
        &mut self,
        name: &Path,
        found: Option<FileStatus>,
        target: Option<PathBuf>,
        is_read: bool,
    ) {
        self.files.push(KnownFile {
            name: name.to_owned(),
            id: found.and_then(FileStatus::exclusive_id),
            target,
            is_read,
        });
    }

    /// Registers a record, which the command reads or extends, with the files that SQLite keeps
    /// next to it.
    pub fn records(&mut self, store: &Path) {
        self.reads(store);
        for file in siblings(store) {
            self.reads(&file);
        }
    }

    /// Checks that a record to write is not an input of the command.
    ///
    /// # Errors
    /// The record is one of the inputs.
    pub fn prepare_record(&mut self, store: &Path) -> Result<(), Failure> {
        let found = FileStatus::of(store).ok();
        let target = resolve(store).unwrap_or_default();
        self.refuse_registered(store, found, &target)?;
        self.records(store);
        Ok(())
    }

    /// Prepares a file that is written at the end and replaces an existing one.
    ///
    /// # Errors
    /// The path is a folder, or its folder does not exist; there is no write permission; the file
    /// is an input of the command; it is prepared already; or its name is `-`, which means standard
    /// output elsewhere.
    pub fn prepare(&mut self, file: &Path) -> Result<OutputFile, Failure> {
        if file == Path::new("-") {
            let reason = "this command prints other text to standard output";
            let help = "name a file; `./-` is a file of that name";
            return Err(CannotWrite::because(file, reason, help));
        }
        let found = FileStatus::of(file).ok();
        let destination = self.destination(file, found)?;
        let target = match &destination {
            Destination::Regular(target) => Some(target.clone()),
            _ => None,
        };
        self.register(file, found, target, false);
        Ok(OutputFile {
            name: file.to_owned(),
            destination,
            is_new: false,
        })
    }

    /// Like [`prepare`](Self::prepare), but replaces an existing file only with `force`.
    ///
    /// # Errors
    /// The file exists, or cannot be written.
    pub fn prepare_new(&mut self, file: &Path, force: bool) -> Result<OutputFile, Failure> {
        let mut output = self.prepare(file)?;
        output.is_new = !force;
        if !force && output.replaces() {
            let help = "name another file, or replace it with `--force`";
            return Err(CannotWrite::because(file, "it exists already", help));
        }
        Ok(output)
    }

    /// Like [`prepare`](Self::prepare), for an output that is read again while it is written: a
    /// file, and no stream.
    pub(crate) fn prepare_file(&mut self, file: &Path) -> Result<OutputFile, Failure> {
        let is_stream = |found: FileStatus| matches!(found.kind, FileKind::Pipe | FileKind::Device);
        if FileStatus::of(file).is_ok_and(is_stream) {
            let reason = "it is a device or a pipe, and this command reads the file again";
            let help = "name a file";
            return Err(CannotWrite::because(file, reason, help));
        }
        self.prepare(file)
    }

    /// Prepares a file, or standard output for the name `-`.
    ///
    /// # Errors
    /// The file cannot be written, or standard output is already taken.
    pub fn prepare_or_stdout(&mut self, file: &Path) -> Result<OutputFile, Failure> {
        if file == Path::new("-") {
            return self.prepare_stdout("-");
        }
        self.prepare(file)
    }

    /// Prepares standard output, under the name that the user gave.
    ///
    /// # Errors
    /// Another output uses it, or it is a file that the command reads.
    pub fn prepare_stdout(&mut self, name: &str) -> Result<OutputFile, Failure> {
        let (name, target) = (Path::new(name), PathBuf::from(STDOUT));
        let [_, output, _] = standard_streams();
        let found = opened(output);
        self.refuse_registered(name, found, &target)?;
        self.register(name, found, Some(target), false);
        Ok(OutputFile {
            name: STDOUT.into(),
            destination: Destination::Stdout,
            is_new: false,
        })
    }

    fn destination(&self, file: &Path, found: Option<FileStatus>) -> Result<Destination, Failure> {
        let by_system = |error| CannotWrite::by_system(file, error);
        if found.is_some_and(|found| found.kind == FileKind::Folder) || ends_with_separator(file) {
            let help = "name a file in it";
            return Err(CannotWrite::because(file, "it is a folder", help));
        }
        if let Some(found) = found {
            // Devices are not compared by name: a device can be read and written at once.
            self.refuse_registered(file, Some(found), Path::new(""))?;
            if found.kind != FileKind::Regular {
                return open_stream(file, READER_PATIENCE)
                    .map(Destination::Direct)
                    .map_err(|error| {
                        if error.kind() == io::ErrorKind::BrokenPipe {
                            let reason = "it is a pipe without a reader";
                            return CannotWrite::because(file, reason, "start its reader first");
                        }
                        by_system(error)
                    });
            }
            if let Some(stream) = standard(found.id).map_err(by_system)? {
                return Ok(Destination::Direct(stream));
            }
        }
        let target = resolve(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let help = "create the folder first, or name another one";
                CannotWrite::because(file, "its folder does not exist", help)
            }
            io::ErrorKind::NotADirectory => {
                let reason = "its parent is a file, not a folder";
                CannotWrite::because(file, reason, "name a file in a folder")
            }
            _ => CannotWrite::by_system(file, error),
        })?;
        self.refuse_registered(file, found, &target)?;
        if let Some(reason) = of_sqlite(&target) {
            return Err(CannotWrite::because(file, reason, "name another file"));
        }
        // Test whether a file can be created there: create one and remove it at once.
        Replacement::of(&target).map(drop).map_err(by_system)?;
        Ok(Destination::Regular(target))
    }

    fn refuse_registered(
        &self,
        file: &Path,
        found: Option<FileStatus>,
        target: &Path,
    ) -> Result<(), Failure> {
        let id = found.and_then(FileStatus::exclusive_id);
        let is_same = |known: &&KnownFile| {
            (id.is_some() && known.id == id) || known.target.as_deref() == Some(target)
        };
        let Some(known) = self.files.iter().find(is_same) else {
            return Ok(());
        };
        let name = shown_path(&known.name);
        let reason = match known.is_read {
            true if known.name == file => "this command reads it".to_owned(),
            true => format!("it is the file {name}, which this command reads"),
            false if known.target.as_deref() == Some(Path::new(STDOUT)) => {
                format!("{name} already uses standard output")
            }
            false => format!("this command already writes it as {name}"),
        };
        Err(CannotWrite::because(file, reason, "name another file"))
    }
}

fn ends_with_separator(file: &Path) -> bool {
    let bytes = file.as_os_str().as_encoded_bytes();
    bytes.last().is_some_and(|&byte| is_separator(byte.into()))
}

/// Status of an open stream of this process.
fn opened(stream: io::Result<File>) -> Option<FileStatus> {
    FileStatus::of_open(&stream.ok()?).ok()
}

/// Returns standard output or standard error, if it is this file: `/dev/stdout` and similar names
/// resolve to the file that the stream is redirected to, and a replacement of that file would lose
/// the printed text.
fn standard(id: FileId) -> io::Result<Option<File>> {
    let [_, output, errors] = standard_streams();
    let is_same = |file: &File| FileStatus::of_open(file).is_ok_and(|found| found.id == id);
    Ok([output?, errors?].into_iter().find(is_same))
}

/// Returns the reason to refuse a file of SQLite, or one that would belong to its database.
fn of_sqlite(target: &Path) -> Option<String> {
    if is_sqlite(target) {
        return Some("it is an SQLite file".to_owned());
    }
    let main = main_of(target).filter(|main| is_sqlite(main))?;
    let name = shown_path(&main);
    Some(format!(
        "it is, or would be, a part of the SQLite file {name}"
    ))
}

/// A file that was writable when it was prepared.
#[derive(Debug)]
pub struct OutputFile {
    name: PathBuf,
    destination: Destination,
    /// True if it must not replace any file, including one that appears later.
    is_new: bool,
}

/// Destination of an output.
#[derive(Debug)]
enum Destination {
    /// A regular file, replaced after all has been written; with its resolved path.
    Regular(PathBuf),
    /// A pipe or device, which cannot be replaced.
    Direct(File),
    /// Standard output.
    Stdout,
}

impl OutputFile {
    /// Returns whether the output is standard output, named `-`.
    pub fn is_stdout(&self) -> bool {
        matches!(self.destination, Destination::Stdout)
    }

    /// Returns whether the output replaces an existing file.
    pub fn replaces(&self) -> bool {
        matches!(&self.destination, Destination::Regular(target) if target.exists())
    }

    /// Writes the whole text.
    ///
    /// # Errors
    /// The file cannot be written; the former one is unchanged.
    pub fn commit(self, text: &str) -> Result<(), Failure> {
        let mut writing = self.begin()?;
        writing.write(text)?;
        writing.finish()
    }

    /// Like [`commit`](Self::commit), but leaves a file with the same contents alone.
    pub(crate) fn commit_changed(self, text: &str) -> Result<(), Failure> {
        if let Destination::Regular(target) = &self.destination
            && fs::read(target).is_ok_and(|found| found == text.as_bytes())
        {
            return Ok(());
        }
        self.commit(text)
    }

    /// Name of the output.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Opens the file for appending while other programs read it. Continues an existing file if
    /// `is_own` accepts its beginning.
    ///
    /// # Errors
    /// The file cannot be opened, or `is_own` rejects it.
    pub fn follow(self, is_own: &dyn Fn(&[u8]) -> bool) -> Result<Box<dyn Write + Send>, Failure> {
        self.append(|mut file| {
            let mut start = Vec::new();
            file.take(64).read_to_end(&mut start)?;
            if start.is_empty() {
                return Ok(Ok(0));
            }
            if !is_own(&start) {
                return Ok(Err("it exists already and has other contents".to_owned()));
            }
            let mut last = [0];
            let length = file.seek(SeekFrom::End(-1))? + 1;
            file.read_exact(&mut last)?;
            if last == *b"\n" {
                return Ok(Ok(length));
            }
            // The former writer was killed within a line.
            file.write_all(b"\n")?;
            Ok(Ok(length + 1))
        })
    }

    /// Opens the file to continue it. `scan` reads the contents and returns the number of bytes to
    /// keep: the rest was incomplete when the former writer was killed. Pipes and devices are not
    /// read.
    ///
    /// # Errors
    /// The file cannot be opened or read, or `scan` refuses it.
    pub fn continued(
        self,
        scan: impl FnOnce(&mut dyn BufRead) -> io::Result<Result<u64, String>>,
    ) -> Result<Box<dyn Write + Send>, Failure> {
        self.append(|file| scan(&mut BufReader::new(file)))
    }

    fn append(
        self,
        scan: impl FnOnce(&File) -> io::Result<Result<u64, String>>,
    ) -> Result<Box<dyn Write + Send>, Failure> {
        let target = match self.destination {
            Destination::Regular(target) => target,
            Destination::Direct(file) => return Ok(Box::new(file)),
            Destination::Stdout => return Ok(Box::new(io::stdout())),
        };
        let by_system = |error| CannotWrite::by_system(&self.name, error);
        let mut options = OpenOptions::new();
        let options = options.read(true).append(true).create(true);
        let file = options.open(target).map_err(by_system)?;
        let kept = scan(&file).map_err(by_system)?;
        let kept =
            kept.map_err(|reason| CannotWrite::because(&self.name, reason, "name another file"))?;
        if kept < file.metadata().map_err(by_system)?.len() {
            file.set_len(kept).map_err(by_system)?;
        }
        Ok(Box::new(file))
    }

    /// Refuses a name with a file next to it that SQLite would read as the log of a record there.
    pub(crate) fn refuse_siblings(&self) -> Result<(), Failure> {
        let Some(file) = siblings(&self.name).into_iter().find(|file| file.exists()) else {
            return Ok(());
        };
        let reason = format!("{} would be read as a part of it", shown_path(&file));
        let help = "remove that file, or name another one";
        Err(CannotWrite::because(&self.name, reason, help))
    }

    /// Lets `write` fill a regular file under a temporary name, and then moves it to its place.
    ///
    /// # Errors
    /// The output is a pipe or a device, or cannot be written.
    pub fn fill<T>(self, write: impl FnOnce(&Path) -> Result<T, Failure>) -> Result<T, Failure> {
        let writing = self.begin()?;
        let WritingTo::File(file) = &writing.to else {
            let reason = "it is not a regular file";
            return Err(CannotWrite::because(&writing.name, reason, "name a file"));
        };
        let filled = file.fill(write).map_err(|error| writing.blame(error))??;
        writing.finish()?;
        Ok(filled)
    }

    /// Starts writing in parts.
    ///
    /// # Errors
    /// The file can no longer be created.
    pub fn begin(self) -> Result<Writing, Failure> {
        let to = match self.destination {
            Destination::Regular(target) => WritingTo::File(
                Replacement::of(&target)
                    .map_err(|error| CannotWrite::by_system(&self.name, error))?,
            ),
            Destination::Direct(file) => WritingTo::Stream(Box::new(BufWriter::new(file))),
            Destination::Stdout => WritingTo::Stream(Box::new(BufWriter::new(io::stdout().lock()))),
        };
        let (name, is_new) = (self.name, self.is_new);
        Ok(Writing { name, to, is_new })
    }
}

/// An output while it is written. If it is dropped before it is finished, the former file is
/// unchanged.
pub struct Writing {
    name: PathBuf,
    to: WritingTo,
    is_new: bool,
}

enum WritingTo {
    File(Replacement),
    Stream(Box<dyn Write>),
}

impl Writing {
    /// Returns whether the output replaces an existing file.
    pub fn replaces(&self) -> bool {
        matches!(&self.to, WritingTo::File(file) if file.target.exists())
    }

    /// Makes a regular file readable by its owner only.
    ///
    /// # Errors
    /// The system refuses.
    pub fn keep_secret(&self) -> Result<(), Failure> {
        if let WritingTo::File(file) = &self.to {
            file.make_private().map_err(|error| self.blame(error))?;
        }
        Ok(())
    }

    /// Appends text or bytes.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(&mut self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        let written = self.raw().write_all(text.as_ref());
        written.map_err(|error| self.blame(error))
    }

    /// The raw writer, for callers that handle its errors.
    pub fn raw(&mut self) -> &mut dyn Write {
        match &mut self.to {
            WritingTo::File(file) => &mut file.out,
            WritingTo::Stream(stream) => stream,
        }
    }

    /// Adds the name of the file to an error of [`Writing::raw`].
    pub fn blame(&self, error: io::Error) -> Failure {
        CannotWrite::by_system(&self.name, error)
    }

    /// Flushes the buffer and moves a file to its target.
    ///
    /// # Errors
    /// The file cannot be written, or would replace a file that has appeared since; the existing
    /// file is unchanged.
    pub fn finish(self) -> Result<(), Failure> {
        let by_system = |error| CannotWrite::by_system(&self.name, error);
        let mut file = match self.to {
            WritingTo::Stream(mut stream) => return stream.flush().map_err(by_system),
            WritingTo::File(file) => file,
        };
        let appeared = "another process has created this file since the command began";
        let is_in_the_way = self.is_new && file.target.exists();
        let reason = of_sqlite(&file.target).or(is_in_the_way.then(|| appeared.to_owned()));
        let Some(reason) = reason else {
            return file.finish().map_err(by_system);
        };
        let saved = unused_copy_path(&file.target).ok_or(io::ErrorKind::AlreadyExists.into());
        file.target = saved.map_err(by_system)?;
        let help = format!("the output is in {}", shown_path(&file.target));
        file.finish().map_err(by_system)?;
        Err(CannotWrite::because(&self.name, reason, help))
    }
}

/// Creates a folder for output files, if it does not exist.
///
/// # Errors
/// The folder cannot be created, or is not writable.
pub fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .and_then(|()| Replacement::of(&folder.join("any")).map(drop))
        .map_err(|error| CannotWrite::by_system(folder, error))
}
