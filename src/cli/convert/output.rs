//! Where converted games go.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::replacement::Replacement;
use crate::cli::common::Failure;

/// A file, standard output, or nothing at all.
pub(super) enum Output {
    /// Nothing is written.
    Nothing,
    /// What is written as it comes, and what messages call it.
    To(Box<dyn Write>, PathBuf),
    /// A file that takes its place when all is written, and what messages call
    /// it: whatever goes wrong before leaves the former file as it was.
    Whole(BufWriter<Replacement>, PathBuf),
}

impl Output {
    /// Opens a file; standard output without one, and for `-`.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let path = path.filter(|path| *path != Path::new("-"));
        let Some(path) = path else {
            let out = Box::new(BufWriter::new(io::stdout().lock()));
            return Ok(Output::To(out, "standard output".into()));
        };
        let name = path.to_owned();
        let problem = || format!("cannot write {}", path.display());
        // A pipe or a device has nothing to lose and cannot be replaced.
        if path.metadata().is_ok_and(|it| !it.is_file()) {
            let file = File::create(path).with_context(problem)?;
            return Ok(Output::To(Box::new(BufWriter::new(file)), name));
        }
        let file = Replacement::of(path).with_context(problem)?;
        Ok(Output::Whole(BufWriter::new(file), name))
    }

    /// Whether anything is written.
    pub(super) fn is_something(&self) -> bool {
        !matches!(self, Output::Nothing)
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        let (written, name) = match self {
            Output::Nothing => return Ok(()),
            Output::To(out, name) => (writeln!(out, "{text}"), name),
            Output::Whole(out, name) => (writeln!(out, "{text}"), name),
        };
        written.with_context(|| format!("cannot write {}", name.display()))
    }

    /// Writes what still waits, and puts a file in its place.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        let (finished, name) = match self {
            Output::Nothing => return Ok(()),
            Output::To(out, name) => (out.flush(), name),
            Output::Whole(out, name) => (out.flush().and_then(|()| out.get_mut().finish()), name),
        };
        finished.with_context(|| format!("cannot write {}", name.display()))
    }
}
