//! Where converted games go.

use crate::cli::failure::Failure;
use crate::cli::output::Writing;

/// A file or standard output, or nothing at all.
pub(super) enum Output {
    /// Nothing is written.
    Nothing,
    /// What takes its place when all is written.
    To(Writing),
}

impl Output {
    /// Whether anything is written.
    pub(super) fn is_something(&self) -> bool {
        !matches!(self, Output::Nothing)
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        let Output::To(writing) = self else {
            return Ok(());
        };
        writing.write(text)?;
        writing.write("\n")
    }

    /// Writes what still waits, and puts a file in its place.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        match std::mem::replace(self, Output::Nothing) {
            Output::Nothing => Ok(()),
            Output::To(writing) => writing.finish(),
        }
    }
}
