//! Lines of text from files of any age.

use std::io::BufRead;

use super::ReadError;

/// Most letters of a line that a message shows.
const SHOWN: usize = 120;

/// The lines of a file, numbered from 1, without a byte order mark and without
/// line ends of any kind.
pub(super) struct Lines<'n, R> {
    reader: R,
    name: &'n str,
    buffer: Vec<u8>,
    number: u64,
    /// Lines that are not UTF-8 and were read as Latin-1.
    pub(super) latin: u64,
}

impl<'n, R: BufRead> Lines<'n, R> {
    pub(super) fn new(reader: R, name: &'n str) -> Self {
        Self {
            reader,
            name,
            buffer: Vec::new(),
            number: 0,
            latin: 0,
        }
    }

    /// The next line and its number; `None` at the end.
    ///
    /// # Errors
    /// Reading fails, or the file is UTF-16.
    pub(super) fn next(&mut self) -> Result<Option<(u64, String)>, ReadError> {
        self.buffer.clear();
        let read = self.reader.read_until(b'\n', &mut self.buffer);
        let read = read.map_err(|source| ReadError::Read {
            name: self.name.to_owned(),
            source,
        })?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        let mut line = self.buffer.as_slice();
        if self.number == 1 {
            if line.starts_with(&[0xFF, 0xFE]) || line.starts_with(&[0xFE, 0xFF]) {
                return Err(ReadError::File {
                    name: self.name.to_owned(),
                    problem: "the text is UTF-16".to_owned(),
                    help: "save it as UTF-8".to_owned(),
                });
            }
            line = line.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(line);
        }
        while let Some((b'\n' | b'\r', rest)) = line.split_last() {
            line = rest;
        }
        let text = if let Ok(text) = std::str::from_utf8(line) {
            text.to_owned()
        } else {
            self.latin += 1;
            line.iter().copied().map(char::from).collect()
        };
        Ok(Some((self.number, text)))
    }

    /// What is to be said of the text as such.
    pub(super) fn note(&self) -> Option<String> {
        let (name, lines) = (self.name, self.latin);
        (lines > 0).then(|| format!("{name}: {lines} lines are not UTF-8 and were read as Latin-1"))
    }
}

/// A line for a message: cut if it is long, without control characters.
pub(super) fn shown(line: &str) -> String {
    let visible = |letter: char| if letter.is_control() { ' ' } else { letter };
    let mut text: String = line.trim().chars().take(SHOWN).map(visible).collect();
    if line.trim().chars().nth(SHOWN).is_some() {
        text.push('…');
    }
    text
}
