//! Lines of text in any encoding.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::TextError;
use super::encoding::{Encoding, Sign, decode, sign};
use leitai_base::foreign::excerpt;
use leitai_game::card::{GameCard, Games, TextForm};

/// Largest number of characters of a line in a message.
const SHOWN: usize = 120;

/// Largest number of bytes to read ahead for the encoding.
const FARTHEST: usize = 1 << 20;

/// Largest number of bytes of a line, so that a file without line ends does not fill the memory.
const LONGEST: usize = 1 << 20;

/// The lines of a file, numbered from 1, without a byte order mark and without line ends of any
/// kind (line feed, carriage return, both).
///
/// Lines that are not UTF-8 are read as GB18030 or Latin-1, depending on their bytes;
/// [`notes`](Lines::notes) reports how many.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    name: String,
    /// The encoding of the file, once detected.
    letters: Option<Encoding>,
    buffer: Vec<u8>,
    /// Lines that were read ahead.
    ahead: VecDeque<Vec<u8>>,
    number: u64,
    /// True if the last line ended with a carriage return: a following line feed belongs to it.
    returned: bool,
    /// A line that was examined and is still to be returned.
    waiting: Option<(u64, String)>,
    latin: u64,
    chinese: u64,
}

/// The contents of a file according to its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Games, or anything else: the reader reports lines that are no game.
    Games,
    /// Positions, one per line.
    Positions,
    /// Games of this game in a form of its own.
    Own(&'static dyn GameCard, &'static TextForm),
    /// JSON, such as `leitai convert --to json` writes.
    Json,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`; `name` is the file name for messages.
    pub fn new(reader: R, name: &str) -> Self {
        Self {
            reader,
            name: name.to_owned(),
            letters: None,
            buffer: Vec::new(),
            ahead: VecDeque::new(),
            number: 0,
            returned: false,
            waiting: None,
            latin: 0,
            chinese: 0,
        }
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next line and its number; `None` at the end.
    ///
    /// # Errors
    /// Reading fails, the file is UTF-16, or a line is longer than 1 MiB.
    pub fn next_line(&mut self) -> Result<Option<(u64, String)>, TextError> {
        if let Some(waiting) = self.waiting.take() {
            return Ok(Some(waiting));
        }
        if let Some(line) = self.ahead.pop_front() {
            self.buffer = line;
        } else if !self.fill().map_err(|error| self.unreadable(error))? {
            return Ok(None);
        }
        self.number += 1;
        if self.buffer.len() > LONGEST {
            let problem = format!("line {} is longer than 1 MiB", self.number);
            let help = "is it text? A line is a tag, some moves or a position";
            return Err(TextError::file(&self.name, problem, help));
        }
        if self.number == 1 {
            if self.buffer.starts_with(&[0xFF, 0xFE]) || self.buffer.starts_with(&[0xFE, 0xFF]) {
                let problem = "the text is UTF-16";
                return Err(TextError::file(&self.name, problem, "save it as UTF-8"));
            }
            if self.buffer.starts_with(&[0xEF, 0xBB, 0xBF]) {
                self.buffer.drain(..3);
            }
        }
        match (sign(&self.buffer), self.letters) {
            (Sign::Sure(Encoding::Gb18030), _) => self.letters = Some(Encoding::Gb18030),
            (Sign::Sure(letters), None) => self.letters = Some(letters),
            (Sign::Either { odd }, None) => {
                let letters = self.look_ahead(odd);
                self.letters = Some(letters.map_err(|error| self.unreadable(error))?);
            }
            _ => {}
        }
        let (text, letters) = decode(&self.buffer, self.letters == Some(Encoding::Gb18030));
        match letters {
            Encoding::Utf8 => {}
            Encoding::Gb18030 => self.chinese += 1,
            Encoding::Latin1 => self.latin += 1,
        }
        Ok(Some((self.number, text)))
    }

    fn unreadable(&self, source: io::Error) -> TextError {
        TextError::Read {
            name: self.name.as_str().into(),
            source,
        }
    }

    /// Reads the bytes of the next line, without its end; returns false at the end of the file.
    /// Stops reading a line that is too long once its length exceeds the limit.
    fn fill(&mut self) -> io::Result<bool> {
        self.buffer.clear();
        let mut any = false;
        loop {
            let chunk = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if chunk.is_empty() {
                return Ok(any);
            }
            if std::mem::take(&mut self.returned) && chunk[0] == b'\n' {
                self.reader.consume(1);
                continue;
            }
            any = true;
            let end = chunk.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &chunk[..end.unwrap_or(chunk.len())];
            self.buffer.extend_from_slice(part);
            let read = part.len() + usize::from(end.is_some());
            self.returned = end.is_some_and(|end| chunk[end] == b'\r');
            self.reader.consume(read);
            if end.is_some() || self.buffer.len() > LONGEST {
                return Ok(true);
            }
        }
    }

    /// Resolves the encoding of a file after an ambiguous line: the first conclusive line that
    /// follows decides; if there is none, GB18030 if a line would look odd as UTF-8.
    fn look_ahead(&mut self, mut odd: bool) -> io::Result<Encoding> {
        let line = std::mem::take(&mut self.buffer);
        let (mut sure, mut bytes) = (None, 0);
        while sure.is_none() && bytes < FARTHEST && self.fill()? {
            bytes += self.buffer.len() + 1;
            match sign(&self.buffer) {
                Sign::Sure(letters) => sure = Some(letters),
                Sign::Either { odd: this } => odd |= this,
                Sign::Nothing => {}
            }
            self.ahead.push_back(std::mem::take(&mut self.buffer));
        }
        self.buffer = line;
        Ok(sure.unwrap_or(if odd {
            Encoding::Gb18030
        } else {
            Encoding::Utf8
        }))
    }

    /// Detects the contents of the file from its first line that is neither blank nor a comment.
    /// The skipped lines mean nothing in any of the formats.
    ///
    /// # Errors
    /// As [`next_line`](Lines::next_line).
    pub fn content(&mut self, games: &Games) -> Result<Content, TextError> {
        while let Some((number, line)) = self.next_line()? {
            let start = line.trim_start();
            if start.is_empty() || start.starts_with(['#', '%', ';']) {
                continue;
            }
            let content = if let Some((card, form)) = games.form_of(start) {
                Content::Own(card, form)
            } else if is_board(start) {
                Content::Positions
            } else if start.starts_with("{\"") {
                Content::Json
            } else {
                Content::Games
            };
            self.waiting = Some((number, line));
            return Ok(content);
        }
        Ok(Content::Games)
    }

    /// Returns whether the line that [`content`](Lines::content) examined is neither a tag nor
    /// begins with a number, as PGN does.
    pub fn is_no_pgn(&self) -> bool {
        let line = self.waiting.as_ref().map_or("", |(_, line)| line.as_str());
        let first = line.trim_start().chars().next();
        first.is_some_and(|letter| !(letter.is_ascii_digit() || "[{".contains(letter)))
    }

    /// Notes on the text itself, such as its encoding.
    pub fn notes(&self) -> Vec<String> {
        let name = leitai_base::foreign::shown(&self.name);
        let counts = [(self.chinese, "GB18030"), (self.latin, "Latin-1")];
        let found = counts.into_iter().filter(|(lines, _)| *lines > 0);
        let note = |(lines, letters)| {
            let is_read = match lines {
                1 => "1 line is not UTF-8 and was".to_owned(),
                _ => format!("{lines} lines are not UTF-8 and were"),
            };
            format!("{name}: {is_read} read as {letters}")
        };
        found.map(note).collect()
    }
}

/// Returns whether a line begins like a position: rows between slashes, or 64 and more squares
/// without.
fn is_board(line: &str) -> bool {
    let board = line.split([' ', '\t', ';']).next().unwrap_or_default();
    let squares = |text: &str| {
        let mut squares = text.bytes();
        text.len() >= 64 && squares.all(|square| b"XxOo*-.".contains(&square))
    };
    let slashes = board.matches('/').count();
    let is_of_rows = |letter: u8| letter.is_ascii_alphanumeric() || b".-/".contains(&letter);
    let rows = slashes >= 7 || slashes >= 4 && board.bytes().all(is_of_rows);
    rows && !board.contains("//") || squares(board)
}

/// A line for a message: truncated if it is long, without control characters.
pub fn shown(line: &str) -> String {
    excerpt(line, SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<(u64, String)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(2, bytes), "x");
        std::iter::from_fn(|| lines.next_line().unwrap()).collect()
    }

    #[test]
    fn line_ends_of_every_age() {
        let lines = |text: &[u8]| {
            let texts = all(text).into_iter().map(|(_, text)| text);
            texts.collect::<Vec<_>>().join("|")
        };
        assert_eq!(lines(b"a\nb\r\nc\rd"), "a|b|c|d");
        assert_eq!(lines(b"a\n\nb\r\n\r\nc\r\rd\n"), "a||b||c||d");
        assert_eq!(lines(b"\xEF\xBB\xBFa\n"), "a");
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\r\n").len(), 1);
    }

    #[test]
    fn a_name_that_could_be_utf8_has_the_encoding_of_its_file() {
        let chinese = |text: &str| encoding_rs::GB18030.encode(text).0.into_owned();
        let read = |bytes: &[u8]| {
            let texts = all(bytes).into_iter().map(|(_, text)| text);
            texts.collect::<Vec<_>>().join("\n")
        };
        // Detected from a later line, from an earlier one, and from the line alone.
        for text in [
            "[Red \"郑惟桐\"]\n[Black \"陆平\"]\n1. 炮二平五",
            "[Event \"全国象棋\"]\n[Red \"郑惟桐\"]\n[Black \"陆平\"]",
            "[Red \"郑惟桐\"]\n\n1. h2e2 *",
            "[Black \"陆平\"]",
        ] {
            assert_eq!(read(&chinese(text)), text);
            assert_eq!(read(text.as_bytes()), text, "UTF-8");
        }
        // Western UTF-8, and both encodings one after the other.
        let western = "[White \"Müller\"]\n[Black \"Zoë Čech\"]\n1. h2e2 *";
        assert_eq!(read(western.as_bytes()), western);
        let both = [chinese("炮二平五\n"), "马８进７".into()].concat();
        assert_eq!(read(&both), "炮二平五\n马８进７");
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
    fn contents_of_files_are_recognised() {
        let content = |text: &str| {
            Lines::new(text.as_bytes(), "x")
                .content(&leitai_games::all())
                .unwrap()
        };
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        assert_eq!(content(&format!("# a book\n\n{start}")), Content::Positions);
        assert_eq!(content(&"-".repeat(64)), Content::Positions);
        assert_eq!(content("{\"game\": 1}"), Content::Json);
        for text in ["", "[Event \"x\"]", "{a comment}", "1. h2e2 *", "# only"] {
            assert_eq!(content(text), Content::Games, "{text}");
        }
        // The examined line is still returned.
        let mut lines = Lines::new(&b"#\nx\n"[..], "x");
        assert_eq!(lines.content(&leitai_games::all()).unwrap(), Content::Games);
        assert_eq!(lines.next_line().unwrap(), Some((2, "x".to_owned())));
    }
}
