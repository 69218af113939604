//! Lines of text in any encoding.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use memchr::memchr;

use crate::TextError;
use crate::decoder::Decoder;
use leitai_base::foreign::excerpt;

/// Largest number of characters of a line in a message.
const SHOWN: usize = 120;

/// Largest number of bytes of a line, so that a file without line ends does not fill the memory.
const LONGEST: usize = 1 << 20;

/// Number of bytes that show the format of a file.
pub(crate) const BEGINNING: usize = 1 << 16;

/// The lines of a file, numbered from 1, without byte order marks and without line ends of any kind
/// (line feed, carriage return, both).
///
/// Lines that are not UTF-8 or UTF-16 have the encoding that their bytes show, else Latin-1;
/// [`notes`](Lines::notes) reports their numbers.
pub struct Lines<'r> {
    text: Decoder<'r>,
    name: String,
    number: u64,
    /// Bytes that were taken, and not read.
    rest: VecDeque<u8>,
}

impl<'r> Lines<'r> {
    /// The lines of `reader`; `name` is the file name for messages.
    pub fn new(reader: impl BufRead + 'r, name: &str) -> Self {
        Self {
            text: Decoder::new(reader),
            name: name.to_owned(),
            number: 0,
            rest: VecDeque::new(),
        }
    }

    /// The lines of a text that [`read_all`](Self::read_all) has returned.
    pub fn of_text(text: String, name: &str) -> Lines<'static> {
        Lines {
            text: Decoder::of_text(text),
            name: name.to_owned(),
            number: 0,
            rest: VecDeque::new(),
        }
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of lines that were taken.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next line and its number; `None` at the end.
    ///
    /// # Errors
    /// Reading fails, or a line is longer than 1 MiB.
    pub fn next_line(&mut self) -> Result<Option<(u64, String)>, TextError> {
        let mut least = 1;
        loop {
            let text = self.text.text(least);
            let text = text.map_err(|error| TextError::read(&self.name, error))?;
            let end = memchr(b'\n', text.as_bytes());
            if end.unwrap_or(text.len()) > LONGEST {
                let problem = format!("line {} is longer than 1 MiB", self.number + 1);
                let help = "check that it is a text file: a line holds a tag, moves or a position";
                return Err(TextError::file(&self.name, problem, help));
            }
            if text.is_empty() {
                return Ok(None);
            }
            // Without more text this is the last line.
            if end.is_none() && text.len() >= least {
                least = text.len() + 1;
                continue;
            }
            let line = text[..end.unwrap_or(text.len())].to_owned();
            self.take(line.len() + usize::from(end.is_some()), 1);
            return Ok(Some((self.number, line)));
        }
    }

    /// The next `least` bytes of the text, or more, or all that are left.
    pub(crate) fn ahead(&mut self, least: usize) -> Result<&str, TextError> {
        let text = self.text.text(least);
        text.map_err(|error| TextError::read(&self.name, error))
    }

    /// Takes this number of bytes with this number of lines.
    pub(crate) fn take(&mut self, bytes: usize, lines: u64) {
        self.text.take(bytes);
        self.number += lines;
    }

    /// Takes this number of bytes as a text of their own, with this number of lines.
    pub(crate) fn split(&mut self, bytes: usize, lines: u64) -> String {
        self.number += lines;
        self.text.split(bytes)
    }

    /// All that is left as one text.
    ///
    /// # Errors
    /// Reading fails, or there are more than `most` bytes.
    pub fn read_all(&mut self, most: u64) -> Result<String, TextError> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let text = self.ahead(most.saturating_add(1))?;
        if text.len() > most {
            let problem = format!("it has more than {} MiB", most >> 20);
            return Err(TextError::file(
                &self.name,
                problem,
                "split the file into smaller ones",
            ));
        }
        let length = text.len();
        Ok(self.split(length, 0))
    }

    /// The first 64 KiB of the text, or more, or all, without taking anything.
    ///
    /// # Errors
    /// Reading fails.
    pub fn beginning(&mut self) -> Result<&str, TextError> {
        self.ahead(BEGINNING)
    }

    /// The first line that is neither blank nor a comment, without taking anything. The skipped
    /// lines mean nothing in any of the formats.
    ///
    /// # Errors
    /// As [`next_line`](Lines::next_line).
    pub fn first(&mut self) -> Result<&str, TextError> {
        let mut lines = self.beginning()?.lines().map(str::trim_start);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', '%', ';']));
        Ok(first.unwrap_or_default())
    }

    /// Notes on the text itself, such as its encoding.
    pub fn notes(&self) -> Vec<String> {
        let name = leitai_base::foreign::shown(&self.name);
        let note = |(letters, lines)| {
            let is_read = match lines {
                1 => "1 line is not UTF-8 and was".to_owned(),
                _ => format!("{lines} lines are not UTF-8 and were"),
            };
            format!("{name}: {is_read} read as {letters}")
        };
        self.text.tallies().map(note).collect()
    }
}

impl Read for Lines<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            let text = self.text.text(1)?;
            let whole = text.floor_char_boundary(bytes.len());
            // A buffer with less room than a letter gets its bytes one after the other.
            let length = match text.chars().next() {
                Some(first) if whole == 0 => first.len_utf8(),
                _ => whole,
            };
            self.rest.extend(&text.as_bytes()[..length]);
            self.text.take(length);
        }
        self.rest.read(bytes)
    }
}

