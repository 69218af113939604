//! Checks that a file can be read safely for any position.
//!
//! A file has a header with the pieces, then the code of each of its tables, then all indices, all
//! sizes of blocks, and all blocks. The packed values themselves are checked only near the end of
//! the file, where wrong ones could lead beyond it; elsewhere they can only give a wrong answer.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::blocks::{Code, Packed, Section};
use super::header::Material;

/// The first bytes of a win-draw-loss table.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// Bytes of the checksum at the end, after blocks that begin at multiples of 64.
const CHECKSUM: u64 = 16;
/// The largest value. The values are: lost, lost except for the 50-move rule, drawn, and so on.
pub(super) const MOST_VALUE: u8 = 4;

/// A description of the damage to a file.
pub(super) type Damage = String;

/// A file that is read sequentially.
pub(super) struct Source {
    file: BufReader<File>,
    pub(super) at: u64,
    pub(super) length: u64,
}

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, Damage> {
        let file = File::open(path).map_err(|error| unreadable(&error))?;
        let length = file.metadata().map_err(|error| unreadable(&error))?.len();
        Ok(Self {
            file: BufReader::with_capacity(1 << 16, file),
            at: 0,
            length,
        })
    }

    /// The next bytes.
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Damage> {
        self.file
            .read_exact(bytes)
            .map_err(|error| unreadable(&error))?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn go_to(&mut self, at: u64) -> Result<(), Damage> {
        self.file
            .seek(SeekFrom::Start(at))
            .map_err(|error| unreadable(&error))?;
        self.at = at;
        Ok(())
    }
}

fn unreadable(error: &io::Error) -> Damage {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        "it ends too early".to_owned()
    } else {
        format!("it cannot be read: {error}")
    }
}

/// Checks that a table can have the file's length.
pub(super) fn check_length(path: &Path) -> Result<(), Damage> {
    sound_length(Source::open(path)?.length)
}

fn sound_length(length: u64) -> Result<(), Damage> {
    if length % 64 == CHECKSUM && length > CHECKSUM {
        Ok(())
    } else {
        Err(format!("no table has a length of {length} bytes"))
    }
}

/// Checks the file of a table with these pieces and returns its checksum.
pub(super) fn check(path: &Path, material: &Material) -> Result<[u8; 16], Damage> {
    let source = &mut Source::open(path)?;
    sound_length(source.length)?;
    if source.take()? != MAGIC {
        return Err("it does not begin as a Syzygy table of wins and draws does".to_owned());
    }
    let [flags] = source.take()?;
    let (is_split, has_pawns) = (flags & 1 != 0, flags & 2 != 0);
    if is_split == material.is_symmetric() || has_pawns != material.has_pawns() {
        return Err("it is the table of other pieces".to_owned());
    }
    let sides = 1 + usize::from(is_split);
    let sizes = positions(source, material, sides)?;
    let odd = source.at % 2;
    source.go_to(source.at + odd)?;
    let mut tables = Vec::new();
    for size in sizes {
        tables.push((size, Code::read(source)?));
    }
    let sections = sections(tables, source.at)?;
    let end = sections.last().map_or(source.at, |section| section.end);
    if end > source.length - CHECKSUM {
        return Err("it ends before its last block".to_owned());
    }
    for section in &sections {
        section.check(path, source)?;
    }
    source.go_to(source.length - CHECKSUM)?;
    source.take()
}

/// The numbers of positions of all tables in the file, in file order.
fn positions(source: &mut Source, material: &Material, sides: usize) -> Result<Vec<u64>, Damage> {
    let files = if material.has_pawns() { 4 } else { 1 };
    let mut leading = None;
    let mut sizes = Vec::new();
    for file in 0..files {
        let mut list = vec![0; material.list_length()];
        source.fill(&mut list)?;
        let first = list.len() - material.pieces() as usize;
        for side in 0..sides {
            let size = material.positions(&list, side == 1, file);
            sizes.push(size.ok_or("it lists other pieces than its name")?);
            let led = (list[first] >> (4 * side)) & 15;
            if material.has_pawns() && *leading.get_or_insert(led) != led {
                return Err("its tables begin with pawns of either side".to_owned());
            }
        }
    }
    Ok(sizes)
}

/// The locations of the parts of each packed table, after the codes, which end at `at`.
fn sections(tables: Vec<(u64, Code)>, at: u64) -> Result<Vec<Section>, Damage> {
    let too_large = || "its parts are larger than any file".to_owned();
    let mut at = at;
    let mut sections: Vec<Section> = tables
        .into_iter()
        .filter_map(|(positions, code)| match code {
            Code::Constant => None,
            Code::Packed(code) => Some(Section::new(positions, code)),
        })
        .collect();
    let mut place = |length: Option<u64>| {
        let start = at;
        at = length.and_then(|length| at.checked_add(length))?;
        Some(start)
    };
    for section in &mut sections {
        section.index = place(section.indices.checked_mul(6)).ok_or_else(too_large)?;
    }
    for section in &mut sections {
        section.sizes = place(section.code.blocks().checked_mul(2)).ok_or_else(too_large)?;
    }
    for section in &mut sections {
        let Packed { real, block, .. } = section.code;
        at = at.checked_next_multiple_of(64).ok_or_else(too_large)?;
        section.data = at;
        // Fewer than 2^32 blocks of at most 2^15 bytes.
        at = at
            .checked_add(u64::from(real) << block)
            .ok_or_else(too_large)?;
        section.end = at;
    }
    Ok(sections)
}
