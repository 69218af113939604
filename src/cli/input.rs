//! Opens files of results, games and positions, and recognises their content.

use std::fs::File;
use std::io::{self, Read};

use super::prelude::*;
use leitai_base::foreign::raw_path;
#[cfg(feature = "go-problems")]
use leitai_base::foreign::{read_bounded, read_bytes};
use leitai_interchange::{Lines, Source};

pub(crate) use leitai_session::books::LARGEST;

/// Opens a file, or standard input for `-`, and recognises its contents.
pub(crate) fn open_input(file: &Path) -> Result<Source<'static>, Failure> {
    let reader: Box<dyn Read> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let open = File::open(file);
        Box::new(open.with_context(|| format!("cannot read {}", shown_path(file)))?)
    };
    Ok(leitai_interchange::open(reader, &raw_path(file), games())?)
}

/// Opens a file of text; `what` it should hold is named if it is no text.
pub(crate) fn open_text(file: &Path, what: &str) -> Result<Lines<'static>, Failure> {
    let name = shown_path(file);
    let content = match open_input(file)? {
        Source::Text(lines) => return Ok(lines),
        Source::Record => "is a record of games",
        Source::Own(_, form, _) => &format!("holds games {}", form.manner),
    };
    bail!("{name} {content}, not {what}\nhelp: pass the text file with {what}")
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
