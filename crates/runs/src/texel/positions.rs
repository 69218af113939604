//! Positions of files as rows, read on all threads.

use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

use super::labelled::LineForm;
use super::quiet::{Quietness, quietness};
use super::repeats::Repeats;
use super::rows::Rows;
use super::stored::RowWriter;
use super::{BadLayout, Dataset, Layout, Part, Tally};
use leitai_base::threads::pool;
use leitai_game::card::GameCard;

/// Bytes of text that a thread takes at once. A longer line is refused.
const CHUNK: u64 = 1 << 16;
/// Chunks that all threads take at once.
const BATCH: usize = 64;
/// Unreadable lines that are reported one by one.
const REPORTED: usize = 3;
/// The reasons for refusing a text, with remedies.
const NULS: &str =
    "it has NUL bytes, as text in UTF-16: convert the file to UTF-8 (`iconv -f UTF-16 -t UTF-8`)";
const NOT_UTF8: &str = "it is not UTF-8: convert the file, for example from Latin-1 \
     (`iconv -f ISO-8859-1 -t UTF-8`)";
const OTHER_COLUMNS: &str =
    "a header with other columns than the first line: do not join files with different columns";

/// Builds a [`Dataset`] from files of positions with results.
///
/// Leaves out positions in check and positions in which a capture wins material. A position's hash
/// assigns it to its [`Part`], so that equal positions are in the same one. Rows are kept in a file
/// without a name: memory does not grow with the positions.
#[derive(Debug)]
pub struct PositionsBuilder {
    card: &'static dyn GameCard,
    layout: Layout,
    parts: [RowWriter; 2],
    tally: Tally,
    repeats: Repeats,
    pool: ThreadPool,
}

/// The contents of a file of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileTally {
    /// Lines without empty ones, comments and the head.
    pub lines: u64,
    /// Lines without a valid position and result.
    pub unreadable: u64,
    /// Lines with a position that an earlier line of this file or of an earlier file has; an
    /// estimate if the files have more than about 100,000 different positions.
    pub repeated: u64,
    /// The first unreadable lines.
    #[serde(skip)]
    pub faults: Vec<LineFault>,
}

/// An unreadable line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The line, from 1.
    pub line: u64,
    /// The reason, as a lowercase fragment.
    pub reason: String,
}

/// The error of reading positions for a fit.
#[derive(Debug, Error)]
pub enum PositionsError {
    /// The text cannot be read behind a line.
    #[error("cannot read the file after line {line}: {error}")]
    Text {
        /// Number of lines before the failure.
        line: u64,
        /// The system's or the unpacker's reason.
        error: io::Error,
    },
    /// A line exceeds the limit.
    #[error("line {0} has more than {CHUNK} bytes: not a text file of positions")]
    Long(
        /// The line, from 1.
        u64,
    ),
    /// The encoding or the columns of the text are unknown.
    #[error("line {line}: {reason}")]
    Form {
        /// The line, from 1.
        line: u64,
        /// The reason, with the remedy.
        reason: String,
    },
    /// More than half of the lines are unreadable.
    #[error("{} of the first {} lines are not positions with results", .0.unreadable, .0.lines)]
    Unreadable(
        /// The lines.
        FileTally,
    ),
    /// The rows cannot be stored.
    #[error("cannot store the coefficients of the positions")]
    Storage(
        /// The system's reason.
        #[from]
        io::Error,
    ),
    /// The layout belongs to another game.
    #[error(transparent)]
    Layout(#[from] BadLayout),
}

/// Whole lines of a text.
struct Chunk {
    /// Number of lines before it.
    before: u64,
    bytes: Vec<u8>,
}

/// The rows of a chunk.
#[derive(Default)]
struct ChunkRows {
    parts: [Rows; 2],
    /// The hashes of all positions.
    keys: Vec<u64>,
    lines: FileTally,
    tally: Tally,
}

impl PositionsBuilder {
    /// Begins a dataset. The rows are stored in `folder`: 16 bytes per position, and 4 for each of
    /// the free numbers that count in it.
    ///
    /// # Errors
    /// The layout's number of parameters differs from that of the game's evaluation, or the folder
    /// refuses files.
    pub fn new(
        card: &'static dyn GameCard,
        layout: Layout,
        folder: &Path,
        threads: NonZeroUsize,
    ) -> Result<Self, PositionsError> {
        layout.check_game(card)?;
        Ok(Self {
            card,
            layout,
            parts: [RowWriter::new(folder)?, RowWriter::new(folder)?],
            tally: Tally::default(),
            repeats: Repeats::default(),
            pool: pool(threads),
        })
    }

    /// Adds the positions of a text; `watch` is called now and then, and can end the reading:
    /// `None`. The rows do not depend on the number of threads.
    ///
    /// # Errors
    /// The text cannot be read, most of its lines are unreadable, or the rows cannot be stored.
    pub fn read(
        &mut self,
        text: &mut dyn Read,
        mut watch: impl FnMut() -> ControlFlow<()>,
    ) -> Result<Option<FileTally>, PositionsError> {
        let mut lines = Lines {
            text,
            rest: Vec::new(),
            before: 0,
        };
        let (mut form, mut tally) = (None, FileTally::default());
        let repeated_before = self.repeats.count();
        loop {
            let mut batch = Vec::with_capacity(BATCH);
            while batch.len() < BATCH
                && let Some(chunk) = lines.next_chunk()?
            {
                batch.push(chunk);
            }
            if batch.is_empty() {
                tally.repeated = self.repeats.count().saturating_sub(repeated_before);
                return Ok(Some(tally));
            }
            if watch().is_break() {
                return Ok(None);
            }
            let known = match form {
                Some(known) => known,
                None => match form_of(&batch)? {
                    Some(found) => *form.insert(found),
                    None => continue,
                },
            };
            let read = |chunk: &Chunk| self.rows_of(chunk, known);
            let all: Vec<_> = self.pool.install(|| batch.par_iter().map(read).collect());
            for chunk in all {
                let chunk = chunk?;
                self.tally.add(&chunk.tally);
                tally.add(chunk.lines);
                for key in chunk.keys {
                    self.repeats.add(key);
                }
                for (part, rows) in self.parts.iter_mut().zip(chunk.parts) {
                    part.append(rows)?;
                }
            }
            if 2 * tally.unreadable > tally.lines {
                return Err(PositionsError::Unreadable(tally));
            }
        }
    }

