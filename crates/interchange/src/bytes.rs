//! The bytes of a file in a binary form.

use std::io::{BufRead, ErrorKind, Read};

use crate::{Lines, TextError};

/// The unpacked bytes of a file, with its name.
pub struct Bytes<'r> {
    reader: Box<dyn BufRead + 'r>,
    name: String,
    is_read: bool,
}

impl<'r> Bytes<'r> {
    /// The bytes of `reader`; `name` is the file name for messages.
    pub fn new(reader: impl BufRead + 'r, name: &str) -> Self {
        Self {
            reader: Box::new(reader),
            name: name.to_owned(),
            is_read: false,
        }
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All bytes; `None` if they were read before.
    ///
    /// # Errors
    /// Reading fails, or there are more than `most` bytes; `help` is the remedy.
    pub fn all(&mut self, most: u64, help: &str) -> Result<Option<Vec<u8>>, TextError> {
        if std::mem::replace(&mut self.is_read, true) {
            return Ok(None);
        }
        let mut all = Vec::new();
        let read = self.reader.by_ref().take(most + 1).read_to_end(&mut all);
        read.map_err(|error| TextError::read(&self.name, error))?;
        if all.len() as u64 > most {
            let problem = format!("it has more than {} MiB", most >> 20);
            return Err(TextError::file(&self.name, problem, help));
        }
        Ok(Some(all))
    }

    /// The next bytes; `None` if the file ends before.
    ///
    /// # Errors
    /// Reading fails.
    pub fn take<const LENGTH: usize>(&mut self) -> Result<Option<[u8; LENGTH]>, TextError> {
        let mut taken = [0; LENGTH];
        match self.reader.read_exact(&mut taken) {
            Ok(()) => Ok(Some(taken)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(TextError::read(&self.name, error)),
        }
    }

    /// The bytes as text.
    pub fn lines(self) -> Lines<'r> {
        Lines::new(self.reader, &self.name)
    }
}

impl std::fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bytes({})", self.name)
    }
}
