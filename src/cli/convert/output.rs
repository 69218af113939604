//! Where converted games go.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::common::Failure;

/// A file, standard output, or nothing at all.
pub(super) enum Output {
    /// Nothing is written.
    Nothing,
    /// What is written, and what messages call it.
    To(Box<dyn Write>, PathBuf),
}

impl Output {
    /// Opens a file; standard output without one, and for `-`.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let path = path.filter(|path| *path != Path::new("-"));
        let Some(path) = path else {
            let out = Box::new(BufWriter::new(io::stdout().lock()));
            return Ok(Output::To(out, "standard output".into()));
        };
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Output::To(Box::new(BufWriter::new(file)), path.to_owned()))
    }

    /// Whether anything is written.
    pub(super) fn is_something(&self) -> bool {
        matches!(self, Output::To(..))
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Output::Nothing => Ok(()),
            Output::To(out, name) => {
                writeln!(out, "{text}").with_context(|| format!("cannot write {}", name.display()))
            }
        }
    }

    /// Writes what still waits.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        match self {
            Output::Nothing => Ok(()),
            Output::To(out, name) => {
                let flushed = out.flush();
                flushed.with_context(|| format!("cannot write {}", name.display()))
            }
        }
    }
}
