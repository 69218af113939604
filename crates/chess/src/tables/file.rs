//! The file of a table.
//!
//! It has a header, the indices and lists of its parts, their blocks at multiples of 64 bytes, and
//! a checksum. There is one part for each side to move; only one if both sides have the same pieces.
//! Tables with pawns have four times as many parts, one for each file of the leading pawn, counted
//! from the nearer edge.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cozy_chess::{Board, Color, Piece};

use super::material::Material;
use super::numbering::{Numbering, leading_file};
use super::pairs::Pairs;
use leitai_base::foreign::shown_path;

/// The first bytes of a table of wins, draws and losses.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// Bytes of the checksum.
const CHECKSUM_BYTES: u64 = 16;
/// Maximum bytes of a header: eight parts with 32 lengths and 4,096 symbols each.
const MAX_HEADER: u64 = 1 << 17;
/// Reads are whole pages of this number of bytes.
const PAGE: u64 = 512;

/// A table with its header in memory. Its file is open only during lookups: there are up to 2,000
/// tables.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    pub(super) material: Material,
    length: u64,
    pub(super) checksum: [u8; CHECKSUM_BYTES as usize],
    /// The parts by file of the leading pawn, and then by side to move.
    pub(super) parts: Vec<(Numbering, Pairs)>,
    /// The failure after which the table is no longer used.
    pub(super) failure: OnceLock<String>,
}

impl Table {
    /// Opens the table of this material, and checks its length and its header.
    pub(super) fn open(path: &Path, material: Material) -> Result<Self, String> {
        let unreadable = |error: io::Error| format!("it cannot be read: {error}");
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        if length % 64 != CHECKSUM_BYTES || length == CHECKSUM_BYTES {
            return Err(format!("no table has its length of {length} bytes"));
        }
        let mut source = Source::new(file);
        let header = source
            .bytes(0, MAX_HEADER.min(length) as usize)
            .map_err(unreadable)?;
        if !header.starts_with(&MAGIC) {
            return Err("it is not a Syzygy table of wins and draws".to_owned());
        }
        let flags = header[MAGIC.len()];
        let has_pawns = !material.pawns().is_empty();
        if (flags & 1 == 0) != material.is_symmetric() || (flags & 2 != 0) != has_pawns {
            return Err("it does not have the pieces of its name".to_owned());
        }
        let parts =
            parts(header, material, length - CHECKSUM_BYTES).ok_or("its header is wrong")?;
        let checksum = source.checksum(length).map_err(unreadable)?;
        Ok(Self {
            path: path.to_owned(),
            material,
            length,
            checksum,
            parts,
            failure: OnceLock::new(),
        })
    }

    /// The value of a position for the side to move, from 0 (loss) to 4 (win), if no capture is
    /// better; `None` after a failure. With `is_flipped`, the position has the colours of the table
    /// exchanged.
    pub(super) fn value(&self, board: &Board, is_flipped: bool) -> Option<u8> {
        if self.failure.get().is_some() {
            return None;
        }
        let value = self.read_value(board, is_flipped);
        let failed = |error: io::Error| {
            let path = shown_path(&self.path);
            let text = format!("the table `{path}` is no longer used: {error}");
            // Keeps an earlier failure of another thread.
            let _ = self.failure.set(text);
        };
        value.map_err(failed).ok()
    }

    fn read_value(&self, board: &Board, is_flipped: bool) -> io::Result<u8> {
        let is_white = board.side_to_move() == Color::White;
        let (is_flipped, side, sides) = if self.material.is_symmetric() {
            (!is_white, 0, 1)
        } else {
            (is_flipped, usize::from(is_white == is_flipped), 2)
        };
        let pawns = self.material.pawns();
        let turn = 0o70 * usize::from(is_flipped && !pawns.is_empty());
        let squares = |codes: &[u8]| -> Vec<usize> {
            let like = codes.chunk_by(u8::eq).map(|group| group[0]);
            let squares = like.flat_map(|code| {
                let color = Color::ALL[usize::from((code > 8) != is_flipped)];
                let kind = Piece::ALL[usize::from(code % 8) - 1];
                board.colored_pieces(color, kind).into_iter()
            });
            squares.map(|square| square as usize ^ turn).collect()
        };
        let file = pawns
            .first()
            .map_or(0, |&code| leading_file(&squares(&[code])));
        let (numbering, pairs) = &self.parts[file * sides + side];
        let mut source = Source::new(File::open(&self.path)?);
        if source.checksum(self.length)? != self.checksum {
            return Err(io::Error::other("another file has replaced it"));
        }
        let number = numbering.number(squares(&numbering.codes));
        pairs.value(number.ok_or_else(damaged)?, &mut source)
    }
}

/// Reads the parts of a header; `None` if they do not fit the material, or need bytes beyond `end`.
fn parts(header: &[u8], material: Material, end: u64) -> Option<Vec<(Numbering, Pairs)>> {
    let mut rest = header.get(MAGIC.len() + 1..)?;
    let pawns = material.pawns().len();
    let (files, places) = if pawns > 0 { (4, pawns) } else { (1, 1) };
    let sides = if material.is_symmetric() { 1 } else { 2 };
    let mut numberings = Vec::new();
    for file in 0..files {
        let bytes = rest.split_off(..material.pieces() as usize + places)?;
        for side in 0..sides {
            let halves: Vec<u8> = bytes.iter().map(|byte| byte >> (4 * side) & 15).collect();
            numberings.push(Numbering::new(material, &halves, file)?);
        }
    }
    rest = rest.get((header.len() - rest.len()) % 2..)?;
    let with_pairs = |numbering: Numbering| {
        let pairs = Pairs::read(&mut rest, numbering.positions)?;
        Some((numbering, pairs))
    };
    let parts = numberings.into_iter().map(with_pairs);
    let mut parts: Vec<_> = parts.collect::<Option<_>>()?;
    let mut place = (header.len() - rest.len()) as u64;
    for section in 0..3 {
        for (_, pairs) in &mut parts {
            if section == 2 {
                place = place.next_multiple_of(64);
            }
            pairs.places[section] = place;
            place += pairs.lengths()[section];
        }
    }
    (place <= end).then_some(parts)
}

/// An open file with the pages of its last read.
pub(super) struct Source {
    file: File,
    start: u64,
    pages: Vec<u8>,
}

impl Source {
    pub(super) fn new(file: File) -> Self {
        Self {
            file,
            start: 0,
            pages: Vec::new(),
        }
    }

    /// The bytes at a position in the file.
    pub(super) fn bytes(&mut self, place: u64, length: usize) -> io::Result<&[u8]> {
        let end = place + length as u64;
        if place < self.start || end > self.start + self.pages.len() as u64 {
            self.start = place / PAGE * PAGE;
            let length = end.next_multiple_of(PAGE) - self.start;
            self.pages.clear();
            self.pages.reserve(length as usize);
            self.file.seek(SeekFrom::Start(self.start))?;
            let mut pages = self.file.by_ref().take(length);
            pages.read_to_end(&mut self.pages)?;
        }
        let from = (place - self.start) as usize;
        self.pages.get(from..from + length).ok_or_else(damaged)
    }

    /// The checksum of a file of this length.
    fn checksum(&mut self, length: u64) -> io::Result<[u8; CHECKSUM_BYTES as usize]> {
        let bytes = self.bytes(length - CHECKSUM_BYTES, CHECKSUM_BYTES as usize)?;
        bytes.first_chunk().copied().ok_or_else(damaged)
    }
}

/// The error for invalid contents.
pub(super) fn damaged() -> io::Error {
    io::Error::other("it is damaged")
}