    /// Builds the dataset of all positions.
    ///
    /// # Errors
    /// The rows cannot be stored.
    pub fn build(self) -> Result<Dataset, PositionsError> {
        let [training, validation] = self.parts;
        let stored = [training.finish()?, validation.finish()?];
        Ok(Dataset {
            layout: self.layout,
            unit: f64::from(self.card.unit()),
            rows: Default::default(),
            stored: Some(stored),
            games: [0; 2],
            tally: self.tally,
            score_k: None,
        })
    }

    /// The rows of a chunk of a file with this form.
    fn rows_of(&self, chunk: &Chunk, form: LineForm) -> Result<ChunkRows, PositionsError> {
        let mut found = ChunkRows::default();
        let mut buffer = vec![0; self.layout.dimensions().len()];
        for (number, line) in chunk.lines() {
            let read = line.map_err(|_| "it is not UTF-8".to_owned());
            let (position, half_points) = match read.and_then(|line| form.read(line, self.card)) {
                Ok(labelled) => labelled,
                Err(reason) => {
                    // Files joined by `cat` repeat the header.
                    match line.ok().and_then(LineForm::of_header) {
                        Some(header) if header == form => continue,
                        Some(_) => {
                            return Err(PositionsError::Form {
                                line: number,
                                reason: OTHER_COLUMNS.to_owned(),
                            });
                        }
                        None => {}
                    }
                    found.lines.lines += 1;
                    found.lines.unreadable += 1;
                    if found.lines.faults.len() < REPORTED {
                        let line = number;
                        found.lines.faults.push(LineFault { line, reason });
                    }
                    continue;
                }
            };
            found.lines.lines += 1;
            let key = position.key();
            found.keys.push(key);
            let tally = &mut found.tally;
            match quietness(&*position, None, None) {
                Quietness::Quiet => {}
                Quietness::Check => {
                    tally.in_check += 1;
                    continue;
                }
                Quietness::Capture | Quietness::Mate => {
                    tally.captures += 1;
                    continue;
                }
            }
            let rows = &mut found.parts[Part::of(key) as usize];
            let result = f32::from(half_points) / 2.0;
            if self.layout.push_row(&mut buffer, rows, &*position, result) {
                tally.positions += 1;
            } else {
                tally.too_large += 1;
            }
        }
        Ok(found)
    }
}

impl FileTally {
    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.unreadable += other.unreadable;
        let room = REPORTED - self.faults.len();
        self.faults.extend(other.faults.into_iter().take(room));
    }
}

impl Chunk {
    /// The lines with their numbers from 1, without empty ones and comments.
    fn lines(&self) -> impl Iterator<Item = (u64, Result<&str, std::str::Utf8Error>)> {
        let lines = self.bytes.split(|&byte| byte == b'\n');
        let lines = (self.before + 1..).zip(lines.map(<[u8]>::trim_ascii));
        let lines = lines.map(|(number, line)| {
            (
                number,
                line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line),
            )
        });
        lines
            .filter(|(_, line)| !line.is_empty() && line[0] != b'#')
            .map(|(number, line)| (number, str::from_utf8(line)))
    }
}

/// The form of the first line that is UTF-8; `None` without lines.
fn form_of(batch: &[Chunk]) -> Result<Option<LineForm>, PositionsError> {
    let mut lines = batch.iter().flat_map(Chunk::lines).peekable();
    let Some(&(first, _)) = lines.peek() else {
        return Ok(None);
    };
    let refuse = |line, reason: String| Err(PositionsError::Form { line, reason });
    let start = batch[0].bytes.split(|&byte| byte == b'\n').next();
    if start.is_some_and(|start| start.contains(&0)) {
        return refuse(1, NULS.to_owned());
    }
    let Some((line, text)) = lines.find_map(|(line, text)| Some((line, text.ok()?))) else {
        return refuse(first, NOT_UTF8.to_owned());
    };
    match LineForm::of(text) {
        Ok((form, _)) => Ok(Some(form)),
        Err(_) if line != first => refuse(first, NOT_UTF8.to_owned()),
        Err(reason) => refuse(line, reason),
    }
}

/// Cuts a text into chunks of whole lines.
struct Lines<'t> {
    text: &'t mut dyn Read,
    /// The beginning of the next chunk.
    rest: Vec<u8>,
    /// Number of lines before the next chunk.
    before: u64,
}

impl Lines<'_> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, PositionsError> {
        let mut bytes = std::mem::take(&mut self.rest);
        let read = self.text.take(CHUNK).read_to_end(&mut bytes);
        let before = self.before;
        let read = read.map_err(|error| PositionsError::Text {
            line: before,
            error,
        })?;
        match bytes.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => self.rest = bytes.split_off(end + 1),
            None if read as u64 == CHUNK => return Err(PositionsError::Long(before + 1)),
            None => {}
        }
        self.before += bytes.split(|&byte| byte == b'\n').count() as u64 - 1;
        Ok((!bytes.is_empty()).then_some(Chunk { before, bytes }))
    }
}

#[cfg(test)]
mod tests;
