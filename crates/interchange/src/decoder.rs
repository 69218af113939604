//! The text of a file of any encoding and line ends, in UTF-8.

use std::io::{self, BufRead, Read};

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::{memchr2, memrchr2};

use crate::encoding::{Evidence, change, decode, examine, is_chinese, survey};

/// Number of bytes that are decoded at once.
const BLOCK: usize = 1 << 16;

/// Largest number of bytes of a line that is decoded as a whole, and to read ahead for the
/// encoding.
const FARTHEST: usize = 1 << 20;

/// Number of bytes that show whether a text without a byte order mark is UTF-16.
const UTF_16_SAMPLE: usize = 512;

/// The end of a text in DOS and CP/M.
const END_OF_TEXT: u8 = 0x1a;

/// Characters without width that separate nothing: the byte order mark of a joined file, the zero
/// width blank and the word joiner.
const INVISIBLE: [char; 3] = ['\u{feff}', '\u{200b}', '\u{2060}'];

/// A file as UTF-8 with line feeds as line ends and without byte order marks. The marks of DOS for
/// the end of a text become blanks.
///
/// Lines that are not UTF-8 have the encoding that their bytes and brackets show.
pub(crate) struct Decoder<'r> {
    input: Box<dyn BufRead + 'r>,
    /// Bytes that are not decoded yet.
    raw: Vec<u8>,
    /// True at the end of the input.
    is_ended: bool,
    /// The decoder of UTF-16, if the file is that.
    utf_16: Option<encoding_rs::Decoder>,
    /// True before the first byte.
    is_first: bool,
    /// The last byte: a line feed behind a carriage return belongs to it.
    last: u8,
    /// The encoding of the file, once detected.
    encoding: Option<&'static Encoding>,
    /// True if the decoded text ends in a comment.
    in_comment: bool,
    /// Decoded text, and the number of bytes of it that were taken.
    text: String,
    taken: usize,
    /// Encodings other than UTF-8 with their numbers of lines.
    tallies: Vec<(&'static Encoding, u64)>,
}

impl<'r> Decoder<'r> {
    pub(crate) fn new(input: impl BufRead + 'r) -> Self {
        Self {
            input: Box::new(input),
            raw: Vec::new(),
            is_ended: false,
            utf_16: None,
            is_first: true,
            last: 0,
            encoding: None,
            in_comment: false,
            text: String::new(),
            taken: 0,
            tallies: Vec::new(),
        }
    }

