//! Files of results, games and positions, known by their content.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::Context;

use super::common::Failure;

/// Where every SQLite file begins.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// A file that was opened.
pub(super) enum Input {
    /// A record of `leitai run`, to be opened by its name.
    Record,
    /// Text.
    Text(Box<dyn BufRead>),
}

/// Opens a file, or standard input for `-`.
pub(super) fn open_input(file: &Path) -> Result<Input, Failure> {
    let name = file.display();
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
