//! The text of a file of any encoding and line ends, in UTF-8.

use std::io::{self, BufRead, Read};

use encoding_rs::{UTF_16BE, UTF_16LE};
use memchr::{memchr2, memrchr2};

use crate::encoding::{Encoding, Sign, decode, sign};

/// Number of bytes that are decoded at once.
const BLOCK: usize = 1 << 16;

/// Largest number of bytes of a line that is decoded as a whole, and to read ahead for the
/// encoding.
const FARTHEST: usize = 1 << 20;

/// Number of bytes that show whether a text without a byte order mark is UTF-16.
const BEGINNING: usize = 512;

/// The end of a text in DOS and CP/M.
const END_OF_TEXT: u8 = 0x1a;

/// Characters without width that separate nothing: the byte order mark of a joined file, the zero
/// width blank and the word joiner.
const INVISIBLE: [char; 3] = ['\u{feff}', '\u{200b}', '\u{2060}'];

/// A file as UTF-8 with line feeds as line ends, without byte order marks and ends of DOS.
///
/// Lines that are not UTF-8 are read as GB18030, Big5 or Latin-1, depending on their bytes.
pub(crate) struct Decoder<'r> {
    input: Box<dyn BufRead + 'r>,
    /// Bytes that are not decoded yet.
    raw: Vec<u8>,
    /// True at the end of the input.
    is_ended: bool,
    /// The decoder of UTF-16, if the file is that.
    wide: Option<encoding_rs::Decoder>,
    /// True before the first byte.
    is_first: bool,
    /// True if the last byte was a carriage return: a following line feed belongs to it.
    returned: bool,
    /// The encoding of the file, once detected.
    letters: Option<Encoding>,
    /// Decoded text, and the number of bytes of it that were taken.
    text: String,
    taken: usize,
    /// Numbers of lines in GB18030, Big5 and Latin-1.
    tallies: [u64; 3],
}

impl<'r> Decoder<'r> {
    pub(crate) fn new(input: impl BufRead + 'r) -> Self {
        Self {
            input: Box::new(input),
            raw: Vec::new(),
            is_ended: false,
            wide: None,
            is_first: true,
            returned: false,
            letters: None,
            text: String::new(),
            taken: 0,
            tallies: [0; 3],
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
        let names = ["GB18030", "Big5", "Latin-1"].into_iter();
        names.zip(self.tallies).filter(|(_, lines)| *lines > 0)
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
                .take(BEGINNING as u64)
                .read_to_end(&mut bytes)?;
            self.wide = utf_16(&bytes);
            self.add(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes));
        }
        while self.raw.len() < least && !self.is_ended {
            let missing = (least - self.raw.len()) as u64;
            let mut input = self.input.by_ref().take(missing);
            if self.wide.is_none() {
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
        let Some(wide) = &mut self.wide else {
            return self.raw.extend_from_slice(bytes);
        };
        let room = wide.max_utf8_buffer_length(bytes.len());
        let mut text = String::with_capacity(room.unwrap_or(4 * BLOCK));
        // There is room for all of the text.
        let _ = wide.decode_to_string(bytes, &mut text, self.is_ended);
        self.raw.extend_from_slice(text.as_bytes());
    }

    /// Replaces carriage returns by line feeds, and ends of DOS by blanks.
    fn unify_line_ends(&mut self, block: &mut Vec<u8>) {
        let returned = std::mem::take(&mut self.returned);
        if returned && block.first() == Some(&b'\n') {
            block.remove(0);
        }
        let Some(first) = memchr2(b'\r', END_OF_TEXT, block) else {
            return;
        };
        self.returned = block.last() == Some(&b'\r');
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
        if (is_ascii || self.letters == Some(Encoding::Utf8))
            && let Ok(text) = std::str::from_utf8(block)
        {
            push(&mut self.text, text, is_ascii);
            return Ok(());
        }
        let mut at = 0;
        for line in block.split_inclusive(|byte| *byte == b'\n') {
            at += line.len();
            let sign = sign(line);
            match (sign, self.letters) {
                (Sign::Sure(letters @ (Encoding::Gb18030 | Encoding::Big5)), _) => {
                    self.letters = Some(letters);
                }
                (Sign::Sure(letters), None) => self.letters = Some(letters),
                (Sign::Either { .. } | Sign::Chinese { .. }, None) => {
                    self.letters = Some(self.look_ahead(sign, &block[at..])?);
                }
                _ => {}
            }
            let chinese = self.letters.filter(|it| *it != Encoding::Utf8);
            let (text, letters) = decode(line, sign, chinese);
            push(&mut self.text, &text, false);
            match letters {
                Encoding::Utf8 => {}
                Encoding::Gb18030 => self.tallies[0] += 1,
                Encoding::Big5 => self.tallies[1] += 1,
                Encoding::Latin1 => self.tallies[2] += 1,
            }
        }
        Ok(())
    }

    /// Resolves the encoding of a file after an ambiguous line: the first conclusive line that
    /// follows decides; if there is none, the evidence of all Chinese ones, or whether a line would
    /// look odd as UTF-8.
    fn look_ahead(&mut self, first: Sign, later: &[u8]) -> io::Result<Encoding> {
        let (mut is_odd, mut is_chinese, mut sum) = (false, false, 0);
        let mut conclusive = |sign| match sign {
            // A line in Chinese shows that the file is not all UTF-8.
            Sign::Sure(Encoding::Utf8) if is_chinese => None,
            Sign::Sure(letters) => Some(letters),
            Sign::Either { odd } => {
                is_odd |= odd;
                None
            }
            Sign::Chinese { lead } => {
                is_chinese = true;
                sum += lead;
                None
            }
            Sign::Nothing => None,
        };
        let _ = conclusive(first);
        let mut lines = later.split(|byte| *byte == b'\n');
        let mut sure = lines.find_map(|line| conclusive(sign(line)));
        if sure.is_none() {
            self.read_to(FARTHEST)?;
            let mut lines = self.raw.split(|byte| matches!(byte, b'\n' | b'\r'));
            sure = lines.find_map(|line| conclusive(sign(line)));
        }
        Ok(sure.unwrap_or(match (is_chinese || is_odd, sum) {
            (true, 0..) => Encoding::Gb18030,
            (true, _) => Encoding::Big5,
            (false, _) => Encoding::Utf8,
        }))
    }
}

/// Adds a text without invisible characters.
fn push(all: &mut String, text: &str, is_ascii: bool) {
    if is_ascii || !text.contains(INVISIBLE) {
        all.push_str(text);
    } else {
        all.extend(text.chars().filter(|letter| !INVISIBLE.contains(letter)));
    }
}

/// The decoder of a text in UTF-16, with a byte order mark or known by the zeros among its first
/// bytes: every second letter of moves and tags is ASCII.
fn utf_16(bytes: &[u8]) -> Option<encoding_rs::Decoder> {
    let start = &bytes[..bytes.len().min(BEGINNING) & !1];
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