/// The lines of a short text in any encoding.
pub fn decoded(text: &[u8]) -> Vec<String> {
    let mut lines = Lines::new(text, "");
    // Reading from memory cannot fail.
    let next = || lines.next_line().ok().flatten().map(|(_, line)| line);
    std::iter::from_fn(next).collect()
}

/// A text in the encoding with that name, such as `EUC-KR`; `None` for an unknown name, or if the text
/// is not of that encoding.
pub fn decoded_as(text: &[u8], name: &str) -> Option<String> {
    let encoding = encoding_rs::Encoding::for_label(name.trim().as_bytes())?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(text)?;
    Some(text.into_owned())
}

/// A line for a message: truncated if it is long, without control characters.
pub fn shown(line: &str) -> String {
    excerpt(line, SHOWN)
}

impl std::fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lines({}, behind line {})", self.name, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<(u64, String)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(2, bytes), "x");
        std::iter::from_fn(|| lines.next_line().unwrap()).collect()
    }

    fn joined(bytes: &[u8]) -> String {
        let texts = all(bytes).into_iter().map(|(_, text)| text);
        texts.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn line_ends_of_every_age() {
        let lines = |text: &[u8]| joined(text).replace('\n', "|");
        assert_eq!(lines(b"a\nb\r\nc\rd"), "a|b|c|d");
        assert_eq!(lines(b"a\n\nb\r\n\r\nc\r\rd\n"), "a||b||c||d");
        assert_eq!(lines(b"\xEF\xBB\xBFa\n\xEF\xBB\xBFb"), "a|b");
        assert_eq!(lines(b"a\r\nb\x1a\r\n\x1a"), "a|b | ");
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\r\n").len(), 1);
        // Line ends at every place of a block.
        for blanks in 0..4 {
            let text = " ".repeat(blanks) + &"ab\r\n".repeat(50_000);
            assert_eq!(all(text.as_bytes()).len(), 50_000);
        }
    }

    #[test]
    fn a_name_that_could_be_utf8_has_the_encoding_of_its_file() {
        let gb = |text: &str| encoding_rs::GB18030.encode(text).0.into_owned();
        let big5 = |text: &str| encoding_rs::BIG5.encode(text).0.into_owned();
        // Detected from a later line, from an earlier one, and from the line alone.
        for text in [
            "[Red \"郑惟桐\"]\n[Black \"陆平\"]\n1. 炮二平五",
            "[Event \"全国象棋\"]\n[Red \"郑惟桐\"]\n[Black \"陆平\"]",
            "[Red \"郑惟桐\"]\n\n1. h2e2 *",
            "[Black \"陆平\"]",
        ] {
            assert_eq!(joined(&gb(text)), text);
            assert_eq!(joined(text.as_bytes()), text, "UTF-8");
        }
        for text in [
            "[Red \"許銀川\"]\n[Black \"呂欽\"]\n1. 炮二平五 馬8進7",
            "[Event \"象棋\"]\n\n1. 相三進五 炮8平5",
        ] {
            assert_eq!(joined(&big5(text)), text);
            assert_eq!(joined(text.as_bytes()), text, "UTF-8");
        }
        // Western UTF-8, and both encodings one after the other.
        let western = "[White \"Müller\"]\n[Black \"Zoë Čech\"]\n1. h2e2 *";
        assert_eq!(joined(western.as_bytes()), western);
        let both = [gb("炮二平五\n"), "马８进７".into()].concat();
        assert_eq!(joined(&both), "炮二平五\n马８进７");
    }

    #[test]
    fn utf_16_has_a_mark_or_zeros() {
        let text = "[Red \"许银川\"]\n[White \"Müller\"]\n\n1. h2e2 h9g7 *\n".repeat(3000);
        let wide = |little: bool, mark: &str| -> Vec<u8> {
            let units = mark.encode_utf16().chain(text.encode_utf16());
            let bytes = |unit: u16| {
                if little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            };
            units.flat_map(bytes).collect()
        };
        for little in [false, true] {
            for mark in ["\u{feff}", ""] {
                assert_eq!(joined(&wide(little, mark)), text.trim_end());
            }
        }
    }

    #[test]
    fn a_file_without_line_ends_is_refused_in_bounded_memory() {
        let endless = io::BufReader::new(io::repeat(b'x'));
        let mut lines = Lines::new(endless, "big");
        let error = lines.next_line().unwrap_err().to_string();
        assert!(
            error.contains("big: line 1 is longer than 1 MiB"),
            "{error}"
        );
    }

    #[test]
    fn bytes_are_read_with_any_room() {
        let text = "[Red \"许银川\"]\n1. h2e2 \u{202e}é *\n";
        for room in 1..9 {
            let mut lines = Lines::new(text.as_bytes(), "x");
            let (mut all, mut part) = (Vec::<u8>::new(), vec![0; room]);
            loop {
                match lines.read(&mut part).unwrap() {
                    0 => break,
                    read => all.extend(&part[..read]),
                }
            }
            assert_eq!(all, text.as_bytes(), "{room}");
        }
    }

    #[test]
    fn the_first_line_is_found_and_kept() {
        let mut lines = Lines::new(&b"#\n\n; a comment\n x\n"[..], "x");
        assert_eq!(lines.first().unwrap(), "x");
        assert_eq!(lines.next_line().unwrap(), Some((1, "#".to_owned())));
        assert_eq!(Lines::new(&b"# only"[..], "x").first().unwrap(), "");
    }
}
