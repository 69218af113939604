//! Opens files of results, games and positions, and recognises their content.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use super::prelude::*;
#[cfg(feature = "go-problems")]
use crate::foreign::{read_bounded, read_bytes};

pub(crate) use crate::session::books::LARGEST;

/// The first bytes of every SQLite file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// An opened file.
pub(crate) enum Input {
    /// A record of `leitai run`, which the caller opens by name.
    Record,
    /// Text.
    Text(Box<dyn BufRead>),
}

/// Opens a file, or standard input for `-`.
pub(crate) fn open_input(file: &Path) -> Result<Input, Failure> {
    let name = shown_path(file);
    let mut reader: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let open = File::open(file).with_context(|| format!("cannot read {name}"))?;
        Box::new(BufReader::new(open))
    };
    let beginning = reader.fill_buf();
    let beginning = beginning.with_context(|| format!("cannot read {name}"))?;
    if beginning.starts_with(SQLITE) {
        Ok(Input::Record)
    } else {
        Ok(Input::Text(reader))
    }
}

/// Reads a whole file, or standard input for `-`.
#[cfg(feature = "go-problems")]
pub(crate) fn read_all(file: &Path) -> Result<Vec<u8>, Failure> {
    let read = if file == Path::new("-") {
        read_bounded(io::stdin().lock(), LARGEST)
    } else {
        read_bytes(file, LARGEST)
    };
    read.with_context(|| format!("cannot read {}", shown_path(file)))
}

/// Refuses a list that names standard input twice.
pub(crate) fn refuse_stdin_twice(files: &[PathBuf]) -> Result<(), Failure> {
    if files.iter().filter(|file| *file == Path::new("-")).count() > 1 {
        bail!("`-` is given twice: standard input can be read only once");
    }
    Ok(())
}