    /// A decoder at the end of its file, with this text to be taken.
    pub(crate) fn of_text(text: String) -> Decoder<'static> {
        Decoder {
            is_ended: true,
            is_first: false,
            text,
            ..Decoder::new(io::empty())
        }
    }

    /// The decoded text that was not taken: at least `least` bytes, or all up to the end of the
    /// file.
    pub(crate) fn text(&mut self, least: usize) -> io::Result<&str> {
        if self.text.len() - self.taken < least && self.taken > 0 {
            self.text.drain(..self.taken);
            self.taken = 0;
        }
        while self.text.len() - self.taken < least && self.decode_block()? {}
        Ok(&self.text[self.taken..])
    }

    /// Takes the first bytes of the text as a text of their own.
    pub(crate) fn split(&mut self, bytes: usize) -> String {
        self.text.drain(..std::mem::take(&mut self.taken));
        let rest = self.text.split_off(bytes);
        std::mem::replace(&mut self.text, rest)
    }

    /// Takes this number of bytes of the text.
    pub(crate) fn take(&mut self, bytes: usize) {
        self.taken += bytes;
    }

    /// The names of encodings other than UTF-8 with the numbers of lines that had them.
    pub(crate) fn tallies(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.tallies.iter().map(|(encoding, lines)| {
            let name = match *encoding {
                it if it == WINDOWS_1252 => "Latin-1",
                it if it == GB18030 => "GB18030",
                it => it.name(),
            };
            (name, *lines)
        })
    }

    /// Decodes the next lines; returns false at the end of the file.
    fn decode_block(&mut self) -> io::Result<bool> {
        let mut least = BLOCK;
        let end = loop {
            self.read_to(least)?;
            if self.is_ended {
                break self.raw.len();
            }
            match memrchr2(b'\n', b'\r', &self.raw) {
                Some(end) => break end + 1,
                None if self.raw.len() >= FARTHEST => break self.raw.len(),
                None => least = 2 * self.raw.len(),
            }
        };
        if end == 0 {
            return Ok(false);
        }
        let rest = self.raw.split_off(end);
        let mut block = std::mem::replace(&mut self.raw, rest);
        self.unify_line_ends(&mut block);
        self.decode_lines(&block)?;
        Ok(true)
    }

    /// Reads until that number of bytes wait, or to the end of the input.
    fn read_to(&mut self, least: usize) -> io::Result<()> {
        if std::mem::take(&mut self.is_first) {
            let mut bytes = Vec::new();
            self.input
                .by_ref()
                .take(UTF_16_SAMPLE as u64)
                .read_to_end(&mut bytes)?;
            self.utf_16 = utf_16(&bytes);
            self.add(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes));
        }
        while self.raw.len() < least && !self.is_ended {
            let missing = (least - self.raw.len()) as u64;
            let mut input = self.input.by_ref().take(missing);
            if self.utf_16.is_none() {
                self.is_ended = input.read_to_end(&mut self.raw)? == 0;
            } else {
                let mut bytes = Vec::new();
                self.is_ended = input.read_to_end(&mut bytes)? == 0;
                self.add(&bytes);
            }
        }
        Ok(())
    }

    /// Adds bytes of the file, those of UTF-16 as UTF-8.
    fn add(&mut self, bytes: &[u8]) {
        let Some(decoder) = &mut self.utf_16 else {
            return self.raw.extend_from_slice(bytes);
        };
        let room = decoder.max_utf8_buffer_length(bytes.len());
        let mut text = String::with_capacity(room.unwrap_or(4 * BLOCK));
        // There is room for all of the text.
        let _ = decoder.decode_to_string(bytes, &mut text, self.is_ended);
        self.raw.extend_from_slice(text.as_bytes());
    }

    /// Replaces carriage returns by line feeds, and ends of DOS by blanks.
    fn unify_line_ends(&mut self, block: &mut Vec<u8>) {
        let last = block.last().copied().unwrap_or_default();
        let is_split = std::mem::replace(&mut self.last, last) == b'\r';
        if is_split && block.first() == Some(&b'\n') {
            block.remove(0);
        }
        let Some(first) = memchr2(b'\r', END_OF_TEXT, block) else {
            return;
        };
        let (mut length, mut after_return) = (first, false);
        for at in first..block.len() {
            let byte = block[at];
            let is_second = byte == b'\n' && after_return;
            after_return = byte == b'\r';
            if !is_second {
                block[length] = match byte {
                    b'\r' => b'\n',
                    END_OF_TEXT => b' ',
                    other => other,
                };
                length += 1;
            }
        }
        block.truncate(length);
    }

    fn decode_lines(&mut self, block: &[u8]) -> io::Result<()> {
        let is_ascii = block.is_ascii();
        if (is_ascii || self.encoding.is_some_and(|it| !is_chinese(it)))
            && let Ok(text) = std::str::from_utf8(block)
        {
            self.push(text, is_ascii);
            return Ok(());
        }
        let mut at = 0;
        for line in block.split_inclusive(|byte| *byte == b'\n') {
            at += line.len();
            let later = &block[at..];
            let evidence = examine(line);
            let encoding = match (evidence, self.encoding) {
                (Evidence::Nothing, _) => UTF_8,
                (Evidence::Utf8, known) => {
                    self.encoding = known.or(Some(UTF_8));
                    UTF_8
                }
                (Evidence::Either { .. }, Some(known)) if !is_chinese(known) => UTF_8,
                (Evidence::Either { .. }, Some(known)) => known,
                (Evidence::Other, Some(known)) if known != UTF_8 => {
                    change(line, known).unwrap_or(known)
                }
                _ => self.survey(line, later)?,
            };
            // A line of UTF-8 in another file changes nothing: each change has to be detected.
            if evidence == Evidence::Other
                || self.encoding.is_none() && evidence != Evidence::Nothing
            {
                self.encoding = Some(encoding);
            }
            let (text, encoding) = decode(line, encoding, self.in_comment, later);
            self.push(&text, false);
            if encoding != UTF_8 {
                match self.tallies.iter_mut().find(|(it, _)| *it == encoding) {
                    Some((_, lines)) => *lines += 1,
                    None => self.tallies.push((encoding, 1)),
                }
            }
        }
        Ok(())
    }

    /// Detects the encoding of the file by a line and those that follow.
    fn survey(&mut self, first: &[u8], later: &[u8]) -> io::Result<&'static Encoding> {
        let mut lines = [first, later].concat();
        let (encoding, is_known) = survey(&lines, self.in_comment);
        if is_known {
            return Ok(encoding);
        }
        self.read_to(FARTHEST)?;
        lines.extend_from_slice(&self.raw);
        Ok(survey(&lines, self.in_comment).0)
    }

    /// Adds a text without invisible characters.
    fn push(&mut self, text: &str, is_ascii: bool) {
        if let Some(last) = memrchr2(b'{', b'}', text.as_bytes()) {
            self.in_comment = text.as_bytes()[last] == b'{';
        }
        if is_ascii || !text.contains(INVISIBLE) {
            self.text.push_str(text);
        } else {
            let letters = text.chars().filter(|letter| !INVISIBLE.contains(letter));
            self.text.extend(letters);
        }
    }
}

