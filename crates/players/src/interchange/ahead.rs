//! A reader that can look ahead.

use std::io::{self, BufRead, Read};

/// Largest number of bytes to look ahead.
const FARTHEST: usize = 1 << 20;

/// A reader that can look ahead.
#[derive(Debug)]
pub(super) struct Ahead<R> {
    reader: R,
    /// The bytes looked at, and how many of them have been read since.
    bytes: Vec<u8>,
    read: usize,
}

impl<R: BufRead> Ahead<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            bytes: Vec::new(),
            read: 0,
        }
    }

    /// The first `Some` that `answer` returns for one of the following lines, without reading them;
    /// `None` if there is none within 1 MiB.
    pub(super) fn find<T>(
        &mut self,
        mut answer: impl FnMut(&[u8]) -> Option<T>,
    ) -> io::Result<Option<T>> {
        self.bytes.drain(..self.read);
        self.read = 0;
        let (mut start, mut seen) = (0, 0);
        loop {
            let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
            while let Some(end) = self.bytes[seen..].iter().position(is_end) {
                let end = seen + end;
                let found = answer(&self.bytes[start..end]);
                if found.is_some() {
                    return Ok(found);
                }
                (start, seen) = (end + 1, end + 1);
            }
            seen = self.bytes.len();
            if seen >= FARTHEST {
                return Ok(None);
            }
            let chunk = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            let length = chunk.len();
            if length == 0 {
                return Ok(answer(&self.bytes[start..]));
            }
            self.bytes.extend_from_slice(chunk);
            self.reader.consume(length);
        }
    }
}

impl<R: BufRead> Read for Ahead<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(into)?;
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Ahead<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read < self.bytes.len() {
            return Ok(&self.bytes[self.read..]);
        }
        self.reader.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        if self.read < self.bytes.len() {
            self.read = (self.read + length).min(self.bytes.len());
        } else {
            self.reader.consume(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_looked_at_is_still_read() {
        let text = b"ab\r\ncd\nef";
        let mut ahead = Ahead::new(io::BufReader::with_capacity(3, &text[..]));
        let mut begin = [0; 1];
        ahead.read_exact(&mut begin).unwrap();
        let mut lines = Vec::new();
        let found = ahead.find(|line| {
            lines.push(line.to_vec());
            (line == b"cd").then_some(1)
        });
        assert_eq!(found.unwrap(), Some(1));
        assert_eq!(lines, [&b"b"[..], b"", b"cd"]);
        assert_eq!(
            ahead.find(|line| (line == b"ef").then_some(2)).unwrap(),
            Some(2)
        );
        assert_eq!(ahead.find(|_| None::<u8>).unwrap(), None);
        let mut rest = Vec::new();
        ahead.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, b"b\r\ncd\nef");
    }

    #[test]
    fn an_endless_line_is_not_looked_through() {
        let mut ahead = Ahead::new(io::BufReader::new(io::repeat(b'x')));
        assert_eq!(ahead.find(|_| Some(1)).unwrap(), None);
        assert!(ahead.bytes.len() < FARTHEST + (1 << 16));
    }
}
