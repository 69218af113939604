//! Rows in a file, for more positions than fit into memory.

use std::fs::File;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::rows::{Entry, Row, Rows};
use leitai_platform::files::{create_unnamed, read_at};

/// Rows of a block, which is read at once.
const BLOCK: usize = 256;
/// Bytes of a row before its entries: constant part, number of entries, result.
const LABEL: usize = 16;

/// The rows of a part of a dataset.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowSource<'a> {
    Memory(&'a Rows),
    Stored(&'a StoredRows),
}

impl<'a> From<&'a Rows> for RowSource<'a> {
    fn from(rows: &'a Rows) -> Self {
        Self::Memory(rows)
    }
}

/// Rows in blocks of a file without a name: 16 bytes per row and 4 per entry on the disk, and 8
/// bytes per block in memory.
#[derive(Clone, Debug)]
pub(super) struct StoredRows {
    file: Arc<File>,
    /// The end of each block in the file.
    ends: Vec<u64>,
    len: usize,
    nonzeros: usize,
}

impl RowSource<'_> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::Memory(rows) => rows.len(),
            Self::Stored(rows) => rows.len(),
        }
    }

    /// The number of nonzero entries.
    pub(super) fn nonzeros(self) -> usize {
        match self {
            Self::Memory(rows) => rows.nonzeros(),
            Self::Stored(rows) => rows.nonzeros,
        }
    }

    /// Calls `see` with the rows of `range` in order, cut at the number of rows.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn each(self, range: Range<usize>, mut see: impl FnMut(Row<'_>)) -> io::Result<()> {
        let stored = match self {
            Self::Memory(rows) => {
                rows.range(range.start, range.end).for_each(see);
                return Ok(());
            }
            Self::Stored(stored) => stored,
        };
        let end = range.end.min(stored.len);
        let (mut rows, mut bytes) = (Rows::default(), Vec::new());
        let mut first = range.start;
        while first < end {
            let block = first / BLOCK;
            let begin = block * BLOCK;
            stored.read(block, &mut bytes, &mut rows)?;
            rows.range(first - begin, end - begin).for_each(&mut see);
            first = begin + BLOCK;
        }
        Ok(())
    }
}

impl StoredRows {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Reads a block into `rows`, through the buffer `bytes`.
    fn read(&self, block: usize, bytes: &mut Vec<u8>, rows: &mut Rows) -> io::Result<()> {
        let begin = block.checked_sub(1).map_or(0, |before| self.ends[before]);
        bytes.resize((self.ends[block] - begin) as usize, 0);
        read_at(&self.file, bytes, begin)?;
        let count = BLOCK.min(self.len - block * BLOCK);
        let (labels, entries) = bytes.split_at(count * LABEL);
        let entries = entries.as_chunks().0.iter().map(|&[a, b, c, d]| Entry {
            dimension: u16::from_le_bytes([a, b]),
            coefficient: i16::from_le_bytes([c, d]),
        });
        rows.refill(entries);
        for label in labels.as_chunks::<LABEL>().0 {
            let (constant, rest) = label.split_at(8);
            let (constant, rest) = (constant.as_chunks().0, rest.as_chunks().0);
            let (constant, count) = (f64::from_le_bytes(constant[0]), u32::from_le_bytes(rest[0]));
            rows.label(count.into(), constant, f32::from_le_bytes(rest[1]));
        }
        Ok(())
    }
}

/// Writes [`StoredRows`].
#[derive(Debug)]
pub(super) struct RowWriter {
    file: File,
    /// Rows of the next blocks.
    pending: Rows,
    ends: Vec<u64>,
    len: usize,
    nonzeros: usize,
}

impl RowWriter {
    /// Creates the file in a folder.
    ///
    /// # Errors
    /// The folder refuses new files.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            file: create_unnamed(folder)?,
            pending: Rows::default(),
            ends: Vec::new(),
            len: 0,
            nonzeros: 0,
        })
    }

    /// Appends rows, and writes the full blocks.
    ///
    /// # Errors
    /// The disk is full, or fails.
    pub(super) fn append(&mut self, rows: Rows) -> io::Result<()> {
        self.len += rows.len();
        self.nonzeros += rows.nonzeros();
        self.pending.append(rows);
        let full = self.pending.len() / BLOCK * BLOCK;
        self.write(full)
    }

    /// Writes the remaining rows.
    ///
    /// # Errors
    /// The disk is full, or fails.
    pub(super) fn finish(mut self) -> io::Result<StoredRows> {
        self.write(self.pending.len())?;
        Ok(StoredRows {
            file: Arc::new(self.file),
            ends: self.ends,
            len: self.len,
            nonzeros: self.nonzeros,
        })
    }

    /// Writes the first pending rows in blocks.
    fn write(&mut self, count: usize) -> io::Result<()> {
        if count == 0 {
            return Ok(());
        }
        let mut bytes = Vec::new();
        for first in (0..count).step_by(BLOCK) {
            bytes.clear();
            let block = || self.pending.range(first, first + BLOCK);
            for row in block() {
                bytes.extend(row.constant.to_le_bytes());
                bytes.extend((row.entries.len() as u32).to_le_bytes());
                bytes.extend((row.result as f32).to_le_bytes());
            }
            for entry in block().flat_map(|row| row.entries) {
                bytes.extend(entry.dimension.to_le_bytes());
                bytes.extend(entry.coefficient.to_le_bytes());
            }
            self.file.write_all(&bytes)?;
            let before = self.ends.last().copied().unwrap_or(0);
            self.ends.push(before + bytes.len() as u64);
        }
        let mut rest = Rows::default();
        for row in self.pending.range(count, self.pending.len()) {
            rest.push(row.entries, row.constant, row.result as f32);
        }
        self.pending = rest;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texel::pass::Prediction;
    use crate::texel::tests::{Law, random_rows};

    #[test]
    fn rows_come_back_from_the_file() {
        let by = Prediction { k: 0.7, unit: 16.0 };
        let rows = random_rows(&Law::random(300, 3), by, 1000, 5);
        let folder = tempfile::tempdir().unwrap();
        let mut writer = RowWriter::new(folder.path()).unwrap();
        for (first, end) in [(0, 1), (1, 700), (700, 701), (701, 1000)] {
            let mut part = Rows::default();
            for row in rows.range(first, end) {
                part.push(row.entries, row.constant, row.result as f32);
            }
            writer.append(part).unwrap();
        }
        let file = writer.finish().unwrap();
        assert_eq!(file.ends.len(), 4);
        let stored = RowSource::Stored(&file);
        assert_eq!((stored.len(), stored.nonzeros()), (1000, rows.nonzeros()));
        for range in [
            0..1000,
            255..257,
            0..256,
            256..512,
            990..2000,
            7..7,
            1000..1001,
        ] {
            let mut found = Rows::default();
            let push = |row: Row<'_>| found.push(row.entries, row.constant, row.result as f32);
            stored.each(range.clone(), push).unwrap();
            let mut expected = Rows::default();
            for row in rows.range(range.start, range.end) {
                expected.push(row.entries, row.constant, row.result as f32);
            }
            assert_eq!(found, expected, "{range:?}");
        }
        let is_empty = || std::fs::read_dir(folder.path()).unwrap().next().is_none();
        // On Windows the file has a name while it is open.
        assert!(cfg!(windows) || is_empty());
        drop(file);
        assert!(is_empty());
    }
}