/// The beginning of a text in UTF-16; `None` for other bytes.
pub(crate) fn from_utf_16(start: &[u8]) -> Option<String> {
    let mut decoder = utf_16(start)?;
    let mut text = String::with_capacity(decoder.max_utf8_buffer_length(start.len())?);
    let _ = decoder.decode_to_string(start, &mut text, false);
    Some(text)
}

/// The decoder of a text in UTF-16, with a byte order mark or known by the zeros among its first
/// bytes: every second letter of moves and tags is ASCII.
fn utf_16(bytes: &[u8]) -> Option<encoding_rs::Decoder> {
    let start = &bytes[..bytes.len().min(UTF_16_SAMPLE) & !1];
    let zeros = |first: usize| {
        start
            .iter()
            .skip(first)
            .step_by(2)
            .filter(|it| **it == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    // 一 (U+4E00) has a zero in the other place.
    let is_wide =
        |zeros: usize, others: usize| zeros > 1 && zeros > start.len() / 8 && zeros > 4 * others;
    let letters = if bytes.starts_with(&[0xFF, 0xFE]) || is_wide(odd, even) {
        UTF_16LE
    } else if bytes.starts_with(&[0xFE, 0xFF]) || is_wide(even, odd) {
        UTF_16BE
    } else {
        return None;
    };
    Some(letters.new_decoder_with_bom_removal())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise the encoding would be detected again at each change, from some kilobytes.
    #[test]
    fn lines_of_utf_8_do_not_change_the_encoding_of_a_file() {
        let (latin, utf_8) = (&b"[White \"M\xFCller\"]\n"[..], "[Black \"Søren\"]\n");
        let text = [latin, utf_8.as_bytes(), latin].concat();
        let mut decoder = Decoder::new(&text[..]);
        let read = decoder.text(usize::MAX).unwrap();
        assert_eq!(
            read,
            format!("[White \"Müller\"]\n{utf_8}[White \"Müller\"]\n")
        );
        assert_eq!(decoder.encoding, Some(WINDOWS_1252));
        let text = [latin, utf_8.as_bytes()].concat();
        let mut decoder = Decoder::new(&text[..]);
        decoder.text(usize::MAX).unwrap();
        assert_eq!(decoder.encoding, Some(WINDOWS_1252));
    }
}
