//! The files of a study: its journal, tables and plots.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;

use crate::cli::common::Failure;
use crate::report::study::Plot;

/// A file of finished cells, to which more are added.
pub(super) struct Journal(File);

impl Journal {
    /// Opens a journal, or begins it, and gives its text.
    pub(super) fn open(path: &Path) -> Result<(Self, String), Failure> {
        let context = || format!("cannot use the journal {}", path.display());
        let mut options = File::options();
        let options = options.read(true).append(true).create(true);
        let mut file = options.open(path).with_context(context)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(context)?;
        if !text.is_empty() && !text.ends_with('\n') {
            // A line that was torn must not spoil the next one.
            file.write_all(b"\n").with_context(context)?;
        }
        Ok((Self(file), text))
    }

    /// Adds a line that ends with a line break.
    pub(super) fn add(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.0.write_all(line.as_bytes());
        written.context("cannot write the journal")
    }
}

/// Writes the plots into a folder, which is made if need be.
pub(super) fn write_plots(folder: &Path, plots: &[Plot]) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for plot in plots {
        write(&folder.join(&plot.name), &plot.svg)?;
    }
    Ok(())
}

/// Writes a file.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
