//! Bounded reading of lines from untrusted output: no line is longer than [`LONGEST`], and not much
//! more than that is ever kept.

use memchr::memchr;
use thiserror::Error;

/// Largest length of a line in bytes: a principal variation of some hundred moves has a tenth of
/// it.
pub(crate) const LONGEST: usize = 1 << 14;

/// One line, or its substitute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its line break. Bytes that are not UTF-8 are escaped, such as `\xff`.
    Text(String),
    /// A line with control characters, escaped in the same way.
    Binary(String),
    /// The beginning of a line longer than [`LONGEST`].
    TooLong(String),
}

/// Number of bytes kept of a longer line.
const BEGINNING: usize = 400;

/// Limits of lines and bytes of a dialogue that is otherwise only limited by time: the longest
/// greetings have a hundredth.
const MAX_LINES: usize = 10_000;
const MAX_BYTES: usize = 4 << 20;

/// Excessive output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Flood {
    /// Too many lines.
    #[error("more than {MAX_LINES} lines where one answer was awaited")]
    Lines,
    /// Too many bytes.
    #[error("more than {} MiB where one answer was awaited", MAX_BYTES >> 20)]
    Bytes,
    /// Too many options; in the protocol GTP, commands.
    #[error("more than {0} options")]
    Options(usize),
}

/// The amount of output so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputCount {
    lines: usize,
    bytes: usize,
}

impl OutputCount {
    /// Counts another line.
    ///
    /// # Errors
    /// The line exceeds a limit.
    pub fn count(&mut self, line: &Line) -> Result<(), Flood> {
        self.lines += 1;
        self.bytes += match line {
            Line::Text(text) | Line::Binary(text) => text.len(),
            Line::TooLong(_) => 0,
        };
        if self.lines > MAX_LINES {
            Err(Flood::Lines)
        } else if self.bytes > MAX_BYTES {
            Err(Flood::Bytes)
        } else {
            Ok(())
        }
    }
}

/// Number of bytes per read.
const CHUNK: usize = 1 << 14;

/// Buffered output that has not been taken as lines: less than a line of [`LONGEST`] plus one read.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    bytes: Vec<u8>,
    /// Number of bytes at the beginning that have been taken.
    taken: usize,
    /// Number of bytes without a line break.
    searched: usize,
    /// The beginning of the current line, if it is too long already.
    too_long: Option<String>,
}

impl Lines {
    /// The buffer with capacity for a read, which appends the bytes.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        self.make_room();
        self.bytes.reserve(CHUNK);
        &mut self.bytes
    }

    /// The next complete line, if there is one.
    pub(crate) fn take(&mut self) -> Option<Line> {
        let unsearched = &self.bytes[self.searched..];
        let Some(length) = memchr(b'\n', unsearched) else {
            self.searched = self.bytes.len();
            return None;
        };
        let (start, end) = (self.taken, self.searched + length);
        (self.taken, self.searched) = (end + 1, end + 1);
        let line = &self.bytes[start..end];
        if let Some(beginning) = self.too_long.take() {
            return Some(Line::TooLong(beginning));
        }
        if line.len() > LONGEST {
            return Some(Line::TooLong(beginning(line)));
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_control = |byte: u8| byte.is_ascii_control() && byte != b'\t';
        let text = text(line);
        // All bytes, which is faster than a search.
        Some(
            if line.iter().fold(false, |any, &byte| any | is_control(byte)) {
                Line::Binary(text)
            } else {
                Line::Text(text)
            },
        )
    }

    /// The unfinished line at the end, if there is one.
    pub(crate) fn unfinished(&self) -> Option<String> {
        if self.too_long.is_some() {
            return self.too_long.clone();
        }
        let text = text(&self.bytes[self.taken..]);
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Discards taken bytes, and those of a line that is too long.
    fn make_room(&mut self) {
        let half = self.bytes.len() - self.taken;
        if half > LONGEST && self.searched == self.bytes.len() {
            let begun = &self.bytes[self.taken..];
            self.too_long.get_or_insert_with(|| beginning(begun));
            self.taken = self.bytes.len();
        }
        self.bytes.drain(..self.taken);
        self.searched -= self.taken;
        self.taken = 0;
    }
}

/// Bytes as text, with invalid UTF-8 escaped.
fn text(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let escaped = chunk.invalid().escape_ascii();
        text.extend(escaped.map(char::from));
    }
    text
}

/// The beginning of a line that is too long, marked as such.
fn beginning(line: &[u8]) -> String {
    text(&line[..line.len().min(BEGINNING)]) + "…"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The lines of bytes that are read in chunks of this size.
    fn lines(bytes: &[u8], chunk: usize) -> Vec<Line> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for chunk in bytes.chunks(chunk) {
            lines.buffer().extend_from_slice(chunk);
            assert!(lines.bytes.len() <= LONGEST + 2 * CHUNK);
            found.extend(std::iter::from_fn(|| lines.take()));
        }
        found
    }

    #[test]
    fn lines_are_bounded_and_half_a_line_is_none() {
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(
            lines(b"uciok\r\n\nid \xff\nhalf", 3),
            [text("uciok"), text(""), text("id \\xff")]
        );
        assert_eq!(
            lines(b"\x1b[0m\nok\n", 64),
            [Line::Binary("\u{1b}[0m".to_owned()), text("ok")]
        );
        let mut long = vec![b'x'; LONGEST + 1];
        long.extend(b"\nok\n");
        let beginning = "x".repeat(BEGINNING) + "…";
        for chunk in [100, 4096, LONGEST + 1] {
            let wanted = [Line::TooLong(beginning.clone()), text("ok")];
            assert_eq!(lines(&long, chunk), wanted);
        }
        assert_eq!(lines(&long[1..], 4096).len(), 2);
        assert!(matches!(&lines(&long[1..], 4096)[0], Line::Text(line) if line.len() == LONGEST));
    }

    proptest! {
        #[test]
        fn any_bytes_give_bounded_lines_whatever_the_chunks(
            bytes in proptest::collection::vec(any::<u8>(), 0..400),
            capacity in 1usize..50,
        ) {
            let read = lines(&bytes, capacity);
            prop_assert_eq!(read.len(), bytes.split(|&byte| byte == b'\n').count() - 1);
            prop_assert_eq!(read, lines(&bytes, 1024));
        }
    }
}
